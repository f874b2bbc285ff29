"""Generated sections of pages, and that every tool's section is in its page with the table the tool now makes."""

import contextlib
import io
from pathlib import Path

import pytest
from cogapp import Cog

from tools.bench import cards, classroom, cue, journal, review, screen, startup, verdict
from tools.docs.generated_sections import SectionError, markdown_table, read_sections, update_page
from tools.trials import board, timing
from tools.trials import cards as card_trials

DOCS = Path(__file__).parents[2] / "docs"
GENERATED_PAGES = sorted(page for page in DOCS.glob("*.md") if read_sections(page))
SECTION = '<!-- [[[cog cog.out(globals().get("{}", cog.previous)) ]]] -->\n{}<!-- [[[end]]] -->\n'
TEXT = "before\n" + SECTION.format("a", "old\n") + "between\n" + SECTION.format("b", "") + "after\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    page = tmp_path / "page.md"
    page.write_text(TEXT)
    return page


def test_update_page_replaces_only_the_named_sections(page: Path) -> None:
    update_page(page, {"a": "| x = 1 |\n\nnew é"})
    assert read_sections(page) == {"a": "| x = 1 |\n\nnew é\n", "b": ""}
    update_page(page, {"b": "more"})
    assert read_sections(page) == {"a": "| x = 1 |\n\nnew é\n", "b": "more\n"}
    assert [line for line in page.read_text().splitlines() if line.isalpha()] == ["before", "between", "more", "after"]


def test_update_page_leaves_the_file_unchanged_when_a_section_is_missing(page: Path) -> None:
    with pytest.raises(SectionError, match="has no section c, d"):
        update_page(page, {"a": "new", "d": "new", "c": "new"})
    assert page.read_text() == TEXT


def test_update_page_does_not_overwrite_changes_by_hand(page: Path) -> None:
    update_page(page, {"a": "new"})
    changed = page.read_text().replace("new", "changed")
    page.write_text(changed)
    with pytest.raises(SectionError, match="changed by hand"):
        update_page(page, {"a": "newer"})
    assert page.read_text() == changed


@pytest.mark.parametrize("page", GENERATED_PAGES, ids=lambda page: page.name)
def test_generated_sections_were_not_changed_by_hand(page: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert Cog().main(["cog", "-c", "--check", "--diff", str(page)]) == 0, out.getvalue()
    assert page.read_text().count("[[[cog") == page.read_text().count("[[[end]]] (sum: ") == len(read_sections(page))


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
    assert line in read_sections(DOCS / page)[section]
