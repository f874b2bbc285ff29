"""What the count and the waits around it say."""

from ui.i18n.language import LazyText, N, t
from ui.text.names import THROW_WORDS

GET_READY = N("Get ready")
READING_HANDS = N("Looking at your hands")
READING_HANDS_DETAIL = N("Everyone is read from the same image")


def word_icon(word: str) -> str | None:
    """The drawing of a word of the count that is a throw's name."""
    here = {t(name).casefold(): str(one) for one, name in THROW_WORDS.items()}
    return here.get(t(word).casefold() if isinstance(word, LazyText) else word.casefold())
