"""Playing a game: one answer at a time, or through a list of answers."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from messages import N
from rules.engine.game import Game
from rules.engine.script import GameEvent, Prompt, Result
from rules.engine.values import Answers, IllegalAnswerError, Seat, Value


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
