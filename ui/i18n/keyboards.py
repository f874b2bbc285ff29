"""The letters of the screen's keyboard and their order, the same wherever something is typed. Pure: no surface."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

KEYBOARD_ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "en": ("qwertyuiop", "asdfghjkl'", "zxcvbnm-."),
        "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnmß-'."),
        "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn'-é.", "èçàùêîôû"),
    }
)
"""The letters of the keyboard for each language."""
ACCENT_ROWS = ("áàâäãåæçčć", "éèêëěíìîïłñň", "óòôöõøœśšß", "úùûüůýÿžźżđð")
"""The letters with accents, for names from neighbouring languages."""


def letter_rows(language: str) -> tuple[str, ...]:
    """Return the rows of a language's keyboard; of an unknown language the English ones."""
    return KEYBOARD_ROWS.get(language, KEYBOARD_ROWS["en"])


def arrange_keys(rows: Sequence[str], *, capital: bool, halved: bool) -> list[str]:
    """Return the keys of ``rows`` row by row, in the same order on every panel: where all of a row would be too narrow
    for a finger, ``halved``, the left half of the keyboard is above its right half."""
    if halved:
        halves = [(row[: (len(row) + 1) // 2], row[(len(row) + 1) // 2 :]) for row in rows]
        rows = [left for left, _ in halves] + [right for _, right in halves if right]
    return ["".join(_capital(letter) for letter in row) for row in rows] if capital else list(rows)


def _capital(letter: str) -> str:
    """Return the capital of a letter; ß has none that begins a name."""
    return letter.upper() if len(letter.upper()) == 1 else letter
