"""The addresses of the pages about players: all of them, one, how to forget one, and the classroom's page."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ui.web import params
from ui.web.charts import charts
from ui.web.lesson import ENOUGH, lesson
from ui.web.pages import Desk
from ui.web.views import NotFoundError

MOST = 500
"""Players in the list: those who played last."""


def reading(desk: Desk) -> list[BaseRoute]:
    """The addresses that only show."""

    def players(request: Request) -> Response:
        with desk.archive_for(request) as archive:
            lines = archive.players()
        return desk.page(request, "players.html", lines=lines[:MOST], count=len(lines))

    def player(request: Request) -> Response:
        with desk.archive_for(request) as archive:
            page = archive.player(request.path_params["key"])
        return desk.page(
            request,
            "player.html",
            page=page,
            throws=charts.bars("throws", {throw.value: count for throw, count in page.throws.items()}, "Throws"),
            verdicts=charts.bars(
                "verdicts", page.verdicts, "Verdicts", [verdict for verdict in page.verdicts if verdict != "on time"]
            ),
            lateness=charts.over_time(page.lateness),
        )

    def classroom(request: Request) -> Response:
        day, match = params.day(request), params.counted(request, "match")
        names = request.query_params.get("names", "yes")
        if names not in ("yes", "no"):
            raise NotFoundError("Names are shown or not: names=yes or names=no.")
        with desk.archive_for(request) as archive:
            days, room = archive.days(), archive.classroom(day, match)
        return desk.page(
            request,
            "classroom.html",
            room=room,
            lesson=lesson(room, names == "yes"),
            days=days,
            day=day,
            match=match,
            names=names == "yes",
            enough=ENOUGH,
        )

    return [
        Route("/players", players, name="players"),
        Route("/player/{key}", player, name="player"),
        Route("/classroom", classroom, name="classroom"),
    ]


def writing(desk: Desk) -> list[BaseRoute]:
    """The one that forgets a player."""

    async def forget(request: Request) -> Response:
        key = request.path_params["key"]
        left = await desk.change(request, lambda archive: archive.forget(key))
        return desk.page(request, "forgotten.html", left=left)

    return [Route("/player/{key}/forget", forget, methods=["POST"])]
