"""Where people find the phones: before a match, during a pause, and what they choose there."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from errors import ThrowlockError
from rules.catalogue import GAMES
from rules.classroom import CLASS_RULES
from tests.helpers.pad_phones import OpenNetwork, Phones
from throwlock.house_rules import HouseRules
from throwlock.journal.events import RoundJudged
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.pause import PadDisplay, PausableDisplay, PausedError, ask_for_phones, pause_page
from throwlock.match_runner import NextStep, run_match
from throwlock.pads.table import PadTable
from throwlock.pads.view import PadState
from throwlock.seating import new_match_config
from throwlock.session import Services
from ui.i18n.language import render, set_language
from ui.screen.pages.classroom import SHOUT_ANSWER, RollCall
from ui.screen.pages.common import GO_ON_ANSWER, SWITCH_ON_ANSWER
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PauseChoice, PausePage
from ui.screen.pages.phones import PhonesPage, RemovePhone
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Answer, InteractiveView, NobodyAnswered, PausedAt, View


class ScriptedScreen:
    """A touchscreen whose people give these answers in turn."""

    def __init__(self, *answers: Answer) -> None:
        self.answers, self.asked = list(answers), list[View]()

    def show(self, view: View) -> None: ...

    def ask(self, view: InteractiveView) -> Answer:
        self.asked.append(view)
        return self.answers.pop(0)


class BrokenNetwork(OpenNetwork):
    is_on = False

    def switch_on(self) -> ThrowlockError | None:
        return ThrowlockError("there is no network")


def test_people_take_seats_back_and_go_on() -> None:
    phones = Phones(("Ada", "Ben"))
    phones.join(1, 2)
    screen = ScriptedScreen(RemovePhone(1), GO_ON_ANSWER)
    ask_for_phones(screen, phones.pads)
    assert [phones.state(seat).seat for seat in (1, 2)] == [None, 2]
    assert all(isinstance(view, PhonesPage) for view in screen.asked)


def test_a_match_whose_phones_never_come_does_not_begin(tmp_path: Path) -> None:
    phones = Phones(())
    screen = ScriptedScreen(NobodyAnswered(PhonesPage(phones.pads.status, phones.pads.status())))
    options, services = LaunchOptions(tmp_path / "evening.journal", "none"), Services(pads=phones.pads)
    config = new_match_config(GAMES["classic"].set_up(2, {}), (), HouseRules(), 1, "none")
    assert run_match(options, config, lambda: screen, SimulatedClock(), services=services) == NextStep.HOME
    assert [type(view) for view in screen.asked] == [PhonesPage]
    with JournalReader(options.journal) as journal:
        assert journal.matches() == []


@pytest.mark.parametrize(("game", "has_rounds"), [("classic", True), ("board", False)])
def test_an_audience_guesses_in_games_of_rounds(game: str, has_rounds: bool, tmp_path: Path) -> None:
    phones, guessed = Phones(()), list[bool]()

    class Screen(ScriptedScreen):
        def ask(self, view: InteractiveView) -> Answer:
            phones.pads.introduce("guest", "Zoë", "owl", 1)
            audience = phones.pads.state("guest").audience
            guessed.append(audience is not None and audience.has_rounds)
            assert isinstance(view, PhonesPage)
            return NobodyAnswered(view)

    options, services = LaunchOptions(tmp_path / "evening.journal", "none"), Services(pads=phones.pads)
    config = new_match_config(GAMES[game].set_up(2, {}), (), HouseRules(), 1, "none")
    run_match(options, config, Screen, SimulatedClock(), services=services)
    assert guessed == [has_rounds]


def test_seats_without_names_are_named_in_the_screens_language(tmp_path: Path) -> None:
    phones = Phones(())
    screen = ScriptedScreen(NobodyAnswered(PhonesPage(phones.pads.status, phones.pads.status())))
    options, services = LaunchOptions(tmp_path / "evening.journal", "none"), Services(pads=phones.pads)
    config = new_match_config(GAMES["classic"].set_up(2, {}), ("Ada",), HouseRules(), 1, "none")
    run_match(
        options,
        replace(config, names=tuple(map(str, config.names))),
        lambda: screen,
        SimulatedClock(),
        services=services,
    )
    page = screen.asked[0]
    assert isinstance(page, PhonesPage)
    set_language("de")
    assert [render(seat.name) for seat in page.status.seats] == ["Ada", "Person 2"]


def test_a_network_that_fails_says_so() -> None:
    pads = PadTable()
    pads.network = BrokenNetwork()
    screen = ScriptedScreen(SWITCH_ON_ANSWER, "back", GO_ON_ANSWER)
    ask_for_phones(screen, pads)
    notice = screen.asked[1]
    assert isinstance(notice, Notice) and "There is no network" in notice.text


@pytest.mark.parametrize("has_network", [True, False])
def test_a_pause_leads_to_the_phones_where_there_is_a_network(has_network: bool) -> None:
    phones = Phones(("Ada", "Ben"))
    if not has_network:
        phones.pads.network = None
    question = Notice("Hello", "")
    answers: list[Answer] = [
        PausedAt(question),
        *([PauseChoice.PHONES, GO_ON_ANSWER] if has_network else []),
        PauseChoice.GO_ON,
        "go on",
    ]
    screen = ScriptedScreen(*answers)
    assert PausableDisplay(PadDisplay(screen, phones.pads), phones.pads).ask(question) == "go on"
    pauses = [view for view in screen.asked if isinstance(view, PausePage)]
    assert all(page.can_join is has_network for page in pauses) and len(pauses) == 1 + has_network


def test_a_pause_without_pads_offers_no_phones() -> None:
    screen = ScriptedScreen(PausedAt(Notice("Hello", "")), PauseChoice.LEAVE)
    with pytest.raises(PausedError):
        PausableDisplay(screen).ask(Notice("Hello", ""))
    assert screen.asked[1] == pause_page(screen.asked[0])  # type: ignore[arg-type]


class PhonePlayers(ScriptedScreen):
    """A touchscreen that nobody touches but to go on; the phones of both seats answer what it polls."""

    def __init__(self, phones: Phones) -> None:
        super().__init__()
        self.phones = phones

    def ask(self, view: InteractiveView) -> Answer:
        self.asked.append(view)
        match view:
            case PhonesPage():
                for seat in (1, 2):
                    self.phones.pads.take_seat(str(seat), seat)
                return GO_ON_ANSWER
            case GroupQuestion():
                page = view.first_page()
                for seat in view.prompt.seats:
                    question = self.phones.state(seat).question
                    assert question is not None
                    self.phones.pads.answer(str(seat), question.number, str(2 * seat - 2))
                reply = page.poll()
                return reply.value
        return "home" if isinstance(view, MatchResult) else "go on"


def test_a_match_is_played_on_phones(tmp_path: Path) -> None:
    phones = Phones(())
    options, services = LaunchOptions(tmp_path / "evening.journal", "none"), Services(pads=phones.pads)
    config = new_match_config(GAMES["classic"].set_up(2, {"best_of": 1}), ("Ada", "Ben"), HouseRules(), 0, "none")
    screen = PhonePlayers(phones)
    assert run_match(options, config, lambda: screen, SimulatedClock(), services=services) == "home"
    kinds = [type(view) for view in screen.asked]
    assert kinds == [PhonesPage, GroupQuestion, Reveal, GameMessage, MatchResult]
    assert phones.state(1).activity == "nothing" and "Ada has won" in str(phones.state(1).lines[0])
    again = PhonePlayers(phones)
    run_match(options, config, lambda: again, SimulatedClock(), services=services)
    assert PhonesPage not in [type(view) for view in again.asked], "everybody has a phone already"


def test_off_the_network_nothing_is_asked_or_polled(tmp_path: Path) -> None:
    options = LaunchOptions(tmp_path / "evening.journal", "none")
    config = new_match_config(GAMES["classic"].set_up(2, {"best_of": 1}), ("Ada", "Ben"), HouseRules(), 0, "none")
    screen = ScriptedScreen({1: "rock", 2: "scissors"}, "go on", "go on", "home")
    assert run_match(options, config, lambda: screen, SimulatedClock()) == "home"
    question = screen.asked[0]
    assert isinstance(question, GroupQuestion) and question.poll_answers is None


class Teacher(ScriptedScreen):
    """A touchscreen in a class: phones of two students join, and everybody shouts; what they see is noted."""

    def __init__(self, phones: Phones) -> None:
        super().__init__()
        self.phones, self.states = phones, list[PadState]()

    def ask(self, view: InteractiveView) -> Answer:
        self.asked.append(view)
        if isinstance(view, PhonesPage):
            for seat in (3, 7):
                self.phones.pads.take_seat(str(seat), seat)
        if isinstance(view, GameMessage):
            self.states += [self.phones.state(3), self.phones.state(7)]
        return {PhonesPage: GO_ON_ANSWER, RollCall: SHOUT_ANSWER, MatchResult: "home"}.get(type(view), GO_ON_ANSWER)


def test_students_see_their_own_throw_of_each_round(tmp_path: Path) -> None:
    phones = Phones(())
    options, services = (
        LaunchOptions(tmp_path / "evening.journal", "simulated", in_class=True),
        Services(pads=phones.pads),
    )
    game = CLASS_RULES.set_up(12, {"rounds": 1})
    teacher = Teacher(phones)
    run_match(
        options,
        new_match_config(game, (), HouseRules(), 1, "simulated"),
        lambda: teacher,
        SimulatedClock(),
        services=services,
    )
    assert [type(view) for view in teacher.asked][:2] == [PhonesPage, RollCall]
    with JournalReader(options.journal) as journal:
        judged = next(event.body for event in journal.events(1) if isinstance(event.body, RoundJudged))
    shown = {state.seat: state.standing for state in teacher.states if state.figures}
    assert set(shown) == {3, 7}
    for seat, standing in shown.items():
        assert seat is not None and standing is not None and standing.throw is not None
        assert judged.answers[seat] in (standing.throw, None)
    unseen = {state.seat for state in teacher.states if state.is_unseen}
    assert unseen == {seat for seat in shown if seat is not None and judged.answers[seat] is None} == {7}
    assert sum(one.count for one in next(state.figures for state in teacher.states if state.figures)) == 12
