"""The bench of the review pages asks for every page and writes its table. No times are asserted: they are the
machine's."""

from pathlib import Path

import pytest

from tools.bench import review
from tools.docs.generated_sections import write_into


def test_every_page_is_measured_beside_a_journal_of_one_match(tmp_path: Path) -> None:
    with (
        review.open_site(tmp_path, 0) as none,
        review.open_site(tmp_path, 1) as one,
        review.open_site(tmp_path, 20) as many,
    ):
        assert len(none.paths) == 3 and one.paths.keys() == many.paths.keys()
        head, *rows, told = review.page_table([none, one, many], 20, 1)
    assert "20 matches" in head and told.startswith("\nThe slowest of 20")
    assert [row.split("|")[1].strip() for row in rows] == list(many.paths)
    assert all(row.count("|") == 5 and row.count(" ms") in (2, 3) for row in rows)


def test_a_page_that_is_not_there_is_not_measured(tmp_path: Path) -> None:
    with review.open_site(tmp_path, 1) as site, pytest.raises(ValueError, match="404"):
        review.fetch(site.pages, "/match/999")


def test_the_table_goes_between_its_own_marks(tmp_path: Path) -> None:
    page = tmp_path / "cost.md"
    page.write_text(f"A\n{review.BEGIN}\n{review.END}\nB\n")
    write_into(page, "new", review.BEGIN, review.END)
    assert page.read_text() == f"A\n{review.BEGIN}\nnew\n{review.END}\nB\n"
