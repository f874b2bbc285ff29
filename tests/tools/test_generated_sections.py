"""Generated sections of pages, and that every tool's section is in its page with the table the tool now makes."""

from pathlib import Path

import pytest

from tools.docs.generated_sections import SectionError, markdown_table, read_sections, update_page

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


def test_update_page_keeps_the_file_without_its_section(page: Path) -> None:
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


def test_markdown_table_aligns_text_left_and_figures_right() -> None:
    table = markdown_table(("name", "kind", "n"), [("one", "x", 1), ("two", "y", 2)], text_columns=2)
    assert table == "| name | kind | n |\n| --- | --- | ---: |\n| one | x | 1 |\n| two | y | 2 |"
