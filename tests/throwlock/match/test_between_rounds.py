"""An endless match: people come, go and end the game from the pause page, before anybody throws or after the round, and
nothing that is written is lost."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from rules.engine import Game, Play, Value
from tests.helpers.match_texts import sentences
from tests.helpers.pausing_people import On, Script, begin, menus, pause
from tests.helpers.table_matches import FIXED_BATTLE, match_config
from throwlock.journal.events import Answered, Corrected
from throwlock.journal.journal import Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.match import Match
from throwlock.match.pause import PausableDisplay
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.match_runner import play_to_end, run_match
from throwlock.replay.answers import effective_answers
from throwlock.replay.corrections import CorrectionError, plan_break_off, plan_undo
from throwlock.replay.project import match_state
from throwlock.review.verify import verify
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.answers import ScreenAnswers, TerminalAnswers
from throwlock.tables.source import PeopleLeftError, RoundSource
from ui.screen.core.display import NullDisplay
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Presence
from ui.screen.pages.pause import PauseChoice, PausePage
from ui.screen.pages.result import MatchResult
from ui.screen.views import NobodyAnswered

ROCK_PAPER = {1: "rock", 2: "paper"}
WINS = {1: "paper", 2: "rock"}


def endless(seats: int = 2, **options: Value) -> Game:
    """A Battle that goes on, in which whoever is drawn decides nothing."""
    return GAMES["battle"].set_up(seats, {**FIXED_BATTLE, "rounds": 0, "changes": True, **options})


def chosen(choice: PauseChoice) -> list[Any]:
    """Pause at the next question and choose."""
    return [On(GroupQuestion, pause), On(PausePage, choice)]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "one.journal") as opened:
        yield opened


def answered(journal: Journal) -> list[dict[int, Value]]:
    return list(effective_answers(journal.events()).values())


def test_nobody_is_asked_between_rounds_until_people_end_the_game(journal: Journal) -> None:
    throws = [ROCK_PAPER] * 12 + [WINS]
    match, script = begin(journal, throws + chosen(PauseChoice.END_GAME), endless(classic=True))
    result = match.play()
    assert result.winners == (2,) and result.details["rounds"] == {
        1: {"wins": 1, "losses": 12, "ties": 0},
        2: {"wins": 12, "losses": 1, "ties": 0},
    }
    assert answered(journal)[-2:] == [WINS, {1: "stop"}]
    assert not any(isinstance(view, GroupQuestion) and view.prompt.kind == "table" for view in script.seen)
    assert menus(script)[0].can_end_game and menus(script)[0].can_change
    assert verify(journal).problems == ()


def test_a_round_is_broken_off_before_anybody_throws(journal: Journal) -> None:
    match, script = begin(
        journal, [ROCK_PAPER, *chosen(PauseChoice.PLAYERS), {3: "leave"}, WINS, *chosen(PauseChoice.END_GAME)],
        endless(3, rounds=0),
    )  # fmt: skip
    script.answers[0] = script.answers[0] | {3: "rock"}
    match.play()
    events = journal.events()
    broken = [event.body for event in events if isinstance(event.body, Corrected)]
    assert [body.text for body in broken] == ["The round is broken off before anybody has thrown."] * 2
    assert answered(journal) == [{}, {1: "rock", 2: "paper", 3: "rock"}, {3: "leave"}, {}, WINS, {1: "stop"}]
    assert verify(journal).problems == ()
    assert "Chidi leaves." in sentences(events) and match_state(events[-1]) == "finished"


def test_draws_of_a_round_that_is_broken_off_do_not_count(journal: Journal) -> None:
    wish = On(GroupQuestion, lambda view: dict.fromkeys(view.prompt.seats, "on"))
    match, _ = begin(journal, [wish, *chosen(PauseChoice.END_GAME)], endless(count="wish"))
    match.play()
    assert answered(journal) == [{1: "stop"}]
    dropped = next(event.body for event in journal.events() if isinstance(event.body, Corrected)).dropped
    assert len(dropped) == 2, "who decides, and their wish"
    assert verify(journal).problems == ()


def test_once_somebody_has_thrown_the_game_ends_after_the_round(journal: Journal) -> None:
    """The others have the second look: their throws are part of the same round."""
    lose = {1: "rock", 2: "paper"}
    match, _ = begin(journal, [lose, lose, lose, {2: "rock"}, *chosen(PauseChoice.END_GAME), {1: "paper"}], endless())
    match.play()
    assert answered(journal)[-3:] == [{2: "rock"}, {1: "paper"}, {1: "stop"}]
    assert verify(journal).problems == ()


def test_ending_the_game_can_be_taken_back_at_the_result(journal: Journal) -> None:
    end = chosen(PauseChoice.END_GAME)
    match, _ = begin(journal, [ROCK_PAPER, *end, On(MatchResult, "undo"), WINS, *end, "home"], endless())
    options = LaunchOptions(Path("unused"), "none")
    assert play_to_end(options, match.output.display, match) == "home"
    assert answered(journal)[-2:] == [WINS, {1: "stop"}]
    assert verify(journal).problems == ()


def test_undo_stops_at_the_last_throw(journal: Journal) -> None:
    match, _ = begin(journal, [ROCK_PAPER, *chosen(PauseChoice.UNDO), WINS, *chosen(PauseChoice.END_GAME)], endless())
    assert match.play().scores == {1: 1, 2: -1}
    assert verify(journal).problems == ()


def test_people_who_just_leave_go_on_later_where_they_were(journal: Journal) -> None:
    match, _ = begin(journal, [ROCK_PAPER, *chosen(PauseChoice.LEAVE)], endless())
    with pytest.raises(PeopleLeftError):
        match.play()
    before = journal.events()
    assert match_state(before[-1]) == "in progress" and journal.unfinished_match() == match.number
    script = Script([ROCK_PAPER, *chosen(PauseChoice.END_GAME)])
    display = PausableDisplay(script)
    resumed = Match(
        journal,
        match.number,
        RoundSource(ScreenAnswers(display)),
        MatchOutput(display, SimulatedClock(), lambda line: None, people_answer=True),
    )
    display.menu = resumed.pause_page
    assert resumed.play().scores == {1: -2, 2: 2}
    assert journal.events()[: len(before)] == before and verify(journal).problems == ()


def test_nobody_there_leaves_an_endless_match_without_a_move(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    script = Script([On(GroupQuestion, lambda view: NobodyAnswered(view.first_page())), On(Presence, None)])
    config = replace(match_config(endless()), camera="none")
    run_match(LaunchOptions(path, "none"), config, lambda: script, SimulatedClock())
    with JournalReader(path) as reader:
        events = reader.events()
        assert reader.unfinished_match() == 1
    assert [event.body.answers for event in events if isinstance(event.body, Answered)] == [{}]


def test_a_short_match_without_changes_offers_nothing_between_its_rounds(journal: Journal) -> None:
    game = GAMES["battle"].set_up(2, {**FIXED_BATTLE, "rounds": 2})
    match, script = begin(journal, [ROCK_PAPER, pause, On(PausePage, PauseChoice.GO_ON), ROCK_PAPER], game)
    match.play()
    assert not menus(script)[0].can_end_game and not menus(script)[0].can_change
    with pytest.raises(CorrectionError):
        plan_break_off(journal.events())


def test_an_endless_match_whose_players_stay_can_only_be_ended(journal: Journal) -> None:
    match, script = begin(journal, [ROCK_PAPER, *chosen(PauseChoice.END_GAME)], endless(changes=False))
    assert match.play().winners == (2,)
    assert menus(script)[0].can_end_game and not menus(script)[0].can_change


def test_changes_asked_for_at_a_result_come_before_the_next_round(journal: Journal) -> None:
    changes = [On(GameMessage, pause), On(PausePage, PauseChoice.PLAYERS), {1: "reset"}]
    match, _ = begin(journal, [ROCK_PAPER, *changes, ROCK_PAPER, *chosen(PauseChoice.END_GAME)], endless())
    assert match.play().scores == {1: -1, 2: 2}
    corrected = [event for event in journal.events() if isinstance(event.body, Corrected)]
    assert len(corrected) == 1, "nothing had to be broken off but the last round"


def test_simulated_players_end_an_endless_match_some_time(tmp_path: Path) -> None:
    config = match_config(GAMES["battle"].set_up(4))
    for seed in range(5):
        with Journal(tmp_path / f"{seed}.journal") as journal:
            number = journal.start_match(config.start_event(), config.names)
            players = SimulatedPlayers(seed)
            Match(
                journal,
                number,
                RoundSource(players),
                MatchOutput(NullDisplay(), SimulatedClock(), lambda line: None, Pace(0.0, 0.0)),
            ).play()
            assert verify(journal).problems == ()


@pytest.mark.parametrize("typed", [["2 leave"], ["hello", "2 fly", "9 leave", "2 leave"], ["", "2 leave"]])
def test_the_terminal_asks_in_one_line(typed: list[str]) -> None:
    lines, said = iter(typed), list[str]()
    prompt = Play(endless(3)).prompt
    assert prompt
    answers = TerminalAnswers(lambda question: next(lines), said.append)
    given = answers.answer(prompt, (), 0)
    assert given == ({} if typed[0] == "" else {2: "leave"})
    assert bool(said) == (typed[0] == "hello")


def test_random_changes_lose_nothing(tmp_path: Path) -> None:
    """Whatever people choose at whatever page, the journal replays and only grows."""
    for seed in range(12):
        dice = random.Random(seed)
        with Journal(tmp_path / f"{seed}.journal") as journal:
            match, script = begin(journal, [], endless(4, free=1, count="wish", rounds=6))
            before: list[Any] = []

            def ask(
                view: Any, dice: random.Random = dice, journal: Journal = journal, before: list[Any] = before
            ) -> Any:
                events = journal.events()
                view = view.view if isinstance(view, GroupQuestionPage) else view  # gone on with after a pause
                assert events[: len(before)] == before
                before[:] = events
                if isinstance(view, PausePage):
                    can = [PauseChoice.GO_ON, *([PauseChoice.UNDO] if view.can_undo else [])]
                    can += [PauseChoice.PLAYERS] if view.can_change else []
                    can += [PauseChoice.END_GAME] if view.can_end_game and dice.random() < 0.2 else []
                    return dice.choice(can)
                if isinstance(view, GroupQuestion):
                    if dice.random() < 0.3:
                        return pause(view)
                    seats = [seat for seat in view.prompt.seats if not view.prompt.is_optional or dice.random() < 0.4]
                    return {seat: dice.choice([*view.prompt.seats[seat].values]) for seat in seats}
                return None

            script.ask = ask
            match.play()
            assert verify(journal).problems == ()


def test_a_question_nobody_was_asked_is_not_taken_back(journal: Journal) -> None:
    match, _ = begin(journal, chosen(PauseChoice.LEAVE), endless())
    with pytest.raises(PeopleLeftError):
        match.play()
    with pytest.raises(CorrectionError):
        plan_undo(journal.events())
