"""The answers of a match that count, with the corrections people agreed on, and the effect of a further correction.

The journal is never changed: a correction is an event that replaces or drops earlier answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errors import ThrowlockError
from rules.engine import Answers, Game, IllegalAnswerError, Play, Prompt, Seat, Value
from throwlock.journal.journal import CORRECTION, DISPUTE_REJECTED, Event

DISPUTE_KINDS = (CORRECTION, DISPUTE_REJECTED)
EffectiveAnswers = dict[int, dict[Seat, Value]]
"""The answers that count, by the number of their event."""


class CorrectionError(ThrowlockError, ValueError):
    """The correction is not possible; the message says why."""


def answers_to_json(answers: Answers) -> dict[str, Value]:
    """Return answers as they are stored in an event's body."""
    return {str(seat): value for seat, value in answers.items()}


def answers_from_json(answers: Mapping[str, Value]) -> dict[Seat, Value]:
    """Return the answers stored in an event's body."""
    return {int(seat): value for seat, value in answers.items()}


def effective_answers(events: Sequence[Event]) -> EffectiveAnswers:
    """Return the answers that count after ``events``, in order. A corrected round keeps its place; dropped answers are
    left out.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: An event can't be read.
    """
    answers_by_event: EffectiveAnswers = {}
    for event in events:
        if event.kind == "answer":
            answers_by_event[event.number] = answers_from_json(event.body["answers"])
        elif event.kind == CORRECTION:
            for number in (event.body["round"], *event.body["dropped"]):
                answers_by_event.pop(number, None)
            if event.body["answers"] is not None:
                answers_by_event[event.body["round"]] = answers_from_json(event.body["answers"])
                answers_by_event = dict(sorted(answers_by_event.items()))
    return answers_by_event


@dataclass(frozen=True)
class RoundReadings:
    """The readings of a round: ``values`` by seat, as they count or would count. ``unsettled`` are the seats that make
    the round void, through a foul or the camera, until people agree on a reading."""

    values: Mapping[Seat, Value]
    unsettled: frozenset[Seat]


def readings_after(events: Sequence[Event], number: int) -> RoundReadings:
    """Return how the round of event ``number`` is read after ``events``. Raises CorrectionError if that event is not a
    round."""
    thrown = _event(events, number)
    if thrown is None or "judgement" not in thrown.body:
        raise CorrectionError(f"event {number} is not a round")
    if thrown.kind == "answer":
        values, unsettled = answers_from_json(thrown.body["answers"]), set[Seat]()
    else:
        seats = thrown.body["judgement"]["seats"].items()
        values = {int(seat): judged["throw" if judged["verdict"] == "late" else "at_lock"] for seat, judged in seats}
        unsettled = set(thrown.body.get("fouls") or values)
    for event in _corrections(events, number):
        if event.body["seat"] is None:
            unsettled = set(values)
        else:
            values[event.body["seat"]] = event.body["to"]
            unsettled.discard(event.body["seat"])
    return RoundReadings(values, frozenset(unsettled))


@dataclass(frozen=True)
class Correction:
    """A correction of the round of event ``event_number``: the reading of ``seat`` changes from ``previous`` to ``to``
    (``seat`` None: the round becomes void). ``answers`` are the round's new answers (None: void); ``dropped`` are the
    events whose answers no longer count."""

    event_number: int
    seat: Seat | None
    previous: Value
    to: Value
    answers: Mapping[Seat, Value] | None
    dropped: tuple[int, ...]

    def event_body(self) -> dict[str, Any]:
        """Return the body of the correction's journal event."""
        return {
            "round": self.event_number,
            "seat": self.seat,
            "from": self.previous,
            "to": self.to,
            "answers": None if self.answers is None else answers_to_json(self.answers),
            "dropped": list(self.dropped),
        }


