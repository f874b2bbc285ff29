"""Phones before and during a match in a real browser: four people say who they are, one is seated and gets the pad, the
others guess; on a narrow phone and a usual one, light and dark, with and without JavaScript."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.events import Other
from rules.throws import Outcome
from tests.helpers import browsers
from tests.helpers.browsers import CHROMIUM, CONTRAST, DRIVER, PHONE, Browser
from tests.helpers.pad_phones import OpenNetwork
from tests.helpers.waiting import wait_until
from throwlock.pads.table import PadTable
from throwlock.web.server import ReviewServer
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.message import GameMessage

driver = browsers.driver
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")

SMALL_PHONE = (320, 568)
PEOPLE = ("Zoë", "محمد", "李小龙", "Bartholomew-Maximili")
PLAYERS = (Player(1, "Ada"), Player(2, PEOPLE[1]))
MIN_TARGET_PX = 57
"""9 mm, at 160 CSS pixels to the inch."""
SMALL_TARGETS = f"""[...document.querySelectorAll("button, summary, input:not([type=hidden])")]
    .filter((one) => one.checkVisibility()).filter((one) => {{
        const box = one.getBoundingClientRect();
        return box.width < {MIN_TARGET_PX} || box.height < {MIN_TARGET_PX};
    }}).map((one) => one.outerHTML)"""
UNNAMED = """[...document.querySelectorAll("button, input:not([type=hidden])")]
    .filter((one) => !one.textContent.trim() && !one.getAttribute("aria-label") && !one.labels?.[0]?.textContent.trim())
    .map((one) => one.outerHTML)"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[PadTable, str, str]]:
    """Serve pads; return them, their address and their code."""
    pads = PadTable()
    with ReviewServer(tmp_path / "none.journal", port=0, lan=True, pads=pads) as server:
        pads.network = OpenNetwork()
        yield pads, f"http://127.0.0.1:{server.port}", (server.pad_code or "").replace("-", "")


def check_page(browser: Browser) -> None:
    """Fail if something is off the screen, too small, too pale or without a name."""
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    assert browser.run(SMALL_TARGETS) == [] and browser.run(UNNAMED) == [] and browser.run(CONTRAST) == []


def send(browser: Browser, css: str, path: str) -> None:
    """Touch a button of a form, and wait for the page that follows."""
    browser.run("document.documentElement.dataset.left = ''")  # the next page may have the same address
    browser.run("document.querySelector('#pad').dataset.changedMs = -1e9")
    browser.run(f"document.querySelector({css!r}).click()")
    assert browser.arrives(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "scheme", "script"),
    [(PHONE, "light", True), (SMALL_PHONE, "dark", True), (SMALL_PHONE, "light", False)],
)
def test_four_phones_join_and_three_of_them_guess(
    driver: Any, size: tuple[int, int], scheme: str, script: bool, served: tuple[PadTable, str, str]
) -> None:
    pads, address, code = served
    browser = Browser(driver, address)
    sessions: list[dict[str, Any]] = []
    for number, name in enumerate(PEOPLE):
        driver.delete_all_cookies()
        browser.look(size, scheme)
        browser.open(f"/join/{code}")
        assert browser.arrives("/pad")
        check_page(browser)
        browser.look(size, scheme, script)
        browser.one("#name").send_keys(name)
        browser.run(f"document.querySelectorAll('[name=picture]')[{number}].click()")
        send(browser, "form[action='/pad/guest'] .main", "/pad")
        assert browser.text(".own h1") == name
        check_page(browser)
        sessions.append(driver.get_cookie("throwlock"))
    assert [guest.name for guest in pads.guests] == list(PEOPLE)
    pads.open([player.name for player in PLAYERS])

    def become(number: int) -> None:
        driver.delete_all_cookies()
        driver.add_cookie(sessions[number])
        browser.open("/pad")

    become(1)
    assert browser.text(".own h1") == PEOPLE[1] and not browser.all("[name=winner]"), "seated by name"
    for number in (0, 2, 3):
        become(number)
        check_page(browser)
        send(browser, f"[name=winner][value='{number % 3}']", "/pad#audience")
        assert browser.one("[name=winner][aria-pressed]").get_attribute("value") == str(number % 3)
        send(browser, "[name=reaction][value=flame]", "/pad#audience")
        check_page(browser)
    assert "×3" in browser.text("[name=reaction][value=flame]")
    become(2)
    pads.show(Countdown(PLAYERS, "", ("ROCK", "PAPER", "SHOOT"), 2))
    if not script:
        browser.open("/pad")
    wait_until(lambda: not browser.all("[name=winner]"), "the guesses are closed")
    pads.show(GameMessage(PLAYERS, Other("won", {}), ("Decided.",), outcomes={1: Outcome.LOST, 2: Outcome.WON}))
    if not script:
        browser.open("/pad")
    wait_until(lambda: len(browser.all("#audience .players li")) == 3, "the table of guessers")
    assert PEOPLE[2] in browser.all("#audience .players li")[0].text
    check_page(browser)
