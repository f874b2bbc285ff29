"""What makes a round void without anybody's fault: the camera, the light, or somebody who reached over the table."""

from dataclasses import dataclass
from enum import StrEnum


class TroubleKind(StrEnum):
    """What went wrong."""

    REACHING = "reaching over"
    COVERED = "covered"
    MOVED = "moved"
    DARK = "too dark"
    FEW_FRAMES = "too few frames"
    COPIES = "copies"


@dataclass(frozen=True)
class Trouble:
    """Why a round can't be judged. ``zone`` is the number (from 1, in the order of the zones judged) of the zone it
    concerns, None where it is the whole picture; ``figure`` is what was measured, in the unit its sentence names."""

    kind: TroubleKind
    zone: int | None = None
    figure: float = 0.0
