"""A match as everything that shows it reads it: its rounds, what happened between them, scores, and its result."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final, Literal

from rules.engine import Answers, Game, GameEvent, Prompt, Result, Seat
from rules.record.round import PlayerLink, RoundView, SeatView

SPECTATOR: Final = None
"""The viewer who sees what everybody may see."""
REFEREE: Final = "referee"
"""The viewer who sees everything, sealed and secret answers too."""
Viewer = Seat | Literal["referee"] | None
"""Whom a match is shown to: a seat, a spectator or the referee."""


class MatchState(StrEnum):
    """How far a match has come. After a dispute at its end it is in progress until it ends again."""

    FINISHED = "finished"
    IN_PROGRESS = "in progress"
    ABANDONED = "abandoned"


@dataclass(frozen=True)
class StepView:
    """What happened between rounds: the match began, a prompt was answered other than by a judged throw, or answers
    were taken back."""

    event: int
    at: str
    prompt: Prompt | None = None
    """The prompt that was answered, as the viewer may see it; None at the beginning, and for answers taken back."""
    answers: Answers | None = None
    """The answers that count and that the viewer may see; None if none were given or they no longer count."""
    hidden: frozenset[Seat] = frozenset()
    """The seats whose answers the viewer may not see, the box's among them."""
    events: tuple[GameEvent, ...] = ()
    """What the game made of them."""
    seats: tuple[SeatView, ...] = ()
    """Those whose entered throws its events show."""
    text: str = ""
    """The sentence written down when answers were taken back, with placeholders for names."""


@dataclass(frozen=True)
class MatchView:
    """A match so far, as one viewer may see it and as corrected."""

    number: int
    at: str
    """When it began, ISO 8601 in UTC."""
    game: Game | None
    """The game as it was set up; None if this version doesn't have it."""
    title: str
    """The game's title; its name if this version doesn't have it."""
    players: tuple[PlayerLink, ...]
    """In seat order."""
    state: MatchState
    steps: tuple[StepView | RoundView, ...]
    """Its thrown rounds and what happened between them, in order."""
    scores: Mapping[Seat, int]
    """The latest points or chips."""
    fouls: Mapping[Seat, int]
    """How often each seat that fouled has done so, without those that were corrected."""
    prompt: Prompt | None
    """What the game asks now, as the viewer may see it; None at its end, and while only the box is asked."""
    result: Result | None
    problem: str = ""
    """Why the match can't be replayed, from some event on: it then has rounds, but nothing of the game."""

    @cached_property
    def rounds(self) -> tuple[RoundView, ...]:
        """The thrown rounds alone, in order."""
        return tuple(step for step in self.steps if isinstance(step, RoundView))

    @cached_property
    def events(self) -> tuple[GameEvent, ...]:
        """All events of the game that the viewer may see, in order."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat."""
        return {seat: player.name for seat, player in enumerate(self.players, 1)}
