"""The pages behind their access control, and clients at several addresses."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from urllib.parse import quote

from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Scope

from tests.helpers.web_archive import FakeJournalError
from throwlock.review.archive import JournalArchive
from throwlock.web.app import create_app
from ui.web.access_code import AccessCodeLogin
from ui.web.middleware import LOCAL_SESSION, AccessMiddleware, csrf_token, review_area

PAGES = ("/", "/match/1", "/round/3", "/players", f"/player/{'a' * 16}", "/classroom", "/classes")
READABLE = (*PAGES, "/round/3/picture/lock.jpg", "/match/1/export/json")
WRITES = (
    "/round/3/mark",
    "/round/3/note",
    "/match/1/note",
    "/round/5/correct",
    "/classes/save",
    "/classes/delete",
    "/match/1/delete-pictures",
    f"/player/{'a' * 16}/forget",
)
LOCAL_TOKEN = csrf_token(LOCAL_SESSION)
EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7 * 7 }}&lt;"
HOSTILE_SEGMENTS = (
    "..", "../..", "../../../../etc/passwd", "..\\..\\etc\\passwd", "/etc/passwd", "//etc/passwd", "C:\\boot.ini",
    "lock.jpg\0.png", "\0", "\r\nSet-Cookie: a=b", "．．/．．/etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e",
    "%252e%252e", "lock.jpg/..", "./lock.jpg", "LOCK.JPG", "lock.jpg ", "lock.jpg'--", "' OR 1=1 --", "%", "*", EVIL,
    "é" * 300, "\u202e", "../templates/base.html", "../app.py", "file:///etc/passwd", "~root", "$HOME", "-1", "0",
    "1e3", "٣", "99999999999999999999", "9" * 500,
)  # fmt: skip
URL_TEMPLATES = (
    "/static/{}", "/round/3/picture/{}", "/round/{}", "/match/{}", "/player/{}", "/match/1/export/{}", "/{}",
    "/match/{}/export/json", "/round/{}/picture/lock.jpg",
)  # fmt: skip
FORM_HEADERS = [
    (b"host", b"127.0.0.1:8321"),
    (b"origin", b"http://127.0.0.1:8321"),
    (b"content-type", b"application/x-www-form-urlencoded"),
]


class FakeClock:
    """A manual clock, in s."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class InlineCodeFinder(HTMLParser):
    """Collects inline code and foreign addresses, which the page's policy blocks, and the links."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "style" or (tag == "script" and not (named.get("src") or "").startswith("/static/")):
            self.found.append(tag)
        if tag == "a":
            self.links.add((named.get("href") or "").partition("#")[0])
        self.found += [name for name in named if name.startswith("on") or name == "style"]
        for name in ("src", "href", "action"):
            if not (named.get(name) or "/").startswith(("/", "#", "?")) or (named.get(name) or "").startswith("//"):
                self.found.append(f"{name}={named[name]}")


class TranslatableText(HTMLParser):
    """Collects the pieces of text that a browser would translate."""

    VOID = ("meta", "link", "img", "input", "br", "source", "hr")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._kept: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self._kept.append(("translate", "no") in attrs or any(self._kept[-1:]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            self._kept.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(self._kept[-1:]):
            self.found.append(data.strip())


class BrowserClient(TestClient):
    """A client at an address; follows no redirects."""

    def __init__(self, guard: ASGIApp, base: str = "http://127.0.0.1:8321", peer: str = "127.0.0.1") -> None:
        super().__init__(guard, base_url=base, client=(peer, 50_000), follow_redirects=False)
        self.origin = base

    def send_form(self, path: str, **more: str) -> tuple[int, str]:
        """Post a form as a browser does from our own pages; return the status and the body or redirect target."""
        answer = self.post(path, data=more, headers={"Origin": self.origin})
        return answer.status_code, answer.headers.get("location", answer.text)


def protected_app(archive: JournalArchive, login: AccessCodeLogin | None = None) -> AccessMiddleware:
    @contextmanager
    def open_archive() -> Iterator[JournalArchive]:
        yield archive

    return AccessMiddleware(
        create_app(open_archive, user_errors=(FakeJournalError,)),
        ("127.0.0.1", "localhost", "box.local"),
        review_area(login) if login is not None else None,
    )


def raw_request(
    app: ASGIApp,
    method: str,
    path: str,
    headers: list[tuple[bytes, bytes]] | None = None,
    bodies: list[Message] | None = None,
) -> tuple[int, dict[str, str], bytes]:
    """Send a raw request to the app, with any method, path and body."""
    given, sent = iter(bodies or []), []
    scope: Scope = {
        "type": "http", "method": method, "path": path, "raw_path": quote(path).encode(), "root_path": "",
        "scheme": "http", "query_string": b"", "http_version": "1.1", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8321), "headers": [(b"host", b"127.0.0.1:8321")] if headers is None else headers,
    }  # fmt: skip

    async def receive() -> Message:
        for message in given:
            return message
        await asyncio.sleep(3600)  # nothing more comes
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    async def answer() -> None:
        await app(scope, receive, send)

    asyncio.run(answer())
    start = sent[0]
    found = {name.decode(): value.decode("latin-1") for name, value in start["headers"]}
    return start["status"], found, b"".join(one.get("body", b"") for one in sent[1:])


def as_xml(html: str) -> str:
    """Convert a page to XML: close void elements, give bare attributes a value."""
    html = html.replace("<!doctype html>", "")
    html = re.sub(r"<(meta|link|img|input|br)\b([^>]*?)/?>", r"<\1\2/>", html)
    return re.sub(r"<[a-z][^<>]*>", lambda tag: re.sub(r'\s([a-z-]+)(?=[\s/>])(?![^"]*"\s*=)', bare, tag[0]), html)


def bare(found: re.Match[str]) -> str:
    """Give a bare attribute a value, except inside a value."""
    before = found.string[: found.start()]
    return found[0] if before.count('"') % 2 else f' {found[1]}=""'
