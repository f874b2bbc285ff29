"""An ask that several seats answer together: everybody's page, each seat's own page over it, and what leads from one to
the next. Pure, as ``ui.screen.core.page_stack``."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from rules.engine import Seat, Value
from ui.screen.pages.ask.view import Entry, HandOverPage, Reply, entry, next_entry
from ui.screen.pages.views import Gather, Watched

State = Literal["asked", "entering", "in"]


@dataclass(frozen=True)
class Visit:
    """A press that opens one seat's own page, or goes back to everybody's (``None``)."""

    seat: Seat | None


@dataclass(frozen=True)
class GatherPage:
    """An ask being answered. ``drafts`` are what each seat has so far: where answers are private, by its buttons alone,
    for what is entered on the screen is on the seat's ``own`` page only and forgotten when that is left. ``given`` are
    the answers that are in, ``notes`` what a camera lacks for the others'. While there is an ``own`` page, that is
    what the screen shows."""

    view: Gather
    drafts: Mapping[Seat, Entry]
    given: Mapping[Seat, Value]
    own: HandOverPage | Entry | None = None
    notes: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Who is not in yet, by seat."""
        return tuple(seat for seat in sorted(self.view.ask.seats) if seat not in self.given)

    @property
    def turned_to(self) -> object:
        """What tells one page that people see from another: a touch on a new one may have been meant for the old."""
        return None if self.own is None else (type(self.own), self.own.view.seat)

    def state(self, seat: Seat) -> State:
        """How far a seat is; of a private answer only whether it is in."""
        if seat in self.given:
            return "in"
        begun = not self.view.private and self.drafts[seat] != entry(self.drafts[seat].view)
        return "entering" if begun else "asked"

    def at_own(self, own: HandOverPage | Entry | None) -> "GatherPage":
        """With a seat's own page as it is now; where answers are open that is its draft as well."""
        if own is None or isinstance(own, HandOverPage) or self.view.private:
            return replace(self, own=own)
        return replace(self, own=own).drafted(own)

    def drafted(self, draft: Entry) -> "GatherPage":
        """With a seat's draft as it is now; where answers are open its own page shows it."""
        seat = draft.view.seat
        shows = not self.view.private and self.own is not None and self.own.view.seat == seat
        drafts = MappingProxyType({**self.drafts, seat: draft})
        return replace(self, drafts=drafts, own=draft if shows else self.own)

    def put_in(self, seat: Seat, value: Value) -> "GatherPage | Reply":
        """With a seat's answer, which can't be changed any more; the reply, when it was the last."""
        after = replace(self, given=MappingProxyType({**self.given, seat: value}))
        if not after.waiting:
            return after.closed()
        return replace(after, own=None) if self.own is not None and self.own.view.seat == seat else after

    def looked(self, watched: Watched) -> "GatherPage | Reply":
        """With what a camera sees now; the reply, when the last seat is in by it."""
        page = replace(self, notes=watched.notes)
        for seat, value in watched.given.items():
            if seat in page.waiting:
                after = page.put_in(seat, value)
                if isinstance(after, Reply):
                    return after
                page = after
        return page

    def closed(self) -> Reply:
        """The reply as things stand; ``None`` for who is not in."""
        return Reply({seat: self.given.get(seat) for seat in self.view.ask.seats})

    def left(self, seconds: float) -> "GatherPage":
        """With so many seconds left."""
        own = self.own and replace(self.own, view=replace(self.own.view, seconds_left=seconds))
        return replace(self, view=replace(self.view, seconds_left=seconds), own=own)


def gathered(view: Gather) -> GatherPage:
    """The page a Gather opens with: everybody's, unless one seat alone is asked on a page of its own."""
    page = GatherPage(view, MappingProxyType({seat: entry(view.part(seat)) for seat in view.ask.seats}), {})
    return page if view.shared else visited(page, next(iter(view.ask.seats)))


def visited(page: GatherPage, seat: Seat) -> GatherPage:
    """The page of a seat that is not in yet; a private one is handed over first."""
    own = HandOverPage(page.view.part(seat)) if page.view.private else page.drafts[seat]
    return replace(page, own=own)


def next_gather(page: GatherPage, press: object) -> GatherPage | Reply:
    """The page ``press`` leads to, or the reply it is. A press that means nothing on ``page`` leaves it as it is."""
    own = page.own
    if isinstance(press, Visit):
        if press.seat is None:
            return replace(page, own=None) if page.view.shared else page
        return visited(page, press.seat) if own is None and press.seat in page.waiting else page
    if own is None:
        return page
    after = next_entry(own, press)
    return page.put_in(own.view.seat, _single(after)) if isinstance(after, Reply) else page.at_own(after)


def _single(reply: Reply) -> Value:
    """What one seat's own page was answered with."""
    return reply.value if isinstance(reply.value, str | int) else None
