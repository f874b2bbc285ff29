"""A dispute by touch: what leads where, a finger that slides along the time line, a reveal that may be touched."""

from dataclasses import replace

import pygame
import pytest

from device.camera.frames import Size
from rules.engine import Say
from tests.ui.screen.test_painters import LONG, PANELS, check, drawn
from tests.ui.screen.test_window import SIZE, Hand, Watched, place, watched
from tools.gallery.gallery import disputing, with_fouls
from ui.screen.core.display import NoInputError, Silent
from ui.screen.core.page_stack import Dialogue, first_page
from ui.screen.core.png_display import SIZES
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.dispute import strings as dispute_strings
from ui.screen.pages.dispute.view import AgreePage, DisputePage, HandPage, Look, Propose, Seek, after_press
from ui.screen.pages.views import DISPUTE, Corrected, Player, Told

__all__ = ["watched"]  # the fixture
VIEW = disputing(2)
OPENED = first_page(VIEW)
REVEAL = replace(with_fouls(2), seconds_left=3.0)
BEGUN = REVEAL.after(0.0)
"""What a window shows of it first: no time passes here."""


def test_a_dispute_opens_at_the_frame_nearest_the_lock() -> None:
    assert isinstance(OPENED, DisputePage)
    times = VIEW.times_ms
    assert abs(times[OPENED.number] - VIEW.lock_ms) == min(abs(time - VIEW.lock_ms) for time in times)
    gone = first_page(replace(VIEW, times_ms=()))
    assert isinstance(gone, DisputePage) and gone.number == 0


def test_the_frames_are_stepped_through_and_no_further() -> None:
    assert isinstance(OPENED, DisputePage)
    page = after_press(OPENED, Seek(3))
    assert page == DisputePage(VIEW, 3)
    assert after_press(page, Seek(-1)) == page == after_press(page, Seek(len(VIEW.times_ms)))


def test_a_correction_is_agreed_on_before_it_is_made() -> None:
    dialogue = Dialogue(VIEW)
    wanted = Corrected(2, "rock")
    for press in (Look(2), Seek(7), Propose(wanted)):
        assert dialogue.touch(press) is None
    page = dialogue.page
    assert isinstance(page, AgreePage)
    assert isinstance(page.page, HandPage) and page.page.page.number == 7
    assert dialogue.touch(Propose(None)) is None, "a wrong touch is taken back"
    assert dialogue.page == page.page
    assert dialogue.touch(Look(None)) is None
    assert isinstance(dialogue.page, DisputePage) and dialogue.page.number == 7
    dialogue.page = page
    assert dialogue.touch(Reply(wanted)) == Reply(wanted)


def test_presses_that_mean_nothing_change_nothing() -> None:
    assert isinstance(OPENED, DisputePage)
    agree = after_press(OPENED, Propose(Corrected(None)))
    assert isinstance(agree, AgreePage)
    for page, press in ((OPENED, Look(7)), (OPENED, Propose(None)), (agree, Seek(1)), (agree, Look(1))):
        assert after_press(page, press) is page


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_can_be_touched_on_each_page(size: Size) -> None:
    def labels(page: object) -> list[str]:
        return [target.label for target in drawn(page, size).targets if not isinstance(target.press, Seek)]  # type: ignore[arg-type]

    assert isinstance(OPENED, DisputePage)
    names = [seat.player.name for seat in VIEW.seats]
    assert sorted(labels(OPENED)) == sorted([dispute_strings.STANDS, *names]), "a void round can't be made void"
    counts = replace(VIEW, void=False, earlier=True, later=True)
    more = [dispute_strings.EARLIER, dispute_strings.LATER, dispute_strings.AGAIN]
    assert sorted(labels(counts)) == sorted([*more, dispute_strings.STANDS, *names])
    settled, is_open = (after_press(OPENED, Look(seat)) for seat in (1, 2))
    assert labels(settled) == ["Back", "Rock", "Scissors", "No throw"], "not what it is read as already"
    assert labels(is_open) == ["Back", "Rock", "Paper", "Scissors", "No throw"]
    seeks = [target for target in drawn(OPENED, size).targets if isinstance(target.press, Seek) and target.area]
    assert [target.press.number for target in seeks] == list(range(len(VIEW.times_ms)))  # type: ignore[union-attr]


