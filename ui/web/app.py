"""The review pages as a Starlette app: all routes. The server passes in how to open the archive, and wraps the app in
``ui.web.auth.middleware``, which checks sessions, hosts and forms and reads the forms."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ui.i18n.language import LANGUAGES, current_language
from ui.web import classes, clips, params, players
from ui.web.charts import photo_finish
from ui.web.pages import OpenArchive, render_error, render_page
from ui.web.static_files import static_file
from ui.web.strings import list_name
from ui.web.views import MAX_NOTE_LENGTH, Mark, NotFoundError, RefusedError, Trouble

if TYPE_CHECKING:
    from ui.web.pads.view import PadHost
    from ui.web.tv.host import TvHost

MATCHES_PER_PAGE = 30
"""Matches on one page of the list."""
MAX_FILTER_PLAYERS = 200
"""Players offered in the filter: those who played last."""
EXPORT_FORMATS = ("json", "csv", "html")
"""Formats a match can be exported in."""
IMAGE_TYPES = ("image/jpeg", "image/png", "image/svg+xml")
"""Media types shown inline; evidence of any other type, in a journal from elsewhere, is a download."""


def create_app(
    open_archive: OpenArchive,
    *,
    user_errors: tuple[type[Exception], ...] = (),
    pads: "PadHost | None" = None,
    tv: "TvHost | None" = None,
    clip_host: clips.ClipHost | None = None,
) -> Starlette:
    """Build the app. ``user_errors`` are errors of the archive whose message is shown to users (status 503). With
    ``pads``, phones can answer for seats; with ``tv``, second screens can show what happens; ``clip_host`` makes clips
    of rounds."""
    routes = [
        *_routes(open_archive, clip_host is not None),
        *players.routes(open_archive),
        *classes.routes(open_archive),
        *(clips.routes(clip_host) if clip_host is not None else ()),
        *(_pad_routes(pads) if pads is not None else ()),
        *(_tv_routes(tv, open_archive) if tv is not None else ()),
        Route("/static/{name}", static_file, name="static"),
    ]
    app = Starlette(routes=routes, exception_handlers=error_handlers(user_errors))
    app.router.redirect_slashes = False  # a trailing slash is a 404
    return app


def _pad_routes(pads: "PadHost") -> list[BaseRoute]:
    from ui.web.pads.routes import routes  # noqa: PLC0415  without pads no pygame is needed

    return routes(pads)


def _tv_routes(tv: "TvHost", open_archive: OpenArchive) -> list[BaseRoute]:
    from ui.web.tv.routes import routes  # noqa: PLC0415

    return routes(tv, open_archive)


def _routes(open_archive: OpenArchive, has_clips: bool) -> list[BaseRoute]:
    """Routes of matches and rounds. Those that change something are forms, each redirecting to a page."""

    def matches(request: Request) -> Response:
        match_filter = params.match_filter(request, MATCHES_PER_PAGE + 1)
        with open_archive() as archive:
            lines = archive.matches(match_filter)
            games, days, player_lines = archive.games(), archive.days(), archive.players()
        shown = lines[:MATCHES_PER_PAGE]
        chosen = {
            name: value
            for name in ("day", "game", "player", "mark", "trouble")
            if (value := getattr(match_filter, name)) is not None
        }
        older = urlencode({**chosen, "after": shown[-1].number}) if len(lines) > MATCHES_PER_PAGE else None
        offered = [one.player for one in player_lines if one.player.key is not None]
        return render_page(
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
            title=list_name(
                {**chosen, "after": match_filter.after}, games, {one.key: one.name for one in offered if one.key}
            ),
            older=older,
            marks=list(Mark),
            troubles=list(Trouble),
        )

    def match(request: Request) -> Response:
        with open_archive() as archive:
            page = archive.match(params.path_number(request, "number"))
        return render_page(request, "match.html", page=page, line=page.line, max_note_length=MAX_NOTE_LENGTH)

    def round_(request: Request) -> Response:
        with open_archive() as archive:
            page = archive.round(params.path_number(request, "event"))
        return render_page(
            request,
            "round.html",
            page=page,
            line=page.line,
            available_pictures={one.name for one in page.pictures if one.exists},
            all_pictures={one.name for one in page.pictures},
            strip_seats=photo_finish.strip_seats(page),
            names=page.line.names,
            photo_finish=photo_finish,
            Mark=Mark,
            clip_formats=clips.FORMAT_LABELS if has_clips else {},
            languages=LANGUAGES,
            box_language=current_language(),
            max_note_length=MAX_NOTE_LENGTH,
        )

    def picture(request: Request) -> Response:
        with open_archive() as archive:
            media_type, data = archive.picture(params.path_number(request, "event"), request.path_params["name"])
        if media_type in IMAGE_TYPES:
            return Response(data, media_type=media_type)
        return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": "attachment"})

    def export(request: Request) -> Response:
        export_format = request.path_params["format"]
        if export_format not in EXPORT_FORMATS:
            raise HTTPException(404)
        with open_archive() as archive:
            name, media_type, data = archive.export(params.path_number(request, "number"), export_format)
        return Response(data, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    def mark(request: Request) -> Response:
        event, value = params.path_number(request, "event"), request.state.form.get("mark", "")
        if value and value not in list(Mark):
            raise NotFoundError("A round is marked “to review” or “reviewed”.")
        with open_archive() as archive:
            archive.mark(event, Mark(value) if value else None)
        return RedirectResponse(f"/round/{event}#mark", 303)

    def write_note(kind: str, name: str) -> Callable[[Request], Response]:
        def save(request: Request) -> Response:
            event = params.path_number(request, name)
            with open_archive() as archive:
                archive.write_note(event, str(request.state.form.get("note", "")))
            return RedirectResponse(f"/{kind}/{event}#note", 303)

        return save

    def correct(request: Request) -> Response:
        event, choice = params.path_number(request, "event"), params.form_correction(request)
        with open_archive() as archive:
            if choice == params.VERDICT_STANDS:
                archive.reject_dispute(event)
            else:
                archive.correct(event, *choice)
        return RedirectResponse(f"/round/{event}#came", 303)

    def delete_pictures(request: Request) -> Response:
        number = params.path_number(request, "number")
        with open_archive() as archive:
            archive.delete_pictures(number)
        return RedirectResponse(f"/match/{number}#pictures", 303)

    return [
        Route("/", matches, name="matches"),
        Route("/match/{number:int}", match, name="match"),
        Route("/match/{number:int}/export/{format}", export, name="export"),
        Route("/match/{number:int}/delete-pictures", delete_pictures, methods=["POST"]),
        Route("/round/{event:int}", round_, name="round"),
        Route("/round/{event:int}/picture/{name}", picture, name="picture"),
        Route("/round/{event:int}/mark", mark, methods=["POST"]),
        Route("/round/{event:int}/note", write_note("round", "event"), methods=["POST"]),
        Route("/match/{number:int}/note", write_note("match", "number"), methods=["POST"]),
        Route("/round/{event:int}/correct", correct, methods=["POST"]),
    ]


def error_handlers(
    user_errors: tuple[type[Exception], ...],
    render_error: Callable[..., Response] = render_error,
    refusal: type[Exception] = RefusedError,
) -> dict[object, Callable[[Request, Exception], Response]]:
    """Return what renders the error page of each class of exceptions."""

    def page(status: int) -> Callable[[Request, Exception], Response]:
        return lambda request, error: render_error(request, status, str(error))

    def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return render_error(request, error.status_code, headers=error.headers)

    def internal_error(request: Request, error: Exception) -> Response:
        return render_error(request, 500)  # its message may name folders

    return {
        NotFoundError: page(404),
        refusal: page(409),
        HTTPException: http_error,
        Exception: internal_error,
        **dict.fromkeys(user_errors, page(503)),
    }
