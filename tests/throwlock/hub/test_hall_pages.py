"""A hall's pages: what the organiser can do, what viewers see, and what neither lets anybody else do."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, get_args

import httpx
import psycopg
import pytest
from starlette.routing import Route

from rules.tournaments.fixture import Format
from tests.helpers.hall_boxes import NAMES, PlayingBox, add_playing_boxes, new_tournament
from tests.helpers.hall_pages import BASE, ORGANISER_PAGES, PAGES, PASSWORD, HallPages, Organiser, token_in
from tests.helpers.hall_streams import batch, origin, store_batch
from tests.helpers.journal_events import round_body
from tests.helpers.tournament_steps import fixture_id
from tests.helpers.web_guard import EVIL, FORM_HEADERS, HOSTILE_SEGMENTS, BrowserClient, InlineCodeFinder, raw_request
from throwlock.hub.pages import organiser as organiser_pages
from throwlock.hub.pages import organiser_forms, public
from throwlock.hub.pages.access import PasswordError, hash_password, is_password, set_password, set_public
from throwlock.hub.pages.live import LiveSnapshot
from throwlock.hub.pages.strings import EXCESS_NAMES
from throwlock.hub.pairings import assign
from throwlock.hub.players import add_players, check_everybody_out, check_in
from throwlock.hub.quota import Excess
from throwlock.hub.store import note_excess
from throwlock.hub.tournaments import read_hall_tournament
from throwlock.journal.events import Corrected, DisputeRejected
from ui.web import live, middleware, pages
from ui.web.live import TooManyViewersError


@pytest.fixture
def boxes(database: psycopg.Connection) -> list[PlayingBox]:
    return add_playing_boxes(database, 3)


@pytest.fixture
def hall(dsn: str, database: psycopg.Connection, boxes: list[PlayingBox]) -> HallPages:
    """A hall with a knock-out of four of which one match is at a table."""
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", "organiser")
    return HallPages(dsn, database)


@pytest.fixture
def organiser(hall: HallPages) -> Organiser:
    return hall.organiser()


def all_routes(hall: HallPages) -> list[str]:
    """Return a path of each route there is."""
    found = [*public.ROUTES, *organiser_pages.ROUTES, *organiser_forms.ROUTES]
    values = {"number": "1", "journal": "1", "event": "1", "fixture": "K1.1", "name": "lock.jpg", "player": "a" * 32}
    return [
        re.sub(r"{(\w+)(:\w+)?}", lambda match: values[match[1]], route.path)
        for route in found
        if isinstance(route, Route)
    ]


# --- an organiser's evening ------------------------------------------------------------------------------------------


def test_an_evening(dsn: str, database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    hall = HallPages(dsn, database)
    organiser = hall.organiser()
    assert organiser.send("/organise/players/add", names="Ada\r\nBen\n\n Cy \nDora") == (303, "/organise/players")
    assert organiser.send("/organise/players/check-out")[0] == 303
    page = organiser.page("/organise/players")
    assert "0 of 4 are here" in page
    codes = re.findall(r"<small>([A-Z0-9]{4}-[A-Z0-9]{4})</small>", page)
    assert organiser.send("/organise/players/check-in", who="ada")[1] == "/organise/players?done=Ada"
    assert organiser.send("/organise/players/check-in", who=codes[1].lower())[1] == "/organise/players?done=Ben"
    for code in codes[2:]:
        assert organiser.send("/organise/players/check-in", who=code.replace("-", ""))[0] == 303
    assert "4 of 4 are here" in organiser.page("/organise/players")
    sheet = organiser.page("/organise/players/sheet")
    assert sheet.count('class="qr"') == 4 and all(code in sheet for code in codes)

    fields = {"game": "classic", "format": "knockout", "title": "Spring", "seeding": "random", "option-best_of": "3"}
    assert organiser.send("/organise/new", **fields, automatic="yes") == (303, "/organise/tournament/1")
    assert [len(box.pairings) for box in boxes] == [1, 1, 0]  # given out as soon as it is read again
    assert boxes[0].pairings[0].options == {"best_of": 3}
    page = organiser.page("/organise/tournament/1")
    assert "Table 1" in page and "about to begin" in page
    for box in boxes[:2]:
        box.play(box.pairings[0], 1)
        box.send()
    hall.refresh()
    phone = hall.viewer()
    results = phone.get("/").text
    assert results.count(" wins</b>") == 2
    given = [box for box in boxes if box.pairings]
    assert len(given) == 1
    name = given[0].pairings[0].players[1].name
    given[0].win(name)
    given[0].send()
    hall.refresh()
    assert f"{name} won the tournament" in phone.get("/").text
    assert "over" in organiser.page("/organise")
    rated = organiser.page("/organise/ratings")
    assert re.findall(r'scope="row" translate="no">(\w+)<', rated)[0] == name

    final = read_hall_tournament(database, 1).record
    other = 3 - final.state.fixture(fixture_id("K2.1")).players.index(final.state.champions[0]) - 1
    loser = final.state.fixture(fixture_id("K2.1")).players[other - 1 if other else 0]
    assert loser is not None
    assert organiser.send("/organise/tournament/1/match/K2.1/result", winner=str(loser))[0] == 303
    assert "won the tournament" in phone.get("/").text


def test_a_lost_boxs_match_is_taken_back_given_to_another_and_counted(
    hall: HallPages, organiser: Organiser, boxes: list[PlayingBox], database: psycopg.Connection
) -> None:
    database.execute("UPDATE box SET state = 'lost' WHERE id = 'box-1'")
    page = organiser.page("/organise/tournament/1")
    assert "its box is not connected" in page
    (pairing,) = boxes[0].pairings
    boxes[0].play(pairing, 1)
    assert organiser.send("/organise/tournament/1/take-back", pairing=pairing.id)[0] == 303
    assert organiser.send("/organise/tournament/1/take-back", pairing=pairing.id)[0] == 409
    assert organiser.send("/organise/tournament/1/match/K1.1/give", table="Table 2")[0] == 303
    assert boxes[1].pairings
    boxes[0].send()
    page = organiser.page("/organise/tournament/1")
    assert "was played although it was taken back" in page
    assert organiser.send("/organise/tournament/1/count", pairing=pairing.id)[0] == 303
    assert not boxes[1].pairings
    assert "counted although it was taken back" in organiser.page("/organise/tournament/1")


def test_no_shows_withdrawals_late_players_and_giving_up(
    hall: HallPages, organiser: Organiser, database: psycopg.Connection
) -> None:
    number = new_tournament(database, Format.SWISS, NAMES[:6])
    page = f"/organise/tournament/{number}"
    first, second, third = (
        read_hall_tournament(database, number).record.state.fixture(fixture_id(f"S1.{n}")) for n in (1, 2, 3)
    )
    assert organiser.send(f"{page}/match/S1.1/no-show", player=str(first.players[0])) == (303, page)
    assert organiser.send(f"{page}/match/S1.2/result", winner="nobody") == (303, page)
    organiser.send("/organise/players/add", names="Zoe")
    assert organiser.send(f"{page}/enter", who="zoe") == (303, page)
    assert organiser.send(f"{page}/withdraw", player=str(third.players[0]))[0] == 409
    assert organiser.send(f"{page}/withdraw", player=str(third.players[0]), sure="yes") == (303, page)
    state = read_hall_tournament(database, number).record.state
    assert [state.fixture(fixture_id(f"S1.{n}")).outcome.winners for n in (1, 2, 3)] == [
        (first.players[1],), (), (third.players[1],)
    ]  # fmt: skip
    assert state.players == 7
    points = {line.player: line.points for line in state.standings()}
    assert points[second.players[0] or 0] == 0.5
    text = organiser.page(page)
    for words in ("did not come", "withdrew", "Zoe entered", "withdrawn"):
        assert words in text
    assert organiser.send(f"{page}/abandon")[0] == 409
    assert organiser.send(f"{page}/abandon", sure="yes") == (303, page)
    assert "Abandoned" in organiser.page(page)


def test_players_are_renamed_and_forgotten(hall: HallPages, organiser: Organiser, boxes: list[PlayingBox]) -> None:
    ada = boxes[0].pairings[0].players[0].id
    assert organiser.send(f"/organise/players/{ada}/rename", name="Ben")[0] == 409
    assert organiser.send(f"/organise/players/{ada}/rename", name="Ada L.")[0] == 303
    assert "Ada L." in hall.viewer().get("/").text
    assert organiser.send(f"/organise/players/{ada}/forget")[0] == 409
    assert organiser.send(f"/organise/players/{ada}/forget", sure="yes")[0] == 303
    page = hall.viewer().get("/").text
    assert "Ada" not in page and "Forgotten player" in page
    assert "Ada" not in organiser.page("/organise/players")
    assert organiser.send("/organise/players/check-in", who="")[0] == 409
    assert organiser.send(f"/organise/players/{ada}/present", present="yes")[0] == 303
    assert organiser.send(f"/organise/players/{'0' * 32}/present", present="yes")[0] == 409


@pytest.mark.parametrize(
    ("fields", "why"),
    [({"format": "best of"}, "Choose a format"), ({"game": "chess"}, "Choose a game"),
     ({"rounds": "many"}, "not a number"),
     ({"names": "Ada\nBen\nA\u00adda"}, "names 1 and 3 are both Ada: tell them apart"),
     ({"names": "Ada"}, "two players"),
     ({"option-best_of": "4"}, "best_of"), ({"title": "x" * 41}, "at most 40"),
     ({"names": "a\ue000\nBen"}, "be shown (U+E000)"),
     ({"names": "Name\nAda\nBen"}, "line 1 is a heading, and no name: Name: take it out")],
)  # fmt: skip
def test_tournaments_that_cannot_be(
    hall: HallPages, organiser: Organiser, database: psycopg.Connection, fields: dict[str, str], why: str
) -> None:
    sent = {"game": "classic", "format": "swiss", "names": "Ada\nBen\nCy", "seeding": "given", **fields}
    status, text = organiser.send("/organise/new", **sent)
    assert status == 409 and why in text
    assert database.execute("SELECT count(*) FROM tournament").fetchone() == (1,)


def test_seeds_by_rating(
    hall: HallPages, organiser: Organiser, boxes: list[PlayingBox], database: psycopg.Connection
) -> None:
    boxes[0].win("Dora")
    boxes[0].send()
    organiser.send("/organise/new", game="classic", format="knockout", names="Ada\nEve\nDora", seeding="rating")
    assert read_hall_tournament(database, 2).record.names == ("Dora", "Ada", "Eve")


def test_disputes_lead_to_their_evidence(
    hall: HallPages, organiser: Organiser, boxes: list[PlayingBox], database: psycopg.Connection
) -> None:
    box = boxes[0]
    match = box.begin(box.pairings[0])
    box.commit(match, round_body(answers={1: "rock", 2: "paper"}))
    judged = len(box.events)
    box.commit(
        match,
        Corrected(
            round=judged, seat=1, previous="rock", to="scissors", answers={1: "scissors", 2: "paper"}, dropped=()
        ),
        DisputeRejected(round=judged, text="{1} and {2} agree."),
    )
    box.send()
    database.execute(
        "INSERT INTO picture VALUES ((SELECT id FROM journal), %s, 'lock.jpg', 'image/jpeg', 'JPEG')", (judged,)
    )
    page = organiser.page("/organise/disputes")
    assert "Ada: rock, corrected to scissors" in page and "Ada and Dora agree." in page
    assert "its review pages are off" in page
    picture = organiser.client.get(f"/organise/picture/1/{judged}/lock.jpg")
    assert (picture.headers["content-type"], picture.content) == ("image/jpeg", b"JPEG")
    assert organiser.client.get(f"/organise/picture/1/{judged}/other.jpg").status_code == 404
    for address, shown in (("http://192.168.1.31:8321", True), ("javascript:alert(1)", False), (EVIL, False)):
        database.execute("UPDATE box SET properties = jsonb_build_object('box/review', %s::text)", (address,))
        assert (f'href="{address}/round/{judged}"' in organiser.page("/organise/disputes")) == shown
        assert ("javascript:" in organiser.page("/organise")) is False


def test_a_rewritten_journal_is_settled(
    hall: HallPages, organiser: Organiser, boxes: list[PlayingBox], database: psycopg.Connection
) -> None:
    database.execute("ALTER TABLE journal ALTER id RESTART WITH 1000000000")
    boxes[1].commit(1, DisputeRejected(round=1, text="one"))
    boxes[1].send()
    again = PlayingBox(database, "box-2")
    again.commit(1, DisputeRejected(round=1, text="another"))
    assert store_batch(database, "box-2", batch(origin("box-2"), again.events)).problem
    page = organiser.page("/organise/problems")
    assert "Table 2" in page and "has other events than were stored" in page
    journal = re.search('name="journal" value="([0-9]+)"', page)
    assert journal
    assert organiser.send("/organise/problems/settle", journal=journal[1])[0] == 409
    assert organiser.send("/organise/problems/settle", journal=journal[1], choice="replace", note="a copy")[0] == 303
    assert "None." in organiser.page("/organise/problems")
    assert not store_batch(database, "box-2", batch(origin("box-2"), again.events)).problem
    assert organiser.send("/organise/problems/settle", journal=journal[1], choice="keep")[0] == 409


@pytest.mark.parametrize("excess", get_args(Excess))
def test_organiser_is_told_what_a_box_has_too_much_of(
    organiser: Organiser, boxes: list[PlayingBox], database: psycopg.Connection, excess: Excess
) -> None:
    note_excess(database, [boxes[1].name], excess)
    assert organiser.page("/organise").count(EXCESS_NAMES[excess]) == 1
    database.execute("UPDATE box SET excess_at = now() - interval '1 hour'")
    assert EXCESS_NAMES[excess] not in organiser.page("/organise")


@pytest.mark.parametrize("form", list(Format))
def test_every_format_has_its_pages(
    hall: HallPages, organiser: Organiser, boxes: list[PlayingBox], database: psycopg.Connection, form: Format
) -> None:
    number = new_tournament(database, form, NAMES, automatic=True)
    fixture = read_hall_tournament(database, number).ready[0].id
    for path in (f"/organise/tournament/{number}", f"/organise/tournament/{number}/match/{fixture}"):
        assert "Ada" in organiser.page(path)
    phone = hall.viewer()
    for path in (f"/tournament/{number}", f"/screen/{number}"):
        assert "Ada" in phone.get(path).text
    assert organiser.client.get(f"/organise/tournament/{number}/match/Z9.9").status_code == 404


# --- who may see what ------------------------------------------------------------------------------------------------


def test_nothing_is_readable_without_the_code(hall: HallPages) -> None:
    stranger = hall.stranger()
    for path in PAGES:
        answer = stranger.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/code")
    for path in ("/code", "/login", "/nothing/here", "/static/live.js", *PAGES, *ORGANISER_PAGES):
        assert not any(name in stranger.get(path).text for name in ("Ada", "Ben", "Spring", "Table 1"))
    assert stranger.send_form("/code", code="WRONGONE")[0] == 403


def test_the_codes_address_types_it(hall: HallPages) -> None:
    code = hall.live.newest().code
    page = hall.stranger().get(f"/code/{code}").text
    assert f'value="{code}"' in page and "data-submit" in page


def test_a_public_hall_can_be_read_but_not_written(hall: HallPages, organiser: Organiser) -> None:
    assert organiser.send("/organise/settings/public", public="yes")[0] == 303
    stranger = hall.stranger()
    assert "Ada against Dora" in stranger.get("/").text
    assert stranger.get("/code").headers["location"] == "/"
    assert token_in(stranger.get("/login").text + 'name="token" value="x"') == "x"  # no page has a token
    for path in ORGANISER_PAGES:
        assert stranger.get(path).headers["location"] == "/login"
    assert stranger.send_form("/", token="x")[0] == 403
    assert organiser.send("/organise/settings/public", public="no")[0] == 303
    assert stranger.get("/").status_code == 303


def test_a_new_code_ends_what_the_old_one_opened(hall: HallPages, organiser: Organiser) -> None:
    phone = hall.viewer()
    assert phone.get("/").status_code == 200
    assert organiser.send("/organise/settings/code")[0] == 303
    assert phone.get("/").status_code == 303
    assert hall.viewer().get("/").status_code == 200


def test_a_new_password_ends_the_organisers_sessions(hall: HallPages, organiser: Organiser) -> None:
    set_password(hall.database, "another one")
    hall.refresh()
    assert organiser.client.get("/organise").status_code == 303
    assert hall.stranger().send_form("/login", code=PASSWORD)[0] == 403
    with pytest.raises(PasswordError, match="at least 8"):
        set_password(hall.database, "short")


def test_without_a_password_nobody_is_an_organiser(dsn: str, database: psycopg.Connection) -> None:
    hall = HallPages(dsn, database)
    database.execute("UPDATE hall SET password = ''")
    hall.refresh()
    for guess in ("", "\0", PASSWORD):
        assert hall.stranger().send_form("/login", code=guess)[0] in (403, 429)


def test_passwords_are_hashed() -> None:
    stored = hash_password("correct horse")
    assert "horse" not in stored and stored.startswith("scrypt$32768$8$1$") and stored != hash_password("correct horse")
    assert is_password("correct horse", stored) and not is_password("Correct horse", stored)
    for broken in ("", "scrypt$", stored.replace("scrypt", "md5"), f"{stored}$", stored.replace("32768", "3")):
        assert not is_password("correct horse", broken)


# --- attacks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_viewers_and_strangers_get_nothing_of_the_organisers(hall: HallPages, method: str) -> None:
    log = hall.database.execute("SELECT count(*) FROM tournament_event").fetchone()
    viewer, stranger = hall.viewer(), hall.stranger()
    viewer_token = "x"
    for path in all_routes(hall):
        if not path.startswith("/organise"):
            continue
        for client in (viewer, stranger):
            answer = client.request(method, path, headers={"Origin": BASE}, data={"token": viewer_token, "sure": "yes"})
            if method in ("GET", "HEAD"):
                assert (answer.status_code, answer.headers["location"]) == (303, "/login"), path
            else:
                assert answer.status_code == (403 if method == "POST" else 405), path
            assert "Ada" not in answer.text and "Table 1" not in answer.text
    assert hall.database.execute("SELECT count(*) FROM tournament_event").fetchone() == log


def test_the_public_pages_write_nothing(hall: HallPages) -> None:
    viewer = hall.viewer()
    for path in all_routes(hall):
        if not path.startswith("/organise"):
            status = viewer.send_form(path, token="x", code="x")[0]
            assert status == (405 if path.startswith("/static") else 403), path


def test_forms_need_their_token_and_origin(hall: HallPages, organiser: Organiser) -> None:
    posts = [path for path in all_routes(hall) if path.startswith("/organise/")]
    for path in posts:
        for token in ("", "x", organiser.token[:-1]):
            assert organiser.client.send_form(path, token=token, sure="yes")[0] == 403, path
        for origin_header in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {}):
            answer = organiser.client.post(path, data={"token": organiser.token, "sure": "yes"}, headers=origin_header)
            assert answer.status_code == 403, path
    assert read_hall_tournament(hall.database, 1).record.is_open


def test_links_never_write(hall: HallPages, organiser: Organiser) -> None:
    viewer = hall.viewer()
    for path in all_routes(hall):
        for client in (viewer, organiser.client):
            answer = client.head(path, params={"token": organiser.token, "sure": "yes"})  # of a stream: without it
            assert answer.status_code in (200, 303, 404, 405), path
    assert read_hall_tournament(hall.database, 1).record.is_open


def test_the_tokens_of_two_sessions_differ(hall: HallPages) -> None:
    one, other = hall.organiser(), hall.organiser()
    assert one.client.send_form("/organise/players/check-out", token=other.token)[0] == 403
    assert one.client.send_form("/organise/players/check-out", token=one.token)[0] == 303


def test_logging_out(hall: HallPages, organiser: Organiser) -> None:
    assert organiser.client.get("/organise/leave").status_code == 405
    assert organiser.send("/organise/leave") == (303, "/login")
    assert organiser.client.get("/organise").status_code == 303


def test_the_cookie_is_signed_and_kept_from_scripts(hall: HallPages) -> None:
    client = hall.stranger()
    cookie = client.post("/login", data={"code": PASSWORD}, headers={"Origin": BASE}).headers["set-cookie"]
    assert "httponly" in cookie.lower() and "samesite=strict" in cookie.lower()
    value = cookie.partition("=")[2].partition(";")[0]
    forged = BrowserClient(hall.app, BASE, "192.168.1.66")
    forged.cookies.set("throwlock", value[:-2] + ("AA" if value[-2:] != "AA" else "BB"))
    assert forged.get("/organise").status_code == 303


def test_guesses_are_limited(hall: HallPages) -> None:
    for path, right in (("/login", PASSWORD), ("/code", hall.live.newest().code)):
        client = hall.stranger()
        statuses = [client.send_form(path, code=f"guess {n}")[0] for n in range(8)]
        assert statuses == [403] * 5 + [429] * 3
        assert client.send_form(path, code=right)[0] == 429
        others = [hall.stranger(100 + n).send_form(path, code=f"guess {n}")[0] for n in range(20)]
        assert others.count(403) == 15
        assert client.send_form(path, code=right)[0] == 429
        hall.clock.now += 3600
        assert client.send_form(path, code=right)[0] == 303


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.20.evil.example", "", "hall.local.evil.example", EVIL])
def test_foreign_host_names_are_refused(hall: HallPages, host: str) -> None:
    for path in ("/", "/login", "/organise"):
        answer = hall.viewer().get(path, headers={"Host": host})
        assert answer.status_code == 400 and "Ada" not in answer.text


@pytest.mark.parametrize("mode", ["no-cors", "cors", "websocket"])
def test_other_sites_cannot_embed_pages(hall: HallPages, mode: str) -> None:
    said = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode}
    assert hall.viewer().get("/", headers=said).status_code == 403


def test_addresses_of_the_internet_are_refused(hall: HallPages) -> None:
    assert BrowserClient(hall.app, BASE, "8.8.8.8").get("/code").status_code == 403


@pytest.mark.parametrize(
    "place", ["/{}", "/tournament/{}", "/screen/{}", "/code/{}", "/static/{}", "/organise/{}", "/organise/new?game={}",
              "/organise/tournament/{}", "/organise/tournament/1/match/{}", "/organise/picture/1/1/{}"],
)  # fmt: skip
def test_no_address_breaks_a_page(hall: HallPages, organiser: Organiser, place: str) -> None:
    for strange in HOSTILE_SEGMENTS:
        path = place.format(httpx.QueryParams({"a": strange})["a"])
        try:
            answer = organiser.client.get(path)
        except httpx.InvalidURL:
            continue
        assert answer.status_code in (200, 303, 404, 414, 400), (path, answer.status_code)
        assert "<script>alert" not in answer.text and "onerror=alert(1)>" not in answer.text
        assert "root:" not in answer.text and "Traceback" not in answer.text and "psycopg" not in answer.text


@pytest.mark.parametrize("strange", [EVIL, "\0", "é" * 60, "' OR 1=1 --", "9" * 500, "-1", "\u202e"])
def test_no_form_breaks_a_page(hall: HallPages, organiser: Organiser, strange: str) -> None:
    names = ("names", "who", "present", "name", "title", "game", "format", "rounds", "seeding", "automatic", "player",
             "pairing", "table", "winner", "choice", "journal", "note")  # fmt: skip
    for path in all_routes(hall):
        if path.startswith("/organise/"):
            status, text = organiser.send(path, **dict.fromkeys(names, strange))
            assert status in (303, 404, 405, 409), (path, status, text)
            assert "<script>alert" not in text and "psycopg" not in text


def test_hostile_names_are_text(hall: HallPages, organiser: Organiser, database: psycopg.Connection) -> None:
    evil = EVIL[:90]
    database.execute("UPDATE player SET name = %s", (evil,))
    database.execute(
        "UPDATE box SET table_name = %s, properties = jsonb_build_object('box/match', %s::text)", (evil, evil)
    )
    hall.refresh()
    viewer = hall.viewer()
    pages = [viewer.get(path).text for path in PAGES] + [organiser.page(path) for path in ORGANISER_PAGES]
    for page in pages:
        assert "<script>alert" not in page and "onerror=alert(1)>" not in page and ">49&lt;" not in page


def test_every_response_has_the_security_headers(hall: HallPages, organiser: Organiser) -> None:
    viewer, stranger = hall.viewer(), hall.stranger()
    answers = [viewer.get(path) for path in (*PAGES, "/nothing", "/static/hall.css")]
    answers += [organiser.client.get(path) for path in ORGANISER_PAGES]
    answers += [
        stranger.get("/"),
        stranger.get("/login"),
        stranger.get("/", headers={"Host": "evil"}),
        stranger.put("/"),
    ]
    for answer in answers:
        for name, value in middleware.COMMON_HEADERS.items():
            assert answer.headers[name] == value, answer.url
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == ("no-cache" if "/static/" in str(answer.url) else "no-store")
    for page in (*(viewer.get(path) for path in PAGES), *(organiser.client.get(path) for path in ORGANISER_PAGES)):
        look = InlineCodeFinder()
        look.feed(page.text)
        assert not look.found, page.url


def test_large_and_slow_forms_are_refused(hall: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    host = [(name, value.replace(b"127.0.0.1:8321", b"hall.local")) for name, value in FORM_HEADERS]
    for path in ("/login", "/code", "/organise/players/add"):
        body: Any = {"type": "http.request", "body": b"code=" + b"x" * middleware.MAX_FORM_BYTES, "more_body": False}
        assert raw_request(hall.app, "POST", path, host, [body])[0] == 413
        fields = b"&".join(b"a=1" for _ in range(middleware.MAX_FORM_FIELDS + 1))
        assert raw_request(hall.app, "POST", path, host, [{**body, "body": fields}])[0] == 413
        monkeypatch.setattr(middleware, "FORM_TIMEOUT_S", 0.0)
        assert raw_request(hall.app, "POST", path, host, [{**body, "body": b"code=", "more_body": True}])[0] == 408
        monkeypatch.undo()
    assert hall.stranger().get(f"/{'a' * middleware.MAX_URL_BYTES}").status_code == 414


def test_a_lost_database_is_said_so(hall: HallPages, organiser: Organiser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall.live, "dsn", "host=/nowhere dbname=hall")
    answer = organiser.client.get("/organise")
    assert answer.status_code == 503 and "The database can’t be used" in answer.text
    assert hall.viewer().get("/").status_code == 200  # what was read last stays


# --- live ------------------------------------------------------------------------------------------------------------


def test_everybody_sees_the_same_page_which_is_rendered_once(hall: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    real: Callable[..., str] = pages.render_template

    def count(template: str, *values: object, **named: object) -> str:
        rendered.append(template)
        return real(template, *values, **named)

    monkeypatch.setattr(live, "render_template", count)
    phones = [hall.viewer() for _ in range(3)]
    rendered.clear()
    seen = {hashlib.sha256(phone.get("/").content).hexdigest() for phone in phones for _ in range(2)}
    assert len(seen) == 1 and rendered == ["hall/results.html"]


def test_a_number_is_new_only_if_something_has_changed(hall: HallPages, boxes: list[PlayingBox]) -> None:
    woken: list[int] = []
    with hall.live.viewers.watch(lambda: woken.append(hall.live.newest().number)):
        before = hall.live.newest().number
        hall.refresh()
        assert hall.live.newest().number == before and not woken
        match = boxes[0].begin(boxes[0].pairings[0])
        boxes[0].send()
        hall.refresh()
        assert hall.live.newest().tournaments[0].playing[0].rounds == 0
        boxes[0].commit(match, round_body(answers={1: "rock", 2: "paper"}))
        boxes[0].send()
        hall.refresh()
        assert hall.live.newest().tournaments[0].playing[0].rounds == 1
        assert woken == [before + 1, before + 2]


def test_what_a_removed_box_has_played_keeps_its_tables_name(hall: HallPages, boxes: list[PlayingBox]) -> None:
    boxes[0].play(boxes[0].pairings[0], 1)
    boxes[0].send()
    hall.database.execute("UPDATE box SET removed_at = now() WHERE id = %s", (boxes[0].name,))
    hall.refresh()
    assert [table for _, table in hall.live.newest().tournaments[0].newest] == ["Table 1"]


def test_viewers_are_limited(dsn: str, hall: HallPages) -> None:
    viewers = LiveSnapshot(dsn, max_viewers=2).viewers
    with viewers.watch(lambda: None), viewers.watch(lambda: None):
        assert len(viewers) == 2
        with pytest.raises(TooManyViewersError), viewers.watch(lambda: None):
            pass
    assert not viewers


def read_parts(client: BrowserClient, path: str, change: Callable[[int], object]) -> list[dict[str, str]]:
    """Return the parts that a page is sent until its stream ends; ``change`` is called with how many came."""
    messages: list[dict[str, str]] = []
    with client.stream("GET", path, headers={"Accept": "text/event-stream"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("data: ") and (parts := json.loads(line.removeprefix("data: "))):
                messages.append(parts)
                change(len(messages))
    return messages


@pytest.mark.parametrize(
    ("path", "names", "changed"),
    [("/", "title head playing results tables others", {"playing"}),
     ("/screen/1", "title head slides", {"slides"}),
     ("/organise/tournament/1", "title nav head playing ready tables forms log", {"playing", "ready"})],
)  # fmt: skip
def test_a_page_is_sent_what_has_changed_until_the_hub_stops(
    hall: HallPages, organiser: Organiser, path: str, names: str, changed: set[str]
) -> None:
    def change(count: int) -> None:
        if count == 1:
            hall.database.execute("UPDATE box SET table_name = 'By the window' WHERE id = 'box-1'")
            hall.refresh()
        else:
            hall.live.stop()

    client = organiser.client if path.startswith("/organise") else hall.viewer()
    first, fresh = read_parts(client, path, change)
    assert set(first) == set(names.split())
    assert set(fresh) == changed and all("By the window" in html for html in fresh.values())
    assert not hall.live.viewers and not hall.live.organisers


def test_a_check_in_is_seen_on_the_organisers_open_page_alone(hall: HallPages, organiser: Organiser) -> None:
    def change(count: int) -> None:
        if count == 1:
            check_in(hall.database, ada, present=True)
            hall.refresh()
        else:
            hall.live.stop()

    ada, *_ = add_players(hall.database, ["Ada", "Grace"])
    check_everybody_out(hall.database)
    hall.refresh()
    woken: list[bool] = []
    with hall.live.viewers.watch(lambda: woken.append(hall.live.viewers.is_open)):
        first, fresh = read_parts(organiser.client, "/organise/players", change)
    assert "0 of" in first["players"] and "1 of" in fresh["players"] and set(fresh) == {"players"}
    assert woken == [False]  # only when the hub stopped


def test_a_problem_is_flagged_on_every_open_page_of_the_organiser(
    hall: HallPages, organiser: Organiser, boxes: list[PlayingBox]
) -> None:
    def change(count: int) -> None:
        if count == 1:
            boxes[1].commit(1, DisputeRejected(round=1, text="one"))
            boxes[1].send()
            again = PlayingBox(hall.database, "box-2")
            again.commit(1, DisputeRejected(round=1, text="another"))
            store_batch(hall.database, "box-2", batch(origin("box-2"), again.events))
            hall.refresh()
        else:
            hall.live.stop()

    first, fresh = read_parts(organiser.client, "/organise/ratings", change)
    assert "flag open" not in first["nav"] and "flag open" in fresh["nav"]


def test_what_a_viewer_sees_ends_when_the_hall_is_made_private(hall: HallPages) -> None:
    set_public(hall.database, public=True)
    hall.refresh()

    def change(count: int) -> None:
        assert count == 1
        set_public(hall.database, public=False)
        hall.refresh()

    assert len(read_parts(hall.stranger(), "/", change)) == 1


def test_one_viewer_too_many_is_told_so(hall: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall.live.viewers, "limit", 0)
    with hall.viewer().stream("GET", "/", headers={"Accept": "text/event-stream"}) as answer:
        assert "event: full" in answer.iter_lines()
