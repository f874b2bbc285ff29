"""Whole matches without a screen: people choose the game, answer everything and leave with their seats' buttons alone,
which bounce as real ones do. Hands are thrown by simulated players, seen by a judge that knows them."""

import random
from pathlib import Path
from typing import Any

import pytest

from device.gpio.buttons import ButtonAction, ButtonEvent, ButtonName
from device.gpio.lights import LightSignal
from device.simulated.buttons import SimulatedButtons
from device.simulated.lights import SimulatedLights
from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from rules.engine import Choices, IntRange, Prompt
from tests.throwlock.match.test_match import MS, NAMES, FakeCamera, PerfectJudge
from throwlock.journal.journal import Journal
from throwlock.match.answers import PeopleOrSimulated, ScreenAnswers
from throwlock.match.config import MatchConfig
from throwlock.match.house_rules import HouseRules
from throwlock.match.match import Match, resume_or_begin
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.hands import Table
from ui.screen.core.button_display import ButtonOnlyDisplay
from ui.screen.core.focus import SETTLE_TIME_NS
from ui.screen.pages.common.view import Player
from ui.screen.pages.group_question.view import GroupQuestion
from ui.screen.pages.home.view import ChosenGame, GameMenu
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.result.view import MatchResult
from vision.zones import default_zones

SEATS = 4
CARDS = Choices(("rock", "scissors"))
TAP_MS, HOLD_MS = 80.0, 1000.0
HOLD_PROBABILITY = 0.15


class ButtonUsers(SimulatedClock):
    """People around a box, and the time in which they press their buttons: whenever the box waits for them they do
    the next of what they have in mind (``plan``); without a plan, each whose light waits presses by chance."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.buttons = SimulatedButtons(SEATS, self, seed=seed)
        self.lights = SimulatedLights(SEATS, self)
        self.lines: list[str] = []
        self.display = RecordingButtonDisplay(self)
        self.buttons.start(self.display.handle_button)
        self.busy = False
        self.press_count = 0

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns)
        if self.busy or self.display.view is None:
            return
        self.busy = True
        try:
            self.act(self.display.view)
        finally:
            self.busy = False

    def act(self, view: Any) -> None:
        if isinstance(view, GameMenu):
            self.choose_game(view)
        elif isinstance(view, Notice):
            self.press(ButtonName.CONFIRM)
        elif isinstance(view, MatchResult):
            self.press(ButtonName.CONFIRM, HOLD_MS)
        elif isinstance(view, GroupQuestion):
            waited = [seat for seat in range(1, SEATS + 1) if self.lights.signal(seat) is LightSignal.WAITING]
            if waited:
                which = self.rng.choice((ButtonName.RAISE, ButtonName.RAISE, ButtonName.CONFIRM))
                self.press(which, HOLD_MS if self.rng.random() < HOLD_PROBABILITY else TAP_MS, self.rng.choice(waited))

    def press(self, which: ButtonName, ms: float = TAP_MS, seat: int = 2) -> None:
        self.press_count += 1
        self.buttons.press(seat, which, ms)

    def choose_game(self, view: GameMenu) -> None:
        """Raise until what is wanted has the focus, confirm, set what is wished, start."""
        wanted = self.display.path
        if self.lines and self.lines[-1] == wanted[0]:
            wanted.pop(0)
            self.lines.clear()
            self.buttons.wait(SETTLE_TIME_NS / MS)
            self.press(ButtonName.CONFIRM)
        else:
            self.press(ButtonName.RAISE)


class RecordingButtonDisplay(ButtonOnlyDisplay):
    """A display without a screen that people know is waiting."""

    def __init__(self, company: ButtonUsers) -> None:
        super().__init__(company, company.lines.append, company.lights)
        self.view: Any = None
        self.path: list[str] = []

    def ask(self, view: Any) -> Any:
        self.view = view
        try:
            return super().ask(view)
        finally:
            self.view = None


GAME_PATHS = {
    "classic": ["Classic", "More", "Start"],
    "redeux": ["RPS Redeux", "More", "Goal: 95", "Start"],
    "future": ["Future RPS", "Start"],
    "battle": ["Battle", "Start"],
    "tr": ["t|r", "Start"],
    "board": ["The board game", "Start"],
}
"""What people confirm on the way from home to each game's start."""

