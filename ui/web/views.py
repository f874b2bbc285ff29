"""The data of the review pages, filled from the journal by ``throwlock.review`` and rendered by the templates."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine import Seat, Value
from rules.record.match import MatchView
from rules.record.review import ReviewMark
from rules.record.round import PlayerLink, RoundView
from rules.throws import WINDOW_MS
from ui.charts.statistics import ThrowStatistics


class Trouble(StrEnum):
    """What went wrong in a round of a match."""

    FOULS = "fouls"
    DISPUTES = "disputes"


IMAGE_TYPES = ("image/jpeg", "image/png", "image/svg+xml")
"""Media types shown inline; evidence of any other type, in a journal from elsewhere, is a download."""


@dataclass(frozen=True)
class MatchLine:
    """One match in a list. ``at`` is when it began, ISO 8601 in UTC; ``state`` "finished", "in progress" or
    "abandoned"."""

    number: int
    at: str
    game: str
    title: str
    players: tuple[PlayerLink, ...]
    winners: tuple[Seat, ...]
    state: str
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
    """Which matches to list, newest first; None is any. ``day`` is ISO 8601 in the box's local time; ``after`` is the
    number of the last match on the page before."""

    day: str | None = None
    game: str | None = None
    player: str | None = None
    mark: ReviewMark | None = None
    trouble: Trouble | None = None
    after: int | None = None
    limit: int = 50


@dataclass(frozen=True)
class EvidenceFile:
    """A piece of evidence of an event; ``exists`` is False once it was deleted."""

    name: str
    media_type: str
    exists: bool


@dataclass(frozen=True)
class Correction:
    """What a round may be corrected to: the readings of each seat, except the present one, and whether it may be made
    void. ``refusal`` says why it can't be corrected here; there are no readings then."""

    readings: Mapping[Seat, tuple[Value, ...]] = field(default_factory=dict)
    can_void: bool = False
    refusal: str = ""


@dataclass(frozen=True)
class RoundPage:
    """One round in full. ``strip_times_ms`` are the times of a strip's images in ms after the lock, left to right;
    ``previous`` and ``next`` the events of the rounds before and after."""

    match: MatchLine
    line: RoundView
    pictures: tuple[EvidenceFile, ...]
    strip_times_ms: tuple[float, ...]
    previous: int | None
    next: int | None
    correction: Correction = Correction()
    has_kept_frames: bool = False
    """Whether frames of it are kept for a clip."""
    mark: ReviewMark | None = None
    note: str = ""

    @property
    def has_clip(self) -> bool:
        """Whether there are images to make a clip from: kept frames, or the strip of every seat."""
        strips = {one.name for one in self.pictures if one.exists}
        return self.has_kept_frames or all(f"strip-{seat.seat}.jpg" in strips for seat in self.line.seats)

    @property
    def zones(self) -> Mapping[Seat, tuple[float, float, float, float]]:
        """The zones in the image, as (x, y, w, h) in fractions of the lock frame."""
        return {seat: one.zone for seat, one in self.line.judgement.seats.items() if one.zone[2]}


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
class Lateness:
    """When a player showed in one round, in ms after its first hand, with the verdict. ``window_ms`` is the time from
    the first hand to the lock."""

    match: int
    event: int
    at: str
    after_first_ms: float
    verdict: str
    player: PlayerLink | None = None
    window_ms: float = WINDOW_MS


@dataclass(frozen=True)
class HeadToHead:
    """A record against one other player in finished matches: ``won`` counts those that this player won and the other
    did not, ``lost`` the reverse. Rounds are those of all matches between only these two."""

    player: PlayerLink
    matches: int
    won: int
    lost: int
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
    """One player in full. ``statistics`` are of at most the newest 5000 throws; ``streak`` and ``best_streak`` are
    finished matches won in a row; ``lateness`` is oldest first, at most the newest 500; ``matches`` are the newest
    50."""

    line: PlayerLine
    statistics: ThrowStatistics
    verdicts: Mapping[str, int]
    streak: int
    best_streak: int
    lateness: tuple[Lateness, ...]
    head_to_head: tuple[HeadToHead, ...]
    matches: tuple[MatchLine, ...]


@dataclass(frozen=True)
class Classroom:
    """The effect of the lock in a group's ``matches`` matches.

    ``rounds`` counts all thrown rounds, ``throws`` the timed hands; ``late`` hands came after the lock, ``changed``
    ones showed something else after it. ``would_have_won`` counts the rounds in which a late or changed hand would have
    beaten more of the others' throws in the lock frame with what it showed after the lock; corrected hands and rounds
    that could not be judged are left out. ``examples`` are the newest such rounds, at most 6; ``lateness`` the newest
    timed throws, oldest first, at most 2000."""

    rounds: int
    throws: int
    late: int
    changed: int
    would_have_won: int
    lateness: tuple[Lateness, ...]
    examples: tuple[RoundView, ...]
    matches: int


@dataclass(frozen=True)
class Access:
    """A request's access: ``local`` on the box itself, ``lan`` over the network with a session. ``token`` protects
    forms."""

    local: bool
    token: str
    lan: bool = False


@dataclass(frozen=True)
class AccessibleChart:
    """A chart as SVG, with a description and a table of its data (header first) for screen readers. ``svg`` is empty
    without data."""

    svg: str
    description: str
    table: tuple[tuple[str, ...], ...] = field(default=())
