"""The pages about players: all of them, one, forgetting one, and the lesson of a class."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from errors import NotFoundError
from messages import N
from rules.record.judgement import Verdict
from rules.throws import WINDOW_MS
from throwlock.web.archives import open_archive
from ui.i18n.language import t
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
            {strings.verdict_word(verdict): count for verdict, count in page.verdicts.items()},
            t("Verdicts"),
            [
                strings.verdict_word(verdict)
                for verdict in page.verdicts
                if verdict not in (Verdict.ON_TIME, Verdict.TOO_CLOSE)
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


ROUTES = (
    Route("/players", list_players, name="players"),
    Route("/player/{key}", show_player, name="player"),
    Route("/player/{key}/forget", forget_player, methods=["POST"]),
    Route("/classroom", show_lesson, name="classroom"),
)
