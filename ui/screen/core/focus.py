"""What strokes and keys do on pages that everybody answers alike: they lead a focus from target to target and press it.
And the one way from any page and a stroke to what comes of it. Pure: no surface, no clock."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from device.gpio.buttons import SeatStroke, Stroke
from ui.screen.core.button_navigation import struck
from ui.screen.core.page_stack import Keys, Page, Pick, next_page
from ui.screen.drawing.canvas import Target
from ui.screen.pages.ask.group_view import GatherPage, Visit
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.dispute.view import Look, Propose, Seek
from ui.screen.pages.seating.view import ToSeat
from ui.screen.pages.zones.view import Grab, Zoned

SETTLE_NS = 250_000_000
"""A touch or stroke within this time of a new page was meant for what stood there before: a second tap on "Confirm"
must not open the next player's sealed page, nor one on "Touch when ready" confirm a bet of nothing."""
AWAY = (Visit(None), Pick(None), Keys(None), Look(None), Propose(None), ToSeat(None))
"""The presses that lead back to the page before."""
LEAVES = ("back", "home", "stands")
"""The answers that leave a view and change nothing."""


@dataclass(frozen=True)
class Focus:
    """Where the focus is: on the target there, or once that is gone on the nearest one, rather than on the main one,
    which a press too many is not to hit; ``None``: nowhere yet."""

    at: Rect | None = None

    def target(self, targets: Sequence[Target]) -> Target | None:
        """What it is on."""
        at, here = self.at, usable(targets)
        if at is None or not here:
            return None
        return min(here, key=lambda one: (one.rect != at, one.main, math.dist(one.rect.center, at.center)))

    def moved(self, targets: Sequence[Target], by: int = 1) -> "Focus":
        """On to the next target (``by`` −1: back to the one before), from the last one to the first. From nowhere it
        goes to the page's main one, or else the first."""
        here, now = usable(targets), self.target(targets)
        if not here:
            return self
        to = main(targets) or here[0] if now is None else here[(here.index(now) + by) % len(here)]
        return Focus(to.rect.copy())


def usable(targets: Sequence[Target]) -> list[Target]:
    """The targets that can be pressed without a finger: not what is dragged, nor the many small ones of a time line,
    which has buttons beside it."""
    return [
        target
        for target in targets
        if not isinstance(target.press, Grab) and not (isinstance(target.press, Seek) and target.area is not None)
    ]


def main(targets: Sequence[Target]) -> Target | None:
    """The one most will press."""
    return next((target for target in usable(targets) if target.main), None)


def away(targets: Sequence[Target]) -> Target | None:
    """The one that leads back, or leaves and changes nothing."""
    return next((target for target in usable(targets) if _leads_away(target)), None)


def _leads_away(target: Target) -> bool:
    press = target.press
    if not isinstance(press, Reply):
        return press in AWAY
    return press.value.wish == "leave" if isinstance(press.value, Zoned) else press.value in LEAVES


@dataclass(frozen=True)
class Struck:
    """What came of a stroke: where the focus is, the page it led to or the reply it is (``None``: nothing new), and
    whether it counted: then its seat's light blinks."""

    focus: Focus
    after: Page | Reply | None = None
    counted: bool = True


def stroked(page: Page, targets: Sequence[Target], focus: Focus, stroke: SeatStroke, *, settled: bool = True) -> Struck:
    """What a stroke does. Where something is asked it is its seat's own, and never lost; anywhere else raise leads the
    focus on, confirm presses what has it or else the page's main button, and pass leads back; that counts only once
    the page has ``settled``."""
    if isinstance(page, GatherPage):
        after = struck(page, stroke)
        return Struck(Focus(), after, after is not None)
    if stroke.stroke in (Stroke.RAISE, Stroke.RUN):
        return Struck(focus.moved(targets))
    target = away(targets) if stroke.stroke is Stroke.PASS else focus.target(targets) or main(targets)
    if target is None or not settled:
        return Struck(focus, counted=False)
    return Struck(focus, next_page(page, target.press))
