"""Access to the pages: local, over the network with the code, sessions and forms."""

import json
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Callable

import itsdangerous
import pytest

from rules.record.event import ReviewMark
from tests.helpers.web_archive import FakeArchive
from tests.helpers.web_guard import EVIL, LOCAL_TOKEN, READABLE, WRITES, BrowserClient, FakeClock, protected_app
from ui.i18n.language import current_language
from ui.web import access_code
from ui.web.access_code import AccessCodeLogin
from ui.web.middleware import SESSION_COOKIE


@pytest.fixture
def made() -> FakeArchive:
    return FakeArchive()


@pytest.fixture
def here(made: FakeArchive) -> BrowserClient:
    """A local client of pages in local mode."""
    return BrowserClient(protected_app(made))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def gate(clock: FakeClock) -> AccessCodeLogin:
    return AccessCodeLogin(clock)


@pytest.fixture
def phones(made: FakeArchive, gate: AccessCodeLogin) -> Callable[[int], BrowserClient]:
    """Phones on the network of pages in LAN mode."""
    guard = protected_app(made, gate)
    return lambda number: BrowserClient(guard, "http://192.168.1.20:8321", f"192.168.1.{number}")


@pytest.fixture
def phone(phones: Callable[[int], BrowserClient]) -> BrowserClient:
    return phones(77)


@pytest.fixture
def inside(phone: BrowserClient, gate: AccessCodeLogin) -> BrowserClient:
    """A logged-in phone."""
    assert phone.send_form("/enter", code=gate.code) == (303, "/")
    return phone


def token_in(page: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found, "a page with a form"
    return found[1]


# --- who may come in -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", READABLE)
def test_local_access_needs_no_code(here: BrowserClient, path: str) -> None:
    assert here.get(path).status_code in (200, 404)  # 404: pages that are not written yet


@pytest.mark.parametrize("peer", ["192.168.1.5", "10.0.0.1", "8.8.8.8", "::ffff:192.168.1.5", "testclient", ""])
def test_without_lan_other_machines_are_refused(made: FakeArchive, peer: str) -> None:
    client = BrowserClient(protected_app(made), peer=peer)
    for path in (*READABLE, "/static/style.css", "/enter"):
        assert client.get(path).status_code == 403
    for path in WRITES:
        assert client.send_form(path, token=LOCAL_TOKEN)[0] == 403
    assert not made.marks and not made.deleted


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.8.8", "::1"])
def test_every_loopback_address_is_local(made: FakeArchive, peer: str) -> None:
    assert BrowserClient(protected_app(made), peer=peer).get("/").status_code == 200


def test_forwarded_headers_are_ignored(made: FakeArchive) -> None:
    client = BrowserClient(protected_app(made), peer="192.168.1.5")
    for name in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Forwarded-Host", "X-Client-IP"):
        assert client.get("/", headers={name: "127.0.0.1"}).status_code == 403


@pytest.mark.parametrize("path", READABLE)
@pytest.mark.parametrize("peer", [77, 20])
def test_lan_clients_need_the_code(phones: Callable[[int], BrowserClient], path: str, peer: int) -> None:
    answer = phones(peer).get(path)
    assert (answer.status_code, answer.headers["location"], answer.content) == (303, "/enter", b"")


def test_lan_mode_needs_the_code_locally_too(made: FakeArchive, gate: AccessCodeLogin) -> None:
    client = BrowserClient(protected_app(made, gate))
    assert client.get("/").headers["location"] == "/enter"


def test_lan_mode_refuses_internet_addresses(made: FakeArchive, gate: AccessCodeLogin) -> None:
    client = BrowserClient(protected_app(made, gate), "http://192.168.1.20:8321", "8.8.8.8")
    assert client.get("/enter").status_code == 403
    assert client.send_form("/enter", code=gate.code)[0] == 403


@pytest.mark.parametrize(
    "path", ["/nothing", "/static/", "/static/x/y", "/static/../match/1", "/static/%2e%2e%2fmatch"]
)
def test_anonymous_clients_learn_nothing(phone: BrowserClient, path: str) -> None:
    assert phone.get(path).headers["location"] == "/enter"


def test_anonymous_clients_get_static_files_only(phone: BrowserClient) -> None:
    assert phone.get("/static/style.css").headers["content-type"].startswith("text/css")
    assert phone.get("/static/app.py").status_code == 404


# --- the code --------------------------------------------------------------------------------------------------------


def test_the_code_gives_full_access(inside: BrowserClient) -> None:
    assert inside.get("/").status_code == 200
    assert inside.get("/round/3/picture/lock.jpg").headers["content-type"] == "image/jpeg"
    assert inside.get("/enter").headers["location"] == "/", "who is in need not enter"


def test_wrong_codes_are_reported_and_delayed(phone: BrowserClient, clock: FakeClock, gate: AccessCodeLogin) -> None:
    began = clock.now
    for _ in range(5):
        status, page = phone.send_form("/enter", code="FFFF-FFFF")
        assert status == 403
        assert "Wrong code" in page
    for seconds, wait in ((60, "60 seconds"), (2, "2 seconds"), (0.5, "1 second,")):
        clock.now = began + 60 - seconds
        answer = phone.post("/enter", data={"code": gate.code}, headers={"Origin": phone.origin})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, wait.split()[0])
        assert f"Wait {wait}" in answer.text
    clock.now = began + 60
    assert phone.send_form("/enter", code=gate.code)[0] == 303


