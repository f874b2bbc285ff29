"""Fingers that drag on a screen: who has hold of what, and movements thinned to those that matter."""

from collections.abc import Sequence

import pygame

from ui.screen.core.page_stack import Page
from ui.screen.pages.zones.view import Drag, Grab, Shift, Spot, ZonesPage, take_hold

MOVES = (pygame.FINGERMOTION, pygame.MOUSEMOTION)


class Dragging:
    """What each finger on the screen drags, by the finger's number."""

    def __init__(self) -> None:
        self._drags: dict[int, Drag] = {}

    def begin(self, finger: int, page: Page, grab: Grab, at: Spot) -> Shift | None:
        """A finger comes down at ``at``. The press that it is, if it took hold of something."""
        drag = take_hold(page, grab, at) if isinstance(page, ZonesPage) else None
        if drag is None:
            return None
        self._drags[finger] = drag
        return drag.to(at)

    def move(self, finger: int, at: Spot) -> Shift | None:
        """A finger has moved to ``at``. The press that it is, if it drags something."""
        drag = self._drags.get(finger)
        return None if drag is None else drag.to(at)

    def end(self, finger: int) -> bool:
        """A finger was lifted. Returns whether it dragged something."""
        return self._drags.pop(finger, None) is not None

    def clear(self) -> None:
        """Everybody lets go: the page is another."""
        self._drags.clear()


def thinned(events: Sequence[pygame.event.Event]) -> list[pygame.event.Event]:
    """``events`` in order, without movements that another of the same finger follows at once: a touchscreen may send
    more of them than there is time to draw."""
    kept: list[pygame.event.Event] = []
    for event in events:
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.type == event.type
            and event.type in MOVES
            and getattr(before, "finger_id", None) == getattr(event, "finger_id", None)
        ):
            kept.pop()
        kept.append(event)
    return kept
