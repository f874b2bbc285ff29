"""Four browsers as phones next to the touchscreen, through a whole match of Future RPS: they join by the QR code's
address, answer what they are asked, one goes away and comes back, and every byte that each was sent is read afterwards.
Skipped where Chromium, Xvfb or xdotool is missing."""

import json
import random
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from urllib3.exceptions import ReadTimeoutError

from rules.engine import Choices, GameEvent, Play, Prompt, Seat
from rules.record.round import shown_throws
from tests.helpers.browsers import CHROMIUM, DRIVER, FLAGS
from tests.helpers.clicked_window import PASSING_PAGES, PASSING_S, ClickedWindow, game_window
from tests.helpers.waiting import wait_until
from tests.helpers.x_server import server
from throwlock.journal.journal import JournalReader
from throwlock.pads import texts as strings
from throwlock.pads.view import PadState
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import config_from_events
from throwlock.web.serving import local_addresses
from ui.screen.pages.common import Player
from ui.screen.pages.question import SEEN_REPLY, Question, first_time_hint
from ui.screen.pages.scoreboard import ScoreboardFacts, event_facts, own_facts, prompt_facts
from ui.text import verdicts

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
__all__ = ["game_window", "server"]
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
    pytest.mark.skipif(not local_addresses(), reason="this machine has no network"),
]

NAMES = {1: "Ada", 2: "Ben", 3: "Cy", 4: "Dot"}
PLAYERS = tuple(Player(seat, name) for seat, name in NAMES.items())
START = "future future --seats 4 --name Ada --name Ben --name Cy --name Dot"
MAX_TURNS = 3000
SMALL_PHONE = {"deviceMetrics": {"width": 360, "height": 640, "pixelRatio": 2.0, "touch": True}}
MIN_TARGET_PX = 57
"""9 mm, at 160 CSS pixels to the inch."""
TARGET_HEIGHTS = """[...document.querySelectorAll("button, select, input:not([type=hidden])")]
    .map((one) => one.getBoundingClientRect().height)"""


