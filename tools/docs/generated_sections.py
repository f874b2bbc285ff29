"""Replace the generated sections of Markdown pages.

A section is the text between the lines ``<!-- NAME: begin -->`` and ``<!-- NAME: end -->``; the rest of the page is
written by hand."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from errors import ThrowlockError


class SectionError(ThrowlockError, ValueError):
    """A page lacks the markers of a section, or has them twice."""


def replace_section(text: str, name: str, content: str, page: object = "the page") -> str:
    """Return ``text`` with ``content`` as its section ``name``; error messages call the text ``page``.

    Raises:
        SectionError: The text does not have each of the two markers exactly once.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise SectionError(f"{page} must contain the lines {begin} and {end} exactly once")
    head, rest = text.split(begin)
    return f"{head}{begin}\n{content}\n{end}{rest.split(end)[1]}"


def update_page(page: Path, sections: Mapping[str, str]) -> None:
    """Replace the sections of a file; the keys are their names.

    Raises:
        SectionError: See ``replace_section``; the file is then unchanged.
        OSError: The file can't be read or written.
    """
    text = page.read_text(encoding="utf-8")
    for name, content in sections.items():
        text = replace_section(text, name, content, page)
    page.write_text(text, encoding="utf-8")


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]], text_columns: int = 1) -> str:
    """Format a Markdown table: the first ``text_columns`` columns are aligned left, the others right."""
    rule = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in (head, rule, *rows))


def add_docs_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--docs PAGE``, the page that gets a tool's result."""
    parser.add_argument("--docs", type=Path, metavar="PAGE", help="write the result into its section of this page")
