"""The page a window shows at any moment, and how long it stays unchanged."""

from dataclasses import replace

import numpy as np
import pytest

from rules.engine import Choices, IntRange, Prompt, SealedPrompt, TimeLimit
from tests.helpers.samples.common import COUNT_WORDS, players
from tests.helpers.samples.dispute import disputed_round
from tests.helpers.samples.printed_board import samples as printed_board_samples
from tests.helpers.samples.question import bet_question
from tests.helpers.samples.reveal import mixed_reveal
from ui.screen.core.scene import COUNTDOWN_INTERVAL_S, FRAME_INTERVAL_S, IDLE_INTERVAL_S, WindowScene
from ui.screen.pages.classroom import Attendance, RollCall
from ui.screen.pages.countdown import Countdown, Judging, Preparing
from ui.screen.pages.dispute import AgreedCorrection, AgreePage, DisputedRound, HandPage
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage, LiveAnswers
from ui.screen.pages.notice import Notice
from ui.screen.pages.printed_board import BoardObservation, PrintedBoardQuestion
from ui.screen.pages.question import HandOverPage, TimeUpPage, new_draft
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.zones import LiveImage, ZoneDetection
from ui.screen.views import UNTIMED_PATIENCE_S, Dialogue, NobodyAnswered, Page, Reply

NS_PER_S = 1_000_000_000
START_NS = 7 * NS_PER_S
COUNT = Countdown(players(2), "Round 1", COUNT_WORDS, 0, beat_s=0.6)


def test_a_count_is_animated_until_the_next_beat() -> None:
    scene = WindowScene(COUNT, START_NS)
    assert scene.page_at(START_NS) == COUNT
    halfway = scene.page_at(START_NS + round(0.3 * NS_PER_S))
    assert isinstance(halfway, Countdown) and halfway == replace(COUNT, phase=halfway.phase)
    assert halfway.phase == pytest.approx(0.5)
    assert scene.unchanged_s(START_NS + round(0.3 * NS_PER_S)) == FRAME_INTERVAL_S
    assert scene.page_at(START_NS + NS_PER_S) == replace(COUNT, phase=1.0)
    assert scene.unchanged_s(START_NS + NS_PER_S) == IDLE_INTERVAL_S


def test_an_unanimated_view_stays_unchanged() -> None:
    still = replace(COUNT, beat_s=0.0)
    for view in (still, Notice("Hello", "All is well."), Judging(players(2))):
        scene = WindowScene(view, START_NS)
        assert scene.page_at(START_NS + 9 * NS_PER_S) is view
        assert scene.unchanged_s(START_NS + 9 * NS_PER_S) == IDLE_INTERVAL_S


def test_judging_shows_its_progress_while_it_is_shown() -> None:
    steps = iter([0.25, 3.0, -1.0])
    scene = WindowScene(Judging(players(2), progress=lambda: next(steps)), START_NS)
    shown = [scene.page_at(START_NS + after * NS_PER_S) for after in range(3)]
    assert [view.done for view in shown if isinstance(view, Judging)] == [0.25, 1.0, 0.0]
    assert scene.unchanged_s(START_NS + 1000 * NS_PER_S) == FRAME_INTERVAL_S


def test_preparing_is_animated_without_end() -> None:
    scene = WindowScene(Preparing("Classic"), START_NS)
    assert scene.page_at(START_NS + 3 * NS_PER_S) == Preparing("Classic", 3.0)
    assert scene.unchanged_s(START_NS + 1000 * NS_PER_S) == FRAME_INTERVAL_S


def test_a_live_image_is_the_latest() -> None:
    shots = [None, LiveImage(np.zeros((9, 16, 3), np.uint8)), LiveImage(np.zeros((9, 16, 3), np.uint8))]
    coming = iter(shots)
    scene = WindowScene(ZoneDetection("Hold your hands out", lambda: next(coming)), START_NS)
    shown = [scene.page_at(START_NS + after) for after in range(3)]
    assert [view.image for view in shown if isinstance(view, ZoneDetection)] == shots
    assert scene.unchanged_s(START_NS) == FRAME_INTERVAL_S


def test_the_time_to_answer_is_rounded_up_to_tenths_and_runs_out() -> None:
    view = bet_question(2)
    scene = WindowScene(view, START_NS, Dialogue(view))
    page = scene.page_at(START_NS + round(1.234 * NS_PER_S))
    assert isinstance(page, HandOverPage)
    assert page.view.seconds_left == pytest.approx(12.8)
    assert scene.unchanged_s(START_NS) == COUNTDOWN_INTERVAL_S
    assert scene.seconds_left(START_NS + 14 * NS_PER_S) == 0.0
    scene.answered = True
    assert scene.unchanged_s(START_NS) == IDLE_INTERVAL_S


def test_a_players_time_begins_when_they_take_the_screen() -> None:
    prompt = SealedPrompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)}, time_limit=TimeLimit(20, default=0))
    view = GroupQuestion(players(2), prompt, 20.0, patience_s=60.0)
    dialogue = Dialogue(view)
    scene = WindowScene(view, START_NS, dialogue)
    assert isinstance(dialogue.page, GroupQuestionPage)
    dialogue.press(dialogue.page.open_seat(1))
    dialogue.press(Reply(0))
    assert scene.automatic_reply(START_NS + 50 * NS_PER_S) is None
    assert scene.unchanged_s(START_NS + 50 * NS_PER_S) == IDLE_INTERVAL_S
    own = dialogue.page.own_page
    assert isinstance(own, HandOverPage)
    dialogue.press(new_draft(own.view))
    assert scene.unchanged_s(START_NS + 50 * NS_PER_S) == COUNTDOWN_INTERVAL_S
    last_input_ns = START_NS + 50 * NS_PER_S
    assert scene.automatic_reply(START_NS + 56 * NS_PER_S, last_input_ns) is None
    assert dialogue.page.own_page is not None and dialogue.page.own_page.view.seconds_left == 14.0
    assert scene.automatic_reply(last_input_ns + 59 * NS_PER_S, last_input_ns) is None
    assert isinstance(dialogue.page.own_page, TimeUpPage)
    assert scene.automatic_reply(last_input_ns + 60 * NS_PER_S, last_input_ns) == Reply(NobodyAnswered(dialogue.page))


