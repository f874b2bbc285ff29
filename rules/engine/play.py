"""Playing a game: one answer at a time, through a list of answers, or a part of a sample match."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from messages import N
from rules.engine.explanation import ExcerptScene, Step
from rules.engine.game import Game
from rules.engine.script import GameEvent, Prompt, Result
from rules.engine.values import BOX, AllowedValues, Answers, IllegalAnswerError, IntRange, Seat, Value


@dataclass(frozen=True)
class GameState:
    """A game after some answers: its events so far, the current prompt (``None`` at the end), the result."""

    events: tuple[GameEvent, ...]
    prompt: Prompt | None
    result: Result | None


class Play:
    """A game being played, one answer at a time::

        play = Play(rules.set_up(2))
        while play.prompt:
            new_events = play.answer(choose_answers(play.prompt))

    ``events`` grows with the game; ``prompt`` is the current question (``None`` at the end); ``result`` is ``None``
    until the end. The same answers always give the same play.
    """

    def __init__(self, game: Game) -> None:
        self.events: list[GameEvent] = []
        self.prompt: Prompt | None = None
        self.result: Result | None = None
        self._script = game.rules.script(game.setup)
        self._text = game.rules.text
        self._advance(None)

    def answer(self, answers: Answers) -> tuple[GameEvent, ...]:
        """Answer the prompt and return the events that follow. A refused answer changes nothing.

        Raises:
            IllegalAnswerError: The prompt does not allow the answers, or the game has ended.
        """
        if self.prompt is None:
            raise IllegalAnswerError(N("an answer after the end of the game"))
        event_count = len(self.events)
        self._advance(self.prompt.check(answers))
        return tuple(self.events[event_count:])

    def state(self) -> GameState:
        """Return a snapshot of the game."""
        return GameState(tuple(self.events), self.prompt, self.result)

    def _advance(self, answers: dict[Seat, Value] | None) -> None:
        """Run the script to its next prompt or its end."""
        try:
            step = next(self._script) if answers is None else self._script.send(answers)
            while isinstance(step, GameEvent):
                self.events.append(replace(step, text=self._text))
                step = next(self._script)
            self.prompt = replace(step, text=self._text)
        except StopIteration as end:
            self.prompt, self.result = None, replace(end.value, text=self._text)


def replay(game: Game, answers: Iterable[Answers]) -> GameState:
    """Run ``game`` from its start through ``answers`` and return its state.

    Raises:
        IllegalAnswerError: An answer is not allowed, or there are more answers than prompts.
    """
    play = Play(game)
    for answer in answers:
        play.answer(answer)
    return play.state()


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


def sample_prompts(game: Game, count: int = 40) -> Iterator[Prompt]:
    """Yield the first prompts of a sample match, at most ``count``."""
    play, rng = Play(game), Random(0)
    for _ in range(count):
        if (prompt := play.prompt) is None:
            return
        yield prompt
        answers = {seat: _any_value(allowed, rng) for seat, allowed in prompt.seats.items()}
        play.answer({} if prompt.is_optional else answers)


def excerpt(game: Game, answers: Mapping[str, Sequence[Answers]], first: str, count: int = 2) -> ExcerptScene:
    """Return the part of a sample match of ``game`` that begins with the first prompt of the kind ``first``, and has
    ``count`` prompts for players."""
    return ExcerptScene(_play_excerpt, (game, SampleAnswers(answers), first, count))


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
