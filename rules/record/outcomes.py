"""Who won, lost or tied a round: in the game, by its events, and among the throws, by what beats what."""

from collections.abc import Iterable, Mapping, Sequence

from rules.engine import Answers, Facts, GameEvent, Json, Seat
from rules.record.round import Outcome
from rules.throws import Throw, to_throw

OUTCOME_WORDS: Mapping[str, Outcome] = {
    "win": Outcome.WON,
    "loss": Outcome.LOST,
    "lose": Outcome.LOST,
    "tie": Outcome.TIED,
}
"""The words of games for a player's outcome."""
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
    last_throwers: tuple[Seat, ...] = ()
    for event in events:
        throwers = tuple(seat_values(event.facts.get("throws")))
        by_seat = seat_values(event.facts.get("outcomes"))
        outcome = event.facts.get("outcome")
        if by_seat:
            outcomes |= {seat: OUTCOME_WORDS[str(word)] for seat, word in by_seat.items()}
        elif isinstance(outcome, str) and len(throwers) == 2:
            outcomes |= _outcomes_of_two(throwers, OUTCOME_WORDS[outcome])
        elif throwers and (winners := _winning_seats(event.facts) & set(throwers)):
            outcomes |= {seat: Outcome.WON if seat in winners else Outcome.LOST for seat in throwers}
        elif event.kind == "tie":
            outcomes |= dict.fromkeys(throwers, Outcome.TIED)
        elif not throwers and "stays" in event.facts:  # the throws of an earlier event win the pot
            winners = set(_seat_list(event.facts.get("seats")))
            outcomes |= {seat: Outcome.WON if seat in winners else Outcome.LOST for seat in last_throwers}
        last_throwers = throwers or last_throwers
    return outcomes


def beaten_pairs(events: Sequence[GameEvent]) -> tuple[tuple[Throw, Throw], ...]:
    """Return which throw beat which, the winner's first: by the table of pairs if an event has one, or else by who won
    and who lost. Only throws that were thrown."""
    outcomes = game_outcomes(events)
    pairs: dict[tuple[Throw, Throw], None] = {}
    for event in events:
        throws = {
            seat: Throw(word) for seat, word in seat_values(event.facts.get("throws")).items() if isinstance(word, str)
        }
        table = event.facts.get("table")
        if isinstance(table, Mapping):
            for pair, best in table.items():
                first, _, second = pair.partition("-")
                if isinstance(best, str) and best in (first, second) and {first, second} <= set(throws.values()):
                    pairs[Throw(best), Throw(second if best == first else first)] = None
            continue
        winning, losing = (
            [throw for seat, throw in throws.items() if outcomes.get(seat) is outcome]
            for outcome in (Outcome.WON, Outcome.LOST)
        )
        pairs |= dict.fromkeys((winner, loser) for winner in winning for loser in losing if winner is not loser)
    return tuple(pairs)


def seat_values(fact: Json) -> dict[Seat, Json]:
    """Return a fact's values by seat; {} if it has none."""
    return {int(seat): value for seat, value in fact.items()} if isinstance(fact, Mapping) else {}


def _seat_list(fact: Json) -> tuple[Seat, ...]:
    listed = fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()
    return tuple(seat for seat in listed if isinstance(seat, int))


def _winning_seats(facts: Facts) -> set[Seat]:
    """Return the seat that an event names, or those that are left."""
    named = facts.get("seat")
    return {named} if isinstance(named, int) else set(_seat_list(facts.get("left")))


def _outcomes_of_two(seats: Sequence[Seat], first: Outcome) -> dict[Seat, Outcome]:
    """Return the outcomes of both players of a round, from the first one's."""
    second = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON}.get(first, first)
    return {seats[0]: first, seats[1]: second}
