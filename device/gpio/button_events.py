"""All seats' buttons together: edges come from the pins' thread, looks from another, strokes go to whoever hears them.
What real pins and their simulated twin have in common.

An edge may come late, when the machine is busy, and the kernel may lose one. So what a look at the clock would conclude
("still down, so it is held": somebody folds) is concluded only at the look after it, ``LOOK_NS`` later, when edges of
before that are here; and a contact that is found otherwise than its last edge left it, twice in a row, has lost one.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from device.gpio.buttons import SeatStroke, Stroke, Which
from device.gpio.debounce import MS, Button, Holding

LOOK_NS = 10 * MS
"""Between two looks while any button is not at rest: the project's own choice."""
Key = tuple[int, Which]
Levels = Callable[[Key], bool]
"""Whether a button's contact is closed at this moment."""


@dataclass
class _Seen:
    """A button; since which look its contact is otherwise than its edges say; and whether it was told as stuck."""

    button: Button
    odd_ns: int | None = None
    told: bool = False


class Strokes:
    """The buttons ``closed`` (by seat and which, each with whether it is down at the start, ``now_ns``). ``heard`` and
    ``stuck`` are called from whatever thread finds out, one call at a time."""

    def __init__(
        self,
        closed: Mapping[Key, bool],
        now_ns: int,
        holding: Holding,
        heard: Callable[[SeatStroke], None],
        stuck: Callable[[Key], None],
    ) -> None:
        self._seen = {key: _Seen(Button.seen(key[1], holding, now_ns, down)) for key, down in closed.items()}
        self._looked_ns = now_ns
        self._heard, self._stuck = heard, stuck
        self._lock = threading.RLock()

    def edge(self, key: Key, when_ns: int, closed: bool) -> None:
        """A contact closed or opened."""
        with self._lock:
            seen = self._seen[key]
            seen.odd_ns = None
            self._tell(key, seen.button.edge(when_ns, closed))

    def look(self, now_ns: int, closed: Levels) -> bool:
        """What has become of the buttons by now. False when all are at rest: no look is needed before the next edge. A
        look too soon after another is none."""
        with self._lock:
            if now_ns - self._looked_ns < LOOK_NS:
                return True
            busy = [item for item in self._seen.items() if not item[1].button.at_rest(self._looked_ns)]
            for key, seen in busy:
                self._look(key, seen, closed(key))
            self._looked_ns = now_ns
            return bool(busy)

    def _look(self, key: Key, seen: _Seen, closed: bool) -> None:
        button = seen.button
        if closed == button.closed:
            seen.odd_ns = None
            self._tell(key, button.until(self._looked_ns))
        elif seen.odd_ns is None:
            seen.odd_ns = self._looked_ns
        else:
            # Dated as early as it may have been: what was up a while ago was not held since.
            self._tell(key, button.edge(seen.odd_ns, closed))
            seen.odd_ns = None
        if button.stuck and not seen.told:
            self._stuck(key)
        seen.told = button.stuck

    def _tell(self, key: Key, strokes: Iterable[tuple[Stroke, int]]) -> None:
        for stroke, when_ns in strokes:
            self._heard(SeatStroke(key[0], stroke, when_ns))
