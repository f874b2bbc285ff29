"""The page with the lists of classes: who is in them, a form to enter or change one, and to delete it."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from errors import RefusedError
from rules.markers import MAX_STUDENTS
from throwlock.review.archive import JournalArchive
from throwlock.web.archives import open_archive
from ui.web.pages import render_page


@dataclass(frozen=True)
class RefusedList:
    """What was typed into a form that was refused."""

    old_name: str
    """The class whose list is open on the page, "" for a new one."""
    name: str
    names: str
    """The text with the names."""
    reason: str
    """A sentence."""


def show_classes(request: Request) -> Response:
    """Show the lists, each in a form."""
    with open_archive(request) as archive:
        return _render(request, archive)


def save_class(request: Request) -> Response:
    """Keep a list; a refused one is shown again as it was typed."""
    name, names, old_name = (str(request.state.form.get(field, "")) for field in ("name", "names", "old_name"))
    with open_archive(request) as archive:
        try:
            archive.save_class(name, names, old_name)
        except RefusedError as error:
            opened = old_name if old_name in archive.class_lists() else ""
            page = _render(request, archive, RefusedList(opened, name, names, str(error)))
            page.status_code = 409
            return page
    return RedirectResponse("/classes", 303)


def delete_class(request: Request) -> Response:
    """Delete a list."""
    with open_archive(request) as archive:
        archive.delete_class(str(request.state.form.get("name", "")))
    return RedirectResponse("/classes", 303)


def _render(request: Request, archive: JournalArchive, refused: RefusedList | None = None) -> Response:
    lists = archive.class_lists()
    return render_page(request, "classes.html", lists=lists, max_students=MAX_STUDENTS, refused=refused)


ROUTES = (
    Route("/classes", show_classes, name="classes"),
    Route("/classes/save", save_class, methods=["POST"]),
    Route("/classes/delete", delete_class, methods=["POST"]),
)
