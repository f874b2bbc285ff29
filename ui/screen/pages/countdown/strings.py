"""The texts of the countdown and of the waits around it."""

from ui.i18n.language import LazyText, N, t
from ui.text.names import THROW_WORDS

GET_READY = N("Get ready")
READING_HANDS = N("Looking at your hands")
READING_HANDS_DETAIL = N("Everyone is read from the same image")


def word_icon(word: str) -> str | None:
    """The icon for a word of the countdown that names a throw."""
    icons = {t(name).casefold(): str(throw) for throw, name in THROW_WORDS.items()}
    return icons.get(t(word).casefold() if isinstance(word, LazyText) else word.casefold())
