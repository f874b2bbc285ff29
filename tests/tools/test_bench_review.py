"""The bench of the review pages requests every page and makes its table. No times are asserted: they depend on the
machine."""

from pathlib import Path

import pytest

from tools.bench import review


def test_page_table_has_every_page_for_three_journals(tmp_path: Path) -> None:
    with (
        review.open_site(tmp_path, 0) as none,
        review.open_site(tmp_path, 1) as one,
        review.open_site(tmp_path, 20) as many,
    ):
        assert len(none.paths) == 3 and one.paths.keys() == many.paths.keys()
        head, _, *rows, _, summary = review.print_page_table([none, one, many], 20, 1).splitlines()
    assert "20 matches" in head and summary.startswith("With 20 matches the slowest page takes")
    assert [row.split("|")[1].strip() for row in rows] == list(many.paths)
    assert all(row.count("|") == 5 and row.count(" ms") in (2, 3) for row in rows)


def test_fetch_fails_for_a_missing_page(tmp_path: Path) -> None:
    with review.open_site(tmp_path, 1) as site, pytest.raises(ValueError, match="404"):
        review.fetch(site.pages, "/match/999")
