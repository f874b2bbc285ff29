"""The second screen behind its access control: a login of its own, and pages that can only be looked at."""

import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.routing import Route

from rules.record.match import StepView
from rules.tournaments.fixture import Format, TournamentSetup
from rules.tournaments.tournament import Tournament
from tests.helpers.pad_phones import Phones
from tests.helpers.samples.reveal import mixed_reveal
from tests.helpers.web_archive import FakeArchive
from tests.helpers.web_guard import BrowserClient, FakeClock, InlineCodeFinder
from throwlock.tv.second_screen import SecondScreen
from throwlock.web.app import create_app, pad_area, tv_area
from throwlock.web.tv import DECIDED, RoundSlide, build_slides
from ui.screen.pages.standings import TournamentSlide, tournament_slide
from ui.text.tournaments import TournamentSummary, summarise
from ui.web.access_code import AccessCodeLogin
from ui.web.middleware import AccessMiddleware, review_area
from ui.web.views import MatchPage

BASE = "http://192.168.1.20:8321"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
TV_PAGES = ("/watch", "/watch/clock")


class Box:
    """A box on the network with a review, pads and a second screen."""

    def __init__(self) -> None:
        self.screen = SecondScreen()
        self.archive = FakeArchive(1)
        self.review_login, self.pad_login, self.tv_login = (AccessCodeLogin(FakeClock()) for _ in range(3))
        self.pages = create_app(
            lambda: nullcontext(self.archive), pad_table=Phones(("Ada", "Ben")).pads, screen=self.screen
        )
        self.app = AccessMiddleware(
            self.pages,
            ("box.local",),
            review_area(self.review_login),
            [pad_area(self.pad_login), tv_area(self.tv_login)],
        )

    def client(self, number: int = 77) -> BrowserClient:
        return BrowserClient(self.app, BASE, f"192.168.1.{number}")

    def television(self) -> BrowserClient:
        """Return a browser that has logged in."""
        screen = self.client()
        assert screen.send_form("/tv", code=self.tv_login.code) == (303, "/watch")
        return screen


@pytest.fixture
def box() -> Box:
    return Box()


def test_the_address_types_the_code_and_logs_nobody_in(box: Box) -> None:
    screen = box.client()
    page = screen.get(f"/tv/{box.tv_login.code}")
    assert page.status_code == 200 and 'action="/tv"' in page.text and "data-submit" in page.text
    assert screen.get("/watch").headers["location"] == "/tv", "an address alone logs nobody in"
    assert screen.send_form("/tv", code=box.tv_login.code) == (303, "/watch")
    assert screen.get("/watch").status_code == 200


def all_paths(box: Box) -> list[str]:
    """Return a path of every route of the app."""
    fills = {"number": "1", "event": "3", "name": "lock.jpg", "format": "json", "key": "a" * 16}
    routes = [route for route in box.pages.routes if isinstance(route, Route)]
    return [re.sub(r"{(\w+)(:\w+)?}", lambda found: fills[found[1]], route.path) for route in routes]


def test_a_television_can_look_at_its_pages_and_do_nothing_else(box: Box) -> None:
    screen, paths = box.television(), all_paths(box)
    assert len(paths) > 25 and {*TV_PAGES, "/pad/answer", "/match/1/delete-pictures"} - {*paths} == set()
    marks = dict(box.archive.marks)
    looked = set()
    for path in paths:
        for method in METHODS:
            answer = screen.request(
                method, path, headers={"Origin": BASE}, data={"token": "x"} if method == "POST" else None
            )
            if answer.status_code == 303:
                assert answer.headers["location"] in ("/enter", "/join"), (method, path)
            elif answer.status_code in (200, 404):
                assert method in ("GET", "HEAD") and path.startswith(("/watch", "/static/", "/help")), (method, path)
                looked.add(path)
            else:
                assert answer.status_code in (403, 405), (method, path, answer.status_code)
    assert {*TV_PAGES} <= looked and box.archive.marks == marks and not box.archive.deleted


