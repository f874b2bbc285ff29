"""The board on a phone in a real browser: a move is made by touch, with and without JavaScript."""

from pathlib import Path
from typing import Any

import pytest

from rules.board.match import MovePrompt
from rules.board.notation import format_move, format_position, parse_position
from rules.board.text import TEXT
from rules.engine import Choices, FactValue, IntRange, Prompt
from rules.future.text import TEXT as FUTURE_TEXT
from tests.helpers import browsers
from tests.helpers.browsers import CHROMIUM, CONTRAST, DRIVER, HIGH_CONTRAST, NARROW_PHONE, Browser
from tests.helpers.pad_phones import OpenNetwork
from throwlock.pads.table import PadTable
from throwlock.web.server import ReviewServer
from ui.i18n.language import set_language
from ui.screen.drawing.theme import set_high_contrast
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.phones import PhonesPage

driver = browsers.driver
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")

LARGE_PHONE = (412, 915)
POSITION = parse_position("R0@0,2 S0@-1,4 P010@1,0 P0@2,-1 F0@-4,5 R1@3,-3 P101@0,-1 S1@2,-4 F1@1,-6 to-move=0")
MIN_TARGET_PX = 57
LET_TIME_JUMP = "performance.now = ((ms) => () => (ms += 1e5))(performance.now())"
"""Each look at the clock is later by so much that a touch on a new question counts."""
"""9 mm, at 160 CSS pixels to the inch."""
SMALL_TARGETS = f"""[...document.querySelectorAll("button, select, summary")].filter((one) => one.checkVisibility())
    .filter((one) => {{
        const box = one.getBoundingClientRect();
        return box.width < {MIN_TARGET_PX} || box.height < {MIN_TARGET_PX};
    }}).map((one) => one.outerHTML)"""


def ask_for_move(pads: PadTable) -> GroupQuestionPage:
    """Ask seat 1 for a move on the board."""
    board = POSITION.tables.board
    about: dict[str, FactValue] = {"position": format_position(POSITION), "south": 1, "north": 2, "ply": 4}
    allowed = Choices(tuple(format_move(move, board) for move in POSITION.legal_moves()))
    prompt = MovePrompt("move", {1: allowed}, about=about, text=TEXT)
    view = pads.begin_question(GroupQuestion((Player(1, "Ada"), Player(2, "Ben")), prompt))
    pads.show(view)
    page = view.first_page()
    assert isinstance(page, GroupQuestionPage)
    page.poll()
    return page


def take_first_seat(browser: Browser, server: ReviewServer, pads: PadTable) -> None:
    """Join with a phone and take the first of two seats."""
    browser.open(f"/join/{(server.pad_code or '').replace('-', '')}")
    assert browser.arrives("/pad")
    pads.open(("Ada", "Ben"))
    pads.show(PhonesPage(pads.status, pads.status()))
    browser.open("/pad")
    browser.click("[name=seat][value='1']")
    assert browser.arrives("/pad")


