"""The views a window shows over time: the page at any moment, how long it stays unchanged, and the answer to it."""

import math
import queue
from dataclasses import dataclass, field

from ui.screen.core.display import WindowClosedError
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.home import GameMenu
from ui.screen.pages.how_to_play import READING_S, HowToPlayPage
from ui.screen.views import Answer, Dialogue, InteractiveView, Reply, View

FRAME_INTERVAL_S = 1 / 60
"""Between two frames while something moves or a live image is shown."""
COUNTDOWN_INTERVAL_S = 0.05
"""Between two updates of a countdown, which is shown in tenths of a second."""
IDLE_INTERVAL_S = 0.5
"""Sleep while nothing moves; a new view or a touch ends it at once."""


@dataclass(eq=False)
class WindowScene:
    """A view on the screen and, if people answer it, its dialogue and the queue for their reply."""

    view: View
    shown_ns: int
    """Since when the view is shown."""
    dialogue: Dialogue | None = None
    reply: "queue.SimpleQueue[Answer | WindowClosedError]" = field(default_factory=queue.SimpleQueue)
    answered: bool = False
    _passed_ns: int = field(init=False)
    _seen_ns: int = field(init=False)

    def __post_init__(self) -> None:
        self._passed_ns = self._seen_ns = self.shown_ns

    def page_at(self, now_ns: int) -> View:
        """Return what to draw at ``now_ns``, with animations, countdowns and live images up to date."""
        page = self.view
        if self.dialogue is not None:
            left = self.seconds_left(now_ns)
            if left is not None:
                self.dialogue.page = self.dialogue.page.with_seconds_left(left)
            page = self.dialogue.page
        return page.at_time(self._elapsed_s(now_ns))

    def seconds_left(self, now_ns: int) -> float | None:
        """Return the seconds left to answer, rounded up to tenths; ``None`` without a limit."""
        limit = self.view.seconds_left if isinstance(self.view, InteractiveView) else None
        return None if limit is None else max(0.0, math.ceil(limit * 10 - (now_ns - self.shown_ns) / 1e8) / 10)

    def automatic_reply(self, now_ns: int, last_input_ns: int = 0) -> Reply | None:
        """Return the reply that needs no touch: because time has run out, because a camera or a phone has
        answered, or because nobody is there: the last input was at ``last_input_ns``."""
        if self.dialogue is None or self.answered:
            return None
        if self.seconds_left(now_ns) == 0.0:
            return self.dialogue.page.timeout_reply()
        before = self.dialogue.page
        reply = self.dialogue.go_to(before.poll())
        if reply is not None:
            return reply
        if before.is_polled and self.dialogue.page != before:
            self._seen_ns = now_ns
        passed_ns, self._passed_ns = now_ns - self._passed_ns, now_ns
        quiet_ns = now_ns - max(self.shown_ns, self._seen_ns, last_input_ns)
        return self.dialogue.go_to(self.dialogue.page.pass_time(passed_ns / 1e9, quiet_ns / 1e9))

    @property
    def may_go_dark(self) -> bool:
        """Whether nobody plays and no time runs."""
        limit = self.view.seconds_left if isinstance(self.view, InteractiveView) else None
        return self.view.is_idle and limit is None

    def is_idle(self, last_input_ns: int, now_ns: int) -> bool:
        """Return whether this is a game menu without input for its idle timeout, or for longer where people read."""
        if self.answered or not isinstance(self.view, GameMenu) or self.view.idle_timeout_s is None:
            return False
        reads = self.dialogue is not None and isinstance(self.dialogue.page, HowToPlayPage)
        return now_ns - last_input_ns >= (READING_S if reads else self.view.idle_timeout_s) * 1e9

    def unchanged_s(self, now_ns: int) -> float:
        """Return for how many seconds the image is sure to stay the same."""
        page = self.view if self.dialogue is None else self.dialogue.page
        if page.animation_s and self._elapsed_s(now_ns) <= page.animation_s:
            return min(IDLE_INTERVAL_S, max(FRAME_INTERVAL_S, page.still_s(self._elapsed_s(now_ns))))
        current = None if self.dialogue is None else self.dialogue.page
        moves = current is not None and (current.is_polled or current.time_runs)
        waits = not self.answered and (moves or self.seconds_left(now_ns) is not None)
        return COUNTDOWN_INTERVAL_S if waits else IDLE_INTERVAL_S

    def _elapsed_s(self, now_ns: int) -> float:
        return (now_ns - self.shown_ns) / 1e9


def is_same_beat(before: Countdown, after: Countdown) -> bool:
    """Return whether only the live image differs between two views of a count."""
    old, new = ((view.title, view.words, view.beat, view.phase) for view in (before, after))
    return old == new
