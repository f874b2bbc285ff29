"""Routes of the page with the lists of classes: who is in them, a form to enter or change one, and to delete it."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from rules.markers import MAX_STUDENTS
from ui.web.pages import OpenArchive, render_page
from ui.web.views import Archive, RefusedError


@dataclass(frozen=True)
class RefusedList:
    """What was typed into a form that was refused: the class's name and the text with the names. ``old_name`` is the
    class whose list is open on the page, "" for a new one; ``reason`` is a sentence."""

    old_name: str
    name: str
    names: str
    reason: str


def routes(open_archive: OpenArchive) -> list[BaseRoute]:
    """Routes of the lists of classes."""

    def render(request: Request, archive: Archive, refused: RefusedList | None = None) -> Response:
        lists = archive.class_lists()
        return render_page(request, "classes.html", lists=lists, max_students=MAX_STUDENTS, refused=refused)

    def classes(request: Request) -> Response:
        with open_archive() as archive:
            return render(request, archive)

    def save(request: Request) -> Response:
        name, names, old_name = (str(request.state.form.get(field, "")) for field in ("name", "names", "old_name"))
        with open_archive() as archive:
            try:
                archive.save_class(name, names, old_name)
            except RefusedError as error:
                opened = old_name if old_name in archive.class_lists() else ""
                page = render(request, archive, RefusedList(opened, name, names, str(error)))
                page.status_code = 409
                return page
        return RedirectResponse("/classes", 303)

    def delete(request: Request) -> Response:
        with open_archive() as archive:
            archive.delete_class(str(request.state.form.get("name", "")))
        return RedirectResponse("/classes", 303)

    return [
        Route("/classes", classes, name="classes"),
        Route("/classes/save", save, methods=["POST"]),
        Route("/classes/delete", delete, methods=["POST"]),
    ]
