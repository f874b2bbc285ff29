"""What a screen can show, as plain data: the referee makes these, the painters draw them, a touch answers them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

from device.camera.frames import Pixels
from rules.engine import Ask, Result, Rules, Say, Seat, Value
from rules.throws import Throw
from ui.screen.core.animation import Moves
from ui.screen.pages.board.printed_view import Sighting
from ui.screen.pages.classroom.view import RollCall
from ui.screen.pages.history.view import Network, Past
from ui.screen.pages.practice.view import Opened, Sealed
from ui.screen.pages.seating.view import Seated, Sitting
from ui.screen.pages.settings.view import Changed, Languages, Settings
from ui.screen.pages.standing.view import Facts
from ui.screen.pages.zones.view import HoldingOut, Zoned, Zoning

DISPUTE = "dispute"
"""What people answer who want to see how the last rounds were judged."""
IDLE = "idle"
"""What nobody answers who is not there."""


@dataclass(frozen=True)
class Player:
    """Who sits in a seat, their points so far (``None`` before a game has any), how many fouls they made (``None``
    where no hands are thrown), and what else is so of them: their bet, their streak, that they are out."""

    seat: Seat
    name: str
    score: int | None = None
    fouls: int | None = None
    facts: Facts = ()


@dataclass(frozen=True)
class Choosing:
    """Choose a game, how many sit at the table, and the options. Answered with a Chosen, or with one of ``tools``, such
    as "calculator": what the box can do besides games. Answered with IDLE once nobody has touched anything for
    ``idle_s`` seconds, where those are given. ``room`` is how many there is room for before the camera: as many as have
    a mark, unless it is given."""

    games: tuple[Rules, ...]
    tools: tuple[str, ...] = ()
    idle_s: float | None = None
    room: int | None = None


@dataclass(frozen=True)
class Chosen:
    """The answer to Choosing."""

    game: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """One seat's part of an ask, entered on the screen. Answered with a value the seat's options allow. A sealed or
    secret one shows a hand-over page first and nothing of what others entered. One about a "position" is shown as the
    board. ``seconds_left`` counts down where time is limited. With ``back`` people may go back to everybody's page.
    ``hint`` tells people what to do who never did it."""

    players: tuple[Player, ...]
    ask: Ask
    seat: Seat
    seconds_left: float | None = None
    back: bool = False
    hint: str | None = None


@dataclass(frozen=True)
class Watched:
    """What the camera has of an ask: the answers of the seats that are in by it, and what it says to others."""

    given: Mapping[Seat, Value] = field(default_factory=dict)
    notes: Mapping[Seat, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Gather:
    """An ask that all who are asked answer together, by touch on a page of their own and by their seats' buttons.
    Answered with every seat's value, ``{seat: value}``; ``None`` for one that was not in when ``seconds_left`` ran
    out. ``hint`` is as a Question's. ``watched`` tells at once what a camera sees that answers as well."""

    players: tuple[Player, ...]
    ask: Ask
    seconds_left: float | None = None
    hint: str | None = None
    watched: Callable[[], Watched] | None = None

    @property
    def private(self) -> bool:
        """Whether nothing of an answer may be seen before all are in."""
        return self.ask.sealed or self.ask.secret

    @property
    def shared(self) -> bool:
        """Whether it has a page for everybody: one seat's open or secret question is on a page of its own at once."""
        alone = len(self.ask.seats) == 1 and self.watched is None
        return not alone or (self.ask.sealed and not self.ask.secret)

    def part(self, seat: Seat) -> Question:
        """The part of ``seat``."""
        return Question(self.players, self.ask, seat, self.seconds_left, self.shared, self.hint)


@dataclass(frozen=True)
class Watching:
    """An ask for a move that a camera over a printed board answers as well. ``now`` is what the box sees there,
    ``watched`` tells that at once. Answered with the move, with ENTER, or with CHOOSE while several moves fit."""

    players: tuple[Player, ...]
    ask: Ask
    seat: Seat
    now: Sighting
    watched: Callable[[], Sighting] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Cadence(Moves):
    """The count everybody throws on. ``words`` are all of them ("ROCK" … "SHOOT"), ``beat`` the one spoken now (-1
    before the first), ``phase`` how much of it has passed (0–1). ``again`` says why a round is thrown again.
    ``seconds`` is the length of a beat, so that a window can go on by itself from ``phase`` to the next beat (0: it
    stands still). ``preview`` is a small live picture of the table. ``facts`` are what the round is about and what is
    at stake, ``throwing`` who is to throw (nobody: everybody). ``hint`` tells people what to do who never did it."""

    players: tuple[Player, ...]
    title: str
    words: tuple[str, ...]
    beat: int
    phase: float = 0.0
    again: str | None = None
    seconds: float = 0.0
    preview: Pixels | None = None
    facts: Facts = ()
    throwing: tuple[Seat, ...] = ()
    hint: str | None = None

    @property
    def moves_s(self) -> float:
        """See Moves: to the next beat."""
        return (1.0 - self.phase) * self.seconds

    def after(self, seconds: float) -> Self:
        """See Moves."""
        return replace(self, phase=min(1.0, self.phase + seconds / self.seconds)) if self.seconds > 0 else self


