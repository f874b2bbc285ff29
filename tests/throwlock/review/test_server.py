"""The review server over real sockets: command, errors, access code, limits on connections."""

import asyncio
import contextlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from starlette.responses import StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.helpers.journals import chain_problems
from tests.helpers.waiting import LIMIT_S
from tests.helpers.web_guard import EVIL, HOSTILE_SEGMENTS, URL_TEMPLATES, InlineCodeFinder
from throwlock.cli.main import run_command
from throwlock.journal.journal import Journal, JournalError, match_started
from throwlock.pads.table import PadTable
from throwlock.tv.second_screen import SecondScreen
from throwlock.web import serving
from throwlock.web.server import ReviewServer, without_folders
from throwlock.web.serving import ServerError, local_addresses
from tools.sample_journal import write_sample_journal
from ui.web import access_code
from ui.web.views import Access

HOST = b"Host: 127.0.0.1:%d\r\n"
THROWLOCK = [str(Path(sys.executable).parent / "throwlock")]


@pytest.fixture(scope="module")
def journal_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of three matches."""
    path = tmp_path_factory.mktemp("box") / "evening.journal"
    write_sample_journal(path, 3, seed=1)
    return path


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.fixture
def review(journal_path: Path) -> Iterator[ReviewServer]:
    with ReviewServer(journal_path, port=0) as review:
        yield review


@contextlib.contextmanager
def browser(review: ReviewServer) -> Iterator[httpx.Client]:
    base = f"http://127.0.0.1:{review.port}"
    with httpx.Client(base_url=base, headers={"Origin": base}, timeout=LIMIT_S, trust_env=False) as client:
        yield client


def send_request(port: int, request: bytes, then: bytes = b"") -> bytes:
    """Send bytes and return the response until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as line:
        came = b""
        with contextlib.suppress(ConnectionError):
            line.sendall(request)
            line.sendall(then)
            while piece := line.recv(65536):
                came += piece
        return came


def test_it_listens_on_this_machine_only(review: ReviewServer) -> None:
    assert review.code is None
    with browser(review) as client:
        assert client.get("/").status_code == 200
    for address in local_addresses():
        with pytest.raises(OSError):
            socket.create_connection((address, review.port), timeout=LIMIT_S).close()


def test_a_complete_visit_over_the_network(journal_path: Path) -> None:
    with ReviewServer(journal_path, lan=True, port=0) as review, browser(review) as client:
        assert client.get("/").headers["location"] == "/enter"
        assert client.post("/enter", data={"code": review.code}).headers["location"] == "/"
        home = client.get("/")
        match = re.search(r'href="(/match/\d+)"', home.text)
        assert match
        found = re.search(r'href="(/round/\d+)"', client.get(match[1]).text)
        assert found
        page = client.get(found[1])
        token = re.search(r'name="token" value="([^"]+)"', page.text)
        assert token
        marked = client.post(f"{found[1]}/mark", data={"token": token[1], "mark": "to review"})
        assert marked.headers["location"].startswith(found[1])
        assert "Marked" in client.get(found[1]).text
        assert client.post("/leave", data={"token": token[1]}).headers["location"] == "/enter"
        assert client.get("/").headers["location"] == "/enter"


def test_it_shows_new_events_of_a_running_box(tmp_path: Path) -> None:
    path = tmp_path / "party.journal"
    write_sample_journal(path, 1)
    with Journal(path) as journal, ReviewServer(path, port=0) as review, browser(review) as client:
        assert client.get("/players").status_code == 200
        began = journal.events(journal.matches()[-1])[0]
        for _ in range(3):
            number = journal.start_match(match_started([began]), ("Zoë", "Ygritte"))
            assert client.get(f"/match/{number}").status_code == 200
            assert "Ygritte" in client.get("/").text
    assert chain_problems(path) == []


