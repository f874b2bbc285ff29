"""A hall's pages in a real browser: an organiser's evening that viewers follow without a reload, and what it looks like
on phones, desks and projectors."""

import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from rules.record.tournament import TournamentResult
from rules.tournaments.fixture import Format
from tests.helpers import browsers
from tests.helpers.browsers import CHROMIUM, CONTRAST, DESK, DRIVER, PHONE, Browser
from tests.helpers.hall_boxes import NAMES, PlayingBox, add_playing_boxes, new_tournament
from tests.helpers.hall_pages import ORGANISER_PAGES, PASSWORD
from tests.helpers.tournament_steps import fixture_id
from tests.helpers.waiting import LIMIT_S, wait_until
from throwlock.hub.certificates import make_authority, make_broker_certificate, make_key
from throwlock.hub.hub import Assigner, assign_ready
from throwlock.hub.pages.access import set_password, set_public
from throwlock.hub.pages.server import HallServer
from throwlock.hub.pairings import assign
from throwlock.hub.players import add_players, check_everybody_out, check_in
from throwlock.hub.tournaments import decide, read_hall_tournament
from tools.hall.viewer import Viewer

driver = browsers.driver
needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")

TELEVISION, TALL_PHONE = (1920, 1080), (390, 844)
pytestmark = pytest.mark.slow

MIN_LETTER_SHARE = 0.0395
"""As on the second screen: the least size of letters as a share of the picture's height."""
SMALL_TEXT = f"""[...document.querySelectorAll("main *")].filter((one) => !one.closest("svg") && one.checkVisibility()
    && !one.matches(".unseen") && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && parseFloat(getComputedStyle(one).fontSize) < {MIN_LETTER_SHARE} * innerHeight).map((one) => one.outerHTML)"""


@pytest.fixture
def boxes(database: psycopg.Connection) -> list[PlayingBox]:
    set_password(database, PASSWORD)
    return add_playing_boxes(database, 4)


@pytest.fixture
def server(dsn: str, boxes: list[PlayingBox]) -> Iterator[HallServer]:
    with HallServer(dsn, host="127.0.0.1", port=0) as server:
        yield server


@pytest.fixture
def assigner(dsn: str) -> Iterator[Assigner]:
    """The automatic pairing of a hub."""
    with Assigner(dsn) as assigner:
        yield assigner


@pytest.fixture
def browser(driver: Any, server: HallServer) -> Iterator[Browser]:
    browser = Browser(driver, f"http://127.0.0.1:{server.port}")
    browser.look(DESK)
    for kind in ("browser", "performance"):  # of the test before
        driver.get_log(kind)
    yield browser
    browser.open("/static/icon.svg")
    driver.delete_all_cookies()


def text(browser: Browser, css: str = "#content") -> str:
    """Return what can be read, in one step: the page may be replaced meanwhile."""
    return str(browser.run(f"document.querySelector('{css}')?.innerText"))


def log_in(browser: Browser) -> None:
    browser.open("/login")
    browser.one("#code").send_keys(PASSWORD)
    browser.click("main button")
    assert browser.arrives("/organise")


def watch(browser: Browser, server: HallServer, path: str) -> None:
    """Open a page as a viewer who has scanned the code's address."""
    browser.open(f"/code/{server.code.replace('-', '')}")
    assert browser.arrives("/")
    browser.open(path)


