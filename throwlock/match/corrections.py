"""What counts of a match: its answers with the corrections people agreed on, and what a further correction would do.
Nothing in the journal is ever changed; a correction is an event that says what it makes of the answers before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errors import ThrowlockError
from rules.engine import Answers, Ask, Game, IllegalAnswerError, Play, Seat, Value
from throwlock.journal.journal import Event

CORRECTION, UPHELD = "correction", "upheld"
"""The events of a dispute: a reading corrected or a round made void; and a dispute after which the verdict stands."""
DISPUTES = (CORRECTION, UPHELD)
Course = dict[int, dict[Seat, Value]]
"""The answers that count, by the number of the event they were given in."""


class CorrectionError(ThrowlockError, ValueError):
    """A correction that can't be made. The message says why."""


def as_json(answers: Answers) -> dict[str, Value]:
    """Answers as an event's body has them."""
    return {str(seat): value for seat, value in answers.items()}


def from_json(answers: Mapping[str, Value]) -> dict[Seat, Value]:
    """The answers in an event's body."""
    return {int(seat): value for seat, value in answers.items()}


def course_in(events: Sequence[Event]) -> Course:
    """The answers that count after ``events``, in order: a round that was corrected has its corrected answers in its
    own place; what a correction dropped is not there. Raises KeyError, TypeError, ValueError or AttributeError where an
    event can't be read."""
    course: Course = {}
    for event in events:
        if event.kind == "answer":
            course[event.number] = from_json(event.body["answers"])
        elif event.kind == CORRECTION:
            for number in (event.body["round"], *event.body["dropped"]):
                course.pop(number, None)
            if event.body["answers"] is not None:
                course[event.body["round"]] = from_json(event.body["answers"])
                course = dict(sorted(course.items()))
    return course


@dataclass(frozen=True)
class Readings:
    """What the seats of a thrown round are read as. ``values`` is what counts of each, or would; ``open`` are the seats
    whose foul (or the camera's) makes the round void until people agree on a reading of theirs."""

    values: Mapping[Seat, Value]
    open: frozenset[Seat]


def readings_of(events: Sequence[Event], number: int) -> Readings:
    """How the round thrown in event ``number`` is read after ``events``. Raises CorrectionError when that is no thrown
    round of theirs."""
    thrown = _event(events, number)
    if thrown is None or "judgement" not in thrown.body:
        raise CorrectionError(f"event {number} is no round that was thrown")
    if thrown.kind == "answer":
        values, unsettled = from_json(thrown.body["answers"]), set[Seat]()
    else:
        seats = thrown.body["judgement"]["seats"].items()
        values = {int(seat): one["throw" if one["verdict"] == "late" else "at_lock"] for seat, one in seats}
        unsettled = set(thrown.body.get("fouls") or values)
    for event in _corrections(events, number):
        if event.body["seat"] is None:
            unsettled = set(values)
        else:
            values[event.body["seat"]] = event.body["to"]
            unsettled.discard(event.body["seat"])
    return Readings(values, frozenset(unsettled))


@dataclass(frozen=True)
class Correction:
    """What a correction makes of a match. ``answers`` are the round's from now on (None: the round is void),
    ``dropped`` the events whose answers no longer count: they are asked again, if at all."""

    number: int
    seat: Seat | None
    was: Value
    to: Value
    answers: Mapping[Seat, Value] | None
    dropped: tuple[int, ...]

    def body(self) -> dict[str, Any]:
        """What the journal keeps of it."""
        return {
            "round": self.number,
            "seat": self.seat,
            "from": self.was,
            "to": self.to,
            "answers": None if self.answers is None else as_json(self.answers),
            "dropped": list(self.dropped),
        }


