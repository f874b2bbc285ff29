"""The pages of a dispute and the presses that lead from one to the next: the round's evidence, one hand of it, and the
correction to agree on. Pure, like ``ui.screen.core.page_stack``."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from device.camera.frames import Pixels
from rules.engine import Seat, Value
from ui.screen.pages.common.view import Player


@dataclass(frozen=True, eq=False)
class DisputedSeat:
    """One seat of a disputed round. ``reading`` is what its throw counts as (``None``: no throw); if it
    ``voids_round``, its foul makes the round void. ``shown_ms`` is when it showed, in ms after the cue (``None``:
    never), give or take ``uncertainty_ms``. ``choices`` are what the reading may be corrected to."""

    player: Player
    verdict: str
    reading: Value
    voids_round: bool
    shown_ms: float | None
    uncertainty_ms: float
    choices: tuple[Value, ...]


@dataclass(frozen=True)
class AgreedCorrection:
    """The correction everybody agreed on in a dispute: a seat's new reading (``None``: no throw); without a ``seat``,
    the round is void and thrown again."""

    seat: Seat | None
    reading: Value = None


@dataclass(frozen=True, eq=False)
class DisputedRound:
    """A round with its evidence, times in ms after the cue: ``first_hand_ms`` (``None``: no hand showed), ``lock_ms``
    and the times of the stored frames. ``hand_image(seat, frame)`` returns a seat's hand in a frame. ``is_void``: the
    round does not count now; ``has_earlier`` and ``has_later``: other rounds can be disputed.

    Answered with an AgreedCorrection or one of "stands", "earlier" and "later". A round that ``is_past`` is only looked
    at and may have a ``review_mark``; it is answered with "back", "earlier", "later", "mark" or "story"."""

    title: str
    sentence: str
    seats: tuple[DisputedSeat, ...]
    first_hand_ms: float | None
    lock_ms: float
    frame_times_ms: tuple[float, ...]
    hand_image: Callable[[Seat, int], Pixels]
    is_void: bool = False
    has_earlier: bool = False
    has_later: bool = False
    is_past: bool = False
    review_mark: str | None = None

    @property
    def origin_ms(self) -> float:
        """The zero of the times shown: the first hand, or the cue if no hand showed."""
        return 0.0 if self.first_hand_ms is None else self.first_hand_ms


@dataclass(frozen=True)
class SeekFrame:
    """Press: go to frame ``frame`` (from 0) of the evidence."""

    frame: int


@dataclass(frozen=True)
class LookAtHand:
    """Press: look at one seat's hand closely, or at all of them again (``None``)."""

    seat: Seat | None


@dataclass(frozen=True)
class ProposeCorrection:
    """Press: propose a correction that everybody has to agree on, or take it back (``None``)."""

    correction: AgreedCorrection | None


@dataclass(frozen=True)
class DisputePage:
    """The evidence of a round, with ``frame`` (from 0) in the middle."""

    view: DisputedRound
    frame: int


@dataclass(frozen=True)
class HandPage:
    """One seat's hand and its possible readings."""

    evidence: DisputePage
    seat: DisputedSeat


@dataclass(frozen=True)
class AgreePage:
    """The correction everybody is to agree on, over the page it was proposed on."""

    previous: DisputePage | HandPage
    correction: AgreedCorrection

    @property
    def view(self) -> DisputedRound:
        """The round."""
        return self.previous.view if isinstance(self.previous, DisputePage) else self.previous.evidence.view


DisputePages = DisputePage | HandPage | AgreePage

DisputePress = SeekFrame | LookAtHand | ProposeCorrection


def dispute_page(view: DisputedRound) -> DisputePage:
    """Return the page a dispute opens with: the frame nearest to the lock."""
    times = view.frame_times_ms
    return DisputePage(view, min(range(len(times)), key=lambda n: abs(times[n] - view.lock_ms), default=0))


def next_dispute(page: DisputePages, press: object) -> DisputePages:
    """Return the page ``press`` leads to. A press without a meaning on ``page`` changes nothing."""
    after: DisputePages = page
    match page, press:
        case AgreePage(previous=before), ProposeCorrection(correction=None):
            after = before
        case AgreePage(), _:
            pass
        case _, ProposeCorrection(correction=AgreedCorrection() as correction):
            after = AgreePage(page, correction)
        case HandPage(evidence=evidence), LookAtHand(seat=None):
            after = evidence
        case HandPage(evidence=evidence, seat=seat), SeekFrame():
            after = HandPage(_seek_frame(evidence, press), seat)
        case DisputePage(view=view), LookAtHand(seat=wanted_seat):
            found = next((other for other in view.seats if other.player.seat == wanted_seat), None)
            after = page if found is None else HandPage(page, found)
        case DisputePage(), SeekFrame():
            after = _seek_frame(page, press)
    return after


def _seek_frame(page: DisputePage, press: SeekFrame) -> DisputePage:
    return replace(page, frame=press.frame) if 0 <= press.frame < len(page.view.frame_times_ms) else page
