"""The data of the review pages, filled from the journal by ``throwlock.review`` and rendered by the templates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from errors import ThrowlockError
from rules.engine import Seat, Value
from rules.record.match import MatchView
from rules.record.round import PlayerLink, RoundView
from rules.throws import WINDOW_MS
from ui.charts.statistics import ThrowStatistics
from ui.text.tournaments import TournamentSummary


class Mark(StrEnum):
    """A mark that people put on a round."""

    TO_REVIEW = "to review"
    REVIEWED = "reviewed"


class Trouble(StrEnum):
    """What went wrong in a round of a match."""

    FOULS = "fouls"
    DISPUTES = "disputes"


MAX_NOTE_LENGTH = 500
"""Characters of a note on a round or match."""


class RefusedError(ThrowlockError, ValueError):
    """A change that a form asks for can't be made. The message, for users, says why."""


class NotFoundError(ThrowlockError, LookupError):
    """There is no such match, round, player or image (any more). The message, for users, says which."""


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
    mark: Mark | None = None
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
    mark: Mark | None = None
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
    marks: Mapping[int, Mark] = field(default_factory=dict)
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


class Archive(Protocol):
    """Data source of the pages; implemented by ``throwlock.review.archive.JournalArchive``. Every method may raise
    NotFoundError."""

    def matches(self, match_filter: MatchFilter) -> Sequence[MatchLine]:
        """Return the matches of a filter, newest first."""

    def days(self) -> Sequence[tuple[str, int]]:
        """Return days with their number of matches, newest first."""

    def games(self) -> Sequence[tuple[str, str, int]]:
        """Return the games played as name, title and number of matches."""

    def match(self, number: int) -> MatchPage:
        """Return one match."""

    def round(self, event: int) -> RoundPage:
        """Return the round thrown in event ``event``."""

    def rounds(self, match: int) -> Iterable[RoundPage]:
        """Return all thrown rounds of a match."""

    def picture(self, event: int, name: str) -> tuple[str, bytes]:
        """Return media type and bytes of a piece of evidence."""

    def players(self) -> Sequence[PlayerLine]:
        """Return all players, those who played last first."""

    def player(self, key: str) -> PlayerPage:
        """Return one player."""

    def classroom(self, day: str | None = None, match: int | None = None) -> Classroom:
        """Return the classroom figures for a day, a match, or all matches."""

    def mark(self, event: int, mark: Mark | None) -> None:
        """Set or (None) remove a round's mark."""

    def write_note(self, event: int, note: str) -> None:
        """Write, replace or ("") delete the note of a round, or of the match that starts with ``event``. May raise
        RefusedError."""

    def correct(self, event: int, seat: Seat | None, reading: Value = None) -> None:
        """Correct a round to what people agreed on: the reading of ``seat`` (None: no throw); without a seat, the round
        is void. May raise RefusedError."""

    def reject_dispute(self, event: int) -> None:
        """Note that a round was disputed and its verdict stands. May raise RefusedError."""

    def class_lists(self) -> Mapping[str, tuple[str, ...]]:
        """Return the students' names by class. May raise RefusedError."""

    def save_class(self, name: str, names: str, old_name: str = "") -> None:
        """Keep the list of a class, a name on each line, in place of that of ``old_name``. May raise RefusedError, also
        when another class has that name."""

    def delete_class(self, name: str) -> None:
        """Delete the list of a class. May raise RefusedError."""

    def delete_pictures(self, match: int) -> int:
        """Delete a match's images for good and return their number."""

    def forget(self, key: str) -> str:
        """Delete a player's name and the images of their matches for good. Returns a sentence on what could not be
        deleted yet, "" if nothing is left."""

    def export(self, match: int, form: str) -> tuple[str, str, bytes]:
        """Return file name, media type and bytes of a match as "json", "csv" or "html"."""

    def tournament(self) -> TournamentSummary | None:
        """Return the tournament that is going on, or the one after which nothing was played; None if there is none."""


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
