"""A hall's results for everybody: the tournaments as they stand, on phones and projectors, kept up to date. A page is
rendered once for each change, however many look at it."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from errors import NotFoundError
from messages import N
from rules.tournaments.fixture import Fixture, Format
from throwlock.hub.pages.live import HallSnapshot, LiveSnapshot
from throwlock.hub.pages.tournament_pages import HallTournamentPage
from ui.web.live import SharedPage
from ui.web.middleware import LoginError, login_error_text
from ui.web.pages import ANONYMOUS, render_template
from ui.web.params import path_number

CODE_PATH = "/code"
"""Where viewers type the code of a hall that is not public."""
SLIDE_ROWS = 6
"""Lines on one slide of a projector, each of them at least 4 % of the picture's height."""


def results(request: Request) -> Response:
    """Show a tournament's results."""
    return _show(request, "hall/results.html")


def screen(request: Request) -> Response:
    """Show a tournament to a projector."""
    return _show(request, "hall/screen.html")


def _show(request: Request, template: str) -> Response:
    """Show a page, and keep it up to date."""
    live: LiveSnapshot = request.app.state.live

    def values() -> dict[str, object]:
        snapshot = live.newest()
        page = find_tournament(request, snapshot)
        return {"hall": snapshot, "page": page, "slides": make_slides(page)}

    path, cache = request.url.path, request.app.state.rendered
    return SharedPage(template, values, live.viewers, lambda: live.newest().number, path=path, cache=cache).respond(
        request
    )


def find_tournament(request: Request, snapshot: HallSnapshot) -> HallTournamentPage | None:
    """Return the tournament of the path, without one the newest that is not over. Raises NotFoundError."""
    if "number" not in request.path_params:
        return snapshot.current
    number = path_number(request, "number")
    for page in snapshot.tournaments:
        if page.number == number:
            return page
    raise NotFoundError(N("There is no such tournament, or it was long ago."))


Slide = tuple[str, str, Sequence[object]]
"""A kind ("playing", "results", "standings", "round"), a heading and its lines."""


def make_slides(page: HallTournamentPage | None) -> list[Slide]:
    """Return a tournament in pieces that can be read from afar: what is played, the newest results, the tables, and of
    a bracket the rounds that are not over, or the last."""
    if page is None:
        return []
    summary = page.summary
    slides: list[Slide] = [
        *_pieces("playing", N("Playing now"), page.playing),
        *_pieces("results", N("Newest results"), page.newest[:SLIDE_ROWS]),
    ]
    if page.is_bracket or summary.format is Format.GROUPS:
        rounds = [(title, fixtures) for title, fixtures in summary.rounds() if fixtures[0].stage != "G"]
        open_rounds = [(title, fixtures) for title, fixtures in rounds if any(map(_is_open, fixtures))]
        for title, fixtures in open_rounds or rounds[-1:]:
            slides += _pieces("round", title, fixtures)
    if not page.is_bracket or not page.is_open:
        for heading, rows in summary.tables:
            slides += _pieces("standings", heading or N("Standings"), rows)
    return slides


def _is_open(fixture: Fixture) -> bool:
    return fixture.outcome is None and not fixture.is_bye


def _pieces(kind: str, heading: str, lines: Sequence[object]) -> list[Slide]:
    return [(kind, heading, lines[start : start + SLIDE_ROWS]) for start in range(0, len(lines), SLIDE_ROWS)]


def render_code(code: str, error: LoginError | None) -> str:
    """Render the page on which viewers of a private hall type its code."""
    text = login_error_text(error, N("That is not the code of this hall."))
    return render_template("hall/code.html", ANONYMOUS, error=text, code=code, path=CODE_PATH)


ROUTES = (
    Route("/", results, methods=["GET"]),
    Route("/tournament/{number:int}", results, methods=["GET"]),
    Route("/screen", screen, methods=["GET"]),
    Route("/screen/{number:int}", screen, methods=["GET"]),
)
"""The pages that everybody may see. The middleware has checked the code, if there is one."""