def test_every_start_has_a_new_code_and_no_sessions(journal_path: Path) -> None:
    review = ReviewServer(journal_path, lan=True, port=0)
    review.start()
    with browser(review) as client:
        before = review.code
        client.post("/enter", data={"code": before})
        cookies = dict(client.cookies)
    review.stop()
    assert review.code is None
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", review.port), timeout=LIMIT_S).close()
    review.stop()
    review.start()
    with browser(review) as client:
        assert review.code != before
        client.cookies.update(cookies)
        assert client.get("/").headers["location"] == "/enter"
    review.stop()


def test_the_code_changes_after_wrong_guesses(journal_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_code, "ADDRESS_LIMITS", ())
    said: list[str] = []
    with ReviewServer(journal_path, lan=True, port=0, on_new_code=said.append) as review, browser(review) as client:
        before = review.code
        for _ in range(access_code.ROTATE_AFTER_ATTEMPTS):
            assert client.post("/enter", data={"code": "FFFFFFFF"}).status_code == 403
        assert said == [review.code] != [before]
        assert review.code_rotations == 1


def test_no_url_reaches_a_file(review: ReviewServer, journal_path: Path) -> None:
    rest = b" HTTP/1.1\r\nConnection: close\r\n" + HOST % review.port + b"\r\n"
    for place in URL_TEMPLATES:
        for strange in HOSTILE_SEGMENTS:
            path = place.format(quote(strange, safe="")).encode()
            came = send_request(review.port, b"GET " + path + rest)
            assert came.split()[1] in (b"307", b"404", b"414"), path
            for never in (b"root:", b"Traceback", str(journal_path.parent).encode(), b"<script>alert"):
                assert never not in came, path


def test_markup_in_names_is_text(tmp_path: Path) -> None:
    path = tmp_path / "party.journal"
    write_sample_journal(path, 2, seed=3)
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE player SET name = ? || key", (EVIL,))
    with ReviewServer(path, port=0) as review, browser(review) as client:
        seen, ahead, evil = set(), ["/"], 0
        while ahead:
            seen.add(now := ahead.pop())
            answer = client.get(now)
            assert answer.status_code == 200, now
            if not answer.headers["content-type"].startswith("text/html"):
                continue
            assert "<script>alert" not in answer.text and "onerror=alert(1)>" not in answer.text, now
            evil += "&lt;script&gt;alert(1)" in answer.text
            if "attachment" in answer.headers.get("content-disposition", ""):
                continue
            look = InlineCodeFinder()
            look.feed(answer.text)
            assert not look.found, now
            ahead += [link for link in look.links - seen - set(ahead) if link]
        assert evil > 5
        assert any("/player/" in link for link in seen) and "/classroom" in seen


def test_journal_errors_omit_folders(tmp_path: Path) -> None:
    path = tmp_path / "party.journal"
    write_sample_journal(path, 1)
    with ReviewServer(path, port=0) as review, browser(review) as client:
        path.write_bytes(b"Dear diary, " * 1000)
        answer = client.get("/")
        assert answer.status_code == 503
        assert "party.journal" in answer.text
        assert str(tmp_path) not in answer.text


@pytest.mark.parametrize(
    "fault",
    ["{}/party.journal is damaged: keep the file", "it: {}/a b/party.journal", "see {}/party.journal, {}/other."],
)
def test_folders_are_removed_from_messages(tmp_path: Path, fault: str) -> None:
    folder = tmp_path / "my games"
    said = without_folders(fault.format(folder, folder), folder / "party.journal")
    assert "party.journal" in said
    assert "/" not in said.replace("a b/", "")


@pytest.mark.parametrize("said", ["keep it and/or go on", "free some space and go on", "2026/11/21"])
def test_other_slashes_stay_in_messages(said: str) -> None:
    assert without_folders(said, Path("party.journal")) == said


# --- garbage ---------------------------------------------------------------------------------------------------------

