"""A dispute by touch: the way from page to page, a finger that slides along the timeline, a reveal that may be
touched."""

from dataclasses import replace

import pygame
import pytest

from device.camera.frames import Size
from rules.events import Scores
from tests.helpers.page_rules import LONG, PANELS, check, drawn
from tests.helpers.samples.dispute import counting, disputed_round
from tests.helpers.samples.reveal import reveal_with_foul_counts
from tests.helpers.window_users import SIZE, RunInWindow, WindowUser, run_in_window, target_centre
from ui.screen.core.display import NoInputError, NullDisplay
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.common import DISPUTE_ANSWER, Player
from ui.screen.pages.dispute import AgreedCorrection, AgreePage, DisputePage, HandPage
from ui.screen.pages.message import GameMessage
from ui.screen.views import Dialogue, Page, Press, Reply, View

__all__ = ["run_in_window"]  # the fixture
VIEW = disputed_round(2)
OPENED = VIEW.first_page()
REVEAL = replace(reveal_with_foul_counts(2), seconds_left=3.0)
BEGUN = REVEAL.at_time(0.0)
"""The page that a window shows first: no time passes here."""


def target_labelled(page: Page, label: str) -> Press:
    """Return what the target with a label leads to."""
    return next(target.press for target in drawn(page, SIZE).targets if target.label == label)


def test_a_dispute_opens_at_the_frame_nearest_the_lock() -> None:
    assert isinstance(OPENED, DisputePage)
    times = VIEW.frame_times_ms
    assert abs(times[OPENED.frame] - VIEW.lock_ms) == min(abs(time - VIEW.lock_ms) for time in times)
    gone = replace(VIEW, frame_times_ms=()).first_page()
    assert isinstance(gone, DisputePage) and gone.frame == 0


@pytest.mark.parametrize(
    ("frame", "steps"), [(0, {"One frame on": 1}), (7, {"One frame back": 6, "One frame on": 8}), (-1, None)]
)
def test_the_frames_are_stepped_through_and_no_further(frame: int, steps: dict[str, int] | None) -> None:
    last = len(VIEW.frame_times_ms) - 1
    targets = drawn(DisputePage(VIEW, last if frame < 0 else frame), SIZE).targets
    found = {target.label: target.press for target in targets if target.label.startswith("One frame")}
    wanted = {"One frame back": last - 1} if steps is None else steps
    assert found == {label: DisputePage(VIEW, number) for label, number in wanted.items()}


def test_a_correction_is_agreed_on_before_it_is_made() -> None:
    dialogue = Dialogue(VIEW)
    wanted = AgreedCorrection(2, "rock")
    for label in (VIEW.name(VIEW.seats[1]), "One frame on", "Rock"):
        assert dialogue.press(target_labelled(dialogue.page, label)) is None
    page = dialogue.page
    assert isinstance(page, AgreePage) and page.correction == wanted
    assert isinstance(OPENED, DisputePage)
    assert isinstance(page.previous, HandPage) and page.previous.evidence.frame == OPENED.frame + 1
    assert dialogue.press(target_labelled(page, "Back")) is None, "a wrong touch is taken back"
    assert dialogue.page == page.previous
    assert dialogue.press(target_labelled(dialogue.page, "Back")) is None
    assert isinstance(dialogue.page, DisputePage) and dialogue.page.frame == OPENED.frame + 1
    dialogue.page = page
    assert dialogue.press(Reply(wanted)) == Reply(wanted)


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_can_be_touched_on_each_page(size: Size) -> None:
    def labels(page: View) -> list[str]:
        steps = (dispute_page.PREVIOUS_FRAME, dispute_page.NEXT_FRAME)
        return [target.label for target in drawn(page, size).targets if target.label not in steps and not target.slides]

    assert isinstance(OPENED, DisputePage)
    names = [VIEW.name(seat) for seat in VIEW.seats]
    assert sorted(labels(OPENED)) == sorted([dispute_page.VERDICT_STANDS, *names]), "a void round can’t be made void"
    counts = replace(counting(VIEW), has_earlier=True, has_later=True)
    more = [dispute_page.EARLIER_ROUND, dispute_page.LATER_ROUND, dispute_page.THROW_AGAIN]
    assert sorted(labels(counts)) == sorted([*more, dispute_page.VERDICT_STANDS, *names])
    settled, is_open = (HandPage(OPENED, seat) for seat in VIEW.seats)
    assert labels(settled) == ["Rock", "Scissors", "No throw", "Back"], "not what it is read as already"
    assert labels(is_open) == ["Rock", "Paper", "Scissors", "No throw", "Back"]
    seeks = [target for target in drawn(OPENED, size).targets if target.slides]
    assert [target.press for target in seeks] == [DisputePage(VIEW, number) for number in range(48)]


