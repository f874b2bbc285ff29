"""A thrown round as everything that shows it reads it: what each seat did, and what the game made of it.

These are immutable facts: whoever draws them makes the sentences, in the viewer's language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from rules.battle.events import RoundPlayed
from rules.engine import Answers, GameEvent, Prompt, Seat, Value
from rules.events import ThrowsDecided, ThrowsShown
from rules.record.judgement import CARD_VERDICTS, VOID_VERDICT, JudgementRecord, SeatRecord, Verdict, said_verdict
from rules.throws import Outcome, Throw, to_throw


class FoulRule(StrEnum):
    """What happens to a round with a foul in it."""

    REPLAY = "replay"
    STAND = "stand"
    FORFEIT = "forfeit"


@dataclass(frozen=True)
class PlayerLink:
    """A player of a match."""

    key: str | None
    """What the player is found by in other matches; None once they are forgotten."""
    name: str
    """Their name; of a forgotten player one like "Player 2"."""


@dataclass(frozen=True)
class SeatView:
    """One seat in a round: what the camera saw of it, or what was entered, and what counted."""

    seat: Seat
    player: PlayerLink
    record: SeatRecord
    """As it was judged; of an entered throw as on time, without a time."""
    verdict: str
    """The verdict to display: VOID_VERDICT if the round, or this throw, could not be judged."""
    throws: tuple[Throw, ...]
    """What it showed, in order of time, or the throw it was corrected to; empty for none."""
    throw: Throw | None
    """What counted, after corrections; None for nothing."""
    reading: Value
    """How it is read, also while the round is void; None for no throw."""
    is_foul: bool
    """Whether it fouled, and nobody corrected that."""
    is_corrected: bool
    """Whether people agreed on its reading."""
    is_unsettled: bool
    """Whether it makes the round void until people agree on its reading: by a foul, the camera, or a close time."""
    after_first_ms: float | None
    """When it showed, in ms after the first hand; None if either was not timed, or it has no verdict."""
    interval_ms: float
    """How far the 95 % interval of that time reaches to either side if it is too close to call; otherwise 0."""
    outcome: Outcome | None = None
    """Its outcome in the game, once its events give one."""
    throw_outcome: Outcome | None = None
    """Its outcome among those it played against, by what beats what; None with nobody to compare with."""
    bet: int | None = None
    """Points bet, as far as they were opened; None in games without bets."""
    score_before: int | None = None
    """None before the first score, and in a round that a correction dropped."""
    score_after: int | None = None
    """The same, after the round."""

    @property
    def last_throw(self) -> Throw | None:
        """What it came to show, or was corrected to; None for no throw."""
        return self.throws[-1] if self.throws else None

    @property
    def said_verdict(self) -> str:
        """The verdict that everything that shows it says: NOT_ALLOWED_VERDICT for a throw in time that is a foul."""
        return said_verdict(self.verdict, is_foul=self.is_foul)

    @property
    def has_won(self) -> bool:
        """Whether it won the round, without a foul."""
        return self.outcome is Outcome.WON and not self.is_foul

    @property
    def timed_ms(self) -> float | None:
        """When it showed, in ms after the first hand, if pages compare that with the others' times: not of a card that
        was lifted or should not have been played, whenever that happened."""
        return None if self.verdict in (*CARD_VERDICTS, Verdict.UNREAD) else self.after_first_ms

    @property
    def early_ms(self) -> float | None:
        """How long before the cue it showed if it was early or may have been; None with any other verdict."""
        return None if self.verdict == VOID_VERDICT else self.record.early_ms

    @property
    def unsettled_verdict(self) -> str | None:
        """The verdict on what people have to settle before the round can count: VOID_VERDICT if it is void through no
        fault or time of this seat; None if it is settled."""
        if not self.is_unsettled:
            return None
        has_own_reason = self.is_foul or self.record.verdict.is_undecided
        return said_verdict(self.record.verdict, is_foul=self.is_foul) if has_own_reason else VOID_VERDICT

    @property
    def on_time_ms(self) -> float | None:
        """When it showed, in ms after the cue, if its throw counted and was on time."""
        return self.record.shown_ms if self.throw is not None and self.verdict == Verdict.ON_TIME else None


def judged_seat(judgement: JudgementRecord, seat: Seat, player: PlayerLink, *, is_foul: bool) -> SeatView:
    """Return a seat of a round as it was judged, before the game was given its throw and before any correction."""
    record, verdict = judgement.seats[seat], judgement.displayed_verdict(seat)
    return SeatView(
        seat=seat,
        player=player,
        record=record,
        verdict=verdict,
        throws=tuple(throw for word in record.shown_throws if (throw := to_throw(word)) is not None),
        throw=None,
        reading=record.reading,
        is_foul=is_foul,
        is_corrected=False,
        is_unsettled=False,
        after_first_ms=judgement.after_first_ms(seat),
        interval_ms=judgement.interval_ms(seat) or 0.0 if verdict == Verdict.TOO_CLOSE else 0.0,
    )


def entered_seat(seat: Seat, player: PlayerLink, throw: Throw | None) -> SeatView:
    """Return a seat whose throw was entered, before the game was given it: nobody watched or timed it."""
    record = SeatRecord.on_time(throw)
    return SeatView(
        seat=seat,
        player=player,
        record=record,
        verdict=record.verdict,
        throws=() if throw is None else (throw,),
        throw=throw,
        reading=record.reading,
        is_foul=False,
        is_corrected=False,
        is_unsettled=False,
        after_first_ms=None,
        interval_ms=0.0,
    )


@dataclass(frozen=True)
class DisputeView:
    """A dispute of a round: a corrected reading, a round made void, or a rejected dispute."""

    event: int
    at: str
    is_rejected: bool
    seat: Seat | None = None
    """Whose reading it is about; None where it is about the whole round."""
    previous: Value = None
    to: Value = None
    text: str = ""
    """The sentence that was written down, with placeholders for names."""


@dataclass(frozen=True)
class RoundView:
    """One thrown round of a match, as corrected."""

    event: int
    """The number of its event."""
    number: int
    """Counts the match's thrown rounds from 1, void ones included."""
    at: str
    """When it was written, ISO 8601 in UTC."""
    game: str
    """The game's title."""
    players: tuple[PlayerLink, ...]
    """All players of the match, in seat order."""
    kind: str
    """The kind of prompt that was asked."""
    prompt: Prompt | None
    """What was asked when it was thrown; None if the match can't be replayed."""
    is_still_asked: bool
    """Whether the game, as corrected since, still asks the same here. If not, nobody can dispute it any more."""
    judgement: JudgementRecord
    fouls: tuple[Seat, ...]
    """The seats that fouled when it was judged."""
    text: str
    """The verdict as it was written down, with placeholders for names."""
    was_judged: bool
    """Whether it counted when it was thrown."""
    is_void: bool
    """Whether it does not count now: thrown again, made void, or dropped by a correction."""
    is_dropped: bool
    """Whether it does not count because a round before it was corrected."""
    answers: Answers
    """What counts, by seat; empty if it is void."""
    seats: tuple[SeatView, ...]
    disputes: tuple[DisputeView, ...] = ()
    events: tuple[GameEvent, ...] = ()
    """What the game made of it, with the throws that the box drew for those who showed none."""

    @cached_property
    def seat_views(self) -> Mapping[Seat, SeatView]:
        """The seats by number."""
        return {seat.seat: seat for seat in self.seats}

    @property
    def names(self) -> dict[Seat, str]:
        """The names of all players of the match by seat."""
        return {seat: player.name for seat, player in enumerate(self.players, 1)}

    @property
    def has_foul(self) -> bool:
        """Whether anybody's foul was not corrected."""
        return any(seat.is_foul for seat in self.seats)

    @property
    def is_tie(self) -> bool:
        """Whether the round counts, and neither the throws nor the scores made a difference."""
        throws = {seat.throw for seat in self.seats}
        scored = any(seat.score_before != seat.score_after for seat in self.seats if seat.score_before is not None)
        return not self.is_void and not scored and len(throws) != 2

    @property
    def readings(self) -> dict[Seat, Value]:
        """How each seat is read, also while the round is void."""
        return {seat.seat: seat.reading for seat in self.seats}

    @property
    def unsettled_seats(self) -> frozenset[Seat]:
        """The seats that make the round void until people agree on their readings."""
        return frozenset(seat.seat for seat in self.seats if seat.is_unsettled)

    @cached_property
    def late_gains(self) -> Mapping[Seat, tuple[int, int]]:
        """The seats that would have gained by what they showed after the lock: see JudgementRecord.late_gains."""
        return self.judgement.late_gains(
            {seat.seat: to_throw(seat.reading) for seat in self.seats if seat.is_corrected}
        )


