"""How a game is played, for people who have never played it: a few pages, each a scene and a sentence or two.

A game has them in ``Rules.how_to_play``. The scenes are plain data; the screen draws them with its own pages, cards and
chips, and animates them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rules.engine.script import GameEvent, Prompt
from rules.engine.values import Answers


@dataclass(frozen=True)
class BeatsScene:
    """Which throw beats which; ``inverted``: the other way round."""

    inverted: bool = False


@dataclass(frozen=True)
class ThrowScene:
    """How throws are made, which the screen knows, and says: with hands or printed cards before a camera, or on the
    screen."""

    method: Literal["cards", "screen"] | None = None
    """Either "cards" or "screen" where the game's options decide it; else None."""


@dataclass(frozen=True)
class OutcomeLine:
    """A line of an OutcomesScene."""

    icons: tuple[str, ...]
    """What happens, in pictures."""
    text: str
    """What happens, in a few words."""
    result: str
    """What it brings."""
    is_good: bool | None = None
    """Whether it is good for whom it happens to; None: neither good nor bad."""


@dataclass(frozen=True)
class OutcomesScene:
    """What can happen and what each of that brings, such as what a bet risks."""

    outcomes: tuple[OutcomeLine, ...]


@dataclass(frozen=True)
class ClaimedCard:
    """A card face down: what its player claims, what it is, and how many chips the player bet on it."""

    claim: str
    card: str
    chips: int


@dataclass(frozen=True)
class ClaimsScene:
    """Cards face down with their claims; they are turned over, and the pot goes to one of them."""

    cards: tuple[ClaimedCard, ...]
    winner: int
    """The index of the card that gets the pot."""


@dataclass(frozen=True)
class Step:
    """A prompt of a sample match with its answers, and what came of them."""

    prompt: Prompt
    answers: Answers
    events: tuple[GameEvent, ...] = ()
    """The events that followed."""
    past: tuple[GameEvent, ...] = ()
    """The events before the prompt."""


@dataclass(frozen=True)
class ExcerptScene:
    """A part of a sample match, shown on the pages it is played on."""

    play: Callable[..., Sequence[Step]]
    """Plays that part."""
    arguments: tuple[object, ...] = field(default=(), hash=False)
    """What ``play`` is called with."""

    def steps(self) -> Sequence[Step]:
        """Play that part and return its steps."""
        return self.play(*self.arguments)


Scene = BeatsScene | ThrowScene | OutcomesScene | ClaimsScene | ExcerptScene


@dataclass(frozen=True)
class ExplanationPage:
    """A page: its scene, and its text of one or two short sentences. That of a ThrowScene begins with how people
    throw, and a BeatsScene without one has the screen's own."""

    scene: Scene
    text: str = ""
