"""The data of a hall's pages, filled from the hub's database by ``throwlock.hub`` and rendered by the templates."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rules.engine import Option
from rules.tournaments.events import Fixture, Format
from ui.text.tournaments import TournamentSummary
from ui.web.events import LiveSource

LOGIN_PATH, ORGANISER_PATH = "/login", "/organise"
"""Where the organiser logs in, and the organiser's pages."""
CODE_PATH = "/code"
"""Where viewers type the code of a hall that is not public."""


@dataclass(frozen=True)
class PlayingLine:
    """A match that is played, or is to be played, at a table. ``is_away``: its box is not connected. ``rounds`` were
    thrown so far; None before it begins."""

    pairing: str
    fixture: str
    table: str
    is_away: bool
    rounds: int | None = None


@dataclass(frozen=True)
class HallTournamentPage:
    """A tournament as everybody may see it. ``newest`` are the fixtures whose results came last, the newest first, each
    with its table ("": entered by hand)."""

    number: int
    summary: TournamentSummary
    rounds: int
    is_open: bool
    is_abandoned: bool
    playing: tuple[PlayingLine, ...] = ()
    newest: tuple[tuple[str, str], ...] = ()

    @property
    def is_bracket(self) -> bool:
        """Whether its rounds are best shown as columns of a bracket."""
        return self.summary.format in (Format.KNOCKOUT, Format.DOUBLE_KNOCKOUT)

    def fixture(self, name: str) -> Fixture:
        """Return the fixture called ``name``."""
        return next(one for one in self.summary.fixtures if one.id == name)


@dataclass(frozen=True)
class HallSnapshot:
    """What the public pages show; it has another ``number`` only if it differs from the last. ``code`` and
    ``password``, a hash, are what the logins compare with."""

    number: int = 0
    is_public: bool = False
    code: str = ""
    password: str = ""
    tournaments: tuple[HallTournamentPage, ...] = ()

    @property
    def current(self) -> HallTournamentPage | None:
        """The newest tournament that goes on; else the newest of all."""
        going_on = [one for one in self.tournaments if one.is_open]
        return next(iter((*going_on, *self.tournaments)), None)


@dataclass(frozen=True)
class BoxLine:
    """A box. ``state`` is Homie's, ``match`` what is played there, ``review`` the address of its review pages,
    ``behind`` how many events it has that are not stored, ``problem`` why nothing more of its journal is taken."""

    id: str
    table: str
    state: str
    seen_at: datetime | None
    match: str
    camera: str
    version: str
    temperature: str
    review: str
    open_pairings: int
    behind: int
    problem: str


@dataclass(frozen=True)
class PlayerLine:
    """A player of the hall, with the code to check in with."""

    id: str
    name: str
    code: str
    is_present: bool


@dataclass(frozen=True)
class TournamentLine:
    """A tournament in a list."""

    number: int
    title: str
    at: datetime
    state: str


@dataclass(frozen=True)
class LogLine:
    """What somebody decided about a tournament."""

    at: datetime
    by: str
    text: str


@dataclass(frozen=True)
class DeskTournament:
    """A tournament as the organiser runs it.

    Attributes:
        page: What everybody sees.
        ready: The fixtures that can be given out.
        finished: The fixtures with a result.
        remaining: The numbers of the players who have not withdrawn.
        can_enter: Whether another player can enter.
        is_automatic: Whether what can be played is given to free boxes by itself.
        taken_back: Matches that were played although their pairing was taken back: pairing, and what it is.
        late: What boxes corrected too late, and events that do not fit.
        log: What was decided, the newest first.
    """

    page: HallTournamentPage
    ready: tuple[Fixture, ...]
    finished: tuple[Fixture, ...]
    remaining: tuple[int, ...]
    can_enter: bool
    is_automatic: bool
    taken_back: tuple[tuple[str, str], ...]
    late: tuple[str, ...]
    log: tuple[LogLine, ...]


