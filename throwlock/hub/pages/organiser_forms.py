"""What the organiser's forms do. Each is answered with a redirect to the page that shows what has changed. What can't
be done raises a ThrowlockError, and nothing is changed."""

import random
from urllib.parse import quote

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from errors import RefusedError
from messages import N, is_printable
from rules.catalogue import GAMES, find_game
from rules.record.tournament import (
    MAX_TITLE_LENGTH,
    HallPlayerEntered,
    TournamentAbandoned,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
)
from rules.tournaments.fixture import FixtureId, Format, TournamentError
from throwlock.hub.pages import access
from throwlock.hub.pages.organiser_data import (
    ORGANISER_PATH,
    Connection,
    in_transaction,
    read_hall_ratings,
    read_problems,
)
from throwlock.hub.pairings import assign, read_boxes
from throwlock.hub.players import (
    add_players,
    check_everybody_out,
    check_in,
    find_player,
    forget_player,
    read_players,
    rename_player,
)
from throwlock.hub.store import settle_problem
from throwlock.hub.tournament_log import LogBody, MatchCounted, PairingTakenBack
from throwlock.hub.tournaments import decide, set_automatic, start_tournament
from throwlock.table_setup.name_lists import check_distinct, parse_form_names
from ui.text.names import clean_name
from ui.web.params import form_number, path_number


def _go(path: str) -> Response:
    return RedirectResponse(f"{ORGANISER_PATH}{path}", 303)


def _by(request: Request) -> str:
    return f"organiser at {request.client.host}" if request.client else "organiser"


def _text(request: Request, name: str) -> str:
    return str(request.state.form.get(name, "")).strip()


def _number(request: Request, name: str, default: int, highest: int = 1024) -> int:
    text = _text(request, name) or str(default)
    if not (text.isascii() and text.isdecimal() and len(text) <= 6 and int(text) <= highest):
        raise RefusedError(N("“{text}” is not a number that fits here.", text=text[:20]))
    return int(text)


def _check_sure(request: Request, why: str) -> None:
    """Raise RefusedError with ``why`` unless the form's box is ticked."""
    if not _text(request, "sure"):
        raise RefusedError(why)


def _names(request: Request) -> tuple[str, ...]:
    """Return the names of a form's list. Raises NameListError: a line is no name, or two names are the same."""
    names = parse_form_names(_text(request, "names"))
    check_distinct(names)
    return names


# --- players ---------------------------------------------------------------------------------------------------------


@in_transaction
def add(request: Request, connection: Connection) -> Response:
    """Add players, and check them in."""
    for player in add_players(connection, _names(request)):
        check_in(connection, player, present=True)
    return _go("/players")


@in_transaction
def check_player_in(request: Request, connection: Connection) -> Response:
    """Check a player in by code or name."""
    player = find_player(connection, _text(request, "who"))
    check_in(connection, player.id, present=True)
    return _go(f"/players?done={quote(player.name)}")


@in_transaction
def check_all_out(request: Request, connection: Connection) -> Response:
    """Check all players out."""
    check_everybody_out(connection)
    return _go("/players")


@in_transaction
def set_present(request: Request, connection: Connection) -> Response:
    """Check a player in or out."""
    check_in(connection, request.path_params["player"], present=_text(request, "present") == "yes")
    return _go("/players")


@in_transaction
def rename(request: Request, connection: Connection) -> Response:
    """Change a player's name."""
    rename_player(connection, request.path_params["player"], _text(request, "name"))
    return _go("/players")


@in_transaction
def forget(request: Request, connection: Connection) -> Response:
    """Delete a player's name for good."""
    _check_sure(request, N("Tick the box to delete a name for good."))
    forget_player(connection, request.path_params["player"])
    return _go("/players")


# --- tournaments -----------------------------------------------------------------------------------------------------


@in_transaction
def start(request: Request, connection: Connection) -> Response:
    """Start a tournament."""
    form, game = _text(request, "format"), _text(request, "game")
    if form not in list(Format):
        raise RefusedError(N("Choose a format."))
    if game not in GAMES:
        raise RefusedError(N("Choose a game."))
    title = clean_name(_text(request, "title"))
    if len(title) > MAX_TITLE_LENGTH or not is_printable(title):
        raise TournamentError(N("a title has at most {count} letters that can be shown", count=MAX_TITLE_LENGTH))
    texts = {option: _text(request, f"option-{option.name}") for option in find_game(game).options}
    body = TournamentStarted(
        title=title,
        game=game,
        options={option.name: option.parse(text) for option, text in texts.items() if text},
        format=Format(form),
        rounds=_number(request, "rounds", 0, 100),
        group_size=max(2, _number(request, "group_size", 4, 32)),
        qualifiers=max(1, _number(request, "qualifiers", 2, 8)),
        table_size=max(3, _number(request, "table_size", 4, 8)) if form == Format.TABLES else 2,
    )
    entered = _seed(connection, _entered_players(connection, _names(request)), _text(request, "seeding"))
    number = start_tournament(connection, body, entered, _by(request))
    set_automatic(connection, number, automatic=bool(_text(request, "automatic")))
    return _go(f"/tournament/{number}")


def _entered_players(connection: Connection, names: tuple[str, ...]) -> list[str]:
    """Return the ids of the players with these names, who are added where needed; without names, of all who are
    there."""
    if not names:
        return [player.id for player in read_players(connection) if player.is_present]
    return add_players(connection, names)


