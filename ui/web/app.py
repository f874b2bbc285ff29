"""The review pages as a Starlette app: all routes. The server passes in how to open the archive and how to look up a
request's access, and wraps the app in ``ui.web.auth.middleware``, which checks sessions, hosts and forms."""

from collections.abc import Callable
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ui.web import params, players
from ui.web.charts import photo_finish
from ui.web.pages import GetAccess, OpenArchive, TemplateContext
from ui.web.static_files import static_file
from ui.web.views import Mark, NotFoundError

MATCHES_PER_PAGE = 30
"""Matches on one page of the list."""
MAX_FILTER_PLAYERS = 200
"""Players offered in the filter: those who played last."""
EXPORT_FORMATS = ("json", "csv", "html")
"""Formats a match can be exported in."""
IMAGE_TYPES = ("image/jpeg", "image/png", "image/svg+xml")
"""Media types shown inline; evidence of any other type, in a journal from elsewhere, is a download."""
ERROR_TEXTS = {
    404: ("Not found", "There is no such page."),
    405: ("Not allowed", "This page does not support that method."),
    413: ("Too large", "The request is too large for these pages."),
}


def create_app(
    open_archive: OpenArchive,
    get_access: GetAccess,
    *,
    user_errors: tuple[type[Exception], ...] = (),
) -> Starlette:
    """Build the app. ``open_archive`` opens the archive for a request, in the thread that answers it; ``get_access``
    returns a request's access; ``user_errors`` are errors of the archive whose message is shown to users (status 503).
    """
    context = TemplateContext(open_archive, get_access, user_errors)
    routes = [*_read_routes(context), *_write_routes(context), Route("/static/{name}", static_file, name="static")]
    app = Starlette(routes=routes, exception_handlers=_error_handlers(context))
    app.router.redirect_slashes = False  # a trailing slash is a 404
    return app


def _read_routes(context: TemplateContext) -> list[BaseRoute]:
    """Routes that only read."""

    def matches(request: Request) -> Response:
        match_filter = params.match_filter(request, MATCHES_PER_PAGE + 1)
        with context.open_archive(request) as archive:
            lines = archive.matches(match_filter)
            games, days, player_lines = archive.games(), archive.days(), archive.players()
        shown = lines[:MATCHES_PER_PAGE]
        chosen = {
            name: value
            for name in ("day", "game", "player", "mark")
            if (value := getattr(match_filter, name)) is not None
        }
        older = urlencode({**chosen, "after": shown[-1].number}) if len(lines) > MATCHES_PER_PAGE else None
        offered = [one.player for one in player_lines if one.player.key is not None]
        return context.render(
            request,
            "matches.html",
            lines=shown,
            games=games,
            days=days,
            players=sorted(
                [
                    player
                    for n, player in enumerate(offered)
                    if n < MAX_FILTER_PLAYERS or player.key == match_filter.player
                ],
                key=lambda player: player.name.casefold(),
            ),
            match_filter=match_filter,
            chosen=chosen,
            older=older,
            marks=list(Mark),
        )

    def match(request: Request) -> Response:
        with context.open_archive(request) as archive:
            page = archive.match(params.path_number(request, "number"))
        names = {seat: one.name for seat, one in enumerate(page.line.players, 1)}
        return context.render(request, "match.html", page=page, line=page.line, names=names)

    def round_(request: Request) -> Response:
        with context.open_archive(request) as archive:
            page = archive.round(params.path_number(request, "event"))
        return context.render(
            request,
            "round.html",
            page=page,
            line=page.line,
            available_pictures={one.name for one in page.pictures if one.exists},
            all_pictures={one.name for one in page.pictures},
            strip_seats=photo_finish.strip_seats(page),
            names={seat.seat: seat.player.name for seat in page.line.seats},
            photo_finish=photo_finish,
            Mark=Mark,
        )

    def picture(request: Request) -> Response:
        with context.open_archive(request) as archive:
            media_type, data = archive.picture(params.path_number(request, "event"), request.path_params["name"])
        if media_type in IMAGE_TYPES:
            return Response(data, media_type=media_type)
        return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": "attachment"})

    def export(request: Request) -> Response:
        export_format = request.path_params["format"]
        if export_format not in EXPORT_FORMATS:
            raise HTTPException(404)
        with context.open_archive(request) as archive:
            name, media_type, data = archive.export(params.path_number(request, "number"), export_format)
        return Response(data, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    return [
        Route("/", matches, name="matches"),
        Route("/match/{number:int}", match, name="match"),
        Route("/match/{number:int}/export/{format}", export, name="export"),
        Route("/round/{event:int}", round_, name="round"),
        Route("/round/{event:int}/picture/{name}", picture, name="picture"),
        *players.read_routes(context),
    ]


def _write_routes(context: TemplateContext) -> list[BaseRoute]:
    """Routes that change something: forms with a token, each redirecting to a page."""

    async def mark(request: Request) -> Response:
        fields, event = await params.form_fields(request), params.path_number(request, "event")
        value = fields.get("mark", "")
        if value and value not in list(Mark):
            raise NotFoundError("A round is marked “to review” or “reviewed”.")
        await context.change(request, lambda archive: archive.mark(event, Mark(value) if value else None))
        return RedirectResponse(f"/round/{event}#mark", 303)

    async def delete_pictures(request: Request) -> Response:
        number = params.path_number(request, "number")
        await context.change(request, lambda archive: archive.delete_pictures(number))
        return RedirectResponse(f"/match/{number}#pictures", 303)

    return [
        Route("/round/{event:int}/mark", mark, methods=["POST"]),
        Route("/match/{number:int}/delete-pictures", delete_pictures, methods=["POST"]),
        *players.write_routes(context),
    ]


def _error_handlers(context: TemplateContext) -> dict[object, Callable[[Request, Exception], Response]]:
    """Error pages by exception class."""

    def not_found(request: Request, error: Exception) -> Response:
        return context.render_error(request, 404, "Not found", str(error) or ERROR_TEXTS[404][1])

    def archive_error(request: Request, error: Exception) -> Response:
        return context.render_error(request, 503, "The journal can't be read", str(error))

    def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        title, text = ERROR_TEXTS.get(error.status_code, ("Not allowed", str(error.detail)))
        return context.render_error(request, error.status_code, title, text, error.headers)

    def internal_error(request: Request, error: Exception) -> Response:
        text = "Something went wrong in the box. Its terminal shows the details."
        return context.render_error(request, 500, "Internal error", text)

    return {
        NotFoundError: not_found,
        HTTPException: http_error,
        Exception: internal_error,
        **dict.fromkeys(context.user_errors, archive_error),
    }
