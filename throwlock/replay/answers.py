"""The answers of a match that count, with the corrections people agreed on.

The journal is never changed: a correction is an event that replaces or drops earlier answers."""

from collections.abc import Iterable

from rules.engine import Seat, Value
from throwlock.journal.events import Answered, Corrected, RoundJudged
from throwlock.journal.journal import Event

EffectiveAnswers = dict[int, dict[Seat, Value]]
"""The answers that count, by the number of their event."""


def effective_answers(events: Iterable[Event]) -> EffectiveAnswers:
    """Return the answers that count after ``events``, in order. A corrected round keeps its place; dropped answers are
    left out."""
    answers_by_event: EffectiveAnswers = {}
    for event in events:
        take_answers(answers_by_event, event)
    return answers_by_event


def take_answers(answers_by_event: EffectiveAnswers, event: Event) -> None:
    """Change the answers that count by the match's next event."""
    match event.body:
        case Answered(answers=answers) | RoundJudged(answers=answers):
            answers_by_event[event.number] = dict(answers)
        case Corrected(round=number, dropped=dropped, answers=corrected):
            for taken_back in (number, *dropped):
                answers_by_event.pop(taken_back, None)
            if corrected is not None:
                in_order = sorted({**answers_by_event, number: dict(corrected)}.items())
                answers_by_event.clear()
                answers_by_event.update(in_order)
