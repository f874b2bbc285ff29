"""Access control of the review pages, the phones' pads and second screens, as ASGI middleware, applied outside the app
so that no page can forget it.

Starlette limits the body and signs the session; WTForms makes the forms' CSRF tokens. What is added here: who may
connect at all and by which name, the logins, where a form was sent from, and the security headers.
"""

import asyncio
import ipaddress
import logging
import re
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import FormData, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from wtforms import Form
from wtforms.csrf.session import SessionCSRF

from messages import N
from ui.i18n.language import LANGUAGES, choose_language, current_language, ngettext, t, use_language
from ui.web.access_code import Login, TooManySessionsError, WaitError, WrongCodeError
from ui.web.pages import ANONYMOUS, render_error, render_template
from ui.web.views import Access

JOIN_PATH, PAD_PATH = "/join", "/pad"
"""Where phones log in, and their pages."""
TV_LOGIN_PATH, TV_PATH = "/tv", "/watch"
"""Where a second screen logs in, and its pages."""
CLIP_PATH = "/clip"
"""The path of shared clips; what follows is the clip's token."""
SHARED_CLIP = re.compile(rf"{CLIP_PATH}/[A-Za-z0-9_-]{{22}}(?:/file)?", re.ASCII)
"""The paths that a token opens without an access code: a clip's page and its file."""
HELP_PATH = "/help"
HELP_PAGE = re.compile(rf"{HELP_PATH}(?:/[a-z-]+)?", re.ASCII)
"""The paths of the pages of help, which need no access code."""
PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Policy of pages: our own style, script, images and clips only; nothing inline runs; scripts ask only us for more."""
FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox"
"""Policy of everything else: an SVG opened by itself is in a sandbox without scripts."""
COMMON_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # with no-referrer, browsers send our own forms with "Origin: null", as other sites may
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), display-capture=(), payment=(), usb=(), midi=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
OPENER_POLICY = "same-origin"
"""Isolates our windows from those of other sites. Browsers apply it on this machine only, and log a warning over plain
HTTP elsewhere."""
NO_STORE, NO_CACHE = "no-store", "no-cache"


def add_security_headers(headers: MutableHeaders, *, static: bool, local: bool) -> None:
    """Add the security headers to a response's headers. ``static``: one of our static files, which a browser may cache;
    ``local``: a response to this machine."""
    page = headers.get("content-type", "").startswith("text/html") and "content-disposition" not in headers
    headers.update(COMMON_HEADERS)
    if local:
        headers["Cross-Origin-Opener-Policy"] = OPENER_POLICY
    headers["Content-Security-Policy"] = PAGE_POLICY if page else FILE_POLICY
    headers["Cache-Control"] = NO_CACHE if static else NO_STORE


ALLOWED_METHODS = ("GET", "HEAD", "POST")
SESSION_COOKIE, LANGUAGE_COOKIE = "throwlock", "language"
MAX_URL_BYTES = 2_000
"""Of path and query."""
MAX_HEADERS, MAX_HEADER_BYTES = 100, 16_384
"""Of a request; a browser sends about 20. The server's own limit is only of headers that come in pieces."""
MAX_FORM_BYTES = 16_384
"""All our forms are far smaller."""
MAX_FORM_FIELDS = 20
FORM_TIMEOUT_S = 10.0
"""Time limit for receiving a form."""
MAX_GUESS_LENGTH = 200
"""Of a code or password: longer ones are cut."""
LOGIN_PATH, LOGOUT_PATH = "/enter", "/leave"
MAX_PORT = 65_535
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+?)\.?(?::(\d{1,5}))?", re.ASCII | re.IGNORECASE)
"""A Host header: a name, with or without the dot of the DNS's root, or an address; and a port."""
STATIC_PATH = re.compile(r"/static/[a-z]+\.[a-z]+", re.ASCII)
"""Static files need no session: the login page uses them."""
LOCAL_SESSION: Final[dict[str, str]] = {}
"""The session of everybody on this machine, where there is no login."""

log = logging.getLogger("throwlock.review")


