"""The data of the review pages, filled from the journal by ``throwlock.review`` and rendered by the templates."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine import Seat, Value
from rules.record.event import ReviewMark
from rules.record.match import MatchView
from rules.record.round import PlayerLink, RoundView
from rules.record.seat_entry import SeatEntry
from ui.charts.statistics import ThrowStatistics


class Trouble(StrEnum):
    """What went wrong in a round of a match."""

    FOULS = "fouls"
    DISPUTES = "disputes"


IMAGE_TYPES = ("image/jpeg", "image/png", "image/svg+xml")
"""Media types shown inline; evidence of any other type, in a journal from elsewhere, is a download."""


@dataclass(frozen=True)
class MatchLine:
    """One match in a list."""

    number: int
    at: str
    """When it began, ISO 8601 in UTC."""
    game: str
    title: str
    players: tuple[PlayerLink, ...]
    winners: tuple[Seat, ...]
    state: str
    """Either "finished", "in progress" or "abandoned"."""
    rounds: int
    fouls: int
    disputes: int
    rounds_to_review: int
    """Rounds marked "to review"."""
    has_pictures: bool
    """Whether any image of it is left."""
    note: str = ""
    """People's note on the match, plain text; "" for none."""
    noted_rounds: int = 0
    """Rounds with a note."""


@dataclass(frozen=True)
class MatchFilter:
    """Which matches to list, newest first; None is any."""

    day: str | None = None
    """ISO 8601, in the box's local time."""
    game: str | None = None
    player: str | None = None
    mark: ReviewMark | None = None
    trouble: Trouble | None = None
    after: int | None = None
    """The number of the last match on the page before."""
    limit: int = 50


@dataclass(frozen=True)
class EvidenceFile:
    """A piece of evidence of an event."""

    name: str
    media_type: str
    exists: bool
    """False once it was deleted."""


@dataclass(frozen=True)
class Correction:
    """What a round may be corrected to."""

    readings: Mapping[Seat, tuple[Value, ...]] = field(default_factory=dict)
    """Each seat's possible readings, except the present one."""
    can_void: bool = False
    """Whether the round may be made void."""
    refusal: str = ""
    """Why the round can't be corrected here, so that there are no readings; "" if it can."""


@dataclass(frozen=True)
class RoundPage:
    """One round in full."""

    match: MatchLine
    line: RoundView
    pictures: tuple[EvidenceFile, ...]
    strip_times_ms: tuple[float, ...]
    """The times of a strip's images after the lock, left to right."""
    previous: int | None
    """The event of the round before; None for the first."""
    next: int | None
    """The event of the round after; None for the last."""
    correction: Correction = Correction()
    has_kept_frames: bool = False
    """Whether frames of it are kept for a clip."""
    mark: ReviewMark | None = None
    note: str = ""

    @property
    def has_clip(self) -> bool:
        """Whether there are images to make a clip from: kept frames, or the strip of every seat."""
        strips = {picture.name for picture in self.pictures if picture.exists}
        return self.has_kept_frames or all(f"strip-{seat.seat}.jpg" in strips for seat in self.line.seats)

    @property
    def zones(self) -> Mapping[Seat, tuple[float, float, float, float]]:
        """The zones in the image, as (x, y, w, h) in fractions of the lock frame."""
        return {seat: record.zone for seat, record in self.line.judgement.seats.items() if record.zone[2]}


@dataclass(frozen=True)
class MatchPage:
    """One match in full, with its setup."""

    line: MatchLine
    house_rules: Mapping[str, Value]
    options: Mapping[str, Value]
    camera: str
    view: MatchView
    """As everybody may see it."""
    proof_code: str
    """Of its newest event."""
    marks: Mapping[int, ReviewMark] = field(default_factory=dict)
    """The marks on its rounds, by the number of their event."""
    notes: Mapping[int, str] = field(default_factory=dict)
    """The notes on its rounds, likewise."""


@dataclass(frozen=True)
class HeadToHead:
    """A record against one other player in finished matches, and in the rounds of all matches between only these
    two."""

    player: PlayerLink
    matches: int
    won: int
    """Matches that this player won and the other did not."""
    lost: int
    """Matches that the other won and this player did not."""
    rounds_won: int = 0
    rounds_lost: int = 0
    rounds_tied: int = 0


@dataclass(frozen=True)
class PlayerLine:
    """A player in a list."""

    player: PlayerLink
    matches: int
    won: int
    rounds: int
    fouls: int
    last_played: str


@dataclass(frozen=True)
class PlayerPage:
    """One player in full."""

    line: PlayerLine
    statistics: ThrowStatistics
    """Of at most the newest 5000 throws."""
    verdicts: Mapping[str, int]
    streak: int
    """Finished matches won in a row until now."""
    best_streak: int
    """The most finished matches ever won in a row."""
    lateness: tuple[SeatEntry, ...]
    """Oldest first, at most the newest 500."""
    head_to_head: tuple[HeadToHead, ...]
    matches: tuple[MatchLine, ...]
    """The newest 50."""


@dataclass(frozen=True)
class Classroom:
    """The effect of the lock in a group's matches."""

    rounds: int
    """All thrown rounds."""
    throws: int
    """Timed hands."""
    late: int
    """Hands that came after the lock."""
    changed: int
    """Hands that showed something else after the lock."""
    would_have_won: int
    """Rounds in which a late or changed hand would have beaten more of the others' throws in the lock frame with what
    it showed after the lock; corrected hands and rounds that could not be judged are left out."""
    lateness: tuple[SeatEntry, ...]
    """The newest timed throws, oldest first, at most 2000."""
    examples: tuple[RoundView, ...]
    """The newest rounds of ``would_have_won``, at most 6."""
    matches: int


@dataclass(frozen=True)
class Access:
    """A request's access."""

    local: bool
    """Whether it comes from the box itself."""
    token: str
    """Protects forms."""
    lan: bool = False
    """Whether it comes over the network with a session."""


@dataclass(frozen=True)
class AccessibleChart:
    """A chart with a description and a table of its data for screen readers."""

    svg: str
    """Empty without data."""
    description: str
    table: tuple[tuple[str, ...], ...] = field(default=())
    """The header first."""
