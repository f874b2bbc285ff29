"""How a game is played, for people who have never played it: a few pages, each a scene and a sentence or two.

A game has them in ``Rules.how_to_play``. The scenes are plain data; the screen draws them with its own pages, cards and
chips, and animates them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Literal

from rules.engine import BOX, AllowedValues, Answers, Game, GameEvent, IntRange, Play, Prompt, Value

MAX_STEPS = 200
"""Far more answers of players than an excerpt needs."""


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


@dataclass(frozen=True, eq=False)
class ExcerptScene:
    """A part of a sample match, shown on the pages it is played on. ``steps`` computes it."""

    steps: Callable[[], Sequence[Step]]


Scene = BeatsScene | ThrowScene | OutcomesScene | ClaimsScene | ExcerptScene


@dataclass(frozen=True)
class ExplanationPage:
    """A page: its scene, and its text of one or two short sentences. That of a ThrowScene begins with how people
    throw, and a BeatsScene without one has the screen's own."""

    scene: Scene
    text: str = ""


@dataclass(frozen=True)
class SampleAnswers:
    """Answers of a sample match by the kind of prompt: those of the first such prompt, of the second, and so on, and of
    the last one for all that follow. Where an answer is missing or not allowed, it is any legal one."""

    by_kind: Mapping[str, Sequence[Answers]] = field(default_factory=dict)

    def answer(self, prompt: Prompt, number: int, rng: Random) -> dict[int, Value]:
        """Return the answers to ``prompt``, the ``number``-th of its kind from 0."""
        wanted = self.by_kind.get(prompt.kind) or [{}]
        mine = wanted[min(number, len(wanted) - 1)]
        return {
            seat: mine[seat] if seat in mine and allowed.allows(mine[seat]) else _any_value(allowed, rng)
            for seat, allowed in prompt.seats.items()
        }


def _any_value(allowed: AllowedValues, rng: Random) -> Value:
    return allowed.start if isinstance(allowed, IntRange) else rng.choice(allowed.values)


def excerpt(game: Game, answers: Mapping[str, Sequence[Answers]], first: str, count: int = 2) -> ExcerptScene:
    """Return the part of a sample match of ``game`` that begins with the first prompt of the kind ``first``, and has
    ``count`` prompts for players."""
    return ExcerptScene(partial(_play_excerpt, game, SampleAnswers(answers), first, count))


def _play_excerpt(game: Game, answers: SampleAnswers, first: str, count: int) -> Sequence[Step]:
    """Return the steps from the first prompt of the kind ``first`` on; from the start if this set-up has none."""
    play, rng, numbers = Play(game), Random(0), dict[str, int]()
    steps: list[Step] = []
    begin: int | None = None
    while play.prompt is not None and len(steps) < MAX_STEPS and (begin is None or len(steps) < begin + count):
        prompt = play.prompt
        number = numbers.get(prompt.kind, 0)
        numbers[prompt.kind] = number + 1
        given, past = answers.answer(prompt, number, rng), tuple(play.events)
        events = tuple(play.answer(given))
        if set(prompt.seats) != {BOX}:
            begin = len(steps) if begin is None and prompt.kind == first else begin
            steps.append(Step(prompt, given, events, past))
        elif steps:
            steps[-1] = replace(steps[-1], events=(*steps[-1].events, *events))
    return steps[begin or 0 :][:count]
