"""The pages of a dispute and the presses that lead from one to the next: the round's evidence, one hand of it looked at
closely, and what everybody is to agree on. Pure, as ``ui.screen.core.page_stack``."""

from dataclasses import dataclass, replace

from rules.engine import Seat
from ui.screen.pages.views import Corrected, DisputedSeat, Disputing


@dataclass(frozen=True)
class Seek:
    """A press that goes to frame ``number`` (from 0) of the evidence."""

    number: int


@dataclass(frozen=True)
class Look:
    """A press that looks at one seat's hand closely, or at all again (``None``)."""

    seat: Seat | None


@dataclass(frozen=True)
class Propose:
    """A press that proposes a correction, which everybody is to agree on, or takes that back (``None``)."""

    correction: Corrected | None


@dataclass(frozen=True)
class DisputePage:
    """The evidence of a round, with frame ``number`` in the middle."""

    view: Disputing
    number: int


@dataclass(frozen=True)
class HandPage:
    """One seat's hand, and what it may be read as."""

    page: DisputePage
    seat: DisputedSeat


@dataclass(frozen=True)
class AgreePage:
    """What everybody is to agree on, over the page it was proposed on."""

    page: DisputePage | HandPage
    correction: Corrected

    @property
    def view(self) -> Disputing:
        """The round."""
        return self.page.view if isinstance(self.page, DisputePage) else self.page.page.view


DisputePages = DisputePage | HandPage | AgreePage
DisputePress = Seek | Look | Propose


def opened(view: Disputing) -> DisputePage:
    """The page a dispute opens with: the frame nearest the lock."""
    times = view.times_ms
    return DisputePage(view, min(range(len(times)), key=lambda n: abs(times[n] - view.lock_ms), default=0))


def after_press(page: DisputePages, press: object) -> DisputePages:
    """The page ``press`` leads to; one that means nothing on ``page`` leaves it as it is."""
    after: DisputePages = page
    match page, press:
        case AgreePage(page=before), Propose(correction=None):
            after = before
        case AgreePage(), _:
            pass
        case _, Propose(correction=Corrected() as correction):
            after = AgreePage(page, correction)
        case HandPage(page=evidence), Look(seat=None):
            after = evidence
        case HandPage(page=evidence, seat=seat), Seek():
            after = HandPage(_sought(evidence, press), seat)
        case DisputePage(view=view), Look(seat=wanted):
            found = next((one for one in view.seats if one.player.seat == wanted), None)
            after = page if found is None else HandPage(page, found)
        case DisputePage(), Seek():
            after = _sought(page, press)
    return after


def _sought(page: DisputePage, press: Seek) -> DisputePage:
    return replace(page, number=press.number) if 0 <= press.number < len(page.view.times_ms) else page
