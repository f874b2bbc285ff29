"""All matches of a journal as a Parquet file, a row per seat and thrown round; docs/data.md has the columns.

DuckDB writes it: from lines of JSON, since it has no other way to take rows one by one. So a journal of any size takes
the same memory. It is imported only here, since a box needs none of it."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from errors import ThrowlockError
from rules.record.match import MatchView
from rules.record.round import RoundView, SeatView
from throwlock.journal.journal import Event, match_started

ROW_GROUP_ROWS = 50_000
MEMORY_LIMIT = "256MB"
"""For DuckDB, which holds one row group at a time."""
VERSION = "1"
"""Of the columns; in the file's metadata."""
Cell = str | int | float | bool | None


class ParquetError(ThrowlockError, RuntimeError):
    """The file can't be written; the message, for the terminal, says why."""


class ParquetColumn(NamedTuple):
    """A column: its type in SQL, its unit ("" without one), what it means."""

    name: str
    type: str
    unit: str
    meaning: str


COLUMNS = (
    ParquetColumn("match", "BIGINT", "", "the match's number"),
    ParquetColumn("game", "VARCHAR", "", "the game: `classic`, `redeux`, `future`, `battle`, `tr` or `board`"),
    ParquetColumn("match_started_at", "TIMESTAMP", "", "when the match started, in UTC"),
    ParquetColumn("camera", "VARCHAR", "", "what watched it; `simulated` at the simulated table"),
    ParquetColumn("imported", "BOOLEAN", "", "whether the match was played in another journal"),
    ParquetColumn("round", "INTEGER", "", "which throw of the match, from 1"),
    ParquetColumn("event", "BIGINT", "", "the number of the round's event"),
    ParquetColumn("written_at", "TIMESTAMP", "", "when the round was written, in UTC"),
    ParquetColumn("counts", "BOOLEAN", "", "whether it counts; not if it was thrown again, or dropped by a correction"),
    ParquetColumn("void_reason", "VARCHAR", "", "why the box could not judge it"),
    ParquetColumn("seat", "INTEGER", "", "the seat's number, from 1"),
    ParquetColumn("player", "VARCHAR", "", "the player's name; none once they are forgotten, and with `--no-names`"),
    ParquetColumn("player_key", "VARCHAR", "", "the same for all matches of a player; none once they are forgotten"),
    ParquetColumn("verdict", "VARCHAR", "", "as in [journal.md](journal.md), or `void` if there is none"),
    ParquetColumn("foul", "BOOLEAN", "", "whether it was a foul, after corrections"),
    ParquetColumn("throw", "VARCHAR", "", "the throw that counted, after corrections: `rock`, `paper` or `scissors`"),
    ParquetColumn("outcome", "VARCHAR", "", "`won`, `lost` or `tied`, as in [statistics.md](statistics.md)"),
    ParquetColumn("card", "INTEGER", "", "the marker of the card it was thrown with; none for a hand"),
    ParquetColumn("at_lock", "VARCHAR", "", "what the lock frame showed"),
    ParquetColumn("after_lock", "VARCHAR", "", "what a late or changed hand, or one that may be, showed later"),
    ParquetColumn("shown_ms", "DOUBLE", "ms", "when the hand showed, after the cue"),
    ParquetColumn("after_first_ms", "DOUBLE", "ms", "the same, after the first hand"),
    ParquetColumn("uncertainty_ms", "DOUBLE", "ms", "standard deviation of that time"),
    ParquetColumn("lock_ms", "DOUBLE", "ms", "the lock, after the cue"),
    ParquetColumn("window_ms", "DOUBLE", "ms", "from the first hand to the lock"),
    ParquetColumn("bet", "INTEGER", "points", "the seat's bet, if the game has bets and it was opened"),
    ParquetColumn(
        "score_before", "INTEGER", "points", "the seat's points before the round, if the game had reported any"
    ),
    ParquetColumn("score_after", "INTEGER", "points", "its points after it"),
    ParquetColumn("disputes", "INTEGER", "", "how often the round was disputed"),
)


def round_rows(events: Sequence[Event], view: MatchView, with_names: bool) -> Iterator[Mapping[str, Cell]]:
    """Yield the rows of a match, by column."""
    started = match_started(events)
    of_match: dict[str, Cell] = {
        "match": events[0].number,
        "game": started.game,
        "match_started_at": events[0].at,
        "camera": started.camera,
        "imported": started.imported_from is not None,
    }
    for line in view.rounds:
        for seat in line.seats:
            yield {**of_match, **_round_cells(line), **_seat_cells(seat, with_names)}


def _round_cells(line: RoundView) -> dict[str, Cell]:
    reason = line.judgement.void_reason
    return {
        "round": line.number,
        "event": line.event,
        "written_at": line.at,
        "counts": not line.is_void,
        "void_reason": None if reason is None else reason.kind,
        "lock_ms": line.judgement.lock_ms,
        "window_ms": line.judgement.window_ms,
        "disputes": len(line.disputes),
    }


def _seat_cells(seat: SeatView, with_names: bool) -> dict[str, Cell]:
    record = seat.record
    return {
        "seat": seat.seat,
        "player": seat.player.name if with_names and seat.player.key is not None else None,
        "player_key": seat.player.key,
        "verdict": seat.verdict,
        "foul": seat.is_foul,
        "throw": seat.throw,
        "outcome": seat.throw_outcome,
        "card": record.card,
        "at_lock": record.at_lock,
        "after_lock": record.later_throw,
        "shown_ms": record.shown_ms,
        "after_first_ms": seat.after_first_ms,
        "uncertainty_ms": record.uncertainty_ms,
        "bet": seat.bet,
        "score_before": seat.score_before,
        "score_after": seat.score_after,
    }


def write_parquet(file: Path, rows: Iterable[Mapping[str, Cell]]) -> int:
    """Write rows to ``file``, all or nothing, and return how many. Next to it, it takes the room for the same as JSON
    for a while. Raises ParquetError."""
    try:
        import duckdb  # noqa: PLC0415  # see above
    except ImportError as error:
        raise ParquetError("Parquet needs DuckDB: pipx install 'throwlock[parquet]'") from error
    try:
        with tempfile.TemporaryDirectory(prefix=".throwlock-", dir=file.absolute().parent) as folder:
            lines, made = Path(folder) / "rows.json", Path(folder) / "rows.parquet"
            count = _write_lines(lines, rows)
            columns = {column.name: column.type for column in COLUMNS}
            settings: dict[str, str | bool | int | float | list[str]] = {
                **{"threads": 1, "memory_limit": MEMORY_LIMIT, "temp_directory": folder},
                **{"autoinstall_known_extensions": False, "autoload_known_extensions": False},
            }
            with duckdb.connect(":memory:", config=settings) as database:
                database.execute(
                    "COPY (SELECT * FROM read_json(?, format = 'newline_delimited', columns = ?)) TO "
                    f"'{str(made).replace(chr(39), chr(39) * 2)}' (FORMAT parquet, COMPRESSION zstd, "
                    f"ROW_GROUP_SIZE {ROW_GROUP_ROWS}, KV_METADATA {{throwlock_columns: '{VERSION}'}})",
                    [str(lines), columns],
                )
            made.replace(file)
    except OSError as error:
        raise ParquetError(f"{file} can't be written ({error.strerror or error})") from error
    except duckdb.Error as error:
        raise ParquetError(f"{file} can't be written ({str(error).splitlines()[0]})") from error
    return count


def _write_lines(file: Path, rows: Iterable[Mapping[str, Cell]]) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as lines:
        for row in rows:
            lines.write(json.dumps(row) + "\n")
            count += 1
    return count