def correction(game: Game, events: Sequence[Event], number: int, seat: Seat | None, to: Value = None) -> Correction:
    """What comes of reading ``seat``'s throw as ``to`` in the round of event ``number``; with no ``seat``, of making
    the round void. A round that was void counts once nobody's reading is open, in place of what was thrown instead.

    An answer given later counts on as long as the game asks for it as it did; from the first that it does not, all are
    dropped. Raises CorrectionError when the round can't be corrected so.
    """
    ask = disputed(game, events, number)
    readings = readings_of(events, number)
    course = course_in(events)
    later = [other for other in course if other > number]
    if seat is None:
        if number not in course:
            raise CorrectionError("the round is void already")
        return Correction(number, None, None, None, None, tuple(later))
    if seat not in readings.values:
        raise CorrectionError(f"seat {seat} did not throw in the round of event {number}")
    was = readings.values[seat]
    if was == to and seat not in readings.open:
        raise CorrectionError(f"seat {seat} is read as {to or 'no throw'} already")
    answers = {**readings.values, seat: to}
    if not _allows(ask, seat, to):
        raise CorrectionError(f"seat {seat} can't have thrown {to or 'nothing'}: the game does not allow it")
    if readings.open - {seat}:
        return Correction(number, seat, was, to, None, ())
    try:
        ask.check(answers)
    except IllegalAnswerError as error:
        raise CorrectionError(str(error)) from error
    instead = [] if number in course else later[:1]
    before = {other: course[other] for other in course if other < number}
    kept = _still_asked(game, course, {**before, number: answers}, later[len(instead) :])
    return Correction(number, seat, was, to, answers, tuple(other for other in later if other not in kept))


def disputed(game: Game, events: Sequence[Event], number: int) -> Ask:
    """What the round of event ``number`` answered. Raises CorrectionError where the match has taken another course
    since, in which that was never asked."""
    thrown = _event(events, number)
    if thrown is None or "judgement" not in thrown.body:
        raise CorrectionError(f"event {number} is no round that was thrown")
    then = asked_after(game, course_in([event for event in events if event.number < number]).values())
    course = course_in(events)
    now = asked_after(game, [course[other] for other in course if other < number])
    if then is None or now is None or then.as_json() != now.as_json():
        raise CorrectionError(f"the match has taken another course since the round of event {number}")
    return now


def asked_after(game: Game, answers: Iterable[Answers]) -> Ask | None:
    """What the game asks after ``answers``."""
    play = Play(game)
    for one in answers:
        play.answer(one)
    return play.asked


def disputable(game: Game, events: Sequence[Event], most: int) -> list[int]:
    """The events of the last rounds that can be disputed, the newest first, no more than ``most``."""
    found: list[int] = []
    for event in reversed(events):
        if "judgement" in event.body:
            try:
                disputed(game, events, event.number)
            except CorrectionError:
                continue
            found.append(event.number)
        if len(found) == most:
            break
    return found


def fouls_in(events: Sequence[Event]) -> dict[Seat, int]:
    """How many fouls each seat has so far; one whose reading was corrected was none."""
    count: dict[Seat, int] = {}
    for event in events:
        corrected = {one.body["seat"] for one in _corrections(events, event.number)}
        for seat in event.body.get("fouls", []):
            if seat not in corrected:
                count[seat] = count.get(seat, 0) + 1
    return count


def _corrections(events: Sequence[Event], number: int) -> Iterator[Event]:
    return (event for event in events if event.kind == CORRECTION and event.body["round"] == number)


def _event(events: Sequence[Event], number: int) -> Event | None:
    return next((event for event in events if event.number == number), None)


def _allows(ask: Ask, seat: Seat, value: Value) -> bool:
    """Whether the game takes ``value`` of ``seat``."""
    if value is None:
        return ask.no_answer or ask.seconds is not None
    return ask.seats[seat].allows(value)


def readable(ask: Ask, seat: Seat, values: Sequence[Value]) -> tuple[Value, ...]:
    """Those of ``values`` that a throw of ``seat`` can be corrected to."""
    return tuple(value for value in values if _allows(ask, seat, value))


def _still_asked(game: Game, course: Course, changed: Course, later: Sequence[int]) -> set[int]:
    """Which of the ``later`` answers go on counting after ``changed``, the answers up to the corrected round."""
    asks: dict[int, object] = {}
    play = Play(game)
    for number, answers in course.items():
        asks[number] = play.asked and play.asked.as_json()
        play.answer(answers)
    kept: set[int] = set()
    play = Play(game)
    for answers in changed.values():
        play.answer(answers)
    for number in later:
        if play.asked is None or play.asked.as_json() != asks[number]:
            break
        try:
            play.answer(course[number])
        except IllegalAnswerError:
            break
        kept.add(number)
    return kept
