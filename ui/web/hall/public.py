"""A hall's results for everybody: the tournaments as they stand, on phones and projectors, kept up to date by a stream.
A page is rendered once for each change, however many look at it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from rules.tournaments.events import Fixture, Format
from ui.web.auth.access_code import TooManyAttemptsError
from ui.web.auth.middleware import LoginError, wait_text
from ui.web.events import stream_events
from ui.web.hall.view import CODE_PATH, HallHost, HallSnapshot, HallTournamentPage
from ui.web.pages import ANONYMOUS, get_access, render_template
from ui.web.params import path_number
from ui.web.views import Access, NotFoundError

SLIDE_ROWS = 6
"""Lines on one slide of a projector, each of them at least 4 % of the picture's height."""
MAX_CACHED_PAGES = 200


def routes(host: HallHost) -> list[BaseRoute]:
    """Routes of the pages that everybody may see. The middleware has checked the code, if there is one."""
    cache: dict[tuple[str, Access], tuple[HallSnapshot, str]] = {}

    def page(template: str) -> Callable[[Request], Response]:
        def render(request: Request) -> Response:
            viewer = replace(get_access(request), token="")  # these pages have no forms: they are the same for all
            snapshot, key = host.newest(), (request.url.path, viewer)
            found = cache.get(key)
            if found is None or found[0] is not snapshot:
                chosen = find_tournament(request, snapshot)
                html = render_template(template, viewer, hall=snapshot, page=chosen, slides=make_slides(chosen))
                if len(cache) >= MAX_CACHED_PAGES:
                    cache.clear()
                cache[key] = found = snapshot, html
            return HTMLResponse(found[1])

        return render

    async def live(request: Request) -> Response:
        return stream_events(request, host, lambda snapshot: f'{{"number": {snapshot.number}}}')

    return [
        Route("/", page("hall/results.html"), methods=["GET"]),
        Route("/tournament/{number:int}", page("hall/results.html"), methods=["GET"]),
        Route("/screen", page("hall/screen.html"), methods=["GET"]),
        Route("/screen/{number:int}", page("hall/screen.html"), methods=["GET"]),
        Route("/live", live, methods=["GET"]),
    ]


def find_tournament(request: Request, snapshot: HallSnapshot) -> HallTournamentPage | None:
    """Return the tournament of the path, without one that which is going on. Raises NotFoundError."""
    if "number" not in request.path_params:
        return snapshot.current
    number = path_number(request, "number")
    for one in snapshot.tournaments:
        if one.number == number:
            return one
    raise NotFoundError("There is no such tournament, or it was long ago.")


Slide = tuple[str, str, Sequence[object]]
"""A kind ("playing", "results", "standings", "round"), a heading and its lines."""


def make_slides(page: HallTournamentPage | None) -> list[Slide]:
    """Return a tournament in pieces that can be read from afar: what is played, the newest results, the tables, and of
    a bracket the rounds that are not over, or the last."""
    if page is None:
        return []
    summary = page.summary
    slides: list[Slide] = [
        *_pieces("playing", "Playing now", page.playing),
        *_pieces("results", "Results", page.newest[:SLIDE_ROWS]),
    ]
    if page.is_bracket or summary.format is Format.GROUPS:
        rounds = [(title, [one for one in fixtures if one.stage != "G"]) for title, fixtures in summary.rounds()]
        open_rounds = [one for one in rounds if any(_is_open(fixture) for fixture in one[1])]
        for title, fixtures in open_rounds or rounds[-1:]:
            slides += _pieces("round", str(title), fixtures)
    if not page.is_bracket or not page.is_open:
        for heading, rows in summary.tables:
            slides += _pieces("standings", str(heading) or "Standings", rows)
    return slides


def _is_open(fixture: Fixture) -> bool:
    return fixture.outcome is None and not fixture.is_bye


def _pieces(kind: str, heading: str, lines: Sequence[object]) -> list[Slide]:
    return [(kind, heading, lines[start : start + SLIDE_ROWS]) for start in range(0, len(lines), SLIDE_ROWS)]


def render_code(code: str, error: LoginError | None) -> str:
    """Render the page on which viewers of a private hall type its code."""
    text = "That is not the code of this hall." if error is not None else ""
    if isinstance(error, TooManyAttemptsError):
        text = wait_text(error.seconds)
    return render_template("hall/code.html", ANONYMOUS, error=text, code=code, path=CODE_PATH)
