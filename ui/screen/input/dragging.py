"""Dragging with fingers or the mouse."""

from collections.abc import Sequence

import pygame

from ui.screen.pages.zones import ScreenPoint, ZoneDrag, ZonesPage, start_drag
from ui.screen.views import ImageGrip

MOVE_EVENTS = (pygame.FINGERMOTION, pygame.MOUSEMOTION)


class Dragging:
    """The zones that fingers drag, by the finger's number."""

    def __init__(self) -> None:
        self._drags: dict[int, ZoneDrag] = {}

    def begin(self, finger: int, page: ZonesPage, grip: ImageGrip, at: ScreenPoint) -> ZonesPage:
        """Put a finger down at ``at``. Return the page, on which it may have taken hold of a zone."""
        drag = start_drag(page, grip, at)
        if drag is not None:
            self._drags[finger] = drag
        return self.move(finger, page, at)

    def move(self, finger: int, page: ZonesPage, at: ScreenPoint) -> ZonesPage:
        """Move a finger to ``at``. Return the page, changed if the finger drags something."""
        drag = self._drags.get(finger)
        return page if drag is None else drag.moved_to(page, at)

    def end(self, finger: int) -> bool:
        """Lift a finger. Return whether it dragged something."""
        return self._drags.pop(finger, None) is not None

    def clear(self) -> None:
        """Lift all fingers, for a new page."""
        self._drags.clear()


def drop_repeated_moves(events: Sequence[pygame.event.Event]) -> list[pygame.event.Event]:
    """Return ``events`` without the movements that are directly followed by another of the same finger: a touchscreen
    may send more than there is time to draw."""
    kept: list[pygame.event.Event] = []
    for event in events:
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.type == event.type
            and event.type in MOVE_EVENTS
            and getattr(before, "finger_id", None) == getattr(event, "finger_id", None)
        ):
            kept.pop()
        kept.append(event)
    return kept
