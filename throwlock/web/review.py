"""The review pages: the list of matches, a match, a round with its pictures, and what people note about them. What
changes something is a form, which redirects to a page."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from errors import NotFoundError
from messages import N
from rules.record.event import MAX_NOTE_LENGTH, ReviewMark
from throwlock.review.archive import JournalArchive
from ui.i18n.language import LANGUAGES, current_language
from ui.web import params
from ui.web.charts import photo_finish
from ui.web.live import LivePage
from ui.web.middleware import LANGUAGE_COOKIE
from ui.web.pages import render_page
from ui.web.strings import list_name
from ui.web.views import IMAGE_TYPES, Trouble

LANGUAGE_AGE_S = 365 * 24 * 3600
"""How long a browser remembers which language was chosen."""
MATCHES_PER_PAGE = 30
"""Matches on one page of the list."""
MAX_FILTER_PLAYERS = 200
"""Players offered in the filter: those who played last."""
EXPORT_FORMATS = ("json", "csv", "xlsx", "html")
"""Formats a match can be exported in."""
MAX_VIEWERS = 16
"""Browsers whose page of a match is kept up to date at once."""
JOURNAL_INTERVAL_S = 1.0
"""How often the page of a match that is played looks at the journal, which another process may write."""

OpenArchive = Callable[[], AbstractContextManager[JournalArchive]]
"""Opens the archive, in the thread that answers a request."""


def open_archive(request: Request) -> AbstractContextManager[JournalArchive]:
    """Open the archive as it is now. Raises NotFoundError before the first match, JournalError."""
    opener: OpenArchive = request.app.state.open_archive
    return opener()


def list_matches(request: Request) -> Response:
    """List matches, newest first."""
    match_filter = params.match_filter(request, MATCHES_PER_PAGE + 1)
    with open_archive(request) as archive:
        lines = archive.matches(match_filter)
        games, days, player_lines = archive.games(), archive.days(), archive.players()
    shown = lines[:MATCHES_PER_PAGE]
    chosen = {
        name: value
        for name in ("day", "game", "player", "mark", "trouble")
        if (value := getattr(match_filter, name)) is not None
    }
    older = urlencode({**chosen, "after": shown[-1].number}) if len(lines) > MATCHES_PER_PAGE else None
    known = [line.player for line in player_lines if line.player.key is not None]
    offered = [player for n, player in enumerate(known) if n < MAX_FILTER_PLAYERS or player.key == match_filter.player]
    return render_page(
        request,
        "matches.html",
        lines=shown,
        games=games,
        days=days,
        players=sorted(offered, key=lambda player: player.name.casefold()),
        match_filter=match_filter,
        chosen=chosen,
        title=list_name(
            {**chosen, "after": match_filter.after}, games, {player.key: player.name for player in known if player.key}
        ),
        older=older,
        marks=list(ReviewMark),
        troubles=list(Trouble),
    )


def show_match(request: Request) -> Response:
    """Show a match, and keep it up to date while it is played."""
    number = params.path_number(request, "number")

    def values() -> dict[str, object]:
        with open_archive(request) as archive:
            page = archive.match(number)
        return {"page": page, "line": page.line, "max_note_length": MAX_NOTE_LENGTH}

    def stamp() -> object:
        with open_archive(request) as archive:
            return archive.state()

    return LivePage("match.html", values, request.app.state.viewers[0], stamp, JOURNAL_INTERVAL_S).respond(request)


def show_round(request: Request) -> Response:
    """Show a round."""
    with open_archive(request) as archive:
        page = archive.round(params.path_number(request, "event"))
    return render_page(
        request,
        "round.html",
        page=page,
        line=page.line,
        available_pictures={picture.name for picture in page.pictures if picture.exists},
        all_pictures={picture.name for picture in page.pictures},
        strip_seats=photo_finish.strip_seats(page),
        names=page.line.names,
        photo_finish=photo_finish,
        Mark=ReviewMark,
        has_clips=request.app.state.clips is not None,
        languages=LANGUAGES,
        box_language=current_language(),
        max_note_length=MAX_NOTE_LENGTH,
    )


def send_picture(request: Request) -> Response:
    """Send a piece of evidence; of another type than an image, which a journal from elsewhere may have, as a file."""
    with open_archive(request) as archive:
        media_type, data = archive.picture(params.path_number(request, "event"), request.path_params["name"])
    if media_type in IMAGE_TYPES:
        return Response(data, media_type=media_type)
    return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": "attachment"})


def export_match(request: Request) -> Response:
    """Send a match as a file."""
    export_format = request.path_params["format"]
    if export_format not in EXPORT_FORMATS:
        raise HTTPException(404)
    with open_archive(request) as archive:
        name, media_type, data = archive.export(params.path_number(request, "number"), export_format)
    return Response(data, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def mark_round(request: Request) -> Response:
    """Set or remove a round's mark."""
    event, value = params.path_number(request, "event"), request.state.form.get("mark", "")
    if value and value not in list(ReviewMark):
        raise NotFoundError(N("A round is marked “to review” or “reviewed”."))
    with open_archive(request) as archive:
        archive.mark(event, ReviewMark(value) if value else None)
    return RedirectResponse(f"/round/{event}#mark", 303)


def note_round(request: Request) -> Response:
    """Write a round's note."""
    return _write_note(request, "round", "event")


def note_match(request: Request) -> Response:
    """Write a match's note."""
    return _write_note(request, "match", "number")


def _write_note(request: Request, kind: str, name: str) -> Response:
    event = params.path_number(request, name)
    with open_archive(request) as archive:
        archive.write_note(event, str(request.state.form.get("note", "")))
    return RedirectResponse(f"/{kind}/{event}#note", 303)


def correct_round(request: Request) -> Response:
    """Correct a round, or note that it was disputed and its verdict counts."""
    event, choice = params.path_number(request, "event"), params.form_correction(request)
    with open_archive(request) as archive:
        if choice == params.VERDICT_STANDS:
            archive.reject_dispute(event)
        else:
            archive.correct(event, *choice)
    return RedirectResponse(f"/round/{event}#came", 303)


def delete_pictures(request: Request) -> Response:
    """Delete a match's images for good."""
    number = params.path_number(request, "number")
    with open_archive(request) as archive:
        archive.delete_pictures(number)
    return RedirectResponse(f"/match/{number}#pictures", 303)


def set_language(request: Request) -> Response:
    """Show the pages in another language to this browser from now on."""
    language = str(request.state.form.get("language", ""))
    if language not in LANGUAGES:
        raise HTTPException(404)
    page = RedirectResponse("/", 303)
    page.set_cookie(LANGUAGE_COOKIE, language, max_age=LANGUAGE_AGE_S, httponly=True, samesite="strict")
    return page


ROUTES = (
    Route("/language", set_language, methods=["POST"]),
    Route("/", list_matches, name="matches"),
    Route("/match/{number:int}", show_match, name="match"),
    Route("/match/{number:int}/export/{format}", export_match, name="export"),
    Route("/match/{number:int}/delete-pictures", delete_pictures, methods=["POST"]),
    Route("/round/{event:int}", show_round, name="round"),
    Route("/round/{event:int}/picture/{name}", send_picture, name="picture"),
    Route("/round/{event:int}/mark", mark_round, methods=["POST"]),
    Route("/round/{event:int}/note", note_round, methods=["POST"]),
    Route("/match/{number:int}/note", note_match, methods=["POST"]),
    Route("/round/{event:int}/correct", correct_round, methods=["POST"]),
)
