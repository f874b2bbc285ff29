"""The views of practising against the box, as plain data: the seal of its throw before the count, and the reveal after
it."""

from dataclasses import dataclass, field

from device.camera.frames import Pixels
from rules.throws import Throw
from ui.screen.pages.views import Explain, Page, explain_nothing

THROW_ANSWER, STOP_ANSWER = "throw", "stop"
DIGITS_PER_GROUP = 4
"""The digits in a group of a seal, so that two seals can be compared by eye."""


@dataclass(frozen=True)
class PracticeScore:
    """Rounds that the person won, lost and tied, and how many fouls they made."""

    won: int = 0
    lost: int = 0
    tied: int = 0
    fouls: int = 0


@dataclass(frozen=True)
class CommitmentView(Page):
    """The box's throw is fixed; ``digest`` is its commitment, a SHA-256 in 64 hex digits. ``message`` is why a round is
    thrown again with the same commitment. Answered with THROW_ANSWER or STOP_ANSWER. ``explain`` returns the page that
    explains practice."""

    digest: str
    score: PracticeScore
    message: str = ""
    explain: Explain = field(default=explain_nothing, compare=False)


@dataclass(frozen=True, eq=False)
class CommitmentReveal(Page):
    """The round is over: ``result`` is the sentence about the person's throw, in their crop of the lock frame, against
    the box's. ``opening`` is the text the ``digest`` was made of: the throw and random digits. ``after_ms`` is when the
    person's hand showed, in ms after the cue. Answered with THROW_ANSWER or STOP_ANSWER."""

    digest: str
    opening: str
    crop: Pixels
    your_throw: Throw
    box_throw: Throw
    result: str
    score: PracticeScore
    after_ms: float | None = None


def group_digits(digest: str) -> tuple[str, ...]:
    """Return a seal in groups that can be compared by eye."""
    return tuple(digest[at : at + DIGITS_PER_GROUP] for at in range(0, len(digest), DIGITS_PER_GROUP))


def check_command(opening: str) -> str:
    """Return the command that computes the seal again on any Linux or macOS with coreutils."""
    return f"printf '{opening}' | sha256sum"