@needs_browser
@pytest.mark.slow
def test_an_organisers_evening_is_seen_by_everybody_without_a_reload(  # noqa: PLR0915 - one after the other
    browser: Browser, server: HallServer, assigner: Assigner, boxes: list[PlayingBox], database: psycopg.Connection
) -> None:
    driver = browser.driver
    log_in(browser)
    browser.open("/organise/players")
    browser.one("#names-to-add").send_keys("\n".join(NAMES))
    browser.click("form[action$='/add'] button")
    wait_until(lambda: "8 of 8 are here" in text(browser))
    browser.click("form[action$='/check-out'] button")
    wait_until(lambda: "0 of 8 are here" in text(browser))
    codes = re.findall("[A-Z0-9]{4}-[A-Z0-9]{4}", text(browser))
    for count, code in enumerate(codes, 1):  # a scanner types the code and a line feed
        browser.one("#who").send_keys(f"{code}\n")
        wait_until(lambda count=count: f"{count} of 8 are here" in text(browser))  # type: ignore[misc]

    browser.open("/organise/new")
    browser.one("input[name='title']").send_keys("Spring open")
    browser.click("input[value='swiss']")
    browser.click("main form button.main")
    assert browser.arrives("/organise/tournament/1")
    wait_until(lambda: "about to begin" in text(browser))
    wait_until(lambda: all(box.pairings for box in boxes))
    organiser = driver.current_window_handle

    driver.switch_to.new_window("tab")
    watch(browser, server, "/")
    browser.run("window.notReloaded = true")
    for _ in range(3):
        wait_until(lambda: all(box.pairings for box in boxes))
        for box in boxes:
            names = [player.name for player in box.pairings[0].players]
            winner = min(names)
            box.win(winner)
            box.send()
            wait_until(lambda winner=winner: f"{winner} wins" in text(browser))  # type: ignore[misc]
            database.commit()
    wait_until(lambda: "Ada won the tournament" in text(browser))
    assert browser.run("window.notReloaded") is True
    watcher = driver.current_window_handle

    driver.switch_to.window(organiser)
    wait_until(lambda: "Ada won the tournament" in text(browser))
    record = read_hall_tournament(database, 1).record
    database.commit()
    ada = record.find_player("Ada")
    decisive = next(one.id for one in record.state.fixtures if one.round == 3 and ada in one.players)
    browser.open(f"/organise/tournament/1/match/{decisive}")
    losers = [one for one in browser.all("input[name='winner']") if not one.is_selected()]
    losers[0].click()
    browser.click("form[action$='/result'] button")
    assert browser.arrives("/organise/tournament/1")
    assert f"{decisive}: corrected to" in text(browser)
    champions = text(browser, ".champion")

    driver.switch_to.window(watcher)
    wait_until(lambda: text(browser, ".champion") == champions)
    assert browser.run("window.notReloaded") is True
    assert not browser.complaints() and not browser.foreign_requests()
    driver.close()
    driver.switch_to.window(organiser)


@needs_browser
@pytest.mark.slow
def test_a_tournament_that_begins_comes_to_an_open_page(
    browser: Browser, server: HallServer, boxes: list[PlayingBox], database: psycopg.Connection
) -> None:
    watch(browser, server, "/")
    assert "No tournament yet" in text(browser)
    browser.run("window.notReloaded = true")
    new_tournament(database, Format.KNOCKOUT)
    database.commit()
    wait_until(lambda: "Ada" in text(browser))
    assert "No tournament yet" not in text(browser)
    assert browser.driver.title == f"{text(browser, 'h1')} · Throwlock"
    assert browser.run("window.notReloaded") is True


@needs_browser
@pytest.mark.slow
def test_a_check_in_comes_to_the_organisers_open_page(browser: Browser, database: psycopg.Connection) -> None:
    ada, *_ = add_players(database, NAMES)
    check_everybody_out(database)
    database.commit()
    log_in(browser)
    browser.open("/organise/players")
    assert f"0 of {len(NAMES)} are here" in text(browser)
    browser.run("window.notReloaded = true")
    check_in(database, ada, present=True)
    database.commit()
    wait_until(lambda: f"1 of {len(NAMES)} are here" in text(browser))
    assert browser.run("window.notReloaded") is True


@needs_browser
@pytest.mark.slow
def test_a_half_typed_form_is_kept(browser: Browser, boxes: list[PlayingBox], database: psycopg.Connection) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", "organiser")
    database.commit()
    log_in(browser)
    browser.open(f"/organise/tournament/{number}")
    tables = "document.querySelector('#tables').innerHTML"
    assert "1 to play" in browser.run(tables)
    field = browser.one("[data-part='ready'] input[name='table']")
    field.send_keys("Tab")
    boxes[0].win(boxes[0].pairings[0].players[0].name)
    boxes[0].send()
    wait_until(lambda: "Nothing is assigned." in text(browser))
    browser.click("h1")
    assert field.get_attribute("value") == "Tab" and "1 to play" in browser.run(tables)
    field.send_keys(browsers.Keys.BACKSPACE * 3)
    browser.click("h1")
    wait_until(lambda: "1 to play" not in browser.run(tables))


