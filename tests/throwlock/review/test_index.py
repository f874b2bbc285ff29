"""The index of a journal: incremental updates, recounts, forgotten players, damage."""

import json
import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import NotFoundError
from rules.record.event import ReviewMark
from throwlock.journal.journal import JournalReader
from throwlock.review.archive import LOG_NOT_CLEARED, ArchiveOpener
from throwlock.review.entries import PlayerDirectory
from throwlock.review.index import ReviewIndex
from tools.sample_journal import SampleClock, SampleJournal, SampleMatch, write_sample_journal
from ui.web.strings import local_date
from ui.web.views import MatchFilter, MatchLine, Trouble

TABLES = ("match", "match_player", "seat_throw")


def all_rows(path: Path, index: ReviewIndex) -> dict[str, list[Any]]:
    """Return all rows of an updated index."""
    with JournalReader(path) as journal, index.query(journal, PlayerDirectory(journal)) as rows:
        return {name: rows(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in TABLES}


def read_events(path: Path) -> list[tuple[int, int, str, dict[str, Any]]]:
    """Read number, match, kind and body of every event with plain SQL."""
    db = sqlite3.connect(path)
    rows = db.execute("SELECT number, match, kind, body FROM event ORDER BY number").fetchall()
    db.close()
    return [(number, match, kind, json.loads(body)) for number, match, kind, body in rows]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    write_sample_journal(tmp_path / "some.journal", 40, seed=3)
    return tmp_path / "some.journal"


@contextmanager
def open_archives(path: Path) -> Iterator[ArchiveOpener]:
    shelf = ArchiveOpener(path, path.parent / "cache")
    try:
        yield shelf
    finally:
        shelf.close()


STEPS = st.lists(st.sampled_from(["begin", "some", "all", "look"]), min_size=3, max_size=16)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), steps=STEPS)
def test_incremental_updates_equal_a_rebuild(seed: int, steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, dice = Path(folder, "a.journal"), random.Random(seed)
        index, match = ReviewIndex(Path(folder, "cache")), None
        with SampleJournal(path, SampleClock()) as journal:
            for step in steps:
                if step == "look":
                    all_rows(path, index)
                    continue
                with journal.in_one_transaction():
                    if match is None or match.is_over or step == "begin":
                        match = SampleMatch(journal, dice)
                    if step != "begin":
                        match.play(*([3] if step == "some" else []))
        assert all_rows(path, index) == all_rows(path, ReviewIndex(None))
        index.close()


def test_lists_equal_a_recount(journal: Path) -> None:
    events = read_events(journal)
    began = {number: body for number, _, kind, body in events if kind == "match_started"}
    rounds = Counter(match for _, match, _, body in events if "judgement" in body)
    disputes = Counter(match for _, match, kind, _ in events if kind in ("corrected", "dispute_rejected"))
    corrected = {(body["round"], body["seat"]) for _, _, kind, body in events if kind == "corrected"}
    fouls = Counter(
        match for number, match, _, body in events for seat in body.get("fouls", ()) if (number, seat) not in corrected
    )
    with open_archives(journal) as shelf, shelf.open() as archive:
        lines = archive.matches(MatchFilter(limit=1000))
        assert [line.number for line in lines] == sorted(began, reverse=True)
        for line in lines:
            assert (line.rounds, line.disputes, line.fouls) == (
                rounds[line.number],
                disputes[line.number],
                fouls[line.number],
            )
            assert line.game == began[line.number]["game"]
            assert [player.key for player in line.players] == list(began[line.number]["players"].values())
        assert dict(archive.days()) == Counter(local_date(line.at) for line in lines)
        assert {game: count for game, _, count in archive.games()} == Counter(line.game for line in lines)
        sat = Counter(key for body in began.values() for key in body["players"].values())
        assert {one.player.key: one.matches for one in archive.players()} == sat


def test_player_pages_equal_a_recount(journal: Path) -> None:
    with open_archives(journal) as shelf, shelf.open() as archive:
        everybody = archive.players()
        assert sum(one.won for one in everybody) == sum(
            len(line.winners) for line in archive.matches(MatchFilter(limit=1000))
        )
        for one in everybody[:15]:
            assert one.player.key is not None
            page = archive.player(one.player.key)
            lines = archive.matches(MatchFilter(player=one.player.key, limit=1000))
            own = [
                seat
                for line in lines
                for step in archive.match(line.number).view.rounds
                for seat in step.seats
                if seat.player == one.player
            ]
            assert page.line == one and one.matches == len(lines) and one.rounds == len(own)
            assert one.fouls == sum(seat.is_foul for seat in own)
            assert page.verdicts == Counter(seat.verdict for seat in own)
            assert {throw: count for throw, count in page.statistics.throws.items() if count} == Counter(
                seat.throw for seat in own if seat.throw is not None
            )
            assert sorted(late.after_first_ms for late in page.lateness if late.after_first_ms is not None) == sorted(
                seat.after_first_ms for seat in own if seat.after_first_ms is not None
            )
            won = [
                one.player in (line.players[seat - 1] for seat in line.winners)
                for line in lines
                if is_finished(line.state)
            ]
            assert page.streak == next((n for n, win in enumerate(won) if not win), len(won))
            assert page.best_streak == max(map(len, "".join("w" if win else " " for win in won).split()), default=0)


def is_finished(state: str) -> bool:
    return state == "finished"


def test_match_lists_filter_and_page(journal: Path) -> None:
    with open_archives(journal) as shelf:
        with shelf.open() as archive:
            lines = list(archive.matches(MatchFilter(limit=1000)))
            found: list[MatchLine] = []
            after = None
            while page := archive.matches(MatchFilter(after=after, limit=7)):
                found += page
                after = page[-1].number
            assert found == lines
            game = archive.games()[0][0]
            assert list(archive.matches(MatchFilter(game=game, limit=1000))) == [
                line for line in lines if line.game == game
            ]
            thrown = next(line for line in lines if line.rounds)
            event = archive.match(thrown.number).view.rounds[0].event
            archive.mark(event, ReviewMark.TO_REVIEW)
        with shelf.open() as archive:
            (marked,) = archive.matches(MatchFilter(mark=ReviewMark.TO_REVIEW))
            assert (marked.number, marked.rounds_to_review) == (thrown.number, 1)
            assert archive.round(event).mark is ReviewMark.TO_REVIEW
            assert not archive.matches(MatchFilter(mark=ReviewMark.REVIEWED))
            for trouble in Trouble:
                wanted = [line for line in archive.matches(MatchFilter(limit=1000)) if getattr(line, trouble)]
                assert wanted and list(archive.matches(MatchFilter(trouble=trouble, limit=1000))) == wanted
            assert not archive.matches(MatchFilter(player="nobody"))
            assert not archive.matches(MatchFilter(day="1999-01-01"))


def test_forgotten_players_leave_the_index(journal: Path) -> None:
    with open_archives(journal) as shelf, shelf.open() as archive:
        first = archive.players()[0]
        key, others = first.player.key, archive.players()[1:]
        assert key is not None
        last = archive.matches(MatchFilter(player=key))[0]
        assert not [sentence for sentence in archive.forget(key) if sentence == LOG_NOT_CLEARED]
        assert [one.player for one in archive.players()] == [one.player for one in others]
        with pytest.raises(NotFoundError):
            archive.player(key)
        with pytest.raises(NotFoundError):
            archive.forget(key)
        line = next(one for one in archive.matches(MatchFilter(limit=1000)) if one.number == last.number)
        assert key not in {player.key for player in line.players} and not line.has_pictures
        assert archive.match(line.number).line == line
    for file in (journal.parent / "cache").iterdir():
        assert key.encode() not in file.read_bytes()


def test_no_name_is_in_the_index(journal: Path) -> None:
    with open_archives(journal) as shelf, shelf.open() as archive:
        assert any("Pupil" in one.player.name for one in archive.players())
    files = list((journal.parent / "cache").iterdir())
    assert files and not any(b"Pupil" in file.read_bytes() for file in files)


@pytest.mark.parametrize(
    "harm",
    [
        lambda file: file.write_bytes(b"no database at all, " * 100),
        lambda file: file.write_bytes(file.read_bytes()[:5000] + b"\x00" * 50_000),
        lambda file: sqlite3.connect(file).executescript("UPDATE position SET version = 'another'"),
        lambda file: sqlite3.connect(file).executescript("DROP TABLE seat_throw"),
        lambda file: sqlite3.connect(file).executescript("UPDATE position SET hash = 'x'"),
    ],
    ids=["no database", "cut", "version", "no table", "another course"],
)
def test_a_broken_index_is_rebuilt(journal: Path, harm: Any) -> None:
    right = all_rows(journal, ReviewIndex(None))
    folder = journal.parent / "cache"
    index = ReviewIndex(folder)
    all_rows(journal, index)
    index.close()
    (file,) = folder.iterdir()
    harm(file)
    again = ReviewIndex(folder)
    assert all_rows(journal, again) == right
    again.close()


def test_without_a_writable_folder_the_index_is_in_memory(journal: Path) -> None:
    (journal.parent / "file").write_text("no folder")
    index = ReviewIndex(journal.parent / "file")
    assert all_rows(journal, index) == all_rows(journal, ReviewIndex(None))


def test_an_older_reader_does_not_roll_the_index_back(tmp_path: Path) -> None:
    path, index = tmp_path / "a.journal", ReviewIndex(tmp_path / "cache")
    write_sample_journal(path, 5)
    with JournalReader(path) as early:
        with SampleJournal(path, SampleClock()) as journal, journal.in_one_transaction():
            SampleMatch(journal, random.Random(1)).play()
        now = all_rows(path, index)
        with index.query(early, PlayerDirectory(early)) as rows:
            assert rows("SELECT count(*) FROM match").fetchone() == (6,)
        assert all_rows(path, index) == now


def test_a_restored_copy_rebuilds_the_index(tmp_path: Path) -> None:
    path, index = tmp_path / "a.journal", ReviewIndex(tmp_path / "cache")
    write_sample_journal(path, 5)
    copy = path.read_bytes()
    with SampleJournal(path, SampleClock()) as journal, journal.in_one_transaction():
        SampleMatch(journal, random.Random(1)).play()
    assert len(all_rows(path, index)["match"]) == 6
    path.write_bytes(copy)
    assert len(all_rows(path, index)["match"]) == 5


def test_several_threads_and_processes_share_an_index(tmp_path: Path) -> None:
    path, folder = tmp_path / "a.journal", tmp_path / "cache"
    write_sample_journal(path, 20)
    right = all_rows(path, ReviewIndex(None))
    one, other = ReviewIndex(folder), ReviewIndex(folder)  # as two processes have it
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda index: all_rows(path, index), [one, one, other, other])) == [right] * 4
    with SampleJournal(path, SampleClock()) as journal, journal.in_one_transaction():
        SampleMatch(journal, random.Random(1)).play()
    assert all_rows(path, other) == all_rows(path, one) != right
    assert len(list(folder.iterdir())) == 1


