"""A display for a box without a screen, answered by the seats' buttons alone. Pages are drawn off screen, so that
buttons work as they do with a screen."""

import queue
from collections.abc import Callable, Sequence
from dataclasses import replace

import pygame
from typing_extensions import override

from device.camera.frames import Size
from device.gpio.buttons import ButtonEvent
from device.gpio.lights import Lights
from device.system.clock import Clock
from ui.screen.core.display import Display
from ui.screen.core.light_signals import LightController
from ui.screen.core.registry import draw
from ui.screen.core.scene import WindowScene
from ui.screen.drawing.canvas import Target
from ui.screen.input import SETTLE_TIME_NS, Focus, handle_button, settle_time_ns
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.question import HandOverPage
from ui.screen.views import Answer, Dialogue, InteractiveView, Reply, View

OFFSCREEN_SIZE: Size = (800, 480)
POLL_INTERVAL_NS = 20_000_000
"""Time between two checks for button events: short enough for a light to blink as if at once."""


class ButtonOnlyDisplay(Display):
    """A display answered by button events, which may come from any thread. ``print_line`` gets lines for a terminal:
    the texts of each new page, unless they are one player's secret, and the label of the focused target. ``lights``
    follow the pages and blink for every event that counts."""

    def __init__(
        self, clock: Clock, print_line: Callable[[str], None] = lambda line: None, lights: Lights | None = None
    ) -> None:
        self._clock = clock
        self._print_line = print_line
        self._lights = LightController(lights)
        self._events: queue.SimpleQueue[ButtonEvent] = queue.SimpleQueue()
        self._surface = pygame.Surface(OFFSCREEN_SIZE, 0, 32)

    def handle_button(self, event: ButtonEvent) -> None:
        """Take an event of a seat's button. May be called from any thread."""
        self._events.put(event)

    @override
    def show(self, view: View) -> None:
        """Only the lights show it."""
        self._lights.show(view)

    @override
    def ask(self, view: InteractiveView) -> Answer:
        if isinstance(view, GroupQuestion):
            view = replace(view, one_clock=True)  # no screen goes from hand to hand
        dialogue = Dialogue(view)
        scene = WindowScene(view, self._clock.now_ns(), dialogue)
        focus, page_since_ns, last_input_ns = Focus(), scene.shown_ns, 0
        self._print_page(dialogue)
        while True:
            self._lights.show(dialogue.page)
            event = self._wait_for_event(scene, dialogue, last_input_ns)
            if isinstance(event, Reply):
                return event.value
            last_input_ns = event.when_ns
            if event.when_ns - scene.shown_ns < SETTLE_TIME_NS:
                continue
            settled = event.when_ns - page_since_ns >= settle_time_ns(dialogue.page)
            outcome = handle_button(dialogue.page, self._targets(dialogue), focus, event, settled=settled)
            if outcome.counted:
                self._lights.blink(event.seat)
            if isinstance(outcome.result, Reply):
                return outcome.result.value
            focus = outcome.focus
            if outcome.result is not None:
                page_key = dialogue.page.key
                dialogue.go_to(outcome.result)
                if page_key != dialogue.page.key:
                    focus, page_since_ns = Focus(), self._clock.now_ns()
                    self._print_page(dialogue)
            if (target := focus.find_target(self._targets(dialogue))) is not None:
                self._print_line(target.label)

    def _targets(self, dialogue: Dialogue) -> Sequence[Target]:
        """Return what the focus can be on: nothing where each seat's buttons answer for itself."""
        return () if isinstance(dialogue.page, GroupQuestionPage) else draw(self._surface, dialogue.page).targets

    def _wait_for_event(self, scene: WindowScene, dialogue: Dialogue, last_input_ns: int) -> ButtonEvent | Reply:
        """Wait for the next button event, or for the automatic reply; the last event was at ``last_input_ns``."""
        while True:
            try:
                return self._events.get_nowait()
            except queue.Empty:
                now = self._clock.now_ns()
            if (reply := scene.automatic_reply(now, last_input_ns)) is not None:
                return reply
            self._lights.show(dialogue.page)
            self._clock.wait_until(now + POLL_INTERVAL_NS)

    def _print_page(self, dialogue: Dialogue) -> None:
        page = dialogue.page
        own = page.own_page if isinstance(page, GroupQuestionPage) and page.view.prompt.is_private else None
        if own is not None and not isinstance(own, HandOverPage):
            return
        for text in draw(self._surface, page).texts:
            self._print_line(text.text)
