"""Whole matches without a screen: people choose the game, answer everything and leave with their seats' buttons alone,
which bounce as real ones do. Hands are thrown by simulated players, seen by a judge that knows them."""

import random
from pathlib import Path
from typing import Any

import pytest

from device.gpio.buttons import SeatStroke, Stroke, Which
from device.gpio.lights import Sign
from device.simulated.buttons import SimulatedButtons
from device.simulated.lights import SimulatedLights
from device.system.clock import JumpingClock
from rules.catalogue import GAMES
from rules.engine import Ask, Choices, Span
from tests.throwlock.match.test_match import MS, NAMES, FewFrames, SeesAll
from throwlock.journal.journal import Journal
from throwlock.match.answers import AtScreen, PeopleOrSimulated
from throwlock.match.config import Billing
from throwlock.match.house_rules import House
from throwlock.match.match import Match, take_up
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.hands import Table
from ui.screen.core.button_display import Unseen
from ui.screen.core.focus import SETTLE_NS
from ui.screen.pages.views import Choosing, Chosen, Ended, Gather, Notice, Player
from vision.zones import spread

SEATS = 4
CARDS = Choices(("rock", "scissors"))
TAP, HOLD = 80.0, 1000.0
HOLDS = 0.15


class Company(JumpingClock):
    """People around a box, and the time in which they press their buttons: whenever the box waits for them they do
    the next of what they have in mind (``plan``); without a plan, each whose light waits presses by chance."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        self.chance = random.Random(seed)
        self.buttons = SimulatedButtons(SEATS, self, seed=seed)
        self.lights = SimulatedLights(SEATS, self)
        self.lines: list[str] = []
        self.box = Box(self)
        self.buttons.start(self.box.stroke)
        self.busy = False
        self.strokes = 0

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns)
        if self.busy or self.box.view is None:
            return
        self.busy = True
        try:
            self.act(self.box.view)
        finally:
            self.busy = False

    def act(self, view: Any) -> None:
        if isinstance(view, Choosing):
            self.to_game(view)
        elif isinstance(view, Notice):
            self.press(Which.CONFIRM)
        elif isinstance(view, Ended):
            self.press(Which.CONFIRM, HOLD)
        elif isinstance(view, Gather):
            waited = [seat for seat in range(1, SEATS + 1) if self.lights.sign(seat) is Sign.WAITING]
            if waited:
                which = self.chance.choice((Which.RAISE, Which.RAISE, Which.CONFIRM))
                self.press(which, HOLD if self.chance.random() < HOLDS else TAP, self.chance.choice(waited))

    def press(self, which: Which, ms: float = TAP, seat: int = 2) -> None:
        self.strokes += 1
        self.buttons.press(seat, which, ms)

    def to_game(self, view: Choosing) -> None:
        """Raise until what is wanted has the focus, confirm, set what is wished, start."""
        wanted = self.box.wanted
        if self.lines and self.lines[-1] == wanted[0]:
            wanted.pop(0)
            self.lines.clear()
            self.buttons.wait(SETTLE_NS / MS)
            self.press(Which.CONFIRM)
        else:
            self.press(Which.RAISE)


class Box(Unseen):
    """A display without a screen that people know is waiting."""

    def __init__(self, company: Company) -> None:
        super().__init__(company, company.lines.append, company.lights)
        self.view: Any = None
        self.wanted: list[str] = []

    def ask(self, view: Any) -> Any:
        self.view = view
        try:
            return super().ask(view)
        finally:
            self.view = None


CHOSEN = {
    "classic": ["Classic", "More", "Start"],
    "redeux": ["RPS Redeux", "More", "Goal: 95", "Start"],
    "future": ["Future RPS", "Start"],
    "battle": ["Battle", "Start"],
    "tr": ["t|r", "Start"],
    "board": ["The board game", "Start"],
}
"""What people confirm on the way from home to each game's start."""

