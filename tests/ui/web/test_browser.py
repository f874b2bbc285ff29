"""The review pages in a real browser: navigation by mouse and keys, phone and desktop width, light and dark."""

from collections.abc import Iterator
from typing import Any

import pytest

from rules.record.event import ReviewMark
from tests.helpers import browsers
from tests.helpers.browsers import (
    CHROMIUM,
    CONTRAST,
    DESK,
    DRIVER,
    HIGH_CONTRAST,
    NARROW_PHONE,
    PHONE,
    Browser,
    Keys,
    ServedPages,
    WebDriverWait,
    webdriver,
)
from tests.helpers.class_archive import FakeClassArchive
from tests.helpers.waiting import LIMIT_S
from tests.helpers.web_archive import ADA, BEN
from ui.screen.drawing.theme import set_high_contrast
from ui.screen.pages.reveal import LOCK_IMAGE

driver = browsers.driver
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")

ADDRESSES = (
    *("/", "/match/1", "/match/20", "/round/3", "/round/8", "/round/9", "/nothing"),
    *("/players", f"/player/{ADA.key}", "/classroom"),
)


@pytest.fixture
def box(request: pytest.FixtureRequest) -> Iterator[ServedPages]:
    with ServedPages(getattr(request, "param", None)) as box:
        yield box


@pytest.fixture
def browser(driver: Any, box: ServedPages) -> Iterator[Browser]:
    browser = Browser(driver, box.address)
    browser.look(DESK)
    yield browser
    driver.get("about:blank")
    missing = [one for one in browser.complaints() if "404 (Not Found)" not in one]
    assert missing == [] and browser.foreign_requests() == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_browsing_to_a_round_and_marking_it(browser: Browser, box: ServedPages, size: tuple[int, int]) -> None:
    browser.look(size)
    browser.open("/")
    browser.click("a[href='/match/1']")
    assert browser.arrives("/match/1")
    browser.click(".course summary")
    browser.click("a[href='/round/3']")
    assert browser.arrives("/round/3")
    assert browser.text("[data-time]") == str(LOCK_IMAGE)
    browser.click("[data-step='1']")
    assert browser.text("[data-time]") == "50 ms after the lock"
    browser.click("button[value='to review']")
    assert browser.arrives("/round/3#mark") and box.made.marks[3] is ReviewMark.TO_REVIEW
    assert "to review" in browser.text(".lead")
    browser.click(".crumbs a[href^='/match/1']")
    assert browser.arrives("/match/1#round-3")
    browser.click(".crumbs a[href='/']")
    assert browser.arrives("/")
    assert "1 to review" in browser.text(".flag.open")


def test_the_strip_steps_by_buttons_slider_keys_and_touch(browser: Browser) -> None:
    browser.open("/round/5")

    def seen() -> tuple[str, float, float]:
        """The time as written, which picture the windows show, and which one the frame on the strips is round."""
        moved = browser.run("new DOMMatrix(getComputedStyle(document.querySelector('[data-window]')).transform).e")
        wide = browser.run("document.querySelector('[data-window]').getBoundingClientRect().width")
        left = browser.run("document.querySelector('.here').offsetLeft")
        strip = browser.run("document.querySelector('[data-strip]').getBoundingClientRect().width")
        return browser.text("[data-time]"), round(-9 * moved / wide, 1), round(9 * left / strip, 1)

    assert seen() == (str(LOCK_IMAGE), 4, 4)
    browser.key(Keys.ARROW_LEFT)
    assert seen() == ("50 ms before the lock", 3, 3)
    browser.one("[data-slider]").send_keys(Keys.HOME)
    assert seen() == ("200 ms before the lock", 0, 0)
    assert not browser.one("[data-step='-1']").is_enabled() and browser.one("[data-step='1']").is_enabled()
    browser.one("[data-slider]").send_keys(Keys.ARROW_RIGHT)
    assert seen() == ("150 ms before the lock", 1, 1)
    strip = browser.one("[data-strip]")
    cell = strip.size["width"] / 9
    webdriver.ActionChains(browser.driver).move_to_element_with_offset(strip, round(3 * cell), 0).click().perform()
    assert seen() == ("150 ms after the lock", 7, 7)
    browser.click("h1")
    for _ in range(5):
        browser.key(Keys.ARROW_RIGHT)
    assert seen() == ("200 ms after the lock", 8, 8)
    assert browser.one("[data-slider]").get_attribute("aria-valuetext") == "200 ms after the lock"