@dataclass(frozen=True)
class Judging(Moves):
    """The hands have been thrown and the box is looking at them. ``preview`` is a small picture of the table;
    ``progress`` tells at once how much of it is ``done`` (0–1)."""

    players: tuple[Player, ...]
    preview: Pixels | None = None
    progress: Callable[[], float] | None = None
    done: float = 0.0

    @property
    def moves_s(self) -> float:
        """See Moves: as long as it is shown."""
        return 0.0 if self.progress is None else math.inf

    def after(self, seconds: float) -> Self:
        """See Moves."""
        del seconds
        return self if self.progress is None else replace(self, done=max(0.0, min(1.0, self.progress())))


@dataclass(frozen=True)
class Waiting(Moves):
    """The box gets ready, which takes a moment: ``title`` is what for. ``shown_s`` is how many seconds ago that
    began."""

    title: str
    shown_s: float = 0.0

    @property
    def moves_s(self) -> float:
        """See Moves: as long as it is shown."""
        return math.inf

    def after(self, seconds: float) -> Self:
        """See Moves."""
        return replace(self, shown_s=seconds)


@dataclass(frozen=True)
class SeatReveal:
    """One seat at the reveal: its crop of the lock frame, its throw (``None`` where it showed none), the verdict's word
    ("on time", "late", "early", "changed", "unclear", "unseen"), whether that is a foul, and how many milliseconds
    after the first hand it showed (``None`` where it never did). ``outcome`` is what the game made of it: "win",
    "loss", "tie" (``None``: nothing yet)."""

    player: Player
    crop: Pixels
    throw: Throw | None
    verdict: str
    foul: bool
    after_first_ms: float | None
    outcome: str | None = None


@dataclass(frozen=True)
class Lingering(Moves):
    """A view that is shown for ``seconds_left`` or until people answer it, and moves at first: ``shown_s`` is how many
    seconds ago it was shown (``None``: all has come to rest)."""

    seconds_left: float | None = field(default=None, kw_only=True)
    shown_s: float | None = field(default=None, kw_only=True)

    def after(self, seconds: float) -> Self:
        """See Moves: at rest, in tenths of a second."""
        passed = seconds if seconds <= self.moves_s else math.ceil(seconds * 10) / 10
        left = None if self.seconds_left is None else max(0.0, self.seconds_left - passed)
        return replace(self, shown_s=passed, seconds_left=left)


@dataclass(frozen=True)
class Reveal(Lingering):
    """Everybody's throw at once. ``sentence`` says what it means; ``window_ms`` is the time from the first hand to the
    lock. ``beaten`` are the throws of which the first beat the second. With ``seconds_left`` people may dispute it:
    answered with DISPUTE, or nothing once those have run out."""

    seats: tuple[SeatReveal, ...]
    sentence: str
    window_ms: float
    beaten: tuple[tuple[Throw, Throw], ...] = ()

    @property
    def moves_s(self) -> float:
        """See Moves: the pictures open, and the time of the photo finish passes."""
        return 2.0


@dataclass(frozen=True)
class Told(Lingering):
    """Something the game said, with the scores after it, or with the board where its facts have a "position".
    ``lines`` are the sentences for people, newest last; ``facts`` what is so of the table. With ``seconds_left`` people
    may dispute the last rounds, as at a Reveal. Where all of it is ``known`` from the reveal before, there are no lines
    and the standing has the page."""

    players: tuple[Player, ...]
    say: Say
    lines: tuple[str, ...]
    facts: Facts = ()
    known: bool = False


class Battles(Protocol):
    """So many battles won, lost and tied, as ``rules.battle.calculator.Tally`` has them."""

    @property
    def wins(self) -> int:
        """Won."""

    @property
    def losses(self) -> int:
        """Lost."""

    @property
    def ties(self) -> int:
        """Tied."""


