"""Past matches and phones and review on the network by touch: the targets, nothing to correct, a new code at once."""

from dataclasses import replace

import pytest

from device.camera.frames import Size
from tests.helpers.page_rules import LONG, PANELS, check, drawn
from tests.helpers.samples.dispute import counting
from tests.helpers.samples.home import games
from tests.helpers.window_users import RunInWindow, WindowUser, run_in_window, target_centre
from tools.gallery import samples
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.pages import history as history_page
from ui.screen.pages import network as network_page
from ui.screen.pages.common import TAKE_HOME_ANSWER, Player
from ui.screen.pages.dispute import DisputedRound, DisputePage, HandPage
from ui.screen.pages.history import HistoryAnswer, HistoryLine, HistoryList
from ui.screen.pages.home import GameMenu, HomeTool, ToolsPage
from ui.screen.pages.network import NetworkSwitch, ReviewAddress
from ui.screen.views import Dialogue, Reply, View

__all__ = ["run_in_window"]  # the fixture
SHOWN = samples()


def replies(view: View, size: Size) -> list[object]:
    return [target.press.value for target in drawn(view, size).targets if isinstance(target.press, Reply)]


def past_round(name: str) -> DisputedRound:
    view = SHOWN[name]
    assert isinstance(view, DisputedRound)
    return view


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_can_be_touched_in_a_list(size: Size) -> None:
    lines = (HistoryLine("Classic", "Ann and Bo", answer=7), HistoryLine("", "A tie.", answer=None))
    view = HistoryList("Past matches", lines, (HistoryAnswer.HOME, HistoryAnswer.MARKED))
    assert replies(view, size) == [7, "home", "marked"], "a sentence leads nowhere, and one leaf has no other"
    assert replies(replace(view, has_more=True), size) == [7, "home", "marked", HistoryAnswer.LATER]
    assert replies(replace(view, list_page=2), size) == [7, "home", "marked", HistoryAnswer.EARLIER]


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_past_round_is_looked_at_and_marked_but_not_corrected(size: Size) -> None:
    view = past_round("history-round-2")
    answers = [HistoryAnswer.BACK, HistoryAnswer.EARLIER, HistoryAnswer.MARK, HistoryAnswer.STORY]
    assert replies(replace(view, can_take_home=False), size) == answers
    assert replies(view, size) == [answers[0], TAKE_HOME_ANSWER, *answers[1:]]
    labels = [target.label for target in drawn(replace(view, review_mark="to review"), size).targets]
    assert history_page.NEXT_MARK_LABELS["to review"] in labels and history_page.NEXT_MARK_LABELS[None] not in labels
    dialogue = Dialogue(view)
    assert isinstance(dialogue.page, DisputePage)
    dialogue.go_to(HandPage(dialogue.page.with_frame(3), dialogue.page.view.seats[1]))
    assert isinstance(dialogue.page, HandPage) and dialogue.page.evidence.frame == 3
    assert replies(dialogue.page, size) == []
    pages = [target.press for target in drawn(dialogue.page, size).targets]
    assert [type(page) for page in pages] in ([DisputePage, HandPage, HandPage], [HandPage, HandPage, DisputePage])


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_hands_of_void_rounds_are_not_said_to_count(size: Size) -> None:
    def said(view: DisputedRound) -> str:
        return " ".join(text.text for text in drawn(view, size).texts)

    void = past_round("history-round-2")
    assert "showed paper" in said(void) and "counts as" not in said(void)
    assert "counts as paper" in said(counting(void))


def test_frames_of_a_strip_that_are_far_apart_are_all_shown() -> None:
    times = tuple(162.0 + after for after in range(-200, 201, 50))
    view = replace(past_round("history-round-2"), frame_times_ms=times)
    said = [text.text for text in drawn(view, PANEL_SIZES[0]).texts]
    assert [one for one in said if one in ("+0", "+50", "+100", "LOCK", "+200", "+250", "+300")][:5] == [
        "+50",
        "+100",
        "LOCK",
        "+200",
        "+250",
    ]


def test_home_screen_has_one_button_for_all_tools() -> None:
    for size in PANELS:
        for count in (3, 6, 9):
            menu = GameMenu((games() * 5)[:count], tuple(HomeTool))
            home = drawn(menu, size)
            check(home)
            tools = next(target.press for target in home.targets if isinstance(target.press, ToolsPage))
            canvases = home, drawn(tools, size)
            check(canvases[1])
            replies = [
                [one.press.value for one in canvas.targets if isinstance(one.press, Reply)] for canvas in canvases
            ]
            assert sorted(map(str, replies[0] + replies[1])) == sorted(HomeTool)


@pytest.mark.parametrize("size", PANELS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_long_names_stay_in_their_places(size: Size) -> None:
    everybody = ", ".join([LONG] * 8)
    line = HistoryLine(LONG, f"{everybody}: 94,906,266 rounds", "21 Nov 2026, 12:49, to review", 1)
    lines = (line, replace(line, title="", answer=None)) * 3
    round_ = past_round("history-round-8")
    round_ = replace(
        round_,
        players={seat.seat: Player(seat.seat, LONG) for seat in round_.seats},
        choices={},
        title=everybody,
        sentence=f"{LONG} was late. " * 4,
        has_earlier=True,
    )
    opened = round_.first_page()
    assert isinstance(opened, DisputePage)
    served = ReviewAddress(("http://192.168.178.123:65535",) * 4, "WWWW-WWWW")
    for view in (
        HistoryList(everybody, lines, (HistoryAnswer.HOME, HistoryAnswer.MARKED), 1249, True, summary=everybody),
        round_,
        HandPage(opened, round_.seats[1]),
        NetworkSwitch(lambda: served, served),
    ):
        check(drawn(view, size), whole=False)


def test_a_new_code_shows_at_once(run_in_window: RunInWindow) -> None:
    codes = ["CDFG-HJKM"]

    def now() -> ReviewAddress:
        return ReviewAddress(("http://192.168.1.2:8321",), codes[-1], len(codes) > 1)

    view = NetworkSwitch(now, now())

    def part(hand: WindowUser) -> None:
        hand.wait_for(view)
        codes.append("WXYT-3467")
        hand.wait_for(replace(view, status=now()))
        hand.tap(target_centre(view, Reply(network_page.OFF)))

    assert run_in_window(lambda display: display.ask(view), part) == network_page.OFF
