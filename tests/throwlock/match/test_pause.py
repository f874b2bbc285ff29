"""A match is paused, taken back, left, given up and started again by touch: nothing that is written is lost, and a
count that was interrupted is nobody's foul."""

import random
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.sound.base import NullSound
from device.sound.loudspeaker import Loudspeaker
from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from rules.engine import IntRange, Value
from rules.record.match import MatchState
from tests.helpers.match_texts import sentences
from tests.helpers.pausing_people import PAPER_ROCK, ROCK_PAPER, TIE, On, Script, begin, menus, pause
from tests.helpers.table_matches import FakeCamera, PerfectJudge, match_config
from throwlock.cli.main import run_command
from throwlock.home import GameSession
from throwlock.journal.events import Answered, Corrected, MatchAbandoned
from throwlock.journal.journal import Event, Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.match import Match, RestartError
from throwlock.match.pause import PausableDisplay, PausedError, PauseSettings
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.match_runner import play_to_end, run_match
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig
from throwlock.replay.corrections import CorrectionError, plan_undo
from throwlock.replay.project import match_state
from throwlock.replay.public_log import public_log
from throwlock.review.entries import index_entries
from throwlock.review.export import match_to_json
from throwlock.review.verify import verify
from throwlock.session import AssignSeats
from throwlock.settings.model import Settings, SoundSettings, read_settings
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.hands import HandTable
from throwlock.tables.source import PeopleLeftError, RoundSource
from ui.i18n.language import current_language
from ui.screen.core.display import PauseRequestedError, WindowClosedError
from ui.screen.core.registry import draw
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.home import RESUME_ANSWER, ChosenGame, GameMenu
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import ChosenVolume, PauseChoice, PausePage
from ui.screen.pages.question import HandOverPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.seating import SeatingAnswer, SeatingView
from ui.screen.views import PAUSE, Dialogue, InteractiveView, Page, Reply, View
from vision.zones import default_zones


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with Journal(tmp_path / "one.journal") as opened:
        yield opened


def kinds(journal: Journal) -> list[str]:
    return [event.kind for event in journal.events()]


def test_entered_throw_can_be_undone(journal: Journal) -> None:
    match, script = begin(journal, [ROCK_PAPER, On(Reveal, "undo"), PAPER_ROCK, PAPER_ROCK])
    result = match.play()
    events = journal.events()
    assert [event.kind for event in events] == [
        "match_started", "answered", "corrected", "answered", "answered", "match_ended",
    ]  # fmt: skip
    undone = events[2].body
    assert isinstance(undone, Corrected)
    assert (undone.round, undone.seat, undone.answers, undone.dropped) == (2, None, None, ())
    assert result.winners == (1,) and list(effective_answers(events)) == [4, 5]
    assert verify(journal).problems == ()
    first = next(view for view in script.seen if isinstance(view, Reveal))
    assert first.can_undo and not first.can_dispute and first.seconds_left == Pace().entered_throw_s
    assert any("taken back" in sentence for sentence in sentences(events))


def test_entries_are_undone_until_the_next_answer(
    journal: Journal,
) -> None:
    def pause_after_one_answer(view: GroupQuestion) -> Any:
        page = view.first_page().with_answer(1, "rock")
        assert isinstance(page, GroupQuestionPage)
        paused = page.press(PAUSE)
        assert isinstance(paused, Reply)
        return paused.value

    def answer_the_rest(view: InteractiveView) -> Any:
        page = view.first_page()
        assert isinstance(page, GroupQuestionPage) and page.answers == {1: "rock"}, "what was in is still in"
        return PAPER_ROCK

    match, script = begin(
        journal,
        [
            ROCK_PAPER, pause, On(PausePage, PauseChoice.UNDO), PAPER_ROCK, pause_after_one_answer,
            On(PausePage, PauseChoice.GO_ON), answer_the_rest,
        ],
    )  # fmt: skip
    assert match.play().winners == (1,)
    assert kinds(journal) == ["match_started", "answered", "corrected", "answered", "answered", "match_ended"]
    assert [menu.can_undo for menu in menus(script)] == [True, False]
    assert "Classic · Ada, Ben" in str(menus(script)[0].match)


def test_only_the_last_round_can_be_taken_back(journal: Journal) -> None:
    undo = [pause, On(PausePage, PauseChoice.UNDO)]
    match, script = begin(journal, [TIE, TIE, TIE, *undo, pause, On(PausePage, PauseChoice.LEAVE)])
    with pytest.raises(PeopleLeftError):
        match.play()
    assert [menu.can_undo for menu in menus(script)] == [True, False]
    with pytest.raises(CorrectionError):
        plan_undo(journal.events())
    assert list(effective_answers(journal.events())) == [2, 3]


