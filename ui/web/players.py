"""Routes of the pages about players: all players, one player, forgetting a player, and the classroom page."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from rules.throws import WINDOW_MS
from ui.web import params
from ui.web.charts import charts
from ui.web.lesson import MIN_OWN_THROWS, build_lesson
from ui.web.pages import TemplateContext
from ui.web.views import NotFoundError

MAX_LISTED_PLAYERS = 500
"""Players listed: those who played last."""


def read_routes(context: TemplateContext) -> list[BaseRoute]:
    """Routes that only read."""

    def players(request: Request) -> Response:
        with context.open_archive(request) as archive:
            lines = archive.players()
        return context.render(request, "players.html", lines=lines[:MAX_LISTED_PLAYERS], count=len(lines))

    def player(request: Request) -> Response:
        with context.open_archive(request) as archive:
            page = archive.player(request.path_params["key"])
        return context.render(
            request,
            "player.html",
            page=page,
            throws=charts.draw_bars("throws", {throw.value: count for throw, count in page.throws.items()}, "Throws"),
            verdicts=charts.draw_bars(
                "verdicts", page.verdicts, "Verdicts", [verdict for verdict in page.verdicts if verdict != "on time"]
            ),
            lateness=charts.draw_lateness_over_time(page.lateness),
        )

    def classroom(request: Request) -> Response:
        day, match = params.query_day(request), params.query_number(request, "match")
        names = request.query_params.get("names", "yes")
        if names not in ("yes", "no"):
            raise NotFoundError("names has to be yes or no.")
        with context.open_archive(request) as archive:
            days, classroom_view = archive.days(), archive.classroom(day, match)
        return context.render(
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

    return [
        Route("/players", players, name="players"),
        Route("/player/{key}", player, name="player"),
        Route("/classroom", classroom, name="classroom"),
    ]


def write_routes(context: TemplateContext) -> list[BaseRoute]:
    """The route that forgets a player."""

    async def forget(request: Request) -> Response:
        key = request.path_params["key"]
        remaining = await context.change(request, lambda archive: archive.forget(key))
        return context.render(request, "forgotten.html", remaining=remaining)

    return [Route("/player/{key}/forget", forget, methods=["POST"])]