THROW_WORDS = frozenset(Throw)


def compare_throws(answers: Answers) -> dict[Seat, Outcome]:
    """Return who won and lost: who beats somebody and is beaten by nobody, and the reverse; all others tied. Answers
    that are no throws have no outcomes, nor has a seat alone."""
    if len(answers) < 2 or not all(answer is None or answer in THROW_WORDS for answer in answers.values()):
        return {}
    throws = {seat: to_throw(answer) for seat, answer in answers.items()}
    kinds = set(throws.values())
    by_throw = {throw: _throw_outcome(throw, kinds) for throw in kinds}
    return {seat: by_throw[throw] for seat, throw in throws.items()}


def _throw_outcome(throw: Throw | None, kinds: Iterable[Throw | None]) -> Outcome:
    """Return the outcome of a throw among all ``kinds`` that were thrown; its own kind neither beats nor is beaten."""
    others = [kind for kind in kinds if kind is not throw]
    beats = throw is not None and any(throw.beats(kind) for kind in others)
    is_beaten = any(kind is not None and kind.beats(throw) for kind in others)
    if beats == is_beaten:
        return Outcome.TIED
    return Outcome.WON if beats else Outcome.LOST


def shown_throws(events: Iterable[GameEvent]) -> dict[Seat, Throw | None]:
    """Return the throws that events show; of several by one seat the last."""
    return {seat: throw for event in events if isinstance(event, ThrowsShown) for seat, throw in event.throws.items()}