class BettingScript(Script):
    """People who throw, bet as much as they can, and at the first throw after a bet pause and take the bet back."""

    undone = False

    def ask(self, view: InteractiveView) -> Any:
        self.seen.append(view)
        if isinstance(view, PausePage):
            return PauseChoice.UNDO
        if isinstance(view, Reveal | GameMessage | Notice):
            return "go on"
        page = view.first_page()
        assert isinstance(page, GroupQuestionPage)
        prompt = page.view.prompt
        self.answers.append(prompt.kind)
        if not self.undone and self.answers[-2:] == ["bet", "throw"]:
            self.undone = True
            return pause(view)
        if prompt.kind == "throw":
            return {seat: "paper" if seat == 1 else "rock" for seat in prompt.seats}
        return {
            seat: options.stop
            if isinstance(options, IntRange)
            else "yes"
            if options.allows("yes")
            else options.values[0]
            for seat, options in prompt.seats.items()
        }


def test_a_bet_is_undone_before_its_throw(journal: Journal) -> None:
    match, people = begin(journal, [], GAMES["redeux"].set_up(2, {"risk": "always", "goal": 40}), people=BettingScript)
    match.play()
    events = {event.number: event.body for event in journal.events()}
    (undone,) = (body for body in events.values() if isinstance(body, Corrected))
    taken = events[undone.round]
    assert isinstance(taken, Answered) and taken.prompt == "bet" and (undone.previous, undone.to) == (None, None)
    assert "bet, throw, bet, throw" in ", ".join(people.answers)
    assert verify(journal).problems == ()


def test_a_match_that_is_over_can_be_taken_back(journal: Journal) -> None:
    options = LaunchOptions(journal.path, "none")
    match, script = begin(
        journal, [ROCK_PAPER, On(MatchResult, "undo"), PAPER_ROCK, On(MatchResult, "home")],
        GAMES["classic"].set_up(2, {"best_of": 1}),
    )  # fmt: skip
    assert play_to_end(options, script, match) == "home"
    assert kinds(journal) == ["match_started", "answered", "match_ended", "corrected", "answered", "match_ended"]
    assert verify(journal).problems == ()
    assert [view.result.winners for view in script.seen if isinstance(view, MatchResult)] == [(2,), (1,)]


@pytest.mark.parametrize(
    ("choice", "error", "last", "unfinished"),
    [
        (PauseChoice.LEAVE, PeopleLeftError, "answered", 1),
        (PauseChoice.GIVE_UP, PeopleLeftError, "match_abandoned", None),
        (PauseChoice.RESTART, RestartError, "match_abandoned", None),
    ],
)
def test_leaving_keeps_the_match_and_giving_up_ends_it(
    journal: Journal, choice: PauseChoice, error: type[Exception], last: str, unfinished: int | None
) -> None:
    match, _ = begin(journal, [ROCK_PAPER, pause, On(PausePage, choice)])
    with pytest.raises(error):
        match.play()
    assert kinds(journal)[:2] == ["match_started", "answered"] and kinds(journal)[-1] == last
    assert journal.unfinished_match() == unfinished
    assert (match_state(journal.events()[-1]) is MatchState.ABANDONED) is (unfinished is None)
    assert verify(journal).problems == ()


def test_an_undo_is_exported_imported_and_counts_as_no_dispute(journal: Journal, tmp_path: Path) -> None:
    begin(journal, [ROCK_PAPER, On(GameMessage, "undo"), PAPER_ROCK, PAPER_ROCK])[0].play()
    events, file, other = journal.events(), tmp_path / "one.json", tmp_path / "other.journal"
    file.write_text(match_to_json(journal, 1))
    assert run_command(["import", str(file), "--journal", str(other)]) == 0
    with JournalReader(other) as reader:
        assert verify(reader).problems == ()
        assert list(effective_answers(reader.events())) == list(effective_answers(events))
    assert index_entries(events, ["a", "b"]).match.disputes == 0
    notes = [line for line in public_log(events) if "corrected" in line]
    assert notes == [{"corrected": 2, "seat": None, "from": None, "to": None, "dropped": []}]


def test_verify_finds_an_undo_of_something_else(journal: Journal) -> None:
    match, _ = begin(journal, [TIE, TIE, TIE, pause, On(PausePage, PauseChoice.LEAVE)])
    with pytest.raises(PeopleLeftError):
        match.play()
    planned = plan_undo(journal.events())
    for wrong, problem in (
        (planned.model_copy(update={"round": 2, "dropped": (3, 4)}), "another effect"),
        (planned.model_copy(update={"answers": {1: "paper", 2: "rock"}}), "another effect"),
    ):
        with Journal(journal.path.with_name(f"{wrong.round}.journal")) as other:
            number = other.start_match(journal.events()[0].body, match.names.values())  # type: ignore[arg-type]
            for event in journal.events()[1:]:
                other.append(number, event.body)
            other.append(number, wrong)
            assert any(problem in line for line in verify(other).problems)