def test_guesses_are_counted_per_address(phones: Callable[[int], BrowserClient], gate: AccessCodeLogin) -> None:
    for _ in range(20):
        phones(66).post(
            "/enter", data={"code": "X"}, headers={"Origin": "http://192.168.1.20:8321", "X-Forwarded-For": "1.2.3.4"}
        )
    assert phones(77).send_form("/enter", code=gate.code) == (303, "/")


def test_other_spellings_of_the_code_are_accepted(phone: BrowserClient, gate: AccessCodeLogin) -> None:
    assert phone.get("/enter", params={"code": gate.code}).status_code == 200
    assert SESSION_COOKIE not in phone.cookies
    assert phone.post("/enter", json={"code": gate.code}, headers={"Origin": phone.origin}).status_code == 415
    assert phone.post("/enter", data={"code": gate.code}).status_code == 403, "from another site"
    assert phone.get("/", headers={"Cookie": f"{SESSION_COOKIE}={gate.code}"}).status_code == 303


def test_markup_in_a_code_is_not_shown(phone: BrowserClient) -> None:
    assert "alert(1)" not in phone.send_form("/enter", code=EVIL)[1]


# --- sessions --------------------------------------------------------------------------------------------------------


def test_the_session_cookie_is_restricted(phone: BrowserClient, gate: AccessCodeLogin) -> None:
    answer = phone.post("/enter", data={"code": gate.code}, headers={"Origin": phone.origin})
    said = [part.strip().lower() for part in answer.headers["set-cookie"].split(";")]
    assert {"httponly", "samesite=strict", "path=/"} <= set(said)
    assert not any(part.startswith(("domain", "max-age", "expires")) for part in said), "the box counts, no browser"
    assert gate.code not in answer.headers["set-cookie"]


def is_logged_in(client: BrowserClient, cookie: str) -> bool:
    client.cookies.clear()
    return client.get("/", headers={"Cookie": f"{SESSION_COOKIE}={cookie}"}).status_code == 200


def test_every_login_starts_a_new_session_and_ends_the_old_one(inside: BrowserClient, gate: AccessCodeLogin) -> None:
    before = inside.cookies[SESSION_COOKIE]
    inside.send_form("/enter", code=gate.code)
    after = inside.cookies[SESSION_COOKIE]
    assert not is_logged_in(inside, before)
    assert is_logged_in(inside, after)
    assert not set(session_in(before).values()) & set(session_in(after).values()), "its tokens are new too"


