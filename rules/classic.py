"""Classic: the hand game. Two players play best of N; three or more throw until one is left, which is also how a table
chooses who begins."""

from collections.abc import Sequence

from rules.engine import Json, Option, Result, Rules, Say, Script, Seat, Setup, Span, said_scores
from rules.throws import Throw, Thrown, as_said, decided, shout


def classic(setup: Setup) -> Script:
    """Two players: best of N. Three or more: choosing one."""
    seats = range(1, setup.seats + 1)
    if len(seats) == 2:
        return (yield from best_of(seats, setup.number("best_of")))
    return (yield from choosing_one(seats))


def best_of(seats: Sequence[Seat], rounds: int) -> Script:
    """The first to win more than half of ``rounds`` decisive rounds wins. Scores are decisive rounds won."""
    won = dict.fromkeys(seats, 0)
    while max(won.values()) <= rounds // 2:
        about: dict[str, Json] = {"round": sum(won.values()) + 1, "best_of": rounds}
        thrown = yield from shout(seats, about)
        while not (pair := decided(thrown)):  # ties are thrown again
            yield Say("tie", {"throws": as_said(thrown)})
            thrown = yield from shout(seats, {**about, "again": list(seats)})
        winner, _ = pair
        won[winner] += 1
        yield Say("won", {"seat": winner, "throws": as_said(thrown)})
        yield said_scores(won)
    return Result((winner,), won)


def choosing_one(seats: Sequence[Seat]) -> Script:
    """All throw and the losers drop out, until one remains. The one left scores 1, the others 0."""
    left = list(seats)
    about: dict[str, Json] = {}
    while len(left) > 1:
        thrown = yield from shout(left, {"left": list(left), **about})
        out = losers(thrown)
        left = [seat for seat in left if seat not in out]
        if out:
            yield Say("out", {"seats": list(out), "left": list(left), "throws": as_said(thrown)})
        else:
            yield Say("tie", {"throws": as_said(thrown)})
        about = {} if out else {"again": list(left)}
    scores = {seat: int(seat in left) for seat in seats}
    yield said_scores(scores)
    return Result((left[0],), scores)


def losers(thrown: Thrown) -> list[Seat]:
    """Who drops out: with exactly two of the three throws present, those whose throw is beaten. No throw loses to
    any throw, so who shows none drops out wherever somebody shows one."""
    present = {throw for throw in thrown.values() if throw is not None}
    beaten: set[Throw | None] = {None} if present else set()
    if len(present) == 2:
        beaten |= {throw for throw in present if any(other.beats(throw) for other in present)}
    return [seat for seat, throw in thrown.items() if throw in beaten]


CLASSIC = Rules(
    name="classic",
    title="Classic",
    version=1,
    fewest=2,
    most=8,
    about="Two players: best of so many decisive rounds. Three or more: the losers drop out until one is left.",
    options=(Option("best_of", Span(1, 99, 2), 3, "two players: who wins most of so many rounds; ties don't count"),),
    script=classic,
)