class Line(Protocol):
    """What came of one move, as ``rules.battle.calculator.Line`` has it. Its result ("win", "loss", "tie") ``against``
    every move, the battles of ``each`` player who threw it and of ``all`` of them, and the round's ``outcome`` for them
    (``None`` where nobody threw it)."""

    @property
    def move(self) -> Throw:
        """The move."""

    @property
    def against(self) -> Mapping[Throw, str]:
        """Its result against every move."""

    @property
    def each(self) -> Battles:
        """The battles of one player who threw it."""

    @property
    def all(self) -> Battles:
        """The battles of everybody who threw it."""

    @property
    def outcome(self) -> str | None:
        """How the round ends for them."""


class Reckoned(Protocol):
    """All there is to say about a round, as ``rules.battle.calculator.Reckoning`` has it."""

    @property
    def lines(self) -> Sequence[Line]:
        """A line a move."""

    @property
    def total(self) -> Battles:
        """All battles, each counted once as won and once as lost, or once as tied."""

    @property
    def players(self) -> int:
        """How many players there are."""

    @property
    def battles(self) -> int:
        """How many pairs of them."""


@dataclass(frozen=True)
class Calculating:
    """The calculator. ``reckon(counts, inverted, count)`` gives what a round comes to in which so many threw what, up
    to ``most`` each; ``rules.battle.calculator.calculate`` does. Answered with "home"."""

    reckon: Callable[[Mapping[Throw, int], bool, bool], Reckoned]
    most: int = 94_906_266


@dataclass(frozen=True)
class Ended(Lingering):
    """The end of a match. Answered with "again" or "home", with DISPUTE where people ``can_dispute``, or with nothing
    once ``seconds_left`` have run out."""

    players: tuple[Player, ...]
    result: Result
    sentence: str
    can_dispute: bool = False

    @property
    def moves_s(self) -> float:
        """See Moves: the winner's crown rises."""
        return 0.6


@dataclass(frozen=True)
class Attract(Moves):
    """How a round goes, shown in a loop while nobody is there. ``shown_s`` is how many seconds ago that began. Answered
    with "home" by any touch or key."""

    shown_s: float = 0.0

    @property
    def moves_s(self) -> float:
        """See Moves: for ever."""
        return math.inf

    def after(self, seconds: float) -> Self:
        """See Moves."""
        return replace(self, shown_s=seconds)


@dataclass(frozen=True)
class Notice:
    """A fault or an event people must know of: what happened and how to mend it. Answered with one of ``choices``."""

    title: str
    text: str
    choices: tuple[str, ...] = ("go on",)


@dataclass(frozen=True, eq=False)
class DisputedSeat:
    """One seat of a disputed round. ``reading`` is what its throw counts as (``None``: no throw); where it is ``open``
    the seat's foul makes the round void. ``shown_ms`` is when it showed, in ms after the cue (``None``: never),
    ``plus_minus_ms`` how sure that is. ``choices`` are what the reading may be corrected to."""

    player: Player
    verdict: str
    reading: Value
    open: bool
    shown_ms: float | None
    plus_minus_ms: float
    choices: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Disputing:
    """A thrown round with its evidence, in ms after the cue: when the first hand showed (``None``: none did), the lock,
    and the time of every picture that is kept. ``picture(seat, number)`` is a seat's hand in the one of that number.
    ``void`` says that the round does not count now; ``earlier`` and ``later``, whether other rounds can be disputed.

    Answered with a Corrected, or with one of "stands", "earlier" and "later". One of the ``past`` is only looked at and
    may have a ``mark`` ("to look at", "looked at"); it is answered with "back", "earlier", "later", "mark" or "story".
    """

    title: str
    sentence: str
    seats: tuple[DisputedSeat, ...]
    first_ms: float | None
    lock_ms: float
    times_ms: tuple[float, ...]
    picture: Callable[[Seat, int], Pixels]
    void: bool = False
    earlier: bool = False
    later: bool = False
    past: bool = False
    mark: str | None = None

    @property
    def zero_ms(self) -> float:
        """What times are counted from: the first hand, or the cue where no hand showed."""
        return 0.0 if self.first_ms is None else self.first_ms


@dataclass(frozen=True)
class Corrected:
    """What everybody agreed on in a dispute: how a seat's throw is read (``None``: no throw); without a ``seat``, that
    the round is void and thrown again."""

    seat: Seat | None
    to: Value = None


View = (
    Choosing
    | Question
    | Gather
    | Watching
    | Calculating
    | Zoning
    | HoldingOut
    | Cadence
    | Judging
    | Waiting
    | Reveal
    | Told
    | Ended
    | Attract
    | Notice
    | Disputing
    | Past
    | Network
    | Sitting
    | Settings
    | Languages
    | Sealed
    | Opened
    | RollCall
)
Answer = Chosen | Seated | Changed | Zoned | Corrected | Value | Mapping[Seat, Value]
"""What a view is answered with."""
