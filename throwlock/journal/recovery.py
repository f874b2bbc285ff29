"""Keeps a match going when the journal fails: a damaged journal is replaced by a new one with all events so far;
without room for images, events are written without them. Either comes with a notice for the players."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from messages import LazyText, N
from throwlock.journal.events import Body
from throwlock.journal.file import JournalDamagedError, quarantine
from throwlock.journal.hash_chain import SaltedData
from throwlock.journal.journal import Event, Evidence, Journal, JournalError, JournalReader, renumber_references
from throwlock.journal.space import write_with_room

logger = logging.getLogger(__name__)

NOTICE_TITLE = N("The journal")
PICTURES_LOST = N("The images of this round can’t be saved: is the disk full? The match goes on without them.")


@dataclass(frozen=True)
class AppendOutcome:
    """A match's events after an append."""

    events: list[Event]
    new_numbers: Mapping[int, int] = field(default_factory=dict)
    """The events' new numbers by the old ones, when the journal was replaced."""
    notice: LazyText | None = None
    """What to tell the players; None if there is nothing to tell."""


def append_with_recovery(
    journal: Journal,
    match: Sequence[Event],
    names: Sequence[str],
    body: Body,
    evidence: Sequence[Evidence] = (),
) -> AppendOutcome:
    """Append an event to a match; see ``Journal.append``. ``names`` are the players' in seat order. Raises JournalError
    when the event can't be written at all."""
    number = match[0].number
    try:
        event, lost = write_with_room(
            journal.path, lambda: journal.append(number, body, evidence), sum(len(piece.data) for piece in evidence)
        )
        return AppendOutcome([*match, event], notice=lost)
    except JournalDamagedError:
        quarantined, numbers = journal.continue_in_new_journal(match, names)
    except JournalError:
        if not evidence:
            raise
        logger.warning("the evidence of a %s event of match %d can't be saved", body.kind, number)
        return AppendOutcome([*match, journal.append(number, body)], notice=PICTURES_LOST)
    logger.warning("the journal was damaged: it is now %s, and match %d continues in a new one", quarantined, number)
    number = numbers[number]
    journal.append(number, renumber_references(body, numbers), evidence)
    return AppendOutcome(journal.events(number), numbers, recovery_notice(quarantined))


def recovery_notice(quarantined: Path) -> LazyText:
    """Return the notice that a match continues in a new journal."""
    return N(
        "The journal was damaged. It was renamed to {file}; the match continues in a new one.", file=quarantined.name
    )


def replace_damaged_journal(path: Path) -> Path:
    """Quarantine a journal that is damaged or has lost events and create a new one, with the unfinished match if it is
    still readable. Returns the old one's new path. Raises JournalError."""
    quarantined = quarantine(path)
    unfinished = _read_unfinished_match(quarantined)
    with Journal(path) as journal:
        if unfinished is not None:
            journal.continue_match(quarantined, *unfinished)
    return quarantined


def _read_unfinished_match(
    quarantined: Path,
) -> tuple[list[Event], tuple[str, ...], dict[int, dict[str, SaltedData]]] | None:
    """Return a journal's unfinished match with its players' names and its evidence, None when there is none."""
    try:
        with JournalReader(quarantined) as journal:
            number = journal.unfinished_match()
            if number is None:
                return None
            events = journal.events(number)
            return events, events[0].names, journal.evidence_data(events)
    except (JournalError, IndexError):
        return None
