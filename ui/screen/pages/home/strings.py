"""The texts of the choice of a game and of its set-up."""

from rules.engine import Option, Rules, Value
from ui.i18n.language import N, ngettext, t
from ui.screen.pages.common import game_words
from ui.screen.pages.common.game_words import code_word
from ui.screen.pages.common.strings import capitalised_line

CHOOSE_GAME = N("Choose a game")
PLAYERS = N("Players")
START = N("Start")


def game_title(rules: Rules) -> str:
    """A game's title."""
    return t(rules.title)


def game_about(rules: Rules) -> str:
    """A line about a game."""
    return capitalised_line(N(rules.description))


def option_name(option: Option) -> str:
    """An option's name for people."""
    return code_word(option.name)


def option_about(option: Option) -> str:
    """A line about an option."""
    return capitalised_line(N(option.description))


def option_value(option: Option, value: Value) -> str:
    """The text of an option's value."""
    return game_words.value_text(value, option.name)


def option_change(option: Option, value: Value) -> str:
    """The label of the button that sets an option."""
    return f"{option_name(option)}: {option_value(option, value)}"


def player_range(min_players: int, max_players: int) -> str:
    """The number of players allowed."""
    return (
        player_count(min_players)
        if min_players == max_players
        else t("{fewest}–{most} players", fewest=min_players, most=max_players)
    )


def player_count(count: int) -> str:
    """A number of players."""
    return ngettext("{count} player", "{count} players", count)
