"""The letters of the screen's keyboard and their order, the same wherever something is typed. Pure: no surface."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

DIGITS = "1234567890"
KEYBOARD_ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "en": (DIGITS, "qwertyuiop", "asdfghjkl'", "zxcvbnm-."),
        "de": (DIGITS, "qwertzuiopü", "asdfghjklöä", "yxcvbnmß-'."),
        "fr": (DIGITS, "azertyuiop", "qsdfghjklm", "wxcvbn'-é.", "èçàùêîôû"),
    }
)
"""The digits and letters of the keyboard for each language."""
ACCENT_ROWS = ("áàâäãåæçčćđ", "éèêëěíìîïłñ", "óòôöõøœśšßň", "úùûüůýÿžźżð")
"""The letters with accents, for names from neighbouring languages."""


def letter_rows(language: str) -> tuple[str, ...]:
    """Return the rows of a language's keyboard; of an unknown language the English ones."""
    return KEYBOARD_ROWS.get(language, KEYBOARD_ROWS["en"])


def arrange_keys(rows: Sequence[str], *, capital: bool) -> list[str]:
    """Return the keys of ``rows`` row by row."""
    return ["".join(_capital(letter) for letter in row) for row in rows] if capital else list(rows)


def _capital(letter: str) -> str:
    """Return the capital of a letter; ß has none that begins a name."""
    return letter.upper() if len(letter.upper()) == 1 else letter
