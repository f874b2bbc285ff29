"""A match goes on when the journal breaks under it: in a new one, with all that happened so far, where the file is
damaged; without pictures where there is no room for them. People are told which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from throwlock.journal.file import JournalDamagedError, put_aside
from throwlock.journal.journal import Event, Evidence, Journal, JournalError, JournalReader, renumbered
from ui.i18n.language import N, Text

TITLE = N("The journal")
PICTURES_LOST = N("The pictures of this round can't be kept: is the disk full? What counts is kept, and it goes on.")


@dataclass(frozen=True)
class Kept:
    """A match with the event that was just written. ``numbers`` are its events' new numbers by the old ones where it
    went on in a new journal, ``told`` what people have to know."""

    events: list[Event]
    numbers: Mapping[int, int] = field(default_factory=dict)
    told: Text | None = None


def keep(
    journal: Journal,
    match: Sequence[Event],
    names: Sequence[str],
    kind: str,
    body: Mapping[str, Any],
    evidence: Sequence[Evidence] = (),
) -> Kept:
    """Write one more event of a match, as ``Journal.append`` does; ``names`` are its players'. Raises JournalError
    where it can't be written at all."""
    number = match[0].number
    try:
        return Kept([*match, journal.append(number, kind, body, evidence)])
    except JournalDamagedError:
        aside, numbers = journal.begin_anew(match, names)
    except JournalError:
        if not evidence:
            raise
        return Kept([*match, journal.append(number, kind, body)], told=PICTURES_LOST)
    number = numbers[number]
    journal.append(number, kind, renumbered(body, numbers), evidence)
    return Kept(journal.events(number), numbers, went_on(aside))


def went_on(aside: Path) -> Text:
    """What people are told when a match goes on in a new journal."""
    return N("The journal was damaged. It is kept as {file}, and the match goes on in a new one.", file=aside.name)


def carry_on(path: Path) -> Path:
    """Put a journal aside that is damaged or has lost events, and begin a new one, with the match that was going on
    where it can still be read. Returns the old one's name. Raises JournalError."""
    aside = put_aside(path)
    left = _left_in(aside)
    with Journal(path) as journal:
        if left is not None:
            journal.carry_over(aside, *left)
    return aside


def _left_in(aside: Path) -> tuple[list[Event], tuple[str, ...], dict[int, dict[str, bytes | None]]] | None:
    """The match that was going on in a journal, its players' names and its evidence."""
    try:
        with JournalReader(aside) as journal:
            number = journal.unfinished()
            if number is None:
                return None
            events = journal.events(number)
            return events, events[0].names, journal.pieces(events)
    except (JournalError, IndexError):
        return None
