"""Routes of the page with the lists of classes: who is in them, a form to enter or change one, and to delete it."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from rules.markers import MAX_STUDENTS
from ui.web.pages import OpenArchive, render_page


def routes(open_archive: OpenArchive) -> list[BaseRoute]:
    """Routes of the lists of classes."""

    def classes(request: Request) -> Response:
        with open_archive() as archive:
            lists = archive.class_lists()
        return render_page(request, "classes.html", lists=lists, max_students=MAX_STUDENTS)

    def save(request: Request) -> Response:
        name, names, old_name = (str(request.state.form.get(field, "")) for field in ("name", "names", "old_name"))
        with open_archive() as archive:
            archive.save_class(name, names, old_name)
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
