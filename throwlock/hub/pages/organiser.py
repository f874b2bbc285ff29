"""The organiser's pages of a hall: players, tournaments, pairings, disputes and problems."""

from collections.abc import Callable, Mapping
from functools import partial, wraps

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from errors import NotFoundError
from messages import N
from rules.catalogue import GAMES
from rules.tournaments.fixture import FixtureId, Format, TournamentError
from throwlock.hub.pages.live import LiveSnapshot
from throwlock.hub.pages.organiser_data import (
    ORGANISER_PATH,
    Connection,
    in_transaction,
    read_box_lines,
    read_disputes,
    read_hall_ratings,
    read_organiser_tournament,
    read_picture,
    read_problems,
    read_tournament_lines,
)
from throwlock.hub.players import read_players
from ui.text.tournaments import FORMAT_NAMES, FORMAT_SENTENCES
from ui.web.live import LivePage
from ui.web.middleware import LoginError, login_error_text
from ui.web.pages import ANONYMOUS, render_page, render_template
from ui.web.params import path_number

LOGIN_PATH = "/login"
"""Where the organiser logs in."""
MAX_LISTED_FIXTURES = 60
"""Fixtures in one list of a tournament's page; the others are reached by their round."""

Values = Mapping[str, object]


def _live(template: str) -> Callable[[Callable[[Request, Connection], Values]], Callable[[Request], Response]]:
    """Return the decorator of what reads a page's variables from the database: it keeps that page up to date."""

    def decorate(read: Callable[[Request, Connection], Values]) -> Callable[[Request], Response]:
        @in_transaction
        def values(request: Request, connection: Connection) -> Values:
            return {"problems": read_problems(connection), **read(request, connection)}

        @wraps(read)
        def show(request: Request) -> Response:
            live: LiveSnapshot = request.app.state.live
            page = LivePage(f"hall/{template}", partial(values, request), live.organisers, lambda: live.refresh_count)
            return page.respond(request)

        return show

    return decorate


def _show(request: Request, connection: Connection, template: str, **values: object) -> Response:
    return render_page(request, f"hall/{template}", problems=read_problems(connection), **values)


def render_login(guess: str, error: LoginError | None) -> str:
    """Render the organiser's login page."""
    del guess  # people type it again
    text = login_error_text(error, N("Wrong password."))
    return render_template("hall/login.html", ANONYMOUS, error=text, path=LOGIN_PATH)


@_live("organiser.html")
def overview(request: Request, connection: Connection) -> Values:
    """Show the hall at a glance."""
    return {"boxes": read_box_lines(connection), "tournaments": read_tournament_lines(connection)}


@_live("players.html")
def players(request: Request, connection: Connection) -> Values:
    """Show the hall's players."""
    return {"players": read_players(connection), "done": request.query_params.get("done", "")[:200]}


@in_transaction
def sheet(request: Request, connection: Connection) -> Response:
    """Show the players' codes, to be printed."""
    return _show(request, connection, "sheet.html", players=read_players(connection))


@in_transaction
def new(request: Request, connection: Connection) -> Response:
    """Show the form of a new tournament."""
    games = list(GAMES.values())
    chosen = GAMES.get(request.query_params.get("game", games[0].name))
    if chosen is None:
        raise NotFoundError(N("There is no such game."))
    present = sum(player.is_present for player in read_players(connection))
    formats = [(str(form), FORMAT_NAMES[form], FORMAT_SENTENCES[form]) for form in Format]
    return _show(request, connection, "new.html", games=games, chosen=chosen, present=present, formats=formats)


@_live("tournament.html")
def tournament(request: Request, connection: Connection) -> Values:
    """Show a tournament as the organiser runs it."""
    shown = read_organiser_tournament(connection, path_number(request, "number"))
    boxes = read_box_lines(connection)
    return {"tournament": shown, "page": shown.page, "boxes": boxes, "limit": MAX_LISTED_FIXTURES}


@_live("fixture.html")
def fixture(request: Request, connection: Connection) -> Values:
    """Show one match of a tournament."""
    page = read_organiser_tournament(connection, path_number(request, "number")).page
    try:
        shown = page.fixture(FixtureId.parse(request.path_params["fixture"]))
    except (StopIteration, TournamentError):
        raise NotFoundError(N("The tournament has no such match.")) from None
    playing = next((line for line in page.playing if line.fixture == shown.id), None)
    return {"page": page, "fixture": shown, "playing": playing, "boxes": read_box_lines(connection)}


@_live("disputes.html")
def disputes(request: Request, connection: Connection) -> Values:
    """Show the disputed and corrected rounds."""
    return {"disputes": read_disputes(connection)}


@_live("ratings.html")
def ratings(request: Request, connection: Connection) -> Values:
    """Show everybody's rating."""
    return {"ratings": read_hall_ratings(connection).values()}


@_live("problems.html")
def problems(request: Request, connection: Connection) -> Values:
    """Show the journals' problems."""
    return {}  # they are on every page


@_live("settings.html")
def settings(request: Request, connection: Connection) -> Values:
    """Show who may see the results."""
    shown = request.app.state.live
    return {"hall": shown.newest(), "addresses": shown.addresses()}


@in_transaction
def picture(request: Request, connection: Connection) -> Response:
    """Show a piece of evidence."""
    journal, event = path_number(request, "journal"), path_number(request, "event")
    stored = read_picture(connection, journal, event, request.path_params["name"])
    if stored is None:
        raise NotFoundError(N("There is no such picture."))
    media_type, data = stored
    return Response(data, media_type=media_type)


_PAGES = {
    "": overview,
    "/players": players,
    "/players/sheet": sheet,
    "/new": new,
    "/tournament/{number:int}": tournament,
    "/tournament/{number:int}/match/{fixture}": fixture,
    "/disputes": disputes,
    "/ratings": ratings,
    "/problems": problems,
    "/settings": settings,
    "/picture/{journal:int}/{event:int}/{name}": picture,
}
ROUTES = tuple(Route(f"{ORGANISER_PATH}{path}", endpoint, methods=["GET"]) for path, endpoint in _PAGES.items())
"""The pages. The middleware has checked the password."""
