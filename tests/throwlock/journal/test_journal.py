"""The journal: events are stored in order and chained, for any sequence of operations."""

import itertools
import shutil
from functools import partial
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from messages import LazyText
from tests.helpers.journal_events import NAMES, STARTED, answer_event
from tests.helpers.journals import chain_problems, contents, names_in, without_shm
from throwlock.house_rules import HouseRules
from throwlock.journal.events import (
    Answered,
    Body,
    DisputeRejected,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    ResultRecord,
)
from throwlock.journal.file import default_journal_path, sibling
from throwlock.journal.journal import Evidence, Journal, JournalError, JournalReader, event_hash, match_started

ENDED = MatchEnded(result=ResultRecord(winners=(1,), scores={1: 1, 2: 0}))
PICTURE = Evidence("lock.jpg", "image/jpeg", b"\xff\xd8 not really")


def test_events_are_read_as_written(tmp_path: Path) -> None:
    times = (f"2026-01-01T00:00:0{n}.000+00:00" for n in itertools.count())
    with Journal(tmp_path / "one.journal", now=lambda: next(times)) as journal:
        match = journal.start_match(STARTED, ["Zoë", "李"])
        event = journal.append(match, answer_event(), [PICTURE])
        assert journal.events(match)[1] == event
        assert journal.evidence(event.number) == [PICTURE]
        assert event.at == "2026-01-01T00:00:01.000+00:00"
    with JournalReader(tmp_path / "one.journal") as reader:
        began, again = reader.events()
        assert again == event
        assert began.names == ("Zoë", "李")
        keys = match_started([began]).players
        assert list(keys) == [1, 2] and began.body == STARTED.model_copy(update={"players": keys})
        assert again.previous_hash == began.hash


