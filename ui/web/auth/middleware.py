"""The guard round the review pages: who may come in, from where, with which forms, and what every answer carries. It
stands outside the app, so that no page can forget it."""

import asyncio
import hmac
import ipaddress
import logging
import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errors import ThrowlockError
from ui.web.auth.access_code import LASTS_S, Door, TooManyAttemptsError, WrongCodeError
from ui.web.auth.headers import protect
from ui.web.pages import written
from ui.web.views import Access

METHODS = ("GET", "HEAD", "POST")
COOKIE = "throwlock"
ADDRESS_LENGTH = 2_000
"""Bytes of an address with its query."""
BODY = 16_384
"""Bytes of a form: all of ours are far smaller."""
FIELDS = 20
BODY_S = 10.0
"""Seconds in which a form must have come."""
ENTER, LEAVE = "/enter", "/leave"
STATIC = re.compile(r"/static/[a-z]+\.[a-z]+", re.ASCII)
"""What needs no session: our own files, which every page looks like."""
CLOSE = {"Connection": "close"}
"""For answers to what was not read to its end."""
HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?", re.ASCII)
STRANGER: Final = Access(local=False, token="")

log = logging.getLogger("throwlock.review")


def access_of(request: Request) -> Access:
    """Who looks, as the guard found: for the pages. Whoever has not passed it is a stranger."""
    found = request.scope.get("state", {}).get("access", STRANGER)
    assert isinstance(found, Access)
    return found


