"""A game as the engine plays it: what is left to chance drawn from a seed, and what each caller may see of it."""

import json
import random
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from rules.engine import BOX, Answers, Game, GameEvent, IllegalAnswerError, Play, Prompt, Result, Seat, Value
from throwlock.engine.messages import AnswersMessage, Ask, Chance, Message, NewGameMessage, Say


@dataclass(frozen=True)
class AnsweredPrompt:
    """A prompt and everybody's answers to it."""

    prompt: Prompt
    answers: Answers


class EngineGame:
    """A game being played. The same seed and the same answers always make the same game.

    Attributes:
        answers: What was answered to each prompt so far, without the engine's draws.
        log: The events and the answered prompts so far.
        has_drawn: Whether the engine has drawn anything.
    """

    def __init__(self, game: Game, seed: int, chance: Chance = "engine", answers: Iterable[Answers] = ()) -> None:
        """Play ``game`` from its start through ``answers``. Raises IllegalAnswerError."""
        self.game = game
        self.seed = seed
        self.chance = chance
        self.answers: list[Answers] = []
        self.has_drawn = False
        self._rng = random.Random(seed)
        self._drawn: dict[Seat, Value] = {}
        self._play = Play(game)
        self.log: list[GameEvent | AnsweredPrompt] = [*self._play.events]
        self._draw()
        for each in answers:
            self.answer(each)

    @property
    def prompt(self) -> Prompt | None:
        """The prompt to those who answer, without what the engine has drawn; None at the end."""
        prompt = self._play.prompt
        if prompt is None or not self._drawn:
            return prompt
        return prompt.to_players()

    @property
    def result(self) -> Result | None:
        """The result; None until the end."""
        return self._play.result

    def answer(self, answers: Answers) -> None:
        """Answer the prompt. A refused answer changes nothing. Raises IllegalAnswerError."""
        if self.prompt is None or self._play.prompt is None:
            raise IllegalAnswerError("the game has ended")
        checked = self.prompt.check(answers)
        self.answers.append(checked)
        self.log.append(AnsweredPrompt(self._play.prompt, {**self._drawn, **checked}))
        self.log += self._play.answer({**self._drawn, **checked})
        self._draw()

    def _draw(self) -> None:
        """Draw what the game leaves to chance, and go on to the next prompt to anybody else."""
        self._drawn = {}
        while (prompt := self._play.prompt) and self.chance == "engine":
            if BOX in prompt.seats:
                self._drawn = {BOX: prompt.seats[BOX].draw(self._rng)}
                self.has_drawn = True
            if prompt.seats.keys() - self._drawn.keys():
                return
            self.log += self._play.answer(self._drawn)
            self._drawn = {}

    def describe(self, seats: Set[Seat], seed_is_public: bool) -> NewGameMessage:
        """Return the message to the caller that answers for ``seats``."""
        return NewGameMessage(
            new=self.game.rules.name,
            rules_version=self.game.rules.version,
            seats=self.game.setup.seats,
            your_seats=tuple(sorted(seats - {BOX})),
            options=dict(self.game.setup.options),
            chance=self.chance,
            seed=self.seed if seed_is_public else None,
        )

    def messages_for(self, seats: Set[Seat], start: int = 0) -> Iterator[Message]:
        """Yield what the caller that answers for ``seats`` may see of the log from index ``start`` on."""
        for entry in self.log[start:]:
            if isinstance(entry, GameEvent):
                if entry.only is None or entry.only in seats:
                    yield Say.model_validate(entry.as_json())
            elif message := _visible_answers(entry, seats):
                yield message


def _visible_answers(entry: AnsweredPrompt, seats: Set[Seat]) -> AnswersMessage | None:
    """Return the answers that ``seats`` may see, and whose they may not; None if there are neither."""
    visible = entry.prompt.visible_answers(entry.answers, None)
    for seat in seats & entry.answers.keys():
        visible |= entry.prompt.visible_answers(entry.answers, seat)
    hidden = tuple(seat for seat in entry.answers if seat not in visible and seat != BOX)
    if not visible and not hidden:
        return None
    shown = {seat: visible[seat] for seat in entry.answers if seat in visible}
    return AnswersMessage(answers=shown, hidden=hidden) if hidden else AnswersMessage(answers=shown)


def ask_message(prompt: Prompt, seats: Set[Seat]) -> Ask:
    """Return the question that ``prompt`` puts to ``seats``."""
    others = {
        seat: None if prompt.is_secret else allowed.as_json()
        for seat, allowed in prompt.seats.items()
        if seat not in seats and seat != BOX
    }
    fields = {
        **prompt.to_seats(seats).as_json(),
        **({"others": others} if others else {}),
        "secret": prompt.is_secret,
        "null": prompt.allows_no_answer,
        **({"default": prompt.default} if prompt.allows_no_answer else {}),
    }
    return Ask.model_validate_json(json.dumps(fields))
