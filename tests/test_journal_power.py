"""The plug is pulled: a real match's log cut and garbled anywhere, pages that turn bad, a process killed at every event of
every game. What was shown is there afterwards, or the box says what is lost and goes on in a new journal."""

import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import contents
from test_match import NAMES, billed, history, play, sit_down

from referee.journal import Event, Evidence, Journal, JournalFault, JournalReader
from referee.journal_chain import Lost
from referee.journal_file import PARTS, Damaged, beside
from referee.journal_newest import ENDING, SLOT, newest
from referee.safekeeping import carry_on
from referee.verify import verify
from rules.catalogue import GAMES, find
from rules.script import Game
from ui.screen.views import Notice

STEP = 256
CLASSIC = find("classic").set_up(2, {"best_of": 3})
SHORT: dict[str, Game] = {
    "classic": CLASSIC,
    "redeux": find("redeux").set_up(2, {"risk": "always", "goal": 40}),
    "future": find("future").set_up(2),
    "battle": find("battle").set_up(3, {"rounds": 2}),
    "tr": find("tr").set_up(2),
    "board": find("board").set_up(2, {"quiet": 10}),
}


class Light(Journal):
    """A journal whose pictures are small, so that its log is short; ``copied`` is called after every event."""

    def append(self, match: int, kind: str, body: Any, evidence: Sequence[Evidence] = ()) -> Event:
        small = [Evidence(one.name, one.media_type, one.data[:300]) for one in evidence]
        return super().append(match, kind, body, small)


# -------- the log cut and garbled


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal as it stands when the plug is pulled near the end of a match that is the second in it."""
    home, there = tmp_path_factory.mktemp("match"), tmp_path_factory.mktemp("cut")
    path = home / "evening.journal"
    with Light(path) as journal:
        sit_down(journal, billed(CLASSIC))[0].play()
    with Light(path) as journal:
        match, display = sit_down(journal, billed(CLASSIC, seed=4))
        kept = display.show

        def show(view: Any) -> None:
            kept(view)
            for part in ("", "-wal", ENDING):
                shutil.copy(beside(path, part), there)

        display.show = show  # type: ignore[method-assign]
        match.play()
    return there / "evening.journal"


def shown(path: Path) -> list[Event]:
    with JournalReader(path) as journal:
        return journal.events()


def copied(path: Path, folder: Path) -> Path:
    folder.mkdir()
    for part in PARTS:
        if beside(path, part).exists():
            shutil.copy(beside(path, part), folder)
    return folder / path.name


def without_shm(folder: Path) -> dict[str, bytes | None]:
    """What stands in a folder, but for SQLite's map of the log, which it makes anew."""
    return {name: data for name, data in contents(folder).items() if not name.endswith("-shm")}


def is_lost(path: Path, written: list[Event]) -> bool:
    """Open what is left. Whether events are lost, which then was said, and nothing touched."""
    before = without_shm(path.parent)
    try:
        with Journal(path) as journal:
            assert journal.events() == written
        return False
    except Damaged as fault:
        assert ("event" in str(fault)) == isinstance(fault, Lost), fault
        assert without_shm(path.parent) == before
        return True


def check_goes_on(path: Path, written: list[Event]) -> None:
    """A new journal is begun, with what is left of the match, and all of the old one is kept."""
    before = without_shm(path.parent)
    aside = carry_on(path)
    kept = {name.replace(path.name, aside.name): data for name, data in before.items() if data}
    assert kept.items() <= contents(path.parent).items()
    with Journal(path) as journal:
        events = journal.events()
        last = [one.body for one in written if one.match == written[-1].match]
        assert [event.body for event in events[1:]] == last[1 : len(events)]
        assert verify(journal).faults == ()


@pytest.mark.parametrize("how", ["cut", "garbled"])
def test_a_log_spoilt_anywhere_is_whole_or_what_is_lost_is_said(cut_off: Path, tmp_path: Path, how: str) -> None:
    written = shown(cut_off)
    assert len(written) > 8 and newest(cut_off) == (written[-1].number, written[-1].hash)
    log = beside(cut_off, "-wal").read_bytes()
    lost = 0
    places = range(0, len(log), STEP)
    for place in places:
        path = copied(cut_off, tmp_path / str(place))
        part = bytes(byte ^ 0x5A for byte in log[place : place + STEP])
        beside(path, "-wal").write_bytes(log[:place] + (b"" if how == "cut" else part + log[place + STEP :]))
        if is_lost(path, written):
            lost += 1
            if lost % 16 == 1:  # each takes a while, and all are alike
                check_goes_on(path, written)
        shutil.rmtree(path.parent)
    assert len(places) > 300 and lost > len(places) * 0.9, "every frame of this log counts"


def test_whole_it_is_not_said_to_be_spoilt(cut_off: Path, tmp_path: Path) -> None:
    assert not is_lost(copied(cut_off, tmp_path / "whole"), shown(cut_off))
