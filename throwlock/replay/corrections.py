"""The effect of a correction: what people can correct in a match, and what then counts of it."""

from collections import Counter
from collections.abc import Sequence

from errors import ThrowlockError
from messages import N
from rules.engine import BOX, Answers, Game, IllegalAnswerError, Play, Prompt, SealedPrompt, Seat, Value
from rules.events import ThrowsShown
from rules.record.match import MatchView, StepView
from rules.record.round import RoundView
from rules.text import card_word
from rules.throws import Throw
from throwlock.journal.events import Answered, Body, Corrected, DisputeRejected, Round
from throwlock.journal.journal import Event
from throwlock.replay.answers import effective_answers
from ui.text import verdicts
from ui.text.rounds import round_title

ROUND_PROMPTS = ("throw", "move")
"""The kinds of prompt that a round is about."""
MAX_DISPUTABLE_ROUNDS = 5
"""How many of the last rounds can be disputed."""


class CorrectionError(ThrowlockError, ValueError):
    """The correction is not possible; the message says why."""


class RevealedError(CorrectionError):
    """The answers can't be taken back: what they led to has been shown."""


def plan_correction(match: MatchView, number: int, seat: Seat | None, to: Value = None) -> Corrected:
    """Plan to read ``seat``'s throw in the round of event ``number`` as ``to``; without a ``seat``, to make it void.
    ``match`` is as the referee sees it.

    The event has no sentence yet. A void round counts as soon as no reading is unsettled; it then replaces the round
    thrown instead. Later answers still count until the first one that the game would no longer ask for in the same way;
    that one and all after it are dropped.

    Raises:
        CorrectionError: The round can't be corrected like this.
    """
    line = disputed_round(match, number)
    assert line.prompt is not None and match.game is not None  # it is still asked
    prompt, readings = line.prompt, line.readings
    later = [step for step in match.steps if step.event > number and _counts(step)]
    if seat is None:
        if line.is_void:
            raise CorrectionError(N("the round is already void"))
        dropped = tuple(step.event for step in later)
        return Corrected(round=number, seat=None, previous=None, to=None, answers=None, dropped=dropped)
    if seat not in readings:
        raise CorrectionError(N("seat {seat} did not throw in the round of event {number}", seat=seat, number=number))
    previous = readings[seat]
    if previous == to and seat not in line.unsettled_seats:
        raise CorrectionError(N("seat {seat} is already read as {throw}", seat=seat, throw=card_word(to)))
    answers = {**readings, seat: to}
    if not _allows(prompt, seat, to):
        throw = card_word(to) if to else N("nothing")
        raise CorrectionError(
            N("seat {seat} can’t have thrown {throw}: the game does not allow it", seat=seat, throw=throw)
        )
    if line.unsettled_seats - {seat}:
        return Corrected(round=number, seat=seat, previous=previous, to=to, answers=None, dropped=())
    try:
        prompt.check(answers)
    except IllegalAnswerError as error:
        raise CorrectionError(error.text) from error
    before = [step.answers or {} for step in match.steps if step.event < number and _counts(step)]
    replaced = later[:1] if line.is_void else []
    remaining = _still_asked(match.game, [*before, answers], later[len(replaced) :])
    dropped = tuple(step.event for step in later if step.event not in remaining)
    return Corrected(round=number, seat=seat, previous=previous, to=to, answers=answers, dropped=dropped)


def _counts(step: StepView | RoundView) -> bool:
    """Whether a step has answers that count."""
    return not step.is_void if isinstance(step, RoundView) else step.answers is not None


def correction_event(match: MatchView, number: int, seat: Seat | None, to: Value = None) -> Corrected:
    """Return the event of ``plan_correction``, with its sentence. Raises CorrectionError."""
    planned = plan_correction(match, number, seat, to)
    player = None if seat is None else verdicts.seat_placeholders([seat])[seat]
    void, title = planned.answers is None, round_title(disputed_round(match, number))
    text = verdicts.correction_sentence(title, player, planned.previous, planned.to, void, len(planned.dropped))
    return planned.model_copy(update={"text": text})


def rejection_event(match: MatchView, number: int) -> DisputeRejected:
    """Return the event of a dispute about the round of event ``number`` after which its verdict stands. Raises
    CorrectionError as ``disputed_round`` does."""
    text = verdicts.dispute_rejected_sentence(round_title(disputed_round(match, number)))
    return DisputeRejected(round=number, text=text)


