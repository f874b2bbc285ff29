"""Renders pages: one Jinja environment with autoescape on. The data comes as plain objects (``ui.web.views``)."""

from collections.abc import Callable, Mapping
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from errors import NotFoundError, RefusedError, ThrowlockError
from messages import N
from ui.i18n.language import current_language, ngettext, render, t
from ui.screen.drawing.theme import has_high_contrast
from ui.text import labels, rounds, statistics
from ui.web import strings
from ui.web.charts import drawings
from ui.web.views import Access

ENVIRONMENT = Environment(
    loader=PackageLoader("ui.web", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=render,
)
ENVIRONMENT.globals.update(
    t=t,
    ngettext=ngettext,
    current_language=current_language,
    strings=strings,
    rounds=rounds,
    labels=labels,
    statistics=statistics,
    drawings=drawings,
    has_high_contrast=has_high_contrast,
)

ANONYMOUS: Final = Access(local=False, token="")
ERROR_PAGES = {
    400: (N("Wrong address"), N("Type the address exactly as the box shows it.")),
    403: (N("Refused"), ""),
    404: (N("Not found"), N("There is no such page.")),
    405: (N("Not allowed"), N("This page does not support that method.")),
    408: (N("Too slow"), N("The form did not arrive in time.")),
    413: (N("Too large"), N("The form is too large.")),
    414: (N("Too long"), N("The address is too long.")),
    431: (N("Too long"), N("The browser sent more about itself than these pages take.")),
    409: (N("Not possible"), ""),
    415: (N("Not allowed"), N("These pages accept only their own forms.")),
    500: (N("Internal error"), N("Something went wrong in the box. Its terminal shows the details.")),
    503: (N("The journal can’t be read"), ""),
}
"""Titles and texts of the error pages, by status."""


def get_access(request: Request) -> Access:
    """Return the access that ``ui.web.middleware`` granted a request; anonymous where it granted none."""
    access = request.scope.get("state", {}).get("access", ANONYMOUS)
    assert isinstance(access, Access)
    return access


def render_template(template: str, access: Access, **values: object) -> str:
    """Render a template to HTML with ``values`` as its variables."""
    return ENVIRONMENT.get_template(template).render(access=access, **values)


def render_page(request: Request, template: str, **values: object) -> HTMLResponse:
    """Render a page as the response to ``request``."""
    return HTMLResponse(render_template(template, get_access(request), **values))


def render_error(
    request: Request,
    status: int,
    text: str = "",
    headers: Mapping[str, str] | None = None,
    template: str = "error.html",
) -> HTMLResponse:
    """Render the error page of a status, with ``text`` in place of its own."""
    title, usual_text = ERROR_PAGES.get(status, ERROR_PAGES[405])
    page = render_page(request, template, title=title, text=text or usual_text, status=status)
    page.status_code = status
    page.headers.update(headers or {})
    return page


def error_text(error: Exception) -> str:
    """Return the message of an error, to be rendered in the reader's language."""
    return error.text if isinstance(error, ThrowlockError) else str(error)


def error_handlers(
    user_errors: tuple[type[Exception], ...],
    render_error: Callable[..., Response] = render_error,
    refusal: type[Exception] = RefusedError,
) -> dict[object, Callable[[Request, Exception], Response]]:
    """Return what renders the error page of each class of exceptions."""

    def page(status: int) -> Callable[[Request, Exception], Response]:
        return lambda request, error: render_error(request, status, error_text(error))

    def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return render_error(request, error.status_code, headers=error.headers)

    def internal_error(request: Request, error: Exception) -> Response:
        return render_error(request, 500)  # its message may name folders

    return {
        NotFoundError: page(404),
        refusal: page(409),
        HTTPException: http_error,
        Exception: internal_error,
        **dict.fromkeys(user_errors, page(503)),
    }
