"""Tournaments by touch: from the home page to the champions, and the same next match after a power cut anywhere."""

import random
from pathlib import Path

import pytest
from tournament_people import TournamentPeople

from device.system.clock import SimulatedClock
from tests.ui.screen.test_sizes import PANELS, Panel
from throwlock.home import GameSession
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.replay.tournaments import newest_tournament
from throwlock.review.verify import verify
from throwlock.table_setup.cameras import NO_CAMERA
from ui.screen.core.display import WindowClosedError

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
