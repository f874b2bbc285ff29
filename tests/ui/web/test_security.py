"""Attacks on the access control: methods, URLs, hosts, other sites, markup, large and slow bodies."""

import re
from dataclasses import replace
from urllib.parse import quote

import pytest
from starlette.types import Message, Receive, Scope, Send

from rules.record.round import PlayerLink
from tests.helpers import web_archive
from tests.helpers.web_archive import FakeArchive
from tests.helpers.web_guard import (
    EVIL,
    FORM_HEADERS,
    HOSTILE_SEGMENTS,
    LOCAL_TOKEN,
    PAGES,
    READABLE,
    URL_TEMPLATES,
    WRITES,
    BrowserClient,
    InlineCodeFinder,
    protected_app,
    raw_request,
)
from ui.web import middleware
from ui.web.access_code import AccessCodeLogin
from ui.web.views import MatchFilter, MatchLine, RoundPage


@pytest.fixture
def made() -> FakeArchive:
    return FakeArchive()


@pytest.fixture
def here(made: FakeArchive) -> BrowserClient:
    """A local client of pages in local mode."""
    return BrowserClient(protected_app(made))


@pytest.fixture
def phone(made: FakeArchive) -> BrowserClient:
    """A phone that is not logged in, with pages in LAN mode."""
    return BrowserClient(protected_app(made, AccessCodeLogin()), "http://192.168.1.20:8321", "192.168.1.77")


# --- methods ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get", "X"])
@pytest.mark.parametrize("path", ["/", "/round/3/mark", "/nothing"])
def test_other_methods_are_refused(made: FakeArchive, method: str, path: str) -> None:
    status, said, body = raw_request(protected_app(made), method, path)
    assert (status, said["allow"]) == (405, "GET, HEAD, POST")
    assert "access-control-allow-origin" not in said
    assert b"do not support" in body


@pytest.mark.parametrize("path", WRITES[:2])
def test_links_never_write(here: BrowserClient, made: FakeArchive, path: str) -> None:
    assert here.get(path, params={"token": LOCAL_TOKEN, "mark": "to review"}).status_code == 405
    assert here.head(path).status_code == 405
    assert not made.marks and not made.deleted


@pytest.mark.parametrize("name", ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])
def test_method_overrides_are_ignored(here: BrowserClient, made: FakeArchive, name: str) -> None:
    said = {name: "POST", "Origin": here.origin}
    assert here.get("/round/3/mark", params={"token": LOCAL_TOKEN, "_method": "POST"}, headers=said).status_code == 405
    assert not made.marks


def test_head_matches_get(here: BrowserClient, phone: BrowserClient) -> None:
    for path in ("/", "/round/3", "/round/3/picture/lock.jpg", "/static/style.css", "/nothing"):
        got, head = here.get(path), here.head(path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        assert head.headers["content-security-policy"] == got.headers["content-security-policy"]
    assert phone.head("/").headers["location"] == "/enter"


# --- addresses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", URL_TEMPLATES)
def test_no_url_reaches_a_file_or_breaks_a_page(made: FakeArchive, place: str) -> None:
    guard = protected_app(made)
    for strange in HOSTILE_SEGMENTS:
        for path in {place.format(strange), place.format(quote(strange, safe="")), place.format(quote(strange))}:
            if path in ("/", "/static/style.css"):
                continue
            status, said, body = raw_request(guard, "GET", path)
            assert status in (307, 404, 414), (path, status)
            assert status != 307 or said["location"].startswith("http://127.0.0.1:8321/"), path
            assert b"root:" not in body and b"Traceback" not in body and b"/work" not in body, path
            assert b"<script>alert" not in body and b"onerror=alert(1)>" not in body, path
            assert not any("a=b" in value for value in said.values()), path


@pytest.mark.parametrize("strange", HOSTILE_SEGMENTS)
def test_no_query_breaks_a_page(here: BrowserClient, strange: str) -> None:
    for name in ("day", "game", "player", "mark", "after", "match", "names"):
        for path in ("/", "/classroom"):
            answer = here.get(path, params={name: strange})
            assert answer.status_code in (200, 404)
            assert "<script>alert" not in answer.text and "onerror=alert(1)>" not in answer.text


def test_long_urls_are_refused(here: BrowserClient) -> None:
    assert here.get(f"/?game={'a' * middleware.MAX_URL_BYTES}").status_code == 414
    assert here.get(f"/{'a' * middleware.MAX_URL_BYTES}").status_code == 414


@pytest.mark.parametrize(
    "more", [{f"x-{number}": "a" for number in range(101)}, {"x": "a" * 17_000}], ids=["many", "long"]
)
def test_more_headers_than_a_browser_sends_are_refused(here: BrowserClient, more: dict[str, str]) -> None:
    answer = here.get("/", headers=more)
    assert answer.status_code == 431
    assert "The browser sent more about itself" in answer.text


# --- hosts and other sites -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8321", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "", "192.168.1.20:8321",
     "localhost.evil.example", "127.0.0.1:8321:1", "127.0.0.1:x", "localhost:99999999",
     "localhost:65536", "[::1]", "box.local..", "[127.0.0.1]", "[::1", "localhost\t", "127.1", "0x7f.1", EVIL],
)  # fmt: skip
def test_foreign_host_names_are_refused(here: BrowserClient, host: str) -> None:
    answer = here.get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert "Ada" not in answer.text and "<script>alert" not in answer.text


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:9000", "localhost:65535", "LOCALHOST", "box.local", "box.local.", "Box.local.:8321"],
)
def test_own_host_names_are_accepted(here: BrowserClient, host: str) -> None:
    assert here.get("/", headers={"Host": host}).status_code == 200


