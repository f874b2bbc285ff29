"""The file format of matches, "throwlock-match" version 2, that ``throwlock export`` writes and ``throwlock import``
reads; see docs/export.md. Run as a module it prints the format's JSON Schema."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from throwlock.match.house_rules import HouseRules

FORMAT, VERSION = "throwlock-match", 2
MAX_TIME_MS = 3_600_000
"""Longest time between a round's cue and anything in it."""


def _check_name(name: str) -> str:
    if not (name.strip() and name.isprintable()):
        raise ValueError("a name must be printable")
    return name


def _check_time(at: str) -> str:
    datetime.fromisoformat(at)
    return at


SEAT_PATTERN = r"^(0|[1-9][0-9]{0,6})$"
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256, hexadecimal")]
At = Annotated[
    str,
    Field(pattern=r"^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{1,6})?\+00:00$", description="ISO 8601 in UTC"),
    AfterValidator(_check_time),
]
Name = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_check_name)]
Number = Annotated[int, Field(ge=1, le=2**53 - 1)]
SeatNumber = Annotated[int, Field(ge=1, le=1_000_000)]
SeatKey = Annotated[str, Field(pattern=SEAT_PATTERN)]
Word = Annotated[str, Field(max_length=200)]
Sentence = Annotated[str, Field(max_length=100_000, description="{1}, {2}, … stand for the players' names")]
Answer = StrictBool | StrictInt | StrictStr | None
Answers = dict[SeatKey, Answer]
Ms = Annotated[float, Field(ge=-MAX_TIME_MS, le=MAX_TIME_MS, description="milliseconds after the cue")]
Duration = Annotated[float, Field(ge=0, le=MAX_TIME_MS, description="milliseconds")]
Fraction = Annotated[float, Field(ge=-1, le=2)]
ThrowWord = Literal["rock", "paper", "scissors"] | None
EvidenceName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,40}\.(jpg|svg)$")]
Base64 = Annotated[str, Field(pattern="^[A-Za-z0-9+/]*={0,2}$", json_schema_extra={"contentEncoding": "base64"})]


class StrictModel(BaseModel):
    """Rejects unknown keys and wrong types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class EvidenceModel(StrictModel):
    """A piece of evidence in an event's body."""

    media_type: Literal["image/jpeg", "image/svg+xml"]
    sha256: Hash


class VoidReasonModel(StrictModel):
    """Why a round could not be judged."""

    kind: Literal["reaching over", "covered", "moved", "too dark", "too few frames", "copies"]
    seat: SeatNumber | None
    measured: StrictFloat | StrictInt


class SeatVerdictModel(StrictModel):
    """The verdict on a seat."""

    verdict: Literal[
        "on time",
        "late",
        "early",
        "changed",
        "unclear",
        "unseen",
        "two hands",
        "wrong zone",
        "lifted",
        "two cards",
        "not theirs",
        "played before",
        "wrong deck",
        "a copy",
        "one too many",
        "not read",
    ]
    throw: ThrowWord
    at_lock: ThrowWord
    shown_ms: Ms | None
    uncertainty_ms: Duration | None
    after_lock: ThrowWord
    cause: Word | None
    entered_zone: SeatNumber | None
    inferences: Annotated[int, Field(ge=0, le=1_000_000)]
    card: Annotated[int | None, Field(ge=0, le=586, description="the marker of the card that was read")] = None
    zone: Annotated[list[Fraction], Field(min_length=4, max_length=4)]


class JudgementModel(StrictModel):
    """The judgement of a round."""

    first_shown_ms: Ms | None
    lock_ms: Ms
    window_ms: Duration
    lock_frame_ms: Ms
    void_reason: VoidReasonModel | None
    seats: Annotated[dict[SeatKey, SeatVerdictModel], Field(min_length=1)]


class ImportedFrom(StrictModel):
    """The journal an imported match was played in, and its place there."""

    journal: Annotated[Hash, Field(description="the hash of that journal's id")]
    match: Number
    first_hash: Annotated[Hash, Field(description="of the match's first event there")]
    last_event: Annotated[int, Field(ge=1, description="the number of its last event there")]
    last_hash: Annotated[Hash, Field(description="of its last event there")]
    imported_at: Annotated[At, Field(description="when it was imported")]


