"""Who won, lost or tied each thrown round of a match, with the answers that count."""

from collections.abc import Mapping, Sequence
from itertools import chain

from rules.engine import Answers, GameEvent, IllegalAnswerError, Play, Seat
from rules.throws import Throw, to_throw
from throwlock.journal.events import Round
from throwlock.journal.journal import Event, JournalError, match_started
from throwlock.replay.answers import EffectiveAnswers, effective_answers
from throwlock.replay.config import config_from_events
from ui.charts.statistics import ThrowOutcome

OutcomesByRound = dict[int, dict[Seat, ThrowOutcome]]
"""Outcomes by the number of the round's event, and by seat."""
THROW_WORDS = frozenset(Throw)


def round_outcomes(events: Sequence[Event]) -> OutcomesByRound:
    """Return the outcomes of a match's rounds that count. A seat with nobody to compare with has none; a match of
    another version of its rules, whose opponents only a replay shows, has none at all.

    Everybody plays against everybody, except for the pairs of RPS Redeux; in Battle, where options change what beats
    what, the game's own outcome counts.
    """
    started, counting = match_started(events), effective_answers(events)
    thrown = [event.number for event in events if event.round and event.number in counting]
    if started.game == "battle" or (started.game == "redeux" and started.seats > 2):
        try:
            return _replayed_outcomes(events, counting)
        except (JournalError, IllegalAnswerError):
            return {}
    return {number: compare_throws(counting[number]) for number in thrown}


def compare_throws(answers: Answers) -> dict[Seat, ThrowOutcome]:
    """Return who won and lost: who beats somebody and is beaten by nobody, and the reverse; all others tied. Answers
    that are no throws have no outcomes."""
    if len(answers) < 2 or not all(answer is None or answer in THROW_WORDS for answer in answers.values()):
        return {}
    throws = {seat: to_throw(answer) for seat, answer in answers.items()}
    return {
        seat: _outcome(throw, [other for at, other in throws.items() if at != seat]) for seat, throw in throws.items()
    }


def _outcome(throw: Throw | None, others: Sequence[Throw | None]) -> ThrowOutcome:
    beats = throw is not None and any(throw.beats(other) for other in others)
    is_beaten = any(other is not None and other.beats(throw) for other in others)
    if beats == is_beaten:
        return ThrowOutcome.TIED
    return ThrowOutcome.WON if beats else ThrowOutcome.LOST


BATTLE_OUTCOMES: Mapping[str, ThrowOutcome] = {
    "win": ThrowOutcome.WON,
    "loss": ThrowOutcome.LOST,
    "tie": ThrowOutcome.TIED,
}


def _replayed_outcomes(events: Sequence[Event], counting: EffectiveAnswers) -> OutcomesByRound:
    """Play the match again: RPS Redeux reports its pairs, Battle everybody's outcome of a round. Raises JournalError or
    IllegalAnswerError."""
    play = Play(config_from_events(events).game)
    pairs = _pairs(play.events)
    outcomes: OutcomesByRound = {}
    unsettled: OutcomesByRound = {}
    is_round = {event.number: isinstance(event.body, Round) for event in events}
    for number, answers in counting.items():
        told = play.answer(answers)
        if is_round[number]:
            grouped = [{seat: answers[seat] for seat in pair if seat in answers} for pair in pairs]
            outcomes[number] = dict(chain.from_iterable(compare_throws(one).items() for one in grouped))
            unsettled[number] = dict.fromkeys(answers, ThrowOutcome.TIED)
        pairs = _pairs(told) or pairs
        for event in told:
            if event.kind == "round" and "outcomes" in event.facts:
                words = facts_by_seat(event, "outcomes")
                for before, seats in unsettled.items():
                    outcomes[before] = {seat: BATTLE_OUTCOMES[words[seat]] for seat in seats if seat in words}
                unsettled = {}
    return outcomes


def facts_by_seat(event: GameEvent, name: str) -> dict[Seat, str]:
    """Return a fact of an event that has a value for each seat; {} if it has none such."""
    fact = event.facts.get(name)
    return {int(seat): str(value) for seat, value in fact.items()} if isinstance(fact, Mapping) else {}


def _pairs(told: Sequence[GameEvent]) -> list[list[Seat]]:
    """Return the pairs that the last of these events names; [] without any."""
    pairs = next((event.facts["pairs"] for event in reversed(told) if event.kind == "pairs"), ())
    if not isinstance(pairs, Sequence):
        return []
    return [[int(str(seat)) for seat in pair] for pair in pairs if isinstance(pair, Sequence)]
