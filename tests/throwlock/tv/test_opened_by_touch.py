"""A second screen is opened during a match, by touch, and shows it: a real window and a real browser. Skipped where
Chromium, Xvfb or xdotool is missing."""

from typing import IO, Any
from urllib.parse import urlsplit

import browsers
import clicked_window
import pytest
from browsers import CHROMIUM, DRIVER
from clicked_window import WindowOutput, click, end_pause, touch_until
from waiting import LIMIT_S, wait_until
from x_server import server

from throwlock.web.server import local_addresses

game_window, mouse, driver = clicked_window.game_window, clicked_window.mouse, browsers.driver
__all__ = ["server"]
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
    pytest.mark.skipif(not local_addresses(), reason="this machine has no network"),
]
START = "classic classic --seats 2 --name Ada --name Ben"


@pytest.mark.slow
@pytest.mark.parametrize("game_window", [START], indirect=True)
def test_a_second_screen_is_opened_from_the_pause_and_follows_the_match(
    game_window: WindowOutput, mouse: IO[str], driver: Any
) -> None:
    window = game_window
    assert window.read_newest(LIMIT_S)
    click(window, mouse, "FirstTimePage", "Start", "GroupQuestionPage")
    click(window, mouse, "GroupQuestionPage", "Pause", "PausePage")
    click(window, mouse, "PausePage", "Play with phones", "PhonesPage", "Switch it on")
    touch_until(window, mouse, "Switch it on", lambda: window.url)
    click(window, mouse, "PhonesPage", "Second screen", "SecondScreenPage")
    where = urlsplit(window.url)
    assert where.path.startswith("/tv/")
    driver.get(f"http://127.0.0.1:{where.port}{where.path}")

    def wait(text: str) -> None:
        shown = "return document.querySelector('main')?.innerText ?? ''"
        wait_until(lambda: text in str(driver.execute_script(shown)), repr(text))

    wait("A player is choosing")
    click(window, mouse, "SecondScreenPage", "Done", "PhonesPage")
    end_pause(window, mouse)
    wait("Waiting for Ada and Ben")