class RequestRefusedError(ThrowlockError):
    """A request that is not let through. The text is for people."""

    def __init__(self, status: int, title: str, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.title, self.text, self.headers = status, title, text, headers or {}


class Guard:
    """An ASGI app that lets through to ``app`` what may come in.

    Without a ``door`` only this machine may: the peer must have a loopback address, and the address in the browser must
    name one of ``hosts`` (a site that lets its own name point here is not shown the pages). With a door everybody needs
    a session, this machine too; then the peer's address must be of a local network, and the browser must have
    been given one of ``hosts`` or an address in numbers.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Collection[str], door: Door | None = None) -> None:
        """``token`` guards the forms where there is no door: one for all who sit at this machine."""
        self._app, self._hosts, self._door = app, frozenset(hosts), door
        self._local = Access(local=True, token=token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, static = False, STATIC.fullmatch(scope["path"]) is not None

        async def protected(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                protect(MutableHeaders(scope=message), static=static, here=self._door is None)
            await send(message)

        scope.setdefault("state", {})["access"] = STRANGER
        try:
            await self._pass(Request(scope, receive), protected)
        except RequestRefusedError as refusal:
            await _page(refusal, access_of(Request(scope)))(scope, receive, protected)
        except Exception:
            log.exception("a page failed")
            if not started:
                broken = RequestRefusedError(500, "A fault of the box", "Something went wrong in the box itself.")
                await _page(broken, STRANGER)(scope, receive, protected)

    async def _pass(self, request: Request, send: Send) -> None:
        """Let a request through, or raise RequestRefusedError."""
        host = self._host(request)
        _check_shape(request)
        _check_site(request)
        scope, receive = request.scope, request.receive
        form: dict[str, str] = {}
        if request.method == "POST":
            _check_origin(request, host)
            body = await _body(request)
            form, receive = _fields(body), _again(body, request.receive)
        if self._door is not None and scope["path"] == ENTER:
            await self._enter(request, form, self._door)(scope, receive, send)
            return
        access = self._access(request)
        scope["state"]["access"] = access or STRANGER
        if request.method == "POST" and not _same(form.get("token"), access):
            raise RequestRefusedError(
                403, "Refused", "This form was made too long ago. Go back, load the page again and repeat."
            )
        if access is None and STATIC.fullmatch(scope["path"]) is None:
            await RedirectResponse(ENTER, 303)(scope, receive, send)
        elif self._door is not None and scope["path"] == LEAVE:
            await self._leave(request, self._door)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _host(self, request: Request) -> str:
        """The host the browser was given, as it stands in an origin. Raises RequestRefusedError for another's, or from
        afar."""
        peer = _address(request.client.host if request.client else "")
        near = peer is not None and (peer.is_loopback if self._door is None else not peer.is_global)
        if not near:
            raise RequestRefusedError(403, "Refused", "These pages are for this box's own network only.")
        given: list[str] = [
            value.decode("latin-1").lower() for name, value in request.scope["headers"] if name == b"host"
        ]
        found = HOST.fullmatch(given[0]) if len(given) == 1 else None
        name = found["name"] if found else ""
        numeric = self._door is not None and _address(name.strip("[]")) is not None
        if name not in self._hosts and not numeric:
            raise RequestRefusedError(
                400, "Another address", "Type the address as the box says it: under this one nothing is shown."
            )
        return given[0]

    def _access(self, request: Request) -> Access | None:
        """Who looks; None for somebody without a session."""
        if self._door is None:
            return self._local
        session = self._door.session(request.cookies.get(COOKIE, ""))
        return None if session is None else Access(local=False, token=session.token, lan=True)

    def _enter(self, request: Request, form: Mapping[str, str], door: Door) -> Response:
        """The page that asks for the code, and the way in for whoever knows it."""
        secret = request.cookies.get(COOKIE, "")
        if request.method != "POST":
            return RedirectResponse("/", 303) if door.session(secret) is not None else _asking()
        assert request.client is not None  # or the guard had not let it through
        try:
            fresh = door.enter(request.client.host, form.get("code", ""))
        except TooManyAttemptsError as wait:
            seconds = math.ceil(wait.seconds)
            text = f"Too many wrong codes were tried. Wait {_span(seconds)}, then try again."
            return _asking(429, text, {"Retry-After": str(seconds)})
        except WrongCodeError:
            return _asking(403, "That is not the code. Look at the box again: it may have a new one by now.")
        door.leave(secret)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, fresh, max_age=int(LASTS_S), httponly=True, samesite="strict", path="/")
        return answer

    def _leave(self, request: Request, door: Door) -> Response:
        """End the session: only by its form."""
        if request.method != "POST":
            raise RequestRefusedError(405, "Not possible", "Leave by the button of a page.", {"Allow": "POST"})
        door.leave(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse(ENTER, 303)
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict", path="/")
        return answer


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _check_shape(request: Request) -> None:
    """Refuse methods nothing here has, and addresses longer than any of ours."""
    if request.method not in METHODS:
        raise RequestRefusedError(
            405, "Not possible", "That can't be done with these pages.", {"Allow": ", ".join(METHODS)}
        )
    if len(request.scope["path"]) + len(request.scope["query_string"]) > ADDRESS_LENGTH:
        raise RequestRefusedError(414, "Too long", "No page here has so long an address.")


def _check_site(request: Request) -> None:
    """Refuse what another site builds into its own pages, where the browser says so: it may only lead here."""
    site, mode = request.headers.get("sec-fetch-site"), request.headers.get("sec-fetch-mode")
    framed = request.headers.get("sec-fetch-dest") in ("iframe", "frame", "object", "embed")
    if site in ("cross-site", "same-site") and (mode != "navigate" or framed):
        raise RequestRefusedError(403, "Refused", "Another site asked for this.")


def _check_origin(request: Request, host: str) -> None:
    """Refuse forms of other sites, and of what does not say where its form comes from."""
    said = request.headers
    site, ours = said.get("sec-fetch-site"), f"http://{host}"
    if "origin" in said:
        same = said["origin"].lower() == ours
    elif "referer" in said:
        same = said["referer"].lower().startswith(f"{ours}/")
    else:
        same = site is not None
    if not same or site not in (None, "same-origin"):
        raise RequestRefusedError(403, "Refused", "This form does not come from these pages.")


async def _body(request: Request) -> bytes:
    """The whole of a form. Raises RequestRefusedError for what is no form, too large or too slow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise RequestRefusedError(415, "Not possible", "These pages read nothing but their own forms.")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await request.receive()
                body += message.get("body", b"")
                if len(body) > BODY:
                    raise RequestRefusedError(413, "Too much", "That was more than these pages take.", CLOSE)
                if message["type"] == "http.disconnect":
                    raise RequestRefusedError(400, "Cut off", "Only part of the form came.", CLOSE)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise RequestRefusedError(408, "Too slow", "The form did not come in time.", CLOSE) from None


def _fields(body: bytes) -> dict[str, str]:
    """The fields of a form, each the last of its name. Raises RequestRefusedError."""
    try:
        read = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError:  # UnicodeDecodeError is one
        raise RequestRefusedError(400, "Not possible", "These pages read nothing but their own forms.") from None
    return {name: values[-1] for name, values in read.items()}


def _again(body: bytes, rest: Receive) -> Receive:
    """Gives a body that was read once more, for the page."""
    messages: Iterable[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        for message in messages:
            return message
        return await rest()

    return receive


def _same(token: str | None, access: Access | None) -> bool:
    """Whether a form carries the token of whoever sends it."""
    if token is None or access is None:
        return False
    return hmac.compare_digest(token.encode(errors="replace"), access.token.encode())


def _page(refusal: RequestRefusedError, access: Access) -> Response:
    html = written("fault.html", access, title=refusal.title, text=refusal.text)
    return HTMLResponse(html, refusal.status, refusal.headers)


def _asking(status: int = 200, fault: str = "", headers: Mapping[str, str] | None = None) -> Response:
    return HTMLResponse(written("enter.html", STRANGER, fault=fault), status, headers)


def _span(seconds: int) -> str:
    if seconds >= 120:
        return f"{math.ceil(seconds / 60)} minutes"
    return f"{seconds} second" if seconds == 1 else f"{seconds} seconds"
