"""Whole matches without a screen: people choose the game, answer everything and leave with their seats' buttons alone,
button bounce as real ones do. Hands are thrown by simulated players, seen by a judge that knows them."""

import random
from pathlib import Path
from typing import Any

import pytest

from device.gpio.buttons import ButtonAction, ButtonEvent, ButtonName
from device.gpio.lights import LightSignal
from device.simulated.controls import SimulatedButtons, SimulatedLights
from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from rules.engine import Choices, IntRange, SealedPrompt, SecretPrompt, TimeLimit, Value
from tests.helpers.table_matches import MS, NAMES, FakeCamera, PerfectJudge
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Journal
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput
from throwlock.match_runner import resume_or_begin
from throwlock.replay.config import MatchConfig
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.answers import ScreenAnswers, TimedAnswers
from throwlock.tables.hands import HandTable
from throwlock.tables.source import RoundSource
from ui.screen.core.button_display import ButtonOnlyDisplay
from ui.screen.input import SETTLE_TIME_NS
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.home import ChosenGame, GameMenu, HomeTool
from ui.screen.pages.notice import Notice
from ui.screen.pages.result import MatchResult
from ui.screen.views import NobodyAnswered
from vision.zones import default_zones

SEATS = 4
CARDS = Choices(("rock", "scissors"))
TAP_MS, HOLD_MS = 80.0, 1000.0
HOLD_PROBABILITY = 0.15


class ButtonUsers(SimulatedClock):
    """Simulated people at the box, and its clock: whenever the display waits, they choose the game, press the buttons
    of seats whose lights wait at random, and leave at the end. A test may replace ``act``."""

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
            waiting = [seat for seat in range(1, SEATS + 1) if self.lights.signal(seat) is LightSignal.WAITING]
            if waiting:
                button = self.rng.choice((ButtonName.RAISE, ButtonName.RAISE, ButtonName.CONFIRM))
                self.press(
                    button, HOLD_MS if self.rng.random() < HOLD_PROBABILITY else TAP_MS, self.rng.choice(waiting)
                )

    def press(self, button: ButtonName, ms: float = TAP_MS, seat: int = 2) -> None:
        self.press_count += 1
        self.buttons.press(seat, button, ms)

    def choose_game(self, view: GameMenu) -> None:
        """Raise until the next target of the path has the focus, then confirm."""
        path = self.display.path
        if self.lines and self.lines[-1] == path[0]:
            path.pop(0)
            self.lines.clear()
            self.buttons.wait(SETTLE_TIME_NS / MS)
            self.press(ButtonName.CONFIRM)
        else:
            self.press(ButtonName.RAISE)


class RecordingButtonDisplay(ButtonOnlyDisplay):
    """A button-only display that shows what it waits for."""

    def __init__(self, users: ButtonUsers) -> None:
        super().__init__(users, users.lines.append, users.lights)
        self.view: Any = None
        self.path: list[str] = []

    def ask(self, view: Any) -> Any:
        self.view = view
        try:
            return super().ask(view)
        finally:
            self.view = None


GAME_PATHS = {
    "classic": ["Classic", "More players", "Start"],
    "redeux": ["RPS Redeux", "More players", "More", "More", "Goal: 95", "Start"],
    "future": ["Future RPS", "Start"],
    "battle": ["Battle", "Start"],
    "tr": ["t|r", "Start"],
    "board": ["The board game", "Start"],
}
"""The targets to confirm from the game menu to each game's start."""

SHORT_OPTIONS: dict[str, dict[str, Value]] = {
    "board": {"quiet": 10, "start": "1"},
    "battle": {"rounds": 3},
    "redeux": {"risk": "always", "goal": 20},
}
"""Options that make a game short, or make it ask more."""


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_match_is_played_by_buttons_from_the_menu_and_back(tmp_path: Path, name: str) -> None:
    users = ButtonUsers(len(name))
    display = users.display
    display.path = list(GAME_PATHS[name])
    chosen = display.ask(GameMenu(tuple(GAMES.values()), (HomeTool.CALCULATOR,)))
    assert isinstance(chosen, ChosenGame)
    assert chosen.game == name
    assert chosen.options.get("goal", 95) == 95
    game = GAMES[name].set_up(chosen.seats, {**chosen.options, **SHORT_OPTIONS.get(name, {})})
    config = MatchConfig(game, NAMES[: chosen.seats], HouseRules(), 5, "simulated")
    judge = PerfectJudge()
    players = SimulatedPlayers(5, judge)
    with Journal(tmp_path / "one.journal") as journal:
        table = HandTable(
            camera=FakeCamera(), zones=default_zones(chosen.seats), judge=judge, display=display, clock=users,
            house_rules=config.house_rules, listener=players,
        )  # fmt: skip
        source = RoundSource(ScreenAnswers(display), (table,))
        match = Match(journal, resume_or_begin(journal, config), source, MatchOutput(display, users, lambda line: None))
        result = match.play()
    assert display.ask(MatchResult(match.players(), result, "")) == "home"
    assert users.press_count
    blinks = sum(users.lights.blink_count(seat) for seat in range(1, SEATS + 1))
    assert blinks > 0