@dataclass
class PausingAtBeat:
    """A display whose people pause while a beat of the first count is shown."""

    beat: int
    choice: PauseChoice
    paused: bool = False
    requested: bool = False
    views: list[Any] = field(default_factory=list)

    def show(self, view: View) -> None:
        if self.requested:
            self.requested = False
            raise PauseRequestedError
        self.views.append(view)
        if isinstance(view, Countdown) and view.beat == self.beat and not self.paused:
            self.paused = self.requested = True

    def ask(self, view: InteractiveView) -> Any:
        self.views.append(view)
        return self.choice if isinstance(view, PausePage) else None


class RecordingCamera(FakeCamera):
    """Whether the exposure is locked."""

    locked = False

    def lock_exposure(self) -> None:
        self.locked = True

    def unlock_exposure(self) -> None:
        self.locked = False


@pytest.mark.parametrize("choice", [PauseChoice.GO_ON, PauseChoice.LEAVE])
def test_pause_in_the_count_makes_the_throw_not_count(tmp_path: Path, choice: PauseChoice) -> None:
    clock, camera = SimulatedClock(), RecordingCamera()
    people = PausingAtBeat(1, choice)
    display, judge = PausableDisplay(people), PerfectJudge()
    config = match_config(GAMES["classic"].set_up(2, {"best_of": 1}))
    simulated = SimulatedPlayers(0, judge)
    table = HandTable(
        camera=camera, zones=default_zones(2), display=display, clock=clock, house_rules=config.house_rules,
        listener=simulated, judge=judge,
    )  # fmt: skip
    with Journal(tmp_path / "one.journal") as journal:
        number = journal.start_match(config.start_event(), config.names)
        match = Match(
            journal,
            number,
            RoundSource(simulated, (table,)),
            MatchOutput(display, clock, lambda line: None, people_answer=True),
        )
        display.menu = match.pause_page
        if choice is PauseChoice.GO_ON:
            match.play()
            assert kinds(journal)[0] == "match_started" and "round_voided" not in kinds(journal)[:2]
            assert all(not event.round.fouls for event in journal.events() if event.round)
        else:
            with pytest.raises(PeopleLeftError):
                match.play()
            assert kinds(journal) == ["match_started"] and judge.rounds == 0
        assert verify(journal).problems == ()
    assert not camera.locked, "the camera is left as it was"
    counts = [view.beat for view in people.views if isinstance(view, Countdown)]
    assert counts[:3] == [-1, 0, 1] and (choice is PauseChoice.LEAVE or counts[3] == -1), "counted again from the start"
    menu = next(view for view in people.views if isinstance(view, PausePage))
    assert "doesn’t count" in menu.note and not menu.can_undo


def test_whoever_asks_outside_a_count_does_not_notice_a_pause() -> None:
    display = PausableDisplay(Script([pause, PauseChoice.GO_ON, {1: 5}]))
    assert display.ask(Notice("Note", "It is so.", in_match=True)) == "go on"
    script = Script([On(Notice, pause), PauseChoice.LEAVE])
    with pytest.raises(PausedError) as left:
        PausableDisplay(script).ask(Notice("Note", "It is so.", in_match=True))
    assert left.value.choice is PauseChoice.LEAVE


def test_volume_and_language_are_set_in_a_pause_and_kept(tmp_path: Path) -> None:
    sound, file = Loudspeaker(0.8), tmp_path / "throwlock.toml"
    touches = [On(Notice, pause), ChosenVolume(30), ChosenVolume(0), PauseChoice.LANGUAGE, "de", PauseChoice.GO_ON]
    script = Script(touches)
    display = PausableDisplay(script, settings=PauseSettings(sound, Settings(), file))
    assert display.ask(Notice("Note", "It is so.", in_match=True)) == "go on"
    assert current_language() == "de"
    pages = [view for view in script.seen if isinstance(view, PausePage)]
    assert [(page.volume, page.loud) for page in pages] == [(80, 80), (30, 30), (0, 30), (0, 30)]
    kept = read_settings(file)
    assert (kept.sound.volume, kept.screen.language, sound.volume) == (0, "de", 0.0)


def test_where_nothing_can_be_heard_there_is_no_volume(tmp_path: Path) -> None:
    off = Settings(sound=SoundSettings(on=False))
    page = PauseSettings(NullSound(), off, tmp_path / "throwlock.toml").on_page(PausePage())
    assert page.volume is None and page.has_languages


