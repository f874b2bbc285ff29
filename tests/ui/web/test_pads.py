"""The pads behind their access control: a login of their own, forms, other sites, and what they are sent."""

import re
from contextlib import nullcontext

import pytest

from rules.board.position import starting_position
from rules.engine import IntRange, Prompt, SealedPrompt, TimeLimit
from rules.events import Scores
from tests.helpers.pad_phones import Phones, board_prompt
from tests.helpers.web_archive import FakeArchive
from tests.helpers.web_guard import (
    EVIL,
    HOSTILE_SEGMENTS,
    PAGES,
    READABLE,
    WRITES,
    BrowserClient,
    FakeClock,
    InlineCodeFinder,
)
from throwlock.pads.texts import LOCKED_IN
from throwlock.web.app import create_app, pad_area
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.message import GameMessage
from ui.screen.pages.phones import PhonesPage
from ui.web.access_code import AccessCodeLogin
from ui.web.middleware import AccessMiddleware, review_area

PAD_PAGES = ("/pad", "/pad/here")
PAD_WRITES = (
    "/pad/guest",
    "/pad/leave",
    "/pad/guess",
    "/pad/react",
    "/pad/seat",
    "/pad/leave-seat",
    "/pad/return-to-phone",
    "/pad/answer",
    "/pad/board",
)
BASE = "http://192.168.1.20:8321"
BET = SealedPrompt("bet", dict.fromkeys((1, 2), IntRange(0, 20, 5)), time_limit=TimeLimit(20.0))


class Box:
    """A box on the network with a review and pads."""

    def __init__(self, *names: str) -> None:
        self.phones = Phones(names or ("Ada", "Ben"))
        self.review_login, self.pad_login = AccessCodeLogin(FakeClock()), AccessCodeLogin(FakeClock())
        archive = FakeArchive()
        self.app = AccessMiddleware(
            create_app(lambda: nullcontext(archive), pad_table=self.phones.pads),
            ("box.local",),
            review_area(self.review_login),
            [pad_area(self.pad_login)],
        )

    def client(self, number: int = 77) -> BrowserClient:
        return BrowserClient(self.app, BASE, f"192.168.1.{number}")

    def joined(self, seat: int) -> BrowserClient:
        """Return a phone that has logged in and taken a seat."""
        phone = self.client(seat)
        assert phone.send_form("/join", code=self.pad_login.code) == (303, "/pad")
        self.phones.pads.show(PhonesPage(self.phones.pads.status, self.phones.pads.status()))
        assert phone.send_form("/pad/seat", token=token_in(phone), seat=str(seat)) == (303, "/pad")
        return phone

    def ask(self, prompt: Prompt) -> GroupQuestion:
        players = tuple(Player(seat, name) for seat, name in enumerate(self.phones.names, 1))
        view = self.phones.pads.begin_question(GroupQuestion(players, prompt, prompt.seconds))
        self.phones.pads.show(view)
        view.first_page()
        return view


@pytest.fixture
def box() -> Box:
    return Box()


def token_in(phone: BrowserClient) -> str:
    found = re.search(r'name="token" value="([^"]+)"', phone.get("/pad").text)
    assert found
    return found[1]


def test_a_scanned_address_needs_no_typing_and_logs_nobody_in(box: Box) -> None:
    phone = box.client()
    page = phone.get(f"/join/{box.pad_login.code}")
    assert page.status_code == 200 and "data-submit" in page.text and box.pad_login.code in page.text
    assert phone.get("/pad").headers["location"] == "/join", "an address alone logs nobody in"
    assert phone.send_form("/join", code=box.pad_login.code) == (303, "/pad")
    assert phone.get(f"/join/{box.pad_login.code}").headers["location"] == "/pad"


@pytest.mark.parametrize("path", [*READABLE, *WRITES])
def test_the_code_of_the_pads_opens_nothing_else(box: Box, path: str) -> None:
    phone = box.joined(1)
    assert phone.get(path).headers["location"] == "/enter"
    assert phone.send_form(path, token=token_in(phone), mark="to review")[0] == 403
    assert phone.send_form("/enter", code=box.pad_login.code)[0] == 403


@pytest.mark.parametrize("path", [*PAD_PAGES, *PAD_WRITES])
def test_the_code_of_the_review_opens_no_pad(box: Box, path: str) -> None:
    laptop = box.client()
    assert laptop.send_form("/enter", code=box.review_login.code) == (303, "/")
    assert laptop.get(path).headers["location"] == "/join"
    found = re.search(r'name="token" value="([^"]+)"', laptop.get("/").text)
    assert found and laptop.send_form(path, token=found[1], seat="1")[0] == 403
    assert laptop.send_form("/join", code=box.review_login.code)[0] == 403


def test_a_phone_can_have_both(box: Box) -> None:
    phone = box.joined(1)
    assert phone.send_form("/enter", code=box.review_login.code) == (303, "/")
    assert phone.get("/pad").status_code == phone.get("/").status_code == 200
    found = re.search(r'name="token" value="([^"]+)"', phone.get("/").text)
    assert found and phone.send_form("/leave", token=found[1]) == (303, "/enter")
    assert phone.get("/pad").status_code == 200


def test_children_see_stars_on_their_phones(box: Box) -> None:
    phone = box.joined(1)
    people = (Player(1, "Ada", 2, stars=3), Player(2, "Ben", 0, stars=3))
    box.phones.pads.show(GameMessage(people, Scores({}), ()))
    labels = re.findall(r'class="stars" role="img" aria-label="([^"]+)"', phone.get("/pad").text)
    assert labels == ["2 of 3 stars", "0 of 3 stars"]


