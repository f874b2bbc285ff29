"""docs/data.md: its table of columns is that of the file, and its commands and queries run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from throwlock.review.archive import ArchiveOpener
from throwlock.review.parquet import COLUMNS, VERSION
from tools.docs.data import sections
from tools.docs.generated_sections import read_sections
from tools.sample_journal import write_sample_journal

duckdb = pytest.importorskip("duckdb")
PAGE = Path(__file__).parents[2] / "docs" / "data.md"
TEXT = PAGE.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the page's code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the export of a journal."""
    folder = tmp_path_factory.mktemp("data")
    write_sample_journal(folder / "evening.journal", 60)
    opener = ArchiveOpener(folder / "evening.journal", folder)
    with opener.open() as archive:
        assert archive.export_table(folder / "throws.parquet", archive.match_numbers())[1] == []
    opener.close()
    return folder


def test_the_table_has_the_columns_of_the_file(folder: Path) -> None:
    found = {name: text.rstrip("\n") for name, text in read_sections(PAGE).items()}
    assert found == sections(), "python -m tools.docs.data --docs docs/data.md"
    file = str(folder / "throws.parquet")
    described = duckdb.sql(f"DESCRIBE SELECT * FROM '{file}'").fetchall()
    assert [row[:2] for row in described] == [(one.name, one.type) for one in COLUMNS]
    (metadata,) = duckdb.sql(f"SELECT decode(value) FROM parquet_kv_metadata('{file}')").fetchall()
    assert metadata == (VERSION,) and f"`throwlock_columns`: {VERSION}" in TEXT


@pytest.mark.parametrize("query", blocks("sql"))
def test_the_queries_run(query: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert len(duckdb.sql(query).fetchall()) > 2


def test_the_lines_for_pandas_run(folder: Path) -> None:
    (code,) = blocks("python")
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True)
    assert "scissors" in run.stdout
