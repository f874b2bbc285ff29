"""While nobody answers no answer is made up: the box asks whether anybody is there, and in the end leaves the match."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rules.catalogue import find_game
from rules.engine import GameEvent, IntRange, Prompt
from throwlock import match_runner
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.next_step import NextStep
from throwlock.replay.config import MatchConfig
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.presence import (
    LEAVE_AFTER_S,
    PATIENCE_S,
    NobodyThereError,
    ask_group,
    ask_if_anybody_there,
)
from ui.screen.core.display import Display, NullDisplay
from ui.screen.pages.answers import Answer
from ui.screen.pages.common.view import Player
from ui.screen.pages.group_question.view import GroupQuestion
from ui.screen.pages.presence.view import HERE_ANSWER, LEAVE_ANSWER, Presence
from ui.screen.pages.views import UNTIMED_PATIENCE_S, InteractiveView, NobodyAnswered

PLAYERS = (Player(1, "Ann"), Player(2, "Ben"))
BET = Prompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)}, True, 20, 0)
ONE_ANSWERED = GroupQuestion(PLAYERS, BET, 20, locked={2: 5}).first_page()


class ScriptedDisplay(NullDisplay):
    """Gives the next of ``answers`` to each view, and keeps the views."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.answers = list(answers)
        self.asked: list[InteractiveView] = []

    def ask(self, view: InteractiveView) -> Answer:
        self.asked.append(view)
        return self.answers.pop(0)


def test_the_question_goes_on_with_what_was_locked_in_once_somebody_is_there() -> None:
    display = ScriptedDisplay([NobodyAnswered(ONE_ANSWERED), HERE_ANSWER, {2: 5, 1: None}])
    assert ScreenAnswers(display).answer(BET, PLAYERS, 0) == {1: None, 2: 5}
    first, presence, again = display.asked
    assert isinstance(first, GroupQuestion) and (first.seconds, first.patience_s) == (20, PATIENCE_S)
    assert isinstance(presence, Presence) and presence.seconds_left == LEAVE_AFTER_S
    assert isinstance(again, GroupQuestion) and again.locked == {2: 5}
    assert list(ask_group(ScriptedDisplay([{2: 5, 1: 0}]), first)) == [1, 2], "in the question's order"


@pytest.mark.parametrize("answer", [LEAVE_ANSWER, None])
def test_nobody_there_ends_the_question_without_an_answer(answer: str | None) -> None:
    display = ScriptedDisplay([NobodyAnswered(ONE_ANSWERED), answer])
    with pytest.raises(NobodyThereError, match="start again with the same journal to resume"):
        ScreenAnswers(display).answer(BET, PLAYERS, 0)
    with pytest.raises(NobodyThereError):
        ask_if_anybody_there(ScriptedDisplay([answer]), "")


def test_people_may_think_longer_where_no_time_is_set() -> None:
    display = ScriptedDisplay([{1: 3, 2: 4}, {1: "seen"}])
    source = ScreenAnswers(display)
    source.answer(replace(BET, seconds=None), PLAYERS, 0)
    source.tell([GameEvent("hand", {"cards": 3}, only=1)], PLAYERS)
    assert [view.patience_s for view in display.asked if isinstance(view, GroupQuestion)] == [UNTIMED_PATIENCE_S] * 2


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
        return match_runner.run_match(options, config, lambda: display, None)  # type: ignore[arg-type]

    if headless:
        with pytest.raises(NobodyThereError):
            run()
    else:
        assert run() is NextStep.HOME
