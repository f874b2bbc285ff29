"""Samples of an ask that several seats answer together: open and sealed, answers entered and in, everybody's page and a
seat's own."""

from types import MappingProxyType

from device.gpio.buttons import SeatStroke, Stroke
from rules.engine import Ask, Choices, Json, Options, Span
from rules.throws import THROWS
from ui.screen.core.button_navigation import struck
from ui.screen.core.page_stack import Page
from ui.screen.pages.ask.group_view import GatherPage, Visit, gathered, next_gather
from ui.screen.pages.ask.view import Open, Reply
from ui.screen.pages.views import Gather, Player

WISHES = Choices(("on", "off", "don't care"))
ROUND: MappingProxyType[str, Json] = MappingProxyType({"phase": "risk rounds", "round": 3})
BLITZ: MappingProxyType[str, Json] = MappingProxyType({"option": "blitz", "means": "selection lasts 3 s"})


def gather_pages(people: tuple[Player, ...]) -> dict[str, Page]:
    """Pages for as many of ``people`` as each needs; eight are enough."""
    stakes = Span(0, 95, 5)
    sealed = Ask("bet", dict.fromkeys((1, 2), stakes), True, 20, 0, about=ROUND)
    two = _struck(people[:2], sealed, 14.0, (1, Stroke.RAISE), (1, Stroke.CONFIRM))
    three = Ask("bet", dict.fromkeys((1, 2, 3), stakes), False, 20, 0, about=ROUND)
    wished = Ask("wish", dict.fromkeys(range(1, 9), WISHES), seconds=20, default="don't care", about=BLITZ)
    wishes = _struck(people, wished, 9.0, (1, Stroke.RAISE), (2, Stroke.CONFIRM), (3, Stroke.RUN), (3, Stroke.CONFIRM))
    held: dict[int, Options] = {1: Choices(("rock", "paper")), 2: Choices(("paper", "scissors"))}
    return {
        "gather-sealed-2": two,
        "gather-handed-over": _touched(two, Visit(2)),
        "gather-own": _touched(two, Visit(2), Open()),
        "gather-open-3": _struck(
            people[:3], three, 14.0, (1, Stroke.RAISE), (1, Stroke.CONFIRM), (2, Stroke.RUN), (2, Stroke.RAISE)
        ),
        "gather-sealed-8": _struck(
            people,
            Ask("bet", dict.fromkeys(range(1, 9), stakes), True, 20, 0, about=ROUND),
            14.0,
            (3, Stroke.CONFIRM),
            (5, Stroke.PASS),
        ),
        "gather-throw-2": _struck(people[:2], Ask("throw", dict.fromkeys((1, 2), THROWS), True), None),
        "gather-held-2": _struck(people[:2], Ask("throw", held, True), None),
        "gather-risk-4": _struck(
            people[:4],
            Ask("risk", dict.fromkeys(range(1, 5), Choices(("yes", "no")))),
            None,
            *((1, Stroke.RAISE), (2, Stroke.RAISE), (2, Stroke.CONFIRM), (3, Stroke.PASS)),
        ),
        "gather-wish-8": wishes,
        "gather-wish-own": _touched(wishes, Visit(1)),
    }


def _struck(people: tuple[Player, ...], ask: Ask, left: float | None, *strokes: tuple[int, Stroke]) -> GatherPage:
    page = gathered(Gather(people, ask, left))
    for seat, stroke in strokes:
        after = struck(page, SeatStroke(seat, stroke, 0))
        page = after if isinstance(after, GatherPage) else page
    return page


def _touched(page: GatherPage, *presses: Visit | Open) -> GatherPage:
    for press in presses:
        after = next_gather(page, press)
        page = page if isinstance(after, Reply) else after
    return page
