"""The pages of a dispute: the round's evidence, one hand of it, and the correction to agree on. Pure: no surface, no
clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from device.camera.frames import Pixels
from rules.engine import Seat, Value
from rules.judgement_record import TOO_CLOSE
from ui.screen.pages.answers import CompoundAnswer
from ui.screen.pages.common.view import Player
from ui.screen.pages.views import UNTIMED_PATIENCE_S, InteractiveView, Page


@dataclass(frozen=True, eq=False)
class DisputedSeat:
    """One seat of a disputed round. ``reading`` is what its throw counts as (``None``: no throw); if it
    ``voids_round``, its foul, or a time too close to call, makes the round void. ``shown_ms`` is when it
    showed, in ms after the cue (``None``: never), give or take ``uncertainty_ms``. ``choices`` are what the reading may
    be corrected to."""

    player: Player
    verdict: str
    reading: Value
    voids_round: bool
    shown_ms: float | None
    uncertainty_ms: float
    choices: tuple[Value, ...]

    @property
    def is_before_call(self) -> bool:
        """Whether it was early, or may have been: its time is given before the call."""
        return self.verdict == "early" or (self.verdict == TOO_CLOSE and (self.shown_ms or 0.0) < 0)


@dataclass(frozen=True)
class AgreedCorrection(CompoundAnswer):
    """The correction everybody agreed on in a dispute: a seat's new reading (``None``: no throw); without a ``seat``,
    the round is void and thrown again."""

    seat: Seat | None
    reading: Value = None


@dataclass(frozen=True, eq=False)
class DisputedRound(InteractiveView):
    """A round with its evidence, times in ms after the cue: ``first_hand_ms`` (``None``: no hand showed), ``lock_ms``
    and the times of the stored frames. ``hand_image(seat, frame)`` returns a seat's hand in a frame. ``is_void``: the
    round does not count now; ``has_earlier`` and ``has_later``: other rounds can be disputed.

    Answered with an AgreedCorrection or one of "stands", "earlier" and "later". A round that ``is_past`` is only looked
    at and may have a ``review_mark``; it is answered with "back", "earlier", "later", "mark" or "story", or with
    TAKE_HOME_ANSWER where people ``can_take_home`` its clip."""

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
    can_take_home: bool = False

    @property
    def origin_ms(self) -> float:
        """The zero of the times shown: the first hand, or the cue if no hand showed."""
        return 0.0 if self.first_hand_ms is None else self.first_hand_ms

    def first_page(self) -> "DisputePage":
        """See InteractiveView: the frame nearest to the lock."""
        times = self.frame_times_ms
        return DisputePage(self, min(range(len(times)), key=lambda n: abs(times[n] - self.lock_ms), default=0))


@dataclass(frozen=True)
class DisputePage(Page):
    """The evidence of a round, with ``frame`` (from 0) in the middle."""

    view: DisputedRound
    frame: int

    @property
    def patience_s(self) -> float | None:
        """See Page: none for a past round, outside a match."""
        return None if self.view.is_past else UNTIMED_PATIENCE_S

    def with_frame(self, frame: int) -> Self:
        """Return the page with another frame in the middle."""
        return replace(self, frame=frame)


@dataclass(frozen=True)
class HandPage(Page):
    """One seat's hand and its possible readings."""

    evidence: DisputePage
    seat: DisputedSeat

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return self.evidence.patience_s

    def with_frame(self, frame: int) -> Self:
        """Return the page with another frame in the middle."""
        return replace(self, evidence=self.evidence.with_frame(frame))


@dataclass(frozen=True)
class AgreePage(Page):
    """The correction everybody is to agree on, over the page it was proposed on."""

    previous: DisputePage | HandPage
    correction: AgreedCorrection

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return self.previous.patience_s

    @property
    def view(self) -> DisputedRound:
        """The round."""
        return self.previous.view if isinstance(self.previous, DisputePage) else self.previous.evidence.view