GARBAGE = (
    b"\r\n\r\n",
    b"\0" * 1000,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 500,  # somebody tries https
    b"GET / HTTP/9.9\r\nHOST\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET /\r\n\r\n",
    b"GET / HTTP/1.1\r\nHOSTHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\nHOST\r\n",
    b"GET / HTTP/1.1\r\nHOSTHOST\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHOST\r\n",
    b"GET //evil.example/ HTTP/1.1\r\nHOST\r\n",
    b"GET /match/1%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHOST\r\n",
    b"GET / HTTP/1.1\r\nHOSTX: a\nSet-Cookie: a=b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHOSTX\0: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHOST Content-Length: 5\r\n\r\n",
    b"POST /enter HTTP/1.1\r\nHOSTContent-Length: -1\r\n\r\n",
    b"POST /enter HTTP/1.1\r\nHOSTContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n",
    b"POST /enter HTTP/1.1\r\nHOSTContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    b"POST /enter HTTP/1.1\r\nHOSTTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHOST\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/1.1\r\nHOSTConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: aaaa\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHOST\r\n",
    b"GET / HTTP/1.1\r\nHOST" + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHOST" + b"X: a\r\n" * 20_000 + b"\r\n",
)


@pytest.fixture
def impatient(journal_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReviewServer]:
    """A server that looks for stalled connections as often as uvicorn allows: every second."""
    monkeypatch.setattr(serving, "STALL_CHECK_S", 0)
    with ReviewServer(journal_path, port=0) as review:
        yield review


def test_garbage_requests_break_nothing(impatient: ReviewServer, capfd: pytest.CaptureFixture[str]) -> None:
    answers = send_all(impatient.port, *(garbage.replace(b"HOST", HOST % impatient.port) for garbage in GARBAGE))
    for garbage, came in zip(GARBAGE, answers, strict=True):
        head, _, body = came.partition(b"\r\n\r\n")
        assert not came or re.match(rb"HTTP/1\.1 (200|4\d\d) ", came), (garbage[:80], came[:200])
        assert b"a=b" not in head and b"Traceback" not in body and b"101 " not in head[:20], garbage[:80]
        assert not (came.startswith(b"HTTP/1.1 200") and b"evil" in garbage), garbage[:80]
    with browser(impatient) as client:
        assert client.get("/").status_code == 200
    assert "Traceback" not in capfd.readouterr().err


def test_a_large_body_is_cut_off(review: ReviewServer) -> None:
    head = b"POST /enter HTTP/1.1\r\n" + HOST % review.port
    head += b"Origin: http://127.0.0.1:%d\r\nContent-Type: application/x-www-form-urlencoded\r\n" % review.port
    for more in (b"Content-Length: 900000000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n10000\r\n"):
        came = send_request(review.port, head + more, b"a" * 30_000_000)
        assert not came or came.startswith(b"HTTP/1.1 413")  # closing on somebody who still sends may lose the answer
    with browser(review) as client:
        assert client.get("/").status_code == 200


# --- visitors who take their time ------------------------------------------------------------------------------------


def connect(port: int, address: str = "127.0.0.1") -> socket.socket:
    """Connect to a port of this machine, from any of its 127.x.x.x addresses."""
    return socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S, source_address=(address, 0))


def test_stalled_requests_are_closed(impatient: ReviewServer) -> None:
    host = HOST % impatient.port
    starts = (b"", b"GET / HT", b"GET / HTTP/1.1\r\n" + host, b"POST /enter HTTP/1.1\r\nX: ")
    second = b"GET /static/icon.svg HTTP/1.1\r\n" + host + b"\r\nGET / HT"
    for came in send_all(impatient.port, *starts):
        assert came == b""
    for came in send_all(impatient.port, second):
        assert came.startswith(b"HTTP/1.1 200") and came.count(b"HTTP/1.1") == 1


def send_all(port: int, *requests: bytes) -> list[bytes]:
    """Send each request on a connection of its own, all at once; return what comes until the server closes them."""
    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(lambda request: send_request(port, request), requests))


def test_a_page_opens_from_the_box_while_others_hold_every_connection(journal_path: Path) -> None:
    with ReviewServer(journal_path, port=0) as review, contextlib.ExitStack() as held:
        for number in range(serving.MAX_CONNECTIONS + 50):
            line = held.enter_context(connect(review.port, f"127.0.0.{2 + number % 20}"))
            line.sendall(b"GET / HTTP/1.1\r\nX: ")
        with browser(review) as client:
            assert client.get("/").status_code == 200