SHORT = {
    "board": {"quiet": 10, "start": "1"},
    "battle": {"rounds": 3},
    "redeux": {"risk": "always", "goal": 20},
}
"""Options that make a game short, or ask for more."""


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_match_is_played_by_buttons_alone_from_home_and_back(tmp_path: Path, name: str) -> None:
    company = Company(len(name))
    box = company.box
    box.wanted = list(CHOSEN[name])
    chosen = box.ask(Choosing(tuple(GAMES.values()), ("calculator",)))
    assert isinstance(chosen, Chosen)
    assert chosen.game == name
    assert chosen.options.get("goal", 95) == 95
    game = GAMES[name].set_up(chosen.seats, {**chosen.options, **SHORT.get(name, {})})
    billing = Billing(game, NAMES[: chosen.seats], House(), 5, "simulated")
    judge = SeesAll()
    players = SimulatedPlayers(5, judge)  # type: ignore[arg-type]  # it performs as a table does
    with Journal(tmp_path / "one.journal") as journal:
        table = Table(FewFrames(), spread(chosen.seats), judge, box, company, billing.house, players)  # type: ignore[arg-type]  # ditto
        match = Match(journal, take_up(journal, billing), table, AtScreen(box), lambda line: None)
        result = match.play()
    assert box.ask(Ended(match.players(), result, "")) == "home"
    assert company.strokes
    counted = sum(company.lights.blinks(seat) for seat in range(1, SEATS + 1))
    assert counted > 0


def test_a_stroke_made_before_the_question_is_for_nothing_and_is_not_acknowledged() -> None:
    company = Company()
    box, clock = company.box, company
    company.act = lambda view: None  # type: ignore[method-assign]  # nobody presses but us
    box.stroke(SeatStroke(1, Stroke.CONFIRM, clock.now_ns()))
    box.stroke(SeatStroke(1, Stroke.CONFIRM, clock.now_ns() + SETTLE_NS - 1))
    box.stroke(SeatStroke(1, Stroke.RAISE, clock.now_ns() + SETTLE_NS))
    view = Gather((Player(1, "Ann"), Player(2, "Ben")), Ask("bet", {1: Span(0, 9), 2: Span(0, 9)}, True, 5, 0), 5.0)
    assert box.ask(view) == {1: None, 2: None}
    assert company.lights.blinks(1) == 1
    assert clock.now_ns() >= 5_000 * MS


def test_lights_wait_until_a_seat_is_in() -> None:
    company = Company()
    seen: list[tuple[Sign, Sign]] = []
    to_confirm = [2, 1]

    def act(view: object) -> None:
        company.buttons.wait(SETTLE_NS / MS)
        seen.append((company.lights.sign(1), company.lights.sign(2)))
        company.press(Which.CONFIRM, seat=to_confirm.pop())

    company.act = act  # type: ignore[method-assign]
    view = Gather((Player(1, "Ann"), Player(2, "Ben")), Ask("bet", {1: Span(0, 9), 2: Span(0, 9)}, True))
    assert company.box.ask(view) == {1: 0, 2: 0}
    assert seen == [(Sign.WAITING, Sign.WAITING), (Sign.IN, Sign.WAITING)]


def test_what_is_one_players_own_is_told_to_nobody_else() -> None:
    company = Company()
    ask = Ask("place", {1: CARDS}, secret=True)
    view = Gather((Player(1, "Ann"), Player(2, "Ben")), ask)
    given = company.box.ask(view)
    assert given[1] in ("rock", "scissors")
    told = " ".join(company.lines).casefold()
    assert "ann" in told
    assert "rock" not in told and "scissors" not in told


def test_in_a_demo_people_may_bet_by_buttons_and_who_does_not_is_played_for() -> None:
    company = Company()
    simulated = SimulatedPlayers(3)
    to_bet = [1]

    def act(view: object) -> None:
        if to_bet:
            seat = to_bet.pop()
            company.buttons.wait(SETTLE_NS / MS)
            for which in (Which.RAISE, Which.RAISE, Which.CONFIRM):
                company.press(which, seat=seat)
            company.press(Which.RAISE, seat=2)

    company.act = act  # type: ignore[method-assign]
    ask = Ask("bet", {1: Span(0, 95, 5), 2: Span(0, 95, 5)}, True, 20, 0)
    answers = PeopleOrSimulated(company.box, simulated, 6.0).answer(ask, (Player(1, "Ada"), Player(2, "Ben")), 7)
    assert answers == {1: 10, 2: simulated.choice(ask, 2, 7)}
    assert 6_000 * MS <= company.now_ns() < 7_000 * MS
