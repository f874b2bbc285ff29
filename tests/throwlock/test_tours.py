"""Each game is played from the home page to its winner by touch alone, without a camera: every page fits, can be read,
and tells nobody's secret."""

import random
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from rules.engine import Value
from tests.helpers.panels import PANELS, Panel
from tests.helpers.sensible_people import SensiblePeople
from tests.helpers.slow_params import slow
from throwlock.home import GameSession
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.replay.config import config_from_events
from throwlock.settings.model import save_settings
from throwlock.table_setup.cameras import CameraKind
from ui.screen.core.display import WindowClosedError

TOURS: tuple[tuple[str, int, dict[str, Value], str], ...] = (
    ("classic", 2, {}, "en"),
    ("classic", 5, {}, "fr"),
    ("classic", 8, {}, "de"),
    ("tr", 2, {"difficulty": 2, "rethrows": 2}, "de"),
    ("redeux", 2, {"risk": "always", "goal": 40}, "fr"),
    ("redeux", 5, {"risk": "always", "goal": 15, "play_with": "cards"}, "de"),
    ("redeux", 8, {"risk": "never"}, "de"),
    ("redeux", 8, {"risk": "always", "goal": 15}, "de"),
    ("redeux", 3, {"risk": "always", "goal": 15, "bets": "open"}, "en"),
)


@pytest.mark.parametrize(
    "panel",
    [PANELS[0], *slow(*PANELS[1:])],
    ids=lambda panel: f"{panel.size[0]}x{panel.size[1]}",
)
@pytest.mark.parametrize(("game", "seats", "options", "language"), TOURS)
def test_people_play_to_the_winner(
    game: str, seats: int, options: dict[str, Value], language: str, panel: Panel, tmp_path: Path, offline_box: Path
) -> None:
    save_settings(offline_box, {"screen.language": language})
    journal, clock = tmp_path / "one.journal", SimulatedClock()
    people = SensiblePeople(random.Random(seats), panel, clock, journal, 0, game=game, seats=seats, options=options)
    session = GameSession(LaunchOptions(journal, CameraKind.NONE), people, runner_on(people, clock), (), 0)
    with pytest.raises(WindowClosedError):
        session.run(None)
    assert people.has_won
    assert people.bad_pages == {}
    with JournalReader(journal) as reader:
        config = config_from_events(reader.events(1))
        assert (config.game.rules.name, config.game.setup.seats) == (game, seats)
        assert options.items() <= config.game.setup.options.items()
