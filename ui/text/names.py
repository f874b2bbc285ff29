"""Names of people, classes and tables as they enter the box: typed, given on the command line, or read from a list.
Each goes through ``check_name`` once, so one name is written one way everywhere."""

import re
import unicodedata

from errors import ThrowlockError
from messages import JOINERS, N, is_printable, shorten

MAX_NAME_LENGTH = 100
"""Letters of a name, as ``throwlock.hall.protocol.HallPlayer``; less where there is less room."""
INVISIBLE_CATEGORIES = ("Cc", "Cf")
"""Unicode's categories of what nobody sees: controls, soft hyphens, zero-width spaces, directions of writing."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Hangul's fillers and Braille's blank: letters and symbols to Unicode, and as good as blanks to people."""
VIRAMA_CLASS = 9
"""Canonical combining class of the signs that join consonants of the scripts of India."""
_JOINER_RUN = re.compile(f"[{JOINERS}]+")
_BLANK = re.compile(f"[{BLANKS}]")
_UNCOMPARED = re.compile(f"[{JOINERS}\N{VARIATION SELECTOR-1}-\N{VARIATION SELECTOR-16}]")
"""What two names that look the same may differ in: joiners, and how emoji are drawn."""


class NameTextError(ThrowlockError, ValueError):
    """A text that is no name. The message says why in one line."""


def clean_name(text: str) -> str:
    """Return a name as it is kept: in Unicode's form NFC, on one line, single blanks between its words, without what
    nobody sees. A joiner or non-joiner stays between letters and after a virama, where scripts need it (RFC 5892, A.1
    and A.2), and so does the joiner of an emoji. "" if nothing is left."""
    seen = "".join(
        letter
        for letter in _BLANK.sub(" ", text)
        if letter in JOINERS or letter.isspace() or unicodedata.category(letter) not in INVISIBLE_CATEGORIES
    )
    line = unicodedata.normalize("NFC", " ".join(seen.split()))
    name = " ".join(_JOINER_RUN.sub(_keep_joiner, line).split())
    return name if any(unicodedata.category(letter)[0] not in "MZ" for letter in name) else ""


def _keep_joiner(run: re.Match[str]) -> str:
    before, after = run.string[: run.start()][-1:], run.string[run.end() :][:1]
    is_needed = _is_joined(before) and (_is_joined(after) or unicodedata.combining(before) == VIRAMA_CLASS)
    return run[0][0] if is_needed else ""


def _is_joined(letter: str) -> bool:
    """Whether a letter, a mark or an emoji is on this side of a joiner; "" is the end."""
    return bool(letter) and unicodedata.category(letter)[0] in "LMS"


def printed_name(name: str) -> str:
    """Return a name as a sheet of paper has it, also one that never went through ``check_name``: printable, and cut
    where it is longer than any that is kept."""
    return shorten(clean_name(name), MAX_NAME_LENGTH)


def normalise_name(name: str) -> str:
    """Return a name for comparison: the same for "Zoë" and " ZOË", with joiners and without."""
    return _UNCOMPARED.sub("", clean_name(name)).casefold()


def check_name(text: str, longest: int = MAX_NAME_LENGTH) -> str:
    """Return a name as it is kept, of at most ``longest`` letters. Raises NameTextError: it is empty, too long, or has
    a letter that can't be shown."""
    name = clean_name(text)
    if not name:
        raise NameTextError(N("the name is empty: write at least one letter"))
    if not is_printable(name):
        letter = next(letter for letter in name if not is_printable(letter))
        code = f"U+{ord(letter):04X}"
        raise NameTextError(
            N("“{name}” has a letter that can’t be shown ({code}): write it anew", name=shorten(name), code=code)
        )
    if len(name) > longest:
        raise NameTextError(N("“{name}” is longer than {most} characters", name=shorten(name), most=longest))
    return name
