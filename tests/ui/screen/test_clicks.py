"""Whole games in a real window: xdotool clicks from the home page through set-up, seating, throws, bets, claims and
moves to the result and back home. In the middle of each nobody touches anything for ten minutes. Skipped where Xvfb or
xdotool is missing."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rules.catalogue import GAMES
from tests.helpers.clicked_window import PASSING_S, ClickedWindow, ClickTarget, game_window
from tests.helpers.x_server import server
from throwlock.journal.events import Answered
from throwlock.journal.journal import JournalReader
from throwlock.review.verify import verify

__all__ = ["game_window", "server"]
MAX_CLICKS = 600
QUIET_S = (120, 480)
"""The ten minutes in which nobody touches anything, in two steps."""
QUESTION_PAGES = {"GroupQuestionPage", "HandOverPage", "EntryPage", "BoardPage"}
EVENTS_BEFORE = 2
"""The events in the journal before nobody touches anything: the start and an answer."""


def choose_target(window: ClickedWindow, title: str, rng: random.Random) -> ClickTarget | None:
    """Return what to click to play the game called ``title``; None where there is nothing to do but wait."""

    def with_press(*kinds: str) -> list[ClickTarget]:
        return [target for target in window.targets if target.press.startswith(kinds) and "None" not in target.press]

    only_choice = {
        "SetUpPage": "ChosenGame",
        "PlanPage": "SeatingAnswer",
        "FirstTimePage": "'start'",
        "MatchResult": "'home'",
        "Presence": "'go on'",
    }
    if window.page == "TimeUpPage":
        return rng.choice(window.targets)
    if window.page in ("GameMenu", "GamesPage"):
        return next(target for target in window.targets if target.label.startswith(title))
    if window.page in only_choice:
        chosen = [target for target in with_press("Reply(") if only_choice[window.page] in target.press]
        return (*chosen, *window.targets)[0]  # a click may have opened the code on the result page: "Done"
    if window.page in ("Reveal", "Showdown", "GameMessage"):  # what else can be touched is a dispute, or an undo
        return next((target for target in window.targets if target.label in ("Show all", "Go on")), None)
    kinds = ("Reply(", "EntryPage", "BoardPage") if window.page == "HandOverPage" else ("Reply(",)
    answers = (
        with_press(*kinds)
        or with_press("GroupQuestionPage", "BoardPage with a move", "EntryPage")
        or with_press("BoardPage enlarged for a move")
        or with_press("BoardPage")
        or [target for target in window.targets if target.label == "Whole board"]
    )
    return rng.choice(answers) if answers else None


def stay_away(window: ClickedWindow, journal: Path) -> None:
    """Let ten minutes pass in which nobody touches anything: no event is added, and the box asks who is there."""
    before = count_events(journal)
    for seconds in QUIET_S:
        window.pass_time(seconds)
    assert window.page == "Presence"
    assert count_events(journal) == before


def count_events(path: Path) -> int:
    """Return the number of events in a journal, 0 before there is one."""
    if not path.exists():
        return 0
    with JournalReader(path) as journal:
        return len(journal.events())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_window", "name"), [(name, name) for name in GAMES], indirect=["game_window"], ids=list(GAMES)
)
def test_whole_game_by_clicks(game_window: ClickedWindow, name: str, tmp_path: Path) -> None:
    window, rng, pages, left = game_window, random.Random(name), list[str](), set[str]()
    window.wait_for_targets()
    for _ in range(MAX_CLICKS):
        if window.page != (pages or [""])[-1]:
            pages.append(window.page)
        if "MatchResult" in pages and window.page in ("GameMenu", "GamesPage"):
            break
        if window.page in QUESTION_PAGES - left and count_events(tmp_path / "j") >= EVENTS_BEFORE:
            left.add(window.page)
            stay_away(window, tmp_path / "j")
        target = choose_target(window, GAMES[name].title, rng)
        if target is not None:
            window.touch(target)
        else:
            window.pass_time(PASSING_S)
    assert "MatchResult" in pages and pages[-1] != "MatchResult", pages
    assert left, "nobody was away"
    with JournalReader(tmp_path / "j") as journal:
        assert verify(journal).problems == ()
        assert [event.kind for event in journal.events(1)][-1] == "match_ended"


def throw(click: Callable[..., None], *throws: str) -> None:
    """Throw one after the other; the screen is handed over by itself after the first."""
    click("GroupQuestionPage", "Player 1", "EntryPage")
    for seat, thrown in enumerate(throws, 1):
        if seat > 1:
            click("HandOverPage", f"I’m Player {seat}", "EntryPage")
        click("EntryPage", thrown, "Reveal" if seat == len(throws) else "HandOverPage")


@pytest.mark.parametrize("game_window", ["classic"], indirect=True)
@pytest.mark.slow
def test_endless_battle_by_clicks(game_window: ClickedWindow, tmp_path: Path) -> None:
    click, any_page = game_window.click, ("EntryPage", "GameMessage", "GroupQuestionPage", "Reveal")
    click("GamesPage", "Battle", "SetUpPage")
    click("SetUpPage", "Start", "PlanPage")
    click("PlanPage", "Play", "FirstTimePage")
    click("FirstTimePage", "Start", "EntryPage")
    click("EntryPage", "No", "GroupQuestionPage", "Player 1")
    throw(click, "Rock", "Rock")
    click(any_page, "Pause", "PausePage")
    click("PausePage", "Who comes or goes", "GroupQuestionPage", "Go on")
    click("GroupQuestionPage", "Player 2", "EntryPage", "Start afresh")
    click("EntryPage", "Start afresh", "GroupQuestionPage", "Go on")
    click("GroupQuestionPage", "Go on", "GameMessage")
    click(any_page, "Pause", "PausePage")
    click("PausePage", "End the game", "MatchResult")
    with JournalReader(tmp_path / "j") as journal:
        assert verify(journal).problems == ()
        assert [event.body.answers for event in journal.events() if isinstance(event.body, Answered)][-1] == {1: "stop"}


@pytest.mark.parametrize("game_window", ["classic"], indirect=True)
def test_match_paused_resumed_and_given_up_by_clicks(game_window: ClickedWindow, tmp_path: Path) -> None:
    def kinds() -> list[str]:
        with JournalReader(tmp_path / "j") as journal:
            return [event.kind for event in journal.events()]

    click = game_window.click
    click("GamesPage", "Classic", "SetUpPage")
    click("SetUpPage", "Start", "PlanPage")
    click("PlanPage", "Play", "FirstTimePage")
    click("FirstTimePage", "Start", "GroupQuestionPage")
    throw(click, "Rock", "Rock")
    assert kinds() == ["match_started", "answered"]
    click("Reveal", "Undo", "Notice")
    click("Notice", "Go on", "GroupQuestionPage")
    assert kinds() == ["match_started", "answered", "corrected"]
    click("GroupQuestionPage", "Player 1", "EntryPage")
    click("EntryPage", "Pause", "PausePage")
    click("PausePage", "Go on", "HandOverPage")  # nothing secret is shown again without a hand-over
    click("HandOverPage", "Pause", "PausePage")
    click("PausePage", "Leave", "PausePage", "Leave for now")
    click("PausePage", "Leave for now", "GamesPage")
    assert kinds() == ["match_started", "answered", "corrected"]
    click("GamesPage", "Go on with", "GroupQuestionPage")
    click("GroupQuestionPage", "Pause", "PausePage")
    click("PausePage", "Leave", "PausePage", "Give it up")
    click("PausePage", "Give it up", "GamesPage")
    assert kinds() == ["match_started", "answered", "corrected", "match_abandoned"]
    assert not any(target.label.startswith("Go on") for target in game_window.targets)


@pytest.mark.parametrize("game_window", ["classic"], indirect=True)
@pytest.mark.slow
def test_how_to_play_is_read_by_clicks(game_window: ClickedWindow, tmp_path: Path) -> None:
    click = game_window.click
    click("GamesPage", "Classic", "SetUpPage")
    click("SetUpPage", "How to play", "HowToPlayPage", "Next")
    click("HowToPlayPage", "Next", "HowToPlayPage", "Got it")
    click("HowToPlayPage", "Got it", "SetUpPage")
    click("SetUpPage", "How to play", "HowToPlayPage", "Skip")
    click("HowToPlayPage", "Skip", "SetUpPage")
    click("SetUpPage", "Start", "PlanPage")
    click("PlanPage", "Play", "FirstTimePage")
    click("FirstTimePage", "How to play", "HowToPlayPage", "Next")
    click("HowToPlayPage", "Next", "HowToPlayPage", "Start")
    assert count_events(tmp_path / "j") == 0
    click("HowToPlayPage", "Start", "GroupQuestionPage")
    click("GroupQuestionPage", "Player 1", "EntryPage")
    click("EntryPage", "Pause", "PausePage")
    click("PausePage", "How to play", "HowToPlayPage", "Next")
    click("HowToPlayPage", "Next", "HowToPlayPage", "Back")
    click("HowToPlayPage", "Skip", "PausePage")
    click("PausePage", "Go on", "HandOverPage")
    click("HandOverPage", "Pause", "PausePage")
    click("PausePage", "Leave", "PausePage", "Give it up")
    click("PausePage", "Give it up", "GamesPage")
    click("GamesPage", "Classic", "SetUpPage")
    click("SetUpPage", "Start", "PlanPage")
    click("PlanPage", "Play", "GroupQuestionPage")  # nobody is asked twice
