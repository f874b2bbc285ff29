"""Routes of the pages about players: all players, one player, forgetting a player, and the classroom page."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from rules.judgement_record import TOO_CLOSE
from rules.throws import WINDOW_MS
from ui.web import params
from ui.web.charts import charts
from ui.web.lesson import MIN_OWN_THROWS, build_lesson
from ui.web.pages import OpenArchive, render_page
from ui.web.views import NotFoundError

MAX_LISTED_PLAYERS = 500
"""Players listed: those who played last."""


def routes(open_archive: OpenArchive) -> list[BaseRoute]:
    """Routes of the pages about players."""

    def players(request: Request) -> Response:
        with open_archive() as archive:
            lines = archive.players()
        return render_page(request, "players.html", lines=lines[:MAX_LISTED_PLAYERS], count=len(lines))

    def player(request: Request) -> Response:
        with open_archive() as archive:
            page = archive.player(request.path_params["key"])
        throws = {throw.value: count for throw, count in page.statistics.throws.items()}
        return render_page(
            request,
            "player.html",
            page=page,
            throws=charts.draw_bars("throws", throws, "Throws"),
            verdicts=charts.draw_bars(
                "verdicts",
                page.verdicts,
                "Verdicts",
                [verdict for verdict in page.verdicts if verdict not in ("on time", TOO_CLOSE)],
            ),
            lateness=charts.draw_lateness_over_time(page.lateness),
        )

    def classroom(request: Request) -> Response:
        day, match = params.query_day(request), params.query_number(request, "match")
        names = request.query_params.get("names", "yes")
        if names not in ("yes", "no"):
            raise NotFoundError("names has to be yes or no.")
        with open_archive() as archive:
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

    def forget(request: Request) -> Response:
        with open_archive() as archive:
            remaining = archive.forget(request.path_params["key"])
        return render_page(request, "forgotten.html", remaining=remaining)

    return [
        Route("/players", players, name="players"),
        Route("/player/{key}", player, name="player"),
        Route("/player/{key}/forget", forget, methods=["POST"]),
        Route("/classroom", classroom, name="classroom"),
    ]
