"""The organiser's pages of a hall: players, tournaments, pairings, disputes and problems. Every form is answered with a
redirect to the page that shows what has changed."""

from collections.abc import Callable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from rules.tournaments.events import Format
from ui.text.tournaments import FORMAT_NAMES, FORMAT_SENTENCES
from ui.web.auth.access_code import TooManyAttemptsError
from ui.web.auth.middleware import LoginError, wait_text
from ui.web.events import stream_events
from ui.web.hall.view import LOGIN_PATH, ORGANISER_PATH, HallDesk, HallHost, NewTournament
from ui.web.pages import ANONYMOUS, render_page, render_template
from ui.web.params import path_number
from ui.web.views import NotFoundError, RefusedError

MAX_LISTED_FIXTURES = 60
"""Fixtures in one list of a tournament's page; the others are reached by their round."""

Action = Callable[[HallDesk, Request], str]
"""Does what a form asks for, and returns the path of the page to go to."""
TournamentAction = Callable[[HallDesk, Request, int], None]
"""Does what a form of a tournament's pages asks for."""


def routes(host: HallHost) -> list[BaseRoute]:
    """Routes of the organiser's pages. The middleware has checked the password, and the forms' tokens."""

    def show(path: str, template: str, values: Callable[[HallDesk, Request], dict[str, object]]) -> Route:
        def page(request: Request) -> Response:
            with host.open_desk(_by(request)) as desk:
                return render_page(request, f"hall/{template}", problems=desk.problems(), **values(desk, request))

        return Route(f"{ORGANISER_PATH}{path}", page, methods=["GET"])

    def do(path: str, action: Action) -> Route:
        def post(request: Request) -> Response:
            with host.open_desk(_by(request)) as desk:
                target = action(desk, request)
            return RedirectResponse(f"{ORGANISER_PATH}{target}", 303)

        return Route(f"{ORGANISER_PATH}{path}", post, methods=["POST"])

    def do_in_tournament(path: str, action: TournamentAction) -> Route:
        def act(desk: HallDesk, request: Request) -> str:
            number = path_number(request, "number")
            action(desk, request, number)
            return f"/tournament/{number}"

        return do(f"/tournament/{{number:int}}{path}", act)

    async def live(request: Request) -> Response:
        return stream_events(request, host, lambda snapshot: f'{{"number": {snapshot.number}}}')

    def picture(request: Request) -> Response:
        journal, event = path_number(request, "journal"), path_number(request, "event")
        with host.open_desk(_by(request)) as desk:
            found = desk.picture(journal, event, request.path_params["name"])
        if found is None:
            raise NotFoundError("There is no such picture.")
        return Response(found[1], media_type=found[0])

    def settings(desk: HallDesk, request: Request) -> dict[str, object]:
        return {"hall": host.newest(), "addresses": host.addresses()}

    return [
        show("", "organiser.html", lambda desk, _: {"boxes": desk.boxes(), "tournaments": desk.tournaments()}),
        show("/players", "players.html", lambda desk, request: {"players": desk.players(), "done": _done(request)}),
        show("/players/sheet", "sheet.html", lambda desk, _: {"players": desk.players()}),
        show("/new", "new.html", _new_page),
        show("/tournament/{number:int}", "desk.html", _desk_page),
        show("/tournament/{number:int}/match/{fixture}", "fixture.html", _fixture_page),
        show("/disputes", "disputes.html", lambda desk, _: {"disputes": desk.disputes()}),
        show("/ratings", "ratings.html", lambda desk, _: {"ratings": desk.ratings()}),
        show("/problems", "problems.html", lambda desk, _: {}),
        show("/settings", "settings.html", settings),
        Route(f"{ORGANISER_PATH}/live", live, methods=["GET"]),
        Route(f"{ORGANISER_PATH}/picture/{{journal:int}}/{{event:int}}/{{name}}", picture, methods=["GET"]),
        do("/players/add", _add_players),
        do("/players/check-in", _check_in),
        do("/players/check-out", _check_out),
        do("/players/{player}/present", _set_present),
        do("/players/{player}/rename", _rename),
        do("/players/{player}/forget", _forget),
        do("/new", _start),
        do_in_tournament("/automatic", _set_automatic),
        do_in_tournament("/enter", _enter),
        do_in_tournament("/withdraw", _withdraw),
        do_in_tournament("/abandon", _abandon),
        do_in_tournament("/take-back", _take_back),
        do_in_tournament("/count", _count),
        do_in_tournament("/match/{fixture}/give", _give),
        do_in_tournament("/match/{fixture}/result", _enter_result),
        do_in_tournament("/match/{fixture}/no-show", _note_no_show),
        do("/problems/settle", _settle),
        do("/settings/public", _set_public),
        do("/settings/code", _renew_code),
    ]


def render_login(guess: str, error: LoginError | None) -> str:
    """Render the organiser's login page."""
    del guess  # people type it again
    text = "Wrong password." if error is not None else ""
    if isinstance(error, TooManyAttemptsError):
        text = wait_text(error.seconds)
    return render_template("hall/login.html", ANONYMOUS, error=text, path=LOGIN_PATH)


def _by(request: Request) -> str:
    return f"organiser at {request.client.host}" if request.client else "organiser"


# pages


def _new_page(desk: HallDesk, request: Request) -> dict[str, object]:
    games = desk.games()
    name = request.query_params.get("game", games[0].name)
    chosen = next((one for one in games if one.name == name), None)
    if chosen is None:
        raise NotFoundError("There is no such game.")
    present = sum(one.is_present for one in desk.players())
    return {
        "games": games,
        "chosen": chosen,
        "present": present,
        "formats": [(str(one), FORMAT_NAMES[one], FORMAT_SENTENCES[one]) for one in Format],
    }


