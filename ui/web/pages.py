"""Writes a page: one Jinja environment whose templates escape everything, with the words the pages share. What a page
needs of the journal comes as plain data (``ui.web.views``)."""

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

T = TypeVar("T")
ENVIRONMENT = Environment(
    loader=PackageLoader("ui.web", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.globals.update(words=strings, drawings=drawings)

ArchiveFor = Callable[[Request], AbstractContextManager[Archive]]
"""Opens the archive for a request, in the thread that answers it."""
AccessFor = Callable[[Request], Access]
"""Who looks."""


def written(template: str, access: Access, **values: object) -> str:
    """A page as HTML. ``values`` are what the template names."""
    return ENVIRONMENT.get_template(template).render(access=access, **values)


@dataclass(frozen=True)
class Desk:
    """What every page is made with. ``faults`` are the errors of the archive whose message is meant for people."""

    archive_for: ArchiveFor
    access_for: AccessFor
    faults: tuple[type[Exception], ...] = ()

    def page(self, request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """The answer to ``request``."""
        return HTMLResponse(written(template, self.access_for(request), **values), status)

    async def change(self, request: Request, change: Callable[[Archive], T]) -> T:
        """Change something in the archive, away from the loop."""

        def run() -> T:
            with self.archive_for(request) as archive:
                return change(archive)

        return await run_in_threadpool(run)

    def fault(
        self, request: Request, status: int, title: str, text: str, headers: Mapping[str, str] | None = None
    ) -> HTMLResponse:
        """A page that says what is wrong and where to go on."""
        page = self.page(request, "fault.html", status, title=title, text=text)
        page.headers.update(headers or {})
        return page
