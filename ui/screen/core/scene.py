"""What a window shows since a time: how it looks at any moment, how long it surely stays so, and where the people's
answer goes."""

import math
import queue
from dataclasses import dataclass, field, replace

from ui.screen.core.animation import Moves
from ui.screen.core.display import WindowClosedError
from ui.screen.core.page_stack import Dialogue, Page
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.history.view import Network
from ui.screen.pages.views import Answer, Cadence, Choosing, Ended, Gather, Question, Reveal, Told, View, Watching
from ui.screen.pages.zones.view import HoldingOut, ZonesPage

FRAME_S = 1 / 60
"""Between two pictures while something moves, and between two looks for a new live picture."""
COUNT_S = 0.05
"""Between two looks at a count-down, which is drawn ten times a second."""
IDLE_S = 0.5
"""How long to sleep when nothing moves; a new view or a touch ends the sleep at once."""


@dataclass(eq=False)
class Scene:
    """What is on the screen: a view since a time, and, if people are to answer it, their dialogue and where their
    reply goes."""

    view: View
    since_ns: int
    dialogue: Dialogue | None = None
    reply: "queue.SimpleQueue[Answer | WindowClosedError]" = field(default_factory=queue.SimpleQueue)
    done: bool = False

    def moment(self, now_ns: int) -> View | Page:
        """What to draw at ``now_ns``: what moves goes on by itself, a count-down counts."""
        page: View | Page = self.view
        if self.dialogue is not None:
            left = self.left(now_ns)
            if left is not None:
                self.dialogue.left(left)
            page = self.dialogue.page
        if isinstance(page, Moves):
            return page.after(self._passed_s(now_ns))
        if isinstance(page, Network):
            return replace(page, served=page.now())
        if isinstance(page, ZonesPage):
            return replace(page, shot=page.view.newest())
        if isinstance(page, HoldingOut):
            return replace(page, shot=page.newest())
        return page

    def left(self, now_ns: int) -> float | None:
        """Seconds left to answer in tenths, rounded up, if they are counted."""
        if isinstance(self.view, Question | Gather | Ended | Reveal | Told) and self.view.seconds_left is not None:
            return max(0.0, math.ceil(self.view.seconds_left * 10 - (now_ns - self.since_ns) / 1e8) / 10)
        return None

    def due(self, now_ns: int) -> Reply | None:
        """The reply that nobody gives: because time has run out, or because a camera saw it."""
        if self.dialogue is None or self.done:
            return None
        return self.dialogue.closed() if self.left(now_ns) == 0.0 else self.dialogue.looked()

    def left_alone(self, since_ns: int, now_ns: int) -> bool:
        """Whether this is a choice of games that nobody has touched for as long as it says, since ``since_ns``."""
        if self.done or not isinstance(self.view, Choosing) or self.view.idle_s is None:
            return False
        return now_ns - since_ns >= self.view.idle_s * 1e9

    def rest_s(self, now_ns: int) -> float:
        """How long the picture surely stays as it is, in seconds."""
        page = self.view if self.dialogue is None else self.dialogue.page
        if isinstance(page, HoldingOut | ZonesPage):
            return FRAME_S
        if isinstance(page, Moves) and self._passed_s(now_ns) <= page.moves_s:
            return FRAME_S
        if isinstance(self.view, Gather | Watching) and self.view.watched is not None and not self.done:
            return COUNT_S
        return COUNT_S if self.left(now_ns) is not None and not self.done else IDLE_S

    def _passed_s(self, now_ns: int) -> float:
        return (now_ns - self.since_ns) / 1e9


def same_beat(before: Cadence, after: Cadence) -> bool:
    """Whether ``after`` is the same beat of the same count, as when only its live picture is new."""
    one, other = ((view.title, view.words, view.beat, view.phase) for view in (before, after))
    return one == other
