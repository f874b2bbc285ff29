"""Nobody gets stuck: people who touch at random play any game, with two to eight players, on both panels. Every page
fits, leads on and back home, tells nobody's secret, and what is in the journal stays there.

``TOUCH_SEEDS="0 300"`` tries these seeds instead of the first two."""

import os
import random
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from rules.record.tournament import TournamentStarted
from rules.tournaments.fixture import Format
from tests.helpers.panels import PANELS
from tests.helpers.touching_people import TouchingPeople
from throwlock.home import GameSession
from throwlock.journal.journal import Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.replay.tournaments import read_tournament
from throwlock.review.verify import verify
from throwlock.table_setup.cameras import CameraKind
from ui.screen.core.display import WindowClosedError
from ui.screen.drawing.canvas import Target
from ui.screen.pages.history import HistoryList
from ui.screen.pages.home import ToolsPage
from ui.screen.views import Reply, View

SEEDS = range(*map(int, os.environ.get("TOUCH_SEEDS", "0 2").split()))
TOUCHES = 40
"""The touches of each run, not counting those that lead home at its end."""
pytestmark = pytest.mark.usefixtures("offline_box")


@pytest.mark.parametrize("seed", SEEDS)
def test_people_who_touch_at_random_lose_nothing_and_get_home(seed: int, tmp_path: Path) -> None:
    journal, clock, rng = tmp_path / "one.journal", SimulatedClock(), random.Random(seed)
    people = TouchingPeople(rng, rng.choice(PANELS), clock, journal, TOUCHES)
    session = GameSession(LaunchOptions(journal, CameraKind.NONE), people, runner_on(people, clock), (), seed)
    with pytest.raises(WindowClosedError):
        session.run(None)
    people.check_journal()
    assert people.bad_pages == {}
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()


class TournamentFans(TouchingPeople):
    """People who like the tournaments best of all on the home page, and their matches least."""

    def weight(self, page: View, target: Target) -> float:
        if isinstance(target.press, ToolsPage):
            return 100.0
        if isinstance(page, ToolsPage) and isinstance(target.press, Reply) and target.press.value == "tournament":
            return 100.0
        if isinstance(page, HistoryList) and isinstance(target.press, Reply) and target.press.value == "home":
            return 0.2
        return super().weight(page, target)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_touches_in_tournaments_get_home(seed: int, tmp_path: Path) -> None:
    journal, clock, rng = tmp_path / "one.journal", SimulatedClock(), random.Random(seed)
    with Journal(journal) as opened:
        for form in Format:
            names = ("Ada", "Ben", "Cy", "Dora", "Emil")
            table = 3 if form is Format.TABLES else 2
            opened.start_tournament(
                TournamentStarted(game="classic", options={"best_of": 1}, format=form, table_size=table), names
            )
    people = TournamentFans(rng, rng.choice(PANELS), clock, journal, 4 * TOUCHES)
    session = GameSession(LaunchOptions(journal, CameraKind.NONE), people, runner_on(people, clock), (), seed)
    with pytest.raises(WindowClosedError):
        session.run(None)
    people.check_journal()
    assert people.bad_pages == {}
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()
        for number in reader.tournaments():
            read_tournament(reader, number)
