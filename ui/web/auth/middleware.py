"""Access control of the review pages as ASGI middleware: hosts, addresses, sessions, CSRF, request limits and security
headers, applied outside the app so that no page can forget them."""

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
from ui.web.auth.access_code import SESSION_LIFETIME_S, AccessCodeLogin, TooManyAttemptsError, WrongCodeError
from ui.web.auth.headers import add_security_headers
from ui.web.pages import render_template
from ui.web.views import Access

ALLOWED_METHODS = ("GET", "HEAD", "POST")
SESSION_COOKIE = "throwlock"
MAX_URL_BYTES = 2_000
"""Of path and query."""
MAX_FORM_BYTES = 16_384
"""All our forms are far smaller."""
MAX_FORM_FIELDS = 20
FORM_TIMEOUT_S = 10.0
"""Time limit for receiving a form."""
LOGIN_PATH, LOGOUT_PATH = "/enter", "/leave"
STATIC_PATH = re.compile(r"/static/[a-z]+\.[a-z]+", re.ASCII)
"""Static files need no session: the login page uses them."""
CLOSE_CONNECTION = {"Connection": "close"}
"""For responses to requests whose body was not read to the end."""
HOST_PATTERN = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?", re.ASCII)
ANONYMOUS: Final = Access(local=False, token="")

log = logging.getLogger("throwlock.review")


def get_access(request: Request) -> Access:
    """Return the access that the middleware granted a request; anonymous where it granted none."""
    found = request.scope.get("state", {}).get("access", ANONYMOUS)
    assert isinstance(found, Access)
    return found


