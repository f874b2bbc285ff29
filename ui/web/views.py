"""What the review pages show, as plain data: the referee fills these from the journal, the pages draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from errors import ThrowlockError
from rules.engine import Seat, Value
from rules.throws import Throw


class Mark(StrEnum):
    """A flag people put on a round."""

    TO_REVIEW = "to review"
    REVIEWED = "reviewed"


class NotFoundError(ThrowlockError, LookupError):
    """There is no such match, round, player or picture (any more). The message says which, for people."""


@dataclass(frozen=True)
class PlayerLink:
    """A player as a page names them. ``key`` is what their page is found by; None where nothing is kept of them but
    the seat. ``name`` of a forgotten player is a word for that."""

    key: str | None
    name: str


@dataclass(frozen=True)
class MatchLine:
    """One match in a list. ``at`` is when it began, ISO 8601 in UTC; ``state`` "finished", "in progress" or "abandoned"."""

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
    """Rounds marked to be looked at."""
    has_pictures: bool
    """Whether any picture of it is left."""


@dataclass(frozen=True)
class MatchFilter:
    """Which matches are asked for; None is any. ``day`` is ISO 8601 (local time of the box); newest first,
    ``after`` is the number of the last match of the page before."""

    day: str | None = None
    game: str | None = None
    player: str | None = None
    mark: Mark | None = None
    after: int | None = None
    limit: int = 50


@dataclass(frozen=True)
class SeatRound:
    """One seat in a round. Times in ms after the cue; ``after_first_ms`` after the first hand. ``throw`` is what
    counted (after corrections; None where nothing did), ``at_lock`` what the box read in the lock frame, ``then`` what
    a late or changed hand showed later. ``verdict`` is "void" where there is none on the seat. ``bet`` is what it had
    staked, where the game has bets. Scores are None before the game has said any, and in a round on a course that the
    match has left since."""

    seat: Seat
    player: PlayerLink
    verdict: str
    foul: bool
    throw: Throw | None
    at_lock: Throw | None
    after_lock: Throw | None
    shown_ms: float | None
    uncertainty_ms: float | None
    after_first_ms: float | None
    bet: Value = None
    score_before: int | None = None
    score_after: int | None = None
    inferences: int = 0


@dataclass(frozen=True)
class DisputeLine:
    """A dispute of a round: a reading corrected, the round made void (``seat`` None) or the verdict upheld
    (``upheld``)."""

    event: int
    at: str
    rejected: bool
    seat: Seat | None = None
    old_reading: Value = None
    new_reading: Value = None
    sentence: str = ""


@dataclass(frozen=True)
class EvidenceFile:
    """A piece of evidence of an event; ``there`` is False when it was deleted."""

    name: str
    media_type: str
    exists: bool


@dataclass(frozen=True)
class RoundLine:
    """One thrown round in its match. ``event`` is the number of its event, by which it is found; ``number`` counts the
    match's thrown rounds from 1, void ones too. ``void`` is whether it does not count: thrown again, made void, or of a
    course that a correction ended. ``trouble`` is the kind of what kept the box from judging it."""

    event: int
    number: int
    at: str
    title: str
    seats: tuple[SeatRound, ...]
    sentence: str
    void: bool
    void_reason: str | None
    mark: Mark | None
    disputes: tuple[DisputeLine, ...] = ()


@dataclass(frozen=True)
class MoveRow:
    """One move of a round of Battle: how many threw it, what it beats, and how many of those won, came out level and
    lost."""

    move: Throw
    count: int
    beats: tuple[Throw, ...]
    won: int
    level: int
    lost: int


@dataclass(frozen=True)
class RoundPage:
    """All of one round. Times in ms after the cue. ``zones`` are each seat's zone in fractions of the lock frame
    (x, y, w, h) where they are known. ``frames_ms`` are the times after the lock of the pictures in a strip, left to
    right; ``told`` are the sentences of what came of it, ``moves`` its moves table where it has one."""

    match: MatchLine
    line: RoundLine
    first_ms: float | None
    lock_ms: float
    lock_frame_ms: float
    window_ms: float
    zones: Mapping[Seat, tuple[float, float, float, float]]
    pictures: tuple[EvidenceFile, ...]
    strip_times_ms: tuple[float, ...]
    sentences: tuple[str, ...]
    previous: int | None
    next: int | None
    moves: tuple[MoveRow, ...] = ()


@dataclass(frozen=True)
class MatchPage:
    """All of one match: how it was set up, its thrown rounds, and everything else that was said between them:
    ``course`` is in order either a RoundLine or a sentence."""

    line: MatchLine
    house_rules: Mapping[str, Value]
    options: Mapping[str, Value]
    camera: str
    scores: Mapping[Seat, int]
    entries: tuple["RoundLine | str", ...]
    ending: str | None


@dataclass(frozen=True)
class Lateness:
    """When a player showed in one round, in ms after its first hand, with the verdict. ``window_ms`` is how long after
    the first hand the lock was; ``player`` is None where that is not told."""

    match: int
    event: int
    at: str
    after_first_ms: float
    verdict: str
    player: PlayerLink | None = None
    window_ms: float = 150.0


@dataclass(frozen=True)
class HeadToHead:
    """A record against one other player: matches both sat in that are over; ``won`` those that this one won and the
    other did not, ``lost`` the other way round."""

    player: PlayerLink
    matches: int
    won: int
    lost: int


@dataclass(frozen=True)
class PlayerLine:
    """One player in the list of players."""

    player: PlayerLink
    matches: int
    won: int
    rounds: int
    fouls: int
    last_played: str


@dataclass(frozen=True)
class PlayerPage:
    """All about one player. ``throws`` counts throws that counted, by kind; ``verdicts`` by verdict; ``best_streak``
    and ``streak`` are matches won in a row, of those that are over; ``lateness`` oldest first, at most the newest 500;
    ``matches`` the newest 50."""

    line: PlayerLine
    throws: Mapping[Throw, int]
    verdicts: Mapping[str, int]
    streak: int
    best_streak: int
    lateness: tuple[Lateness, ...]
    head_to_head: tuple[HeadToHead, ...]
    matches: tuple[MatchLine, ...]


@dataclass(frozen=True)
class Classroom:
    """What the fair simultaneous reveal did for this group, in ``matches`` matches.

    ``rounds`` are all that were thrown, ``throws`` the hands in them that were timed; ``late`` came after the lock,
    ``changed`` showed something else after it. ``would_have_won`` counts the rounds in which a late or changed hand
    would have beaten more of the others' throws in the lock frame by what it showed after the lock than by its own
    throw there; hands that people corrected and rounds that could not be judged are left out. ``examples`` are the
    newest of them, at most 6. ``lateness`` are the newest timed throws, oldest first, at most 2000.
    """

    rounds: int
    throws: int
    late: int
    changed: int
    would_have_won: int
    lateness: tuple[Lateness, ...]
    examples: tuple[RoundLine, ...]
    matches: int


class Archive(Protocol):
    """What the pages ask of the referee. Every method may raise NotFoundError; ``throwlock.review.archive`` is the real
    one."""

    def matches(self, match_filter: MatchFilter) -> Sequence[MatchLine]:
        """Matches, newest first."""

    def days(self) -> Sequence[tuple[str, int]]:
        """Days on which matches began and how many, newest first."""

    def games(self) -> Sequence[tuple[str, str, int]]:
        """Games played: name, title, how many matches."""

    def match(self, number: int) -> MatchPage:
        """One match."""

    def round(self, event: int) -> RoundPage:
        """The round thrown in event ``event``."""

    def picture(self, event: int, name: str) -> tuple[str, bytes]:
        """Media type and bytes of a piece of evidence."""

    def players(self) -> Sequence[PlayerLine]:
        """Everybody who has played, the most recent first."""

    def player(self, key: str) -> PlayerPage:
        """One player."""

    def classroom(self, day: str | None = None, match: int | None = None) -> Classroom:
        """The classroom's page for a day, a match, or all."""

    def mark(self, event: int, mark: Mark | None) -> None:
        """Put a mark on a round, or take it off."""

    def delete_pictures(self, match: int) -> int:
        """Delete a match's pictures for good; returns how many."""

    def forget(self, key: str) -> str:
        """Delete a player's name and the pictures of the matches they sat in for good. Returns in sentences what of it
        could not be deleted: nothing where all is gone."""

    def export(self, match: int, form: str) -> tuple[str, str, bytes]:
        """File name, media type and bytes of a match as "json", "csv" or "html"."""


@dataclass(frozen=True)
class Access:
    """Who looks: ``local`` on the box itself, else over the network with a session. ``token`` guards forms."""

    local: bool
    token: str
    lan: bool = False


@dataclass(frozen=True)
class AccessibleChart:
    """A drawing as SVG and what it shows in words, for who can't see it. ``numbers`` is the table of what is drawn,
    its heads first. Without anything to draw ``svg`` is empty."""

    svg: str
    description: str
    table: tuple[tuple[str, ...], ...] = field(default=())
