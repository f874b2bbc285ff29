"""Dragging with fingers or the mouse."""

from collections.abc import Sequence

import pygame

from ui.screen.core.page_stack import Page
from ui.screen.pages.zones.view import GrabZone, MoveZone, ScreenPoint, ZoneDrag, ZonesPage, start_drag

MOVE_EVENTS = (pygame.FINGERMOTION, pygame.MOUSEMOTION)


class Dragging:
    """The zones that fingers drag, by the finger's number."""

    def __init__(self) -> None:
        self._drags: dict[int, ZoneDrag] = {}

    def begin(self, finger: int, page: Page, grab: GrabZone, at: ScreenPoint) -> MoveZone | None:
        """Put a finger down at ``at``. Return the press that it means, if it took hold of something."""
        drag = start_drag(page, grab, at) if isinstance(page, ZonesPage) else None
        if drag is None:
            return None
        self._drags[finger] = drag
        return drag.press_at(at)

    def move(self, finger: int, at: ScreenPoint) -> MoveZone | None:
        """Move a finger to ``at``. Return the press that it means, if it drags something."""
        drag = self._drags.get(finger)
        return None if drag is None else drag.press_at(at)

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