@pytest.mark.parametrize(
    ("size", "scheme", "language", "script"),
    [
        (NARROW_PHONE, "light", "en", False),
        (NARROW_PHONE, "dark", "fr", True),
        (LARGE_PHONE, "light", "de", True),
    ],
)
def test_a_move_is_touched_on_the_board(
    driver: Any, size: tuple[int, int], scheme: str, language: str, script: bool, tmp_path: Path
) -> None:
    pads, names = PadTable(), POSITION.tables.board.space_names
    origin, target = (names[POSITION.tables.board.space_at[where]] for where in ((0, 2), (0, 0)))
    set_language(language)
    try:
        with ReviewServer(tmp_path / "none.journal", port=0, lan=True, pads=pads) as server:
            pads.network = OpenNetwork()
            browser = Browser(driver, f"http://127.0.0.1:{server.port}")
            browser.look(size, scheme)
            take_first_seat(browser, server, pads)
            page = ask_for_move(pads)
            browser.look(size, scheme, script)
            browser.open("/pad")

            def touch(css: str) -> None:
                if script:
                    browser.run(LET_TIME_JUMP)
                browser.run(f"document.querySelector({css!r}).scrollIntoView({{block: 'center', inline: 'center'}})")
                browser.run("document.documentElement.dataset.left = ''")  # the next page may have the same address
                browser.click(css)

            assert browser.all(".moves select") and not browser.all(".proposal button")
            for css in (f'button[value="{origin}"]', f'button[value="{target}"]'):
                touch(css)
                assert browser.arrives("/pad#selected")
                assert browser.run("document.documentElement.scrollWidth <= innerWidth")
                assert browser.run(SMALL_TARGETS) == [] and browser.run(CONTRAST) == []
                assert browser.run(
                    """(() => {
                        const box = document.querySelector("#selected").getBoundingClientRect();
                        return 0 <= box.left && box.right <= innerWidth && 0 <= box.top && box.bottom <= innerHeight;
                    })()"""
                ), "what was touched is in view"
            assert origin in browser.text(".proposal .title") and target in browser.text(".proposal .title")
            assert browser.run(f"document.querySelector('button[value=\"{origin}\"]').classList.contains('chosen')")
            touch(".proposal .main")
            assert browser.arrives("/pad")
            reply = page.poll()
            assert not isinstance(reply, GroupQuestionPage) and reply.value == {1: "0,2>0,0"}
            assert not browser.all(".board") and browser.all(".board-drawing use"), "it is only looked at"
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    finally:
        set_language("en")
        Browser(driver, "").look(NARROW_PHONE)


LARGE_TEXT_PX = 20
"""A browser's text size a quarter above the usual one."""
SMALL_PHONE, TALL_PHONE = (320, 568), (390, 844)
ABOUT: dict[str, FactValue] = {"turn": 3, "lap": 2, "pot": 3, "chips": {1: 7, 2: 9}, "claims": {2: "rock"}}
OWN_CARDS: dict[int, dict[str, FactValue]] = {
    1: {"cards in hand": {"rock": 3, "paper": 0, "scissors": 2}, "face down": "paper"}
}


@pytest.mark.parametrize("size", [SMALL_PHONE, TALL_PHONE])
def test_a_decision_in_future_rps_fits_a_phone(driver: Any, size: tuple[int, int], tmp_path: Path) -> None:
    pads, people = PadTable(), (Player(1, "Ada", 7), Player(2, "Ben", 9))
    with ReviewServer(tmp_path / "none.journal", port=0, lan=True, pads=pads) as server:
        pads.network = OpenNetwork()
        browser = Browser(driver, f"http://127.0.0.1:{server.port}")
        browser.look(size, "dark", True)
        take_first_seat(browser, server, pads)
        for kind, seat, options in (
            ("act", 1, Choices(("raise", "call"))),
            ("bet", 1, IntRange(1, 7)),
            ("act", 2, Choices(("raise", "call"))),
        ):
            prompt = Prompt(kind, {seat: options}, ABOUT, own_facts=OWN_CARDS, text=FUTURE_TEXT)
            view = pads.begin_question(GroupQuestion(people, prompt))
            pads.show(view)
            view.first_page().poll()
            browser.open("/pad")
            assert "Rock ×3" in browser.text(".asked") and "Face down Paper" in browser.text(".asked")
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
            assert browser.run(SMALL_TARGETS) == [] and browser.run(CONTRAST) == []
            set_high_contrast(True)
            browser.open("/pad")
            assert browser.run(HIGH_CONTRAST) == []
            set_high_contrast(False)
            driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": LARGE_TEXT_PX}})
            browser.open("/pad")
            assert browser.run("getComputedStyle(document.body).fontSize") == f"{LARGE_TEXT_PX}px"
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
            driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": 16}})
            if kind == "bet":
                browser.run(LET_TIME_JUMP)
                browser.click("[data-set='7']")
                assert browser.text(".consequence") == "The pot grows from 3 to 10; you keep 0."
