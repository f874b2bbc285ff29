"""Sections of Markdown pages that tools write with cog: what is between ``<!-- [[[cog
cog.out(globals().get("NAME", cog.previous)) ]]] -->`` and ``<!-- [[[end]]] (sum: …) -->``. The sum detects changes by
hand; who makes one deletes it and runs ``cog -rc`` on the page."""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cogapp import Cog

from errors import ThrowlockError

_SECTION = re.compile(r'get\("(.*?)", cog\.previous\)\) \]\]\] -->\n(.*?)<!-- \[\[\[end\]\]\]', re.DOTALL)


class SectionError(ThrowlockError, ValueError):
    """A page lacks a section, or one was changed by hand."""


def read_sections(page: Path) -> dict[str, str]:
    """Return the sections of a page by name. Raises OSError."""
    return dict(_SECTION.findall(page.read_text(encoding="utf-8")))


def update_page(page: Path, sections: Mapping[str, str]) -> None:
    """Replace the sections of a file; the keys are their names.

    Raises:
        SectionError: The file lacks one, or one was changed by hand, which is printed; the file is then unchanged.
        OSError: The file can't be read or written.
    """
    if missing := sections.keys() - read_sections(page).keys():
        raise SectionError(f"{page} has no section {', '.join(sorted(missing))}")
    defined = [argument for name, content in sections.items() for argument in ("-D", f"{name}={content}")]
    if Cog().main(["cog", "-rc", "--verbosity=0", *defined, str(page)]):
        raise SectionError(f"{page} was changed by hand")


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]], text_columns: int = 1) -> str:
    """Format a Markdown table: the first ``text_columns`` columns are aligned left, the others right."""
    rule = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in (head, rule, *rows))


def add_docs_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--docs PAGE``, the page that gets a tool's result."""
    parser.add_argument("--docs", type=Path, metavar="PAGE", help="write the result into its section of this page")