def test_a_match_is_started_again_with_the_same_players(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    script = Script([ROCK_PAPER, pause, On(PausePage, PauseChoice.RESTART), PAPER_ROCK, PAPER_ROCK, "home"])
    config = replace(match_config(GAMES["classic"].set_up(2, {"best_of": 3})), camera="none")
    assert run_match(LaunchOptions(path, "none"), config, lambda: script, SimulatedClock()) == "home"
    with JournalReader(path) as reader:
        first, second = (reader.events(number) for number in reader.matches())
        assert verify(reader).problems == ()
    assert isinstance(first[-1].body, MatchAbandoned) and second[-1].kind == "match_ended"
    assert first[0].names == second[0].names == config.names


SHORT_OPTIONS: dict[str, dict[str, Value]] = {
    "classic": {"best_of": 3},
    "redeux": {"risk": "always", "goal": 10},
    "battle": {"rounds": 2},
    "tr": {"throws": 2, "rethrows": 1, "difficulty": 1},
    "board": {"quiet": 10, "start": "1"},
}
WILD_TOUCHES, MOST_TOUCHES = 40, 80
"""After so many touches people take nothing back any more; after so many they leave."""


class RandomPeople:
    """People who touch anything at random. They leave the box after a winner, or on the home page after a while.
    ``committed`` are the journal's events so far, checked at every pause: none may ever change."""

    def __init__(self, path: Path, game: ChosenGame, rng: random.Random) -> None:
        self.path, self.game, self.rng = path, game, rng
        self.touches, self.winners, self.committed = 0, 0, list[Event]()
        self.surface = pygame.Surface((400, 240), 0, 32)

    def check_journal(self) -> None:
        with JournalReader(self.path) as reader:
            events = reader.events()
        assert events[: len(self.committed)] == self.committed
        self.committed = events

    def show(self, view: View) -> None: ...

    def ask(self, view: InteractiveView) -> Any:
        match view:
            case GameMenu():
                if self.winners or self.touches >= MOST_TOUCHES:
                    raise WindowClosedError
                self.touches += 1
                return RESUME_ANSWER if view.unfinished and self.rng.random() < 0.7 else self.game
            case SeatingView():
                return SeatingAnswer(("",) * self.game.seats)
            case MatchResult() if not (view.can_undo and self.rng.random() < 0.3 and self.touches < WILD_TOUCHES):
                self.winners += 1
                return "home"
            case PausePage():
                self.check_journal()
            case GroupQuestionPage():
                own = view.own_page
                assert own is None or not view.view.prompt.is_private or isinstance(own, HandOverPage)
        dialogue = Dialogue(view)
        while True:
            self.touches += 1
            reply = dialogue.press(self.choose(dialogue.page))
            if reply is not None:
                return reply.value

    def choose(self, page: Page) -> Any:
        """Choose a target: now and then the pause, and what gives something up only while that leads to an end."""
        presses = [target.press for target in draw(self.surface, page).targets]
        others = [press for press in presses if press != PAUSE]
        if self.touches >= MOST_TOUCHES and PAUSE in presses:
            return PAUSE
        if isinstance(page, PausePage) and self.touches >= WILD_TOUCHES:
            leave = replace(page, confirms="leave")
            wanted = [Reply(PauseChoice.LEAVE), leave] if self.touches >= MOST_TOUCHES else [Reply(PauseChoice.GO_ON)]
            others = [press for press in others if press in wanted] or others
        if self.touches >= WILD_TOUCHES:
            others = [press for press in others if press != Reply("undo")] or others
        pausing = PAUSE in presses and self.rng.random() < 0.12
        return PAUSE if pausing or not others else self.rng.choice(others)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_random_touches_lose_nothing_and_reach_a_winner_or_home(
    name: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = random.Random(seed)
    path = tmp_path_factory.mktemp("random") / "one.journal"
    seats = rng.randint(GAMES[name].min_players, min(4, GAMES[name].max_players))
    people = RandomPeople(path, ChosenGame(name, seats, SHORT_OPTIONS.get(name, {})), rng)

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        return run_match(options, config, lambda: people, SimulatedClock(), assign_seats)

    with pytest.raises(WindowClosedError):
        GameSession(LaunchOptions(path, "none"), people, run_one, (), 0).run(None)
    if path.exists():
        people.check_journal()
        with JournalReader(path) as reader:
            assert verify(reader).problems == ()
            states = [match_state(reader.events(number)[-1]) for number in reader.matches()]
        assert all(state != "in progress" for state in states[:-1]), "only the newest match can go on"
