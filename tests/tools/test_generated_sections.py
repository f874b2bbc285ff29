"""Generated sections of pages, and that every tool's section is in its page with the table the tool now makes."""

import re
from pathlib import Path

import pytest

from tools.bench import cards, classroom, cue, journal, review, screen, startup, verdict
from tools.docs.generated_sections import SectionError, markdown_table, replace_section, update_page
from tools.trials import board, timing
from tools.trials import cards as card_trials

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "before\n<!-- a: begin -->\nold\n<!-- a: end -->\nbetween\n<!-- b: begin -->\n<!-- b: end -->\nafter\n"


def test_update_page_replaces_only_the_named_sections(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    update_page(page, {"a": "new", "b": "more"})
    assert page.read_text() == PAGE.replace("old", "new").replace("<!-- b: end", "more\n<!-- b: end")
    update_page(page, {"a": "old"})
    assert page.read_text() == PAGE.replace("<!-- b: end", "more\n<!-- b: end")


@pytest.mark.parametrize("text", ["", "<!-- c: begin -->", PAGE.replace("b:", "c:").replace("a:", "c:")])
def test_replace_section_needs_both_markers_once(text: str) -> None:
    with pytest.raises(SectionError, match=re.escape("page.md must contain the lines <!-- c: begin -->")):
        replace_section(text, "c", "new", "page.md")


def test_update_page_leaves_the_file_unchanged_when_a_section_is_missing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    with pytest.raises(SectionError):
        update_page(page, {"a": "new", "c": "new"})
    assert page.read_text() == PAGE


def test_markdown_table_aligns_text_left_and_figures_right() -> None:
    table = markdown_table(("name", "kind", "n"), [("one", "x", 1), ("two", "y", 2)], text_columns=2)
    assert table == "| name | kind | n |\n| --- | --- | ---: |\n| one | x | 1 |\n| two | y | 2 |"


@pytest.mark.parametrize(
    ("page", "section", "line"),
    [
        ("cards.md", cards.SECTION, "| side, px | fair: found | misread |"),
        ("cards.md", card_trials.SECTION, card_trials.result_table([]).splitlines()[0]),
        ("cards.md", board.SECTION, board.result_table([]).splitlines()[0]),
        ("classroom.md", classroom.SECTION, "| class | image | smallest marker, px |"),
        ("cue-latency.md", cue.SECTION, cue.TABLE_HEAD),
        ("frame-rate.md", screen.PAGES_SECTION, screen.PAGES_HEAD),
        ("frame-rate.md", screen.WINDOW_SECTION, screen.WINDOW_HEAD),
        ("journal.md", journal.SECTION, "| written | times | content | passed to the kernel |"),
        ("judge-performance.md", verdict.SECTION, verdict.TABLE_HEAD),
        ("judge-performance.md", review.SECTION, review.TABLE_HEAD.format(review.MATCHES)),
        ("soak-test.md", startup.SECTION, "| library | import time |\n| --- | ---: |"),
        ("timing-accuracy.md", timing.SECTION, timing.TABLE_HEAD),
    ],
)
def test_page_has_the_tools_section_with_its_table_head(page: str, section: str, line: str) -> None:
    text = (DOCS / page).read_text()
    replace_section(text, section, "", page)
    content = text.split(f"<!-- {section}: begin -->\n")[1].split(f"<!-- {section}: end -->")[0]
    assert line in content
