"""The views a window shows over time: the page at any moment, how long it stays unchanged, and the answer to it."""

import math
import queue
from dataclasses import dataclass, field, replace

from ui.screen.core.animation import Animated
from ui.screen.core.display import WindowClosedError
from ui.screen.core.page_stack import Dialogue, Page
from ui.screen.pages.answers import Answer, Reply
from ui.screen.pages.common.view import Question
from ui.screen.pages.countdown.view import Countdown
from ui.screen.pages.group_question.view import GroupQuestion
from ui.screen.pages.home.view import GameMenu
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.network.view import NetworkSwitch
from ui.screen.pages.printed_board.view import PrintedBoardQuestion
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.views import View
from ui.screen.pages.zones.view import ZoneDetection, ZonesPage

FRAME_INTERVAL_S = 1 / 60
"""Between two frames while something moves or a live image is shown."""
COUNTDOWN_INTERVAL_S = 0.05
"""Between two updates of a countdown, which is shown in tenths of a second."""
IDLE_INTERVAL_S = 0.5
"""Sleep while nothing moves; a new view or a touch ends it at once."""


@dataclass(eq=False)
class WindowScene:
    """A view on the screen since ``shown_ns`` and, if people answer it, its dialogue and the queue for their reply."""

    view: View
    shown_ns: int
    dialogue: Dialogue | None = None
    reply: "queue.SimpleQueue[Answer | WindowClosedError]" = field(default_factory=queue.SimpleQueue)
    answered: bool = False

    def page_at(self, now_ns: int) -> View | Page:
        """Return what to draw at ``now_ns``, with animations, countdowns and live images up to date."""
        page: View | Page = self.view
        if self.dialogue is not None:
            left = self.seconds_left(now_ns)
            if left is not None:
                self.dialogue.set_seconds_left(left)
            page = self.dialogue.page
        if isinstance(page, Animated):
            return page.at_time(self._elapsed_s(now_ns))
        if isinstance(page, NetworkSwitch):
            return replace(page, address=page.current())
        if isinstance(page, ZonesPage):
            return replace(page, image=page.view.latest_image())
        if isinstance(page, ZoneDetection):
            return replace(page, image=page.latest_image())
        return page

    def seconds_left(self, now_ns: int) -> float | None:
        """Return the seconds left to answer, rounded up to tenths; ``None`` without a limit."""
        if (
            isinstance(self.view, Question | GroupQuestion | MatchResult | Reveal | GameMessage)
            and self.view.seconds_left is not None
        ):
            return max(0.0, math.ceil(self.view.seconds_left * 10 - (now_ns - self.shown_ns) / 1e8) / 10)
        return None

    def automatic_reply(self, now_ns: int) -> Reply | None:
        """Return the reply that needs no touch: because time has run out, or because a camera saw the answer."""
        if self.dialogue is None or self.answered:
            return None
        return self.dialogue.timeout_reply() if self.seconds_left(now_ns) == 0.0 else self.dialogue.poll_camera()

    def is_idle(self, last_input_ns: int, now_ns: int) -> bool:
        """Return whether this is a game menu without input for its idle timeout."""
        if self.answered or not isinstance(self.view, GameMenu) or self.view.idle_timeout_s is None:
            return False
        return now_ns - last_input_ns >= self.view.idle_timeout_s * 1e9

    def unchanged_s(self, now_ns: int) -> float:
        """Return for how many seconds the image is sure to stay the same."""
        page = self.view if self.dialogue is None else self.dialogue.page
        if isinstance(page, ZoneDetection | ZonesPage):
            return FRAME_INTERVAL_S
        if isinstance(page, Animated) and self._elapsed_s(now_ns) <= page.animation_s:
            return FRAME_INTERVAL_S
        if (
            isinstance(self.view, GroupQuestion | PrintedBoardQuestion)
            and self.view.poll_camera is not None
            and not self.answered
        ):
            return COUNTDOWN_INTERVAL_S
        return COUNTDOWN_INTERVAL_S if self.seconds_left(now_ns) is not None and not self.answered else IDLE_INTERVAL_S

    def _elapsed_s(self, now_ns: int) -> float:
        return (now_ns - self.shown_ns) / 1e9


def is_same_beat(before: Countdown, after: Countdown) -> bool:
    """Return whether only the live image differs between two views of a count."""
    old, new = ((view.title, view.words, view.beat, view.phase) for view in (before, after))
    return old == new