@pytest.mark.parametrize("path", [*TV_PAGES, "/watch/image/1/seat-1", "/watch/slide/3/seat-1.jpg"])
def test_strangers_phones_and_readers_of_the_review_see_nothing(box: Box, path: str) -> None:
    stranger, phone, reader = box.client(1), box.client(2), box.client(3)
    assert phone.send_form("/join", code=box.pad_login.code) == (303, "/pad")
    assert reader.send_form("/enter", code=box.review_login.code) == (303, "/")
    for browser in (stranger, phone, reader):
        assert browser.get(path).headers["location"] == "/tv"
        assert browser.send_form("/tv", code=box.pad_login.code)[0] == 403
    assert BrowserClient(box.app, BASE, "8.8.8.8").get("/tv").status_code == 403
    assert box.client().get("/watch", headers={"Host": "evil.example:8321"}).status_code == 400


def test_wrong_codes_are_limited_and_counted_apart(box: Box) -> None:
    screen = box.client()
    for _ in range(5):
        assert screen.send_form("/tv", code="FFFF-FFFF")[0] == 403
    assert screen.send_form("/tv", code=box.tv_login.code)[0] == 429
    assert screen.send_form("/join", code=box.pad_login.code) == (303, "/pad")


def test_nothing_is_cached_or_loaded_from_elsewhere(box: Box) -> None:
    screen = box.television()
    for path in ("/tv", *TV_PAGES):
        answer = screen.get(path)
        assert answer.headers["cache-control"] == "no-store"
        if answer.headers.get("content-type", "").startswith("text/html"):
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self'" in policy and "connect-src 'self'" in policy
            finder = InlineCodeFinder()
            finder.feed(answer.text)
            assert finder.found == []


def picture_paths(page: str) -> list[str]:
    return re.findall(r'<img src="([^"]+)"', page)


def test_pictures_of_what_is_shown_and_no_others(box: Box) -> None:
    screen, reveal = box.television(), mixed_reveal(2)
    box.screen.show(reveal, reveal, 0)
    paths = picture_paths(screen.get("/watch").text)
    assert len(paths) >= 2
    for path in paths:
        picture = screen.get(path)
        assert picture.status_code == 200 and picture.headers["content-type"] == "image/jpeg"
    folder, number = paths[0].rpartition("/")[0], box.screen.scene().number
    for path in ("seat-3", "lock.jpg", "..%2fseat-1"):
        assert screen.get(f"{folder}/{path}").status_code == 404
    assert screen.get(f"/watch/image/{number + 1}/seat-1").status_code == 404


def test_slides_show_finished_rounds_and_their_zones_only(box: Box) -> None:
    screen = box.television()
    assert screen.get("/watch/slide/3/seat-1.jpg").status_code == 404, "no slide was sent yet"
    paths = picture_paths(screen.get("/watch").text)
    assert paths and all(re.fullmatch(r"/watch/slide/\d+/(seat|foul)-\d\.jpg", path) for path in paths)
    for path in paths:
        assert screen.get(path).status_code == 200
        folder = path.rpartition("/")[0]
        for kept in ("lock.jpg", "timeline.svg", "strip-1.jpg", "before.jpg"):
            assert screen.get(f"{folder}/{kept}").status_code == 404


def test_rounds_whose_pictures_were_deleted_are_no_slides(box: Box) -> None:
    before = len(build_slides(box.archive))
    box.archive.delete_pictures(1)
    assert len(build_slides(box.archive)) < before


