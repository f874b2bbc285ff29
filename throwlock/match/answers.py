"""Sources of the answers that no camera reads: people at the screen, people at a terminal, or simulated players."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from rules.engine import Answers, Choices, GameEvent, IntRange, Prompt, Seat, Value, describe, quote
from throwlock.journal.journal import Evidence
from throwlock.simulation.players import SimulatedPlayers
from ui.screen.core.display import Display
from ui.screen.pages.common.view import Player
from ui.screen.pages.group_question.view import GroupQuestion
from ui.screen.pages.question.hints import first_time_hint

SEEN_REPLY = "seen"
"""The answer of a player who has read a private message."""


class AnswerSource(Protocol):
    """Answers a prompt that is not a throw."""

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """Return everybody's answer. ``key`` identifies the question within the match; a resumed match asks it with the
        same key."""


@runtime_checkable
class PrivateMessages(Protocol):
    """An AnswerSource that can show one player a message the others must not see."""

    def tell(self, say: GameEvent, players: Sequence[Player]) -> None:
        """Show a message to the player it is for, and nobody else."""


@runtime_checkable
class EvidenceSource(Protocol):
    """An AnswerSource that has evidence of an answer it read."""

    def evidence(self) -> tuple[Evidence, ...]:
        """Return the images from which the last answer was read; none if people entered it."""


class ScreenAnswers:
    """Asks people at the box, all at the same time: each on a page of their own on the touchscreen, or with their
    seat's buttons."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._hinted: set[str] = set()

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """See AnswerSource. A seat whose time runs out answers None. The first prompt of a kind shows a hint."""
        hint_text = None if prompt.kind in self._hinted else first_time_hint(prompt, entered=True)
        self._hinted.add(prompt.kind)
        return _ask_group(self._display, prompt, players, hint_text)

    def tell(self, say: GameEvent, players: Sequence[Player]) -> None:
        """See PrivateMessages: show it on a page that only its player opens, until they confirm it."""
        if say.only is not None:
            seen = Prompt(say.kind, {say.only: Choices((SEEN_REPLY,))}, secret=True, about=say.facts)
            self._display.ask(GroupQuestion(tuple(players), seen))


class TerminalAnswers:
    """Asks people on the terminal. ``ask_line`` prompts for a line and returns it; ``announce`` prints a line."""

    def __init__(self, ask_line: Callable[[str], str], announce: Callable[[str], None]) -> None:
        self._ask_line = ask_line
        self._announce = announce

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """See AnswerSource."""
        names = {player.seat: player.name for player in players}
        return {seat: self._ask_seat(prompt, seat, names[seat]) for seat in prompt.seats}

    def _ask_seat(self, prompt: Prompt, seat: Seat, name: str) -> Value:
        options = prompt.seats[seat]
        while True:
            typed = self._ask_line(f"{name}, {prompt.kind}? ({describe(options)}) ").strip()
            if typed == "" and prompt.seconds is not None:
                return None
            value: Value = (
                int(typed) if isinstance(options, IntRange) and re.fullmatch("-?[0-9]{1,18}", typed) else typed
            )
            if options.allows(value):
                return value
            self._announce(f"{quote(typed)} can't be: {describe(options)}")


class PeopleOrSimulated:
    """Asks people at the box; a simulated player answers for each seat that has not answered in ``timeout_s``
    seconds."""

    def __init__(self, display: Display, simulated: SimulatedPlayers, timeout_s: float) -> None:
        self._display = display
        self._simulated = simulated
        self._timeout_s = timeout_s

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """See AnswerSource."""
        answers = _ask_group(self._display, replace(prompt, seconds=self._timeout_s), players)
        return {
            seat: self._simulated.choose(prompt, seat, key) if value is None else value
            for seat, value in answers.items()
        }


def _ask_group(
    display: Display, prompt: Prompt, players: Sequence[Player], hint: str | None = None
) -> dict[Seat, Value]:
    """Ask all seats of a prompt at the box. Return their answers in the prompt's order; None for a seat that ran out of
    time."""
    answers = display.ask(GroupQuestion(tuple(players), prompt, prompt.seconds, hint))
    return {seat: answers.get(seat) if isinstance(answers, Mapping) else None for seat in prompt.seats}
