"""The second screen in a real browser: every scene fits, can be read, and a lost connection is taken up again."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import browsers
from tests.helpers.browsers import AT_REST, CHROMIUM, CONTRAST, DRIVER, HIGH_CONTRAST, Browser
from tests.helpers.samples.common import players
from tests.helpers.waiting import wait_until
from throwlock.pads.table import PadTable
from throwlock.tv.second_screen import SecondScreen
from throwlock.web.server import ReviewServer
from tools.gallery import samples
from ui.i18n.language import set_language
from ui.screen.drawing.theme import set_high_contrast
from ui.screen.pages.countdown import GET_READY, Countdown, Judging
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.views import View
from ui.text.verdicts import COUNT_WORDS

driver = browsers.driver
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")

TELEVISION, SMALL_TELEVISION = (1920, 1080), (1280, 720)
SAMPLES = samples()
SCENES = (
    *(
        "children-won-2",
        "children-again-2",
        "children-won-8",
        "children-again-8",
        "children-stars-2",
        "children-stars-8",
    ),
    *("children-result-2", "children-result-8", "children-count-8", "children-group"),
    *(
        "countdown-stakes-8",
        "countdown-again-8",
        "judging-8",
        "entered-2",
        "entered-face-down-8",
        "entered-8",
        "reveal-won-2",
        "reveal-dispute-8",
        "reveal-won-8",
    ),
    *("slow-motion-begins-2", "slow-motion-8", "message-2", "message-facts-8", "message-long-5", "board-message"),
    *("showdown-won-3", "showdown-won-8", "classroom-message-30", "result-3", "result-8", "result-decided-2"),
    *(
        "result-decided-8",
        "classroom-result-30",
        "classroom-podium-ties",
        "classroom-countdown-30",
        "classroom-reveal-30",
        "classroom-roll-call-few-30",
        "phones-class",
        "tournament-8",
        "tournament-64",
        "tournament-swiss",
        "tournament-groups",
        "tournament-tables",
        "tournament-over",
        "tournament-over-swiss",
        "group-sealed-8",
        "pause",
        "guests-none",
        "guests-12",
        "phones-2",
        "phones-8",
    ),
)
SCENE = "document.querySelector('.scene')"
OFFLINE = "document.querySelector('#offline')"
MIN_LETTER_SHARE = 0.0395
"""The least size of letters as a share of the picture's height, of which capitals are 0.73."""
SMALL_TEXT = f"""[...document.querySelectorAll("main *")].filter((one) => !one.closest("svg") && one.checkVisibility()
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && parseFloat(getComputedStyle(one).fontSize) < {MIN_LETTER_SHARE} * innerHeight).map((one) => one.outerHTML)"""
OFF_PAGE = """[...document.querySelectorAll("main *")].filter((one) => !one.closest("svg") && one.checkVisibility())
    .filter((one) => {
        const box = one.getBoundingClientRect();
        return box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1;
    }).map((one) => one.outerHTML.slice(0, 200))"""


