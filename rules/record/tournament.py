"""The events of a tournament: what a journal keeps of one on its box, and a hub of one of its hall. They are of no
match. What follows from them is a ``rules.tournaments.tournament.Tournament``: ``apply`` adds one to it."""

from typing import Annotated

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema

from rules.record.event import Answer, EventBody, EventNumber, HallPlayerId, PlayerKey, Record, Word
from rules.tournaments.fixture import MAX_PLAYERS, FixtureId, Format
from rules.tournaments.tournament import Tournament

MAX_TITLE_LENGTH = 40
"""Letters of a tournament's title."""


def _read_fixture(value: object) -> FixtureId:
    if isinstance(value, FixtureId):
        return value
    if not isinstance(value, str):
        raise ValueError("a fixture is written as text")
    return FixtureId.parse(value)


PlayerNumber = Annotated[int, Field(ge=1, le=MAX_PLAYERS, description="a player of the tournament, in seed order")]
FixtureName = Annotated[
    FixtureId,
    PlainValidator(_read_fixture),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {"type": "string", "pattern": r"^[A-Z][0-9]{1,4}(\.[0-9]{1,4}){1,2}$", "description": "such as K2.1"}
    ),
]
"""A fixture, written as its name."""


class TournamentMatch(Record):
    """The tournament a match belongs to, and its fixture there."""

    tournament: Annotated[EventNumber, Field(description="the number of the event that started it")]
    fixture: FixtureName
    players: Annotated[tuple[PlayerNumber, ...], Field(description="the players in seat order")]


class TournamentStarted(EventBody):
    """A tournament started. Like all events of a tournament it is of no match."""

    kind = "tournament_started"
    title: Annotated[str, Field(max_length=MAX_TITLE_LENGTH, description="what people call it")] = ""
    game: Word
    options: dict[Word, Answer]
    format: Format
    rounds: Annotated[int, Field(ge=0, le=100, description="of a Swiss or of tables; 0: as many as are usual")] = 0
    group_size: Annotated[int, Field(ge=2, le=32)] = 4
    qualifiers: Annotated[int, Field(ge=1, le=8, description="how many of each group go on")] = 2
    table_size: Annotated[int, Field(ge=2, le=8, description="players at a table")] = 2
    players: Annotated[dict[PlayerNumber, PlayerKey], Field(description="the players' keys in seed order")] = Field(
        default_factory=dict
    )

    @property
    def player_keys(self) -> tuple[str, ...]:
        """The players' keys in seed order."""
        return tuple(key for _, key in sorted(self.players.items()))


class _OfTournament(EventBody):
    tournament: Annotated[EventNumber, Field(description="the number of the event that started it")]


class TournamentPlayerEntered(_OfTournament):
    """Another player entered a tournament."""

    kind = "tournament_player_entered"
    player: PlayerKey


class HallPlayerEntered(EventBody):
    """A player of the hall entered."""

    kind = "hall_player_entered"
    player: HallPlayerId


class TournamentPlayerWithdrawn(_OfTournament):
    """A player left a tournament."""

    kind = "tournament_player_withdrawn"
    player: PlayerNumber


class TournamentDrawn(_OfTournament):
    """A round of a tournament was paired, or its groups or bracket were drawn."""

    kind = "tournament_drawn"
    draw: Annotated[str, Field(pattern=r"^[GK]$|^[ST][0-9]{1,3}$", description="what was drawn: a stage, or a round")]
    players: Annotated[
        tuple[tuple[Annotated[int, Field(ge=0, le=MAX_PLAYERS)], ...], ...],
        Field(description="of each group, pair or table; 0 is a bye"),
    ]
    crossing: Annotated[
        tuple[Annotated[int, Field(ge=0, le=MAX_PLAYERS - 1)], ...],
        Field(
            description="of a double knock-out, for each round of the winners' bracket from the second: the loser of "
            "match n comes into match n XOR this of the losers' bracket, both from 0; empty in older events: in reverse"
        ),
    ] = ()


class _TournamentResult(_OfTournament):
    fixture: FixtureName
    winners: Annotated[tuple[PlayerNumber, ...], Field(description="none, or several: drawn")]


class TournamentResult(_TournamentResult):
    """The result of a fixture was entered by hand. That of a match in this journal follows from the match."""

    kind = "tournament_result"


class TournamentCorrected(_TournamentResult):
    """A fixture had another result."""

    kind = "tournament_corrected"


class TournamentNoShow(_OfTournament):
    """A player did not come to a fixture's match."""

    kind = "tournament_no_show"
    fixture: FixtureName
    player: PlayerNumber


class TournamentAbandoned(_OfTournament):
    """People gave a tournament up."""

    kind = "tournament_abandoned"


TournamentBody = (
    TournamentStarted
    | TournamentPlayerEntered
    | TournamentPlayerWithdrawn
    | TournamentDrawn
    | TournamentResult
    | TournamentCorrected
    | TournamentNoShow
    | TournamentAbandoned
)  # fmt: skip
"""The events of a tournament in a journal."""


def apply(tournament: Tournament, event: TournamentBody | HallPlayerEntered) -> None:
    """Add an event to a tournament. Raises TournamentError, and changes nothing, if it can't happen now."""
    match event:
        case TournamentPlayerEntered() | HallPlayerEntered():
            tournament.enter()
        case TournamentPlayerWithdrawn(player=player):
            tournament.withdraw(player)
        case TournamentDrawn(draw=key, players=draw, crossing=crossing):
            tournament.keep_draw(key, draw, crossing)
        case TournamentResult(fixture=fixture, winners=winners):
            tournament.end(fixture, winners)
        case TournamentCorrected(fixture=fixture, winners=winners):
            tournament.correct(fixture, winners)
        case TournamentNoShow(fixture=fixture, player=player):
            tournament.note_absent(fixture, player)


def draw_before(tournament: Tournament, number: int, fixture: FixtureId) -> TournamentDrawn | None:
    """Return what is to be written of tournament ``number`` before the first match of the fixture's round, or stage:
    its draw; None if that is written. Raises TournamentError if there is no such fixture."""
    draw = tournament.open_draw(tournament.fixture(fixture).id)
    if draw is None:
        return None
    return TournamentDrawn(tournament=number, draw=fixture.draw, players=draw, crossing=tournament.crossing)
