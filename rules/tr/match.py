"""t|r: a die roll for role-playing games, thrown by a player (seat 1) against the game master (seat 2). A roll is
written t|r-d: t throws, r rethrows, difficulty d."""

from collections.abc import Generator, Mapping

from rules.engine import Ask, Form, Json, Option, Result, Rules, Say, Script, Seat, Setup, Span, Value, said_scores
from rules.throws import as_said, decided, shout
from rules.tr.roll import FORM, MOST, Roll

PLAYER: Seat = 1
GAME_MASTER: Seat = 2


class Count:
    """The player's wins and losses. The wins are the score; the game master has none."""

    def __init__(self) -> None:
        self.wins = 0
        self.losses = 0

    def scores(self) -> Mapping[Seat, int]:
        """Everybody's score."""
        return {PLAYER: self.wins, GAME_MASTER: 0}


def tr(setup: Setup) -> Script:
    """The roll: its throws, the botch check, its rethrows, and what is left after the difficulty."""
    roll = roll_of(setup)
    yield Say("roll", {"roll": str(roll), **in_parts(roll)})
    count = Count()
    for number in range(1, roll.throws + 1):
        won = yield from throw(roll, "throws", number, roll.throws)
        count.losses += won is False
        if won:
            count.wins += 1
            yield said_scores(count.scores())
    if count.wins == 0:
        return (yield from ended(roll, count, "botch" if count.losses else "failed", None))
    rethrows = min(count.wins, roll.rethrows)
    if roll.rethrows:
        yield Say("rethrows", {"wins": count.wins, "rethrows": rethrows})
    for number in range(1, rethrows + 1):
        if (yield from throw(roll, "rethrows", number, rethrows)):  # only wins count, and earn no further rethrow
            count.wins += 1
            yield said_scores(count.scores())
    degree = count.wins - roll.difficulty
    return (yield from ended(roll, count, "success" if degree >= 0 else "failure", degree))


def throw(roll: Roll, phase: str, number: int, of: int) -> Generator[Ask | Say, dict[Seat, Value], bool | None]:
    """One throw against the game master. Gives whether the player won; ``None`` is a tie, which is not thrown again.
    Who shows nothing loses to any throw."""
    thrown = yield from shout((PLAYER, GAME_MASTER), {"roll": str(roll), "phase": phase, "throw": number, "of": of})
    ends = decided(thrown)
    won = None if ends is None else ends[0] == PLAYER
    outcome = {True: "win", False: "lose", None: "tie"}[won]
    yield Say("thrown", {"phase": phase, "throw": number, "of": of, "outcome": outcome, "throws": as_said(thrown)})
    return won


def ended(roll: Roll, count: Count, outcome: str, degree: int | None) -> Script:
    """How the roll came out. The player wins with a success, the game master with anything else."""
    facts: dict[str, Json] = {"outcome": outcome, "degree": degree}
    yield Say("rolled", {"roll": str(roll), "wins": count.wins, **facts})
    return Result((PLAYER if outcome == "success" else GAME_MASTER,), count.scores(), facts)


def roll_of(setup: Setup) -> Roll:
    """The roll of a match: as it is written, or in its three parts."""
    written = setup.word("roll")
    if written != "none":
        return Roll.read(written)
    return Roll(setup.number("throws"), setup.number("rethrows"), setup.number("difficulty"))


def in_parts(roll: Roll) -> dict[str, Json]:
    """A roll as a Say tells it."""
    return {"throws": roll.throws, "rethrows": roll.rethrows, "difficulty": roll.difficulty}


OPTIONS = (
    Option("throws", Span(1, MOST), 3, "throws the player begins with (t)"),
    Option("rethrows", Span(0, MOST), 0, "how many throws more can be earned by winning, at most (r)"),
    Option("difficulty", Span(0, MOST), 0, "how many wins it takes not to fail (d)"),
    Option("roll", Form(("none",), FORM, Roll.read), "none", "all three written as one; it goes before the others"),
)

TR = Rules(
    name="tr",
    title="t|r",
    version=1,
    fewest=2,
    most=2,
    about="A die roll for role-playing games: seat 1, the player, throws against seat 2, the game master.",
    options=OPTIONS,
    script=tr,
)
