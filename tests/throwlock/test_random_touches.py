"""Nobody gets stuck: people who touch at random play any game, with two to eight players, on both panels. Every page
fits, leads on and back home, tells nobody's secret, and what is in the journal stays there.

``TOUCH_SEEDS="0 300"`` tries these seeds instead of the first two."""

import os
import random
from pathlib import Path

import pytest
from touching_people import TouchingPeople

from device.system.clock import SimulatedClock
from tests.ui.screen.test_sizes import PANELS
from throwlock.home import GameSession
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.review.verify import verify
from throwlock.table_setup.cameras import NO_CAMERA
from ui.screen.core.display import WindowClosedError

SEEDS = range(*map(int, os.environ.get("TOUCH_SEEDS", "0 2").split()))
TOUCHES = 40
"""The touches of each run, not counting those that lead home at its end."""
pytestmark = pytest.mark.usefixtures("offline_box")


@pytest.mark.parametrize("seed", SEEDS)
def test_people_who_touch_at_random_lose_nothing_and_get_home(seed: int, tmp_path: Path) -> None:
    journal, clock, rng = tmp_path / "one.journal", SimulatedClock(), random.Random(seed)
    people = TouchingPeople(rng, rng.choice(PANELS), clock, journal, TOUCHES)
    session = GameSession(LaunchOptions(journal, NO_CAMERA), people, runner_on(people, clock), (), seed)
    with pytest.raises(WindowClosedError):
        session.run(None)
    people.check_journal()
    assert people.bad_pages == {}
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()