def game_outcomes(events: Iterable[GameEvent]) -> dict[Seat, Outcome]:
    """Return who won, lost or tied by the events in which throws were shown; without seats whose throws have no outcome
    yet."""
    outcomes: dict[Seat, Outcome] = {}
    throwers: tuple[Seat, ...] = ()
    for event in events:
        if isinstance(event, ThrowsShown):
            throwers = tuple(event.throws)
        if isinstance(event, ThrowsDecided):
            outcomes |= event.outcomes_of(throwers)
    return outcomes


def beaten_pairs(events: Sequence[GameEvent]) -> tuple[tuple[Throw, Throw], ...]:
    """Return which throw beat which, the winner's first: by the table of pairs if an event has one, or else by who won
    and who lost. Only throws that were thrown."""
    outcomes = game_outcomes(events)
    pairs: dict[tuple[Throw, Throw], None] = {}
    for event in events:
        if not isinstance(event, ThrowsShown):
            continue
        throws = {seat: throw for seat, throw in event.throws.items() if throw is not None}
        if isinstance(event, RoundPlayed):
            thrown = set(throws.values())
            pairs |= dict.fromkeys(pair for pair in event.beaten_pairs if thrown.issuperset(pair))
            continue
        winning, losing = (
            [throw for seat, throw in throws.items() if outcomes.get(seat) is outcome]
            for outcome in (Outcome.WON, Outcome.LOST)
        )
        pairs |= dict.fromkeys((winner, loser) for winner in winning for loser in losing if winner is not loser)
    return tuple(pairs)
