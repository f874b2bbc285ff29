"""What the strokes of a seat's two buttons mean where that seat is asked something. Pure, as
``ui.screen.core.page_stack``; on every other page they lead a focus: see ``ui.screen.core.focus``."""

from dataclasses import replace

from device.gpio.buttons import SeatStroke, Stroke
from rules.engine import Ask, Choices, Options, Seat, Span, Value
from ui.screen.pages.ask.group_view import GatherPage, Visit, next_gather, visited
from ui.screen.pages.ask.view import (
    BoardPage,
    Entry,
    EntryPage,
    HandOverPage,
    Open,
    Propose,
    Reply,
    Take,
    leap,
    listed,
    same,
)
from ui.screen.pages.ask.view import next_entry as pressed

PASSES: tuple[Value, ...] = ("fold", "pass", "no", False, "call", "stay", "wait", "don't care")
"""What a pass puts in, the first of them that may be answered: whatever binds least."""
LOWEST = ("bet", "raise")
"""The asks in which a pass puts in the least number there is: nothing, or a single chip."""
LONG, LEAP = 12, 5
"""In a list of more than so many values (or a board's moves), running goes so many on at a time; as ``leap``."""


def passing(ask: Ask, seat: Seat) -> Value:
    """What a pass of ``seat`` answers; ``None`` where there is nothing of the kind, and it goes back to where the seat
    began."""
    options = ask.seats[seat]
    if isinstance(options, Span):
        return options.start if ask.kind in LOWEST else None
    return next((value for value in PASSES if options.allows(value)), None)


def struck(page: GatherPage, stroke: SeatStroke) -> GatherPage | Reply | None:
    """The page that a seat's stroke leads to, or the reply it is; ``None`` where it doesn't count: the seat isn't
    asked, is in already, or, where what may be answered is secret, somebody else has the screen."""
    seat = stroke.seat
    if seat not in page.waiting:
        return None
    if page.view.ask.secret:
        return _on_own_page(page, stroke)
    return _after(page, seat, entered(page.drafts[seat], stroke.stroke))


def _after(page: GatherPage, seat: Seat, draft: Entry | Reply) -> GatherPage | Reply:
    if not isinstance(draft, Reply):
        return page.drafted(draft)
    return page.put_in(seat, draft.value if isinstance(draft.value, str | int) else None)


def _on_own_page(page: GatherPage, stroke: SeatStroke) -> GatherPage | Reply | None:
    """Secret options are seen on their seat's own page only: the first stroke asks for the screen, confirm opens it."""
    own = page.own
    if own is None:
        return visited(page, stroke.seat)
    if own.view.seat != stroke.seat:
        return None
    if isinstance(own, HandOverPage):
        if stroke.stroke is Stroke.CONFIRM:
            return next_gather(page, Open())
        return next_gather(page, Visit(None)) if stroke.stroke is Stroke.PASS else page
    draft = entered(own, stroke.stroke)
    return _after(page, stroke.seat, draft) if isinstance(draft, Reply) else page.at_own(draft)


def entered(draft: Entry, stroke: Stroke) -> Entry | Reply:
    """What a seat has after a stroke, or what it puts in."""
    if isinstance(draft, BoardPage):
        return _moved(draft, stroke)
    match stroke:
        case Stroke.CONFIRM:
            return draft if draft.value is None else Reply(draft.value)
        case Stroke.PASS:
            value = passing(draft.view.ask, draft.view.seat)
            return _begun(draft) if value is None else Reply(value)
    return replace(draft, value=onward(draft.options, draft.value, run=stroke is Stroke.RUN))


def _begun(draft: EntryPage) -> EntryPage:
    """As the seat began: a number at its least, nothing marked of a list."""
    options = draft.options
    return replace(draft, value=options.start if isinstance(options, Span) else None, leaf=0)


def onward(options: Options, value: Value, *, run: bool = False) -> Value:
    """The value a tap on raise leads to from ``value``, or one of holding it: at the last it begins anew."""
    if isinstance(options, Choices):
        values = [one for one, _ in listed(options)]
        here = next((at for at, one in enumerate(values) if same(one, value)), -1)
        return values[_next(here, len(values), run)]
    steps = (options.stop - options.start) // options.step
    here = ((value if isinstance(value, int) else options.start) - options.start) // options.step
    if here >= steps:
        return options.start
    return options.start + options.step * min(steps, here + (max(1, leap(options)) if run else 1))


def _next(here: int, count: int, run: bool) -> int:
    """The place after ``here`` (-1: none yet) of ``count``."""
    return 0 if here >= count - 1 else min(count - 1, here + (LEAP if run and count > LONG else 1))


def _moved(draft: BoardPage, stroke: Stroke) -> Entry | Reply:
    """Raise goes through the pieces that can move; confirm takes one up and proposes its first move, raise then goes
    through its moves, confirm plays the one proposed; pass lets go."""
    movable = sorted({way.origin for way in draft.ways})
    here, run = draft.from_piece, stroke is Stroke.RUN
    match stroke:
        case Stroke.PASS:
            return _pressed(draft, Take(draft.piece if draft.move is not None else None))
        case Stroke.CONFIRM if draft.move is not None:
            return Reply(draft.move.notation)
        case Stroke.CONFIRM:
            return _pressed(draft, Propose(here[0].notation)) if here else draft
    if draft.move is not None:
        return _pressed(draft, Propose(here[_next(here.index(draft.move), len(here), run)].notation))
    piece = draft.piece
    at = (
        movable.index(piece)
        if piece in movable
        else sum(space < (-1 if piece is None else piece) for space in movable) - 1
    )
    return _pressed(draft, Take(movable[_next(at, len(movable), run)]))


def _pressed(draft: BoardPage, press: Propose | Take) -> Entry:
    after = pressed(draft, press)
    return draft if isinstance(after, Reply | HandOverPage) else after