def test_a_planted_cookie_is_not_adopted(phone: BrowserClient, gate: AccessCodeLogin) -> None:
    planted = sign_session("another key", {"secret": "chosen"})
    phone.cookies.set(SESSION_COOKIE, planted, domain="192.168.1.20")
    assert phone.send_form("/enter", code=gate.code) == (303, "/")
    assert not is_logged_in(phone, planted)
    assert not gate.use_session("chosen")


def sign_session(key: str, session: dict[str, str]) -> str:
    """Return a session's cookie as Starlette makes it."""
    return itsdangerous.TimestampSigner(key).sign(b64encode(json.dumps(session).encode())).decode()


def session_in(cookie: str) -> dict[str, str]:
    found = json.loads(b64decode(cookie.split(".", maxsplit=1)[0]))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("forged", ["", "0" * 43, "../../etc/passwd", '"', "%00", "a" * 4000, "true", "admin", "null"])
def test_forged_cookies_are_rejected(inside: BrowserClient, forged: str) -> None:
    assert not is_logged_in(inside, forged)


def test_a_session_needs_its_signature(inside: BrowserClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda now=time.time: now() + 5)
    cookie = inside.cookies[SESSION_COOKIE]
    payload, stamp, signature = cookie.split(".")
    session = session_in(cookie)
    later = itsdangerous.TimestampSigner("x").sign(b"x").decode().split(".")[1]
    for forged in (
        *(sign_session(key, session) for key in ("", "throwlock", "secret", "None")),
        *(payload, f"{payload}.{stamp}", f"{payload}.{stamp}.", f"{payload}.{later}.{signature}"),
        f"{b64encode(json.dumps({**session, 'admin': 'yes'}).encode()).decode()}.{stamp}.{signature}",
    ):
        assert not is_logged_in(inside, forged), forged
    assert is_logged_in(inside, cookie)


def test_no_cookie_outlives_a_restart(inside: BrowserClient, made: FakeArchive, gate: AccessCodeLogin) -> None:
    """Even where the box still knew the session."""
    restarted = BrowserClient(protected_app(made, gate), inside.origin, "192.168.1.77")
    cookie = inside.cookies[SESSION_COOKIE]
    assert gate.use_session(session_in(cookie)["secret"])
    assert not is_logged_in(restarted, cookie)


def test_the_cookie_does_not_reveal_the_forms_token(inside: BrowserClient, made: FakeArchive) -> None:
    """Other programs on the box get the cookie too: browsers send it to every port."""
    token, session = token_in(inside.get("/round/3").text), session_in(inside.cookies[SESSION_COOKIE])
    assert token not in session.values()
    for guess in (*session.values(), *(f"##{value}" for value in session.values())):
        assert inside.send_form("/round/3/mark", token=guess, mark="to review")[0] == 403
    assert not made.marks


def test_an_idle_session_ends(inside: BrowserClient, clock: FakeClock, made: FakeArchive) -> None:
    token = token_in(inside.get("/round/3").text)
    clock.now += access_code.SESSION_IDLE_S + 1
    assert inside.send_form("/round/3/mark", token=token, mark="to review")[0] == 403
    assert inside.get("/").headers["location"] == "/enter"
    assert not made.marks