@dataclass
class RecordingProxy:
    """Passes a phone's connections on to the box, and keeps every byte that the box sends."""

    target: tuple[str, int]
    sent: list[bytearray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                phone, _ = self._listening.accept()
                box, kept = socket.create_connection(self.target), bytearray()
                self.sent.append(kept)
                threading.Thread(target=_pass_on, args=(phone, box, bytearray()), daemon=True).start()
                threading.Thread(target=_pass_on, args=(box, phone, kept), daemon=True).start()

    def close(self) -> None:
        self._listening.close()


def _pass_on(source: socket.socket, target: socket.socket, kept: bytearray) -> None:
    with suppress(OSError):  # the box has closed an idle connection that the phone just asks on, say
        while data := source.recv(65_536):
            kept += data
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


class Phone:
    """A browser of its own as the phone of a seat."""

    def __init__(self, driver: Any, proxy: RecordingProxy, seat: Seat) -> None:
        self.driver, self.proxy, self.seat = driver, proxy, seat

    def join(self, url: str) -> None:
        """Open what the QR code says, and take the seat."""
        self.driver.get(self.proxy.address + urlsplit(url).path)
        self.wait("document.querySelector('button[name=seat]') !== null")
        assert self.run("document.cookie") == "", "the session is not for scripts"
        self.tap(f"button[name=seat][value='{self.seat}']")
        self.wait(f"document.querySelector('.own h1')?.textContent === '{NAMES[self.seat]}'")

    def run(self, script: str) -> Any:
        return self.driver.execute_script(f"return ({script})")

    def tap(self, css: str) -> None:
        """Touch a button; a touch that comes too soon after a new question wouldn't count."""
        self.run(f'document.querySelector("#pad").dataset.changedMs = -1e9, document.querySelector("{css}").click()')

    def wait(self, script: str) -> None:
        wait_until(lambda: self.run(script), f"{script} on the phone of seat {self.seat}")

    def answer(self, dice: random.Random) -> str | None:
        """Answer what the phone is asked, and return the question; None if that is nothing."""
        asked = self.run("document.querySelector('form[action=\"/pad/answer\"] input[name=question]')?.value")
        if asked is None:
            return None
        text = str(self.run("document.querySelector('.asked h2').textContent"))
        assert self.run("document.documentElement.scrollWidth <= innerWidth"), "nothing is off a narrow screen"
        assert min(self.run(TARGET_HEIGHTS)) >= MIN_TARGET_PX
        assert self.run("document.querySelectorAll('[data-part=question] button').length") > 0
        buttons = int(self.run("document.querySelectorAll('.choices button').length"))
        if buttons:
            self.tap(f".choices li:nth-child({dice.randrange(buttons) + 1}) button")
        else:
            self.tap("[data-step]:last-child")
            self.tap("form[action='/pad/answer'] .main")
        self.wait(
            "document.readyState === 'complete' && "
            f"document.querySelector('form[action=\"/pad/answer\"] input[name=question]')?.value !== '{asked}'"
        )
        return text


@pytest.fixture
def drivers(tmp_path: Path) -> Iterator[list[Any]]:
    with ExitStack() as opened:
        made = []
        for seat in NAMES:
            options = webdriver.ChromeOptions()
            options.binary_location = CHROMIUM
            for flag in (*FLAGS, f"--user-data-dir={tmp_path / f'browser{seat}'}"):
                options.add_argument(flag)
            options.add_experimental_option("mobileEmulation", SMALL_PHONE)
            made.append(opened.enter_context(webdriver.Chrome(options, webdriver.ChromeService(DRIVER))))
        yield made


@pytest.mark.slow
@pytest.mark.xfail(raises=ReadTimeoutError, strict=False, reason="on a busy computer chromedriver may hang in a click")
@pytest.mark.parametrize("game_window", [START], indirect=True)
def test_four_phones_play_and_keep_secrets(game_window: ClickedWindow, drivers: list[Any], tmp_path: Path) -> None:
    window = game_window
    phones = join_phones(window, drivers)
    answered = play_match(window, phones)
    assert all(len(texts) >= 6 for texts in answered.values()), answered
    for phone in phones:
        phone.proxy.close()
    with JournalReader(tmp_path / "j") as journal:
        knowledge = Knowledge.from_journal(journal)
    for phone in phones:
        pages = received_pages(phone.proxy)
        assert len(pages) > 20
        for page in pages:
            knowledge.check(phone.seat, page)
        with pytest.raises(AssertionError):  # the check would find another's hand
            for other in NAMES.keys() - {phone.seat}:
                for page in pages:
                    knowledge.check(other, page)


def join_phones(window: ClickedWindow, drivers: list[Any]) -> list[Phone]:
    """Switch the network on during a pause, and let a phone join each seat."""
    window.click("FirstTimePage", "Start", "GroupQuestionPage")
    window.click("GroupQuestionPage", "Pause", "PausePage")
    window.click("PausePage", "Play with phones", "PhonesPage", "Switch it on")
    window.touch_until("Switch it on", lambda: window.url)
    url = window.url
    where = urlsplit(url)
    assert where.hostname is not None and where.port is not None
    proxies = [RecordingProxy(("127.0.0.1", where.port)) for _ in NAMES]
    phones = [Phone(driver, proxy, seat) for driver, proxy, seat in zip(drivers, proxies, NAMES, strict=True)]
    for phone in phones:
        phone.join(url)
    window.end_pause()
    return phones


def play_match(window: ClickedWindow, phones: list[Phone]) -> dict[Seat, list[str]]:
    """Answer everything on the phones until the touchscreen shows the result; a seat is given back and taken again
    meanwhile. Return the questions of each."""
    dice = random.Random(4)
    answered: dict[Seat, list[str]] = {seat: [] for seat in NAMES}
    taken_back = False
    for _ in range(MAX_TURNS):
        window.read()
        if window.page == "MatchResult":
            break
        if window.page in PASSING_PAGES:
            window.pass_time(PASSING_S)
        for phone in phones:
            text = phone.answer(dice)
            if text is not None:
                answered[phone.seat].append(text)
        if not taken_back and len(answered[1]) >= 3:
            taken_back = True
            take_a_seat_back(window, phones[1])
    assert window.page == "MatchResult" and taken_back
    return answered


def take_a_seat_back(window: ClickedWindow, phone: Phone) -> None:
    """Give the seat back on the phone; it can only be taken again on the page that everybody sees."""
    phone.tap("form[action='/pad/leave-seat'] button")
    phone.wait("document.querySelector('form[action=\"/pad/leave-seat\"]') === null")
    assert phone.run("document.querySelector('button[name=seat]')") is None
    window.touch_until("Pause", lambda: window.page == "PausePage")
    window.click("PausePage", "Play with phones", "PhonesPage", "Go on")
    phone.driver.get(phone.proxy.address + "/pad")
    phone.wait("document.querySelector('button[name=seat]:not([disabled])') !== null")
    phone.tap("button[name=seat]:not([disabled])")
    phone.wait(f"document.querySelector('.own h1')?.textContent === '{NAMES[phone.seat]}'")
    window.end_pause()


def received_pages(proxy: RecordingProxy) -> list[str]:
    """Return the bodies of all HTML responses, and the parts of all streams, among the bytes that a phone was sent."""
    pages = []
    for connection in proxy.sent:
        rest = bytes(connection)
        while b"\r\n\r\n" in rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            if b"transfer-encoding: chunked" in head.lower():
                body, rest = unchunked(rest)
                assert b"text/event-stream" in head, head
                pages += streamed_parts(body)
                continue
            length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            size = int(length[1]) if length else 0
            assert length or b" 204 " in head, head
            body, rest = rest[:size], rest[size:]
            if b"text/html" in head and b"data-part" in body:
                pages.append(body.decode())
        assert not rest
    return pages


def unchunked(data: bytes) -> tuple[bytes, bytes]:
    """Return the body of a chunked response as far as it came, and what comes after it."""
    body = bytearray()
    while data:
        size, _, data = data.partition(b"\r\n")
        body += data[: int(size or b"0", 16)]
        data = data[int(size or b"0", 16) + 2 :]
        if size == b"0":
            break
    return bytes(body), data


def streamed_parts(body: bytes) -> list[str]:
    """Return the HTML of the parts in a stream, each within its element."""
    messages = [json.loads(line[6:]) for line in body.decode().split("\n") if line.startswith("data: ")]
    return [f'<div data-part="{name}">{html}</div>' for parts in messages for name, html in parts.items()]


class Texts(HTMLParser):
    """All texts and labels of each section of a pad."""

    def __init__(self) -> None:
        super().__init__()
        self.part = ""
        self.found: dict[str, set[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.part = named.get("data-part") or self.part
        for name in ("aria-label", "title", "alt"):
            if named.get(name):
                self.handle_data(str(named[name]))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.setdefault(self.part, set()).add(data.strip())


@dataclass
class Knowledge:
    """What each phone may be sent, derived from the journal: what everybody saw, and each seat's own questions."""

    public: set[str]
    own: Mapping[Seat, set[str]]

    @classmethod
    def from_journal(cls, journal: JournalReader) -> "Knowledge":
        events = journal.events(1)
        play = Play(config_from_events(events).game)
        own: dict[Seat, set[str]] = {seat: set() for seat in NAMES}
        public = {str(score) for score in range(60)}
        told: list[GameEvent] = []
        for answers in [*effective_answers(events).values(), None]:
            new = play.events[len(told) :]
            everybodys = [event for event in new if event.only is None]
            public |= set(map(str, verdicts.page_sentences(everybodys, NAMES)))
            thrown = shown_throws(everybodys).items()
            public.add(" · ".join(f"{NAMES[seat]}: {throw}" for seat, throw in sorted(thrown) if throw is not None))
            for event in new:
                told.append(event)
                if event.only is not None:
                    facts = {event.only: event.values}
                    seen = Prompt(event.kind, {event.only: Choices((SEEN_REPLY,))}, own_facts=facts, text=event.text)
                    own[event.only] |= question_texts(seen, event.only)
                else:
                    public |= fact_texts(event_facts(event))
                    public |= {str(line) for line in verdicts.event_sentences(event, NAMES)}
            if play.prompt is None or answers is None:
                break
            public |= fact_texts(prompt_facts(play.prompt))
            for seat in NAMES:
                own[seat] |= own_texts(play.prompt, seat)
                if seat in play.prompt.seats:
                    own[seat] |= question_texts(play.prompt, seat)
            play.answer(answers)
        assert play.result is not None
        public.add(str(verdicts.result_sentence(play.result, NAMES)))
        return cls(public, own)

    def check(self, seat: Seat, page: str) -> None:
        """Fail if a page holds a text that is neither a fixed one, nor everybody's, nor the seat's own."""
        texts = Texts()
        texts.feed(page)
        for part, found in texts.found.items():
            allowed = FIXED | self.public | (self.own[seat] if part in ("question", "answer") else set())
            strange = {text for text in found if text not in allowed and not WAITING.fullmatch(text)}
            assert not strange, (seat, part, strange)


def question_texts(prompt: Prompt, seat: Seat) -> set[str]:
    """Return the texts of a question to one seat."""
    question = Question(PLAYERS, prompt, seat)
    texts = {strings.question_text(question), *strings.about_lines(question)}
    texts |= own_texts(prompt, seat)
    hint = first_time_hint(prompt, entered=True)
    texts |= {str(strings.render(hint))} if hint else set()
    allowed = strings.span(question)
    if allowed is None:
        values = dict.fromkeys(prompt.seats[seat].values) if isinstance(prompt.seats[seat], Choices) else ()
        texts |= {strings.last_answer_text((question, value)) for value in values}
        return texts | {text for _, label, _, consequence in strings.options(question) for text in (label, consequence)}
    texts |= {strings.last_answer_text((question, value)) for value in range(allowed.start, allowed.stop + 1)}
    texts |= set(strings.consequences(question, allowed))
    steps = {strings.signed(step) for step in strings.steps(allowed)}
    return texts | steps | {f"{label} {number}".strip() for label, number in strings.presets(allowed)}


def own_texts(prompt: Prompt, seat: Seat) -> set[str]:
    """Return the texts of what a seat alone knows."""
    state = PadState(own_facts=own_facts(prompt, seat))
    return {*strings.own_lines(state), *(label for _, label in strings.hand(state))}


def fact_texts(facts: ScoreboardFacts) -> set[str]:
    """Return the texts of facts that everybody knows."""
    return {strings.fact_text(fact) for some in (facts.table, *facts.seats.values()) for fact in some} | {"·"}


TOO_OLD = "This browser is too old for these pages: use one of 2019 or later."
FIXED = {text for text in map(str, (value for name, value in vars(strings).items() if name.isupper())) if text} | {
    str(text)
    for text in (
        *(*strings.ACTIVITY_TEXTS.values(), *strings.STATE_LABELS.values(), *strings.LOOK_LABELS.values()),
        *(*strings.PICTURES.values(), *strings.COLOURS),
    )
}
FIXED |= {*NAMES.values(), *(f"Seat {seat}" for seat in NAMES), *map(str, NAMES), "Throwlock", TOO_OLD}
NAME = "(?:Ada|Ben|Cy|Dot)"
WAITING = re.compile(f"Waiting for {NAME}(?:(?:, | and ){NAME})*|Waiting for [0-9] players?")
