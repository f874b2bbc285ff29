"""The organiser's events of a hall's tournaments: what people decided. Results are not among them, since they follow
from the boxes' journals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any, get_args

from psycopg import Connection
from pydantic import Field

from rules.record.event import EventBody, EventNumber, PairingId
from rules.record.tournament import (
    FixtureName,
    HallPlayerEntered,
    PlayerNumber,
    TournamentAbandoned,
    TournamentCorrected,
    TournamentDrawn,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
)
from throwlock.hall.protocol import BoxId
from throwlock.journal.events import encode_body


class PairingGiven(EventBody):
    """A fixture was assigned to a box, which plays it for this pairing."""

    kind = "pairing_given"
    pairing: PairingId
    fixture: FixtureName
    box: BoxId
    players: Annotated[tuple[PlayerNumber, ...], Field(description="in seat order")]


class PairingTakenBack(EventBody):
    """A pairing is not to be played. A match that is played for it nevertheless does not count."""

    kind = "pairing_taken_back"
    pairing: PairingId


class MatchCounted(EventBody):
    """The match of a pairing that was taken back counts nevertheless."""

    kind = "match_counted"
    pairing: PairingId


class MatchResultTaken(EventBody):
    """A match had ended again with another result before what follows here was decided: it counts with that one."""

    kind = "match_result_taken"
    pairing: PairingId
    number: Annotated[EventNumber, Field(description="of the event in the box's journal with which it ended")]


LogBody = (
    TournamentStarted
    | HallPlayerEntered
    | TournamentPlayerWithdrawn
    | TournamentDrawn
    | TournamentResult
    | TournamentCorrected
    | TournamentNoShow
    | TournamentAbandoned
    | PairingGiven
    | PairingTakenBack
    | MatchCounted
    | MatchResultTaken
)
LOG_BODY_TYPES: Mapping[str, type[LogBody]] = MappingProxyType({body.kind: body for body in get_args(LogBody)})


@dataclass(frozen=True)
class LogEntry:
    """An event of a tournament: its number, from 1, when it happened and who did it."""

    number: int
    at: datetime
    by: str
    body: LogBody


def read_log(connection: Connection[Any], tournament: int) -> list[LogEntry]:
    """Return a tournament's events in their order."""
    rows = connection.execute(
        "SELECT number, at, by, kind, body::text FROM tournament_event WHERE tournament = %s ORDER BY number",
        (tournament,),
    )
    return [
        LogEntry(number, at, by, LOG_BODY_TYPES[kind].model_validate_json(body)) for number, at, by, kind, body in rows
    ]


def write_log(connection: Connection[Any], tournament: int, after: int, by: str, bodies: Sequence[LogBody]) -> None:
    """Append events after number ``after``, and keep the pairings that they assign or take back. The caller holds the
    lock of the tournaments."""
    for number, body in enumerate(bodies, after + 1):
        connection.execute(
            "INSERT INTO tournament_event (tournament, number, by, kind, body) VALUES (%s, %s, %s, %s, %s)",
            (tournament, number, by, body.kind, encode_body(body)),
        )
        match body:
            case PairingGiven():
                connection.execute(
                    """INSERT INTO pairing (id, tournament, fixture, players, box)
                    SELECT %s, %s, %s, array_agg(body ->> 'player' ORDER BY place), %s
                    FROM unnest(%s::int[]) WITH ORDINALITY AS seat (player, place)
                    JOIN (
                        SELECT body, row_number() OVER (ORDER BY number) AS player FROM tournament_event
                        WHERE tournament = %s AND kind = 'hall_player_entered'
                    ) AS entered USING (player)""",
                    (body.pairing, tournament, str(body.fixture), body.box, list(body.players), tournament),
                )
            case PairingTakenBack():
                connection.execute("UPDATE pairing SET is_taken_back = true WHERE id = %s", (body.pairing,))
