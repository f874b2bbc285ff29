"""Answers that no camera reads: from people at the screen or at a terminal."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from typing_extensions import override

from messages import N
from rules.engine import (
    Answers,
    Choices,
    GameEvent,
    IntRange,
    Prompt,
    Seat,
    SecretPrompt,
    TimeLimit,
    Value,
    describe,
    quote,
)
from throwlock.tables.presence import ask_group
from throwlock.tables.source import AnswerSource
from ui.screen.core.display import Display, NoInputError
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.question import SEEN_REPLY, first_time_hint
from ui.screen.views import answers_by_seat


class ScreenAnswers(AnswerSource):
    """Asks people at the box, all at the same time: each on a page of their own on the touchscreen, or with their
    seat's buttons."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._hinted: set[str] = set()

    @override
    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """A seat whose time runs out answers None. The first prompt of a kind shows a hint. Raises
        NobodyThereError."""
        hint_text = None if prompt.kind in self._hinted else first_time_hint(prompt, entered=True)
        self._hinted.add(prompt.kind)
        return ask_group(self._display, GroupQuestion(tuple(players), prompt, prompt.seconds, hint_text))

    @override
    def tell(self, events: Sequence[GameEvent], players: Sequence[Player]) -> None:
        """Show them on pages that only their players open, until they confirm them. All look at the
        same time at what is of one kind. Raises NobodyThereError."""
        together: list[dict[Seat, GameEvent]] = []
        for event in events:
            if event.only is not None:
                if not together or event.only in together[-1] or event.kind != next(iter(together[-1].values())).kind:
                    together.append({})
                together[-1][event.only] = event
        for by_seat in together:
            event = next(iter(by_seat.values()))
            facts = {seat: event.values for seat, event in by_seat.items()}
            seen = SecretPrompt(
                event.kind, dict.fromkeys(by_seat, Choices((SEEN_REPLY,))), own_facts=facts, text=event.text
            )
            ask_group(self._display, GroupQuestion(tuple(players), seen))


class TerminalAnswers(AnswerSource):
    """Asks people on the terminal. ``ask_line`` prompts for a line and returns it; ``announce`` prints a line."""

    def __init__(self, ask_line: Callable[[str], str], announce: Callable[[str], None]) -> None:
        self._ask_line = ask_line
        self._announce = announce

    @override
    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        names = {player.seat: player.name for player in players}
        if prompt.is_optional:
            return self._ask_changes(prompt, names)
        return {seat: self._ask_seat(prompt, seat, names[seat]) for seat in prompt.seats}

    def _ask_changes(self, prompt: Prompt, names: Mapping[Seat, str]) -> Answers:
        """Ask an optional prompt in one line: nothing, or seats with their answers."""
        while True:
            typed = self._ask_line(f"{prompt.kind}? (Enter: go on; or such as: 2 leave, 3 reset; or: 1 stop) ").strip()
            words = [part.split(maxsplit=1) for part in typed.split(",")] if typed else []
            answers = {int(word[0]): word[1].strip() for word in words if len(word) == 2 and word[0].isdecimal()}
            try:
                if len(answers) < len(words):
                    raise ValueError(f"{quote(typed)} is not a list of seats with their answers")
                return prompt.check(answers)
            except ValueError as error:
                self._announce(str(error))
                for seat, options in prompt.seats.items():
                    self._announce(f"  {seat} ({names.get(seat, '')}): {describe(options)}")

    def _ask_seat(self, prompt: Prompt, seat: Seat, name: str) -> Value:
        options = prompt.seats[seat]
        kind = f"{prompt.kind} {prompt.about.get('option', '')}".strip()
        while True:
            typed = self._ask_line(f"{name}, {kind}? ({describe(options)}) ").strip()
            if typed == "" and prompt.seconds is not None:
                return None
            value: Value = typed
            match options:
                case IntRange() if re.fullmatch("-?[0-9]{1,18}", typed):
                    value = int(typed)
            if options.allows(value):
                return value
            self._announce(f"{quote(typed)} can't be: {describe(options)}")


class TimedAnswers(AnswerSource):
    """Asks people at the box; ``choose`` answers for each seat that has not answered in ``timeout_s`` seconds."""

    def __init__(self, display: Display, choose: Callable[[Prompt, Seat, int], Value], timeout_s: float) -> None:
        self._display = display
        self._choose = choose
        self._timeout_s = timeout_s

    @override
    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        timed = replace(prompt, time_limit=TimeLimit(self._timeout_s, prompt.default))
        view = GroupQuestion(tuple(players), timed, self._timeout_s, one_clock=True)
        answers = answers_by_seat(self._display.ask(view))
        return {
            seat: self._choose(prompt, seat, key) if (value := answers.get(seat)) is None else value
            for seat in prompt.seats
        }


def read_terminal_line(prompt: str) -> str:
    """Prompt for a line on the terminal. Raises NoInputError if there is no more input."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise NoInputError(
            N("no input on the terminal: the match is saved; start again with the same journal to resume it")
        )
    return line
