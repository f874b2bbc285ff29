"""Who answers what a camera can't see: people at the screen, people at a terminal, or simulated players, who also throw
at the simulated table."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from rules.engine import Answers, Ask, Choices, Say, Seat, Span, Value, described, quoted
from throwlock.journal.journal import Evidence
from throwlock.simulation.players import SimulatedPlayers
from ui.screen.core.display import Display
from ui.screen.pages.ask.hints import hint
from ui.screen.pages.views import Gather, Player

SEEN = "seen"
"""What a player touches who has seen what was theirs alone."""


class Answerers(Protocol):
    """Answers an ask that is not a throw."""

    def answer(self, ask: Ask, players: Sequence[Player], key: int) -> Answers:
        """Everybody's answer. ``key`` tells this question from every other of the match, and is the same when a match
        that was cut off asks it again."""


@runtime_checkable
class Confidants(Protocol):
    """Answerers who can tell one player something that the others must not see."""

    def tell(self, say: Say, players: Sequence[Player]) -> None:
        """Tell the player ``say`` is for, and nobody else."""


@runtime_checkable
class Witnesses(Protocol):
    """Answerers who can show what an answer was read from."""

    def evidence(self) -> tuple[Evidence, ...]:
        """The pictures in which the last answer was seen; none where people entered it."""


class AtScreen:
    """People answer at the box, all who are asked together: on the touchscreen, each on a page of their own, or with
    their seats' buttons."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._hinted: set[str] = set()

    def answer(self, ask: Ask, players: Sequence[Player], key: int) -> Answers:
        """See Answerers. A seat whose time runs out answers None. What to do is told at the first ask of a kind."""
        told = None if ask.kind in self._hinted else hint(ask, entered=True)
        self._hinted.add(ask.kind)
        return _gathered(self._display, ask, players, told)

    def tell(self, say: Say, players: Sequence[Player]) -> None:
        """See Confidants: on a page that only its player opens, until they have seen it."""
        if say.only is not None:
            seen = Ask(say.kind, {say.only: Choices((SEEN,))}, secret=True, about=say.facts)
            self._display.ask(Gather(tuple(players), seen))


class AtTerminal:
    """People answer on the terminal. ``ask_line`` prompts and returns what was typed; EOFError when nobody can."""

    def __init__(self, ask_line: Callable[[str], str], tell: Callable[[str], None]) -> None:
        self._ask_line = ask_line
        self._tell = tell

    def answer(self, ask: Ask, players: Sequence[Player], key: int) -> Answers:
        """See Answerers."""
        names = {player.seat: player.name for player in players}
        return {seat: self._one(ask, seat, names[seat]) for seat in ask.seats}

    def _one(self, ask: Ask, seat: Seat, name: str) -> Value:
        options = ask.seats[seat]
        while True:
            typed = self._ask_line(f"{name}, {ask.kind}? ({described(options)}) ").strip()
            if typed == "" and ask.seconds is not None:
                return None
            value: Value = int(typed) if isinstance(options, Span) and re.fullmatch("-?[0-9]{1,18}", typed) else typed
            if options.allows(value):
                return value
            self._tell(f"{quoted(typed)} can't be: {described(options)}")


class PeopleOrSimulated:
    """People may answer at the box; a seat that is not in within ``patience_s`` seconds plays by itself."""

    def __init__(self, display: Display, simulated: SimulatedPlayers, patience_s: float) -> None:
        self._display = display
        self._simulated = simulated
        self._patience_s = patience_s

    def answer(self, ask: Ask, players: Sequence[Player], key: int) -> Answers:
        """See Answerers."""
        given = _gathered(self._display, replace(ask, seconds=self._patience_s), players)
        return {
            seat: self._simulated.choice(ask, seat, key) if value is None else value for seat, value in given.items()
        }


def _gathered(display: Display, ask: Ask, players: Sequence[Player], told: str | None = None) -> dict[Seat, Value]:
    """What everybody asked answered at the box, in the ask's order; None for who was not in in time. ``told`` is
    what to do."""
    given = display.ask(Gather(tuple(players), ask, ask.seconds, told))
    return {seat: given.get(seat) if isinstance(given, Mapping) else None for seat in ask.seats}
