"""People sit down before a match: who they are, and in which seat, entered on the screen at their zones."""

from collections.abc import Sequence
from pathlib import Path

from throwlock.journal.file import is_new
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.journal.player_names import named_alike
from ui.screen.core.display import Display
from ui.screen.pages.seating.view import Seated, Sitting
from ui.text.verdicts import neutral
from vision.zones import Zone

MOST_KNOWN = 60
"""Names that people choose from, the last that came first."""


def sit_down(
    display: Display, game: str, names: Sequence[str], zones: Sequence[Zone], journal: Path
) -> tuple[str, ...] | None:
    """Let people say who sits where before a match of ``game`` (its title), beginning with ``names``, "" for a seat
    without one. Returns everybody's name in seat order, "" for who stays unnamed; None when people go back. Raises
    Closed."""
    places = tuple((zone.x + zone.w / 2, zone.y + zone.h / 2) for zone in zones)
    answer = display.ask(Sitting(game, tuple(names), known_in(journal), places))
    return answer.names if isinstance(answer, Seated) else None


def known_in(journal: Path) -> tuple[str, ...]:
    """Who has played in ``journal`` with a name, the last to come first; nobody where there is none that can be read.
    Those who were forgotten are not there."""
    try:
        if is_new(journal):
            return ()
        with JournalReader(journal) as reader:
            players = reader.players().values()
    except JournalError:
        return ()  # it is told before a match is kept in it
    alike: dict[str, str] = {}
    for name in reversed(list(players)):
        if name and not _neutral(name):
            alike.setdefault(named_alike(name), name)
    return tuple(alike.values())[:MOST_KNOWN]


def _neutral(name: str) -> bool:
    """Whether a name is only a seat's."""
    return any(named_alike(name) == named_alike(str(neutral(seat))) for seat in range(1, 10))


def full_names(names: Sequence[str], usual: Sequence[str]) -> tuple[str, ...]:
    """Everybody's name: their own, else the seat's ``usual`` one."""
    return tuple(names[n] if n < len(names) and names[n] else str(one) for n, one in enumerate(usual))
