"""A dispute by touch: the way from page to page, a finger that slides along the timeline, a reveal that may be
touched."""

from dataclasses import replace

import pygame
import pytest

from device.camera.frames import Size
from rules.engine import GameEvent
from tests.ui.screen.test_painters import LONG, PANELS, check, drawn
from tests.ui.screen.test_window import SIZE, RunInWindow, WindowUser, run_in_window, target_centre
from ui.screen.core.display import NoInputError, NullDisplay
from ui.screen.core.page_stack import Dialogue, first_page
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.view import DISPUTE_ANSWER, Player
from ui.screen.pages.dispute import strings as dispute_strings
from ui.screen.pages.dispute.samples import disputed_round
from ui.screen.pages.dispute.view import (
    AgreedCorrection,
    AgreePage,
    DisputePage,
    HandPage,
    LookAtHand,
    ProposeCorrection,
    SeekFrame,
    next_dispute,
)
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.reveal.samples import reveal_with_foul_counts

__all__ = ["run_in_window"]  # the fixture
VIEW = disputed_round(2)
OPENED = first_page(VIEW)
REVEAL = replace(reveal_with_foul_counts(2), seconds_left=3.0)
BEGUN = REVEAL.at_time(0.0)
"""The page that a window shows first: no time passes here."""


def test_a_dispute_opens_at_the_frame_nearest_the_lock() -> None:
    assert isinstance(OPENED, DisputePage)
    times = VIEW.frame_times_ms
    assert abs(times[OPENED.frame] - VIEW.lock_ms) == min(abs(time - VIEW.lock_ms) for time in times)
    gone = first_page(replace(VIEW, frame_times_ms=()))
    assert isinstance(gone, DisputePage) and gone.frame == 0


def test_the_frames_are_stepped_through_and_no_further() -> None:
    assert isinstance(OPENED, DisputePage)
    page = next_dispute(OPENED, SeekFrame(3))
    assert page == DisputePage(VIEW, 3)
    assert next_dispute(page, SeekFrame(-1)) == page == next_dispute(page, SeekFrame(len(VIEW.frame_times_ms)))


def test_a_correction_is_agreed_on_before_it_is_made() -> None:
    dialogue = Dialogue(VIEW)
    wanted = AgreedCorrection(2, "rock")
    for press in (LookAtHand(2), SeekFrame(7), ProposeCorrection(wanted)):
        assert dialogue.press(press) is None
    page = dialogue.page
    assert isinstance(page, AgreePage)
    assert isinstance(page.previous, HandPage) and page.previous.evidence.frame == 7
    assert dialogue.press(ProposeCorrection(None)) is None, "a wrong touch is taken back"
    assert dialogue.page == page.previous
    assert dialogue.press(LookAtHand(None)) is None
    assert isinstance(dialogue.page, DisputePage) and dialogue.page.frame == 7
    dialogue.page = page
    assert dialogue.press(Reply(wanted)) == Reply(wanted)


def test_presses_that_mean_nothing_change_nothing() -> None:
    assert isinstance(OPENED, DisputePage)
    agree = next_dispute(OPENED, ProposeCorrection(AgreedCorrection(None)))
    assert isinstance(agree, AgreePage)
    for page, press in (
        (OPENED, LookAtHand(7)),
        (OPENED, ProposeCorrection(None)),
        (agree, SeekFrame(1)),
        (agree, LookAtHand(1)),
    ):
        assert next_dispute(page, press) is page


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_can_be_touched_on_each_page(size: Size) -> None:
    def labels(page: object) -> list[str]:
        return [target.label for target in drawn(page, size).targets if not isinstance(target.press, SeekFrame)]  # type: ignore[arg-type]

    assert isinstance(OPENED, DisputePage)
    names = [seat.player.name for seat in VIEW.seats]
    assert sorted(labels(OPENED)) == sorted([dispute_strings.VERDICT_STANDS, *names]), "a void round can't be made void"
    counts = replace(VIEW, is_void=False, has_earlier=True, has_later=True)
    more = [dispute_strings.EARLIER_ROUND, dispute_strings.LATER_ROUND, dispute_strings.THROW_AGAIN]
    assert sorted(labels(counts)) == sorted([*more, dispute_strings.VERDICT_STANDS, *names])
    settled, is_open = (next_dispute(OPENED, LookAtHand(seat)) for seat in (1, 2))
    assert labels(settled) == ["Back", "Rock", "Scissors", "No throw"], "not what it is read as already"
    assert labels(is_open) == ["Back", "Rock", "Paper", "Scissors", "No throw"]
    seeks = [target for target in drawn(OPENED, size).targets if isinstance(target.press, SeekFrame) and target.area]
    assert [target.press.frame for target in seeks] == list(range(len(VIEW.frame_times_ms)))  # type: ignore[union-attr]