def _desk_page(desk: HallDesk, request: Request) -> dict[str, object]:
    found = desk.tournament(path_number(request, "number"))
    return {"desk": found, "page": found.page, "boxes": desk.boxes(), "limit": MAX_LISTED_FIXTURES}


def _fixture_page(desk: HallDesk, request: Request) -> dict[str, object]:
    found = desk.tournament(path_number(request, "number"))
    try:
        fixture = found.page.fixture(request.path_params["fixture"])
    except StopIteration:
        raise NotFoundError("The tournament has no such match.") from None
    given = next((one for one in found.page.playing if one.fixture == fixture.id), None)
    return {"desk": found, "page": found.page, "fixture": fixture, "given": given, "boxes": desk.boxes()}


def _done(request: Request) -> str:
    return request.query_params.get("done", "")[:200]


# forms


def _text(request: Request, name: str) -> str:
    return str(request.state.form.get(name, "")).strip()


def _number(request: Request, name: str, default: int, highest: int = 1024) -> int:
    text = _text(request, name) or str(default)
    if not (text.isascii() and text.isdecimal() and len(text) <= 6 and int(text) <= highest):
        raise RefusedError(f"“{text[:20]}” is not a number that fits here.")
    return int(text)


def _check_sure(request: Request, why: str) -> None:
    """Raise RefusedError with ``why`` unless the form's box is ticked."""
    if not _text(request, "sure"):
        raise RefusedError(why)


def _lines(request: Request, name: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in _text(request, name).splitlines() if line.strip())


def _add_players(desk: HallDesk, request: Request) -> str:
    desk.add_players(_lines(request, "names"))
    return "/players"


def _check_in(desk: HallDesk, request: Request) -> str:
    return f"/players?done={quote(desk.check_in(_text(request, 'who')))}"


def _check_out(desk: HallDesk, request: Request) -> str:
    desk.check_everybody_out()
    return "/players"


def _set_present(desk: HallDesk, request: Request) -> str:
    desk.set_present(request.path_params["player"], present=_text(request, "present") == "yes")
    return "/players"


def _rename(desk: HallDesk, request: Request) -> str:
    desk.rename(request.path_params["player"], _text(request, "name"))
    return "/players"


def _forget(desk: HallDesk, request: Request) -> str:
    _check_sure(request, "Tick the box to delete a name for good.")
    desk.forget(request.path_params["player"])
    return "/players"


def _start(desk: HallDesk, request: Request) -> str:
    form = _text(request, "format")
    if form not in list(Format):
        raise RefusedError("Choose a format.")
    game = _text(request, "game")
    chosen = next((one for one in desk.games() if one.name == game), None)
    if chosen is None:
        raise RefusedError("Choose a game.")
    options = {one.name: _text(request, f"option-{one.name}") for one in chosen.options}
    number = desk.start(
        NewTournament(
            title=_text(request, "title"),
            game=game,
            options={name: value for name, value in options.items() if value},
            format=form,
            rounds=_number(request, "rounds", 0, 100),
            group_size=_number(request, "group_size", 4, 32),
            qualifiers=_number(request, "qualifiers", 2, 8),
            table_size=_number(request, "table_size", 4, 8),
            names=_lines(request, "names"),
            seeding=_text(request, "seeding"),
            is_automatic=bool(_text(request, "automatic")),
        )
    )
    return f"/tournament/{number}"


def _set_automatic(desk: HallDesk, request: Request, number: int) -> None:
    desk.set_automatic(number, automatic=_text(request, "automatic") == "yes")


def _enter(desk: HallDesk, request: Request, number: int) -> None:
    desk.enter(number, _text(request, "who"))


def _withdraw(desk: HallDesk, request: Request, number: int) -> None:
    _check_sure(request, "Tick the box: whoever has left does not come back to this tournament.")
    desk.withdraw(number, _number(request, "player", 0))


def _abandon(desk: HallDesk, request: Request, number: int) -> None:
    _check_sure(request, "Tick the box to give the tournament up.")
    desk.abandon(number)


def _take_back(desk: HallDesk, request: Request, number: int) -> None:
    desk.take_back(number, _text(request, "pairing"))


def _count(desk: HallDesk, request: Request, number: int) -> None:
    desk.count(number, _text(request, "pairing"))


def _give(desk: HallDesk, request: Request, number: int) -> None:
    table = _text(request, "table")
    box = next((one.id for one in desk.boxes() if table in (one.table, one.id)), None)
    if box is None:
        raise RefusedError(f"There is no table “{table[:40]}”: choose one from the list.")
    desk.give(number, request.path_params["fixture"], box)


def _enter_result(desk: HallDesk, request: Request, number: int) -> None:
    winner = _text(request, "winner")
    if not winner:
        raise RefusedError("Choose who won.")
    winners = () if winner == "nobody" else (_number(request, "winner", 0),)
    desk.enter_result(number, request.path_params["fixture"], winners)


def _note_no_show(desk: HallDesk, request: Request, number: int) -> None:
    desk.note_no_show(number, request.path_params["fixture"], _number(request, "player", 0))


def _settle(desk: HallDesk, request: Request) -> str:
    choice = _text(request, "choice")
    if choice not in ("keep", "replace"):
        raise RefusedError("Choose what counts.")
    desk.settle(_number(request, "journal", 0, 999_999), _text(request, "note")[:500], replace=choice == "replace")
    return "/problems"


def _set_public(desk: HallDesk, request: Request) -> str:
    desk.set_public(public=_text(request, "public") == "yes")
    return "/settings"


def _renew_code(desk: HallDesk, request: Request) -> str:
    desk.renew_code()
    return "/settings"
