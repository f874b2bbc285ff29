"""The file format of matches, "throwlock-match" version 5, that ``throwlock export`` writes and ``throwlock import``
reads; see docs/export.md."""

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, Field

from messages import is_printable
from rules.record.event import EventNumber, Record
from throwlock.journal.events import (
    Answered,
    Corrected,
    DisputeRejected,
    EvidenceName,
    Hash,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    RoundJudged,
    RoundVoided,
)

FORMAT, VERSION = "throwlock-match", 5


def _check_name(name: str) -> str:
    if not (name.strip() and is_printable(name)):
        raise ValueError("a name must be printable")
    return name


def _check_time(at: str) -> str:
    datetime.fromisoformat(at)
    return at


At = Annotated[
    str,
    Field(
        pattern=r"^(19[7-9][0-9]|2[0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{1,6})?\+00:00$",
        description="ISO 8601 in UTC; a box whose clock was never set begins in 1970",
    ),
    AfterValidator(_check_time),
]
Name = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_check_name)]
Salt = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Base64 = Annotated[str, Field(pattern="^[A-Za-z0-9+/]*={0,2}$", json_schema_extra={"contentEncoding": "base64"})]


KindT = TypeVar("KindT")
BodyT = TypeVar("BodyT")


class FilePicture(Record):
    """A piece of evidence."""

    salt: Salt
    data: Base64


class FileEvent(Record, Generic[KindT, BodyT]):
    """An event as stored in its original journal."""

    number: EventNumber
    at: At
    previous_hash: Hash
    hash: Hash
    pictures: Annotated[
        dict[EvidenceName, FilePicture], Field(description="the evidence included in this file, by name: all or none")
    ] = Field(default_factory=dict)
    kind: KindT
    body: BodyT


AnyEvent = Annotated[
    FileEvent[Literal["match_started"], MatchStarted]
    | FileEvent[Literal["answered"], Answered]
    | FileEvent[Literal["round_judged"], RoundJudged]
    | FileEvent[Literal["round_voided"], RoundVoided]
    | FileEvent[Literal["corrected"], Corrected]
    | FileEvent[Literal["dispute_rejected"], DisputeRejected]
    | FileEvent[Literal["match_ended"], MatchEnded]
    | FileEvent[Literal["match_abandoned"], MatchAbandoned],
    Field(discriminator="kind"),
]


class MatchFile(Record):
    """A finished or abandoned match."""

    format: Literal["throwlock-match"]
    version: Literal[5]
    journal: Annotated[Hash, Field(description="the hash of the id of the journal it was written from")]
    match: Annotated[int, Field(ge=1, description="its number there, that of its first event")]
    proof_code: Annotated[
        str, Field(pattern=r"^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$", description="of its last event")
    ]
    players: Annotated[tuple[Name | None, ...], Field(description="the players' names in seat order; null: forgotten")]
    salts: Annotated[
        tuple[Salt | None, ...], Field(description="the salts of the players' keys in seat order; null: forgotten")
    ]
    events: Annotated[tuple[AnyEvent, ...], Field(min_length=2, description="all events of the match, in order")]


def schema() -> dict[str, Any]:
    """Return the format as JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **MatchFile.model_json_schema(),
        "title": f"{FORMAT}, version {VERSION}",
    }
