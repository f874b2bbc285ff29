"""What the seats' lights say while a page is shown."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from device.gpio.lights import Sign
from device.simulated.lights import SimulatedLights
from device.system.clock import JumpingClock
from rules.engine import Ask, Choices, Result, Span
from rules.throws import Throw
from tools.gallery.gallery import samples
from ui.screen.core.display import Display
from ui.screen.core.light_signals import Followed, signs
from ui.screen.core.page_stack import Dialogue
from ui.screen.core.window import Window
from ui.screen.pages.ask.view import EntryPage, HandOverPage, Open
from ui.screen.pages.seating.view import Sitting, ToSeat, next_seating, plan
from ui.screen.pages.views import Cadence, Ended, Gather, Judging, Notice, Player, Question, Reveal, SeatReveal
from ui.screen.pages.zones.view import Zoning, zones_page

PLAYERS = tuple(Player(seat, name) for seat, name in enumerate(("Ada", "Ben", "Chidi"), start=1))
BET = Ask("bet", {1: Span(0, 20, 5), 3: Span(0, 10, 5)}, sealed=True, seconds=20, default=0)
NOBODY = np.zeros((4, 4, 3), np.uint8)


def test_who_is_asked_is_waited_for_until_they_are_in() -> None:
    dialogue = Dialogue(Gather(PLAYERS, BET, 20))
    assert signs(dialogue.view) == signs(dialogue.page) == {1: Sign.WAITING, 3: Sign.WAITING}
    after = dialogue.page.put_in(3, 5)
    assert signs(after) == {1: Sign.WAITING, 3: Sign.IN}


def test_a_light_says_nothing_of_what_was_entered() -> None:
    dialogue = Dialogue(Gather(PLAYERS, BET, 20))
    assert len({str(signs(dialogue.page.put_in(3, value))) for value in (0, 5, 10, None)}) == 1


def test_one_seat_asked_alone() -> None:
    dialogue = Dialogue(Question(PLAYERS, Ask("bet", {2: Span(0, 20, 5)}, sealed=True), 2))
    assert isinstance(dialogue.page, HandOverPage)
    assert signs(dialogue.page) == {2: Sign.WAITING}
    dialogue.touch(Open())
    assert isinstance(dialogue.page, EntryPage)
    assert signs(dialogue.page) == {2: Sign.WAITING}


def test_a_seat_that_is_set_up_shows_which_it_is() -> None:
    page = next_seating(plan(Sitting("Classic", ("", "", ""))), ToSeat(3))
    assert signs(page) == {3: Sign.IN}
    assert signs(plan(Sitting("Classic", ("", "")))) == {}
    zones = Zoning(((0, 0, 0.5, 1), (0.5, 0, 0.5, 1)), lambda: None, lambda areas: None, ())
    assert signs(replace(zones_page(zones), seat=2)) == {2: Sign.IN}


def test_the_count_and_the_looking() -> None:
    assert signs(Cadence(PLAYERS, "", ("ROCK",), 0)) == dict.fromkeys((1, 2, 3), Sign.WAITING)
    assert signs(Cadence(PLAYERS, "", ("ROCK",), 0, throwing=(3,))) == {3: Sign.WAITING}
    assert signs(Judging(PLAYERS)) == signs(Notice("Hello", "All is well.")) == signs(None) == {}


def test_the_reveal_shows_who_fouled() -> None:
    seats = tuple(
        SeatReveal(player, NOBODY, throw, verdict, foul, 0.0)
        for player, (throw, verdict, foul) in zip(
            PLAYERS,
            [(Throw.ROCK, "on time", False), (Throw.PAPER, "late", True), (None, "void", False)],
            strict=True,
        )
    )
    assert signs(Reveal(seats, "", 150)) == {1: Sign.IN, 2: Sign.FOUL, 3: Sign.OFF}


@pytest.mark.parametrize("winners", [(), (2,), (1, 3)])
def test_the_end(winners: tuple[int, ...]) -> None:
    assert signs(Ended(PLAYERS, Result(winners, {}), "")) == dict.fromkeys(winners, Sign.WINNER)


def test_every_page_of_the_gallery_has_signs_for_its_own_seats() -> None:
    for name, view in samples().items():
        most = 63 if "room" in name else 8
        assert all(1 <= seat <= most for seat in signs(view)), name


def test_lights_are_told_only_what_is_new() -> None:
    clock = JumpingClock()
    lights = SimulatedLights(2, clock)
    followed = Followed(lights)
    page = Dialogue(Gather(PLAYERS, Ask("play on", {1: Choices(("yes", "no")), 2: Choices(("yes", "no"))}))).page
    for shown in (page, page, page.put_in(1, "yes"), page.put_in(1, "yes"), Judging(PLAYERS)):
        followed.follow(shown)
    told = [(told.seat, told.sign) for told in lights.told]
    assert told == [(1, Sign.WAITING), (2, Sign.WAITING), (1, Sign.IN), (1, Sign.OFF), (2, Sign.OFF)]
    followed.follow(Ended(PLAYERS, Result((3,), {}), ""))
    assert len(lights.told) == 5, "a seat without a light is nobody's"
    followed.struck(2)
    assert (lights.blinks(1), lights.blinks(2)) == (0, 1)


class Waited(SimulatedLights):
    """Lights that let another thread wait until one shows a sign."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, JumpingClock())
        self.changed = threading.Condition()

    def show(self, seat: int, sign: Sign) -> None:
        with self.changed:
            super().show(seat, sign)
            self.changed.notify_all()

    def until(self, seat: int, sign: Sign) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.sign(seat) is sign, 60), f"seat {seat} never showed {sign}"


def test_the_windows_lights_follow_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    lights = Waited(3)

    def play(display: Display) -> None:
        display.show(Cadence(PLAYERS, "", ("ROCK",), 0, throwing=(1, 3)))
        lights.until(3, Sign.WAITING)
        display.show(Ended(PLAYERS, Result((2,), {}), "Ben wins."))
        lights.until(2, Sign.WINNER)

    Window((800, 480), clock=JumpingClock(), lights=lights).run(play)
    assert [lights.sign(seat) for seat in (1, 2, 3)] == [Sign.OFF] * 3, "closed, they are off"
    assert Sign.WAITING not in [told.sign for told in lights.told if told.seat == 2]
