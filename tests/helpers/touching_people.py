"""People who only touch: a display that draws every page, checks it, and touches targets at random in virtual time.
After some touches they want to go back to the home page, which a few sensible touches have to reach from anywhere."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pygame

from device.system.clock import SimulatedClock
from rules.engine import Choices, Prompt, Value
from tests.helpers.page_rules import check
from tests.helpers.panels import Panel, is_too_small
from throwlock.journal.events import Answered, Corrected
from throwlock.journal.file import is_new
from throwlock.journal.journal import Event, JournalReader
from throwlock.replay.answers import effective_answers
from ui.screen.core.display import PauseRequestedError, WindowClosedError
from ui.screen.core.registry import draw
from ui.screen.core.scene import WindowScene
from ui.screen.drawing.canvas import Canvas, Target, target_at
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.calculator import CalculatorPage
from ui.screen.pages.common import UNDO_ANSWER
from ui.screen.pages.dispute import AgreedCorrection
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.home import IDLE_ANSWER, GamesPage, SetUpPage
from ui.screen.pages.pause import PauseChoice, PausePage
from ui.screen.pages.question import SEEN_REPLY, HandOverPage
from ui.screen.views import PAUSE, Dialogue, InteractiveView, Reply, View

SENSIBLE_TOUCHES = 14
"""The most touches that lead to the home page from anywhere."""
STEP_S = 5.0
"""The longest step in which time passes while nobody touches anything."""
TAKES_BACK = (UNDO_ANSWER, PauseChoice.UNDO, PauseChoice.PLAYERS, PauseChoice.END_GAME)
"""The answers after which an answer in the journal may stop to count."""
HOMEWARD = (PauseChoice.LEAVE, "home", "back", "leave", "go on")
"""The answers that lead home, the best first."""


@dataclass
class TouchingPeople:
    """A display on ``panel`` before which people touch ``touches`` random targets, go home now and then, and close the
    window at the home page. Everything in ``journal`` has to stay there."""

    rng: random.Random
    panel: Panel
    clock: SimulatedClock
    journal: Path
    touches: int
    touched: list[str] = field(default_factory=list)
    """What was on the screen at each touch, and the label of what was touched."""
    bad_pages: dict[str, str] = field(default_factory=dict)
    """What can't be read or touched, by page."""
    _until_home: int = 0
    _homeward: int = 0
    _pauses: bool = False
    _last_input_ns: int = 0
    _events: list[Event] = field(default_factory=list)
    _may_take_back: bool = False
    _answered: Mapping[int, Value] | None = None

    def __post_init__(self) -> None:
        self._until_home = self.rng.randrange(10, 100)

    def show(self, view: View) -> None:
        """See Display."""
        self._raise_if_paused()
        self.check_journal()
        canvas = self._draw(view)
        if any(target.press == PAUSE for target in canvas.targets):
            self._pauses = self.rng.random() < (0.3 if self._goes_home else 0.02)

    def ask(self, view: InteractiveView) -> Any:
        """See Display."""
        self._raise_if_paused()
        self.check_journal()
        scene = WindowScene(view, self.clock.now_ns(), Dialogue(view))
        reply = None
        while reply is None:
            reply = self.take_turn(scene)
        answer = reply.value
        self._may_take_back |= answer in TAKES_BACK or isinstance(answer, AgreedCorrection)
        if isinstance(view, GroupQuestion) and isinstance(answer, Mapping) and SEEN_REPLY not in answer.values():
            self._answered = answer
        return answer

    @property
    def _goes_home(self) -> bool:
        return self._until_home <= 0

    def _raise_if_paused(self) -> None:
        if self._pauses:
            self._pauses = False
            self.touched.append("(count): Pause")
            raise PauseRequestedError("people paused")

    def take_turn(self, scene: WindowScene) -> Reply | None:
        """Let some time pass, and then touch what is on the screen. Return the reply if that led to one."""
        for seconds in self._quiet_steps(scene):
            self.clock.wait_until(self.clock.now_ns() + round(seconds * 1e9))
            now = self.clock.now_ns()
            reply = scene.automatic_reply(now, self._last_input_ns)
            if reply is None and scene.is_idle(self._last_input_ns, now):
                reply = Reply(IDLE_ANSWER)
            if reply is not None:
                self.touched.append(f"{type(scene.view).__name__}: ({seconds:.1f} s)")
                return reply
        page = scene.page_at(self.clock.now_ns())
        canvas = self._draw(page)
        self._check_secrets(page)
        if isinstance(page, AttractMode):
            self._last_input_ns = self.clock.now_ns()
            return Reply("home")
        assert canvas.targets, f"nothing to touch: {page}"
        name = type(page.page_to_draw).__name__
        if isinstance(page, GamesPage) and not page.view.can_go_back and self._goes_home:
            if self.touches <= 0:
                raise WindowClosedError("all went home")
            self._until_home, self._homeward = self.rng.randrange(10, 100), 0
        target = self.choose(page.page_to_draw, canvas)
        self.touched.append(f"{name}: {target.label}")
        self.touches, self._until_home = self.touches - 1, self._until_home - 1
        if self._goes_home:
            self._homeward += 1
            assert self._homeward <= SENSIBLE_TOUCHES, f"no way home: {self.touched[-SENSIBLE_TOUCHES:]}"
        self._last_input_ns = self.clock.now_ns()
        assert scene.dialogue is not None
        return scene.dialogue.press(target.press)

    def _quiet_steps(self, scene: WindowScene) -> list[float]:
        """Return the seconds that pass before the next touch, in steps."""
        if self._goes_home or self.rng.random() < 0.97:
            return [self.rng.uniform(0.3, 3.0)]
        return [STEP_S] * self.rng.choice((2, 8, 20, 80))

    def choose(self, page: View, canvas: Canvas) -> Target:
        """Return the target to touch, where a finger finds it."""
        weigh = self._homeward_weight if self._goes_home else self.weight
        targets = [target for target in canvas.targets if target.grip is None]
        wanted = self.rng.choices(targets, [weigh(page, target) for target in targets])[0]
        found = target_at(canvas.targets, wanted.rect.center)
        assert found is not None
        return found

    def weight(self, page: View, target: Target) -> float:
        """Return how likely people touch a target for no reason."""
        press = target.press
        if press == PAUSE:
            return 0.3
        if isinstance(page, GamesPage):
            return 4.0 if isinstance(press, SetUpPage) else 0.5
        if isinstance(press, Reply) and press.value in (PauseChoice.LEAVE, PauseChoice.GIVE_UP, PauseChoice.RESTART):
            return 0.4
        return 4.0 if target.main else 0.5 if target.leads_back else 1.0

    @staticmethod
    def _homeward_weight(page: View, target: Target) -> float:
        """Return how likely people touch a target who want to leave; of the likeliest, only one is touched."""
        press = target.press
        value = press.value if isinstance(press, Reply) else None
        if isinstance(page, PausePage):
            is_way = value == PauseChoice.LEAVE or (isinstance(press, PausePage) and press.confirms == "leave")
            return 1e9 if is_way else 1.0 if target.leads_back else 1e-9
        if target.leads_back:
            return 1e6
        if value in HOMEWARD:
            return 1e4 / (1 + HOMEWARD.index(value))
        return 1e3 if press == PAUSE else 1.0 if target.main else 1e-3

    def _draw(self, view: View) -> Canvas:
        """Draw a page, and note what of it can't be read or touched."""
        canvas = draw(pygame.Surface(self.panel.size, 0, 32), view)
        moves = getattr(view, "shown_s", math.inf) < view.animation_s < math.inf
        sized = () if moves or isinstance(view, CalculatorPage) else canvas.texts
        small = [text for text in sized if text.text.strip() and is_too_small(text, self.panel)]
        try:
            check(canvas)
            assert not small, f"too small: {small}"
        except AssertionError as error:
            self.bad_pages.setdefault(type(view.page_to_draw).__name__, str(error).partition("\n")[0])
        return canvas

    def _check_secrets(self, page: View) -> None:
        """Check that a page which everybody may see does not depend on what was answered."""
        if not (isinstance(page, GroupQuestionPage) and page.view.prompt.is_private and page.answers and page.waiting):
            return
        if page.own_page is not None and not isinstance(page.own_page, HandOverPage):
            return
        others = {seat: other_value(page.view.prompt, seat, value) for seat, value in page.answers.items()}
        pictures = [pygame.Surface(self.panel.size, 0, 32) for _ in range(2)]
        for picture, drawn in zip(pictures, (page, replace(page, answers=others)), strict=True):
            draw(picture, drawn)
        assert pictures[0].get_buffer().raw == pictures[1].get_buffer().raw, f"the page tells an answer: {page}"

    def check_journal(self) -> None:
        """Check that nothing in the journal has changed, that what was answered is in it, and that every answer counts
        unless people took one back."""
        if is_new(self.journal):
            return
        with JournalReader(self.journal) as reader:
            events = reader.events()
        before, self._events = self._events, events
        assert [event.hash for event in events[: len(before)]] == [event.hash for event in before]
        added = events[len(before) :]
        if self._answered is not None:
            answers = [event.body.answers for event in added if isinstance(event.body, Answered)]
            assert any(self._answered.items() <= one.items() for one in answers), f"{self._answered} is not in {added}"
            self._answered = None
        taken_back = [event for event in added if isinstance(event.body, Corrected)]
        assert self._may_take_back or not taken_back, taken_back
        self._may_take_back = False
        if added and not taken_back:
            match = added[-1].match
            old, new = (effective_answers([event for event in one if event.match == match]) for one in (before, events))
            assert old.items() <= new.items()


def other_value(prompt: Prompt, seat: int, value: Value) -> Value:
    """Return another answer that a seat might have given, if there is one."""
    allowed = prompt.seats[seat]
    values: Sequence[Value] = allowed.values if isinstance(allowed, Choices) else (allowed.start, allowed.stop)
    return next((one for one in values if one != value), value)
