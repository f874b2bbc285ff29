"""A part of a sample match, for the pages that explain a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from rules.engine import BOX, AllowedValues, Answers, Game, IntRange, Play, Prompt, Value
from rules.engine.explanation import ExcerptScene, Step

MAX_STEPS = 200
"""Far more answers of players than an excerpt needs."""


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
