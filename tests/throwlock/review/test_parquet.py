"""All matches as a Parquet file: every row as on the pages, names only where they may be, all or nothing."""

import builtins
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.journal_builder import CLASSIC, JournalBuilder, P, R, S, make_hand
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.replay.config import MatchConfig
from throwlock.review.archive import ArchiveOpener
from throwlock.review.parquet import COLUMNS, ParquetError, write_parquet
from tools.sample_journal import write_sample_journal
from ui.web.views import MatchFilter

duckdb = pytest.importorskip("duckdb")


def export(journal: Path, *, names: bool = True) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the rows of an export, and the matches left out."""
    opener, file = ArchiveOpener(journal, journal.parent / "cache"), journal.parent / "it's all.parquet"
    with opener.open() as archive:
        count, left_out = archive.export_table(file, archive.match_numbers(), names)
    opener.close()
    with duckdb.connect() as database:
        found = database.execute("SELECT * FROM read_parquet(?)", [str(file)])
        heads = [column[0] for column in found.description]
        rows = [dict(zip(heads, row, strict=True)) for row in found.fetchall()]
    assert len(rows) == count
    return rows, left_out


def test_every_row_is_as_on_the_pages(tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    write_sample_journal(path, 40)
    rows, left_out = export(path)
    opener = ArchiveOpener(path, tmp_path / "cache")
    with opener.open() as archive:
        seats = [
            (line.number, step, seat)
            for line in reversed(archive.matches(MatchFilter(limit=1000)))
            for step in archive.match(line.number).view.rounds
            for seat in step.seats
        ]
    opener.close()
    assert left_out == [] and len(rows) == len(seats)
    for row, (match, line, seat) in zip(rows, seats, strict=True):
        assert (row["match"], row["round"], row["seat"], row["player"]) == (
            match,
            line.number,
            seat.seat,
            seat.player.name,
        )
        assert (row["verdict"], row["foul"], row["throw"], row["counts"]) == (
            seat.verdict,
            seat.is_foul,
            seat.throw,
            not line.is_void,
        )
        assert row["written_at"] == datetime.fromisoformat(line.at).replace(tzinfo=None)
        assert (row["shown_ms"], row["after_first_ms"]) == (seat.record.shown_ms, seat.after_first_ms)
        assert (row["score_before"], row["score_after"]) == (seat.score_before, seat.score_after)
        assert row["outcome"] is None or row["counts"]


def test_names_only_where_they_may_be(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal")
    box.add_round(R, S)
    box.add_round(P, make_hand(R, "late"))
    keys = box.journal.players()
    box.close()
    rows, _ = export(box.path)
    assert [(row["player"], row["outcome"], row["disputes"]) for row in rows] == [
        ("Ada", "won", 0),
        ("Ben", "lost", 0),
        ("Ada", None, 0),
        ("Ben", None, 0),
    ]
    nameless, _ = export(box.path, names=False)
    assert {row["player"] for row in nameless} == {None}
    assert [row["player_key"] for row in nameless] == [*keys, *keys]
    JournalMaintenance(box.path).forget(next(iter(keys)))
    after, _ = export(box.path)
    assert [(row["player"], row["player_key"] is None) for row in after[:2]] == [(None, True), ("Ben", False)]


def test_a_match_of_other_rules_is_left_out(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal")
    box.add_round(R, S)
    old = MatchConfig(CLASSIC, ("Ada", "Ben"), HouseRules()).start_event().model_copy(update={"rules_version": 0})
    left = box.journal.start_match(old, ("Ada", "Ben"))
    box.close()
    rows, left_out = export(box.path)
    assert left_out == [left] and len(rows) == 2


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "throws.parquet"
    file.write_bytes(b"as before")

    def broken() -> Any:
        yield dict.fromkeys([one.name for one in COLUMNS])
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        write_parquet(file, broken())
    with pytest.raises(ParquetError):
        write_parquet(file, [{"match": "no number"}])
    with pytest.raises(ParquetError):
        write_parquet(tmp_path / "missing" / "throws.parquet", [])
    assert file.read_bytes() == b"as before" and [one.name for one in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--format", "parquet"], "name one with --out"),
        (["--format", "csv"], "name a match to export as csv"),
        (["9", "--format", "parquet", "--out", "OUT"], "There is no match 9"),
    ],
)
def test_what_the_command_lacks(
    arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    box = JournalBuilder(tmp_path / "evening.journal")
    box.close()
    named = [str(tmp_path / "out.parquet") if one == "OUT" else one for one in arguments]
    assert run_command(["export", *named, "--journal", str(box.path)]) == 2
    assert expected in capsys.readouterr().err


def test_the_command_without_duckdb_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    box = JournalBuilder(tmp_path / "evening.journal")
    box.add_round(R, S)
    box.close()
    arguments = ["export", "--format", "parquet", "--journal", str(box.path), "--out", str(tmp_path / "out.parquet")]
    assert run_command(arguments) == 0 and (tmp_path / "out.parquet").exists()
    real_import = builtins.__import__

    def without_duckdb(name: str, *more: Any, **named: Any) -> Any:
        if name == "duckdb":
            raise ModuleNotFoundError(name)
        return real_import(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without_duckdb)
    assert run_command(arguments) == 2
    assert "pipx install 'throwlock[parquet]'" in capsys.readouterr().err


def test_large_journals_take_no_more_memory(tmp_path: Path) -> None:
    """Rows are taken one at a time: nothing keeps them."""
    alive = [0, 0]

    class Row(dict[str, Any]):
        def __init__(self, match: int) -> None:
            super().__init__(dict.fromkeys([one.name for one in COLUMNS]), match=match)
            alive[0] += 1
            alive[1] = max(alive)

        def __del__(self) -> None:
            alive[0] -= 1

    file = tmp_path / "throws.parquet"
    assert write_parquet(file, (Row(number) for number in range(2000))) == 2000
    assert alive[1] <= 3
    assert json.loads(duckdb.sql(f"SELECT to_json(sum(match)) FROM '{file}'").fetchall()[0][0]) == sum(range(2000))
