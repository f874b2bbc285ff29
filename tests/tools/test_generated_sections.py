"""Generated sections of pages, and that every tool's section is in its page with the table the tool now makes."""

import argparse
import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from cogapp import Cog

from tools.bench import (
    cards,
    classroom,
    cue,
    journal,
    live,
    review,
    screen,
    screen_pages,
    second_screen,
    speech,
    startup,
    verdict,
)
from tools.docs.generated_sections import (
    SectionError,
    add_docs_option,
    markdown_table,
    print_table,
    publish,
    read_sections,
    update_page,
)
from tools.soak import curve
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


def test_publish_prints_before_it_writes(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish(page, {"a": "| x = 1 |", "b": "more"})
    assert capsys.readouterr().out == "| x = 1 |\n\nmore\n" and read_sections(page)["b"] == "more\n"
    publish(page, {"b": "again"}, printed=True)
    assert capsys.readouterr().out == "" and read_sections(page)["b"] == "again\n"
    page.write_text(page.read_text().replace("again", "changed"))
    with pytest.raises(SystemExit, match="changed by hand"):
        publish(page, {"b": "hours of work"})
    assert "hours of work" in capsys.readouterr().out and read_sections(page)["b"] == "changed\n"
    with pytest.raises(SystemExit, match="No such file"):
        publish(page.with_name("nothing.md"), {"b": "new"}, printed=True)
    publish(None, {"b": "only printed"})
    assert capsys.readouterr().out == "only printed\n"


def test_the_docs_option_is_checked_before_anything_is_measured(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def docs_error(page: Path, *sections: str) -> str:
        with pytest.raises(SystemExit):
            parse(page, *sections)
        return capsys.readouterr().err

    def parse(page: Path, *sections: str, default: Path | None = None) -> Path | None:
        parser = argparse.ArgumentParser()
        add_docs_option(parser, *sections, default=default)
        return parser.parse_args([] if default else ["--docs", str(page)]).docs

    assert parse(page, "a", "b") == parse(page, default=page) == page
    assert "has no section c" in docs_error(page, "a", "c")
    assert "No such file" in docs_error(page.with_name("nothing.md"))
    update_page(page, {"a": "new"})
    page.write_text(page.read_text().replace("new", "changed"))
    assert "changed by hand" in docs_error(page, "b")


@pytest.mark.parametrize("page", GENERATED_PAGES, ids=lambda page: page.name)
def test_generated_sections_were_not_changed_by_hand(page: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert Cog().main(["cog", "-c", "--check", "--diff", str(page)]) == 0, out.getvalue()
    assert page.read_text().count("[[[cog") == page.read_text().count("[[[end]]] (sum: ") == len(read_sections(page))


def test_print_table_prints_each_row_before_the_next_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []

    def rows() -> Iterator[tuple[object, ...]]:
        printed.append(capsys.readouterr().out)
        yield "one", 1
        printed.append(capsys.readouterr().out)
        yield "two", 2

    table = print_table(("name", "n"), rows())
    assert table == markdown_table(("name", "n"), [("one", 1), ("two", 2)])
    assert printed == ["| name | n |\n| --- | ---: |\n", "| one | 1 |\n"]
    assert capsys.readouterr().out == "| two | 2 |\n"


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
        ("cue-latency.md", cue.SECTION, markdown_table(cue.TABLE_HEAD, ())),
        ("frame-rate.md", screen.PAGES_SECTION, markdown_table(screen.PAGES_HEAD, (), 2)),
        ("frame-rate.md", screen.WINDOW_SECTION, markdown_table(screen.WINDOW_HEAD, (), 3)),
        ("journal.md", journal.SECTION, "| written | times | content | passed to the kernel |"),
        ("frame-rate.md", screen_pages.SECTION, markdown_table(screen_pages.TABLE_HEAD, (), 2)),
        ("judge-performance.md", live.SECTION, markdown_table(live.TABLE_HEAD, ())),
        ("judge-performance.md", verdict.SECTION, markdown_table(verdict.TABLE_HEAD, (), 0)),
        ("judge-performance.md", review.SECTION, markdown_table(review.table_head(review.MATCHES), ())),
        ("second-screen.md", second_screen.SECTION, markdown_table(second_screen.HEAD, ())),
        ("second-screen.md", second_screen.FRAMES_SECTION, markdown_table(second_screen.FRAMES_HEAD, ())),
        ("soak-test.md", curve.SECTION, markdown_table(curve.TABLE_HEAD, (), 0)),
        ("soak-test.md", startup.SECTION, "| library | import time |\n| --- | ---: |"),
        ("sound.md", speech.CARD_SECTION, markdown_table(speech.CARD_HEAD, ())),
        ("sound.md", speech.WORDS_SECTION, markdown_table(speech.WORDS_HEAD, (), 3)),
        ("timing-accuracy.md", timing.SECTION, timing.error_table("frame rate and throw", ())),
    ],
)
def test_page_has_the_tools_section_with_its_table_head(page: str, section: str, line: str) -> None:
    assert line in read_sections(DOCS / page)[section]
