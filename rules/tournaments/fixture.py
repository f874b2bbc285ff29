"""How a tournament is set up, and its matches. Players are numbers from 1, in the order of their seeds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from errors import ThrowlockError
from messages import N, shorten

MAX_PLAYERS = 1024


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
    """How a tournament is played."""

    format: Format
    """``TABLES`` is for matches of more than two players, every other format for matches of two."""
    rounds: int = 0
    """The number of rounds of ``SWISS`` and ``TABLES``; 0: as many as ``default_rounds`` returns."""
    group_size: int = 4
    """The most players of a group of ``GROUPS``."""
    qualifiers: int = 2
    """How many of each group advance to the knock-out."""
    table_size: int = 4
    """The usual number of players at a table of ``TABLES``."""
    min_table_size: int = 2
    """The fewest players a table can have."""


def default_rounds(players: int) -> int:
    """Return the rounds after which at most one of so many players can have won every match of a Swiss: log₂, up."""
    return max(1, (players - 1).bit_length())


Draw = tuple[tuple[int, ...], ...]
"""The players of each group, pair or table; of a bracket one group, in the order of seeds."""


@dataclass(frozen=True)
class FixtureResult:
    """The result of a fixture."""

    winners: tuple[int, ...]
    scores: Mapping[int, int] = field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    """Those who did not come, or have withdrawn."""


BYE = 0
"""In place of a player: nobody. Whoever is paired with it advances, or has a point, without a match."""


class FixtureId(NamedTuple):
    """Which match of the tournament it is. Written, and read by ``parse``, as "K2.1", in groups as "G1.2.1"."""

    stage: str
    """``K`` knock-out or, in double knock-outs, winners' bracket; ``L`` losers' bracket; ``F`` its final; ``G`` group
    or round robin; ``S`` Swiss round; ``T`` tables."""
    round: int
    """The number of the round in its stage, from 1."""
    number: int
    """Its number in the round, from 1."""
    group: int = 0
    """The group's number, from 1; 0 where there are none."""

    def __str__(self) -> str:
        group = f"{self.group}." if self.group else ""
        return f"{self.stage}{group}{self.round}.{self.number}"

    @classmethod
    def parse(cls, text: str) -> "FixtureId":
        """Read an id as it is written. Raises TournamentError if it is none."""
        parts = _FIXTURE_ID.fullmatch(text)
        if parts is None:
            raise TournamentError(N("the tournament has no match {name}", name=shorten(text, 40)))
        return cls(parts["stage"], int(parts["round"]), int(parts["number"]), int(parts["group"] or 0))

    @property
    def is_knockout(self) -> bool:
        """Whether it is a match of a bracket, which needs one winner."""
        return self.stage in BRACKET_STAGES

    @property
    def draw(self) -> str:
        """What its players are drawn with: its round in a Swiss or of tables, else its whole stage."""
        if self.stage in ("S", "T"):
            return f"{self.stage}{self.round}"
        return "K" if self.is_knockout else self.stage


_FIXTURE_ID = re.compile(
    r"(?P<stage>[KLFGST])((?<=G)(?P<group>[1-9][0-9]{0,3})\.)?(?P<round>[1-9][0-9]{0,3})\.(?P<number>[1-9][0-9]{0,3})"
)
BRACKET_STAGES = ("K", "L", "F")


@dataclass(frozen=True)
class Fixture:
    """A match of the tournament."""

    id: FixtureId
    players: tuple[int | None, ...]
    """Who plays; ``BYE`` for nobody, None while it depends on matches that have no result yet."""
    outcome: FixtureResult | None = None
    """Its result; None while it has none."""
    started: bool = False
    """Whether its match has begun."""
    absent: frozenset[int] = frozenset()
    """Players of a table who did not come, or have withdrawn since it was drawn."""

    @property
    def stage(self) -> str:
        """The stage's letter."""
        return self.id.stage

    @property
    def group(self) -> int:
        """The group's number, from 1; 0 where there are none."""
        return self.id.group

    @property
    def round(self) -> int:
        """The number of the round in its stage, from 1."""
        return self.id.round

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