def test_only_the_journal_is_left_after_a_close(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
        assert sibling(path, "-wal").exists()
    assert names_in(tmp_path) == ["one.journal"]
    journal.close()  # twice is once


def test_the_last_close_leaves_only_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    journal = Journal(path)
    journal.start_match(STARTED, NAMES)
    with JournalReader(path) as reader:
        journal.start_match(STARTED, NAMES)
        journal.close()
        with Journal(path) as again:
            assert again.start_match(STARTED, NAMES) == 3
        assert len(reader.events()) == 1, "as it was when it was opened"
    assert names_in(tmp_path) == ["one.journal", "one.journal.tail"], "the reader kept the log alive"
    with JournalReader(path) as reader:
        assert len(reader.events()) == 3
    Journal(path).close()
    assert names_in(tmp_path) == ["one.journal"]


def test_a_match_is_unfinished_until_it_ends_or_is_abandoned(tmp_path: Path) -> None:
    with Journal(tmp_path / "one.journal") as journal:
        assert journal.unfinished_match() is None
        for end in (ENDED, MatchAbandoned()):
            match = journal.start_match(STARTED, NAMES)
            journal.append(match, answer_event())
            assert journal.unfinished_match() == match
            journal.append(match, end)
            assert journal.unfinished_match() is None
        assert journal.matches() == [1, 4]


def test_the_hash_covers_every_column() -> None:
    of = partial(
        event_hash, number=3, match=1, at="2026-01-01", kind="answer", body="{}", previous_hash="ab" * 32
    )  # fmt: skip
    others = of(number=2), of(match=2), of(at="2026-01-02"), of(kind="void"), of(body="[]"), of(previous_hash="cd" * 32)
    assert len({of(), *others}) == 7


def test_a_link_is_the_same_journal(tmp_path: Path) -> None:
    (tmp_path / "link.journal").symlink_to(tmp_path / "one.journal")
    with Journal(tmp_path / "link.journal") as journal, pytest.raises(JournalError, match="in use by another"):
        journal.start_match(STARTED, NAMES)
        Journal(tmp_path / "one.journal")
    assert (tmp_path / "link.journal").is_symlink()
    with JournalReader(tmp_path / "one.journal") as reader:
        assert len(reader.events()) == 1


def test_a_missing_journal_is_reported_to_readers_and_created_by_a_box(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"there is no journal at .*one\.journal"):
        JournalReader(tmp_path / "one.journal")
    with Journal(tmp_path / "one.journal") as journal:
        assert journal.start_match(STARTED, NAMES) == 1


def test_the_default_path_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_journal_path() == tmp_path / "throwlock" / "throwlock.journal"
    assert not list(tmp_path.iterdir())


def test_equal_names_in_a_match_have_different_keys(tmp_path: Path) -> None:
    with Journal(tmp_path / "one.journal") as journal:

        def keys(*names: str | None) -> tuple[str | None, ...]:
            started = STARTED.model_copy(update={"seats": len(names)})
            return match_started(journal.events(journal.start_match(started, names))).player_keys

        zoe, ada = keys(" Zo\u00eb", "Ada")
        assert keys("ADA ", "zoe\u0308") == (ada, zoe)
        one, other = keys("Ada", "ada")
        assert one == ada != other
        assert keys("Ben", "Ada", "ada")[1:] == (ada, other), "the first Ada is the same one every time"
        began = journal.events(journal.matches()[-1])[0]
        assert began.names == ("Ben", "Ada (2)", "ada (3)"), "told apart where people are told of them"
        assert len({zoe, ada, other, *keys(None, None)}) == 5, "nobody is somebody who was forgotten"
        assert journal.events(journal.matches()[-1])[0].names == ("Player 1", "Player 2")
        journal.start_match(STARTED.model_copy(update={"seats": 2}), ("Ada", "Player 2"))
        typed, default = journal.events(journal.matches()[-1])[0].names
        assert not isinstance(typed, LazyText) and isinstance(default, LazyText), "shown in the screen's language"
        assert all(len(key) == 64 for key in journal.players())


# -------- any sequence of events


values = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(st.characters(codec="utf-8"), max_size=8)
words = st.text(st.characters(codec="utf-8"), max_size=8)
starts = st.builds(
    MatchStarted,
    game=words, rules_version=st.integers(1, 9), seats=st.just(2), options=st.dictionaries(words, values, max_size=2),
    house_rules=st.builds(HouseRules, window_ms=st.integers(50, 2000)), seed=st.integers(0, 2**40), camera=words,
)  # fmt: skip
bodies = (
    st.builds(Answered, prompt=words, answers=st.dictionaries(st.integers(0, 3), values), secret=st.booleans())
    | st.builds(DisputeRejected, round=st.integers(1, 99), text=words)
    | st.just(ENDED)
)
pieces = st.dictionaries(st.sampled_from(["a.jpg", "b-1.svg", "c.jpg"]), st.binary(max_size=300), max_size=2)


BLANKED: dict[str, dict[str, object]] = {MatchStarted.kind: {"players": {}}, Answered.kind: {"evidence": {}}}
"""What the journal adds to an event."""


class JournalMachine(RuleBasedStateMachine):
    """A box that plays and restarts; its journal is also copied during play, as after a power cut."""

    folder: Path
    number = itertools.count()

    @initialize()
    def begin(self) -> None:
        self.home = self.folder / str(next(JournalMachine.number))
        self.home.mkdir()
        self.path = self.home / "evening.journal"
        self.journal = Journal(self.path)
        self.written: list[tuple[int, Body, dict[str, bytes]]] = []
        self.matches: list[int] = []

    @rule(body=starts)
    def begin_match(self, body: MatchStarted) -> None:
        number = self.journal.start_match(body, NAMES)
        assert number == len(self.written) + 1
        self.matches.append(number)
        self.written.append((number, body, {}))

    @precondition(lambda self: self.matches)
    @rule(data=st.data(), body=bodies, evidence=pieces)
    def append(self, data: st.DataObject, body: Body, evidence: dict[str, bytes]) -> None:
        match = data.draw(st.sampled_from(self.matches))
        kept = evidence if body.kind == Answered.kind else {}
        self.journal.append(match, body, [Evidence(name, "image/jpeg", one) for name, one in kept.items()])
        self.written.append((match, body, kept))

    @rule()
    def restart(self) -> None:
        self.journal.close()
        assert names_in(self.home) == ["evening.journal"]
        self.journal = Journal(self.path)

    @rule()
    def cut_the_power(self) -> None:
        there = self.home.with_name(self.home.name + "-cut")
        there.mkdir()
        for ending in ("", "-wal"):
            if sibling(self.path, ending).exists():
                shutil.copy(sibling(self.path, ending), there)
        before = contents(there)
        assert chain_problems(there / "evening.journal") == []
        left = {name: data for name, data in before.items() if data}
        assert without_shm(there) == left, "an empty log is taken away"
        with Journal(there / "evening.journal") as journal:
            assert self._same(journal)
        shutil.rmtree(there)

    @invariant()
    def all_events_are_there(self) -> None:
        if hasattr(self, "journal"):
            assert self._same(self.journal)

    def _same(self, journal: JournalReader) -> bool:
        events = journal.events()
        evidence = [{one.name: one.data for one in journal.evidence(event.number)} for event in events]
        bodies = [event.body.model_copy(update=BLANKED.get(event.kind, {})) for event in events]
        there = [(e.match, body, kept) for e, body, kept in zip(events, bodies, evidence, strict=True)]
        return there == self.written

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            self.journal.close()
            assert chain_problems(self.path) == []
            shutil.rmtree(self.home)


def test_any_sequence_of_events_is_read_as_written(tmp_path: Path) -> None:
    class Here(JournalMachine):
        folder = tmp_path

    Here.TestCase.settings = settings(
        max_examples=20, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
    )
    Here.TestCase("runTest").runTest()
