"""Renders pages: one Jinja environment with autoescape on. The data comes as plain objects (``ui.web.views``)."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ui.text import rounds, statistics
from ui.web import strings
from ui.web.charts import drawings, qr_code
from ui.web.views import Access, Archive

ENVIRONMENT = Environment(
    loader=PackageLoader("ui.web", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.globals.update(strings=strings, rounds=rounds, statistics=statistics, drawings=drawings, qr_code=qr_code)

OpenArchive = Callable[[], AbstractContextManager[Archive]]
"""Opens the archive, in the thread that answers a request."""
ANONYMOUS: Final = Access(local=False, token="")
ERROR_PAGES = {
    400: ("Wrong address", "Type the address exactly as the box shows it."),
    403: ("Refused", ""),
    404: ("Not found", "There is no such page."),
    405: ("Not allowed", "This page does not support that method."),
    408: ("Too slow", "The form did not arrive in time."),
    413: ("Too large", "The form is too large."),
    414: ("Too long", "The address is too long."),
    409: ("Not possible", ""),
    415: ("Not allowed", "These pages accept only their own forms."),
    500: ("Internal error", "Something went wrong in the box. Its terminal shows the details."),
    503: ("The journal can't be read", ""),
}
"""Titles and texts of the error pages, by status."""


def get_access(request: Request) -> Access:
    """Return the access that ``ui.web.auth.middleware`` granted a request; anonymous where it granted none."""
    found = request.scope.get("state", {}).get("access", ANONYMOUS)
    assert isinstance(found, Access)
    return found


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
    title, usual_text = ERROR_PAGES.get(status, ("Not allowed", ""))
    page = render_page(request, template, title=title, text=text or usual_text, status=status)
    page.status_code = status
    page.headers.update(headers or {})
    return page
