"""How many touches it takes people from the home page to their first bet, at the simulated table."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from device.system.clock import SimulatedClock
from tests.helpers.panels import Panel, each_panel
from tests.helpers.touching_people import TouchingPeople
from throwlock.home import GameSession
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.table_setup.cameras import CameraKind
from ui.screen.core.display import WindowClosedError
from ui.screen.core.scene import WindowScene
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.home import GamesPage, SetUpPage
from ui.screen.views import PAUSE, InteractiveView, Reply, View

MOST_TOUCHES, MOST_SECONDS = 5, 45.0
TOUCH_S = 5.0
"""Seconds in which people find what to touch, the first page's reading included."""


@dataclass
class PeopleWhoBet(TouchingPeople):
    """People who choose RPS Redeux with its Risk Rounds at once, and close the window after the first bet."""

    has_bet: bool = False

    def ask(self, view: InteractiveView) -> Any:
        if self.has_bet:
            raise WindowClosedError("the first bet is in")
        return super().ask(view)

    def _raise_if_paused(self) -> None:
        """Nobody pauses."""

    def _quiet_steps(self, scene: WindowScene) -> list[float]:
        return [TOUCH_S]

    def choose(self, page: View, canvas: Canvas) -> Target:
        targets = [target for target in canvas.targets if target.press != PAUSE and not target.leads_back]
        match page:
            case GamesPage():
                return next(
                    target
                    for target in targets
                    if isinstance(target.press, SetUpPage) and target.press.game.name == "redeux"
                )
            case SetUpPage():
                assert page.game.variation is not None
                return next(target for target in targets if target.label == page.game.variation.title)
        return next((target for target in targets if target.main), targets[0])

    def take_turn(self, scene: WindowScene) -> Reply | None:
        reply = super().take_turn(scene)
        if isinstance(scene.view, GroupQuestion) and scene.view.prompt.kind == "bet":
            assert scene.dialogue is not None
            if reply is not None or scene.dialogue.page.answers:  # type: ignore[attr-defined]
                self.has_bet = True
                raise WindowClosedError("the first bet is in")
        return reply


@each_panel
def test_first_bet_takes_five_touches(panel: Panel, tmp_path: Path) -> None:
    journal, clock = tmp_path / "one.journal", SimulatedClock()
    people = PeopleWhoBet(random.Random(1), panel, clock, journal, 0)
    session = GameSession(LaunchOptions(journal, CameraKind.SIMULATED), people, runner_on(people, clock), (), 0)
    with pytest.raises(WindowClosedError):
        session.run(None)
    assert people.has_bet
    touches = [touch for touch in people.touched if not touch.endswith(" s)")]
    assert len(touches) <= MOST_TOUCHES and clock.now_ns() <= MOST_SECONDS * 1e9, people.touched
    assert people.bad_pages == {}