def test_requests_without_a_host_are_refused(made: FakeArchive) -> None:
    assert raw_request(protected_app(made), "GET", "/", [])[0] == 400


def test_lan_mode_accepts_own_names_and_the_address_connected_to(phone: BrowserClient) -> None:
    for host in ("192.168.1.20:8321", "192.168.1.20", "box.local:8321", "127.0.0.1:8321"):
        assert phone.get("/enter", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "192.168.1.20.evil.example", "box.local.evil.example", "[::1]evil", "[fe80::1]:8321",
                 "192.168.1.21", "0.0.0.0", "box", "box.local..", "*", "192.168.1.20, evil.example"):  # fmt: skip
        answer = phone.get("/enter", headers={"Host": host})
        assert answer.status_code == 400, host
        assert "Type the address exactly as the box shows it." in answer.text
        assert answer.headers["content-security-policy"] == middleware.PAGE_POLICY


@pytest.mark.parametrize(
    ("own", "host", "peer", "status"),
    [
        ("fd00::20", "[fd00::20]:8321", "fd00::77", 200),
        ("fd00::20", "[FD00:0:0::20]", "fd00::77", 200),
        ("fd00::20", "box.local", "fd00::77", 200),
        ("fe80::20%eth0", "[fe80::20]:8321", "fe80::77%eth0", 200),
        ("2a02:1:2:3::20", "[2a02:1:2:3::20]", "2a02:1:2:3:4::77", 200),
        ("2a02:1:2:3::20", "[2a02:1:2:3::20]", "2a02:1:2:4::77", 403),
        ("fd00::20", "[fd00::20]", "2a02:1:2:3::77", 403),
        ("fd00::20", "[fd00::21]", "fd00::77", 400),
        ("fd00::20", "fd00::20", "fd00::77", 400),
        ("fd00::20", "[::ffff:192.168.1.20]", "fd00::77", 400),
        ("192.168.1.20", "[::ffff:192.168.1.20]", "192.168.1.77", 400),
    ],
)
def test_addresses_of_ipv6(made: FakeArchive, own: str, host: str, peer: str, status: int) -> None:
    app = protected_app(made, AccessCodeLogin())

    async def at_address(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "server": (own, 8321)}, receive, send)

    assert BrowserClient(at_address, peer=peer).get("/enter", headers={"Host": host}).status_code == status


@pytest.mark.parametrize("mode", ["no-cors", "cors", "same-origin", "websocket"])
def test_cross_site_embedding_is_refused(here: BrowserClient, mode: str) -> None:
    for site in ("cross-site", "same-site"):
        said = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
        assert here.get("/round/3/picture/lock.jpg", headers=said).status_code == 403
    framed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert here.get("/", headers=framed).status_code == 403


def test_links_from_other_sites_work(here: BrowserClient) -> None:
    said = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert here.get("/", headers=said).status_code == 200


# --- what answers carry ----------------------------------------------------------------------------------------------


def test_every_response_has_the_security_headers(here: BrowserClient, phone: BrowserClient, made: FakeArchive) -> None:
    answers = [here.get(path) for path in (*READABLE, "/nothing", "/static/style.css", "/round/3/picture/timeline.svg")]
    answers += [
        here.get("/", headers={"Host": "evil"}),
        here.options("/"),
        here.post("/"),
        phone.get("/"),
        phone.get("/enter"),
    ]
    made.damaged = True
    answers.append(here.get("/"))
    assert {answer.status_code for answer in answers} >= {200, 303, 400, 403, 404, 405, 503}
    for answer in answers:
        for name, value in middleware.COMMON_HEADERS.items():
            assert answer.headers[name] == value, answer.url
        assert ("cross-origin-opener-policy" in answer.headers) == (answer.url.host == "127.0.0.1")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "unsafe-inline" not in answer.headers["content-security-policy"].partition("script-src")[2]
        kept = "no-cache" if "/static/" in str(answer.url) else "no-store"
        assert answer.headers["cache-control"] == kept, answer.url