@pytest.fixture
def played(database: psycopg.Connection, boxes: list[PlayingBox]) -> list[int]:
    """A Swiss and a knock-out that are half over, and one that has ended, with long names."""
    names = [*NAMES, "Bartholomew Featherstonehaugh-Cholmondeley", "Maximiliane von Hohenstein"]
    numbers = [new_tournament(database, form, names, automatic=True) for form in (Format.SWISS, Format.GROUPS)]
    for _ in range(4):
        assign_ready(database)
        for box in boxes[:3]:
            if box.pairings:
                box.play(box.pairings[0], 1)
                box.send()
    over = new_tournament(database, Format.KNOCKOUT, names)
    while (tournament := read_hall_tournament(database, over)).record.is_open:
        fixture = tournament.ready[0]
        decide(database, over, TournamentResult(tournament=over, fixture=fixture.id, winners=fixture.present[:1]), "us")
    database.commit()
    return [*numbers, over]


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "scheme"), [(TALL_PHONE, "light"), (TALL_PHONE, "dark"), (DESK, "light"), (DESK, "dark")]
)
def test_every_page_fits_and_can_be_read(
    played: list[int], browser: Browser, server: HallServer, size: tuple[int, int], scheme: str
) -> None:
    log_in(browser)
    watch(browser, server, "/")
    browser.look(size, scheme)
    organisers = [path.replace("K1.1", "S1.1") for path in ORGANISER_PAGES]
    for path in ("/", *(f"/tournament/{number}" for number in played), *organisers):
        browser.open(path)
        assert browser.run("document.documentElement.scrollWidth") <= size[0], path
        assert browser.run(CONTRAST) == [], path


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_slide_fits_a_projector_and_can_be_read_from_afar(
    played: list[int], browser: Browser, server: HallServer, scheme: str
) -> None:
    watch(browser, server, "/")
    browser.look(TELEVISION, scheme)
    for number in played:
        browser.open(f"/screen/{number}")
        slides = browser.run("document.querySelectorAll('.rotates').length")
        assert slides >= 3
        wait_until(lambda: browser.run("document.querySelectorAll('.rotates.on').length") == 1)
        for slide in range(slides):  # in one step each: the next slide may come meanwhile
            show = (
                f"document.querySelectorAll('.rotates').forEach((one, n) => one.classList.toggle('on', n === {slide}))"
            )
            seen = "[...document.querySelectorAll('.rotates')].filter((one) => one.checkVisibility()).length"
            bottom = "document.querySelector('main').getBoundingClientRect().bottom - innerHeight"
            width = "document.documentElement.scrollWidth"
            figures = browser.run(f"({show}, [{seen}, {bottom}, {width}, {SMALL_TEXT}, {CONTRAST}])")
            assert figures[0] == 1 and figures[1] <= 1 and figures[2] <= TELEVISION[0], (slide, figures)
            assert figures[3:] == [[], []]


@needs_browser
@pytest.mark.slow
def test_everything_works_without_javascript(
    played: list[int], browser: Browser, server: HallServer, database: psycopg.Connection
) -> None:
    browser.look(DESK, script=False)
    log_in(browser)
    browser.open(f"/code/{server.code}")
    browser.click("main button")
    assert browser.arrives("/")
    assert "Spring open" in browser.driver.page_source
    browser.open("/organise/tournament/1")
    number = len(read_hall_tournament(database, 1).log)
    browser.click("form[action$='/automatic'] button")
    assert browser.arrives("/organise/tournament/1")
    browser.click("form[action$='/take-back'] button")
    assert browser.arrives("/organise/tournament/1")
    database.commit()
    assert len(read_hall_tournament(database, 1).log) == number + 1
    browser.look(PHONE)


def test_a_viewer_notes_when_a_result_is_on_the_page(
    server: HallServer, boxes: list[PlayingBox], database: psycopg.Connection
) -> None:
    set_public(database, public=True)
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", "organiser")
    database.commit()
    names = frozenset(player.name for player in boxes[0].pairings[0].players)
    with Viewer(server.port, number) as viewer:
        wait_until(lambda: server.viewers)
        assert not viewer.seen
        boxes[0].win(min(names))
        boxes[0].send()
        wait_until(lambda: names in viewer.seen)


def test_the_pages_are_served_by_https_with_the_halls_certificate(
    dsn: str, database: psycopg.Connection, tmp_path: Path
) -> None:
    set_public(database, public=True)
    database.commit()
    authority_key, key = make_key(), make_key()
    authority = make_authority(authority_key)
    (tmp_path / "ca.pem").write_text(authority)
    (tmp_path / "server.pem").write_text(make_broker_certificate(key, ["127.0.0.1"], authority_key, authority))
    (tmp_path / "server.key").write_text(key)
    certificate = tmp_path / "server.pem", tmp_path / "server.key"
    with HallServer(dsn, host="127.0.0.1", port=0, certificate=certificate) as server:
        context = ssl.create_default_context(cafile=str(tmp_path / "ca.pem"))
        address = f"https://127.0.0.1:{server.port}/"
        with urllib.request.urlopen(address, context=context, timeout=LIMIT_S) as answer:
            assert b"No tournament yet" in answer.read()
        form = urllib.request.Request(f"{address}login", b"code=wrong", {"Origin": address.rstrip("/")})
        with pytest.raises(urllib.error.HTTPError, match="403") as refused:
            urllib.request.urlopen(form, context=context, timeout=LIMIT_S)
        assert b"Wrong password" in refused.value.read()
        form = urllib.request.Request(f"{address}login", b"code=x", {"Origin": address.rstrip("/").replace("s:", ":")})
        with pytest.raises(urllib.error.HTTPError, match="403") as refused:
            urllib.request.urlopen(form, context=context, timeout=LIMIT_S)
        assert b"not sent from these pages" in refused.value.read()
