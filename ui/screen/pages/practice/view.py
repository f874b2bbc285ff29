"""What the screen shows to one person who throws against the box, as plain data: the seal of the box's throw before the
count, and what was under it afterwards."""

from dataclasses import dataclass

from device.camera.frames import Pixels
from rules.throws import Throw

THROW, STOP = "throw", "stop"
GROUP = 4
"""Letters of a seal that stand together, so that two can be compared by eye."""


@dataclass(frozen=True)
class Score:
    """Rounds that the person won, lost and tied, and how many fouls they made."""

    won: int = 0
    lost: int = 0
    tied: int = 0
    fouls: int = 0


@dataclass(frozen=True)
class Sealed:
    """The box's throw is fixed, and this is its ``seal``: a SHA-256 in 64 letters. ``said`` is why a round is thrown
    again, with the same seal. Answered with THROW or STOP."""

    seal: str
    score: Score
    said: str = ""


@dataclass(frozen=True, eq=False)
class Opened:
    """The round is over: ``result`` says what came of the person's throw, in their crop of the lock frame, against the
    box's. ``opening`` is what the ``seal`` was made of, letter for letter: the throw and what was drawn by chance.
    ``after_ms`` is when the person's hand showed, in ms after the cue. Answered with THROW or STOP."""

    seal: str
    opening: str
    crop: Pixels
    yours: Throw
    boxs: Throw
    result: str
    score: Score
    after_ms: float | None = None


def grouped(seal: str) -> tuple[str, ...]:
    """A seal in groups that can be compared by eye."""
    return tuple(seal[at : at + GROUP] for at in range(0, len(seal), GROUP))


def by_hand(opening: str) -> str:
    """The command that makes the seal again on any Linux or macOS with coreutils."""
    return f"printf '{opening}' | sha256sum"