def test_what_the_camera_sees_shows_that_somebody_is_there() -> None:
    seen = [LiveAnswers(notes={1: "no card", 2: "no card"})]
    prompt = Prompt("place", {1: Choices(("down",)), 2: Choices(("down",))})
    view = GroupQuestion(players(2), prompt, poll_answers=lambda _: seen[0], patience_s=300.0)
    scene = WindowScene(view, START_NS, Dialogue(view))
    assert scene.automatic_reply(START_NS + 1) is None
    seen[0] = LiveAnswers({1: "down"}, {2: "moving"})
    assert scene.automatic_reply(START_NS + 200 * NS_PER_S) is None
    assert scene.automatic_reply(START_NS + 499 * NS_PER_S) is None
    assert scene.automatic_reply(START_NS + 500 * NS_PER_S) == Reply(NobodyAnswered(scene.dialogue.page))


def dispute_pages(view: DisputedRound) -> list[Page]:
    """Every page of a dispute."""
    page = view.first_page()
    hand = HandPage(page, view.seats[0])
    return [page, hand, AgreePage(page, AgreedCorrection(None)), AgreePage(hand, AgreedCorrection(1, "rock"))]


PATIENT_PAGES = {
    **{f"dispute {number}": page for number, page in enumerate(dispute_pages(disputed_round(2)))},
    "attendance": RollCall("Battle", ("Ann", "Ben"), Attendance),
    "printed board": printed_board_samples()["printed-board"],
    "corrected": Notice("Corrected", "Ann: rock instead of paper.", in_match=True),
}


@pytest.mark.parametrize("name", PATIENT_PAGES)
def test_untimed_pages_do_not_wait_for_ever(name: str) -> None:
    page = PATIENT_PAGES[name]
    assert isinstance(page, Page)
    scene = WindowScene(page, START_NS, Dialogue(page))
    end_ns = START_NS + round(UNTIMED_PATIENCE_S * NS_PER_S)
    assert scene.automatic_reply(end_ns - 1) is None
    touched_ns = START_NS + 10 * NS_PER_S
    assert scene.automatic_reply(end_ns, touched_ns) is None
    assert scene.automatic_reply(end_ns + 10 * NS_PER_S, touched_ns) == Reply(NobodyAnswered(page))


@pytest.mark.parametrize(
    "page",
    [*dispute_pages(replace(disputed_round(2), is_past=True)), Notice("The camera", "No camera.")],
    ids=lambda page: type(page).__name__,
)
def test_pages_outside_a_match_wait_as_long_as_people_like(page: Page) -> None:
    assert WindowScene(page, START_NS, Dialogue(page)).automatic_reply(START_NS + 10**5 * NS_PER_S) is None


def test_ticking_a_card_or_moving_shows_presence() -> None:
    attendance, observation = [Attendance()], [BoardObservation("Ann moves.")]
    board = printed_board_samples()["printed-board"]
    assert isinstance(board, PrintedBoardQuestion)
    pages = [
        RollCall("Battle", ("Ann", "Ben"), lambda: attendance[0]),
        replace(board, observation=observation[0], poll_camera=lambda: observation[0]),
    ]
    scenes = [WindowScene(page, START_NS, Dialogue(page)) for page in pages]
    attendance[0], observation[0] = Attendance(frozenset({2})), BoardObservation("Something moves.")
    moved_ns = START_NS + 200 * NS_PER_S
    assert [scene.automatic_reply(moved_ns) for scene in scenes] == [None, None]
    shown = scenes[0].page_at(moved_ns)
    assert isinstance(shown, RollCall) and shown.attendance.seen == {2} and shown.missing == (1,)
    end_ns = moved_ns + round(UNTIMED_PATIENCE_S * NS_PER_S)
    assert [scene.automatic_reply(end_ns - 1) for scene in scenes] == [None, None]
    assert [scene.automatic_reply(end_ns) for scene in scenes] == [
        Reply(NobodyAnswered(scene.dialogue.page)) for scene in scenes if scene.dialogue
    ]


def test_a_reveal_is_animated_first_and_counts_down_then() -> None:
    view = replace(mixed_reveal(2), seconds_left=6.0)
    scene = WindowScene(view, START_NS, Dialogue(view))
    opening = scene.page_at(START_NS + round(0.5 * NS_PER_S))
    assert isinstance(opening, Reveal) and opening.shown_s == pytest.approx(0.5)
    assert scene.unchanged_s(START_NS + round(0.5 * NS_PER_S)) == FRAME_INTERVAL_S
    assert scene.unchanged_s(START_NS + 3 * NS_PER_S) == COUNTDOWN_INTERVAL_S


def test_views_with_images_are_equal_only_with_the_same_image() -> None:
    image = np.zeros((9, 16, 3), np.uint8)
    count = Countdown(players(2), "Round 1", COUNT_WORDS, 1, beat_s=0.6, preview=image)
    assert count == replace(count, preview=image) and count != replace(count, phase=0.5)
    assert count != replace(count, preview=image.copy()) and count != replace(count, preview=None)
