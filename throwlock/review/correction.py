"""Corrections of a round on the review pages: the same rounds, readings and events as in a dispute on the touchscreen,
while no match is being played."""

from collections.abc import Callable, Sequence
from pathlib import Path

from errors import RefusedError
from messages import N, capitalise, join
from rules.engine import Seat, Value
from rules.record.match import REFEREE, MatchView
from throwlock.journal.events import (
    Corrected,
    DisputeRejected,
    MatchAbandoned,
    MatchEnded,
    record_result,
)
from throwlock.journal.file import JournalInUseError, has_writer
from throwlock.journal.journal import Event, Journal, JournalReader, match_started
from throwlock.replay.config import config_from_events
from throwlock.replay.corrections import (
    MAX_DISPUTABLE_ROUNDS,
    CorrectionError,
    allowed_readings,
    correction_event,
    disputable_rounds,
    disputed_round,
    rejection_event,
)
from throwlock.replay.project import project
from ui.screen.drawing.theme import SEAT_MARKS
from ui.web.views import Correction

CORRECTED_BY = "the review pages"
"""Who corrected a round, in its event."""
AT_THE_BOX = N("A match is being played. Correct the round at the box: touch Dispute.")
ONLY_NEWEST_MATCH = N("Only the newest match can be corrected.")
ONLY_LAST_ROUNDS = N("Only the last {count} rounds of a match can be corrected.", count=MAX_DISPUTABLE_ROUNDS)
ABANDONED_MATCH = N("The match was abandoned.")
IMPORTED_MATCH = N("The match was imported: correct it where it was played.")
CLASS_MATCH = N("The rounds of a class can’t be corrected.")


def find_correction(journal: JournalReader, number: int) -> Correction:
    """Return what the round of event ``number`` may be corrected to now, or why not."""
    event = journal.event(number)
    assert event is not None and event.round is not None  # the page of a round
    events = journal.events(event.match)
    match = _project(events)
    if has_writer(journal.path.resolve()):
        return Correction(refusal=AT_THE_BOX)
    refusal = _find_refusal(journal, match, events, number)
    if refusal:
        return Correction(refusal=refusal)
    line = disputed_round(match, number)
    assert line.prompt is not None  # it is still asked
    return Correction(
        {
            seat.seat: tuple(
                reading
                for reading in allowed_readings(line.prompt, seat.seat)
                if reading != seat.reading or seat.is_unsettled
            )
            for seat in line.seats
        },
        can_void=not line.is_void,
    )


def correct_round(path: Path, number: int, seat: Seat | None, reading: Value) -> None:
    """Write the correction of the round of event ``number``: see ``JournalArchive.correct``. A match that had
    ended, and still has, ends again with its new result. Raises RefusedError and JournalError."""
    _append(
        path,
        number,
        lambda match: correction_event(match, number, seat, reading).model_copy(update={"by": CORRECTED_BY}),
    )


def reject_dispute(path: Path, number: int) -> None:
    """Write that the round of event ``number`` was disputed and its verdict stands. Raises as ``correct_round``."""
    _append(path, number, lambda match: rejection_event(match, number))


def _append(path: Path, number: int, build: Callable[[MatchView], Corrected | DisputeRejected]) -> None:
    try:
        with Journal(path) as journal:
            event = journal.event(number)
            if event is None or event.round is None:
                raise RefusedError(N("There is no round {event}.", event=number))
            events = journal.events(event.match)
            match = _project(events)
            refusal = _find_refusal(journal, match, events, number)
            if refusal:
                raise RefusedError(refusal)
            events.append(journal.append(event.match, build(match)))
            result = _project(events).result
            if result is not None:
                journal.append(event.match, MatchEnded(result=record_result(result)))
    except JournalInUseError:
        raise RefusedError(AT_THE_BOX) from None
    except CorrectionError as error:
        raise RefusedError(capitalise(join([error.text, "."], ""))) from error


def _project(events: Sequence[Event]) -> MatchView:
    """Return a match as the referee sees it. Raises JournalError if this version can't play it."""
    return project(events, REFEREE, game=config_from_events(events).game)


def _find_refusal(journal: JournalReader, match: MatchView, events: Sequence[Event], number: int) -> str:
    """Return why the round of event ``number`` can't be corrected; "" if it can. On the touchscreen, too, only the last
    rounds of the match that is played, or has just been, can be disputed."""
    if len(match.players) > len(SEAT_MARKS):
        return CLASS_MATCH
    if match_started(events).imported_from is not None:
        return IMPORTED_MATCH
    if events[0].number != journal.matches()[-1]:
        return ONLY_NEWEST_MATCH
    if isinstance(events[-1].body, MatchAbandoned):
        return ABANDONED_MATCH
    if number not in [line.event for line in disputable_rounds(match, MAX_DISPUTABLE_ROUNDS)]:
        return ONLY_LAST_ROUNDS
    return ""
