"""The log of a match that everybody could see."""

from collections.abc import Iterable, Mapping, Sequence

from messages import N
from rules.engine import BOX, Answers, Game, IllegalAnswerError, Json, Play, Prompt, Seat, visible_events
from throwlock.journal.events import Corrected, DisputeRejected, RoundJudged, RoundVoided
from throwlock.journal.journal import Event, JournalError
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.corrections import count_fouls
from ui.text import verdicts


def public_log(events: Sequence[Event], seat: Seat | None = None) -> list[dict[str, Json]]:
    """Return the log of a match that everybody (or also one ``seat``) could see, in the lines of ``throwlock engine``.

    Sealed and secret answers are left out, and corrections are applied. A round's fouls, with everybody's count so far,
    and its disputes come before its answers, in the order they happened::

        {"void" | "foul": ROUND, "seats": [2], "text": …, "fouls": {"1": 0, "2": 1}}
        {"corrected": ROUND, "seat": 2, "from": "rock", "to": "paper", "dropped": [9]}   a seat of null: made void
        {"dispute_rejected": ROUND}

    Raises:
        JournalError: An event can't be read, or the answers can't be replayed.
    """
    config = config_from_events(events)
    answers_by_event = effective_answers(events)
    try:
        # the lines that ``throwlock engine`` prints, by the same function: the fold has none of them
        lines = view_game(config.game, list(answers_by_event.values()), seat)
        for number, notes in reversed(_round_notes(config, events).items()):
            earlier = [answers_by_event[answered] for answered in answers_by_event if answered < number]
            index = len(view_game(config.game, earlier, seat))
            lines[index:index] = notes
    except IllegalAnswerError as error:
        raise JournalError(
            N("match {number} can’t be replayed: {why}", number=events[0].number, why=error.text)
        ) from error
    return lines


def _round_notes(config: MatchConfig, events: Sequence[Event]) -> dict[int, list[dict[str, Json]]]:
    """Return the lines of each round that are not its answers: fouls, corrections and disputes."""
    seats, names = config.game.setup.seats, dict(enumerate(config.names, 1))
    notes: dict[int, list[dict[str, Json]]] = {}
    for count, event in enumerate(events, 1):
        match event.body:
            case RoundJudged(fouls=fouls, text=text) | RoundVoided(fouls=fouls, text=text) if fouls:
                counted = count_fouls(events[:count])
                line: dict[str, Json] = {
                    "foul" if isinstance(event.body, RoundJudged) else "void": event.number,
                    "seats": list(fouls),
                    "text": verdicts.fill_names(text, names),
                    "fouls": {str(seat): counted.get(seat, 0) for seat in range(1, seats + 1)},
                }
                notes.setdefault(event.number, []).append(line)
            case Corrected() as body:
                line = {"corrected": body.round, "seat": body.seat, "from": body.previous, "to": body.to}
                notes.setdefault(body.round, []).append({**line, "dropped": list(body.dropped)})
            case DisputeRejected(round=number):
                notes.setdefault(number, []).append({"dispute_rejected": number})
    return dict(sorted(notes.items()))


ViewLine = dict[str, Json]


def view_game(game: Game, answers: Iterable[Answers], seat: Seat | None = None) -> list[ViewLine]:
    """Return the game after ``answers`` as ``seat`` (``None``: a spectator) may see it, one line for each step::

        {"say": KIND, …}                              an event visible to everybody or to this seat
        {"ask": KIND, "seats": {"1": OPTIONS, …}, …}  as the engine prints it; secret options only of this seat
        {"answers": {"1": VALUE, …}, "hidden": […]}   the visible answers, and the seats whose answers are hidden
        {"result": …}

    Prompts to the box alone (a draw) are left out: the game yields an event for what is public of them.

    Raises:
        IllegalAnswerError: An answer is not allowed, or there are more answers than prompts.
    """
    play = Play(game)
    lines = _new_lines(play, 0, seat)
    for answer in answers:
        prompt, event_count = play.prompt, len(play.events)
        play.answer(answer)
        if prompt is not None:
            lines += _answer_lines(prompt, prompt.check(answer), seat)
        lines += _new_lines(play, event_count, seat)
    return lines


def _new_lines(play: Play, first_event: int, seat: Seat | None) -> list[ViewLine]:
    """Return the visible events from index ``first_event`` on, then the prompt or the result they led to."""
    lines = [event.as_json() for event in visible_events(play.events[first_event:], seat)]
    if play.result is not None:
        lines.append(play.result.as_json())
    elif play.prompt is not None and (prompt := play.prompt.to_players()).seats:
        lines.append(prompt.visible_to(seat).as_json())
    return lines


def _answer_lines(prompt: Prompt, answers: Answers, seat: Seat | None) -> list[ViewLine]:
    """Return a line with the visible answers and the seats whose answers are hidden; no line if there are neither."""
    visible = prompt.visible_answers(answers, seat)
    hidden = [asked for asked in answers if asked not in visible and asked != BOX]
    if not visible and not hidden:
        return []
    by_seat: Mapping[str, Json] = {str(asked): value for asked, value in visible.items()}
    return [{"answers": by_seat, **({"hidden": hidden} if hidden else {})}]
