"""A clip in a real browser: ordered from its round, waited for without a script, and played; and by its link on a phone
that may see nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import browsers
from tests.helpers.browsers import CHROMIUM, DESK, DRIVER, PHONE, Browser
from tests.helpers.clip_rounds import late_round
from throwlock.review import clip_maker
from throwlock.review.clip_maker import ClipOrder, process_command
from throwlock.web.server import ReviewServer
from throwlock.web.serving import local_addresses

WebDriverWait = pytest.importorskip("selenium.webdriver.support.wait").WebDriverWait
driver = browsers.driver
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]
LIMIT_S = 300
AT_ONCE = """
import sys
from throwlock.review import make_clip
make_clip.use_idle_time_only = lambda: None
sys.exit(make_clip.main(*sys.argv[1:]))
"""
"""Makes a clip without leaving the time to others: on a busy computer there would be none."""
PLAYS = "(() => { const one = document.querySelector('video'); return one !== null && one.readyState >= 2; })()"
"""Whether the browser has decoded pictures of the clip."""


def make_at_once(journal: Path, order: ClipOrder, file: Path) -> list[str]:
    python, _, _, *arguments = process_command(journal, order, file)
    return [python, "-c", AT_ONCE, *arguments]


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, int]]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(clip_maker, "STALLED_AFTER_S", float(LIMIT_S))
    monkeypatch.setattr(clip_maker, "process_command", make_at_once)
    box, event = late_round(tmp_path)
    box.close()
    yield box.path, event


def test_a_clip_is_ordered_and_plays(driver: Any, late: tuple[Path, int]) -> None:
    path, event = late
    with ReviewServer(path, port=0) as review:
        browser = Browser(driver, review.address)
        browser.look(DESK)
        browser.open(f"/round/{event}")
        browser.click('button[value="mp4"]')
        assert browser.arrives(f"/round/{event}/clip/en/mp4")
        WebDriverWait(driver, LIMIT_S).until(lambda _: browser.run(PLAYS))
        assert browser.run("document.querySelector('video').videoWidth") == 720
        assert browser.run("document.querySelector('video').duration > 5")
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        browser.open(f"/round/{event}")
        browser.click('button[value="webp"]')
        loaded = "document.querySelector('.clip img')?.naturalWidth === 720"
        WebDriverWait(driver, LIMIT_S).until(lambda _: browser.run(loaded))
        assert not browser.foreign_requests() and not browser.complaints()


@pytest.mark.skipif(not local_addresses(), reason="this machine has no network")
def test_a_link_plays_its_clip_on_a_phone(driver: Any, late: tuple[Path, int]) -> None:
    path, event = late
    with ReviewServer(path, lan=True, port=0) as review:
        shared = review.share_clip(event)
        browser = Browser(driver, review.address)
        browser.look(PHONE)
        browser.open(shared.url.removeprefix(review.address))
        WebDriverWait(driver, LIMIT_S).until(lambda _: browser.run(PLAYS))
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        assert browser.run("document.querySelectorAll('a').length") == 1, "to save the clip"
        browser.open(f"/round/{event}")
        assert browser.path() == "/enter"
