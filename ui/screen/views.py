"""What a screen can show, as plain data: the referee makes these, the painters draw them, a touch answers them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from device.frames import Pixels
from rules.script import Ask, Result, Rules, Say, Seat, Value
from rules.throws import Throw


@dataclass(frozen=True)
class Player:
    """Who sits in a seat, and their points so far (``None`` before a game has any)."""

    seat: Seat
    name: str
    score: int | None = None


@dataclass(frozen=True)
class Choosing:
    """Choose a game, how many sit at the table, and the options. Answered with a Chosen."""

    games: tuple[Rules, ...]


@dataclass(frozen=True)
class Chosen:
    """The answer to Choosing."""

    game: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """One seat's part of an ask, entered on the screen. Answered with a value the seat's options allow. A sealed one
    shows a hand-over page first and nothing of what others entered. ``seconds_left`` counts down where time is
    limited."""

    players: tuple[Player, ...]
    ask: Ask
    seat: Seat
    seconds_left: float | None = None


@dataclass(frozen=True)
class Cadence:
    """The count everybody throws on. ``words`` are all of them ("ROCK" … "SHOOT"), ``beat`` the one spoken now (-1
    before the first), ``phase`` how much of it has passed (0–1). ``again`` says why a round is thrown again.
    ``seconds`` is the length of a beat, so that a window can go on by itself from ``phase`` to the next beat (0: it
    stands still). ``preview`` is a small live picture of the table."""

    players: tuple[Player, ...]
    title: str
    words: tuple[str, ...]
    beat: int
    phase: float = 0.0
    again: str | None = None
    seconds: float = 0.0
    preview: Pixels | None = None


@dataclass(frozen=True)
class Judging:
    """The hands have been thrown and the box is looking at them. ``preview`` is a small picture of the table."""

    players: tuple[Player, ...]
    preview: Pixels | None = None


@dataclass(frozen=True)
class SeatReveal:
    """One seat at the reveal: its crop of the lock frame, its throw (``None`` where it showed none), the verdict's word
    ("on time", "late", "early", "changed", "unclear", "unseen"), whether that is a foul, and how many milliseconds
    after the first hand it showed (``None`` where it never did)."""

    player: Player
    crop: Pixels
    throw: Throw | None
    verdict: str
    foul: bool
    after_first_ms: float | None


@dataclass(frozen=True)
class Reveal:
    """Everybody's throw at once. ``sentence`` says what it means; ``window_ms`` is the time from the first hand to the
    lock."""

    seats: tuple[SeatReveal, ...]
    sentence: str
    window_ms: float


@dataclass(frozen=True)
class Told:
    """Something the game said, with the scores after it. ``lines`` are the sentences for people, newest last."""

    players: tuple[Player, ...]
    say: Say
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """The end of a match. Answered with "again" or "home", or with nothing once ``seconds_left`` have run out."""

    players: tuple[Player, ...]
    result: Result
    sentence: str
    seconds_left: float | None = None


@dataclass(frozen=True)
class Notice:
    """A fault or an event people must know of: what happened and how to mend it. Answered with one of ``choices``."""

    title: str
    text: str
    choices: tuple[str, ...] = ("go on",)


View = Choosing | Question | Cadence | Judging | Reveal | Told | Ended | Notice
