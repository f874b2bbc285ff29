"""What can happen in a tournament, and how one is set up. Players are numbers from 1, in the order of their seeds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from errors import ThrowlockError

MIN_PLAYERS, MAX_PLAYERS = 2, 1024


class TournamentError(ThrowlockError, ValueError):
    """Something that can't happen in a tournament as it stands. The message says why."""


class Format(StrEnum):
    """The format of a tournament."""

    KNOCKOUT = "knockout"
    DOUBLE_KNOCKOUT = "double knockout"
    ROUND_ROBIN = "round robin"
    SWISS = "swiss"
    GROUPS = "groups"
    TABLES = "tables"


@dataclass(frozen=True)
class TournamentSetup:
    """How a tournament is played.

    Attributes:
        format: Its format. ``TABLES`` is for matches of more than two players, every other format for matches of two.
        rounds: The number of rounds of ``SWISS`` and ``TABLES``; 0: as many as ``default_rounds`` returns.
        group_size: The most players of a group of ``GROUPS``.
        qualifiers: How many of each group go on to the knock-out.
        table_size: The usual number of players at a table of ``TABLES``.
        min_table_size: The fewest players a table can have.
    """

    format: Format
    rounds: int = 0
    group_size: int = 4
    qualifiers: int = 2
    table_size: int = 4
    min_table_size: int = 2


def default_rounds(players: int) -> int:
    """Return the rounds after which at most one of so many players can have won every match of a Swiss: log₂, up."""
    return max(1, (players - 1).bit_length())


@dataclass(frozen=True)
class PlayerEntered:
    """The next player entered: 1, 2, 3, …"""


@dataclass(frozen=True)
class PlayerWithdrawn:
    """A player leaves the tournament: opponents of matches that are still to be played win by walkover."""

    player: int


Draw = tuple[tuple[int, ...], ...]
"""The players of each group, pair or table; of a bracket one group, in the order of seeds."""


@dataclass(frozen=True)
class DrawMade:
    """A round was paired, tables were seated, groups or a bracket were drawn: ``key`` is the stage's letter, for a
    Swiss or tables with the round's number. It keeps what was drawn, whatever a later version would draw."""

    key: str
    draw: Draw


@dataclass(frozen=True)
class FixtureStarted:
    """A fixture's match began. The draw of its round, or stage, is final from then on."""

    fixture: str


@dataclass(frozen=True)
class FixtureEnded:
    """A fixture's match ended. ``winners`` are the players who won (none, or several: drawn), ``scores`` their
    scores in the match by player. A knock-out match that is drawn is played again."""

    fixture: str
    winners: tuple[int, ...]
    scores: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class NoShow:
    """A player did not come to a fixture's match: the opponent wins by walkover; at a table they come last."""

    fixture: str
    player: int


@dataclass(frozen=True)
class ResultCorrected:
    """A fixture had another result than was entered. A knock-out match that was drawn is played again."""

    fixture: str
    winners: tuple[int, ...]
    scores: Mapping[int, int] = field(default_factory=dict)


TournamentEvent = PlayerEntered | PlayerWithdrawn | DrawMade | FixtureStarted | FixtureEnded | NoShow | ResultCorrected


@dataclass(frozen=True)
class FixtureResult:
    """The result of a fixture. ``absent`` are those who did not come, or have withdrawn."""

    winners: tuple[int, ...]
    scores: Mapping[int, int] = field(default_factory=dict)
    absent: frozenset[int] = frozenset()


BYE = 0
"""In place of a player: nobody. Whoever is paired with it advances, or has a point, without a match."""


@dataclass(frozen=True)
class Fixture:
    """A match of the tournament.

    Attributes:
        id: Its name: the stage's letter, the group if there are any, the round, and its number in the round: "K2.1".
        stage: ``K`` knock-out or, in double knock-outs, winners' bracket; ``L`` losers' bracket; ``F`` its final; ``G``
            group or round robin; ``S`` Swiss round; ``T`` tables.
        group: The group's number, from 1; 0 where there are none.
        round: The number of the round in its stage, from 1.
        players: Who plays; ``BYE`` for nobody, None while it depends on matches that have no result yet.
        outcome: Its result; None while it has none.
        started: Whether its match has begun.
        absent: Players of a table who did not come, or have withdrawn since it was drawn.
    """

    id: str
    stage: str
    group: int
    round: int
    players: tuple[int | None, ...]
    outcome: FixtureResult | None = None
    started: bool = False
    absent: frozenset[int] = frozenset()

    @property
    def present(self) -> tuple[int, ...]:
        """The players who are there, as far as they are known."""
        return tuple(player for player in self.players if player and player not in self.absent)

    @property
    def is_ready(self) -> bool:
        """Whether it can be played now."""
        return self.outcome is None and all(self.players)

    @property
    def is_bye(self) -> bool:
        """Whether it needs no match, since somebody has no opponent."""
        return BYE in self.players
