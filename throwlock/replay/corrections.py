"""The effect of a correction: what people can correct in a match, and what then counts of it."""

from collections import Counter
from collections.abc import Sequence

from errors import ThrowlockError
from messages import N
from rules.engine import BOX, Game, IllegalAnswerError, Play, Prompt, Seat, Value
from rules.record.match import REFEREE
from rules.record.round import RoundView
from rules.text import card_word
from rules.throws import Throw
from throwlock.journal.events import Answered, Body, Corrected, DisputeRejected, Round
from throwlock.journal.journal import Event
from throwlock.replay.answers import EffectiveAnswers, effective_answers
from throwlock.replay.project import project
from ui.text import verdicts
from ui.text.rounds import round_title

ROUND_PROMPTS = ("throw", "move")
"""The kinds of prompt that a round is about."""
MAX_DISPUTABLE_ROUNDS = 5
"""How many of the last rounds can be disputed."""


class CorrectionError(ThrowlockError, ValueError):
    """The correction is not possible; the message says why."""


def plan_correction(game: Game, events: Sequence[Event], number: int, seat: Seat | None, to: Value = None) -> Corrected:
    """Plan to read ``seat``'s throw in the round of event ``number`` as ``to``; without a ``seat``, to make it void.

    The event has no sentence yet. A void round counts as soon as no reading is unsettled; it then replaces the round
    thrown instead. Later answers still count until the first one that the game would no longer ask for in the same way;
    that one and all after it are dropped.

    Raises:
        CorrectionError: The round can't be corrected like this.
    """
    line = disputed_round(game, events, number)
    assert line.prompt is not None  # it is still asked
    prompt, readings = line.prompt, line.readings
    answers_by_event = effective_answers(events)
    later = [other for other in answers_by_event if other > number]
    if seat is None:
        if number not in answers_by_event:
            raise CorrectionError(N("the round is already void"))
        return Corrected(round=number, seat=None, previous=None, to=None, answers=None, dropped=tuple(later))
    if seat not in readings:
        raise CorrectionError(N("seat {seat} did not throw in the round of event {number}", seat=seat, number=number))
    previous = readings[seat]
    if previous == to and seat not in line.unsettled_seats:
        raise CorrectionError(N("seat {seat} is already read as {throw}", seat=seat, throw=card_word(to)))
    answers = {**readings, seat: to}
    if not _allows(prompt, seat, to):
        throw = card_word(to) if to else N("nothing")
        raise CorrectionError(
            N("seat {seat} can't have thrown {throw}: the game does not allow it", seat=seat, throw=throw)
        )
    if line.unsettled_seats - {seat}:
        return Corrected(round=number, seat=seat, previous=previous, to=to, answers=None, dropped=())
    try:
        prompt.check(answers)
    except IllegalAnswerError as error:
        raise CorrectionError(error.text) from error
    replacements = [] if number in answers_by_event else later[:1]
    changed = {**_before(answers_by_event, number), number: answers}
    remaining = _still_asked(game, answers_by_event, changed, later[len(replacements) :])
    dropped = tuple(other for other in later if other not in remaining)
    return Corrected(round=number, seat=seat, previous=previous, to=to, answers=answers, dropped=dropped)


def correction_event(
    game: Game, events: Sequence[Event], number: int, seat: Seat | None, to: Value = None
) -> Corrected:
    """Return the event of ``plan_correction``, with its sentence. Raises CorrectionError."""
    planned = plan_correction(game, events, number, seat, to)
    player = None if seat is None else verdicts.seat_placeholders([seat])[seat]
    void, title = planned.answers is None, round_title(disputed_round(game, events, number))
    text = verdicts.correction_sentence(title, player, planned.previous, planned.to, void, len(planned.dropped))
    return planned.model_copy(update={"text": text})


def rejection_event(game: Game, events: Sequence[Event], number: int) -> DisputeRejected:
    """Return the event of a dispute about the round of event ``number`` after which its verdict stands. Raises
    CorrectionError as ``disputed_round`` does."""
    text = verdicts.dispute_rejected_sentence(round_title(disputed_round(game, events, number)))
    return DisputeRejected(round=number, text=text)


def plan_undo(events: Sequence[Event]) -> Corrected:
    """Plan to take back the newest answers that people entered, and what the box drew after them.

    The event has no sentence yet. Only answers of the last round can be taken back, that is after the throw or move
    before the last one; a judged throw is disputed instead.

    Raises:
        CorrectionError: There is nothing to take back.
    """
    by_number = {event.number: event.body for event in events}
    rounds = [event.number for event in events if event.round or _is_entered(event.body, ROUND_PROMPTS)]
    first = rounds[-2] if len(rounds) > 1 else 0
    later: list[int] = []
    for number in reversed(effective_answers(events)):
        body = by_number[number]
        if number <= first or isinstance(body, Round):
            break
        if _is_entered(body):
            return Corrected(round=number, seat=None, previous=None, to=None, answers=None, dropped=tuple(later[::-1]))
        later.append(number)
    raise CorrectionError(N("there is nothing to take back"))


