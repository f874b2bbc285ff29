"""Sections of Markdown pages that tools write with cog: what is between ``<!-- [[[cog
cog.out(globals().get("NAME", cog.previous)) ]]] -->`` and ``<!-- [[[end]]] (sum: …) -->``. The sum detects changes by
hand; who makes one deletes it and runs ``cog -rc`` on the page."""

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from cogapp import Cog

from errors import ThrowlockError

_SECTION = re.compile(r'get\("(.*?)", cog\.previous\)\) \]\]\] -->\n(.*?)<!-- \[\[\[end\]\]\]', re.DOTALL)


class SectionError(ThrowlockError, ValueError):
    """A page lacks a section, or one was changed by hand."""


def read_sections(page: Path) -> dict[str, str]:
    """Return the sections of a page by name. Raises OSError."""
    return dict(_SECTION.findall(page.read_text(encoding="utf-8")))


def check_page(page: Path, sections: Iterable[str] = ()) -> None:
    """Check that a page can be written: it has these sections, and none was changed by hand, which is printed.

    Raises:
        SectionError: One is missing or was changed.
        OSError: The page can't be read.
    """
    if missing := set(sections) - read_sections(page).keys():
        raise SectionError(f"{page} has no section {', '.join(sorted(missing))}")
    if Cog().main(["cog", "-c", "-o", os.devnull, str(page)]):
        raise SectionError(f"{page} was changed by hand")


def update_page(page: Path, sections: Mapping[str, str]) -> None:
    """Replace the sections of a file; the keys are their names.

    Raises:
        SectionError: The file lacks one, or one was changed by hand, which is printed; the file is then unchanged.
        OSError: The file can't be read or written.
    """
    check_page(page, sections)
    defined = [argument for name, content in sections.items() for argument in ("-D", f"{name}={content}")]
    if Cog().main(["cog", "-rc", "--verbosity=0", *defined, str(page)]):
        raise SectionError(f"{page} can't be written")


def publish(page: Path | None, sections: Mapping[str, str], *, printed: bool = False) -> None:
    """Print the sections, unless they were ``printed`` as they were made, and write them into the page if there is one.

    Nothing is lost if the page can't be written: they are printed first.

    Raises:
        SystemExit: The page can't be written, with the reason.
    """
    if not printed:
        print("\n\n".join(sections.values()), flush=True)
    if page is not None:
        try:
            update_page(page, sections)
        except (SectionError, OSError) as error:
            sys.exit(str(error))


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]], text_columns: int = 1) -> str:
    """Format a Markdown table: the first ``text_columns`` columns are aligned left, the others right."""
    return "\n".join(_table_lines(head, rows, text_columns))


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]], text_columns: int = 1) -> str:
    """Print a table as ``markdown_table`` formats it, each row as soon as it is there, and return it."""
    lines = []
    for line in _table_lines(head, rows, text_columns):
        print(line, flush=True)
        lines.append(line)
    return "\n".join(lines)


def _table_lines(head: Sequence[str], rows: Iterable[Sequence[object]], text_columns: int) -> Iterator[str]:
    rule = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    for cells in chain((head, rule), rows):
        yield f"| {' | '.join(map(str, cells))} |"


def add_docs_option(parser: argparse.ArgumentParser, *sections: str) -> None:
    """Add ``--docs PAGE``, the page that gets a tool's result, by default none. It is checked before anything is
    measured: it must have these ``sections``, and none may be changed by hand."""

    def parse_page(value: str) -> Path:
        try:
            check_page(Path(value), sections)
        except (SectionError, OSError) as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return Path(value)

    parser.add_argument(
        "--docs",
        type=parse_page,
        metavar="PAGE",
        help="write the result into its section of this page",
    )


def machine_line() -> str:
    """Return the number of cores and the load average of the last minute, as a sentence. Call it before anything is
    measured: what is measured is a load too."""
    return f"Measured on {os.cpu_count()} cores with a load average of {os.getloadavg()[0]:.1f} at the start."
