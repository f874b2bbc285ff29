"""What the organiser's pages show, read from the hub's database."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Any, TypeVar

import psycopg
from starlette.requests import Request

from messages import N, join
from rules.catalogue import GAMES, find_game
from rules.record.event import Answer
from rules.record.tournament import (
    HallPlayerEntered,
    TournamentCorrected,
    TournamentDrawn,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
)
from rules.text import THROW_WORDS
from rules.throws import Throw
from rules.tournaments.fixture import Fixture
from throwlock.hub.database import connect, translate_errors
from throwlock.hub.pages.tournament_pages import HallTournamentPage, read_round_counts, table_name, tournament_page
from throwlock.hub.pairings import read_boxes
from throwlock.hub.players import read_names
from throwlock.hub.tournament_log import (
    LogBody,
    LogEntry,
    MatchCounted,
    MatchResultTaken,
    PairingGiven,
    PairingTakenBack,
)
from throwlock.hub.tournaments import FORGOTTEN_NAME, HallTournament, read_hall_tournament
from throwlock.journal.events import Corrected, DisputeRejected, decode_body
from throwlock.replay.ratings import MatchOfTwo, Rating, rate

Connection = psycopg.Connection[Any]
T = TypeVar("T")

ORGANISER_PATH = "/organise"
"""The organiser's pages."""
MAX_DISPUTES = 200
MAX_LOG_LINES = 100
MAX_LISTED_TOURNAMENTS = 100


def in_transaction(endpoint: Callable[[Request, Connection], T]) -> Callable[[Request], T]:
    """Call an endpoint, or what reads a page's variables, with a connection to the database, in one transaction that
    ends before it is answered. It raises DatabaseError if that fails."""

    @wraps(endpoint)
    def answer(request: Request) -> T:
        with connect(request.app.state.live.dsn) as connection, translate_errors(), connection.transaction():
            return endpoint(request, connection)

    return answer


@dataclass(frozen=True)
class BoxLine:
    """A box in the organiser's list."""

    id: str
    table: str
    state: str
    """Homie's."""
    seen_at: datetime | None
    match: str
    """What is played there."""
    camera: str
    version: str
    temperature: str
    review: str
    """The address of its review pages, "" if they are off."""
    open_pairings: int
    behind: int
    """How many events it has that are not stored."""
    problem: str
    """Why nothing more of its journal is taken."""
    excess: str
    """What it has lately had too much of: an ``Excess``."""


@dataclass(frozen=True)
class TournamentLine:
    """A tournament in the organiser's list."""

    number: int
    title: str
    at: datetime
    is_over: bool


@dataclass(frozen=True)
class OrganiserTournament:
    """A tournament as the organiser runs it."""

    page: HallTournamentPage
    """What everybody sees."""
    ready: tuple[Fixture, ...]
    """The fixtures that can be assigned."""
    remaining: tuple[int, ...]
    """The numbers of the players who have not withdrawn."""
    can_enter: bool
    """Whether another player can enter."""
    is_automatic: bool
    """Whether what can be played is assigned to free boxes by itself."""
    taken_back: tuple[tuple[str, str], ...]
    """Matches that were played although their pairing was taken back: pairing, and what it is."""
    late: tuple[str, ...]
    """What boxes corrected too late, and events that do not fit."""
    log: tuple[tuple[LogEntry, str], ...]
    """What was decided, the newest first, in words."""


@dataclass(frozen=True)
class HallDisputeLine:
    """A round that players disputed, or corrected, in a match of the hall."""

    at: datetime | None
    tournament: int
    title: str
    table: str
    players: str
    text: str
    review: str
    """The address of its evidence on the box, "" where its pages are off."""
    pictures: tuple[tuple[str, str], ...]
    """Those that were sent: address and description."""


@dataclass(frozen=True)
class ProblemLine:
    """A journal that does not continue what is stored."""

    journal: int
    table: str
    kind: str
    number: int
    found_at: datetime


def read_box_lines(connection: Connection) -> list[BoxLine]:
    """Return all boxes in the order of their tables."""
    pairings = {box.id: box.open_pairings for box in read_boxes(connection)}
    rows = connection.execute(
        "SELECT id, table_name, state, properties, seen_at, behind, problem, excess FROM box_status "
        "ORDER BY length(table_name), table_name, id"
    )
    return [
        BoxLine(
            id=box,
            table=table,
            state=state,
            seen_at=seen_at,
            match=str(properties.get("box/match", "")),
            camera=str(properties.get("box/camera", "")),
            version=str(properties.get("box/version", "")),
            temperature=str(properties.get("box/temperature", "")),
            review=_address(properties),
            open_pairings=pairings[box],
            behind=behind,
            problem=problem,
            excess=excess,
        )
        for box, table, state, properties, seen_at, behind, problem, excess in rows
    ]


