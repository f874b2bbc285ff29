"""A judged round as it is written down: what the camera saw of each seat, with times in ms after the cue. The journal
stores it, and screens, review pages, exports and statistics read it; ``vision`` judges."""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, WithJsonSchema

from rules.record.event import Record
from rules.throws import Throw, to_throw

MAX_TIME_MS = 3_600_000
"""Longest time between a round's cue and anything in it."""
INTERVAL_SIGMAS = 1.96
"""How many standard deviations a 95 % interval reaches to either side."""
STRIP_OFFSETS_MS = (-200, -150, -100, -50, 0, 50, 100, 150, 200)
"""When the images of a seat's strip were exposed, in ms after the lock."""
VOID_VERDICT = "void"
"""Displayed instead of a seat's verdict if the round, or the seat's throw, could not be judged."""
NOT_ALLOWED_VERDICT = "not allowed"
"""Said instead of "on time" if a throw was in time, and is a foul because the game does not allow it."""


class Verdict(StrEnum):
    """The verdict on a seat."""

    ON_TIME = "on time"
    LATE = "late"
    TOO_CLOSE = "too close to call"
    """The hand may have been late or on time, early or on time, or may have changed after the lock or before."""
    EARLY = "early"
    CHANGED = "changed"
    UNCLEAR = "unclear"
    UNSEEN = "unseen"
    TWO_HANDS = "two hands"
    WRONG_ZONE = "wrong zone"
    LIFTED = "lifted"
    TWO_CARDS = "two cards"
    NOT_THEIRS = "not theirs"
    PLAYED = "played before"
    WRONG_DECK = "wrong deck"
    COPY = "a copy"
    TOO_MANY = "one too many"
    UNREAD = "not read"
    """A hand or card that is there and can't be read: nobody's foul."""

    @property
    def is_foul(self) -> bool:
        """Whether somebody is to blame. A time too close to call and a hand or card that can't be read are nobody's
        foul, yet the round does not count."""
        return self is not Verdict.ON_TIME and not self.is_undecided

    @property
    def is_undecided(self) -> bool:
        """Whether the camera can't tell what the throw counts as, and nobody is to blame."""
        return self in UNDECIDED_VERDICTS

    @property
    def depends_on_lock(self) -> bool:
        """Whether it is a foul by the time of the hand after the first hand."""
        return self in (Verdict.LATE, Verdict.CHANGED)


def said_verdict(verdict: str, *, is_foul: bool) -> str:
    """Return the verdict that everything that shows a seat says: NOT_ALLOWED_VERDICT for a foul in time."""
    return NOT_ALLOWED_VERDICT if is_foul and verdict == Verdict.ON_TIME else verdict


UNDECIDED_VERDICTS = Verdict.TOO_CLOSE, Verdict.UNREAD
"""The verdicts on what the camera can't tell, which blame nobody."""
CARD_VERDICTS = (
    Verdict.LIFTED,
    Verdict.TWO_CARDS,
    Verdict.NOT_THEIRS,
    Verdict.PLAYED,
    Verdict.WRONG_DECK,
    Verdict.COPY,
    Verdict.TOO_MANY,
)
"""The verdicts that only a card can have."""
SeatNumber = Annotated[int, Field(ge=1, le=1_000_000)]
Ms = Annotated[float, Field(ge=-MAX_TIME_MS, le=MAX_TIME_MS, description="milliseconds after the cue")]
Duration = Annotated[float, Field(ge=0, le=MAX_TIME_MS, description="milliseconds")]
Fraction = Annotated[float, Field(ge=-1, le=2)]
ThrowWord = Literal["rock", "paper", "scissors"] | None
VerdictWord = Annotated[
    Verdict,
    Field(strict=False),  # written as its word
    WithJsonSchema({"enum": list(Verdict), "title": "Verdict", "type": "string"}),  # in place, as other words are
]


class VoidReasonRecord(Record):
    """Why a round could not be judged."""

    kind: Literal["reaching over", "covered", "moved", "too dark", "too few frames", "copies"]
    seat: Annotated[SeatNumber | None, Field(description="whose zone it concerns; null: the whole image")]
    measured: Annotated[
        float | int, Field(description="the value that was too high or too low; of copies the card's marker")
    ]