def _seed(connection: Connection, entered: list[str], seeding: str) -> list[str]:
    """Return players in the order of their seeds: at "random", by their "rating" or as they are."""
    if seeding == "random":
        return random.SystemRandom().sample(entered, len(entered))
    if seeding == "rating":
        ranks = {player: rank for rank, player in enumerate(read_hall_ratings(connection))}
        return sorted(entered, key=lambda player: ranks.get(player, len(ranks)))
    return entered


@in_transaction
def switch_automatic(request: Request, connection: Connection) -> Response:
    """Have a tournament's matches assigned to free boxes by themselves, or not any more."""
    number = path_number(request, "number")
    set_automatic(connection, number, automatic=_text(request, "automatic") == "yes")
    return _go(f"/tournament/{number}")


def _decide(request: Request, connection: Connection, kind: type[LogBody], **fields: object) -> Response:
    """Write an event of the path's tournament."""
    number = path_number(request, "number")
    try:
        body = kind.model_validate({"tournament": number, **fields} if "tournament" in kind.model_fields else fields)
    except ValidationError:  # a form that was made by hand
        raise TournamentError(N("there is no such match, player or table")) from None
    decide(connection, number, body, _by(request))
    return _go(f"/tournament/{number}")


@in_transaction
def enter(request: Request, connection: Connection) -> Response:
    """Enter a player late, by name or code."""
    return _decide(request, connection, HallPlayerEntered, player=find_player(connection, _text(request, "who")).id)


@in_transaction
def withdraw(request: Request, connection: Connection) -> Response:
    """Note that a player has left a tournament."""
    _check_sure(request, N("Tick the box: whoever has left does not come back to this tournament."))
    return _decide(request, connection, TournamentPlayerWithdrawn, player=_number(request, "player", 0))


@in_transaction
def abandon(request: Request, connection: Connection) -> Response:
    """Give a tournament up."""
    _check_sure(request, N("Tick the box to give the tournament up."))
    return _decide(request, connection, TournamentAbandoned)


@in_transaction
def withdraw_pairing(request: Request, connection: Connection) -> Response:
    """Take a pairing back from its box."""
    return _decide(request, connection, PairingTakenBack, pairing=_text(request, "pairing"))


@in_transaction
def count(request: Request, connection: Connection) -> Response:
    """Count a match although its pairing was taken back."""
    return _decide(request, connection, MatchCounted, pairing=_text(request, "pairing"))


@in_transaction
def assign_to_table(request: Request, connection: Connection) -> Response:
    """Assign a fixture to a table, by its name or its box."""
    number, table = path_number(request, "number"), _text(request, "table")
    box = next((box.id for box in read_boxes(connection) if table in (box.table_name, box.id)), None)
    if box is None:
        raise RefusedError(N("There is no table “{name}”: choose one from the list.", name=table[:40]))
    assign(connection, number, FixtureId.parse(request.path_params["fixture"]), box, _by(request))
    return _go(f"/tournament/{number}")


@in_transaction
def enter_result(request: Request, connection: Connection) -> Response:
    """Enter the result of a fixture, or correct it."""
    winner = _text(request, "winner")
    if not winner:
        raise RefusedError(N("Choose who won."))
    winners = () if winner == "nobody" else (_number(request, "winner", 0),)
    return _decide(request, connection, TournamentResult, fixture=request.path_params["fixture"], winners=winners)


@in_transaction
def note_no_show(request: Request, connection: Connection) -> Response:
    """Note that a player did not come to a fixture."""
    player = _number(request, "player", 0)
    return _decide(request, connection, TournamentNoShow, fixture=request.path_params["fixture"], player=player)


# --- the hall --------------------------------------------------------------------------------------------------------


@in_transaction
def settle(request: Request, connection: Connection) -> Response:
    """Settle the problem of a journal: continue from what is stored, or take what the box has instead."""
    choice = _text(request, "choice")
    if choice not in ("keep", "replace"):
        raise RefusedError(N("Choose what counts."))
    journal = form_number(request, "journal")
    if journal not in [problem.journal for problem in read_problems(connection)]:
        raise RefusedError(N("This problem is settled already."))
    settle_problem(connection, journal, _text(request, "note")[:500], replace=choice == "replace")
    return _go("/problems")


@in_transaction
def set_public(request: Request, connection: Connection) -> Response:
    """Open the results to everybody on the network, or close them."""
    access.set_public(connection, public=_text(request, "public") == "yes")
    return _go("/settings")


@in_transaction
def renew_code(request: Request, connection: Connection) -> Response:
    """Replace the viewers' code."""
    access.renew_code(connection)
    return _go("/settings")


_FORMS = {
    "/players/add": add,
    "/players/check-in": check_player_in,
    "/players/check-out": check_all_out,
    "/players/{player}/present": set_present,
    "/players/{player}/rename": rename,
    "/players/{player}/forget": forget,
    "/new": start,
    "/tournament/{number:int}/automatic": switch_automatic,
    "/tournament/{number:int}/enter": enter,
    "/tournament/{number:int}/withdraw": withdraw,
    "/tournament/{number:int}/abandon": abandon,
    "/tournament/{number:int}/take-back": withdraw_pairing,
    "/tournament/{number:int}/count": count,
    "/tournament/{number:int}/match/{fixture}/give": assign_to_table,
    "/tournament/{number:int}/match/{fixture}/result": enter_result,
    "/tournament/{number:int}/match/{fixture}/no-show": note_no_show,
    "/problems/settle": settle,
    "/settings/public": set_public,
    "/settings/code": renew_code,
}
ROUTES = tuple(Route(f"{ORGANISER_PATH}{path}", endpoint, methods=["POST"]) for path, endpoint in _FORMS.items())
"""The forms. The middleware has checked the password, and the forms' tokens."""