class Television:
    """A browser that watches a second screen."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.screen = SecondScreen()
        self._server = self._open(folder, 0)
        self._folder = folder
        self.browser = Browser(driver, f"http://127.0.0.1:{self._server.port}")

    def _open(self, folder: Path, port: int) -> ReviewServer:
        server = ReviewServer(folder / "none.journal", port=port, lan=True, pads=PadTable(), tv=self.screen)
        server.start()
        return server

    def watch(self) -> None:
        self.browser.open(f"/tv/{(self._server.tv_code or '').replace('-', '')}")
        assert self.browser.arrives("/watch")
        self.wait("typeof tvLog === 'object' && tvLog.length > 0")

    def show(self, view: View, *, shown_ago_s: float = 0.0) -> None:
        """Show a view, and wait until the browser has it."""
        self.screen.show(view, view, time.monotonic_ns() - round(shown_ago_s * 1e9))
        self.wait(f"{SCENE}.dataset.number === '{self.screen.scene().number}'")

    def wait(self, script: str) -> None:
        wait_until(lambda: self.browser.run(script), f"{script} in the browser")

    def lose_connection(self) -> None:
        """Stop the server, which ends every session."""
        self._server.stop()

    def restore(self) -> None:
        """Serve at the same address again, with the sessions that there were."""
        port = self._server.port
        self._server = self._open(self._folder, port)

    def close(self) -> None:
        self.browser.open("/static/icon.svg")
        self._server.stop()


@pytest.fixture
def television(driver: Any, tmp_path: Path) -> Iterator[Television]:
    made = Television(driver, tmp_path)
    made.browser.look(SMALL_TELEVISION)
    for kind in ("browser", "performance"):  # of the test before
        driver.get_log(kind)
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [(TELEVISION, "dark", "en"), (SMALL_TELEVISION, "light", "de"), (TELEVISION, "light", "fr")],
)
def test_every_scene_fits_and_can_be_read(
    television: Television, size: tuple[int, int], scheme: str, language: str
) -> None:
    set_language(language)
    browser = television.browser
    browser.look(size, scheme)
    television.watch()
    for name in SCENES:
        view = SAMPLES[name]
        if isinstance(view, Countdown):
            view = replace(view, words=COUNT_WORDS, beat_s=60.0)
        television.show(view, shown_ago_s=30.0 if not isinstance(view, Countdown) else 0.0)
        television.wait(f"{AT_REST} || {SCENE}.dataset.kind === 'count'")
        assert browser.run(SMALL_TEXT) == [], name
        assert browser.run(OFF_PAGE) == [], name
        if name != "board-message":  # whose pieces are drawings, in the colours of the pads' board
            assert browser.run(CONTRAST) == [], name
    complaints = [one for one in browser.complaints() if "/watch/image/" not in one]  # of a scene that is gone already
    assert complaints == [] and browser.foreign_requests() == []


@pytest.mark.slow
def test_every_scene_has_high_contrast_where_that_is_set(television: Television) -> None:
    television.browser.look(TELEVISION)
    set_high_contrast(True)
    try:
        television.watch()
        for name in SCENES:
            if name != "board-message":
                television.show(SAMPLES[name], shown_ago_s=60.0)
                television.wait(f"{AT_REST} || {SCENE}.dataset.kind === 'count'")
                assert television.browser.run(HIGH_CONTRAST) == [], name
    finally:
        set_high_contrast(False)


def test_slow_motion_shows_every_frame_and_when_hands_showed(television: Television) -> None:
    television.watch()
    television.show(SAMPLES["slow-motion-begins-2"])
    assert television.browser.run("document.querySelectorAll('.frames img:not(.there)').length") > 0
    television.show(SAMPLES["slow-motion-8"])
    television.show(SAMPLES["slow-motion-begins-2"], shown_ago_s=60.0)
    television.wait(AT_REST)
    television.wait("[...document.querySelectorAll('.frames img')].every((image) => image.naturalWidth > 100)")
    assert television.browser.run("document.querySelectorAll('.line g.there').length") == 2
    television.browser.complaints()  # of pictures of scenes that are gone


def test_the_present_of_slow_motion_moves_along_its_course(television: Television) -> None:
    television.watch()
    view = SAMPLES["slow-motion-begins-2"]
    assert isinstance(view, SlowMotion)
    television.show(view, shown_ago_s=view.animation_s / 2)
    television.wait("document.querySelector('.now').getAnimations().length > 0")
    passed = "document.querySelector('.now').getAnimations()[0].currentTime"
    # The page knows the box's clock to half the time that asking for it took: well past the start is what counts.
    assert television.browser.run(passed) >= view.animation_s * 250
    television.browser.complaints()


def test_the_count_counts_by_itself(television: Television) -> None:
    television.watch()
    television.show(Countdown(players(2), "Round 1", COUNT_WORDS, -1, beat_s=0.2, word_s=0.2))
    number = television.screen.scene().number
    television.wait(f"document.querySelector('.word .ready').innerText === '{GET_READY}'")
    television.wait("document.querySelector('.word .shoot.there')?.textContent === 'SHOOT!'")
    assert television.browser.run(f"{SCENE}.dataset.number") == str(number)
    shown = "[...document.querySelectorAll('.word *')].filter((word) => word.checkVisibility()).map((b) => b.innerText)"
    assert television.browser.run(shown) == ["SHOOT!"], "of its words the last"
    words = television.browser.run("tvLog.filter((entry) => entry[1].startsWith('word'))")
    by_time = sorted(words, key=lambda word: word[2])  # a busy computer shows several in one frame
    assert [word[1] for word in by_time] == ["word 0", "word 1", "word 2", "word 3"]


def test_a_lost_connection_is_taken_up_again_by_itself(television: Television) -> None:
    television.watch()
    television.show(Judging(players(2)))
    television.screen.viewers.close()
    television.wait("performance.getEntriesByType('resource').length > 0")
    television.screen.viewers.open()
    television.screen.show(SAMPLES["result-2"], SAMPLES["result-2"], 0)
    television.wait(f"{SCENE}.dataset.kind === 'result'")
    television.wait("document.querySelector('#offline').hidden")


def test_without_javascript_a_reload_shows_what_happens(television: Television) -> None:
    television.watch()
    television.screen.show(SAMPLES["result-2"], SAMPLES["result-2"], 0)
    television.browser.look(SMALL_TELEVISION, script=False)
    television.browser.open("/watch")
    try:
        assert television.browser.all(".scene.result .places li")
    finally:
        television.browser.look(SMALL_TELEVISION)


@pytest.mark.slow
def test_a_lost_box_is_reported_and_asks_for_its_code(television: Television) -> None:
    television.watch()
    television.show(Judging(players(2)))
    television.lose_connection()
    television.wait(f"{OFFLINE}.textContent === {OFFLINE}.dataset.offline && !{OFFLINE}.hidden")
    television.restore()
    television.wait(f"{OFFLINE}.textContent === {OFFLINE}.dataset.ended")
    television.watch()
    television.browser.complaints()
