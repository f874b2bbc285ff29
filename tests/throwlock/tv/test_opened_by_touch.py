"""A second screen is opened during a match, by touch, and shows it: a real window and a real browser. Skipped where
Chromium, Xvfb or xdotool is missing."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.helpers import browsers
from tests.helpers.browsers import CHROMIUM, DRIVER
from tests.helpers.clicked_window import ClickedWindow, game_window
from tests.helpers.waiting import wait_until
from tests.helpers.x_server import server
from throwlock.web.serving import local_addresses
from ui.screen.pages.lobby import TITLE

driver = browsers.driver
__all__ = ["game_window", "server"]
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
    pytest.mark.skipif(not local_addresses(), reason="this machine has no network"),
]
START = "classic classic --seats 2 --name Ada --name Ben"


@pytest.mark.slow
@pytest.mark.parametrize("game_window", [START], indirect=True)
def test_a_second_screen_is_opened_from_the_pause_and_follows_the_match(
    game_window: ClickedWindow, driver: Any
) -> None:
    window = game_window
    window.click("FirstTimePage", "Start", "GroupQuestionPage")
    window.click("GroupQuestionPage", "Pause", "PausePage")
    window.click("PausePage", "Play with phones", "PhonesPage", "Switch it on")
    window.touch_until("Switch it on", lambda: window.url)
    window.click("PhonesPage", "Second screen", "SecondScreenPage")
    where = urlsplit(window.url)
    assert where.path.startswith("/tv/")
    driver.get(f"http://127.0.0.1:{where.port}{where.path}")

    def wait(text: str) -> None:
        shown = "return document.querySelector('main')?.innerText ?? ''"
        wait_until(lambda: text in str(driver.execute_script(shown)), repr(text))

    wait(str(TITLE))
    window.click("SecondScreenPage", "Done", "PhonesPage")
    window.end_pause()
    wait("Waiting for Ada and Ben")
