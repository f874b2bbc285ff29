"""The pause: its button is in the same corner of every page of a match, a secret is never on it, and going on leads to
the page that was paused."""

from dataclasses import replace

import pytest

from device.camera.frames import Size
from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.engine import Choices, Prompt, SecretPrompt
from tests.helpers.page_rules import drawn
from tests.helpers.samples.common import players
from tools.gallery import samples
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.core.scene import WindowScene
from ui.screen.drawing.canvas import Target
from ui.screen.drawing.theme import Theme, set_handedness
from ui.screen.input import Focus, handle_button
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import GIVE_UP, LEAVE_FOR_NOW, RESTART_LABEL, UNDO_LABEL, PauseChoice, PausePage
from ui.screen.pages.question import EntryPage, HandOverPage, new_draft
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.views import PAUSE, Dialogue, Page, PausedAt, Reply, View

SAMPLES = samples()
SIZES = (*PANEL_SIZES, (1920, 1080))
PLACES = [
    "countdown-2", "countdown-again-8", "countdown-stakes-8", "reveal-dispute-2", "reveal-dispute-8",
    "message-dispute-3", "question-hand-over", "question-bet", "question-throw", "question-cards-dealt", "group-own",
    "group-sealed-8", "group-cards-2", "board", "board-theirs", "printed-board", "printed-board-worst",
    "classroom-roll-call-30", "notice",
]  # fmt: skip
"""Pages of every kind in a match."""
SECRET = SecretPrompt("bet", {1: Choices((0, 5)), 2: Choices((0, 5))})


def sample(name: str) -> View:
    """Return a sample as it is in a match in which people can answer."""
    view = SAMPLES[name]
    return replace(view, in_match=True) if isinstance(view, Notice) else view


def pause_targets(view: View, size: Size) -> list[Target]:
    return [target for target in drawn(view, size).targets if target.press == PAUSE]


@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_pause_button_size_and_corner(size: Size, hand: str) -> None:
    theme = Theme(size)
    set_handedness(hand)
    try:
        places = {name: [tuple(target.rect) for target in pause_targets(sample(name), size)] for name in PLACES}
        texts = {name: drawn(sample(name), size).texts for name in PLACES}
    finally:
        set_handedness("right")
    away_from_hand = size[0] - theme.margin - theme.touch_size if hand == "left" and size[0] > size[1] else theme.margin
    corner = (away_from_hand, theme.margin, theme.touch_size, theme.touch_size)
    assert places == {name: [corner] for name in PLACES}
    cut = [(name, text.text) for name, drawn in texts.items() for text in drawn if not text.complete]
    assert cut == []


def test_no_pause_from_the_cue_on() -> None:
    count = SAMPLES["countdown-2"]
    assert isinstance(count, Countdown)
    last = len(count.words) - 1
    shown = {beat: bool(pause_targets(replace(count, beat=beat), (800, 480))) for beat in range(-1, last + 1)}
    assert shown == {beat: beat < last for beat in range(-1, last + 1)}


def open_page(seat: int) -> GroupQuestionPage:
    page = GroupQuestion(players(2), SECRET, 12.0).first_page().open_seat(seat)
    entered = page.press(new_draft(page.view.question_for(seat)))
    assert isinstance(entered, GroupQuestionPage) and isinstance(entered.own_page, EntryPage)
    return entered


def test_going_on_at_a_private_page_hands_the_screen_over_again() -> None:
    page = open_page(2).pass_time(4.5, 0.0)
    assert isinstance(page, GroupQuestionPage)
    paused = page.press(PAUSE)
    assert isinstance(paused, Reply) and isinstance(paused.value, PausedAt)
    after = paused.value.page
    assert isinstance(after, GroupQuestionPage) and isinstance(after.own_page, HandOverPage)
    assert after.own_page.view.seat == 2 and after.drafts == page.drafts
    assert after.clocks.left_s == {2: 7.5}, "the time that was left"


def test_answers_that_are_in_stay_in_over_a_pause() -> None:
    page = open_page(1).press(Reply(5))
    assert isinstance(page, GroupQuestionPage) and page.own_page is None
    paused = page.press(PAUSE)
    assert paused == Reply(PausedAt(page)) and page.answers == {1: 5}


def test_an_open_page_goes_on_where_it_was() -> None:
    page = GroupQuestion(players(2), Prompt("bet", SECRET.seats)).first_page().open_seat(1)
    assert page.press(PAUSE) == Reply(PausedAt(page)) and page.own_page is not None


