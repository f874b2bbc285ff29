"""How many touches lead a newcomer from power-on of a box that nobody has set up to the first round won, through every
step of the first start, at the simulated table."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from device.simulated.host import SimulatedHost
from device.system.clock import SimulatedClock
from tests.helpers.panels import Panel, each_panel
from tests.helpers.touching_people import TouchingPeople
from throwlock import box_setup
from throwlock.home import GameSession
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.table_setup.cameras import CameraKind
from ui.screen.core.display import WindowClosedError
from ui.screen.core.scene import WindowScene
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages.box_setup import CityPage, RegionPage, WifiPage
from ui.screen.pages.home import GamesPage
from ui.screen.pages.notice import MAX_NOTICE_CHOICES, Notice
from ui.screen.pages.practice import CommitmentReveal
from ui.screen.pages.settings import LanguageChoice
from ui.screen.pages.zones import ZonesPage
from ui.screen.views import InteractiveView, View

ROUND_TOUCHES = 2
SET_UP_TOUCHES = 16
"""From the language to the first count."""

WANTED: dict[type[View], str] = {LanguageChoice: "English", RegionPage: "Europe", CityPage: "Berlin", WifiPage: "Back"}
"""What they touch on pages without a main button that leads on."""


@dataclass
class Newcomers(TouchingPeople):
    """People who set up everything they are offered, practise, and stop when they have won a round."""

    rounds: int = 0
    won: bool = False

    def ask(self, view: InteractiveView) -> Any:
        if isinstance(view, CommitmentReveal):
            self.rounds += 1
            self.won = view.score.won > 0
            if self.won:
                raise WindowClosedError("the first round is won")
        return super().ask(view)

    @property
    def _goes_home(self) -> bool:
        return False

    def _raise_if_paused(self) -> None:
        """Nobody pauses."""

    def _quiet_steps(self, scene: WindowScene) -> list[float]:
        return [1.0]

    def choose(self, page: View, canvas: Canvas) -> Target:
        assert not isinstance(page, GamesPage), "the first start has led to no round"
        label = self._wanted_label(page)
        if label is None:
            return next(target for target in canvas.targets if target.main)
        return next(target for target in canvas.targets if target.label == label)

    def _wanted_label(self, page: View) -> str | None:
        """Return what they touch where the page's main button is not what they want."""
        if isinstance(page, Notice) and len(page.choices) > MAX_NOTICE_CHOICES:
            return "2"
        if isinstance(page, ZonesPage) and not any("ZonesPage" in touch for touch in self.touched):
            return "Hold out hands"
        return WANTED.get(type(page))


@each_panel
@pytest.mark.slow
@pytest.mark.usefixtures("offline_box")
def test_newcomers_win_their_first_round(panel: Panel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_setup, "find_cameras", dict)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THROWLOCK_SETTINGS", "throwlock.toml")  # a short path, as the box's
    journal, clock = tmp_path / "one.journal", SimulatedClock()
    people = Newcomers(random.Random(1), panel, clock, journal, 0)
    options = LaunchOptions(journal, CameraKind.SIMULATED)
    with pytest.raises(WindowClosedError):
        GameSession(options, people, runner_on(people, clock), (), 0, SimulatedHost()).run(None)
    assert people.won
    touches = [touch for touch in people.touched if not touch.endswith(" s)")]
    assert len(touches) == SET_UP_TOUCHES + ROUND_TOUCHES * (people.rounds - 1), touches
    assert people.bad_pages == {}
