"""While nobody answers no answer is made up: the box asks whether anybody is there, and in the end leaves the match."""

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from rules.catalogue import GAMES, find_game
from rules.engine import BOX, IntRange, SealedPrompt, Seat, TimeLimit, Value
from rules.events import Other
from tests.helpers.random_games import random_answers
from tests.helpers.scripted_display import ScriptedDisplay
from throwlock import match_runner
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered
from throwlock.journal.journal import Journal
from throwlock.launch_options import LaunchOptions
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput
from throwlock.match_runner import NextStep
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import verify
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.presence import LEAVE_AFTER_S, PATIENCE_S, NobodyThereError, ask_group, ask_if_anybody_there
from throwlock.tables.source import RoundSource
from ui.screen.core.display import Display, NullDisplay
from ui.screen.core.scene import WindowScene
from ui.screen.pages.common import GO_ON_ANSWER, Player
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.notice import HERE_ANSWER, LEAVE_ANSWER, Presence
from ui.screen.pages.question import new_draft
from ui.screen.views import UNTIMED_PATIENCE_S, Answer, Dialogue, InteractiveView, NobodyAnswered, View

PLAYERS = (Player(1, "Ann"), Player(2, "Ben"))
BET = SealedPrompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)}, time_limit=TimeLimit(20, default=0))
ONE_ANSWERED = GroupQuestion(PLAYERS, BET, 20, locked={2: 5}).first_page()


def test_a_question_resumes_with_what_was_locked_in() -> None:
    display = ScriptedDisplay(NobodyAnswered(ONE_ANSWERED), HERE_ANSWER, {2: 5, 1: None})
    assert ScreenAnswers(display).answer(BET, PLAYERS, 0) == {1: None, 2: 5}
    first, presence, again = display.seen
    assert isinstance(first, GroupQuestion) and (first.seconds, first.patience_s) == (20, PATIENCE_S)
    assert isinstance(presence, Presence) and presence.seconds_left == LEAVE_AFTER_S
    assert isinstance(again, GroupQuestion) and again.locked == {2: 5}
    assert list(ask_group(ScriptedDisplay({2: 5, 1: 0}), first)) == [1, 2], "in the question's order"


@pytest.mark.parametrize("answer", [LEAVE_ANSWER, None])
def test_nobody_there_ends_the_question_without_an_answer(answer: str | None) -> None:
    display = ScriptedDisplay(NobodyAnswered(ONE_ANSWERED), answer)
    with pytest.raises(NobodyThereError, match="start again with the same journal to resume"):
        ScreenAnswers(display).answer(BET, PLAYERS, 0)
    with pytest.raises(NobodyThereError):
        ask_if_anybody_there(ScriptedDisplay(answer), "")


def test_people_may_think_longer_where_no_time_is_set() -> None:
    display = ScriptedDisplay({1: 3, 2: 4}, {1: "seen"})
    source = ScreenAnswers(display)
    source.answer(replace(BET, time_limit=None), PLAYERS, 0)
    source.tell([Other("hand", {"cards": 3}, only=1)], PLAYERS)
    assert [view.patience_s for view in display.seen if isinstance(view, GroupQuestion)] == [UNTIMED_PATIENCE_S] * 2


class TenMinutesPassedError(Exception):
    """Nobody has touched anything for ten minutes; ``view`` is on the screen."""

    def __init__(self, view: View) -> None:
        super().__init__(type(view).__name__)
        self.view = view


class LeavingPeople(NullDisplay):
    """People who answer ``answers`` questions and then leave; one of them may have ``opened`` a page of their own. From
    then on only the clock moves. ``given`` are their answers."""

    def __init__(self, answers: int, opened: bool) -> None:
        self.answers, self.opened = answers, opened
        self.dice, self.now_s, self.left_s = random.Random(answers), 0, 0
        self.given: list[Mapping[Seat, Value]] = []

    def ask(self, view: InteractiveView) -> Answer:
        if self.answers:
            if isinstance(view, GroupQuestion):
                answer = random_answers(view.prompt, self.dice)
                if not view.only_tells:
                    self.answers -= 1
                    self.given.append(answer)
                return answer
            return GO_ON_ANSWER
        self.left_s = self.left_s or self.now_s
        dialogue = Dialogue(view)
        if self.opened and isinstance(view, GroupQuestion) and isinstance(dialogue.page, GroupQuestionPage):
            handed = dialogue.page.open_seat(dialogue.page.waiting[0])
            assert handed.own_page is not None
            dialogue.page = handed.with_own_page(new_draft(handed.own_page.view))
            self.opened = False
        scene = WindowScene(view, self.now_s * 10**9, dialogue)
        while (reply := scene.automatic_reply(self.now_s * 10**9, self.left_s * 10**9)) is None:
            self.now_s += 1
            if self.now_s - self.left_s >= 600:
                raise TenMinutesPassedError(view)
        return reply.value


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("answers", [0, 1, 4, 9])
@pytest.mark.parametrize("game", GAMES)
def test_nobody_there_makes_no_move(game: str, answers: int, opened: bool, tmp_path: Path) -> None:
    long: dict[str, dict[str, Value]] = {
        "classic": {"best_of": 99}, "redeux": {"games": 9}, "tr": {"roll": "20|20-20"},
    }  # fmt: skip
    config = MatchConfig(find_game(game).set_up(2, long.get(game)), ("Ann", "Ben"), HouseRules(), 0, "none")
    people = LeavingPeople(answers, opened)
    with Journal(tmp_path / "one.journal") as journal:
        number = journal.start_match(config.start_event(), config.names)
        source, clock = RoundSource(ScreenAnswers(people)), SimulatedClock()
        match = Match(journal, number, source, MatchOutput(people, clock, lambda line: None, people_answer=True))
        with pytest.raises(TenMinutesPassedError) as passed:
            match.play()
        bodies = [event.body for event in journal.events() if isinstance(event.body, Answered)]
        by_people = [{seat: value for seat, value in body.answers.items() if seat != BOX} for body in bodies]
        assert isinstance(passed.value.view, Presence), "it has asked, and still waits"
        assert [answer for answer in by_people if answer] == people.given
        assert journal.unfinished_match() == number and verify(journal).problems == ()


@pytest.mark.parametrize("headless", [False, True])
def test_a_match_that_nobody_answers_leads_home_where_people_play(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, headless: bool
) -> None:
    def leave(*_: object) -> object:
        raise NobodyThereError("stopped: nobody is there")

    monkeypatch.setattr(match_runner, "_play", leave)
    options = LaunchOptions(tmp_path / "one.journal", "none", headless=headless)
    config = MatchConfig(find_game("classic").set_up(2), ("Ann", "Ben"), HouseRules(), 0, "none")
    display: Display = NullDisplay()

    def run() -> object:
        return match_runner.run_match(options, config, lambda: display, SimulatedClock())

    if headless:
        with pytest.raises(NobodyThereError):
            run()
    else:
        assert run() is NextStep.HOME