def test_j_and_k_switch_rounds_except_in_fields(browser: Browser) -> None:
    browser.open("/round/3")
    browser.key("k")  # there is none before
    assert browser.path() == "/round/3"
    browser.key("j")
    assert browser.arrives("/round/5")
    browser.key("k")
    assert browser.arrives("/round/3")
    browser.one("[data-slider]").send_keys("j")
    assert browser.path() == "/round/3"


def test_every_control_is_reached_by_tab_and_the_first_skips_to_content(browser: Browser) -> None:
    browser.open("/match/1")
    browser.run("document.querySelectorAll('.course details').forEach(one => { one.open = true })")
    browser.key(Keys.TAB)
    assert browser.run("document.activeElement.className") == "skip"
    browser.key(Keys.ENTER)
    assert browser.run("document.activeElement.id") == "content"
    reached = set()
    for _ in range(40):
        browser.key(Keys.TAB)
        reached.add(browser.run("document.activeElement.getAttribute('href') || document.activeElement.tagName"))
        outline = browser.run("getComputedStyle(document.activeElement.matches('.whole') ? document.activeElement : "
                              "document.activeElement, document.activeElement.matches('.whole') ? '::after' : null)"
                              ".outlineStyle")  # fmt: skip
        assert outline != "none" or browser.run("document.activeElement === document.body")
    assert {"/round/3", "/round/5", "/round/8", "/round/9", "/match/1/export/csv", "SUMMARY"} <= reached


def test_a_match_fits_a_phone_and_a_link_opens_its_round(browser: Browser, box: ServedPages) -> None:
    box.made.notes[5] = "a note"
    browser.look(NARROW_PHONE)
    browser.open("/match/1")
    heights = [one.rect["height"] for one in browser.all(".course .round summary")]
    assert len(heights) == 4 and max(heights) <= 48, "one line each"
    names = "[...document.querySelectorAll('.course .name')].every(one => one.scrollWidth <= one.clientWidth)"
    assert browser.run(names) and browser.run("document.documentElement.scrollWidth") == NARROW_PHONE[0]
    longest = "Risk rounds, round 12 of match 123"
    browser.run(f"document.querySelector('.course .name').textContent = '{longest}'")
    assert browser.run(names) and browser.run("document.documentElement.scrollWidth") == NARROW_PHONE[0]
    lines = "[...document.querySelectorAll('.top nav a')].map(one => one.getClientRects().length)"
    assert browser.run(lines) == [1] * 5
    browser.open("/match/1#round-5")
    opened = "[...document.querySelectorAll('.course details')].map(one => one.open)"
    assert browser.run(opened) == [False, True, False, False]
    browser.run("location.hash = '#round-8'")
    assert browser.run(opened)[2]


def test_without_javascript_strips_and_marks_work(browser: Browser, box: ServedPages) -> None:
    browser.look(PHONE, script=False)
    browser.open("/round/3")
    assert not browser.one("[data-player]").is_displayed()
    strips = browser.all("[data-strip] img")
    assert len(strips) == 2 and all(strip.is_displayed() and strip.size["width"] > 300 for strip in strips)
    browser.click("button[value='reviewed']")
    WebDriverWait(browser.driver, LIMIT_S, 0.02).until(lambda _: browser.path() == "/round/3#mark")
    assert box.made.marks[3] is ReviewMark.REVIEWED
    browser.look(PHONE)


def test_zones_are_toggled_over_the_lock_frame(browser: Browser) -> None:
    browser.open("/round/3")
    picture, zone = browser.one(".frame img").rect, browser.all("rect.zone")[1].rect
    assert abs(zone["x"] - picture["x"] - 0.5 * picture["width"]) < 3
    assert abs(zone["width"] - 0.48 * picture["width"]) < 5
    assert abs(zone["height"] - 0.8 * picture["height"]) < 5
    browser.click("label[for='zones']")
    assert not browser.one(".frame .zones").is_displayed()