class CsrfForm(Form):  # type: ignore[misc]  # WTForms has no types
    """The CSRF token of a session's forms; its cookie does not reveal it. WTForms makes it because starlette-csrf needs
    JavaScript, and asgi-csrf, which its author has given up, sends it as a cookie and accepts forms without cookies."""

    class Meta:
        """See WTForms; ``csrf_context`` is the session."""

        csrf = True
        csrf_class = SessionCSRF
        csrf_field_name = "token"
        csrf_secret = secrets.token_bytes(32)
        csrf_time_limit = None  # as long as the session


def csrf_token(session: dict[str, str]) -> str:
    """Return the CSRF token of a session."""
    return str(CsrfForm(meta={"csrf_context": session})["token"].current_token)


LoginError = WrongCodeError | WaitError


@dataclass(frozen=True)
class LoginArea:
    """Pages with a login of their own; being logged in to one area gives nothing of another."""

    login: Login
    """The access code and the sessions."""
    session_key: str
    """Where the browser's cookie holds the session's secret."""
    login_path: str
    """The path of the login page."""
    home: str
    """The page after the login; below it are all others."""
    render_login: Callable[[str, LoginError | None], str]
    """Renders the login page with the typed code and the error, if any."""
    logout_path: str = ""
    """Where its pages log out; "" if they can't."""
    is_open: Callable[[], bool] = lambda: False
    """Returns whether everybody may see its pages without a login."""

    def contains(self, path: str) -> bool:
        """Whether a path is the login page's, or that of a page behind it."""
        return _is_under(path, self.login_path) or _is_under(path, self.home)


def review_area(login: Login) -> LoginArea:
    """Return the review pages, which are all that are not in another area."""
    return LoginArea(login, "secret", LOGIN_PATH, "/", _render_review_login, logout_path=LOGOUT_PATH)


