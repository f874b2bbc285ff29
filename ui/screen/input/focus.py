"""The focus that buttons and keys move from target to target, and the handling of a button event on any page. Pure: no
surface, no clock."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from device.gpio.buttons import ButtonAction, ButtonEvent
from ui.screen.drawing.canvas import Target
from ui.screen.pages.draft_buttons import next_draft
from ui.screen.pages.group_question import GroupQuestionPage
from ui.screen.pages.question import Draft, SeatPage, TimeUpPage, new_draft
from ui.screen.views import PAUSE, Page, Press, Reply

SETTLE_TIME_NS = 250_000_000
"""A touch or button event this soon after a new page was meant for the page before: a second tap on "Confirm" must not
open the next player's sealed page, nor one on "Touch when ready" confirm an empty bet."""


@dataclass(frozen=True)
class Focus:
    """The focused place: its target, or once that is gone the nearest one, preferably not the main one, which an extra
    press should not hit; ``None``: nothing is focused yet."""

    rect: Rect | None = None

    def find_target(self, targets: Sequence[Target]) -> Target | None:
        """Return the focused target."""
        rect, candidates = self.rect, focusable(targets)
        if rect is None or not candidates:
            return None
        return min(candidates, key=lambda one: (one.rect != rect, one.main, math.dist(one.rect.center, rect.center)))

    def move(self, targets: Sequence[Target], by: int = 1) -> "Focus":
        """Return the focus on the next target (``by`` −1: the previous one), wrapping around; at first on the main
        target, or else the first."""
        candidates, current = focusable(targets), self.find_target(targets)
        if not candidates:
            return self
        if current is None:
            target = main_target(targets) or candidates[0]
        else:
            target = candidates[(candidates.index(current) + by) % len(candidates)]
        return Focus(target.rect.copy())


def focusable(targets: Sequence[Target]) -> list[Target]:
    """Return the targets that can be pressed without a finger: not those that are dragged, nor the many small ones of
    a timeline, which has buttons next to it. The pause button comes last."""
    found = [target for target in targets if target.grip is None and not target.slides]
    return sorted(found, key=lambda target: target.press == PAUSE)


def main_target(targets: Sequence[Target]) -> Target | None:
    """Return the main target, if there is one."""
    return next((target for target in focusable(targets) if target.main), None)


def back_target(targets: Sequence[Target]) -> Target | None:
    """Return the target that goes back, or leaves without a change."""
    return next((target for target in focusable(targets) if target.leads_back), None)


@dataclass(frozen=True)
class ButtonOutcome:
    """The result of a button event: the focus, the new page or the reply (``None``: neither), and whether the event
    counted, so that its seat's light blinks."""

    focus: Focus
    result: Press | None = None
    counted: bool = True


def handle_button(
    page: Page, targets: Sequence[Target], focus: Focus, event: ButtonEvent, *, settled: bool = True
) -> ButtonOutcome:
    """Apply a button event to a page. On a page that asks seats something it always counts for its own seat. Anywhere
    else raise moves the focus, confirm presses the focused target or else the main one, and confirm held goes back;
    presses count only once the page has ``settled``."""
    if isinstance(page, GroupQuestionPage):
        result = handle_group_button(page, event)
        return ButtonOutcome(Focus(), result, result is not None)
    if event.action in (ButtonAction.RAISE, ButtonAction.RAISE_REPEAT):
        return ButtonOutcome(focus.move(targets))
    target = (
        back_target(targets)
        if event.action is ButtonAction.CONFIRM_HOLD
        else focus.find_target(targets) or main_target(targets)
    )
    if target is None or not settled:
        return ButtonOutcome(focus, counted=False)
    return ButtonOutcome(focus, page.press(target.button_press or target.press))


def handle_group_button(page: GroupQuestionPage, event: ButtonEvent) -> Press | None:
    """Return the page that a button event leads to, or the reply it completes; ``None`` where it doesn't count: the
    seat isn't asked, has answered already, or, where the options are secret, somebody else has the screen."""
    seat, own = event.seat, page.own_page
    if seat not in page.waiting:
        return None
    if isinstance(own, TimeUpPage) and own.view.seat == seat:
        if event.action is ButtonAction.CONFIRM_HOLD:
            return page.with_time_out(seat)
        return page.press(new_draft(own.view)) if event.action is ButtonAction.CONFIRM else None
    if not page.view.prompt.is_secret:
        page = page.start_time(seat, by_button=True)
        draft = next_draft(page.drafts[seat], event.action)
        return page.with_reply(seat, draft) if isinstance(draft, Reply) else page.with_draft(draft)
    if own is None:
        return page.open_seat(seat)
    return page.press(_next_own_page(own, event.action)) if own.view.seat == seat else None


def _next_own_page(own: SeatPage, action: ButtonAction) -> Press:
    """Secret options appear on their seat's own page only: the first event asks for the screen, confirm opens it."""
    if isinstance(own, Draft):
        return next_draft(own, action)
    if action is ButtonAction.CONFIRM:
        return new_draft(own.view)
    return Reply(None) if action is ButtonAction.CONFIRM_HOLD else own
