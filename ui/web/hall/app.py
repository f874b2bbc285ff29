"""The pages of a hall as a Starlette app, and behind their access control."""

from collections.abc import Collection
from functools import partial

from starlette.applications import Starlette
from starlette.routing import Route

from errors import ThrowlockError
from ui.web.auth.access_code import StoredLogin, is_code
from ui.web.auth.middleware import AccessMiddleware, LoginArea
from ui.web.auth.passwords import is_password
from ui.web.hall import organiser, public, strings
from ui.web.hall.view import CODE_PATH, LOGIN_PATH, ORGANISER_PATH, HallHost
from ui.web.pages import ENVIRONMENT, error_handlers, render_error
from ui.web.static_files import static_file

MAX_VIEWER_SESSIONS = 5_000
"""Viewers of a private hall who are logged in."""
ENVIRONMENT.globals.update(words=strings)
render_hall_error = partial(render_error, template="hall/error.html")


def create_hall_app(host: HallHost, user_errors: tuple[type[Exception], ...] = ()) -> Starlette:
    """Build the app. ``user_errors`` are errors of the database whose message is shown (status 503)."""
    routes = [*public.routes(host), *organiser.routes(host), Route("/static/{name}", static_file, name="static")]
    app = Starlette(routes=routes, exception_handlers=error_handlers(user_errors, render_hall_error, ThrowlockError))
    app.router.redirect_slashes = False
    return app


def protect_hall(
    host: HallHost,
    hosts: Collection[str],
    user_errors: tuple[type[Exception], ...] = (),
    *,
    is_https: bool = False,
) -> AccessMiddleware:
    """Return the pages behind their logins: the organiser's password, and the viewers' code unless the hall is
    public."""
    viewers = LoginArea(
        StoredLogin(lambda: host.newest().code, is_code, max_sessions=MAX_VIEWER_SESSIONS),
        "viewer",
        CODE_PATH,
        "/",
        public.render_code,
        is_open=lambda: host.newest().is_public,
    )
    organisers = LoginArea(
        StoredLogin(lambda: host.newest().password, is_password),
        "organiser",
        LOGIN_PATH,
        ORGANISER_PATH,
        organiser.render_login,
        logout_path=f"{ORGANISER_PATH}/leave",
    )
    app = create_hall_app(host, user_errors)
    return AccessMiddleware(app, hosts, viewers, [organisers], is_https=is_https, render_error=render_hall_error)
