"""The texts of the choice of a game and of its set-up."""

from messages import LazyText, N
from rules.engine import GameText, Option, Rules, Value
from ui.i18n.language import ngettext, t
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.common.game_words import code_word, value_text
from ui.screen.pages.common.strings import capitalised_line
from ui.screen.pages.home.view import GameMenu


def short_facts(game: Rules, most_players: int) -> str:
    """Return the number of players, and the age and the time of a game if its source gives them, as short as on a box:
    "2–8 players · 7+ · 90 s"."""
    players = ngettext("{count} player", "{count} players", most_players)
    if game.min_players != most_players:
        players = t("{fewest}–{most} players", fewest=game.min_players, most=most_players)
    age = [t("{age}+", "years", age=game.min_age)] if game.min_age else []
    seconds = [t("{seconds} s", seconds=game.game_seconds)] if game.game_seconds else []
    return " · ".join([players, *age, *seconds])


def time_and_age(game: Rules) -> str:
    """Return a game's time and age as its source gives them: "90 s a game · from age 7"; "" if it gives neither."""
    seconds = [t("{seconds} s a game", seconds=game.game_seconds)] if game.game_seconds else []
    age = [t("from age {age}", age=game.min_age)] if game.min_age else []
    return " · ".join([*seconds, *age])


def players_label(view: GameMenu) -> str:
    """Return what the number of players is of."""
    return N("Players of a match") if view.for_tournament else N("Players")


def start_label(view: GameMenu) -> str:
    """Return the label of the button that ends the set-up."""
    return common_strings.GO_ON if view.for_tournament else N("Start")


def option_name(option: Option, text: GameText) -> str:
    """An option's name for people."""
    return code_word(option.name, text)


def option_about(option: Option) -> str:
    """A line about an option."""
    about = option.description
    return capitalised_line(about if isinstance(about, LazyText) else N(about))


def option_value(option: Option, value: Value, text: GameText) -> str:
    """The text of an option's value."""
    return value_text(value, text, option.name)


def option_change(option: Option, value: Value, text: GameText) -> str:
    """The label of the button that sets an option."""
    return f"{option_name(option, text)}: {option_value(option, value, text)}"
