"""What everything that is written down has in common, and the types that several events share."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

Word = Annotated[str, Field(max_length=200)]
EventNumber = Annotated[int, Field(ge=1, le=2**53 - 1)]
PlayerKey = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of a salt and the name")]
HallPlayerId = Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="a player of the hall")]
PairingId = Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="a match that a hall's hub gave out")]
Answer = bool | int | str | None


class Record(BaseModel):
    """Immutable; rejects unknown keys, wrong types and numbers that are not finite."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class EventBody(Record):
    """What all events have in common. ``kind`` names the event in the journal."""

    kind: ClassVar[str]


MAX_NOTE_LENGTH = 500
"""Characters of a note on a round or match."""


class ReviewMark(StrEnum):
    """A mark that people put on a round."""

    TO_REVIEW = "to review"
    REVIEWED = "reviewed"
