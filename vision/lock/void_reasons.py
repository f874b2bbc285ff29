"""Why a round is void with nobody to blame: the camera, the light, or somebody who reached over the table."""

from dataclasses import dataclass
from enum import StrEnum


class VoidKind(StrEnum):
    """The kinds of reasons."""

    REACHING = "reaching over"
    COVERED = "covered"
    MOVED = "moved"
    DARK = "too dark"
    FEW_FRAMES = "too few frames"
    COPIES = "copies"


@dataclass(frozen=True)
class VoidReason:
    """Why a round can't be judged."""

    kind: VoidKind
    seat: int | None = None
    """The number of the seat whose zone it concerns; None where it is the whole image."""
    measurement: float = 0.0
    """What was measured, in the unit of its text."""
    marker: int | None = None
    """That of a card that is in two zones."""
