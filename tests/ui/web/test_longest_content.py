"""The longest names on web pages, in every language: no text is cut, off the page or on another one. On a television,
on phones' pads and on review pages, in one browser."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import GAMES
from tests.helpers import browsers
from tests.helpers.browsers import AT_REST, CHROMIUM, DESK, DRIVER, LAYOUT_FAULTS, PHONE, Browser
from tests.helpers.pad_phones import OpenNetwork
from tests.helpers.renamed_players import renamed
from tests.helpers.samples.guests import guessers
from tests.helpers.surfaces import rounds_by_match
from tests.helpers.table_matches import WatchingDisplay, match_config, play
from tests.helpers.waiting import wait_until
from throwlock.pads.table import PadTable
from throwlock.tv.second_screen import SecondScreen
from throwlock.web.server import ReviewServer
from tools.gallery import samples
from ui.i18n.language import LANGUAGES, set_language
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.seating import MAX_NAME_LENGTH
from ui.screen.views import View

driver = browsers.driver
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]

LONGEST = "W" * MAX_NAME_LENGTH
NAMES = tuple(f"{LONGEST[1:]}{number}" for number in range(1, 9))
"""As wide, and nobody has another's."""
TELEVISION, SMALL_PHONE = (1920, 1080), (320, 568)
SAMPLES = samples()
CROWDED_SCENES = (
    *("classroom-roll-call-few-30", "classroom-countdown-30", "classroom-reveal-30", "classroom-message-30"),
    *("classroom-result-30", "classroom-podium-ties", "tournament-8", "tournament-64", "tournament-swiss"),
    *("tournament-groups", "tournament-tables", "tournament-over", "phones-class"),
)
"""The samples of a class and of tournaments that a television shows."""
PLAYERS_SCENES = ("countdown-stakes", "group", "message", "result-decided")
"""The samples of a match that a phone shows something of."""


@pytest.fixture(autouse=True, params=LANGUAGES)
def language(driver: Any, request: pytest.FixtureRequest) -> Iterator[None]:
    """The box's language, and the one that the browser asks for."""
    set_language(request.param)
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": request.param}})
    yield
    set_language("en")


def scenes() -> Iterator[tuple[str, View]]:
    """Yield all that a television shows, of two, three, four and eight players, each with the longest name."""
    kinds = (
        "countdown",
        "judging",
        "reveal",
        "slow-motion",
        "message",
        "showdown",
        "result",
        "group",
        "guests",
        "phones",
    )
    for name, view in SAMPLES.items():
        if (name.startswith(kinds) and name.rpartition("-")[2] in ("2", "3", "4", "8", "12")) or name in CROWDED_SCENES:
            yield name, renamed(view, LONGEST)


def test_on_a_television(driver: Any, tmp_path: Path) -> None:
    screen = SecondScreen()
    screen.guessers = lambda: renamed(guessers(3), LONGEST)
    with ReviewServer(tmp_path / "none.journal", port=0, lan=True, pads=PadTable(), tv=screen) as server:
        browser = Browser(driver, f"http://127.0.0.1:{server.port}")
        browser.look(TELEVISION)
        browser.open(f"/tv/{(server.tv_code or '').replace('-', '')}")
        assert browser.arrives("/watch")
        faults = {}
        for name, view in scenes():
            age_ns = 0 if isinstance(view, Countdown) else 60_000_000_000
            screen.show(view, view, time.monotonic_ns() - age_ns)
            number = screen.scene().number
            rests = "true" if isinstance(view, Countdown) else AT_REST
            script = f"document.querySelector('.scene').dataset.number === '{number}' && {rests}"
            wait_until(lambda script=script: browser.run(script), name)  # type: ignore[misc]
            faults[name] = browser.run(LAYOUT_FAULTS)
        assert {name: found for name, found in faults.items() if found} == {}
        browser.open("/static/icon.svg")


@pytest.mark.parametrize("count", [2, 4, 8])
def test_on_a_phone(driver: Any, tmp_path: Path, count: int) -> None:
    pads, names = PadTable(), NAMES[:count]
    with ReviewServer(tmp_path / "none.journal", port=0, lan=True, pads=pads) as server:
        pads.network = OpenNetwork()
        browser = Browser(driver, f"http://127.0.0.1:{server.port}")
        faults: dict[str, list[str]] = {}

        def check(what: str) -> None:
            for size in (PHONE, SMALL_PHONE):
                browser.look(size)
                browser.open("/pad")
                faults[f"{what} {size}"] = browser.run(LAYOUT_FAULTS)

        def send(css: str) -> None:
            browser.run("document.documentElement.dataset.left = ''")
            browser.run(f"document.querySelector({css!r}).click()")
            assert browser.arrives("/pad")

        driver.delete_all_cookies()
        browser.open(f"/join/{(server.pad_code or '').replace('-', '')}")
        assert browser.arrives("/pad")
        browser.one("#name").send_keys(LONGEST)
        send("form[action='/pad/guest'] .main")
        check("a guest")
        pads.open(names)
        check("the audience")
        pads.show(PhonesPage(pads.status, pads.status()))
        check("seats to choose")
        send("[name=seat][value='1']")
        for name, sample in SAMPLES.items():
            view = renamed(sample, NAMES[0])
            if not name.startswith(PLAYERS_SCENES) or not name.endswith(f"-{count}"):
                continue
            if isinstance(view, GroupQuestionPage):
                view = view.view
            if isinstance(view, GroupQuestion):
                view = pads.begin_question(view)
                pads.show(view)
                view.first_page().poll()
            else:
                pads.show(view)
            check(name)
            pads.end_question()
        assert {what: found for what, found in faults.items() if found} == {}


class UnwatchedDisplay(WatchingDisplay):
    """A display that nobody looks at."""

    def show(self, view: Any) -> None: ...

    def ask(self, view: Any) -> Any: ...


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of two, four and eight players."""
    path = tmp_path_factory.mktemp("long") / "long.journal"
    for count in (2, 4, 8):
        game = GAMES["redeux"].set_up(count, {"goal": 20})
        config = match_config(game)
        play(
            path,
            type(config)(game, NAMES[:count], config.house_rules, 3, "simulated"),
            display=UnwatchedDisplay(path),
            new=True,
        )
    return path


def test_on_the_review_pages(driver: Any, journal: Path) -> None:
    with ReviewServer(journal, port=0) as server:
        browser = Browser(driver, f"http://127.0.0.1:{server.port}")
        faults = {}
        paths = ["/", "/players"]
        for match, rounds in rounds_by_match(journal).items():
            paths += [f"/match/{match}", f"/round/{rounds[0]}"]
        for path in paths:
            for size in (PHONE, SMALL_PHONE, DESK):
                browser.look(size)
                browser.open(path)
                faults[f"{path} {size}"] = browser.run(LAYOUT_FAULTS)
        assert {what: found for what, found in faults.items() if found} == {}
