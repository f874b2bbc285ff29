"""Players' names before a match: who sits in which seat, entered on the screen at the zones."""

from collections.abc import Sequence
from pathlib import Path

from throwlock.journal.file import is_new
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.journal.player_names import is_default_name
from throwlock.tables.source import PeopleLeftError
from ui.screen.core.display import Display
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.seating import SeatingAnswer, SeatingView
from ui.screen.views import NobodyAnswered
from ui.text.names import normalise_name
from vision.zones import Zone

MAX_KNOWN_NAMES = 60
"""Names offered, the latest first."""


def ask_player_names(
    display: Display,
    game: str,
    names: Sequence[str],
    zones: Sequence[Zone],
    journal: Path,
    has_camera: bool = True,
    fixed: bool = False,
    here: Sequence[str] = (),
) -> tuple[str, ...] | None:
    """Ask who sits where before a match.

    Args:
        display: Shows the page.
        game: The game's title.
        names: Initial names in seat order, "" for none.
        zones: The seats' zones, which the page is laid out by.
        journal: Offers the names of its players.
        has_camera: Whether a camera watches the match.
        fixed: Whether the players can only swap seats.
        here: Those who have said on their phones that they are here.

    Returns:
        The names in seat order, "" for none; None when the players go back.

    Raises:
        PeopleLeftError: Nobody is there.
        WindowClosedError: The window was closed.
    """
    places = tuple((zone.x + zone.w / 2, zone.y + zone.h / 2) for zone in zones)
    answer = display.ask(SeatingView(game, tuple(names), known_names(journal), places, has_camera, fixed, tuple(here)))
    if isinstance(answer, NobodyAnswered):
        raise PeopleLeftError
    return answer.names if isinstance(answer, SeatingAnswer) else None


def known_names(journal: Path) -> tuple[str, ...]:
    """Return the names of ``journal``'s players, the latest first; () if there is no readable journal."""
    try:
        if is_new(journal):
            return ()
        with JournalReader(journal) as reader:
            players = reader.players().values()
    except JournalError:
        return ()  # reported when the match starts
    latest: dict[str, str] = {}
    for name in reversed(list(players)):
        if name and not is_default_name(name):
            latest.setdefault(normalise_name(name), name)
    return tuple(latest.values())[:MAX_KNOWN_NAMES]


def last_names(journal: Path) -> tuple[str, ...]:
    """Return who sat where in the last match of ``journal``, "" for a seat without a name; () if there is no readable
    journal, or a class played."""
    try:
        if is_new(journal):
            return ()
        with JournalReader(journal) as reader:
            started = reader.event(max(reader.matches(), default=0))
    except JournalError:
        return ()  # reported when the match starts
    if started is None or len(started.names) > len(SEAT_MARKS):
        return ()
    return tuple("" if is_default_name(name) else name for name in started.names)


def drop_forgotten(names: Sequence[str], journal: Path) -> tuple[str, ...]:
    """Return ``names`` of seats, "" for those who are no longer in ``journal``; all, if that can't be read."""
    try:
        if is_new(journal):
            return tuple(names)
        with JournalReader(journal) as reader:
            known = {normalise_name(name) for name in reader.players().values() if name}
    except JournalError:
        return tuple(names)  # reported when the match starts
    return tuple(name if normalise_name(name) in known else "" for name in names)


def have_played(names: Sequence[str], game: str, journal: Path) -> bool:
    """Return whether anybody of these ``names`` has played ``game`` in ``journal``, or that can't be read."""
    try:
        if is_new(journal):
            return False
        with JournalReader(journal) as reader:
            players = {normalise_name(name) for name in reader.players_of(game)}
    except JournalError:
        return True  # reported when the match starts
    return not players.isdisjoint(map(normalise_name, names))


def fill_in_names(names: Sequence[str], defaults: Sequence[str]) -> tuple[str, ...]:
    """Return all names, with the seat's default for a missing one."""
    return tuple(names[n] if n < len(names) and names[n] else str(default) for n, default in enumerate(defaults))