def read_tournament_lines(connection: Connection) -> list[TournamentLine]:
    """Return the newest tournaments, the newest first."""
    rows = connection.execute(
        "SELECT id, body::text, at, is_over FROM tournament JOIN tournament_event ON tournament = id "
        "WHERE number = 1 ORDER BY id DESC LIMIT %s",
        (MAX_LISTED_TOURNAMENTS,),
    )
    lines = []
    for number, text, at, is_over in rows:
        body = TournamentStarted.model_validate_json(text)
        title = body.title or (GAMES[body.game].title if body.game in GAMES else body.game)
        lines.append(TournamentLine(number, title, at, is_over))
    return lines


def read_organiser_tournament(connection: Connection, number: int) -> OrganiserTournament:
    """Return a tournament. Raises TournamentError and IllegalSetupError."""
    tournament = read_hall_tournament(connection, number)
    boxes = {box.id: box for box in read_boxes(connection, with_removed=True)}
    page = tournament_page(tournament, boxes, read_round_counts(connection))
    state = tournament.record.state

    def at_table(pairing: PairingGiven) -> str:
        players = page.summary.against(state.fixture(pairing.fixture))
        return N(
            "{table}, match {fixture} ({players})",
            table=table_name(boxes, pairing.box),
            fixture=pairing.fixture,
            players=players,
        )

    late = [
        *(N("{match} ended again, too late: its first result stays", match=at_table(late)) for late in tournament.late),
        *(
            N("{event}: this does not fit: {why}", event=_describe(tournament, entry.body), why=error.text)
            for entry, error in tournament.unfitting
        ),
    ]
    return OrganiserTournament(
        page=page,
        ready=tournament.ready,
        remaining=state.remaining,
        can_enter=state.can_enter,
        is_automatic=tournament.is_automatic,
        taken_back=tuple(
            (pairing.pairing, N("{match} was played although it was taken back.", match=at_table(pairing)))
            for pairing in tournament.taken_back
        ),
        late=tuple(late),
        log=tuple((entry, _describe(tournament, entry.body)) for entry in tournament.log[: -MAX_LOG_LINES - 1 : -1]),
    )


def read_disputes(connection: Connection) -> list[HallDisputeLine]:
    """Return the disputed and corrected rounds of the hall's matches, the newest first."""
    rows = connection.execute(
        """SELECT event.at, pairing_match.tournament, event.kind, event.body::text, event.journal, pairing.players,
            box.table_name, box.properties, started.body ->> 'title', started.body ->> 'game'
        FROM pairing_match
        JOIN event USING (journal, match)
        JOIN pairing ON pairing.id = pairing_match.pairing
        JOIN box ON box.id = pairing.box
        JOIN tournament_event AS started ON started.tournament = pairing_match.tournament AND started.number = 1
        WHERE event.kind IN ('corrected', 'dispute_rejected') AND event.understood
        ORDER BY event.at DESC NULLS LAST, event.journal, event.number DESC LIMIT %s""",
        (MAX_DISPUTES,),
    ).fetchall()
    names = read_names(connection)
    pictures = _read_picture_names(connection, [row[4] for row in rows])
    lines = []
    for at, tournament, kind, text, journal, players, table, properties, title, game in rows:
        body = decode_body(kind, text)
        assert isinstance(body, Corrected | DisputeRejected)
        known = [names.get(player) or FORGOTTEN_NAME for player in players]
        address = _address(properties)
        lines.append(
            HallDisputeLine(
                at=at,
                tournament=tournament,
                title=title or find_game(game).title,
                table=table,
                players=join(known, " – "),
                text=_dispute_text(body, known),
                review=f"{address.rstrip('/')}/round/{body.round}" if address else "",
                pictures=tuple(
                    (f"{ORGANISER_PATH}/picture/{journal}/{body.round}/{name}", name)
                    for name in pictures.get((journal, body.round), ())
                ),
            )
        )
    return lines


def _read_picture_names(connection: Connection, journals: list[int]) -> Mapping[tuple[int, int], list[str]]:
    """Return the names of the pictures that were sent, by journal and event."""
    names: dict[tuple[int, int], list[str]] = {}
    for journal, event, name in connection.execute(
        "SELECT journal, event, name FROM picture WHERE journal = ANY (%s) ORDER BY name", (journals,)
    ):
        names.setdefault((journal, event), []).append(name)
    return names


def read_picture(connection: Connection, journal: int, event: int, name: str) -> tuple[str, bytes] | None:
    """Return the media type and data of a picture that was sent; None if there is none."""
    row = connection.execute(
        "SELECT media_type, data FROM picture WHERE journal = %s AND event = %s AND name = %s",
        (journal, event, name.replace("\0", "")),
    ).fetchone()
    return (str(row[0]), bytes(row[1])) if row else None