class HttpError(ThrowlockError):
    """A refused request, with the status and the text of its error page."""

    def __init__(self, status: int, title: str, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.title, self.text, self.headers = status, title, text, headers or {}


class AccessMiddleware:
    """An ASGI app that passes allowed requests on to ``app``.

    Without ``login`` only this machine has access: the peer must have a loopback address, and the Host header must be
    one of ``hosts`` (against DNS rebinding). With it every client needs a session, this machine too; the peer's address
    must then be on a local network, and the Host header one of ``hosts`` or an IP address.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Collection[str], login: AccessCodeLogin | None = None) -> None:
        """``token`` protects forms where there is no login: one token for everybody on this machine."""
        self._app, self._hosts, self._login = app, frozenset(hosts), login
        self._local = Access(local=True, token=token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._respond(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, static = False, STATIC_PATH.fullmatch(scope["path"]) is not None

        async def protected(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                add_security_headers(MutableHeaders(scope=message), static=static, local=self._login is None)
            await send(message)

        scope.setdefault("state", {})["access"] = ANONYMOUS
        try:
            await self._handle(Request(scope, receive), protected)
        except HttpError as error:
            await _error_page(error, get_access(Request(scope)))(scope, receive, protected)
        except Exception:
            log.exception("a page failed")
            if not started:
                broken = HttpError(500, "Internal error", "Something went wrong in the box.")
                await _error_page(broken, ANONYMOUS)(scope, receive, protected)

    async def _handle(self, request: Request, send: Send) -> None:
        """Pass a request on. Raises HttpError when it is refused."""
        host = self._check_host(request)
        _check_shape(request)
        _check_site(request)
        scope, receive = request.scope, request.receive
        form: dict[str, str] = {}
        if request.method == "POST":
            _check_origin(request, host)
            body = await _read_form(request)
            form, receive = _parse_form(body), _replay_body(body, request.receive)
        if self._login is not None and scope["path"] == LOGIN_PATH:
            await self._log_in(request, form, self._login)(scope, receive, send)
            return
        access = self._get_access(request)
        scope["state"]["access"] = access or ANONYMOUS
        if request.method == "POST" and not _is_valid_token(form.get("token"), access):
            raise HttpError(403, "Refused", "This form has expired. Go back, reload the page and try again.")
        if access is None and STATIC_PATH.fullmatch(scope["path"]) is None:
            await RedirectResponse(LOGIN_PATH, 303)(scope, receive, send)
        elif self._login is not None and scope["path"] == LOGOUT_PATH:
            await self._log_out(request, self._login)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check_host(self, request: Request) -> str:
        """Return the Host header as it appears in an origin. Raises HttpError for a wrong host or a peer that is not
        local."""
        peer = _parse_address(request.client.host if request.client else "")
        is_near = peer is not None and (peer.is_loopback if self._login is None else not peer.is_global)
        if not is_near:
            raise HttpError(403, "Refused", "These pages are only for the network of this box.")
        hosts: list[str] = [
            value.decode("latin-1").lower() for name, value in request.scope["headers"] if name == b"host"
        ]
        found = HOST_PATTERN.fullmatch(hosts[0]) if len(hosts) == 1 else None
        name = found["name"] if found else ""
        numeric = self._login is not None and _parse_address(name.strip("[]")) is not None
        if name not in self._hosts and not numeric:
            raise HttpError(400, "Wrong address", "Type the address exactly as the box shows it.")
        return hosts[0]

    def _get_access(self, request: Request) -> Access | None:
        """Return the access of a request, None without a session."""
        if self._login is None:
            return self._local
        session = self._login.session(request.cookies.get(SESSION_COOKIE, ""))
        return None if session is None else Access(local=False, token=session.token, lan=True)

    def _log_in(self, request: Request, form: Mapping[str, str], login: AccessCodeLogin) -> Response:
        """Show the login page, or log in with the code in its form."""
        secret = request.cookies.get(SESSION_COOKIE, "")
        if request.method != "POST":
            return RedirectResponse("/", 303) if login.session(secret) is not None else _login_page()
        assert request.client is not None  # checked by _check_host
        try:
            new_secret = login.log_in(request.client.host, form.get("code", ""))
        except TooManyAttemptsError as error:
            seconds = math.ceil(error.seconds)
            text = f"Too many wrong codes. Wait {_format_wait(seconds)}, then try again."
            return _login_page(429, text, {"Retry-After": str(seconds)})
        except WrongCodeError:
            return _login_page(403, "Wrong code. Check the box again: the code may have changed.")
        login.log_out(secret)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            SESSION_COOKIE, new_secret, max_age=int(SESSION_LIFETIME_S), httponly=True, samesite="strict", path="/"
        )
        return answer

    def _log_out(self, request: Request, login: AccessCodeLogin) -> Response:
        """End the session; POST only."""
        if request.method != "POST":
            raise HttpError(405, "Not allowed", "Use the Log out button of a page.", {"Allow": "POST"})
        login.log_out(request.cookies.get(SESSION_COOKIE, ""))
        answer = RedirectResponse(LOGIN_PATH, 303)
        answer.delete_cookie(SESSION_COOKIE, httponly=True, samesite="strict", path="/")
        return answer


def _parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _check_shape(request: Request) -> None:
    """Refuse unused methods and overlong URLs."""
    if request.method not in ALLOWED_METHODS:
        raise HttpError(
            405, "Not allowed", "These pages do not support that method.", {"Allow": ", ".join(ALLOWED_METHODS)}
        )
    if len(request.scope["path"]) + len(request.scope["query_string"]) > MAX_URL_BYTES:
        raise HttpError(414, "Too long", "The address is too long.")


def _check_site(request: Request) -> None:
    """Refuse cross-site requests, where the browser reports them; plain links are fine."""
    site, mode = request.headers.get("sec-fetch-site"), request.headers.get("sec-fetch-mode")
    framed = request.headers.get("sec-fetch-dest") in ("iframe", "frame", "object", "embed")
    if site in ("cross-site", "same-site") and (mode != "navigate" or framed):
        raise HttpError(403, "Refused", "Another site sent this request.")


def _check_origin(request: Request, host: str) -> None:
    """Refuse forms from other sites, and without any sign of their origin."""
    headers = request.headers
    site, ours = headers.get("sec-fetch-site"), f"http://{host}"
    if "origin" in headers:
        same = headers["origin"].lower() == ours
    elif "referer" in headers:
        same = headers["referer"].lower().startswith(f"{ours}/")
    else:
        same = site is not None
    if not same or site not in (None, "same-origin"):
        raise HttpError(403, "Refused", "This form was not sent from these pages.")


async def _read_form(request: Request) -> bytes:
    """Return the body of a form. Raises HttpError when it is no form, too large or too slow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HttpError(415, "Not allowed", "These pages accept only their own forms.")
    body = bytearray()
    try:
        async with asyncio.timeout(FORM_TIMEOUT_S):
            while True:
                message = await request.receive()
                body += message.get("body", b"")
                if len(body) > MAX_FORM_BYTES:
                    raise HttpError(413, "Too large", "The form is too large.", CLOSE_CONNECTION)
                if message["type"] == "http.disconnect":
                    raise HttpError(400, "Incomplete", "Only part of the form arrived.", CLOSE_CONNECTION)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise HttpError(408, "Too slow", "The form did not arrive in time.", CLOSE_CONNECTION) from None


def _parse_form(body: bytes) -> dict[str, str]:
    """Return the fields of a form, the last of each name. Raises HttpError."""
    try:
        read = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FORM_FIELDS)
    except ValueError:  # UnicodeDecodeError is one
        raise HttpError(400, "Not allowed", "These pages accept only their own forms.") from None
    return {name: values[-1] for name, values in read.items()}


def _replay_body(body: bytes, receive_rest: Receive) -> Receive:
    """Return a ``receive`` that first repeats a body that was already read."""
    messages: Iterable[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        for message in messages:
            return message
        return await receive_rest()

    return receive


def _is_valid_token(token: str | None, access: Access | None) -> bool:
    """Return whether a form carries its sender's token."""
    if token is None or access is None:
        return False
    return hmac.compare_digest(token.encode(errors="replace"), access.token.encode())


def _error_page(error: HttpError, access: Access) -> Response:
    html = render_template("error.html", access, title=error.title, text=error.text)
    return HTMLResponse(html, error.status, error.headers)


def _login_page(status: int = 200, error: str = "", headers: Mapping[str, str] | None = None) -> Response:
    return HTMLResponse(render_template("enter.html", ANONYMOUS, error=error), status, headers)


def _format_wait(seconds: int) -> str:
    if seconds >= 120:
        return f"{math.ceil(seconds / 60)} minutes"
    return f"{seconds} second" if seconds == 1 else f"{seconds} seconds"