def test_svg_files_are_sandboxed(here: BrowserClient) -> None:
    answer = here.get("/round/3/picture/timeline.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"].split("; ")
    assert "script-src" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_inline_code(here: BrowserClient, path: str) -> None:
    look = InlineCodeFinder()
    look.feed(here.get(path).text)
    assert not look.found


# --- what the journal holds ------------------------------------------------------------------------------------------


class HostileArchive(FakeArchive):
    """An archive whose texts and names are markup, and whose image is a page."""

    def matches(self, wanted: MatchFilter) -> list[MatchLine]:
        return [replace(line, title=EVIL, game=EVIL, state=EVIL) for line in super().matches(wanted)]

    def games(self) -> list[tuple[str, str, int]]:
        return [(EVIL, EVIL, 1)]

    def round(self, event: int) -> RoundPage:
        page = super().round(event)
        pictures = tuple(replace(one, name=EVIL) if one.name == "lock.jpg" else one for one in page.pictures)
        line = replace(page.line, game=EVIL, text=EVIL)
        return replace(page, line=line, pictures=pictures)

    def picture(self, event: int, name: str) -> tuple[str, bytes]:
        return {"page": "text/html", "js": "text/javascript", "none": ""}.get(name, EVIL), b"<script>alert(1)</script>"


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> BrowserClient:
    for name in ("ADA", "BEN", "CY"):
        monkeypatch.setattr(web_archive, name, PlayerLink("a" * 16, EVIL))
    return BrowserClient(protected_app(HostileArchive()))


@pytest.mark.parametrize("path", PAGES)
def test_markup_in_names_and_sentences_is_text(hostile: BrowserClient, path: str) -> None:
    answer = hostile.get(path)
    look = InlineCodeFinder()
    look.feed(answer.text)
    assert not look.found
    assert "49" not in re.findall(r"alert\(1\)&gt;([^&]*)&", answer.text)
    if path in ("/", "/match/1", "/round/3"):
        assert answer.status_code == 200
        assert "&lt;script&gt;alert(1)" in answer.text


@pytest.mark.parametrize("name", ["page", "js", "none", "else"])
def test_non_images_are_downloads(hostile: BrowserClient, name: str) -> None:
    answer = hostile.get(f"/round/3/picture/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment"
    assert "sandbox" in answer.headers["content-security-policy"]


def test_an_internal_error_reveals_nothing(made: FakeArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("/home/box/secret.journal")

    monkeypatch.setattr(made, "match", broken)
    answer = BrowserClient(protected_app(made)).get("/match/1")
    assert answer.status_code == 500
    assert "secret" not in answer.text and "Traceback" not in answer.text
    assert answer.headers["content-security-policy"] == middleware.PAGE_POLICY


# --- large and slow bodies -------------------------------------------------------------------------------------------


def test_a_large_body_is_not_read_completely(made: FakeArchive) -> None:
    piece, pieces = b"a" * 4096, middleware.MAX_FORM_BYTES // 4096 + 1
    bodies: list[Message] = [{"type": "http.request", "body": piece, "more_body": True} for _ in range(pieces)]
    for size in ((b"transfer-encoding", b"chunked"), (b"content-length", b"20480")):
        status, said, body = raw_request(
            protected_app(made), "POST", "/round/3/mark", [*FORM_HEADERS, size], list(bodies)
        )
        assert (status, said["connection"]) == (413, "close")
        assert b"The form is too large." in body


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT"])
def test_an_unread_body_closes_the_connection(made: FakeArchive, method: str) -> None:
    announced = [(b"host", b"127.0.0.1:8321"), (b"content-length", b"9")]
    assert raw_request(protected_app(made), method, "/", announced)[1]["connection"] == "close"
    assert "connection" not in raw_request(protected_app(made), method, "/", announced[:1])[1]


def test_a_slow_body_times_out(made: FakeArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "FORM_TIMEOUT_S", 0.05)
    bodies: list[Message] = [{"type": "http.request", "body": b"token=", "more_body": True}]
    assert raw_request(protected_app(made), "POST", "/round/3/mark", FORM_HEADERS, bodies)[0] == 408


def test_a_truncated_body_is_refused(made: FakeArchive) -> None:
    body = f"token={LOCAL_TOKEN}&mark=".encode()
    bodies: list[Message] = [{"type": "http.request", "body": body, "more_body": True}, {"type": "http.disconnect"}]
    assert raw_request(protected_app(made), "POST", "/round/3/mark", FORM_HEADERS, bodies)[0] == 408
    assert not made.marks