def read_problems(connection: Connection) -> list[ProblemLine]:
    """Return the journals' problems that are not settled."""
    rows = connection.execute(
        """SELECT DISTINCT ON (journal.id) journal.id, table_name, problem.kind, problem.number, found_at
        FROM problem JOIN journal ON journal.id = problem.journal JOIN box ON box.id = journal.box
        WHERE settled_at IS NULL AND replaced_at IS NULL ORDER BY journal.id, problem.id"""
    )
    return [ProblemLine(*row) for row in rows]


def read_hall_ratings(connection: Connection) -> Mapping[str, Rating]:
    """Return the ratings over all tournaments by player, the best first. Players who are forgotten have none."""
    names = {key: name for key, name in read_names(connection).items() if name}
    matches = []
    for (number,) in connection.execute("SELECT id FROM tournament ORDER BY id").fetchall():
        tournament = read_hall_tournament(connection, number)
        for fixture, pairing in tournament.pairings.items():
            outcome = tournament.record.state.fixture(fixture).outcome
            keys = [tournament.record.keys[player - 1] for player in pairing.players]
            if outcome is not None and not outcome.absent and len(keys) == 2 and names.keys() >= {*keys}:
                winners = frozenset(tournament.record.keys[player - 1] for player in outcome.winners)
                matches.append(MatchOfTwo((keys[0], keys[1]), winners))
    ratings = rate(matches, {key: key for key in names})
    return {rating.name: replace(rating, name=names[rating.name]) for rating in ratings}


def _address(properties: dict[str, Any]) -> str:
    """Return the address of a box's review pages, "" if they are off. A box can send any text: only what a link to a
    web page can have is taken."""
    address = str(properties.get("box/review", ""))
    return address if address.startswith(("http://", "https://")) and len(address) < 200 else ""


def _dispute_text(body: Corrected | DisputeRejected, names: Sequence[str]) -> str:
    if not body.text and isinstance(body, Corrected):
        if body.seat is None:
            return N("the round does not count")
        name = names[body.seat - 1] if body.seat <= len(names) else N("seat {seat}", seat=body.seat)
        previous, to = _reading_text(body.previous), _reading_text(body.to)
        return N("{name}: {previous}, corrected to {to}", name=name, previous=previous, to=to)
    text = body.text
    for seat, name in enumerate(names, 1):
        text = text.replace(f"{{{seat}}}", name)
    return text or N("the verdict counts")


def _reading_text(reading: Answer) -> object:
    """Return a throw, or another answer, as it was read."""
    if reading is None:
        return N("no throw")
    return THROW_WORDS[Throw(reading)] if reading in list(Throw) else reading


def _describe(tournament: HallTournament, body: LogBody) -> str:  # noqa: PLR0911 - one return for each kind of event
    record = tournament.record

    def names(players: Sequence[int]) -> str:
        return join([record.name(player) for player in players if 0 < player <= len(record.names)], ", ")

    def fixture_of(pairing: str) -> object:
        given = [entry.body for entry in tournament.log if isinstance(entry.body, PairingGiven)]
        return next((body.fixture for body in given if body.pairing == pairing), "")

    match body:
        case TournamentStarted():
            return N("The tournament began")
        case HallPlayerEntered(player=player):
            return N("{name} entered", name=names([record.keys.index(player) + 1] if player in record.keys else []))
        case TournamentPlayerWithdrawn(player=player):
            return N("{name} withdrew", name=names([player]))
        case TournamentDrawn(draw=key):
            return N("Drawn: {draw}", draw=key)
        case TournamentResult(fixture=fixture, winners=winners):
            return N("{fixture}: result entered, {names}", fixture=fixture, names=names(winners))
        case TournamentCorrected(fixture=fixture, winners=winners):
            return N("{fixture}: corrected to {names}", fixture=fixture, names=names(winners))
        case TournamentNoShow(fixture=fixture, player=player):
            return N("{fixture}: {name} did not come", fixture=fixture, name=names([player]))
        case PairingGiven(fixture=fixture, box=box, players=players):
            return N("{fixture}: {names} assigned to {box}", fixture=fixture, names=names(players), box=box)
        case PairingTakenBack(pairing=pairing):
            return N("{fixture}: taken back", fixture=fixture_of(pairing))
        case MatchCounted(pairing=pairing):
            return N("{fixture}: counted although it was taken back", fixture=fixture_of(pairing))
        case MatchResultTaken(pairing=pairing):
            return N("{fixture}: its match ended again with another result", fixture=fixture_of(pairing))
    return N("The tournament was given up")
