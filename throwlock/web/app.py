"""All pages of a box as one Starlette app, and the logins of those on the network. ``ui.web.middleware`` goes
round the app: it checks sessions, hosts and forms, and reads the forms."""

from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from messages import N
from throwlock.review.clip_maker import ClipMaker
from throwlock.web import clips, players, review
from throwlock.web.review import OpenArchive
from ui.web.access_code import Login
from ui.web.help import PAGES, read_help
from ui.web.live import Viewers
from ui.web.middleware import (
    HELP_PATH,
    JOIN_PATH,
    PAD_PATH,
    TV_LOGIN_PATH,
    TV_PATH,
    LoginArea,
    LoginError,
    login_error_text,
)
from ui.web.pages import ANONYMOUS, error_handlers, render_page, render_template
from ui.web.static_files import static_file

if TYPE_CHECKING:  # the review alone needs neither: it starts faster without them
    from throwlock.pads.table import PadTable
    from throwlock.tv.second_screen import SecondScreen

WRONG_CODE = N("Wrong code. Scan the QR code on the box’s screen again: it may have changed.")


def create_app(
    open_archive: OpenArchive,
    *,
    user_errors: tuple[type[Exception], ...] = (),
    pad_table: "PadTable | None" = None,
    screen: "SecondScreen | None" = None,
    clip_maker: ClipMaker | None = None,
) -> Starlette:
    """Build the app. ``user_errors`` are errors of the archive whose message is shown to users (status 503). With a
    ``pad_table``, phones can answer for seats; with a ``screen``, second screens can show what happens; ``clip_maker``
    makes clips of rounds."""
    routes: list[BaseRoute] = [*review.ROUTES, *players.ROUTES, *HELP_ROUTES]
    routes.append(Route("/static/{name}", static_file, name="static"))
    app = Starlette(exception_handlers=error_handlers(user_errors))
    app.state.open_archive, app.state.viewers = open_archive, [Viewers(review.MAX_VIEWERS)]
    app.state.clips, app.state.pads, app.state.screen = clip_maker, pad_table, screen
    if clip_maker is not None:
        routes += clips.ROUTES
    if pad_table is not None:
        from throwlock.web import pads  # noqa: PLC0415

        routes += pads.ROUTES
        app.state.viewers.append(pad_table.viewers)
    if screen is not None:
        from throwlock.web import tv  # noqa: PLC0415

        routes += tv.ROUTES
        app.state.slide_show = tv.SlideShow(open_archive)
        app.state.viewers.append(screen.viewers)
    app.router.routes += routes
    app.router.redirect_slashes = False  # a trailing slash is a 404
    return app


def list_help(request: Request) -> Response:
    """List the pages of help."""
    return render_page(request, "help.html", page=None, pages=[read_help(name) for name in PAGES], path=HELP_PATH)


def show_help(request: Request) -> Response:
    """Show a page of help."""
    return render_page(request, "help.html", page=read_help(request.path_params["name"]), pages=(), path=HELP_PATH)


HELP_ROUTES = (
    Route(HELP_PATH, list_help, name="help"),
    Route(f"{HELP_PATH}/{{name}}", show_help, name="help page"),
)
"""The pages of help are open to everybody who reaches the box, for they have no secret."""


def pad_area(login: Login) -> LoginArea:
    """Return the phones' pads."""
    from throwlock.pads import texts  # noqa: PLC0415

    return LoginArea(login, "phone", JOIN_PATH, PAD_PATH, partial(_render_join, texts, JOIN_PATH))


def tv_area(login: Login) -> LoginArea:
    """Return the second screens' pages, which can only be looked at."""
    from throwlock.tv import texts  # noqa: PLC0415

    return LoginArea(login, "tv", TV_LOGIN_PATH, TV_PATH, partial(_render_join, texts, TV_LOGIN_PATH))


def _render_join(texts: ModuleType, path: str, code: str, error: LoginError | None) -> str:
    """Render the page on which a phone, or a second screen, types its code: its ``texts`` are those of a package."""
    text = login_error_text(error, WRONG_CODE)
    return render_template("join.html", ANONYMOUS, error=text, code=code, texts=texts, path=path)