def test_times_are_told_beside_the_first_hand_and_the_lock() -> None:
    assert dispute_page.frame_time(VIEW, 12.0) == "+0 ms from first hand\n150 ms before the lock"
    assert dispute_page.frame_time(VIEW, 162.0) == "+150 ms from first hand\nat the lock"
    judgement = VIEW.line.judgement.model_copy(update={"first_shown_ms": None})
    unseen = replace(VIEW, line=replace(VIEW.line, judgement=judgement))
    assert dispute_page.frame_time(unseen, -20.0) == "−20 ms from call\n182 ms before the lock"
    assert dispute_page.reading_and_time(VIEW, VIEW.seats[1]) == "LATE +212 ms ± 2 ms"


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


def test_sliding_on_the_time_line_to_a_reading(run_in_window: RunInWindow) -> None:
    there = DisputePage(VIEW, 5)
    closely = HandPage(there, there.view.seats[1 - 1])
    wanted = AgreedCorrection(1, "scissors")
    agree = AgreePage(closely, wanted)

    def part(hand: WindowUser) -> None:
        hand.wait_for(VIEW)
        on_line = [target.rect.center for target in drawn(VIEW, SIZE).targets if target.slides]
        hand.post_finger(on_line[30], pygame.FINGERDOWN)
        for number in (24, 15, 5):
            hand.post_finger(on_line[number], pygame.FINGERMOTION)
        hand.post_finger(on_line[5], pygame.FINGERUP)
        hand.wait_for(there)
        hand.tap(target_centre(there, closely))
        hand.wait_for(closely)
        hand.tap(target_centre(closely, agree))
        hand.wait_for(agree)
        hand.tap(target_centre(agree, Reply(wanted)))

    assert run_in_window(lambda display: display.ask(VIEW), part) == wanted


def test_nobody_disputes_where_nobody_can_touch() -> None:
    assert NullDisplay().ask(REVEAL) is None
    assert NullDisplay().ask(GameMessage((), Scores({}), (), seconds_left=1.0)) is None
    with pytest.raises(NoInputError, match="DisputedRound"):
        NullDisplay().ask(VIEW)


@pytest.mark.parametrize("size", PANELS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("count", [2, 3, 8])
def test_long_names_and_sentences_stay_in_their_places(size: Size, count: int) -> None:
    view = disputed_round(count, earlier=True, later=True)
    people = {seat.seat: Player(seat.seat, LONG, 94_906_266, 123) for seat in view.seats}
    sentence = f"{LONG} was late. " * 4
    view = replace(counting(view), players=people, title=f"{LONG}, round 94906266", sentence=sentence)
    page = view.first_page()
    assert isinstance(page, DisputePage)
    hand = HandPage(page, page.view.seats[2 - 1])
    shown = replace(
        REVEAL, seats=tuple(replace(one, player=replace(one.player, name=LONG)) for one in REVEAL.seats), sentence=LONG
    )
    agreed = (
        AgreePage(hand, AgreedCorrection(2, "rock")),
        AgreePage(page, AgreedCorrection(None)),
    )
    for one in (
        page,
        hand,
        *agreed,
        shown,
        GameMessage((people[1],) * count, Scores({}), (LONG,), seconds_left=2.0),
    ):
        check(drawn(one, size), whole=False)
