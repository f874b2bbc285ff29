"""The pages over the network in a real browser, which sends fewer headers there than locally."""

from pathlib import Path
from typing import Any

import pytest

from tests.helpers import browsers
from tests.helpers.browsers import CHROMIUM, DESK, DRIVER, PHONE, Browser
from tests.helpers.waiting import LIMIT_S
from throwlock.web.server import ReviewServer
from throwlock.web.serving import local_addresses
from tools.sample_journal import write_sample_journal

driver = browsers.driver
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
    pytest.mark.skipif(not local_addresses(), reason="this machine has no network"),
]


@pytest.mark.slow
def test_a_phone_logs_in_over_the_network(driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    write_sample_journal(tmp_path / "evening.journal", 2, seed=1)
    with ReviewServer(tmp_path / "evening.journal", lan=True, port=0) as review:
        assert review.code
        driver.implicitly_wait(LIMIT_S)
        browser = Browser(driver, review.address)
        browser.look(PHONE)
        browser.open("/")
        assert browser.path() == "/enter"
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        assert browser.run("document.activeElement.id") == "code"
        browser.one("#code").send_keys("ffff-ffff")
        browser.click(".enter button")
        assert "Wrong code" in browser.text("[role=alert]")
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        browser.one("#code").send_keys(review.code.lower())
        browser.click(".enter button")
        assert browser.arrives("/")
        assert browser.run("document.cookie") == "", "the session is not for scripts"
        browser.look(DESK)
        browser.click("a.whole")
        round_ = browser.one('a[href^="/round/"]').get_attribute("href").removeprefix(review.address)
        browser.open(round_)
        browser.click('.marking button[value="to review"]')
        assert browser.arrives(f"{round_}#mark")
        assert "Marked" in browser.text(".marking")
        browser.click(".leave button")
        assert browser.arrives("/enter")
        browser.open(round_)
        assert browser.path() == "/enter"
        assert not browser.foreign_requests()
        assert [text for text in browser.complaints() if "403 (Forbidden)" not in text] == []
