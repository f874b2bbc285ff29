"""The pages of a dispute: the round's evidence, one hand of it, and the correction to agree on. Pure: no surface, no
clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.engine import Seat, Value
from rules.record.judgement import Verdict
from rules.text import card_word
from ui.i18n.language import t
from ui.screen.pages.common import Player
from ui.screen.views import UNTIMED_PATIENCE_S, CompoundAnswer, InteractiveView, Page
from ui.text import game_words, labels


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
        return self.verdict == Verdict.EARLY or (self.verdict == Verdict.TOO_CLOSE and (self.shown_ms or 0.0) < 0)


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

    @override
    def first_page(self) -> "DisputePage":
        """The frame nearest to the lock."""
        times = self.frame_times_ms
        return DisputePage(self, min(range(len(times)), key=lambda n: abs(times[n] - self.lock_ms), default=0))


@dataclass(frozen=True)
class DisputePage(Page):
    """The evidence of a round, with ``frame`` (from 0) in the middle."""

    view: DisputedRound
    frame: int

    @property
    @override
    def patience_s(self) -> float | None:
        """None for a past round, outside a match."""
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
    @override
    def patience_s(self) -> float | None:
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
    @override
    def patience_s(self) -> float | None:
        return self.previous.patience_s

    @property
    def view(self) -> DisputedRound:
        """The round."""
        return self.previous.view if isinstance(self.previous, DisputePage) else self.previous.evidence.view


DISPUTE = N("Dispute")
PREVIOUS_FRAME, NEXT_FRAME = N("One frame back"), N("One frame on")
EARLIER_ROUND, LATER_ROUND = N("Earlier round"), N("Later round")
VERDICT_STANDS = N("The verdict stands")
THROW_AGAIN = N("Throw it again")
AGREEMENT_QUESTION = N("Does everybody agree?")
EVERYBODY_AGREES = N("Everybody agrees")
CORRECTION_DETAIL = N(
    "The journal keeps both the reading and its correction. The match continues from there; later answers that no "
    "longer fit are asked for again."
)
NO_IMAGES = N("No images of this round are stored")
NO_THROW = N("No throw")


def reading_label(value: Value) -> str:
    """The label of a reading."""
    return t(NO_THROW) if value is None else game_words.value_text(value)


def reading_icon(value: Value) -> str:
    """The icon of a reading."""
    return "nothing" if value is None else str(value)


def signed_ms(ms: float) -> str:
    """A time with its sign."""
    whole = round(round(ms, 1))  # a difference of times with one decimal
    return f"{'−' if whole < 0 else '+'}{abs(whole)}"


def frame_time(view: DisputedRound, time_ms: float) -> str:
    """A time (ms after the cue) relative to the first hand, or to the cue if no hand showed, and to the lock."""
    from_lock = round(time_ms - view.lock_ms)
    from_zero = signed_ms(time_ms - view.origin_ms)
    first = (
        t("{ms} ms from first hand", ms=from_zero)
        if view.first_hand_ms is not None
        else t("{ms} ms from call", ms=from_zero)
    )
    lock = t("at the lock")
    if from_lock:
        ago = abs(from_lock)
        lock = t("{ms} ms before the lock", ms=ago) if from_lock < 0 else t("{ms} ms after the lock", ms=ago)
    return f"{first}\n{lock}"


def current_reading(seat: DisputedSeat) -> str:
    """The current reading of a seat's throw, or its foul, in a word or two."""
    return labels.verdict_text(seat.verdict) if seat.voids_round else reading_label(seat.reading)


def reading_and_time(view: DisputedRound, seat: DisputedSeat) -> str:
    """The current reading of a seat's throw, when it showed, and how sure that is."""
    if seat.shown_ms is None:
        return current_reading(seat)
    after = f"{signed_ms(seat.shown_ms - view.origin_ms)} ms"
    if seat.is_before_call:  # as in the sentence
        after = labels.shown_time(None, max(0.0, -seat.shown_ms))
    return f"{current_reading(seat)} {after} ± {max(1, round(seat.uncertainty_ms))} ms"


def reading_status(seat: DisputedSeat, *, round_counts: bool = True) -> str:
    """The current reading of a seat's throw, or its foul; in a round that does not count, what it showed."""
    if seat.voids_round:
        return labels.verdict_text(seat.verdict)
    reading = t(card_word(seat.reading))
    return t("counts as {reading}", reading=reading) if round_counts else t("showed {reading}", reading=reading)


def hand_question(seat: DisputedSeat) -> str:
    """The question about one seat's hand."""
    return t("What did {name} throw?", name=seat.player.name)


def correction_text(view: DisputedRound, correction: AgreedCorrection) -> str:
    """The correction everybody is to agree on, in a sentence."""
    seat = next((other for other in view.seats if other.player.seat == correction.seat), None)
    if seat is None:
        return t("{round} is void and will be thrown again.", round=view.title)
    if correction.reading is None:
        return t("{round}, {name}: no throw.", round=view.title, name=seat.player.name)
    return t(
        "{round}: {name} threw {reading}.",
        round=view.title,
        name=seat.player.name,
        reading=t(card_word(correction.reading)),
    )