def test_a_busy_session_ends_after_half_a_day(inside: BrowserClient, clock: FakeClock) -> None:
    for _ in range(int(access_code.SESSION_LIFETIME_S) // 600):
        assert inside.get("/static/icon.svg").status_code == inside.get("/").status_code == 200
        clock.now += 600
    assert inside.get("/").headers["location"] == "/enter"


@pytest.mark.parametrize("jump_s", [-1_800_000_000.0, -86_400.0, -5.0, 13 * 3600.0, 86_400.0])
def test_the_time_of_day_logs_nobody_out(
    inside: BrowserClient, made: FakeArchive, jump_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_in(inside.get("/round/3").text)
    monkeypatch.setattr("time.time", lambda now=time.time: now() + jump_s)
    assert inside.get("/").status_code == 200
    assert inside.send_form("/round/3/mark", token=token, mark="to review") == (303, "/round/3#mark")
    monkeypatch.undo()
    assert inside.get("/").status_code == 200


def test_whoever_is_in_stays_in_while_others_log_in(
    inside: BrowserClient, phones: Callable[[int], BrowserClient], gate: AccessCodeLogin
) -> None:
    statuses = [phones(78).send_form("/enter", code=gate.code)[0] for _ in range(access_code.MAX_SESSIONS)]
    assert statuses == [303] * (access_code.MAX_SESSIONS - 1) + [429]
    answer = phones(79).post("/enter", data={"code": gate.code}, headers={"Origin": "http://192.168.1.20:8321"})
    assert answer.headers["retry-after"] == f"{access_code.SESSION_IDLE_S:.0f}"
    assert "too many are in. Try again in 30 minutes" in answer.text
    assert inside.get("/").status_code == 200
    assert inside.send_form("/enter", code=gate.code) == (303, "/"), "and may log in again"


def test_logout_ends_the_session(inside: BrowserClient) -> None:
    cookie, token = inside.cookies[SESSION_COOKIE], token_in(inside.get("/").text)
    assert inside.get("/leave").status_code == 405, "a link can't throw anybody out"
    assert inside.send_form("/leave", token="wrong")[0] == 403
    assert inside.get("/").status_code == 200
    assert inside.send_form("/leave", token=token) == (303, "/enter")
    assert SESSION_COOKIE not in inside.cookies
    assert not is_logged_in(inside, cookie), "although its signature is right"


def test_local_mode_has_no_login(here: BrowserClient) -> None:
    assert here.get("/enter").status_code == 404
    assert here.send_form("/leave", token=LOCAL_TOKEN)[0] == 404
    assert 'action="/leave"' not in here.get("/").text


# --- forms -----------------------------------------------------------------------------------------------------------


def test_writing_in_lan_needs_a_session(phone: BrowserClient, made: FakeArchive) -> None:
    for path in WRITES:
        for token in ("", LOCAL_TOKEN, "undefined"):
            assert phone.send_form(path, token=token, mark="to review")[0] == 403
    assert not made.marks and not made.deleted


def test_forms_with_their_token_are_accepted(here: BrowserClient, inside: BrowserClient, made: FakeArchive) -> None:
    for client in (here, inside):
        made.marks.clear()
        token = token_in(client.get("/round/3").text)
        assert client.send_form("/round/3/mark", token=token, mark="to review") == (303, "/round/3#mark")
        assert made.marks == {3: ReviewMark.TO_REVIEW}


@pytest.mark.parametrize("path", [*WRITES, "/leave", "/", "/static/style.css", "/nothing"])
@pytest.mark.parametrize(
    "token", [None, "", "x", LOCAL_TOKEN, LOCAL_TOKEN[:-1]], ids=["none", "empty", "x", "local", "cut off"]
)
def test_forms_without_their_token_are_refused(
    inside: BrowserClient, made: FakeArchive, path: str, token: str | None
) -> None:
    more = {} if token is None else {"token": token}
    assert inside.send_form(path, mark="to review", **more)[0] == 403
    assert not made.marks and not made.deleted


def test_a_token_of_another_session_is_refused(
    inside: BrowserClient, phones: Callable[[int], BrowserClient], gate: AccessCodeLogin, made: FakeArchive
) -> None:
    other = phones(78)
    other.send_form("/enter", code=gate.code)
    theirs = token_in(other.get("/round/3").text)
    assert inside.send_form("/round/3/mark", token=theirs, mark="to review")[0] == 403
    assert not made.marks


def test_a_token_in_the_url_is_refused(here: BrowserClient, made: FakeArchive) -> None:
    assert here.send_form(f"/round/3/mark?token={LOCAL_TOKEN}&mark=to+review", mark="to review")[0] == 403
    assert not made.marks


ELSEWHERE: tuple[dict[str, str], ...] = (
    {},
    {"Origin": "null"},
    {"Origin": "http://evil.example"},
    {"Origin": "https://127.0.0.1:8321"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1:3000"},
    {"Origin": "http://127.0.0.1:8321.evil.example"},
    {"Origin": "http://127.0.0.1:8321, http://evil.example"},
    {"Origin": "http://localhost:8321"},
    {"Referer": "http://evil.example/http://127.0.0.1:8321/"},
    {"Referer": "http://127.0.0.1:8321@evil.example/"},
    {"Referer": "http://127.0.0.1:8321"},
    {"Origin": "http://evil.example", "Referer": "http://127.0.0.1:8321/"},
    {"Origin": "http://127.0.0.1:8321", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://127.0.0.1:8321", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Referer": "http://127.0.0.1:8321/"},
)


@pytest.mark.parametrize("said", ELSEWHERE, ids=str)
def test_forms_of_other_sites_are_refused(here: BrowserClient, made: FakeArchive, said: dict[str, str]) -> None:
    form = {"token": LOCAL_TOKEN, "mark": "to review"}
    assert here.post("/round/3/mark", data=form, headers=said).status_code == 403
    assert not made.marks


@pytest.mark.parametrize(
    "said",
    [
        {"Origin": "http://127.0.0.1:8321"},
        {"Referer": "http://127.0.0.1:8321/round/3"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://127.0.0.1:8321", "Sec-Fetch-Site": "same-origin", "Referer": "http://127.0.0.1:8321/"},
    ],
    ids=str,
)
def test_forms_of_our_own_pages_are_accepted(here: BrowserClient, made: FakeArchive, said: dict[str, str]) -> None:
    assert here.post("/round/3/mark", data={"token": LOCAL_TOKEN, "mark": ""}, headers=said).status_code == 303
    assert made.marks == {3: None}


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "multipart/form-data; boundary=x", "", "a" * 900])
def test_bodies_other_than_forms_are_refused(here: BrowserClient, made: FakeArchive, kind: str) -> None:
    said = {"Origin": here.origin, "Content-Type": kind}
    body = f"token={LOCAL_TOKEN}&mark=to+review".encode()
    assert here.post("/round/3/mark", content=body, headers=said).status_code == 415
    assert not made.marks


@pytest.mark.parametrize(("fields", "status"), [(20, 303), (21, 413)])
def test_forms_have_few_fields(here: BrowserClient, fields: int, status: int) -> None:
    more = {f"x{number}": "1" for number in range(fields - 2)}
    assert here.send_form("/round/3/mark", token=LOCAL_TOKEN, mark="to review", **more)[0] == status


@pytest.mark.parametrize("body", [b"\xff=1", "token=é".encode(), b"a=1&" * 200, b"token=%FF%FE", b"=&&==&", b""])
def test_broken_forms_are_refused(here: BrowserClient, body: bytes) -> None:
    said = {"Origin": here.origin, "Content-Type": "application/x-www-form-urlencoded"}
    assert here.post("/round/3/mark", content=body, headers=said).status_code in (403, 413)


@pytest.mark.parametrize(
    ("accepted", "language"), [("de-AT,de;q=0.9,en;q=0.8", "de"), ("it, fr;q=0.5", "fr"), ("it", "en"), ("", "en")]
)
def test_pages_are_in_the_browsers_language(accepted: str, language: str) -> None:
    client = BrowserClient(protected_app(FakeArchive()))
    page = client.get("/match/1", headers={"Accept-Language": accepted}).text
    assert f'<html lang="{language}">' in page
    assert {"de": "Bilder dieser Partie löschen", "fr": "Supprimer les images", "en": "Delete this match"}[
        language
    ] in page
    assert current_language() == "en", "the touchscreen's stays"


def test_a_chosen_language_is_remembered_by_the_browser() -> None:
    client = BrowserClient(protected_app(FakeArchive()))
    assert client.send_form("/language", token=LOCAL_TOKEN, language="fr") == (303, "/")
    assert '<html lang="fr">' in client.get("/players", headers={"Accept-Language": "de"}).text
    assert client.send_form("/language", token=LOCAL_TOKEN, language="tlh")[0] == 404
