"""The review pages as a Starlette app: every address there is, and what answers it. Whoever serves them says how the
archive is opened and who looks, and puts the guard round them (``ui.web.auth.middleware``): it checks visitors and
forms."""

from collections.abc import Callable
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ui.web import params
from ui.web import players as people
from ui.web.charts import photo_finish
from ui.web.pages import AccessFor, ArchiveFor, Desk
from ui.web.static_files import static_file
from ui.web.views import Mark, NotFoundError

A_PAGE = 30
"""Matches on one page of the list."""
PLAYERS = 200
"""Players to choose from in the filter: those who played last."""
FORMS = ("json", "csv", "html")
"""What a match can be exported as."""
PICTURES = ("image/jpeg", "image/png", "image/svg+xml")
"""What evidence is shown as: a journal from elsewhere may name it anything."""
WORDS = {
    404: ("Not found", "There is no such page."),
    405: ("Not possible", "That can't be done with this page."),
    413: ("Too much", "That was more than these pages take."),
}


def app(
    archive_for: ArchiveFor,
    access_for: AccessFor,
    *,
    faults: tuple[type[Exception], ...] = (),
) -> Starlette:
    """The pages. ``archive_for`` opens the archive for a request, in the thread that answers it; ``access_for`` says
    who looks; ``faults`` are errors of the archive whose message is for people (answered 503)."""
    desk = Desk(archive_for, access_for, faults)
    routes = [*_reading(desk), *_writing(desk), Route("/static/{name}", static_file, name="static")]
    pages = Starlette(routes=routes, exception_handlers=_handlers(desk))
    pages.router.redirect_slashes = False  # an address with a slash too many is none of ours
    return pages


def _reading(desk: Desk) -> list[BaseRoute]:
    """The addresses that only show."""

    def matches(request: Request) -> Response:
        wanted = params.wanted(request, A_PAGE + 1)
        with desk.archive_for(request) as archive:
            lines = archive.matches(wanted)
            games, days, players = archive.games(), archive.days(), archive.players()
        shown = lines[:A_PAGE]
        chosen = {
            name: value for name in ("day", "game", "player", "mark") if (value := getattr(wanted, name)) is not None
        }
        older = urlencode({**chosen, "after": shown[-1].number}) if len(lines) > A_PAGE else None
        offered = [one.player for one in players if one.player.key is not None]
        return desk.page(
            request,
            "matches.html",
            lines=shown,
            games=games,
            days=days,
            players=sorted(
                [player for n, player in enumerate(offered) if n < PLAYERS or player.key == wanted.player],
                key=lambda player: player.name.casefold(),
            ),
            wanted=wanted,
            chosen=chosen,
            older=older,
            marks=list(Mark),
        )

    def match(request: Request) -> Response:
        with desk.archive_for(request) as archive:
            page = archive.match(params.number(request, "number"))
        names = {seat: one.name for seat, one in enumerate(page.line.players, 1)}
        return desk.page(request, "match.html", page=page, line=page.line, names=names)

    def round_(request: Request) -> Response:
        with desk.archive_for(request) as archive:
            page = archive.round(params.number(request, "event"))
        return desk.page(
            request,
            "round.html",
            page=page,
            line=page.line,
            there={one.name for one in page.pictures if one.there},
            kept={one.name for one in page.pictures},
            strip_seats=photo_finish.strip_seats(page),
            names={seat.seat: seat.player.name for seat in page.line.seats},
            photo_finish=photo_finish,
            Mark=Mark,
        )

    def picture(request: Request) -> Response:
        with desk.archive_for(request) as archive:
            media_type, data = archive.picture(params.number(request, "event"), request.path_params["name"])
        if media_type in PICTURES:
            return Response(data, media_type=media_type)
        return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": "attachment"})

    def export(request: Request) -> Response:
        form = request.path_params["form"]
        if form not in FORMS:
            raise HTTPException(404)
        with desk.archive_for(request) as archive:
            name, media_type, data = archive.export(params.number(request, "number"), form)
        return Response(data, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    return [
        Route("/", matches, name="matches"),
        Route("/match/{number:int}", match, name="match"),
        Route("/match/{number:int}/export/{form}", export, name="export"),
        Route("/round/{event:int}", round_, name="round"),
        Route("/round/{event:int}/picture/{name}", picture, name="picture"),
        *people.reading(desk),
    ]


def _writing(desk: Desk) -> list[BaseRoute]:
    """The addresses that change something: each a form with a token, each leads back to a page."""

    async def mark(request: Request) -> Response:
        fields, event = await params.form(request), params.number(request, "event")
        put = fields.get("mark", "")
        if put and put not in list(Mark):
            raise NotFoundError("Rounds are marked “to look at” or “looked at”.")
        await desk.change(request, lambda archive: archive.mark(event, Mark(put) if put else None))
        return RedirectResponse(f"/round/{event}#mark", 303)

    async def delete_pictures(request: Request) -> Response:
        number = params.number(request, "number")
        await desk.change(request, lambda archive: archive.delete_pictures(number))
        return RedirectResponse(f"/match/{number}#pictures", 303)

    return [
        Route("/round/{event:int}/mark", mark, methods=["POST"]),
        Route("/match/{number:int}/delete-pictures", delete_pictures, methods=["POST"]),
        *people.writing(desk),
    ]


def _handlers(desk: Desk) -> dict[object, Callable[[Request, Exception], Response]]:
    """The pages for what went wrong."""

    def gone(request: Request, error: Exception) -> Response:
        return desk.fault(request, 404, "Not found", str(error) or WORDS[404][1])

    def trouble(request: Request, error: Exception) -> Response:
        return desk.fault(request, 503, "The journal can't be read", str(error))

    def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        title, text = WORDS.get(error.status_code, ("Not possible", str(error.detail)))
        return desk.fault(request, error.status_code, title, text, error.headers)

    def broken(request: Request, error: Exception) -> Response:
        text = "Something went wrong in the box itself. It has said more on its terminal."
        return desk.fault(request, 500, "A fault of the box", text)

    return {
        NotFoundError: gone,
        HTTPException: http,
        Exception: broken,
        **dict.fromkeys(desk.faults, trouble),
    }