class ContinuedFrom(StrictModel):
    """The damaged journal a match was continued from, a file next to the new one, and its place there."""

    file: Annotated[str, Field(min_length=1, max_length=255)]
    match: Number
    last_event: Annotated[int, Field(ge=1, description="the number of its last event there")]


class StartedBody(StrictModel):
    """The body of a match's first event."""

    game: Word
    rules_version: int
    seats: SeatNumber
    options: dict[Word, Answer]
    players: Annotated[
        dict[SeatKey, Annotated[str, Field(pattern="^[0-9a-f]{16}$")]], Field(description="the players' keys by seat")
    ]
    house_rules: HouseRules
    seed: Annotated[int, Field(ge=0)]
    camera: Word
    scenarios: list[Word] = []
    continued_from: ContinuedFrom | None = None
    imported_from: ImportedFrom | None = None


class AnswerBody(StrictModel):
    """The body of an answer, thrown or not."""

    prompt: Word
    answers: Answers
    secret: bool = False
    judgement: JudgementModel | None = None
    fouls: list[SeatNumber] = []
    text: Sentence = ""
    evidence: dict[EvidenceName, EvidenceModel] = {}


class VoidBody(StrictModel):
    """The body of a void round."""

    prompt: Word
    judgement: JudgementModel
    fouls: list[SeatNumber]
    text: Sentence
    evidence: dict[EvidenceName, EvidenceModel] = {}


class CorrectionBody(StrictModel):
    """The body of a correction."""

    round: Number
    seat: SeatNumber | None
    was: Answer = Field(alias="from")
    to: Answer
    answers: Answers | None
    dropped: list[Number]
    by: Word
    text: Sentence


class DisputeRejectedBody(StrictModel):
    """The body of a rejected dispute."""

    round: Number
    text: Sentence


class ResultModel(BaseModel):
    """A match's result, with further keys of its game."""

    model_config = ConfigDict(extra="allow", strict=True)

    winners: list[SeatNumber]
    scores: dict[SeatKey, int]


class EndedBody(StrictModel):
    """The body of a match's end."""

    result: ResultModel


class EmptyBody(StrictModel):
    """An empty body."""


class EventModel(StrictModel):
    """An event as stored in its original journal."""

    number: Number
    at: At
    previous_hash: Hash
    hash: Hash


Pictures = Annotated[dict[EvidenceName, Base64], Field(description="the evidence included in this file, by name")]


class StartedEvent(EventModel):
    """A match starts."""

    kind: Literal["started"]
    body: StartedBody


class AnswerEvent(EventModel):
    """Answers to a prompt of the game."""

    kind: Literal["answer"]
    body: AnswerBody
    pictures: Pictures = {}


class VoidEvent(EventModel):
    """A round that does not count and is thrown again."""

    kind: Literal["void"]
    body: VoidBody
    pictures: Pictures = {}


class CorrectionEvent(EventModel):
    """The players agreed on another reading."""

    kind: Literal["correction"]
    body: CorrectionBody


class DisputeRejectedEvent(EventModel):
    """A dispute after which the verdict stands."""

    kind: Literal["dispute_rejected"]
    body: DisputeRejectedBody


class EndedEvent(EventModel):
    """The match ends."""

    kind: Literal["ended"]
    body: EndedBody


class AbandonedEvent(EventModel):
    """The match is abandoned."""

    kind: Literal["abandoned"]
    body: EmptyBody


AnyEvent = Annotated[
    StartedEvent | AnswerEvent | VoidEvent | CorrectionEvent | DisputeRejectedEvent | EndedEvent | AbandonedEvent,
    Field(discriminator="kind"),
]


class MatchFile(StrictModel):
    """A finished or abandoned match."""

    format: Literal["throwlock-match"]
    version: Literal[2]
    journal: Annotated[Hash, Field(description="the hash of the id of the journal it was written from")]
    match: Annotated[int, Field(ge=1, description="its number there, that of its first event")]
    players: Annotated[list[Name | None], Field(description="the players' names in seat order; null: forgotten")]
    events: Annotated[list[AnyEvent], Field(min_length=2, description="all events of the match, in order")]


def schema() -> dict[str, Any]:
    """Return the format as JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **MatchFile.model_json_schema(),
        "title": f"{FORMAT}, version {VERSION}",
    }


def schema_text() -> str:
    """Return the content of docs/export.schema.json."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
