"""The pages of a hall as a Starlette app, and behind their access control."""

import time
from collections.abc import Callable, Collection
from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from errors import NotFoundError, ThrowlockError
from throwlock.hub.database import DatabaseError
from throwlock.hub.pages import organiser, organiser_forms, public, strings
from throwlock.hub.pages.live import LiveSnapshot
from throwlock.hub.pages.organiser_data import ORGANISER_PATH
from ui.i18n.language import render
from ui.web.auth.access_code import StoredLogin, is_code
from ui.web.auth.middleware import AccessMiddleware, LoginArea
from ui.web.auth.passwords import is_password
from ui.web.languages import BrowserLanguage
from ui.web.live import RenderCache
from ui.web.pages import ENVIRONMENT, error_handlers, render_error
from ui.web.static_files import static_file

MAX_VIEWER_SESSIONS = 5_000
"""Viewers of a private hall who are logged in."""
ENVIRONMENT.globals.update(words=strings, render=render)
render_hall_error = partial(render_error, template="hall/error.html")


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