def plan_break_off(events: Sequence[Event]) -> Corrected:
    """Plan to break a round off before anybody throws or moves, back to the optional prompt before it, which nobody had
    answered. The event has no sentence yet.

    Raises:
        CorrectionError: There is no such prompt, or the round has its first throw or move.
    """
    by_number = {event.number: event.body for event in events}
    later: list[int] = []
    for number in reversed(effective_answers(events)):
        body = by_number[number]
        if isinstance(body, Round) or _is_entered(body, ROUND_PROMPTS):
            break
        if is_skipped(body):
            return Corrected(round=number, seat=None, previous=None, to=None, answers=None, dropped=tuple(later[::-1]))
        later.append(number)
    raise CorrectionError(N("the round has begun"))


def is_skipped(body: Body) -> bool:
    """Whether an event is an optional prompt that nobody answered."""
    return isinstance(body, Answered) and not body.answers


def _is_entered(body: Body, prompts: Sequence[str] = ()) -> bool:
    """Whether an event has answers that people entered, to one of ``prompts`` if any are given."""
    if not isinstance(body, Answered) or not any(seat != BOX for seat in body.answers):
        return False
    return not prompts or body.prompt in prompts


def disputed_round(game: Game, events: Sequence[Event], number: int) -> RoundView:
    """Return the round of event ``number``. Raises CorrectionError if that event is not a round, or if corrections have
    changed the match so that the game no longer asks for it."""
    rounds = project(events, REFEREE, game=game).rounds
    line = next((line for line in rounds if line.event == number), None)
    if line is None:
        raise CorrectionError(N("event {number} is not a round", number=number))
    if not line.is_still_asked:
        raise CorrectionError(N("corrections have removed the round of event {number} from the match", number=number))
    return line


def disputable_rounds(game: Game, events: Sequence[Event], limit: int) -> list[int]:
    """Return the numbers of the last disputable rounds, newest first, at most ``limit``."""
    rounds = project(events, REFEREE, game=game).rounds
    return [line.event for line in reversed(rounds) if line.is_still_asked][:limit]


def count_fouls(events: Sequence[Event]) -> dict[Seat, int]:
    """Count each seat's fouls; one whose reading was corrected does not count."""
    corrected = {(event.body.round, event.body.seat) for event in events if isinstance(event.body, Corrected)}
    count: Counter[Seat] = Counter()
    for event in events:
        if event.round:
            count.update(seat for seat in event.round.fouls if (event.number, seat) not in corrected)
    return dict(count)


def find_round(events: Sequence[Event], number: int) -> Round:
    """Return the round of event ``number``. Raises CorrectionError if that event is not a round."""
    body = next((event.body for event in events if event.number == number), None)
    if not isinstance(body, Round):
        raise CorrectionError(N("event {number} is not a round", number=number))
    return body


def _allows(prompt: Prompt, seat: Seat, value: Value) -> bool:
    if value is None:
        return prompt.allow_no_answer or prompt.seconds is not None
    return prompt.seats[seat].allows(value)


def allowed_readings(prompt: Prompt, seat: Seat) -> tuple[Value, ...]:
    """Return what a throw of ``seat`` can be corrected to; None is no throw."""
    return tuple(value for value in (*map(str, Throw), None) if _allows(prompt, seat, value))


def _still_asked(
    game: Game, answers_by_event: EffectiveAnswers, changed: EffectiveAnswers, later: Sequence[int]
) -> set[int]:
    """Return which of the ``later`` answers still count after ``changed``, the answers up to the corrected round."""
    _, asked = _replay(game, answers_by_event)
    play, _ = _replay(game, changed)
    remaining: set[int] = set()
    for number in later:
        if play.prompt is None or play.prompt.as_json() != asked[number]:
            break
        try:
            play.answer(answers_by_event[number])
        except IllegalAnswerError:
            break
        remaining.add(number)
    return remaining


def _replay(game: Game, answers_by_event: EffectiveAnswers) -> tuple[Play, dict[int, object]]:
    """Return the game after these answers, and the prompt, as JSON, that each of them answered."""
    play, asked = Play(game), dict[int, object]()
    for number, answers in answers_by_event.items():
        asked[number] = play.prompt and play.prompt.as_json()
        play.answer(answers)
    return play, asked


def _before(answers_by_event: EffectiveAnswers, number: int) -> EffectiveAnswers:
    return {other: answers for other, answers in answers_by_event.items() if other < number}
