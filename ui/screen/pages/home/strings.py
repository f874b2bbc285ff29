"""The texts of the choice of a game and of its set-up."""

from messages import LazyText, N
from rules.engine import GameText, Option, Value
from ui.screen.pages.common.game_words import code_word, value_text
from ui.screen.pages.common.strings import capitalised_line


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
