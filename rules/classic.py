"""Classic: the hand game. Two players play best of N; three or more throw until one is left, which is also how a table
chooses who begins."""

from collections.abc import Mapping, Sequence

from messages import N
from rules.engine import (
    Answers,
    FactValue,
    Game,
    GameText,
    IntRange,
    Option,
    Result,
    Rules,
    SampleMatch,
    Script,
    Seat,
    Setup,
)
from rules.engine.explanation import BeatsScene, ExplanationPage, ThrowScene
from rules.engine.play import excerpt
from rules.engine.scoreboard import ShownFact
from rules.events import KnockedOut, Scores, Tie, Won
from rules.parallel import GameStep
from rules.throws import Throw, ThrowsBySeat, ask_for_throws, winner_and_loser


def classic(setup: Setup) -> Script:
    """Play best of N with two players, or choose one of three or more."""
    seats = range(1, setup.seats + 1)
    if len(seats) == 2:
        return (yield from best_of(seats, setup.number("best_of")))
    return (yield from choose_one(seats))


def best_of(seats: Sequence[Seat], rounds: int) -> Script:
    """Play until a player has won more than half of ``rounds`` decisive rounds. The score is decisive rounds won."""
    won = dict.fromkeys(seats, 0)
    while max(won.values()) <= rounds // 2:
        about: dict[str, FactValue] = {"round": sum(won.values()) + 1, "best_of": rounds}
        winner, throws = yield from throw_until_decided(seats, about)
        won[winner] += 1
        yield Won(winner, throws)
        yield Scores(won)
    return Result((winner,), won)


def throw_until_decided(seats: Sequence[Seat], about: Mapping[str, FactValue]) -> GameStep[tuple[Seat, ThrowsBySeat]]:
    """Ask two players to throw, again after each tie, and return the winner and the decisive throws."""
    throws = yield from ask_for_throws(seats, about)
    while not (pair := winner_and_loser(throws)):
        yield Tie(throws)
        throws = yield from ask_for_throws(seats, {**about, "again": list(seats)})
    return pair[0], throws


def choose_one(seats: Sequence[Seat]) -> Script:
    """Let one player remain, who scores 1; the others score 0."""
    winner = yield from eliminate_losers(seats)
    scores = {seat: int(seat == winner) for seat in seats}
    yield Scores(scores)
    return Result((winner,), scores)


def eliminate_losers(seats: Sequence[Seat], event: type[KnockedOut] = KnockedOut, **facts: FactValue) -> GameStep[Seat]:
    """Let all throw and the losers drop out until one player is left, and return that seat. A game that decides
    something else than a match in this way gives the prompts further ``facts``, and a class of its own for the
    ``event``."""
    left = list(seats)
    about: dict[str, FactValue] = {}
    while len(left) > 1:
        throws = yield from ask_for_throws(left, {**facts, "left": list(left), **about})
        out = losers(throws)
        left = [seat for seat in left if seat not in out]
        if out:
            yield event(out, list(left), throws)
        else:
            yield Tie(throws)
        about = {} if out else {"again": list(left)}
    return left[0]


def losers(throws: ThrowsBySeat) -> list[Seat]:
    """Return the seats that drop out: if exactly two of the three throws are present, those with the beaten throw. No
    throw loses to any throw, so seats that show none drop out if anybody shows one."""
    present = {throw for throw in throws.values() if throw is not None}
    beaten: set[Throw | None] = {None} if present else set()
    if len(present) == 2:
        beaten |= {throw for throw in present if any(rival.beats(throw) for rival in present)}
    return [seat for seat, throw in throws.items() if throw in beaten]


def winning_score(setup: Setup) -> int:
    """Return the rounds that the winner of two players wins; of more, the last one left scores 1."""
    return setup.number("best_of") // 2 + 1 if setup.seats == 2 else 1


SAMPLE_THROWS: tuple[Answers, ...] = (
    {1: "rock", 2: "rock", 3: "paper", 4: "rock", 5: "paper", 6: "rock", 7: "paper", 8: "rock"},
    {1: "paper", 2: "rock", 3: "scissors", 4: "paper", 5: "scissors", 6: "paper", 7: "scissors", 8: "paper"},
)


def how_to_play(game: Game) -> Sequence[ExplanationPage]:
    """Return the pages that explain the game."""
    wins = winning_score(game.setup)
    if game.setup.seats > 2:
        text = N("Two different throws: the losers drop out. Otherwise all throw again. The last one left wins.")
    elif wins == 1:
        text = N("A tie is thrown again. The first round won decides.")
    else:
        text = N("A tie is thrown again. Whoever wins {count} rounds first wins.", count=wins)
    return (
        ExplanationPage(BeatsScene()),
        ExplanationPage(ThrowScene()),
        ExplanationPage(excerpt(game, {"throw": SAMPLE_THROWS}, "throw"), text),
    )


CLASSIC = Rules(
    name="classic",
    title=N("Classic"),
    version=1,
    min_players=2,
    max_players=8,
    description=N("Two players: best of N rounds. Three or more: losers drop out until one is left."),
    options=(Option("best_of", IntRange(1, 99, 2), 3, N("best of 3, 5, 7 … (two players); ties don’t count"), 2),),
    script=classic,
    text=GameText(words={"best_of": N("best of")}, scoreboard={"best_of": ShownFact()}),
    samples=(SampleMatch(2, {"best_of": 3}), SampleMatch(4)),
    how_to_play=how_to_play,
    winning_score=winning_score,
)
