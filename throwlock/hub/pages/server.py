"""A hall's pages as a Starlette app behind their access control, served to its network in a thread of its own."""

import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from errors import NotFoundError, ThrowlockError
from throwlock.hub.database import DatabaseError
from throwlock.hub.pages import organiser, organiser_forms, public, strings
from throwlock.hub.pages.access import is_password
from throwlock.hub.pages.live import MAX_VIEWERS, LiveSnapshot
from throwlock.hub.pages.organiser_data import ORGANISER_PATH
from throwlock.web.serving import EVERY_ADDRESS, ServingThread, listen, local_addresses, local_host_names
from ui.i18n.language import choose_language, render, use_language
from ui.web.access_code import StoredLogin, format_code, is_code
from ui.web.live import RenderCache
from ui.web.middleware import AccessMiddleware, LoginArea
from ui.web.pages import ENVIRONMENT, error_handlers, render_error
from ui.web.static_files import static_file

MAX_VIEWER_SESSIONS = 5_000
"""Viewers of a private hall who are logged in."""
ENVIRONMENT.globals.update(words=strings, render=render)
render_hall_error = partial(render_error, template="hall/error.html")

PORT = 8322
"""Next to that of the review pages."""

CONNECTION_LIMITS = 2 * MAX_VIEWERS + 24, 64
"""Open at once, in all and from one address: each viewer has a stream and, now and then, a request."""


def create_hall_app(live: LiveSnapshot) -> Starlette:
    """Build the app; its endpoints find ``live`` in ``request.app.state``."""
    app = Starlette(
        routes=[
            *public.ROUTES,
            *organiser.ROUTES,
            *organiser_forms.ROUTES,
            Route("/static/{name}", static_file, name="static"),
        ],
        exception_handlers=error_handlers((), render_hall_error, ThrowlockError),
    )
    for error, status in ((NotFoundError, 404), (ThrowlockError, 409), (DatabaseError, 503)):
        app.add_exception_handler(error, partial(_refuse, status))
    app.router.redirect_slashes = False
    app.state.live = live
    app.state.rendered = RenderCache()
    return app


def _refuse(status: int, request: Request, error: Exception) -> Response:
    assert isinstance(error, ThrowlockError)
    return render_hall_error(request, status, error.text)


class BrowserLanguage:
    """An ASGI app that passes requests on to ``app``, whose texts are then in the browser's language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        wanted = Headers(scope=scope).get("accept-language", "") if scope["type"] == "http" else ""
        with use_language(choose_language(wanted)):
            await self._app(scope, receive, send)


def protect_hall(
    live: LiveSnapshot,
    hosts: Collection[str],
    *,
    is_https: bool = False,
    now: Callable[[], float] = time.monotonic,
) -> BrowserLanguage:
    """Return the pages, each in the language of its browser, behind their logins: the organiser's password, and the
    viewers' code unless the hall is public. ``now`` returns a monotonic time in s."""
    viewers = LoginArea(
        StoredLogin(lambda: live.newest().code, is_code, now, max_sessions=MAX_VIEWER_SESSIONS),
        "viewer",
        public.CODE_PATH,
        "/",
        public.render_code,
        is_open=lambda: live.newest().is_public,
    )
    organisers = LoginArea(
        StoredLogin(lambda: live.newest().password, is_password, now),
        "organiser",
        organiser.LOGIN_PATH,
        ORGANISER_PATH,
        organiser.render_login,
        logout_path=f"{ORGANISER_PATH}/leave",
    )
    app = create_hall_app(live)
    return BrowserLanguage(
        AccessMiddleware(app, hosts, viewers, [organisers], is_https=is_https, render_error=render_hall_error)
    )


class HallServer:
    """The pages of a hall, served between ``start`` and ``stop``; its database has to be of this version.

    with HallServer("dbname=throwlock_hall") as pages:
        print(pages.addresses)
    """

    def __init__(
        self,
        dsn: str,
        *,
        host: str = EVERY_ADDRESS,
        port: int = PORT,
        names: Sequence[str] = (),
        certificate: tuple[Path, Path] | None = None,
    ) -> None:
        """``names`` are further names and addresses of this machine, ``certificate`` the files of a certificate and of
        its key for HTTPS. Port 0 is any free port."""
        self.port = port
        self._dsn, self._host, self._names, self._certificate = dsn, host, tuple(names), certificate
        self._live = LiveSnapshot(dsn, self.addresses)
        self._thread: ServingThread | None = None

    def __enter__(self) -> "HallServer":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start serving. Raises DatabaseError, and ServerError."""
        listening = listen(self._host, self.port, CONNECTION_LIMITS)
        self.port = listening.getsockname()[1]
        try:
            self._live.start()
        except DatabaseError:
            listening.close()
            raise
        guarded = protect_hall(self._live, local_host_names(self._names), is_https=self._certificate is not None)
        self._thread = ServingThread(guarded, listening, "hall web", self._certificate)

    def stop(self) -> None:
        """Stop serving. May be called twice."""
        self._live.stop()
        if self._thread is not None:
            self._thread.stop()
        self._thread = None

    @property
    def viewers(self) -> int:
        """How many pages are kept up to date."""
        return len(self._live.viewers) + len(self._live.organisers)

    @property
    def code(self) -> str:
        """The viewers' code."""
        return format_code(self._live.newest().code)

    def addresses(self) -> tuple[str, ...]:
        """Return the URLs of the pages, the likeliest first."""
        scheme = "https" if self._certificate else "http"
        return tuple(f"{scheme}://{name}:{self.port}" for name in (*self._names, *local_addresses()))