def test_times_are_told_beside_the_first_hand_and_the_lock() -> None:
    assert dispute_strings.when(VIEW, 12.0) == "+0 ms from the first hand\n150 ms before the lock"
    assert dispute_strings.when(VIEW, 162.0) == "+150 ms from the first hand\nat the lock"
    assert dispute_strings.when(replace(VIEW, first_ms=None), -20.0) == "−20 ms from the call\n182 ms before the lock"
    assert dispute_strings.shown(VIEW, VIEW.seats[1]) == "LATE +212 ms ± 2 ms"


def test_a_reveal_is_touched_to_dispute_it(watched: Watched) -> None:
    def part(hand: Hand) -> None:
        hand.sees(BEGUN)
        hand.touches(place(REVEAL, Reply(DISPUTE)))

    assert watched(lambda display: display.ask(REVEAL), part) == DISPUTE


def test_a_reveal_that_nobody_touches_goes_by(watched: Watched) -> None:
    def part(hand: Hand) -> None:
        hand.sees(BEGUN)
        hand.later(3_000_000_000)

    assert watched(lambda display: display.ask(REVEAL), part) is None


def test_a_finger_slides_along_the_time_line_and_a_reading_is_agreed_on(watched: Watched) -> None:
    there = DisputePage(VIEW, 5)
    closely = after_press(there, Look(1))
    wanted = Corrected(1, "scissors")
    agree = after_press(closely, Propose(wanted))

    def part(hand: Hand) -> None:
        hand.sees(VIEW)
        on_line = {target.press: target.rect.center for target in drawn(VIEW, SIZE).targets if target.area}
        hand.finger(on_line[Seek(30)], pygame.FINGERDOWN)
        for number in (24, 15, 5):
            hand.finger(on_line[Seek(number)], pygame.FINGERMOTION)
        hand.finger(on_line[Seek(5)], pygame.FINGERUP)
        hand.sees(there)
        hand.touches(place(there, Look(1)))
        hand.sees(closely)
        hand.touches(place(closely, Propose(wanted)))
        hand.sees(agree)
        hand.touches(place(agree, Reply(wanted)))

    assert watched(lambda display: display.ask(VIEW), part) == wanted


def test_nobody_disputes_where_nobody_can_touch() -> None:
    assert Silent().ask(REVEAL) is None
    assert Silent().ask(Told((), Say("score", {}), (), seconds_left=1.0)) is None
    with pytest.raises(NoInputError, match="disputing"):
        Silent().ask(VIEW)


@pytest.mark.parametrize("size", PANELS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("count", [2, 3, 8])
def test_long_names_and_sentences_stay_in_their_places(size: Size, count: int) -> None:
    view = disputing(count, earlier=True, later=True)
    people = tuple(replace(seat, player=Player(seat.player.seat, LONG, 94_906_266, 123)) for seat in view.seats)
    view = replace(view, seats=people, void=False, title=f"{LONG}, round 94906266", sentence=f"{LONG} was late. " * 4)
    page = first_page(view)
    assert isinstance(page, DisputePage)
    hand = after_press(page, Look(2))
    shown = replace(
        REVEAL, seats=tuple(replace(one, player=replace(one.player, name=LONG)) for one in REVEAL.seats), sentence=LONG
    )
    agreed = (after_press(hand, Propose(Corrected(2, "rock"))), after_press(page, Propose(Corrected(None))))
    for one in (
        page,
        hand,
        *agreed,
        shown,
        Told((people[0].player,) * count, Say("score", {}), (LONG,), seconds_left=2.0),
    ):
        check(drawn(one, size), whole=False)
