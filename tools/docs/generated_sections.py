"""Pages whose tables a command makes again: what stands between two marks of a page is put anew, the rest stays."""

from pathlib import Path

from errors import ThrowlockError


class SectionError(ThrowlockError, ValueError):
    """A page without the marks that a table goes between. The message says which lack."""


def put(text: str, begin: str, end: str, told: str, page: object = "the page") -> str:
    """``text`` with ``told`` on lines of its own between the marks ``begin`` and ``end``. Raises SectionError where it
    has not each of them once; ``page`` is what the message calls it."""
    if text.count(begin) != 1 or text.count(end) != 1:
        raise SectionError(f"{page} needs the lines {begin} and {end} once each, to put the table between")
    before, rest = text.split(begin)
    return f"{before}{begin}\n{told}\n{end}{rest.split(end)[1]}"


def write_into(page: Path, told: str, begin: str, end: str) -> None:
    """``put`` into the file ``page``. Raises SectionError, and OSError where it can't be read or written."""
    page.write_text(put(page.read_text(), begin, end, told, page))