class AccessMiddleware:
    """An ASGI app that passes allowed requests on to ``app``, with their form in ``request.state.form`` and the secret
    of their session in ``request.state.secret``.

    A shared clip is open to whoever has its token. Each of the ``areas`` has a login of its own; all other pages are
    the ``main_area``'s. Without one only this machine has access: the peer must have a loopback address. With it every
    client needs a session, this machine too; the peer's address must then be on a local network. The Host header must
    be one of ``hosts``, in lower case, or the address the client connected to: a site that points its own name here is
    refused (DNS rebinding). ``is_https`` marks the session's cookie as one for HTTPS only; ``render_error`` makes the
    pages of refusals.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str],
        main_area: LoginArea | None = None,
        areas: Sequence[LoginArea] = (),
        *,
        is_https: bool = False,
        render_error: Callable[..., Response] = render_error,
    ) -> None:
        self._render_error = render_error
        self._app, self._hosts, self._main_area, self._areas = app, frozenset(hosts), main_area, areas
        self._guarded: ASGIApp = RequestBodyLimitMiddleware(self._handle, MAX_FORM_BYTES)
        if main_area is not None:
            self._guarded = SessionMiddleware(
                self._guarded,
                secrets.token_urlsafe(32),  # a new one at every start: no older cookie is valid
                SESSION_COOKIE,
                None,  # the login ends sessions: a signature's age is by the time of day, which jumps
                same_site="strict",
                https_only=is_https,
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        request, started = Request(scope, receive), False
        static = STATIC_PATH.fullmatch(scope["path"]) is not None

        async def send_protected(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if message["status"] >= 400 and headers.get("content-type", "").startswith("text/plain"):
                    raise HTTPException(message["status"], "")  # a refusal of Starlette's middleware gets our page
                started = True
                add_security_headers(headers, static=static, local=self._main_area is None)
                if "content-length" in request.headers or "transfer-encoding" in request.headers:
                    headers["Connection"] = "close"  # the rest of the body is not read
            await send(message)

        with use_language(self._language(request)):
            try:
                _check_peer(request, local=self._main_area is None)
                _check_shape(request)
                _check_host(request, self._hosts)
                _check_site(request)
                await self._guarded(scope, receive, send_protected)
            except HTTPException as error:
                page = self._render_error(request, error.status_code, error.detail, error.headers)
                await page(scope, receive, send_protected)
            except Exception:
                log.exception("a page failed")
                if not started:
                    await self._render_error(request, 500)(scope, receive, send_protected)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on. Raises HTTPException when it is refused."""
        request, path = Request(scope, receive), scope["path"]
        area = self._area_of(path)
        if request.method == "POST":
            _check_origin(request)
            request.state.form = await _read_form(request)
        if area is not None and _is_under(path, area.login_path):
            await self._log_in(request, area)(scope, receive, send)
            return
        session = self._find_session(request, area)
        if session is not None:
            is_logged_in = area is not None and not area.is_open()
            request.state.access = Access(local=area is None, token=csrf_token(session), lan=is_logged_in)
            request.state.secret = session.get(area.session_key, "") if area is not None else ""
            request.state.is_current = lambda: self._find_session(request, area) is not None
        if request.method == "POST" and (session is None or not _has_valid_token(request.state.form, session)):
            raise HTTPException(403, N("This form has expired. Go back, reload the page and try again."))
        if session is None and area is not None and not _is_open(request):
            await RedirectResponse(area.login_path, 303)(scope, receive, send)
        elif area is not None and path == area.logout_path:
            await self._log_out(request, area)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _language(self, request: Request) -> str:
        """Return the language of a page: the one chosen there, or the browser's. The areas beside the main one belong
        to the table, and are in the touchscreen's."""
        if self._area_of(request.url.path) in self._areas:
            return current_language()
        chosen = request.cookies.get(LANGUAGE_COOKIE, "")
        return chosen if chosen in LANGUAGES else choose_language(request.headers.get("accept-language", ""))

    def _area_of(self, path: str) -> LoginArea | None:
        return next((area for area in self._areas if area.contains(path)), self._main_area)

    def _find_session(self, request: Request, area: LoginArea | None) -> dict[str, str] | None:
        if area is None:
            return LOCAL_SESSION
        if area.is_open():
            return {}  # whose token is valid nowhere: such pages are only looked at
        return request.session if area.login.use_session(request.session.get(area.session_key, "")) else None

    def _log_in(self, request: Request, area: LoginArea) -> Response:
        """Show the login page, or log in with the code in its form."""
        old_secret = request.session.get(area.session_key, "")
        if request.method != "POST":
            if area.is_open() or area.login.use_session(old_secret):
                return RedirectResponse(area.home, 303)
            code = request.url.path.removeprefix(area.login_path).removeprefix("/")
            return HTMLResponse(area.render_login(code, None))
        assert request.client is not None  # _check_peer
        code = str(request.state.form.get("code", ""))[:MAX_GUESS_LENGTH]
        try:
            secret = area.login.log_in(request.client.host, code, old_secret)
        except WaitError as error:
            return HTMLResponse(area.render_login(code, error), 429, {"Retry-After": str(error.seconds)})
        except WrongCodeError as error:
            return HTMLResponse(area.render_login(code, error), 403)
        request.session.pop("csrf", None)  # a token from before the login is no longer valid
        request.session[area.session_key] = secret
        csrf_token(request.session)  # stores its part in the cookie
        return RedirectResponse(area.home, 303)

    def _log_out(self, request: Request, area: LoginArea) -> Response:
        """End the session; POST only."""
        if request.method != "POST":
            raise HTTPException(405, N("Use the Log out button of a page."), {"Allow": "POST"})
        area.login.log_out(request.session.pop(area.session_key))
        request.session.pop("csrf", None)
        return RedirectResponse(area.login_path, 303)


def _is_open(request: Request) -> bool:
    """Whether a page needs no session: a static file, a page of help, or a shared clip, which its token opens."""
    return any(pattern.fullmatch(request.scope["path"]) for pattern in (STATIC_PATH, HELP_PAGE, SHARED_CLIP))


def _is_under(path: str, parent: str) -> bool:
    return path == parent or path.startswith(f"{parent}/")


def _check_peer(request: Request, *, local: bool) -> None:
    """Refuse peers that are not on this machine or, unless ``local``, on a local network."""
    try:
        peer = ipaddress.ip_address(request.client.host if request.client else "")
        near = peer.is_loopback if local else not peer.is_global or _is_neighbour(peer, request.scope["server"][0])
    except ValueError:
        near = False
    if not near:
        raise HTTPException(403, N("These pages are only for the network of this box."))


