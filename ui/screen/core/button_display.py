"""A display for a box without a screen: people answer with their seats' buttons alone. The pages are there all the
same, drawn where nobody sees them, so that a stroke means what it means before a screen."""

import queue
from collections.abc import Callable, Sequence

import pygame

from device.camera.frames import Size
from device.gpio.buttons import SeatStroke
from device.gpio.lights import Lights
from device.system.clock import Clock
from ui.screen.core.focus import SETTLE_NS, Focus, stroked
from ui.screen.core.light_signals import Followed
from ui.screen.core.page_stack import Asking, Dialogue
from ui.screen.core.scene import Scene
from ui.screen.drawing.canvas import Target
from ui.screen.drawing.registry import draw
from ui.screen.pages.ask.group_view import GatherPage
from ui.screen.pages.ask.view import BoardPage, EntryPage, Reply
from ui.screen.pages.views import Answer, View

SIZE: Size = (800, 480)
POLL_NS = 20_000_000
"""Between two looks whether a stroke came: soon enough for a light to blink as if at once."""


class Unseen:
    """Answers by strokes, which may come from any thread. ``tell`` takes lines for who follows on a terminal: what a
    page says when it opens, but never what is one player's own, and what the focus is on. ``lights`` follow the pages
    and blink for every stroke that counts."""

    def __init__(
        self, clock: Clock, tell: Callable[[str], None] = lambda line: None, lights: Lights | None = None
    ) -> None:
        self._clock = clock
        self._tell = tell
        self._followed = Followed(lights)
        self._heard: queue.SimpleQueue[SeatStroke] = queue.SimpleQueue()
        self._surface = pygame.Surface(SIZE, 0, 32)

    def stroke(self, stroke: SeatStroke) -> None:
        """A seat's button was pressed or held."""
        self._heard.put(stroke)

    def show(self, view: View) -> None:
        """See Display. The lights say what they say to it."""
        self._followed.follow(view)

    def ask(self, view: Asking) -> Answer:
        """See Display."""
        dialogue = Dialogue(view)
        scene = Scene(view, self._clock.now_ns(), dialogue)
        focus, turned_ns = Focus(), scene.since_ns
        self._say(dialogue)
        while True:
            self._followed.follow(dialogue.page)
            stroke = self._next(scene, dialogue)
            if isinstance(stroke, Reply):
                return stroke.value
            if stroke.when_ns - scene.since_ns < SETTLE_NS:
                continue
            settled = stroke.when_ns - turned_ns >= SETTLE_NS
            came = stroked(dialogue.page, self._targets(dialogue), focus, stroke, settled=settled)
            if came.counted:
                self._followed.struck(stroke.seat)
            if isinstance(came.after, Reply):
                return came.after.value
            focus = came.focus
            if came.after is not None:
                face = dialogue.face
                dialogue.turn(came.after)
                if face != dialogue.face:
                    focus, turned_ns = Focus(), self._clock.now_ns()
                    self._say(dialogue)
            on = focus.target(self._targets(dialogue))
            if on is not None:
                self._tell(on.label)

    def _targets(self, dialogue: Dialogue) -> Sequence[Target]:
        """What the focus can be on: nothing where every seat has strokes of its own."""
        return () if isinstance(dialogue.page, GatherPage) else draw(self._surface, dialogue.page).targets

    def _next(self, scene: Scene, dialogue: Dialogue) -> SeatStroke | Reply:
        """The next stroke; the reply once time has run out, or a camera saw the rest."""
        while True:
            try:
                return self._heard.get_nowait()
            except queue.Empty:
                now = self._clock.now_ns()
            if (reply := scene.due(now)) is not None:
                return reply
            self._followed.follow(dialogue.page)
            self._clock.wait_until(now + POLL_NS)

    def _say(self, dialogue: Dialogue) -> None:
        page = dialogue.page
        if isinstance(page, GatherPage) and page.view.private and isinstance(page.own, EntryPage | BoardPage):
            return
        for text in draw(self._surface, page).texts:
            self._tell(text.text)
