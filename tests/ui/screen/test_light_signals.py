"""The seats' lights on each page."""

import threading
from dataclasses import replace

import pytest

from device.gpio.lights import LightSignal
from device.simulated.controls import SimulatedLights
from device.system.clock import SimulatedClock
from rules.engine import Choices, IntRange, Prompt, Result, SealedPrompt, Seat, TimeLimit, Value
from rules.throws import Throw
from tests.helpers.samples.reveal import revealed_seat, sample_reveal
from tools.gallery import samples
from ui.screen.core.display import Display
from ui.screen.core.light_signals import LightController, light_signals
from ui.screen.core.window import Window
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.notice import Notice
from ui.screen.pages.question import EntryPage, HandOverPage, Question, new_draft
from ui.screen.pages.result import MatchResult
from ui.screen.pages.seating import SeatingView
from ui.screen.pages.zones import ZoneEditor
from ui.screen.views import Dialogue

PLAYERS = tuple(Player(seat, name) for seat, name in enumerate(("Ada", "Ben", "Chidi"), start=1))
BET = SealedPrompt("bet", {1: IntRange(0, 20, 5), 3: IntRange(0, 10, 5)}, time_limit=TimeLimit(20, default=0))


def answered(page: GroupQuestionPage, seat: Seat, value: Value) -> GroupQuestionPage:
    """Return the page after an answer that is not the last."""
    after = page.with_answer(seat, value)
    assert isinstance(after, GroupQuestionPage)
    return after


def test_seats_wait_until_they_have_answered() -> None:
    view = GroupQuestion(PLAYERS, BET, 20)
    page = view.first_page()
    assert light_signals(view) == light_signals(page) == {1: LightSignal.WAITING, 3: LightSignal.WAITING}
    assert light_signals(answered(page, 3, 5)) == {1: LightSignal.WAITING, 3: LightSignal.ANSWERED}


def test_lights_do_not_reveal_answers() -> None:
    page = GroupQuestion(PLAYERS, BET, 20).first_page()
    assert len({str(light_signals(answered(page, 3, value))) for value in (0, 5, 10, None)}) == 1


def test_a_question_for_one_seat() -> None:
    view = Question(PLAYERS, SealedPrompt("bet", {2: IntRange(0, 20, 5)}), 2)
    dialogue = Dialogue(view)
    assert isinstance(dialogue.page, HandOverPage)
    assert light_signals(dialogue.page) == {2: LightSignal.WAITING}
    dialogue.press(new_draft(view))
    assert isinstance(dialogue.page, EntryPage)
    assert light_signals(dialogue.page) == {2: LightSignal.WAITING}


def test_the_seat_being_set_up_is_lit() -> None:
    page = SeatingView("Classic", ("", "", "")).first_page().select(3)
    assert light_signals(page) == {3: LightSignal.ANSWERED}
    assert light_signals(SeatingView("Classic", ("", "")).first_page()) == {}
    zones = ZoneEditor(((0, 0, 0.5, 1), (0.5, 0, 0.5, 1)), lambda: None, lambda areas: None, ())
    assert light_signals(replace(zones.first_page(), seat=2)) == {2: LightSignal.ANSWERED}


def test_lights_wait_in_the_count_and_are_off_while_judging() -> None:
    assert light_signals(Countdown(PLAYERS, "", ("ROCK",), 0)) == dict.fromkeys((1, 2, 3), LightSignal.WAITING)
    assert light_signals(Countdown(PLAYERS, "", ("ROCK",), 0, throwing=(3,))) == {3: LightSignal.WAITING}
    assert light_signals(Countdown(PLAYERS, "", ("ROCK",), 0, throwing=(1, 3), seen=(3,))) == {
        1: LightSignal.WAITING,
        3: LightSignal.ANSWERED,
    }
    assert (
        light_signals(Judging(PLAYERS)) == light_signals(Notice("Hello", "All is well.")) == light_signals(None) == {}
    )


def test_the_reveal_signals_fouls() -> None:
    throws = ((Throw.ROCK,), (Throw.PAPER,), ())
    seats = [
        revealed_seat(seat, shown, 0.0, verdict)
        for seat, shown, verdict in zip((1, 2, 3), throws, ("on time", "late", "void"), strict=True)
    ]
    assert light_signals(sample_reveal(seats, "")) == {1: LightSignal.ANSWERED, 2: LightSignal.FOUL, 3: LightSignal.OFF}


@pytest.mark.parametrize("winners", [(), (2,), (1, 3)])
def test_the_result_signals_winners(winners: tuple[int, ...]) -> None:
    assert light_signals(MatchResult(PLAYERS, Result(winners, {}), "")) == dict.fromkeys(winners, LightSignal.WINNER)


def test_every_sample_page_has_signals_for_its_own_seats_only() -> None:
    for name, view in samples().items():
        most = 63 if name.startswith("classroom") else 8
        assert all(1 <= seat <= most for seat in light_signals(view)), name


def test_only_changes_are_sent_to_the_lights() -> None:
    clock = SimulatedClock()
    lights = SimulatedLights(2, clock)
    followed = LightController(lights)
    page = GroupQuestion(
        PLAYERS, Prompt("play on", {1: Choices(("yes", "no")), 2: Choices(("yes", "no"))})
    ).first_page()
    for shown in (page, page, answered(page, 1, "yes"), answered(page, 1, "yes"), Judging(PLAYERS)):
        followed.show(shown)
    told = [(told.seat, told.signal) for told in lights.commands]
    assert told == [
        (1, LightSignal.WAITING),
        (2, LightSignal.WAITING),
        (1, LightSignal.ANSWERED),
        (1, LightSignal.OFF),
        (2, LightSignal.OFF),
    ]
    followed.show(MatchResult(PLAYERS, Result((3,), {}), ""))
    assert len(lights.commands) == 5, "a seat without a light is skipped"
    followed.blink(2)
    assert (lights.blink_count(1), lights.blink_count(2)) == (0, 1)


class WaitableLights(SimulatedLights):
    """Lights that let another thread wait for a signal."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, SimulatedClock())
        self.changed = threading.Condition()

    def show(self, seat: int, sign: LightSignal) -> None:
        with self.changed:
            super().show(seat, sign)
            self.changed.notify_all()

    def wait_for(self, seat: int, sign: LightSignal) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.signal(seat) is sign, 60), f"seat {seat} never showed {sign}"


def test_the_windows_lights_follow_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    lights = WaitableLights(3)

    def play(display: Display) -> None:
        display.show(Countdown(PLAYERS, "", ("ROCK",), 0, throwing=(1, 3)))
        lights.wait_for(3, LightSignal.WAITING)
        display.show(MatchResult(PLAYERS, Result((2,), {}), "Ben wins."))
        lights.wait_for(2, LightSignal.WINNER)

    Window((800, 480), clock=SimulatedClock(), lights=lights).run(play)
    assert [lights.signal(seat) for seat in (1, 2, 3)] == [LightSignal.OFF] * 3, (
        "they are off once the window is closed"
    )
    assert LightSignal.WAITING not in [told.signal for told in lights.commands if told.seat == 2]
