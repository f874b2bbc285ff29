"""The events of a match, as the journal stores them: one model for each kind, written and read by ``encode_body`` and
``decode_body``. Screens, review pages, exports and statistics are computed from them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import ConfigDict, Field, TypeAdapter, model_validator

from rules.engine import Result
from rules.record.event import Answer, EventBody, EventNumber, HallPlayerId, PairingId, PlayerKey, Record, Word
from rules.record.judgement import JudgementRecord, SeatNumber
from rules.record.tournament import TournamentBody, TournamentMatch
from throwlock.house_rules import HouseRules
from throwlock.journal.hash_chain import canonical_json

Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256, hexadecimal")]
Commitment = Annotated[
    str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of a salt, name, media type and the data's SHA-256")
]
Sentence = Annotated[str, Field(max_length=100_000, description="{1}, {2}, … stand for the players' names")]
AnsweringSeat = Annotated[int, Field(ge=0, le=1_000_000, description="0 is the box")]
Answers = dict[AnsweringSeat, Answer]
EvidenceName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,40}\.(jpg|svg)$")]


class EvidenceRecord(Record):
    """A piece of evidence that belongs to an event."""

    media_type: Literal["image/jpeg", "image/svg+xml"]
    commitment: Commitment


EVIDENCE_RECORDS = TypeAdapter(dict[EvidenceName, EvidenceRecord])
"""Checks the evidence of an event, by name."""


class ImportedFrom(Record):
    """The journal an imported match was played in, and its place there."""

    journal: Annotated[Hash, Field(description="the hash of that journal's id")]
    match: EventNumber
    first_hash: Annotated[Hash, Field(description="of the match's first event there")]
    last_event: Annotated[int, Field(ge=1, description="the number of its last event there")]
    last_hash: Annotated[Hash, Field(description="of its last event there")]
    imported_at: Annotated[str, Field(description="when it was imported, ISO 8601 in UTC")]


class ContinuedFrom(Record):
    """The damaged journal a match was continued from, a file next to the new one, and its place there."""

    file: Annotated[str, Field(min_length=1, max_length=255)]
    match: EventNumber
    last_event: Annotated[int, Field(ge=1, description="the number of its last event there")]


class HallMatch(Record):
    """The pairing of a hall's tournament that a match is played for."""

    pairing: PairingId
    players: Annotated[
        tuple[HallPlayerId, ...],
        Field(description="the hall's players in seat order"),
    ]


class MatchStarted(EventBody):
    """A match started."""

    kind = "match_started"
    game: Word
    rules_version: Annotated[int, Field(description="of the game's rules")]
    seats: SeatNumber
    options: dict[Word, Answer]
    players: Annotated[
        dict[SeatNumber, PlayerKey],
        Field(description="the players' keys by seat"),
    ] = Field(default_factory=dict)
    house_rules: HouseRules
    seed: Annotated[int, Field(ge=0, description="of simulated players and their draws")]
    camera: Word
    scenarios: Annotated[tuple[Word, ...], Field(description="what simulated players act out")] = ()
    continued_from: ContinuedFrom | None = None
    imported_from: ImportedFrom | None = None
    tournament: TournamentMatch | None = None
    hall: HallMatch | None = None

    @property
    def player_keys(self) -> tuple[str, ...]:
        """The players' keys in seat order."""
        return tuple(key for _, key in sorted(self.players.items()))


class _WithEvidence(EventBody):
    evidence: dict[EvidenceName, EvidenceRecord] = Field(default_factory=dict)


class Answered(_WithEvidence):
    """A prompt of the game was answered, other than by a judged throw."""

    kind = "answered"
    prompt: Word
    answers: Answers
    secret: Annotated[bool, Field(description="whether nobody else may see the answers")] = False


class _Round(_WithEvidence):
    prompt: Word
    judgement: JudgementRecord
    fouls: Annotated[tuple[SeatNumber, ...], Field(description="the seats that fouled")]
    text: Sentence