def plan_correction(
    game: Game, events: Sequence[Event], number: int, seat: Seat | None, to: Value = None
) -> Correction:
    """Plan to read ``seat``'s throw in the round of event ``number`` as ``to``; without a ``seat``, to make it void.

    A void round counts as soon as no reading is unsettled; it then replaces the round thrown instead. Later answers
    still count until the first one that the game would no longer ask for in the same way; that one and all after it are
    dropped.

    Raises:
        CorrectionError: The round can't be corrected like this.
    """
    prompt = disputed_ask(game, events, number)
    readings = readings_after(events, number)
    answers_by_event = effective_answers(events)
    later = [other for other in answers_by_event if other > number]
    if seat is None:
        if number not in answers_by_event:
            raise CorrectionError("the round is already void")
        return Correction(number, None, None, None, None, tuple(later))
    if seat not in readings.values:
        raise CorrectionError(f"seat {seat} did not throw in the round of event {number}")
    previous = readings.values[seat]
    if previous == to and seat not in readings.unsettled:
        raise CorrectionError(f"seat {seat} is already read as {to or 'no throw'}")
    answers = {**readings.values, seat: to}
    if not _allows(prompt, seat, to):
        raise CorrectionError(f"seat {seat} can't have thrown {to or 'nothing'}: the game does not allow it")
    if readings.unsettled - {seat}:
        return Correction(number, seat, previous, to, None, ())
    try:
        prompt.check(answers)
    except IllegalAnswerError as error:
        raise CorrectionError(str(error)) from error
    replacements = [] if number in answers_by_event else later[:1]
    earlier = {other: answers_by_event[other] for other in answers_by_event if other < number}
    remaining = _still_asked(game, answers_by_event, {**earlier, number: answers}, later[len(replacements) :])
    return Correction(number, seat, previous, to, answers, tuple(other for other in later if other not in remaining))


def disputed_ask(game: Game, events: Sequence[Event], number: int) -> Prompt:
    """Return the prompt that the round of event ``number`` answered. Raises CorrectionError if corrections have changed
    the match so that the game no longer asks it."""
    thrown = _event(events, number)
    if thrown is None or "judgement" not in thrown.body:
        raise CorrectionError(f"event {number} is not a round")
    asked_then = ask_after(game, effective_answers([event for event in events if event.number < number]).values())
    answers_by_event = effective_answers(events)
    asked_now = ask_after(game, [answers_by_event[other] for other in answers_by_event if other < number])
    if asked_then is None or asked_now is None or asked_then.as_json() != asked_now.as_json():
        raise CorrectionError(f"corrections have removed the round of event {number} from the match")
    return asked_now


def ask_after(game: Game, answers: Iterable[Answers]) -> Prompt | None:
    """Return the game's prompt after ``answers``; None if it has ended."""
    play = Play(game)
    for each_answers in answers:
        play.answer(each_answers)
    return play.prompt


def disputable_rounds(game: Game, events: Sequence[Event], limit: int) -> list[int]:
    """Return the numbers of the last disputable rounds, newest first, at most ``limit``."""
    found: list[int] = []
    for event in reversed(events):
        if "judgement" in event.body:
            try:
                disputed_ask(game, events, event.number)
            except CorrectionError:
                continue
            found.append(event.number)
        if len(found) == limit:
            break
    return found


def count_fouls(events: Sequence[Event]) -> dict[Seat, int]:
    """Count each seat's fouls; one whose reading was corrected does not count."""
    count: dict[Seat, int] = {}
    for event in events:
        corrected = {correction.body["seat"] for correction in _corrections(events, event.number)}
        for seat in event.body.get("fouls", []):
            if seat not in corrected:
                count[seat] = count.get(seat, 0) + 1
    return count


def _corrections(events: Sequence[Event], number: int) -> Iterator[Event]:
    return (event for event in events if event.kind == CORRECTION and event.body["round"] == number)


def _event(events: Sequence[Event], number: int) -> Event | None:
    return next((event for event in events if event.number == number), None)


def _allows(prompt: Prompt, seat: Seat, value: Value) -> bool:
    """Whether the game allows ``value`` from ``seat``."""
    if value is None:
        return prompt.allow_no_answer or prompt.seconds is not None
    return prompt.seats[seat].allows(value)


def allowed_readings(prompt: Prompt, seat: Seat, values: Sequence[Value]) -> tuple[Value, ...]:
    """Return those of ``values`` that a throw of ``seat`` can be corrected to."""
    return tuple(value for value in values if _allows(prompt, seat, value))


def _still_asked(
    game: Game, answers_by_event: EffectiveAnswers, changed: EffectiveAnswers, later: Sequence[int]
) -> set[int]:
    """Return which of the ``later`` answers still count after ``changed``, the answers up to the corrected round."""
    asks: dict[int, object] = {}
    play = Play(game)
    for number, answers in answers_by_event.items():
        asks[number] = play.prompt and play.prompt.as_json()
        play.answer(answers)
    remaining: set[int] = set()
    play = Play(game)
    for answers in changed.values():
        play.answer(answers)
    for number in later:
        if play.prompt is None or play.prompt.as_json() != asks[number]:
            break
        try:
            play.answer(answers_by_event[number])
        except IllegalAnswerError:
            break
        remaining.add(number)
    return remaining