@dataclass(frozen=True)
class DisputeLine:
    """A round that players disputed, or corrected, in a match of the hall. ``review`` is the address of its evidence on
    the box, "" where its pages are off; ``pictures`` are those that were sent: the address and a description."""

    at: datetime | None
    tournament: int
    title: str
    table: str
    players: str
    text: str
    review: str
    pictures: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ProblemLine:
    """A journal that does not go on from what is stored."""

    journal: int
    table: str
    kind: str
    number: int
    found_at: datetime


@dataclass(frozen=True)
class GameChoice:
    """A game that tournaments can be of."""

    name: str
    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class NewTournament:
    """What the form of a new tournament says. ``names`` are its players in seed order, empty: all who are checked in;
    ``seeding`` is "given", "rating" or "random"."""

    title: str
    game: str
    options: dict[str, str]
    format: str
    rounds: int
    group_size: int
    qualifiers: int
    table_size: int
    names: tuple[str, ...]
    seeding: str
    is_automatic: bool


class HallDesk(Protocol):
    """Everything the organiser can see and do, in one transaction. What can't be done raises a ThrowlockError, and
    nothing is changed."""

    def boxes(self) -> Sequence[BoxLine]:
        """Return all boxes."""

    def players(self) -> Sequence[PlayerLine]:
        """Return all players."""

    def tournaments(self) -> Sequence[TournamentLine]:
        """Return all tournaments, the newest first."""

    def tournament(self, number: int) -> DeskTournament:
        """Return a tournament."""

    def disputes(self) -> Sequence[DisputeLine]:
        """Return the disputed and corrected rounds of the hall's matches, the newest first."""

    def problems(self) -> Sequence[ProblemLine]:
        """Return the journals' problems that are not settled."""

    def games(self) -> Sequence[GameChoice]:
        """Return the games that tournaments can be of."""

    def ratings(self) -> Sequence[tuple[str, float, float, int]]:
        """Return name, strength, its error and matches of all who have a rating, the best first."""

    def picture(self, journal: int, event: int, name: str) -> tuple[str, bytes] | None:
        """Return the media type and data of a picture that was sent; None if there is none."""

    def add_players(self, names: Sequence[str]) -> None:
        """Add players, and check them in."""

    def check_in(self, text: str) -> str:
        """Check a player in by code or name, and return the name."""

    def set_present(self, player: str, *, present: bool) -> None:
        """Check a player in or out."""

    def check_everybody_out(self) -> None:
        """Check all players out."""

    def rename(self, player: str, name: str) -> None:
        """Change a player's name."""

    def forget(self, player: str) -> None:
        """Delete a player's name for good."""

    def start(self, new: NewTournament) -> int:
        """Start a tournament, and return its number."""

    def set_automatic(self, number: int, *, automatic: bool) -> None:
        """Switch giving out to free boxes on or off."""

    def give(self, number: int, fixture: str, box: str) -> None:
        """Give a fixture to a box."""

    def take_back(self, number: int, pairing: str) -> None:
        """Take a pairing back."""

    def count(self, number: int, pairing: str) -> None:
        """Count a match whose pairing was taken back."""

    def enter_result(self, number: int, fixture: str, winners: tuple[int, ...]) -> None:
        """Enter the result of a fixture, or correct it."""

    def note_no_show(self, number: int, fixture: str, player: int) -> None:
        """Note that a player did not come to a fixture."""

    def withdraw(self, number: int, player: int) -> None:
        """Note that a player has left a tournament."""

    def enter(self, number: int, name: str) -> None:
        """Enter a player late, by name or code."""

    def abandon(self, number: int) -> None:
        """Give a tournament up."""

    def settle(self, journal: int, note: str, *, replace: bool) -> None:
        """Settle the problem of a journal: go on from what is stored, or take what the box has instead."""

    def set_public(self, *, public: bool) -> None:
        """Open the public pages to everybody on the network, or close them."""

    def renew_code(self) -> None:
        """Replace the viewers' code."""


class HallHost(LiveSource[HallSnapshot], Protocol):
    """What a hall's pages need of the hub. May be called from any thread."""

    def addresses(self) -> tuple[str, ...]:
        """Return the URLs of the pages on the network, the likeliest first."""

    def open_desk(self, by: str) -> AbstractContextManager[HallDesk]:
        """Open the organiser's desk for one request; ``by`` is noted with what is decided."""