def index_files(folder: Path) -> int:
    return len(list(folder.glob("review-*")))


def test_an_index_goes_when_its_journal_goes(tmp_path: Path) -> None:
    cache, others = tmp_path / "cache", [tmp_path / name for name in ("a.journal", "b.journal", "c.journal")]
    for path in others:
        write_sample_journal(path, matches=1)
        all_rows(path, ReviewIndex(cache))
    assert index_files(cache) == 3
    others[0].unlink()
    all_rows(others[1], ReviewIndex(cache))
    assert index_files(cache) == 2
    others[1].rename(tmp_path / "moved.journal")
    rows = all_rows(tmp_path / "moved.journal", ReviewIndex(cache))
    assert index_files(cache) == 2 and rows == all_rows(tmp_path / "moved.journal", ReviewIndex(None))


def test_an_index_goes_when_another_journal_is_in_its_place(tmp_path: Path) -> None:
    cache, path = tmp_path / "cache", tmp_path / "a.journal"
    write_sample_journal(path, matches=1)
    all_rows(path, ReviewIndex(cache))
    path.rename(tmp_path / "a.journal.broken-1")
    write_sample_journal(path, matches=2, seed=2)
    assert all_rows(path, ReviewIndex(cache)) == all_rows(path, ReviewIndex(None))
    assert index_files(cache) == 1


def test_indexes_that_nobody_can_read_go(tmp_path: Path) -> None:
    cache, path = tmp_path / "cache", tmp_path / "a.journal"
    write_sample_journal(path, matches=1)
    cache.mkdir()
    (cache / "review-0000000000000000.sqlite").write_bytes(b"no database" * 1000)
    with sqlite3.connect(cache / "review-1111111111111111.sqlite") as old:
        old.execute("CREATE TABLE position (version)")
    (cache / "sightings").write_bytes(b"of another cache")
    all_rows(path, ReviewIndex(cache))
    assert index_files(cache) == 1 and (cache / "sightings").exists()


def test_an_index_that_another_process_is_making_is_left_alone(journal: Path, tmp_path: Path) -> None:
    begun = tmp_path / "review-0123456789abcdef.sqlite"
    begun.touch()
    all_rows(journal, ReviewIndex(tmp_path))
    assert begun.read_bytes() == b""
