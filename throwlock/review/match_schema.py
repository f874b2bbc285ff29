"""A match as a file: the form "throwlock-match", version 1, that ``throwlock export`` writes and ``throwlock import``
reads. Run as a module it prints the form's JSON Schema; docs/export.md says the rest."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from throwlock.match.house_rules import House

FORMAT, VERSION = "throwlock-match", 1
HOUR_MS = 3_600_000
"""No time of a round is further from its cue."""


def _shown(name: str) -> str:
    if not (name.strip() and name.isprintable()):
        raise ValueError("a name must be one that can be shown")
    return name


def _time(at: str) -> str:
    datetime.fromisoformat(at)
    return at


SEAT = r"^(0|[1-9][0-9]{0,6})$"
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256, hexadecimal")]
At = Annotated[
    str,
    Field(pattern=r"^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{1,6})?\+00:00$", description="ISO 8601 in UTC"),
    AfterValidator(_time),
]
Name = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_shown)]
Number = Annotated[int, Field(ge=1, le=2**53 - 1)]
SeatNumber = Annotated[int, Field(ge=1, le=1_000_000)]
SeatKey = Annotated[str, Field(pattern=SEAT)]
Word = Annotated[str, Field(max_length=200)]
Sentence = Annotated[str, Field(max_length=100_000, description="{1}, {2}, … stand in place of the players' names")]
Answer = StrictBool | StrictInt | StrictStr | None
Answers = dict[SeatKey, Answer]
Ms = Annotated[float, Field(ge=-HOUR_MS, le=HOUR_MS, description="milliseconds after the cue")]
Span = Annotated[float, Field(ge=0, le=HOUR_MS, description="milliseconds")]
Share = Annotated[float, Field(ge=-1, le=2)]
Thrown = Literal["rock", "paper", "scissors"] | None
PieceName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,40}\.(jpg|svg)$")]
Base64 = Annotated[str, Field(pattern="^[A-Za-z0-9+/]*={0,2}$", json_schema_extra={"contentEncoding": "base64"})]


class Strict(BaseModel):
    """Nothing is guessed: other keys and other types are faults."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Piece(Strict):
    """A piece of evidence as its event names it."""

    media_type: Literal["image/jpeg", "image/svg+xml"]
    sha256: Hash


class Trouble(Strict):
    """Why a round could not be judged."""

    kind: Literal["reaching over", "covered", "moved", "too dark", "too few frames", "copies"]
    seat: SeatNumber | None
    figure: StrictFloat | StrictInt


class Judged(Strict):
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
    throw: Thrown
    at_lock: Thrown
    shown_ms: Ms | None
    plus_minus_ms: Span | None
    then: Thrown
    cause: Word | None
    into: SeatNumber | None
    inferences: Annotated[int, Field(ge=0, le=1_000_000)]
    card: Annotated[int | None, Field(ge=0, le=586, description="the marker of the card that was read")] = None
    zone: Annotated[list[Share], Field(min_length=4, max_length=4)]


class Judgement(Strict):
    """What the camera saw of a round."""

    first_ms: Ms | None
    lock_ms: Ms
    window_ms: Span
    lock_frame_ms: Ms
    trouble: Trouble | None
    seats: Annotated[dict[SeatKey, Judged], Field(min_length=1)]


class Imported(Strict):
    """Where a match was imported from: the journal it was played in, and its place there."""

    journal: Annotated[Hash, Field(description="the hash of that journal's id")]
    match: Number
    hash: Annotated[Hash, Field(description="of the match's first event there")]
    last: Annotated[int, Field(ge=1, description="the number of its last event there")]
    last_hash: Annotated[Hash, Field(description="of its last event there")]
    at: Annotated[At, Field(description="when it was imported")]


class Carried(Strict):
    """Where a match was begun whose journal broke: that journal's file beside the new one, and its place there."""

    file: Annotated[str, Field(min_length=1, max_length=255)]
    match: Number
    last: Annotated[int, Field(ge=1, description="the number of its last event there")]