def plan_undo(events: Sequence[Event]) -> Corrected:
    """Plan to take back the newest answers that people entered, and what the box drew after them, whether or not
    something was revealed since: in older journals such answers were taken back too.

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


def plan_undo_before_reveal(match: MatchView, events: Sequence[Event]) -> Corrected:
    """Plan as ``plan_undo``, for people who play: nothing is taken back that led to a reveal or a showdown, or comes
    before one, whatever the game. ``match`` is as the referee sees it. RPS Redeux "removed the option to rescind bets"
    (redeux.txt, Adding Strategy): whoever has seen the others' cards would bet or place anew.

    A throw or a move that was entered on the screen is not kept secret from anybody there: while it is the last thing
    that was shown, it can be entered again.

    Raises:
        CorrectionError: There is nothing to take back, or it has led to something that was revealed.
    """
    planned = plan_undo(events)
    bodies = {event.number: event.body for event in events}
    thrown = {number for number, body in bodies.items() if _is_entered(body, ("throw",))}  # taken back, yet seen
    shown = max(thrown | _reveals(match), default=0)
    if planned.round < shown or (planned.round == shown and not _is_entered(bodies[shown], ROUND_PROMPTS)):
        raise RevealedError(N("Undo ends here: what was played has been shown."))
    return planned


def _reveals(match: MatchView) -> set[int]:
    """Return the numbers of the events after which somebody has seen what was hidden: throws, cards that were turned
    over, answers that were sealed, and cards that the box has dealt."""
    reveals, opened_by = set[int](), set[str]()
    for step in match.steps:
        prompt = step.prompt
        if prompt is not None and prompt.is_private and prompt.opened_by:
            opened_by.add(prompt.opened_by)
        is_sealed = isinstance(prompt, SealedPrompt) and prompt.opened_by is None and len(prompt.seats) > 1
        is_dealt = prompt is not None and BOX in prompt.seats and any(event.only is not None for event in step.events)
        if _counts(step) and (
            is_sealed
            or is_dealt
            or any(isinstance(event, ThrowsShown) or event.kind in opened_by for event in step.events)
        ):
            reveals.add(step.event)
    return reveals


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


def disputed_round(match: MatchView, number: int) -> RoundView:
    """Return the round of event ``number``. Raises CorrectionError if that event is not a round, or if corrections have
    changed the match so that the game no longer asks for it."""
    line = next((line for line in match.rounds if line.event == number), None)
    if line is None:
        raise CorrectionError(N("event {number} is not a round", number=number))
    if not line.is_still_asked:
        raise CorrectionError(N("corrections have removed the round of event {number} from the match", number=number))
    return line


def disputable_rounds(match: MatchView, limit: int) -> list[RoundView]:
    """Return the last disputable rounds, newest first, at most ``limit``."""
    return [line for line in reversed(match.rounds) if line.is_still_asked][:limit]


def count_fouls(events: Sequence[Event]) -> dict[Seat, int]:
    """Count each seat's fouls; one whose reading was corrected does not count."""
    corrected = {(event.body.round, event.body.seat) for event in events if isinstance(event.body, Corrected)}
    count: Counter[Seat] = Counter()
    for event in events:
        if event.round:
            count.update(seat for seat in event.round.fouls if (event.number, seat) not in corrected)
    return dict(count)


def _allows(prompt: Prompt, seat: Seat, value: Value) -> bool:
    if value is None:
        return prompt.allows_no_answer
    return prompt.seats[seat].allows(value)


def allowed_readings(prompt: Prompt, seat: Seat) -> tuple[Value, ...]:
    """Return what a throw of ``seat`` can be corrected to; None is no throw."""
    return tuple(value for value in (*map(str, Throw), None) if _allows(prompt, seat, value))


def _still_asked(game: Game, answers: Sequence[Answers], later: Sequence[StepView | RoundView]) -> set[int]:
    """Return the events of the ``later`` steps whose answers still count after ``answers``, which end with the
    corrected round."""
    play = Play(game)  # a course that the match has not taken yet: no fold has it
    for given in answers:
        play.answer(given)
    remaining: set[int] = set()
    for step in later:
        if play.prompt is None or step.prompt is None or play.prompt.as_json() != step.prompt.as_json():
            break
        try:
            play.answer(step.answers or {})
        except IllegalAnswerError:
            break
        remaining.add(step.event)
    return remaining
