"""The pages of help: open to everybody who reaches the box, for they have no secret."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.web.auth.middleware import HELP_PATH
from ui.web.help import PAGES, read_help
from ui.web.pages import render_page


def list_help(request: Request) -> Response:
    """List the pages of help."""
    return render_page(request, "help.html", page=None, pages=[read_help(name) for name in PAGES], path=HELP_PATH)


def show_help(request: Request) -> Response:
    """Show a page of help."""
    return render_page(request, "help.html", page=read_help(request.path_params["name"]), pages=(), path=HELP_PATH)


ROUTES = (
    Route(HELP_PATH, list_help, name="help"),
    Route(f"{HELP_PATH}/{{name}}", show_help, name="help page"),
)