class Began(Strict):
    """The body of a match's first event."""

    game: Word
    rules: int
    seats: SeatNumber
    options: dict[Word, Answer]
    players: Annotated[
        dict[SeatKey, Annotated[str, Field(pattern="^[0-9a-f]{16}$")]], Field(description="the players' keys by seat")
    ]
    house: House
    seed: Annotated[int, Field(ge=0)]
    camera: Word
    shows: list[Word] = []
    carried: Carried | None = None
    imported: Imported | None = None


class Given(Strict):
    """The body of answers, thrown or not."""

    asked: Word
    answers: Answers
    secret: bool = False
    judgement: Judgement | None = None
    fouls: list[SeatNumber] = []
    sentence: Sentence = ""
    evidence: dict[PieceName, Piece] = {}


class Void(Strict):
    """The body of a round that was thrown again."""

    asked: Word
    judgement: Judgement
    fouls: list[SeatNumber]
    sentence: Sentence
    evidence: dict[PieceName, Piece] = {}


class Corrected(Strict):
    """The body of a correction."""

    round: Number
    seat: SeatNumber | None
    was: Answer = Field(alias="from")
    to: Answer
    answers: Answers | None
    dropped: list[Number]
    by: Word
    sentence: Sentence


class Upheld(Strict):
    """The body of a dispute after which the verdict stands."""

    round: Number
    sentence: Sentence


class Result(BaseModel):
    """How the match ended, with whatever else its game says of that."""

    model_config = ConfigDict(extra="allow", strict=True)

    winners: list[SeatNumber]
    scores: dict[SeatKey, int]


class Ended(Strict):
    """The body of a match's end."""

    result: Result


class Nothing(Strict):
    """A body without anything."""


class Line(Strict):
    """An event as it stands in the journal the file was written from; ``previous`` and ``hash`` are of its chain."""

    number: Number
    at: At
    previous: Hash
    hash: Hash


Pictures = Annotated[
    dict[PieceName, Base64], Field(description="the evidence that is in this file, of what the body names")
]


class BeganEvent(Line):
    """The match begins."""

    kind: Literal["began"]
    body: Began


class AnswerEvent(Line):
    """Answers to what the game asked."""

    kind: Literal["answer"]
    body: Given
    pictures: Pictures = {}


class VoidEvent(Line):
    """A round that does not count."""

    kind: Literal["void"]
    body: Void
    pictures: Pictures = {}


class CorrectionEvent(Line):
    """People agreed on another reading."""

    kind: Literal["correction"]
    body: Corrected


class UpheldEvent(Line):
    """A dispute after which the verdict stands."""

    kind: Literal["upheld"]
    body: Upheld


class EndedEvent(Line):
    """The match is over."""

    kind: Literal["ended"]
    body: Ended


class GivenUpEvent(Line):
    """The match was left."""

    kind: Literal["given up"]
    body: Nothing


AnyEvent = Annotated[
    BeganEvent | AnswerEvent | VoidEvent | CorrectionEvent | UpheldEvent | EndedEvent | GivenUpEvent,
    Field(discriminator="kind"),
]


class MatchFile(Strict):
    """A match of Throwlock that is over or given up."""

    format: Literal["throwlock-match"]
    version: Literal[1]
    journal: Annotated[Hash, Field(description="the hash of the id of the journal it was written from")]
    match: Annotated[int, Field(ge=1, description="its number there, that of its first event")]
    players: Annotated[
        list[Name | None], Field(description="the players' names in seat order; null: somebody who was forgotten")
    ]
    events: Annotated[list[AnyEvent], Field(min_length=2, description="all events of the match, in order")]


def schema() -> dict[str, Any]:
    """The form as JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **MatchFile.model_json_schema(),
        "title": f"{FORMAT}, version {VERSION}",
    }


def schema_text() -> str:
    """docs/export.schema.json as it should be."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