def test_images_are_deleted_after_a_warning(browser: Browser, box: ServedPages) -> None:
    browser.open("/match/1")
    button = browser.one(".delete button")
    assert not button.is_displayed()
    browser.click(".delete summary")
    assert "for good" in browser.text(".delete")
    button.click()
    assert browser.arrives("/match/1#pictures") and box.made.deleted == {1}
    assert "This match has no images." in browser.text("#pictures + p")
    browser.open("/round/3")
    assert browser.all("main img") == []


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (NARROW_PHONE, "dark")])
def test_pages_fit_a_phone_with_readable_contrast(browser: Browser, size: tuple[int, int], scheme: str) -> None:
    browser.look(size, scheme)
    for address in ADDRESSES:
        browser.open(address)
        assert browser.run("document.documentElement.scrollWidth") <= size[0], address
        assert browser.run(CONTRAST) == [], address


@pytest.mark.parametrize("asked", ["by the phone", "on the box"])
def test_pages_have_high_contrast_where_it_is_asked_for(browser: Browser, asked: str) -> None:
    browser.look(PHONE)
    if asked == "by the phone":
        features = [{"name": "prefers-contrast", "value": "more"}]
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    set_high_contrast(asked == "on the box")
    try:
        for address in ADDRESSES:
            browser.open(address)
            assert browser.run(HIGH_CONTRAST) == [], address
    finally:
        set_high_contrast(False)
        browser.look(PHONE)


WITHOUT_THE_BASELINE = """(() => {
    const sheet = document.querySelector("link[rel=stylesheet]").sheet;
    const number = [...sheet.cssRules].findIndex((rule) => (rule.conditionText || "").includes("margin-block-start"));
    sheet.deleteRule(number);
    return getComputedStyle(document.querySelector(".too-old")).display;
})()"""
"""Takes away what a browser below the baseline does not understand; how the line for that is shown then."""


def test_a_browser_below_the_baseline_shows_that_it_is_too_old(browser: Browser) -> None:
    browser.open("/")
    assert not browser.one(".too-old").is_displayed()
    assert browser.run(WITHOUT_THE_BASELINE) == "block"
    assert browser.one(".too-old").is_displayed()


def test_dark_mode_is_dark(browser: Browser) -> None:
    brightness = []
    for scheme in ("light", "dark"):
        browser.look(DESK, scheme)
        browser.open("/")
        colour = browser.run("getComputedStyle(document.body).backgroundColor")
        brightness.append(sum(int(part) for part in colour[4:-1].split(",")))
    assert brightness[0] > 650 and brightness[1] < 120


def test_touch_targets_are_large_enough(browser: Browser) -> None:
    browser.look(PHONE)
    for address in ("/", "/match/1", "/round/5"):
        browser.open(address)
        for one in browser.all("button, .button, select, nav[aria-label='Pages'] a, summary"):
            if one.is_displayed():
                assert one.size["height"] >= 43 and one.size["width"] >= 43, (address, one.text)


CHART_TEXTS = """[...document.querySelectorAll('svg.chart')].flatMap(svg => {
  const card = svg.closest('.drawn').getBoundingClientRect()
  const texts = [...svg.querySelectorAll('text')].map(one => [one, one.getBoundingClientRect()])
  const small = texts.filter(([one]) => parseFloat(getComputedStyle(one).fontSize) < 11)
  const outside = texts.filter(([, at]) => at.left < card.left || at.right > card.right || at.bottom > card.bottom)
  const wide = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const high = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  const over = texts.filter(([, a], n) => texts.slice(n + 1).some(([, b]) => wide(a, b) > 1 && high(a, b) > 4))
  return [...small, ...outside, ...over].map(([one]) => one.textContent)
})"""
"""The letters in charts that are too small, outside of their card, or over others."""


@pytest.mark.parametrize("box", [FakeClassArchive(60), FakeClassArchive(10_000)], ids=["few", "many"], indirect=True)
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_charts_are_readable(browser: Browser, size: tuple[int, int]) -> None:
    browser.look(size)
    for path in (f"/player/{BEN.key}", "/classroom", "/classroom?names=no"):
        browser.open(path)
        assert len(browser.all("svg.chart text")) > 20
        assert browser.run(CHART_TEXTS) == [], path
        assert browser.run("document.documentElement.scrollWidth") <= size[0]