class SeatRecord(Record):
    """What a seat showed, and the verdict on it."""

    verdict: VerdictWord
    throw: Annotated[ThrowWord, Field(description="what the hand ended up showing")]
    at_lock: Annotated[ThrowWord, Field(description="what it showed in the lock frame")]
    shown_ms: Annotated[Ms | None, Field(description="when it showed, in ms after the cue")]
    uncertainty_ms: Annotated[Duration | None, Field(description="standard deviation of that time")]
    after_lock: Annotated[ThrowWord, Field(description="what a hand that changed, or may have, showed after the lock")]
    cause: Annotated[
        str | None, Field(max_length=200, description="why a hand is unclear, unseen, not read or too close to call")
    ]
    entered_zone: Annotated[SeatNumber | None, Field(description="the seat whose zone the hand entered")]
    inferences: Annotated[int, Field(ge=0, le=1_000_000, description="runs of the hand model, or frames inspected")]
    card: Annotated[int | None, Field(ge=0, le=586, description="the marker of the card that was read")] = None
    zone: Annotated[
        tuple[Fraction, Fraction, Fraction, Fraction],
        Field(description="x, y, width and height as fractions of the lock frame"),
    ]

    @classmethod
    def on_time(cls, throw: Throw | None, shown_ms: float | None = None) -> Self:
        """Return a throw on time that no camera saw: one that was entered, or is made up."""
        word = None if throw is None else throw.value
        return cls.model_validate(
            {
                "verdict": Verdict.ON_TIME,
                "throw": word,
                "at_lock": word,
                "shown_ms": shown_ms,
                "uncertainty_ms": None,
                "after_lock": None,
                "cause": None,
                "entered_zone": None,
                "inferences": 0,
                "zone": (0.0, 0.0, 1.0, 1.0),
            }
        )

    @property
    def suspected_foul(self) -> Verdict:
        """The verdict, or what is too close to call: late, early or changed."""
        if self.verdict is not Verdict.TOO_CLOSE:
            return self.verdict
        if self.after_lock is not None:
            return Verdict.CHANGED
        return Verdict.EARLY if (self.shown_ms or 0.0) < 0 else Verdict.LATE

    @property
    def reading(self) -> ThrowWord:
        """How the throw is read if nobody corrects it: a late hand, or one that may be, by what it ended up showing."""
        return self.throw if self.suspected_foul is Verdict.LATE else self.at_lock

    @property
    def shown_throws(self) -> tuple[ThrowWord, ...]:
        """What the hand or card showed, in order of time: its throw at the lock and, with some fouls or
        what may be one, another one before or after it. Pages and sentences name these throws."""
        match self.suspected_foul:
            case Verdict.LATE:
                shown = self.at_lock, self.throw
            case Verdict.EARLY:
                shown = self.throw, self.at_lock
            case Verdict.CHANGED:
                is_later = self.after_lock not in (None, self.at_lock)
                shown = (self.at_lock, self.after_lock) if is_later else (self.throw, self.at_lock)
            case _:
                shown = self.at_lock, None
        return tuple(dict.fromkeys(throw for throw in shown if throw)) or (None,)

    @property
    def early_ms(self) -> float | None:
        """How long before the cue a hand or card showed that was early or may have been, in ms; 0 if it showed from the
        start. None with any other verdict: those times count from the first hand."""
        return max(0.0, -(self.shown_ms or 0.0)) if self.suspected_foul is Verdict.EARLY else None

    @property
    def later_throw(self) -> ThrowWord:
        """What a late or changed hand, or one that may be, showed after the lock."""
        return self.throw if self.suspected_foul is Verdict.LATE else self.after_lock


class JudgementRecord(Record):
    """The judgement of a round."""

    first_shown_ms: Annotated[Ms | None, Field(description="when the first hand showed")]
    lock_ms: Annotated[Ms, Field(description="the lock, in ms after the cue")]
    window_ms: Annotated[Duration, Field(description="from the first hand to the lock")]
    lock_frame_ms: Annotated[Ms, Field(description="the exposure nearest to the lock, which was read")]
    void_reason: VoidReasonRecord | None
    seats: Annotated[dict[SeatNumber, SeatRecord], Field(min_length=1)]

    @property
    def lock_after_first_ms(self) -> float:
        """How long the lock was after the first hand; after the cue where no hand showed."""
        return round(self.lock_ms - (self.first_shown_ms or 0.0), 1)

    def displayed_verdict(self, seat: int) -> str:
        """Return the verdict on a seat for display: VOID_VERDICT if the round could not be judged, or another hand hid
        its throw."""
        record = self.seats[seat]
        is_hidden = record.verdict is Verdict.ON_TIME and record.at_lock is None and record.card is None
        return VOID_VERDICT if self.void_reason is not None or is_hidden else record.verdict

    def after_first_ms(self, seat: int) -> float | None:
        """Return when a seat showed in ms after the first hand; None if either was not timed or the seat has no
        verdict."""
        shown, first = self.seats[seat].shown_ms, self.first_shown_ms
        if shown is None or first is None or self.displayed_verdict(seat) == VOID_VERDICT:
            return None
        return round(shown - first, 1)

    def interval_ms(self, seat: int) -> float | None:
        """Return how far the 95 % interval of the time of ``after_first_ms`` reaches to either side, or for an early
        hand that of its own time; None where there is no time."""
        record = self.seats[seat]
        if record.uncertainty_ms is None:
            return None
        first_ms = [first.uncertainty_ms for first in self.seats.values() if first.shown_ms == self.first_shown_ms]
        is_relative = record.early_ms is None and record.shown_ms != self.first_shown_ms
        reference_ms = (first_ms[0] or 0.0) if first_ms and is_relative else 0.0
        return INTERVAL_SIGMAS * math.hypot(record.uncertainty_ms, reference_ms)

    def late_gains(self, corrected: Mapping[int, Throw | None]) -> dict[int, tuple[int, int]]:
        """Return the seats that would have gained by what they showed after the lock, each with how many of the others
        it beat and how many it would have beaten.

        For every late or changed hand that was not ``corrected``, its throw in the lock frame and its later one are
        compared with the lock-frame throws of all others (late hands included; corrected ones as corrected): it would
        have gained if the later throw beats more of them. Any throw beats a missing one. Nobody gains in a round that
        could not be judged.
        """
        at_lock = {seat: corrected.get(seat, to_throw(record.at_lock)) for seat, record in self.seats.items()}
        gains = {}
        for seat, record in sorted(self.seats.items()):
            if self.void_reason is None and record.verdict.depends_on_lock and seat not in corrected:
                opposing = [throw for opponent, throw in at_lock.items() if opponent != seat]
                fair, late = (
                    sum(throw.beats(opposed) for opposed in opposing) if throw else 0
                    for throw in (at_lock[seat], to_throw(record.later_throw))
                )
                if late > fair:
                    gains[seat] = fair, late
        return gains
