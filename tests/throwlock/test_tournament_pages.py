"""Tournaments by touch: from the home page to the champions, and the same next match after a power cut anywhere."""

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from tournament_people import TournamentPeople

from device.system.clock import SimulatedClock
from rules.tournaments.events import Format
from tests.ui.screen.test_sizes import PANELS, Panel
from throwlock.home import GameSession
from throwlock.journal.events import MatchEnded, MatchStarted
from throwlock.journal.journal import Event, Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.replay.tournaments import newest_tournament
from throwlock.review.verify import verify
from throwlock.table_setup.cameras import NO_CAMERA
from ui.screen.core.display import WindowClosedError
from ui.screen.pages.history.view import HistoryList
from ui.screen.pages.home.view import GameMenu
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.tournament.view import TournamentView
from ui.screen.pages.views import InteractiveView

pytestmark = pytest.mark.usefixtures("offline_box")


def hold(people: TournamentPeople) -> None:
    session = GameSession(LaunchOptions(people.journal, NO_CAMERA), people, runner_on(people, people.clock), (), 0)
    with pytest.raises(WindowClosedError):
        session.run(None)
    assert people.bad_pages == {}


def new_people(journal: Path, panel: Panel = PANELS[0], **values: object) -> TournamentPeople:
    options = {"game": "classic", "options": {"best_of": 1}, **values}
    return TournamentPeople(random.Random(4), panel, SimulatedClock(), journal, 0, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel.size[0]}x{panel.size[1]}")
def test_a_tournament_is_held_by_touch_from_the_home_page_to_its_champion(panel: Panel, tmp_path: Path) -> None:
    people = new_people(tmp_path / "j", panel)
    hold(people)
    assert people.next_fixtures[0] == "K1.1" and people.next_fixtures[-1] == "K2.1"
    with JournalReader(tmp_path / "j") as reader:
        assert verify(reader).problems == ()
        record = newest_tournament(reader)
        assert record is not None and len(record.state.champions) == 1
        assert set(record.names) == set(people.players)
        assert len(reader.matches()) >= 3


def copy_at_every_event(journal: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the journal copied after every event, as it is on the disk then: what is left after a power cut."""

    def copying(name: str) -> None:
        method = getattr(Journal, name)

        def write(self: Journal, *values: object, **more: object) -> object:
            result = method(self, *values, **more)
            there = folder / str(self.number_and_hash()[0])
            there.mkdir()
            for path in journal.parent.glob(f"{journal.name}*"):
                shutil.copy(path, there / path.name)
            return result

        monkeypatch.setattr(Journal, name, write)

    for name in ("append", "start_match", "start_tournament", "enter_player"):
        copying(name)


def next_fixture(events: list[Event], after: int) -> str:
    """Return which fixture was played next after an event: the first whose match begins or ends after it."""
    fixtures = {
        event.number: event.body.tournament.fixture
        for event in events
        if isinstance(event.body, MatchStarted) and event.body.tournament
    }
    return next(
        (
            fixtures[event.match]
            for event in events
            if event.number > after and isinstance(event.body, MatchStarted | MatchEnded)
        ),
        "",
    )


class PeopleAfterPowerCut(TournamentPeople):
    """People who find out what the box offers after a power cut, and then leave."""

    found = ""
    """The fixture that the tournament's page offers next, or that was resumed."""
    asked = False
    """Whether the box asked at once whether to resume a match."""

    def ask(self, view: InteractiveView) -> Any:
        if isinstance(view, TournamentView):
            self.found = view.ready[0].id if view.ready else ""
            raise WindowClosedError("seen")
        if isinstance(view, Notice):
            self.asked = True
            return "go on"
        if isinstance(view, GameMenu):
            return "tournament"
        if isinstance(view, HistoryList):
            return view.lines[0].answer
        raise WindowClosedError("a match goes on")


def test_after_a_power_cut_at_any_event_the_same_match_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies, journal = tmp_path / "copies", tmp_path / "box" / "j"
    copies.mkdir()
    journal.parent.mkdir()
    with monkeypatch.context() as patched:
        copy_at_every_event(journal, copies, patched)
        hold(new_people(journal, format=Format.DOUBLE_KNOCKOUT, options={"best_of": 3}))
    with JournalReader(journal) as reader:
        events = reader.events()
        last = newest_tournament(reader)
    assert len(list(copies.iterdir())) == len(events) > 30
    resumed = 0
    for event in events:
        copy = copies / str(event.number) / "j"
        with JournalReader(copy) as reader:
            record = newest_tournament(reader)
        people = PeopleAfterPowerCut(random.Random(1), PANELS[0], SimulatedClock(), copy, 0)
        with pytest.raises(WindowClosedError):
            GameSession(LaunchOptions(copy, NO_CAMERA), people, runner_on(people, people.clock), (), 0).run(None)
        assert record is not None and last is not None
        assert (record.interrupted or people.found) == next_fixture(events, event.number), event
        assert people.asked == bool(record.interrupted)
        resumed += people.asked
    assert resumed >= 3
    assert record is not None and record.state.champions == last.state.champions != ()