def test_time_stands_still_while_paused() -> None:
    """The paused page is asked again, and only the time that was left passes."""
    page = open_page(1)
    before = WindowScene(page, 0, Dialogue(page))
    assert before.automatic_reply(4_000_000_000) is None
    shown = before.page_at(4_000_000_000)
    assert isinstance(shown, GroupQuestionPage) and shown.own_page is not None
    assert shown.own_page.view.seconds_left == 8.0
    paused = shown.press(PAUSE)
    assert isinstance(paused, Reply) and isinstance(paused.value, PausedAt)
    again = paused.value.page
    assert isinstance(again, GroupQuestionPage)
    since = 600_000_000_000
    after = WindowScene(again, since, Dialogue(again))
    after.automatic_reply(since + 1_000_000_000)
    later = after.page_at(since + 1_000_000_000)
    assert isinstance(later, GroupQuestionPage) and later.clocks.left_s == {1: 8.0}, "it is at the hand-over"


@pytest.mark.parametrize("name", ["reveal-dispute-2", "message-dispute-3", "notice"])
def test_a_seats_confirm_held_pauses_where_no_seat_is_asked(name: str) -> None:
    page = sample(name)
    assert isinstance(page, Page)
    page = page if isinstance(page, Reveal | GameMessage) else Notice("Note", "It is so.", in_match=True)
    targets = drawn(page).targets
    outcome = handle_button(page, targets, Focus(), ButtonEvent(1, ButtonAction.CONFIRM_HOLD, 0))
    assert outcome.result == Reply(PausedAt(page))


def labels_and_presses(page: Page, size: Size = (800, 480)) -> dict[str, object]:
    canvas = drawn(page, size)
    assert all(text.complete for text in canvas.texts)
    assert all(min(target.rect.size) >= canvas.theme.touch_size for target in canvas.targets)
    return {target.label: target.press for target in canvas.targets}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_pause_offers_what_is_possible(size: Size) -> None:
    page = PausePage("RPS Redeux · Ann, Bartholomew", can_undo=True)
    first = labels_and_presses(page, size)
    assert list(first) == [str(UNDO_LABEL), str(RESTART_LABEL), "Leave", "Go on"]
    assert first["Go on"] == Reply(PauseChoice.GO_ON) and first[str(UNDO_LABEL)] == Reply(PauseChoice.UNDO)
    leaving, restarting = first["Leave"], first[str(RESTART_LABEL)]
    assert isinstance(leaving, PausePage) and isinstance(restarting, PausePage)
    assert labels_and_presses(leaving, size) == {
        str(LEAVE_FOR_NOW): Reply(PauseChoice.LEAVE), str(GIVE_UP): Reply(PauseChoice.GIVE_UP), "Back": page,
    }  # fmt: skip
    assert labels_and_presses(restarting, size) == {"Start again": Reply(PauseChoice.RESTART), "Back": page}
    assert str(UNDO_LABEL) not in labels_and_presses(replace(page, can_undo=False), size)


def test_practice_is_left_at_once() -> None:
    labels = labels_and_presses(PausePage())
    assert labels == {"Go on": Reply(PauseChoice.GO_ON), "Stop practising": Reply(PauseChoice.LEAVE)}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_was_entered_can_be_taken_back_from_its_result(size: Size) -> None:
    message, result = SAMPLES["message-dispute-3"], SAMPLES["result-8"]
    board = SAMPLES["board-message"]
    assert isinstance(message, GameMessage) and isinstance(board, GameMessage) and isinstance(result, MatchResult)
    for view in (replace(message, can_undo=True, can_dispute=False), replace(board, can_undo=True, seconds_left=3.0)):
        shown = labels_and_presses(view, size)
        assert shown["Undo"] == Reply("undo") and shown["Go on"] == Reply("go on") and "Dispute" not in shown
    assert labels_and_presses(replace(result, can_undo=True), size)["Undo"] == Reply("undo")
    assert "Undo" not in labels_and_presses(message, size) | labels_and_presses(result, size)


WAYS_OUT = {"Done", "English"}
"""What closes the settings, where nothing is lost, and the choice of a language, where today's can be touched."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_set_up_page_has_a_way_back(size: Size) -> None:
    names = (
        "home-set-up", "home-class-set-up", "seating", "seating-names", "seating-letters", "seating-moving", "settings",
        "settings-rules", "languages", "box", "box-camera", "box-password", "box-cities",
        "calculator-keys", "notice-question", "zones", "network-off",
    )  # fmt: skip
    without = [
        name
        for name in names
        if not any(target.leads_back or target.label in WAYS_OUT for target in drawn(SAMPLES[name], size).targets)
    ]
    assert without == []
