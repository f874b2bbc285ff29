"""Who won, lost or tied a round: in the game, by its events, and among the throws, by what beats what."""

from collections.abc import Iterable, Sequence

from rules.battle.events import RoundPlayed
from rules.engine import Answers, GameEvent, Seat
from rules.events import ThrowsDecided, ThrowsShown
from rules.throws import Outcome, Throw, to_throw

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
