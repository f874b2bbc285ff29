"""Renders pages: one Jinja environment with autoescape on. The data comes as plain objects (``ui.web.views``)."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ui.web import strings
from ui.web.charts import drawings
from ui.web.views import Access, Archive

ResultT = TypeVar("ResultT")
ENVIRONMENT = Environment(
    loader=PackageLoader("ui.web", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.globals.update(strings=strings, drawings=drawings)

OpenArchive = Callable[[Request], AbstractContextManager[Archive]]
"""Opens the archive for a request, in the thread that answers it."""
GetAccess = Callable[[Request], Access]
"""Returns the access of a request."""


def render_template(template: str, access: Access, **values: object) -> str:
    """Render a template to HTML with ``values`` as its variables."""
    return ENVIRONMENT.get_template(template).render(access=access, **values)


@dataclass(frozen=True)
class TemplateContext:
    """Renders pages for requests. ``user_errors`` are the archive's errors whose message is shown to users."""

    open_archive: OpenArchive
    get_access: GetAccess
    user_errors: tuple[type[Exception], ...] = ()

    def render(self, request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """Render a page as the response to ``request``."""
        return HTMLResponse(render_template(template, self.get_access(request), **values), status)

    async def change(self, request: Request, change: Callable[[Archive], ResultT]) -> ResultT:
        """Run ``change`` on the archive in a worker thread and return its result."""

        def run() -> ResultT:
            with self.open_archive(request) as archive:
                return change(archive)

        return await run_in_threadpool(run)

    def render_error(
        self, request: Request, status: int, title: str, text: str, headers: Mapping[str, str] | None = None
    ) -> HTMLResponse:
        """Render the error page."""
        page = self.render(request, "error.html", status, title=title, text=text)
        page.headers.update(headers or {})
        return page