class RoundJudged(_Round):
    """A thrown round counts."""

    kind = "round_judged"
    answers: Answers
    secret: Annotated[bool, Field(description="whether nobody else may see the answers")] = False


class RoundVoided(_Round):
    """A thrown round does not count and is thrown again."""

    kind = "round_voided"


class Corrected(EventBody):
    """The players agreed on another reading of a round, or took back answers that they had entered."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)
    kind = "corrected"
    round: Annotated[EventNumber, Field(description="the number of the event of the round, or of the answers")]
    seat: Annotated[SeatNumber | None, Field(description="whose throw is read differently; null: nothing of it counts")]
    previous: Annotated[Answer, Field(alias="from")]
    to: Answer
    answers: Annotated[Answers | None, Field(description="what counts from then on; null: nothing")]
    dropped: Annotated[tuple[EventNumber, ...], Field(description="later events whose answers no longer count")]
    by: Word = "the table"
    text: Sentence = ""


class DisputeRejected(EventBody):
    """A round was disputed, and its verdict stands."""

    kind = "dispute_rejected"
    round: Annotated[EventNumber, Field(description="the number of the round's event")]
    text: Sentence


class ResultRecord(Record):
    """A match's result, with further keys of its game."""

    model_config = ConfigDict(extra="allow")
    winners: tuple[SeatNumber, ...]
    scores: dict[SeatNumber, int]

    @model_validator(mode="after")
    def _check_numbers(self) -> Self:
        canonical_json(self.model_extra)  # raises ValueError for NaN and infinity
        return self


class MatchEnded(EventBody):
    """A match ended; one that is disputed at its end goes on, and ends again."""

    kind = "match_ended"
    result: ResultRecord


class MatchAbandoned(EventBody):
    """People gave a match up, or started another one."""

    kind = "match_abandoned"


class Deleted(EventBody):
    """Images and names were deleted. It is of no match."""

    kind = "deleted"
    reason: Literal["requested", "player forgotten", "space", "not copied"]
    events: Annotated[tuple[EventNumber, ...], Field(description="the events that lost all their images")] = ()
    players: Annotated[tuple[PlayerKey, ...], Field(description="the keys of those who lost their names")] = ()


Body = (
    MatchStarted
    | Answered
    | RoundJudged
    | RoundVoided
    | Corrected
    | DisputeRejected
    | MatchEnded
    | MatchAbandoned
    | Deleted
    | TournamentBody
)  # fmt: skip
Round = RoundJudged | RoundVoided
BODY_TYPES: Mapping[str, type[Body]] = MappingProxyType({body.kind: body for body in get_args(Body)})
"""The model of each kind of event."""


def record_result(result: Result) -> ResultRecord:
    """Return a game's result as it is written down: as JSON, which has no tuples."""
    return ResultRecord.model_validate_json(canonical_json(result.as_json()["result"]))


def encode_body(body: EventBody) -> str:
    """Return an event's body as it is stored: JSON with sorted keys."""
    return canonical_json(body.model_dump(mode="json"))


def decode_body(kind: str, text: str) -> Body:
    """Read an event's body as stored. Raises ValueError if there is no such kind of event, or the body is not in its
    form."""
    if kind not in BODY_TYPES:
        raise ValueError(f"there is no event of kind {kind!r}")
    return BODY_TYPES[kind].model_validate_json(text)


def schema() -> dict[str, Any]:
    """Return the bodies of all events as JSON Schema 2020-12, by kind."""
    adapter: TypeAdapter[Any] = TypeAdapter(Body)
    schema = adapter.json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The events of a Throwlock journal: the body of each kind",
        "type": "object",
        "properties": {kind: {"$ref": f"#/$defs/{body.__name__}"} for kind, body in BODY_TYPES.items()},
        "additionalProperties": False,
        "$defs": schema["$defs"],
    }