def test_an_address_with_too_many_connections_loses_its_oldest(
    journal_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MAX_CONNECTIONS_PER_ADDRESS", 5)
    monkeypatch.setattr(serving, "KEEP_ALIVE_S", 600)
    with ReviewServer(journal_path, port=0) as review, contextlib.ExitStack() as held:
        other = held.enter_context(connect(review.port, "127.0.0.9"))
        lines = [held.enter_context(connect(review.port)) for _ in range(5)]
        for line in (other, *lines, lines[0]):  # the first asks again
            get_icon(line)
        newest = held.enter_context(connect(review.port))
        get_icon(newest)
        assert lines[1].recv(1) == b"", "idle for longest"
        for line in (lines[0], *lines[2:], newest, other):
            get_icon(line)


def get_icon(line: socket.socket) -> None:
    """Get the icon on an open connection."""
    line.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    came = b""
    while not came.endswith(b"</svg>\n"):
        piece = line.recv(65536)
        assert piece, "the server closed the connection"
        came += piece


@pytest.fixture
def listener() -> Iterator[serving.LimitedListener]:
    with serving.LimitedListener() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener


async def await_app(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


def run_app(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    asyncio.run(await_app(app, scope, receive, send))


def answer_with(listener: serving.LimitedListener, client: socket.socket, app: Callable[[], Awaitable[None]]) -> None:
    """Run an app as the answer to a client's request."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await app()

    run_app(listener.watch(answer), request_on(client), nothing_comes, nothing_goes)


def request_on(client: socket.socket) -> Scope:
    """Return what ASGI says of a request."""
    return {"type": "http", "client": client.getsockname(), "server": client.getpeername()}


async def nothing_comes() -> Message:
    raise AssertionError


async def nothing_goes(_: Message) -> None:
    raise AssertionError


async def do_nothing(*_: object) -> None:
    pass


def test_only_idle_connections_are_stalled(listener: serving.LimitedListener) -> None:
    with connect(listener.getsockname()[1]) as client, listener.accept()[0] as accepted:
        accepted.setblocking(False)

        async def check_twice() -> None:
            await listener.close_stalled()
            await listener.close_stalled()
            with pytest.raises(BlockingIOError):
                accepted.recv(1)  # still open

        answer_with(listener, client, check_twice)
        asyncio.run(listener.close_stalled())
        answer_with(listener, client, do_nothing)
        asyncio.run(listener.close_stalled())
        with pytest.raises(BlockingIOError):
            accepted.recv(1)
        asyncio.run(listener.close_stalled())
        assert accepted.recv(1) == b""
        accepted.sendall(b"the rest of a response")
        assert client.recv(100) == b"the rest of a response"


def test_no_connection_makes_room_while_it_is_answered(listener: serving.LimitedListener) -> None:
    listener.max_connections = 1
    port = listener.getsockname()[1]
    with connect(port) as first, listener.accept()[0], connect(port, "127.0.0.2") as second, connect(port) as third:

        async def accept_another() -> None:
            with pytest.raises(ConnectionAbortedError):
                listener.accept()

        answer_with(listener, first, accept_another)
        assert second.recv(1) == b""
        with listener.accept()[0]:
            assert first.recv(1) == b""
            third.sendall(b"stays open")


SLOW_FORM = (
    b"POST DOOR HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 9\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\ncode="
)


@pytest.mark.parametrize(("door", "home"), [("/enter", "/"), ("/join", "/pad"), ("/tv", "/watch")])
def test_a_person_gets_in_and_stays_in_while_others_send_slow_forms(journal_path: Path, door: str, home: str) -> None:
    with (
        ReviewServer(journal_path, lan=True, port=0, pads=PadTable(), tv=SecondScreen()) as review,
        contextlib.ExitStack() as held,
    ):
        code = {"/enter": review.code, "/join": review.pad_code, "/tv": review.tv_code}[door]
        inside = held.enter_context(browser(review))
        assert inside.post(door, data={"code": code}).status_code == 303
        for number in range(serving.MAX_CONNECTIONS + 50):
            line = held.enter_context(connect(review.port, f"127.0.0.{2 + number % 8}"))
            line.sendall(SLOW_FORM.replace(b"DOOR", door.encode()))
        assert inside.get(home).status_code == 200
        with browser(review) as client:
            assert client.post(door, data={"code": code}).status_code == 303


@pytest.mark.parametrize("is_logged_in", [True, False])
def test_strangers_make_room_before_those_who_are_logged_in(
    listener: serving.LimitedListener, is_logged_in: bool
) -> None:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"] = {"access": Access(local=False, token="", lan=is_logged_in)}

    listener.max_connections = 2
    port = listener.getsockname()[1]
    with connect(port) as person, listener.accept()[0], connect(port, "127.0.0.2") as stranger, listener.accept()[0]:
        for client, app in ((person, answer), (stranger, do_nothing)):
            run_app(listener.watch(app), request_on(client), nothing_comes, nothing_goes)
        with connect(port), listener.accept()[0]:
            assert (stranger if is_logged_in else person).recv(1) == b""


def test_address_with_the_most_connections_makes_room(listener: serving.LimitedListener) -> None:
    listener.max_connections = 3
    port = listener.getsockname()[1]
    with contextlib.ExitStack() as opened:
        person, first, second, other = (
            opened.enter_context(connect(port, f"127.0.0.{address}")) for address in (1, 2, 2, 3)
        )
        for _ in range(4):
            opened.enter_context(listener.accept()[0])
        assert first.recv(1) == b"", "of those of its address it has waited for longest"
        for line in (person, second, other):
            line.settimeout(0)
            with pytest.raises(BlockingIOError):
                line.recv(1)


@pytest.mark.parametrize("has_all", [False, True], ids=["for the rest of a request", "to hear that it is gone"])
def test_a_client_that_the_box_waits_for_makes_room(listener: serving.LimitedListener, has_all: bool) -> None:
    requests = iter([{"type": "http.request", "more_body": not has_all}])

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await receive()

    async def receive() -> Message:
        if request := next(requests, None):
            return request
        with pytest.raises(ConnectionAbortedError) if has_all else contextlib.nullcontext():
            listener.accept()[0].close()
        return {"type": "http.disconnect"}

    listener.max_connections = 1
    port = listener.getsockname()[1]
    with connect(port) as slow, listener.accept()[0], connect(port):
        run_app(listener.watch(answer), request_on(slow), receive, do_nothing)
        slow.settimeout(0 if has_all else 60)
        with pytest.raises(BlockingIOError) if has_all else contextlib.nullcontext():
            assert slow.recv(1) == b""


def test_a_live_page_is_not_stalled(listener: serving.LimitedListener) -> None:
    """Its answer goes on for minutes, while the server waits to hear that the browser is gone."""
    requests = iter([{"type": "http.request"}])

    async def read_stream(client: socket.socket, accepted: socket.socket) -> None:
        is_listening = asyncio.Event()

        async def receive() -> Message:
            if request := next(requests, None):
                return request
            is_listening.set()
            return await asyncio.get_running_loop().create_future()

        async def stream() -> AsyncIterator[str]:
            await is_listening.wait()
            await listener.close_stalled()
            await listener.close_stalled()
            with pytest.raises(BlockingIOError):
                accepted.recv(1)  # still open
            yield "seen"

        came: list[bytes] = []

        async def send(message: Message) -> None:
            came.append(message.get("body", b""))

        await listener.watch(StreamingResponse(stream()))(request_on(client), receive, send)
        assert b"seen" in came

    with connect(listener.getsockname()[1]) as client, listener.accept()[0] as accepted:
        accepted.setblocking(False)
        asyncio.run(read_stream(client, accepted))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_the_network_reaches_it_by_ipv6_and_ipv4(journal_path: Path) -> None:
    with ReviewServer(journal_path, lan=True, port=0) as review:
        for host in ("[::1]", "127.0.0.1"):
            with httpx.Client(base_url=f"http://{host}:{review.port}", trust_env=False, timeout=60) as client:
                sent = {"Origin": f"http://{host}:{review.port}"}
                assert client.post("/enter", data={"code": review.code}, headers=sent).status_code == 303
                assert client.get("/").status_code == 200


def test_a_machine_without_ipv6_has_the_pages_by_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with serving.listen(serving.EVERY_ADDRESS, 0) as listening:
        assert listening.getsockname()[0] == "0.0.0.0"


def test_a_box_has_the_names_that_its_router_gives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = tmp_path / "resolv.conf"
    resolver.write_text("# told by the router\nnameserver 192.168.1.1\nsearch Club.Example. .\n")
    monkeypatch.setattr(serving, "RESOLVER_FILE", resolver)
    monkeypatch.setattr(socket, "gethostname", lambda: "Box.office")
    names = serving.local_host_names(("referee.club.example.", "Table-2"))
    assert {"localhost", "box", "box.office", "box.local", "box.lan", "box.fritz.box", "box.club.example"} <= {*names}
    assert {"referee.club.example", "table-2"} <= {*names}
    assert not {"local", "club.example", "evil.club.example", "box.", "box.evil.example"} & {*names}
    resolver.unlink()
    assert "box.lan" in serving.local_host_names()


def test_clients_that_stop_reading_are_closed_by_the_kernel() -> None:
    with serving.listen("127.0.0.1", 0) as listening, connect(listening.getsockname()[1]), listening.accept()[0] as one:
        limit_ms = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert limit_ms == 2_000 * serving.STALL_CHECK_S == 20_000


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_command_prints_the_url_and_stops_cleanly(journal_path: Path, how: signal.Signals, tmp_path: Path) -> None:
    command = [*THROWLOCK, "review", "--journal", str(journal_path), "--port", "0"]
    command += ["--lan"] if how == signal.SIGTERM else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None and run.stderr is not None
        said = ""
        while "Ctrl-C" not in said:
            line = run.stdout.readline()
            assert line, run.stderr.read()
            said += line
        found = re.search(r"http://[^/\s]+:([1-9]\d+)", said)
        assert found is not None
        answer = httpx.get(f"http://127.0.0.1:{found[1]}/", trust_env=False, timeout=LIMIT_S)
        run.send_signal(how)
        assert run.wait(LIMIT_S) == 0
        assert run.stderr.read() == ""
    if how == signal.SIGTERM:
        assert answer.headers["location"] == "/enter"
        assert re.search(r"^Code: [A-Z0-9]{4}-[A-Z0-9]{4}$", said, re.MULTILINE)
    else:
        assert answer.status_code == 200
        assert f"http://127.0.0.1:{found[1]}" in said and "Code" not in said


def test_it_needs_no_camera_and_no_screen() -> None:
    program = "import sys, throwlock.web.server; print(*sorted({'cv2', 'pygame', 'mediapipe'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_command_errors_are_one_line(tmp_path: Path, journal_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("Dear diary, today we threw rock again.\n" * 20)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for args, word in (
            (["--journal", str(tmp_path / "none.journal")], "no such file"),
            ([], "play a match first"),
            (["--journal", str(tmp_path / "text")], "is not a Throwlock journal"),
            (["--journal", str(tmp_path)], "is not a file"),
            (["--journal", str(journal_path), "--port", port], "--port"),
            (["--journal", str(journal_path), "--port", port, "--lan"], "--port"),
            (["--journal", str(journal_path), "--port", "-1"], "-1"),
            (["--journal", str(journal_path), "--port", "65536"], "65536"),
        ):
            assert run_command(["review", *args]) == 2, args
            said = capsys.readouterr()
            assert said.out == ""
            assert said.err.count("\n") == 1 and word in said.err, args


def test_start_raises_the_same_errors(tmp_path: Path, journal_path: Path) -> None:
    with pytest.raises(JournalError):
        ReviewServer(tmp_path).start()
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ServerError):
        ReviewServer(journal_path, port=taken.getsockname()[1]).start()