def test_wrong_codes_are_limited_and_counted_apart(box: Box) -> None:
    phone = box.client()
    for _ in range(5):
        status, page = phone.send_form("/join", code="FFFF-FFFF")
        assert status == 403 and "Wrong code" in page
    assert phone.send_form("/join", code=box.pad_login.code)[0] == 429
    assert phone.send_form("/enter", code=box.review_login.code) == (303, "/")


@pytest.mark.parametrize("path", PAD_WRITES)
def test_forms_need_their_token_and_origin(box: Box, path: str) -> None:
    phone = box.joined(1)
    box.ask(BET)
    form = {"seat": "2", "question": "1", "value": "5"}
    assert phone.send_form(path, **form)[0] == 403
    assert phone.send_form(path, **form, token="##" + "0" * 40)[0] == 403
    elsewhere = {"Origin": "http://evil.example"}
    assert phone.post(path, data={**form, "token": token_in(phone)}, headers=elsewhere).status_code == 403
    assert phone.get(path).status_code in (404, 405)
    assert box.phones.pads.status().seats[0].state == "here"


def test_other_names_and_machines_are_refused(box: Box) -> None:
    assert box.client().get("/pad", headers={"Host": "evil.example:8321"}).status_code == 400
    assert BrowserClient(box.app, BASE, "8.8.8.8").get("/join").status_code == 403


def test_pads_are_not_cached_and_load_only_from_the_box(box: Box) -> None:
    phone = box.joined(1)
    box.ask(BET)
    for path in ("/join", *PAD_PAGES):
        answer = phone.get(path)
        assert answer.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        finder = InlineCodeFinder()
        finder.feed(answer.text)
        assert finder.found == []
    assert "connect-src 'self'" in phone.get("/pad").headers["content-security-policy"]


def test_names_are_text() -> None:
    box = Box(EVIL, "Ben")
    phone = box.joined(2)
    box.ask(BET)
    page = phone.get("/pad").text
    assert "<script>alert" not in page and "<img src=x" not in page and "alert(1)" in page


@pytest.mark.parametrize("segment", [*HOSTILE_SEGMENTS, "0", "-1", "99", "5e0", " 5", "5 "])
def test_hostile_forms_change_nothing(box: Box, segment: str) -> None:
    phone = box.joined(1)
    view = box.ask(BET)
    token = token_in(phone)
    for path, field in (("/pad/seat", "seat"), ("/pad/answer", "question"), ("/pad/answer", "value")):
        if (field, segment) == ("value", "0"):
            continue  # an answer
        form = {"question": "1", "value": "5", "token": token, field: segment}
        assert phone.send_form(path, **form)[0] in (303, 404)
        if field == "seat":
            continue
        page = view.first_page()
        assert view.poll_answers is not None
        assert dict(view.poll_answers(page).answers) == {}


def test_answers_and_seats_go_through_forms(box: Box) -> None:
    phone = box.joined(1)
    view = box.ask(BET)
    page = phone.get("/pad").text
    number = re.search(r'name="question" value="(\d+)"', page)
    assert number and 'min="0" max="20" step="5"' in page
    assert phone.send_form("/pad/answer", token=token_in(phone), question=number[1], value="15") == (303, "/pad")
    assert view.poll_answers is not None
    assert view.poll_answers(view.first_page()).answers == {1: 15}
    assert str(LOCKED_IN) in phone.get("/pad").text
    assert phone.send_form("/pad/leave-seat", token=token_in(phone)) == (303, "/pad")
    assert box.phones.pads.status().seats[0].state == "none"


@pytest.mark.parametrize("touched", [*HOSTILE_SEGMENTS, "", "z99", "a", "0", "E", "NE", "C5"])
def test_hostile_touches_on_the_board_select_nothing(box: Box, touched: str) -> None:
    phone = box.joined(1)
    view = box.ask(board_prompt(starting_position(), 1))
    before = phone.get("/pad").text
    form = {"question": "1", "touched": touched, "token": token_in(phone)}
    assert phone.send_form("/pad/board", **form) == (303, "/pad#selected")
    assert phone.get("/pad").text == before
    assert view.poll_answers is not None and not view.poll_answers(view.first_page()).answers


def test_a_move_is_made_by_forms_alone(box: Box) -> None:
    phone = box.joined(1)
    view = box.ask(board_prompt(starting_position(), 1))
    token = token_in(phone)
    for touched in ("c5", "d5"):
        assert phone.send_form("/pad/board", token=token, question="1", touched=touched) == (303, "/pad#selected")
    page = phone.get("/pad").text
    assert "Paper c5 to d5" in page and "Takes nothing" in page and "<select" in page
    confirm = re.search(r'<button class="button main" name="value" value="(\d+)">', page)
    assert confirm and phone.send_form("/pad/answer", token=token, question="1", value=confirm[1]) == (303, "/pad")
    assert view.poll_answers is not None
    assert view.poll_answers(view.first_page()).answers == {1: "-2,3>-2,2"}


def test_without_pads_there_are_none() -> None:
    login = AccessCodeLogin(FakeClock())
    client = BrowserClient(AccessMiddleware(create_app(Box), (), review_area(login)), BASE, "192.168.1.5")  # type: ignore[arg-type]
    assert [client.get(path).headers["location"] for path in ("/join", *PAD_PAGES)] == ["/enter"] * 3
    assert client.send_form("/join", code=login.code)[0] == 403
    assert set(PAGES).isdisjoint(PAD_PAGES)