def test_times_are_told_beside_the_first_hand_and_the_lock() -> None:
    assert dispute_strings.frame_time(VIEW, 12.0) == "+0 ms from the first hand\n150 ms before the lock"
    assert dispute_strings.frame_time(VIEW, 162.0) == "+150 ms from the first hand\nat the lock"
    assert (
        dispute_strings.frame_time(replace(VIEW, first_hand_ms=None), -20.0)
        == "−20 ms from the call\n182 ms before the lock"
    )
    assert dispute_strings.reading_and_time(VIEW, VIEW.seats[1]) == "LATE +212 ms ± 2 ms"


def test_a_reveal_is_touched_to_dispute_it(run_in_window: RunInWindow) -> None:
    def part(hand: WindowUser) -> None:
        hand.wait_for(BEGUN)
        hand.tap(target_centre(REVEAL, Reply(DISPUTE_ANSWER)))

    assert run_in_window(lambda display: display.ask(REVEAL), part) == DISPUTE_ANSWER


def test_a_reveal_that_nobody_touches_goes_by(run_in_window: RunInWindow) -> None:
    def part(hand: WindowUser) -> None:
        hand.wait_for(BEGUN)
        hand.advance(3_000_000_000)

    assert run_in_window(lambda display: display.ask(REVEAL), part) is None


def test_a_finger_slides_along_the_time_line_and_a_reading_is_agreed_on(run_in_window: RunInWindow) -> None:
    there = DisputePage(VIEW, 5)
    closely = next_dispute(there, LookAtHand(1))
    wanted = AgreedCorrection(1, "scissors")
    agree = next_dispute(closely, ProposeCorrection(wanted))

    def part(hand: WindowUser) -> None:
        hand.wait_for(VIEW)
        on_line = {target.press: target.rect.center for target in drawn(VIEW, SIZE).targets if target.area}
        hand.post_finger(on_line[SeekFrame(30)], pygame.FINGERDOWN)
        for number in (24, 15, 5):
            hand.post_finger(on_line[SeekFrame(number)], pygame.FINGERMOTION)
        hand.post_finger(on_line[SeekFrame(5)], pygame.FINGERUP)
        hand.wait_for(there)
        hand.tap(target_centre(there, LookAtHand(1)))
        hand.wait_for(closely)
        hand.tap(target_centre(closely, ProposeCorrection(wanted)))
        hand.wait_for(agree)
        hand.tap(target_centre(agree, Reply(wanted)))

    assert run_in_window(lambda display: display.ask(VIEW), part) == wanted


def test_nobody_disputes_where_nobody_can_touch() -> None:
    assert NullDisplay().ask(REVEAL) is None
    assert NullDisplay().ask(GameMessage((), GameEvent("score", {}), (), seconds_left=1.0)) is None
    with pytest.raises(NoInputError, match="DisputedRound"):
        NullDisplay().ask(VIEW)


@pytest.mark.parametrize("size", PANELS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("count", [2, 3, 8])
def test_long_names_and_sentences_stay_in_their_places(size: Size, count: int) -> None:
    view = disputed_round(count, earlier=True, later=True)
    people = tuple(replace(seat, player=Player(seat.player.seat, LONG, 94_906_266, 123)) for seat in view.seats)
    view = replace(
        view, seats=people, is_void=False, title=f"{LONG}, round 94906266", sentence=f"{LONG} was late. " * 4
    )
    page = first_page(view)
    assert isinstance(page, DisputePage)
    hand = next_dispute(page, LookAtHand(2))
    shown = replace(
        REVEAL, seats=tuple(replace(one, player=replace(one.player, name=LONG)) for one in REVEAL.seats), sentence=LONG
    )
    agreed = (
        next_dispute(hand, ProposeCorrection(AgreedCorrection(2, "rock"))),
        next_dispute(page, ProposeCorrection(AgreedCorrection(None))),
    )
    for one in (
        page,
        hand,
        *agreed,
        shown,
        GameMessage((people[0].player,) * count, GameEvent("score", {}), (LONG,), seconds_left=2.0),
    ):
        check(drawn(one, size), whole=False)