def test_a_round_that_bets_followed_did_not_decide_the_match(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    def reasons() -> list[str]:
        return [slide.why for slide in build_slides(box.archive) if isinstance(slide, RoundSlide)]

    def with_bets(archive: FakeArchive, number: int) -> MatchPage:
        page = match_page(archive, number)
        steps = (*page.view.steps, StepView(10**6, page.line.at))
        return replace(page, view=replace(page.view, steps=steps))

    assert DECIDED in reasons()
    match_page = FakeArchive.match
    monkeypatch.setattr(FakeArchive, "match", with_bets)
    assert DECIDED not in reasons()


def test_a_tournament_is_a_slide() -> None:
    state = Tournament(TournamentSetup(Format.KNOCKOUT))
    for _ in range(4):
        state.enter()
    first = next(fixture for fixture in state.fixtures if not fixture.is_bye)
    state.end(first.id, (first.present[0],), {})
    names = ("Ada", "Ben", "Cy", "Dot")
    summary = TournamentSummary("RPS", Format.KNOCKOUT, names, state.fixtures, (("", tuple(state.standings())),))
    slide = tournament_slide(summary)
    assert slide.title == "RPS" and slide.champions == ""
    assert tournament_slide(replace(summary, champions=(2,))).champions == "Ben won the tournament"
    matches = [match for part in slide.rounds for match in part.fixtures]
    assert (summary.against(first), f"{names[first.present[0] - 1]} wins") in [
        (match.players, match.result) for match in matches
    ]
    (following,) = [match for match in matches if match.is_next]
    assert (following.players, following.result) == (summary.against(state.ready[0]), "Next")
    given_up = tournament_slide(replace(summary, is_open=False))
    assert not any(match.is_next for part in given_up.rounds for match in part.fixtures)


@pytest.mark.parametrize(("form", "third"), [(Format.KNOCKOUT, 2), (Format.ROUND_ROBIN, 1)])
def test_a_tournament_that_is_over_has_a_podium(form: Format, third: int) -> None:
    state = Tournament(TournamentSetup(form))
    for _ in range(4):
        state.enter()
    assert tournament_slide(summarise(state, "RPS", ["Ada", "Ben", "Cy", "Dot"])).best == ()
    while state.ready:
        state.end(state.ready[0].id, (min(state.ready[0].present),), {})
    slide = tournament_slide(summarise(state, "RPS", ["Ada", "Ben", "Cy", "Dot"], is_open=False))
    (names,) = [[player.name for player in slide.best if slide.places[player.seat] == 1]]
    assert names == ["Ada"] and slide.rounds == ()
    assert sorted(slide.places.values()) == [1, 2, *[3] * third]
    assert bool(slide.tables) == (form is Format.ROUND_ROBIN)


def test_the_next_match_is_shown_of_a_round_with_more_than_can_be_read() -> None:
    state = Tournament(TournamentSetup(Format.SWISS, rounds=2))
    for _ in range(20):
        state.enter()
    for _ in range(9):
        state.end(state.ready[0].id, (state.ready[0].present[0],), {})
    shown = tournament_slide(summarise(state, "RPS", [f"P{number}" for number in range(1, 21)])).rounds[-1].fixtures
    assert [match.is_next for match in shown] == [False] * 5 + [True]


def test_of_a_long_tournament_the_rounds_that_are_played_now_are_shown() -> None:
    state = Tournament(TournamentSetup(Format.KNOCKOUT))
    for _ in range(16):
        state.enter()
    names = tuple(f"P{number}" for number in range(1, 17))

    def titles() -> list[str]:
        summary = TournamentSummary("RPS", Format.KNOCKOUT, names, state.fixtures, ())
        return [part.title for part in tournament_slide(summary).rounds]

    assert titles() == ["Round 1", "Quarter-final", "Semi-final"]
    for fixture in [one for one in state.fixtures if one.round == 1]:
        state.end(fixture.id, (fixture.present[0],), {})
    assert titles() == ["Quarter-final", "Semi-final", "Final"]


def test_static_files_name_no_other_server() -> None:
    folder = Path("ui/web/static")
    for name in ("live.js", "tv.js", "tv.css"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "http" not in text


def test_of_groups_only_the_tables_are_shown_until_the_bracket_begins() -> None:
    state = Tournament(TournamentSetup(Format.GROUPS))
    for _ in range(8):
        state.enter()
    names = tuple(f"P{number}" for number in range(1, 9))

    def slide() -> TournamentSlide:
        return tournament_slide(summarise(state, "RPS", names))

    assert [table.heading for table in slide().tables] == ["Group 1", "Group 2"] and slide().rounds == ()
    while not any(fixture.id.is_knockout for fixture in state.fixtures):
        fixture = next(fixture for fixture in state.fixtures if fixture.is_ready)
        state.end(fixture.id, (fixture.present[0],), {})
    assert slide().tables == () and slide().rounds
