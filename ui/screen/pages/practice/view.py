"""The views of practising against the box, as plain data: the seal of its throw before the count, and the reveal after
it."""

from dataclasses import dataclass, field

from device.camera.frames import Pixels
from rules.throws import Throw
from ui.screen.pages.views import Explain, ImageView, Page, explain_nothing

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
    """The box's throw is fixed; ``digest`` is its commitment, a SHA-256 in 64 hex digits, of which a QR code is shown
    and, with ``shows_digits``, the digits. ``message`` is why a round is thrown again with the same commitment.
    Answered with THROW_ANSWER or STOP_ANSWER. ``explain`` returns the page that explains practice."""

    digest: str
    score: PracticeScore
    message: str = ""
    shows_digits: bool = False
    explain: Explain = field(default=explain_nothing, compare=False)

    @property
    def key(self) -> object:
        """See Page."""
        return type(self), self.shows_digits


@dataclass(frozen=True, eq=False)
class CommitmentReveal(ImageView, Page):
    """The round is over: ``result`` is the sentence about the person's throw, in their crop of the lock frame, against
    the box's. ``opening`` is the text the ``digest`` was made of: the throw and random digits; it ``matches`` if that
    is so. ``after_ms`` is when the person's hand showed, in ms after the cue. ``shows_check``: opening and digest are
    shown. Answered with THROW_ANSWER or STOP_ANSWER."""

    digest: str
    opening: str
    crop: Pixels
    your_throw: Throw
    box_throw: Throw
    result: str
    score: PracticeScore
    after_ms: float | None = None
    matches: bool = True
    shows_check: bool = False

    @property
    def key(self) -> object:
        """See Page."""
        return type(self), self.shows_check


def group_digits(digest: str) -> tuple[str, ...]:
    """Return a seal in groups that can be compared by eye."""
    return tuple(digest[at : at + DIGITS_PER_GROUP] for at in range(0, len(digest), DIGITS_PER_GROUP))


def seal_text(digest: str) -> str:
    """Return what a phone shows that scans a seal's QR code, in the letters that take the least room."""
    return f"THROWLOCK SEAL {digest.upper()}"