SHORT_OPTIONS = {
    "board": {"quiet": 10, "start": "1"},
    "battle": {"rounds": 3},
    "redeux": {"risk": "always", "goal": 20},
}
"""Options that make a game short, or ask for more."""


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_match_is_played_by_buttons_alone_from_home_and_back(tmp_path: Path, name: str) -> None:
    company = ButtonUsers(len(name))
    box = company.display
    box.path = list(GAME_PATHS[name])
    chosen = box.ask(GameMenu(tuple(GAMES.values()), ("calculator",)))
    assert isinstance(chosen, ChosenGame)
    assert chosen.game == name
    assert chosen.options.get("goal", 95) == 95
    game = GAMES[name].set_up(chosen.seats, {**chosen.options, **SHORT_OPTIONS.get(name, {})})
    billing = MatchConfig(game, NAMES[: chosen.seats], HouseRules(), 5, "simulated")
    judge = PerfectJudge()
    players = SimulatedPlayers(5, judge)  # type: ignore[arg-type]  # it performs as a table does
    with Journal(tmp_path / "one.journal") as journal:
        table = Table(FakeCamera(), default_zones(chosen.seats), judge, box, company, billing.house_rules, players)  # type: ignore[arg-type]  # ditto
        match = Match(journal, resume_or_begin(journal, billing), table, ScreenAnswers(box), lambda line: None)
        result = match.play()
    assert box.ask(MatchResult(match.players(), result, "")) == "home"
    assert company.press_count
    counted = sum(company.lights.blink_count(seat) for seat in range(1, SEATS + 1))
    assert counted > 0


def test_a_stroke_made_before_the_question_is_for_nothing_and_is_not_acknowledged() -> None:
    company = ButtonUsers()
    box, clock = company.display, company
    company.act = lambda view: None  # type: ignore[method-assign]  # nobody presses but us
    box.handle_button(ButtonEvent(1, ButtonAction.CONFIRM, clock.now_ns()))
    box.handle_button(ButtonEvent(1, ButtonAction.CONFIRM, clock.now_ns() + SETTLE_TIME_NS - 1))
    box.handle_button(ButtonEvent(1, ButtonAction.RAISE, clock.now_ns() + SETTLE_TIME_NS))
    view = GroupQuestion(
        (Player(1, "Ann"), Player(2, "Ben")), Prompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)}, True, 5, 0), 5.0
    )
    assert box.ask(view) == {1: None, 2: None}
    assert company.lights.blink_count(1) == 1
    assert clock.now_ns() >= 5_000 * MS


def test_lights_wait_until_a_seat_is_in() -> None:
    company = ButtonUsers()
    seen: list[tuple[LightSignal, LightSignal]] = []
    to_confirm = [2, 1]

    def act(view: object) -> None:
        company.buttons.wait(SETTLE_TIME_NS / MS)
        seen.append((company.lights.signal(1), company.lights.signal(2)))
        company.press(ButtonName.CONFIRM, seat=to_confirm.pop())

    company.act = act  # type: ignore[method-assign]
    view = GroupQuestion(
        (Player(1, "Ann"), Player(2, "Ben")), Prompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)}, True)
    )
    assert company.display.ask(view) == {1: 0, 2: 0}
    assert seen == [(LightSignal.WAITING, LightSignal.WAITING), (LightSignal.ANSWERED, LightSignal.WAITING)]


def test_what_is_one_players_own_is_told_to_nobody_else() -> None:
    company = ButtonUsers()
    ask = Prompt("place", {1: CARDS}, secret=True)
    view = GroupQuestion((Player(1, "Ann"), Player(2, "Ben")), ask)
    given = company.display.ask(view)
    assert given[1] in ("rock", "scissors")
    told = " ".join(company.lines).casefold()
    assert "ann" in told
    assert "rock" not in told and "scissors" not in told


def test_in_a_demo_people_may_bet_by_buttons_and_who_does_not_is_played_for() -> None:
    company = ButtonUsers()
    simulated = SimulatedPlayers(3)
    to_bet = [1]

    def act(view: object) -> None:
        if to_bet:
            seat = to_bet.pop()
            company.buttons.wait(SETTLE_TIME_NS / MS)
            for which in (ButtonName.RAISE, ButtonName.RAISE, ButtonName.CONFIRM):
                company.press(which, seat=seat)
            company.press(ButtonName.RAISE, seat=2)

    company.act = act  # type: ignore[method-assign]
    ask = Prompt("bet", {1: IntRange(0, 95, 5), 2: IntRange(0, 95, 5)}, True, 20, 0)
    answers = PeopleOrSimulated(company.display, simulated, 6.0).answer(ask, (Player(1, "Ada"), Player(2, "Ben")), 7)
    assert answers == {1: 10, 2: simulated.choose(ask, 2, 7)}
    assert 6_000 * MS <= company.now_ns() < 7_000 * MS
