"""The pages of a dispute: the round's evidence, one hand of it, and the correction to agree on. Pure: no surface, no
clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.engine import Seat, Value
from rules.record.judgement import Verdict
from rules.record.round import RoundView, SeatView
from rules.text import card_word
from ui.i18n.language import t
from ui.screen.pages.common import Player
from ui.screen.views import UNTIMED_PATIENCE_S, CompoundAnswer, InteractiveView, Page
from ui.text import game_words, labels


@dataclass(frozen=True)
class AgreedCorrection(CompoundAnswer):
    """The correction everybody agreed on in a dispute."""

    seat: Seat | None
    """Whose reading is corrected; None: the round is void and thrown again."""
    reading: Value = None
    """The seat's new reading; None: no throw."""


@dataclass(frozen=True, eq=False)
class DisputedRound(InteractiveView):
    """A round with its evidence.

    Answered with an AgreedCorrection or one of "stands", "earlier" and "later"; a past round with "back", "earlier",
    "later", "mark", "story" or TAKE_HOME_ANSWER."""

    line: RoundView
    players: Mapping[Seat, Player]
    title: str
    sentence: str
    frame_times_ms: tuple[float, ...]
    """When the stored frames were taken, in ms after the cue."""
    hand_image: Callable[[Seat, int], Pixels]
    """Returns a seat's hand in one of these frames."""
    choices: Mapping[Seat, tuple[Value, ...]] = field(default_factory=dict)
    """What each seat's reading may be corrected to."""
    has_earlier: bool = False
    """Whether an earlier round can be shown."""
    has_later: bool = False
    """Whether a later round can be shown."""
    is_past: bool = False
    """Whether it is only looked at."""
    review_mark: str | None = None
    """Of a past round."""
    can_take_home: bool = False
    """Whether people can take its clip home."""

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """What each seat did."""
        return self.line.seats

    @property
    def is_void(self) -> bool:
        """Whether the round does not count now."""
        return self.line.is_void

    @property
    def lock_ms(self) -> float:
        """The lock, in ms after the cue."""
        return self.line.judgement.lock_ms

    @property
    def first_hand_ms(self) -> float | None:
        """When the first hand showed, in ms after the cue; None if none did."""
        return self.line.judgement.first_shown_ms

    def name(self, seat: SeatView) -> str:
        """The name of a seat's player."""
        return self.players[seat.seat].name

    def verdict(self, seat: SeatView) -> str | None:
        """The verdict that is shown in place of a seat's reading, None if that is shown: in a dispute what people still
        have to settle, in a past round why nothing of it counts."""
        if not self.is_past:
            return seat.unsettled_verdict
        return None if seat.throw is not None or seat.said_verdict == Verdict.ON_TIME else seat.said_verdict

    def reading(self, seat: SeatView) -> Value:
        """How a seat is read; in a past round that does not count, what it showed at the lock."""
        return seat.record.at_lock if self.is_past and self.is_void else seat.reading

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
    """The evidence of a round."""

    view: DisputedRound
    frame: int
    """The index of the frame in the middle."""

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
    seat: SeatView

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


def current_reading(view: DisputedRound, seat: SeatView) -> str:
    """The current reading of a seat's throw, or its foul, in a word or two."""
    verdict = view.verdict(seat)
    return reading_label(view.reading(seat)) if verdict is None else t(labels.VERDICTS[verdict])


def reading_and_time(view: DisputedRound, seat: SeatView) -> str:
    """The current reading of a seat's throw, when it showed, and how sure that is."""
    reading, record = current_reading(view, seat), seat.record
    if record.shown_ms is None:
        return reading
    after = f"{signed_ms(record.shown_ms - view.origin_ms)} ms"
    if seat.early_ms is not None:  # as in the sentence
        after = labels.shown_time(None, seat.early_ms)
    return f"{reading} {after} ± {max(1, round(record.uncertainty_ms or 0.0))} ms"


def reading_status(view: DisputedRound, seat: SeatView) -> str:
    """The current reading of a seat's throw, or its foul; in a past round that does not count, what it showed."""
    verdict = view.verdict(seat)
    if verdict is not None:
        return t(labels.VERDICTS[verdict])
    reading = t(card_word(view.reading(seat)))
    showed = view.is_past and view.is_void
    return t("showed {reading}", reading=reading) if showed else t("counts as {reading}", reading=reading)


def hand_question(view: DisputedRound, seat: SeatView) -> str:
    """The question about one seat's hand."""
    return t("What did {name} throw?", name=view.name(seat))


def correction_text(view: DisputedRound, correction: AgreedCorrection) -> str:
    """The correction everybody is to agree on, in a sentence."""
    if correction.seat is None:
        return t("{round} is void and will be thrown again.", round=view.title)
    name = view.players[correction.seat].name
    if correction.reading is None:
        return t("{round}, {name}: no throw.", round=view.title, name=name)
    return t(
        "{round}: {name} threw {reading}.",
        round=view.title,
        name=name,
        reading=t(card_word(correction.reading)),
    )