def _is_neighbour(peer: ipaddress.IPv4Address | ipaddress.IPv6Address, own: str) -> bool:
    """Whether a peer is in the same IPv6 network as our ``own`` address: there, even home networks have global ones.
    Raises ValueError."""
    return peer.version == 6 and peer in ipaddress.ip_network(f"{own.partition('%')[0]}/64", strict=False)


def _check_shape(request: Request) -> None:
    """Refuse unused methods, overlong URLs, and more headers than any browser sends."""
    if request.method not in ALLOWED_METHODS:
        raise HTTPException(405, N("These pages do not support that method."), {"Allow": ", ".join(ALLOWED_METHODS)})
    if len(request.scope["path"]) + len(request.scope["query_string"]) > MAX_URL_BYTES:
        raise HTTPException(414, "")
    headers = request.headers.raw
    if len(headers) > MAX_HEADERS or sum(len(name) + len(value) for name, value in headers) > MAX_HEADER_BYTES:
        raise HTTPException(431, "")


def _check_host(request: Request, hosts: Collection[str]) -> None:
    """Refuse names that are not ours, and what is no name."""
    named = HOST.fullmatch(request.headers.get("host", ""))
    if named is None or int(named[2] or 0) > MAX_PORT:
        raise HTTPException(400, "")
    host = named[1].lower()
    try:
        own = ipaddress.ip_address(request.scope["server"][0].partition("%")[0])
        is_ours = ipaddress.ip_address(host.strip("[]")) == own and ("[" in host) == (own.version == 6)
    except ValueError:
        is_ours = False
    if not is_ours and host not in hosts:
        raise HTTPException(400, "")


def _check_site(request: Request) -> None:
    """Refuse cross-site requests, where the browser reports them; plain links are fine."""
    site, mode = request.headers.get("sec-fetch-site"), request.headers.get("sec-fetch-mode")
    framed = request.headers.get("sec-fetch-dest") in ("iframe", "frame", "object", "embed")
    if site in ("cross-site", "same-site") and (mode != "navigate" or framed):
        raise HTTPException(403, N("Another site sent this request."))


def _check_origin(request: Request) -> None:
    """Refuse forms from other sites, and without any sign of their origin: also the login's, which has no token."""
    headers = request.headers
    site, ours = headers.get("sec-fetch-site"), f"{request.url.scheme}://{headers['host'].lower()}"
    if "origin" in headers:
        same = headers["origin"].lower() == ours
    elif "referer" in headers:
        same = headers["referer"].lower().startswith(f"{ours}/")
    else:
        same = site is not None
    if not same or site not in (None, "same-origin"):
        raise HTTPException(403, N("This form was not sent from these pages."))


async def _read_form(request: Request) -> FormData:
    """Return a form. Raises HTTPException when it is no form, too large or too slow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "")
    try:
        async with asyncio.timeout(FORM_TIMEOUT_S):
            return await request.form(max_fields=MAX_FORM_FIELDS)
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408, "") from None
    except MultiPartException:
        raise HTTPException(413, "") from None


def _has_valid_token(form: FormData, session: dict[str, str]) -> bool:
    return bool(CsrfForm(form, meta={"csrf_context": session}).validate())


def _render_review_login(code: str, error: LoginError | None) -> str:
    del code  # people type it again
    wrong = N("Wrong code. Check the box again: the code may have changed.")
    return render_template("enter.html", ANONYMOUS, error=login_error_text(error, wrong))


def login_error_text(error: LoginError | None, wrong: str) -> str:
    """Return what a login page says: ``wrong`` of a wrong code, how long to wait, or nothing."""
    if not isinstance(error, WaitError):
        return t(wrong) if error is not None else ""
    minutes = -(-error.seconds // 60)
    if isinstance(error, TooManySessionsError):
        return ngettext(
            "The code is right, but too many are in. Try again in {count} minute, or when somebody has logged out.",
            "The code is right, but too many are in. Try again in {count} minutes, or when somebody has logged out.",
            minutes,
        )
    if error.seconds >= 120:
        return ngettext(
            "Too many wrong codes. Wait {count} minute, then try again.",
            "Too many wrong codes. Wait {count} minutes, then try again.",
            minutes,
        )
    return ngettext(
        "Too many wrong codes. Wait {count} second, then try again.",
        "Too many wrong codes. Wait {count} seconds, then try again.",
        error.seconds,
    )