def test_button_event_before_the_question_is_ignored() -> None:
    users = ButtonUsers()
    display, clock = users.display, users
    users.act = lambda view: None  # only the test presses
    display.handle_button(ButtonEvent(1, ButtonAction.CONFIRM, clock.now_ns()))
    display.handle_button(ButtonEvent(1, ButtonAction.CONFIRM, clock.now_ns() + SETTLE_TIME_NS - 1))
    display.handle_button(ButtonEvent(1, ButtonAction.RAISE, clock.now_ns() + SETTLE_TIME_NS))
    view = GroupQuestion(
        (Player(1, "Ann"), Player(2, "Ben")),
        SealedPrompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)}, time_limit=TimeLimit(5, default=0)),
        5.0,
    )
    assert display.ask(view) == {1: None, 2: None}
    assert users.lights.blink_count(1) == 1
    assert clock.now_ns() >= 5_000 * MS


def test_without_a_screen_no_answer_is_made_up() -> None:
    users = ButtonUsers()
    users.act = lambda view: None  # nobody is there
    prompt = SealedPrompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)}, time_limit=TimeLimit(5, default=0))
    view = GroupQuestion((Player(1, "Ann"), Player(2, "Ben")), prompt, 5.0, patience_s=60.0)
    answer = users.display.ask(view)
    assert isinstance(answer, NobodyAnswered) and isinstance(answer.page, GroupQuestionPage) and not answer.page.answers
    users.display.handle_button(ButtonEvent(1, ButtonAction.RAISE, users.now_ns() + 2 * SETTLE_TIME_NS))
    assert users.display.ask(view) == {1: None, 2: None}, "somebody is there, and the time of both is over"


def test_a_light_waits_until_its_seat_has_answered() -> None:
    users = ButtonUsers()
    seen: list[tuple[LightSignal, LightSignal]] = []
    to_confirm = [2, 1]

    def act(view: object) -> None:
        users.buttons.wait(SETTLE_TIME_NS / MS)
        seen.append((users.lights.signal(1), users.lights.signal(2)))
        users.press(ButtonName.CONFIRM, seat=to_confirm.pop())

    users.act = act
    view = GroupQuestion(
        (Player(1, "Ann"), Player(2, "Ben")), SealedPrompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)})
    )
    assert users.display.ask(view) == {1: 0, 2: 0}
    assert seen == [(LightSignal.WAITING, LightSignal.WAITING), (LightSignal.ANSWERED, LightSignal.WAITING)]


def test_a_players_secret_is_not_printed() -> None:
    users = ButtonUsers()
    prompt = SecretPrompt("place", {1: CARDS})
    view = GroupQuestion((Player(1, "Ann"), Player(2, "Ben")), prompt)
    answers = users.display.ask(view)
    assert answers[1] in ("rock", "scissors")
    printed = " ".join(users.lines).casefold()
    assert "ann" in printed
    assert "rock" not in printed and "scissors" not in printed


def test_demo_bets_by_buttons() -> None:
    users = ButtonUsers()
    simulated = SimulatedPlayers(3)
    to_bet = [1]

    def act(view: object) -> None:
        if to_bet:
            seat = to_bet.pop()
            users.buttons.wait(SETTLE_TIME_NS / MS)
            for button in (ButtonName.RAISE, ButtonName.RAISE, ButtonName.CONFIRM):
                users.press(button, seat=seat)
            users.press(ButtonName.RAISE, seat=2)

    users.act = act
    prompt = SealedPrompt("bet", {1: IntRange(0, 95, 5), 2: IntRange(0, 95, 5)}, time_limit=TimeLimit(20, default=0))
    people = (Player(1, "Ada"), Player(2, "Ben"))
    answers = TimedAnswers(users.display, simulated.choose, 6.0).answer(prompt, people, 7)
    assert answers == {1: 10, 2: simulated.choose(prompt, 2, 7)}
    assert 6_000 * MS <= users.now_ns() < 7_000 * MS
