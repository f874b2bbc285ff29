"""The pages about players: all of them, one, forgetting one, and the lesson of a class; and the lists of classes: who
is in them, a form to enter or change one, and to delete it."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from errors import NotFoundError, RefusedError
from messages import N
from rules.markers import MAX_STUDENTS
from rules.record.judgement import UNDECIDED_VERDICTS, Verdict
from rules.throws import WINDOW_MS
from throwlock.review.archive import JournalArchive
from throwlock.web.review import open_archive
from ui.i18n.language import t
from ui.text import labels
from ui.web import params, strings
from ui.web.charts import charts
from ui.web.lesson import MIN_OWN_THROWS, build_lesson
from ui.web.pages import render_page

MAX_LISTED_PLAYERS = 500
"""Players listed: those who played last."""


def list_players(request: Request) -> Response:
    """List the players, those who played last first."""
    with open_archive(request) as archive:
        lines = archive.players()
    return render_page(request, "players.html", lines=lines[:MAX_LISTED_PLAYERS], count=len(lines))


def show_player(request: Request) -> Response:
    """Show a player."""
    with open_archive(request) as archive:
        page = archive.player(request.path_params["key"])
    throws = {strings.format_reading(throw): count for throw, count in page.statistics.throws.items()}
    return render_page(
        request,
        "player.html",
        page=page,
        throws=charts.draw_bars("throws", throws, t("Throws")),
        verdicts=charts.draw_bars(
            "verdicts",
            {t(labels.VERDICTS[verdict]): count for verdict, count in page.verdicts.items()},
            t("Verdicts"),
            [
                t(labels.VERDICTS[verdict])
                for verdict in page.verdicts
                if verdict not in (Verdict.ON_TIME, *UNDECIDED_VERDICTS)
            ],
        ),
        lateness=charts.draw_lateness_over_time(page.lateness),
    )


def show_lesson(request: Request) -> Response:
    """Show the lesson of a class: what the lock did."""
    day, match = params.query_day(request), params.query_number(request, "match")
    names = request.query_params.get("names", "yes")
    if names not in ("yes", "no"):
        raise NotFoundError(N("names has to be yes or no."))
    with open_archive(request) as archive:
        days, classroom_view = archive.days(), archive.classroom(day, match)
    return render_page(
        request,
        "classroom.html",
        classroom=classroom_view,
        lesson=build_lesson(classroom_view, names == "yes"),
        default_window_ms=WINDOW_MS,
        days=days,
        day=day,
        match=match,
        names=names == "yes",
        min_own_throws=MIN_OWN_THROWS,
    )


def forget_player(request: Request) -> Response:
    """Delete a player's name for good."""
    with open_archive(request) as archive:
        remaining = archive.forget(request.path_params["key"])
    return render_page(request, "forgotten.html", remaining=remaining)


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
    Route("/players", list_players, name="players"),
    Route("/player/{key}", show_player, name="player"),
    Route("/player/{key}/forget", forget_player, methods=["POST"]),
    Route("/classroom", show_lesson, name="classroom"),
    Route("/classes", show_classes, name="classes"),
    Route("/classes/save", save_class, methods=["POST"]),
    Route("/classes/delete", delete_class, methods=["POST"]),
)
