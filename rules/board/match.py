"""Rock, Paper, Scissors, the board game by Greg Lam: two players, South and North, move Rocks, Papers and Scissors
until one has lost a flag, or both flags. What the pieces may do is in ``rules/board``; this is the course of a game.

The board and its set-up are a reconstruction: see ``rules/board/board.py``.
"""

from typing import cast

from rules.board.board import NOTICE, PLANS
from rules.board.history import Course
from rules.board.notation import read_move, write_move, write_position
from rules.board.position import Lock, Rulings, Stuck, start
from rules.engine import (
    Answers,
    Ask,
    Choices,
    IllegalAnswerError,
    Json,
    Option,
    Result,
    Rules,
    Say,
    Script,
    Seat,
    Setup,
    Span,
    Value,
    quoted,
    said_scores,
)
from rules.parallel import Part
from rules.throws import as_said, decided, shout

Players = tuple[Seat, Seat]
"""The seats of South, who moves first, and of North."""


def board_game(house: Setup) -> Script:
    """The winner of a quick bout of rock, paper, scissors is South and moves first. Then the two take turns until the
    game is decided or drawn. The winner scores 1."""
    first = yield from who_begins(house)
    players = (first, 3 - first)
    course = Course(start(rulings(house)))
    yield Say("board", {"board": house.word("board"), "notice": NOTICE, **told(course, players)})
    while not (reason := ending(course, house)):
        yield from turn(course, players)
    loser = course.position.loser()
    yield Say("over", {"reason": reason, "loser": None if loser is None else players[loser]})
    winners = () if loser is None else (players[1 - loser],)
    scores = {seat: int(seat in winners) for seat in (1, 2)}
    yield said_scores(scores)
    return Result(winners, scores, {"reason": reason, "plies": course.plies})


def who_begins(house: Setup) -> Part[Seat]:
    """Settled by the hand game, in which ties are thrown again; or the house says which seat."""
    if house.word("start") != "throw":
        return int(house.word("start"))
    about: dict[str, Json] = {"for": "first move"}
    thrown = yield from shout((1, 2), about)
    while not (ends := decided(thrown)):
        yield Say("tie", {"throws": as_said(thrown)})
        thrown = yield from shout((1, 2), {**about, "again": [1, 2]})
    winner, _ = ends
    yield Say("begins", {"seat": winner, "throws": as_said(thrown)})
    return winner


def turn(course: Course, players: Players) -> Part[None]:
    """One move of one piece or stack. A player without any legal move passes; nobody else may."""
    here = course.position
    seat, board = players[here.to_move], here.reach.board
    if not (moves := here.moves()):
        course.goes_on(None)
        yield Say("passed", {"seat": seat, **told(course, players)})
        return
    about = told(course, players) | ({"last": write_move(course.last, board)} if course.last else {})
    listed = Choices(tuple(write_move(move, board) for move in moves))
    answers = yield AskMove("move", {seat: listed}, about=about)
    off: list[Json] = [*course.goes_on(read_move(str(answers[seat]), board))]
    yield Say("moved", {"seat": seat, "move": answers[seat], "off": off, **told(course, players)})


def ending(course: Course, house: Setup) -> str | None:
    """Why the game is over; ``None`` while it goes on. A decided game goes before a draw."""
    position = course.position
    if position.pieces.loser is not None:
        return "flag" if house.number("flags") == 1 else "both flags"
    if position.loser() is not None:
        return "no move"
    if position.is_dead():
        return "nobody can move"
    if course.times() == house.number("repetition"):
        return "repetition"
    return "quiet" if course.quiet == house.number("quiet") else None


def rulings(house: Setup) -> Rulings:
    """What the house has settled about the pieces."""
    return Rulings(
        flags=house.number("flags"),
        lock=cast(Lock, house.word("lock")),
        stuck=cast(Stuck, house.word("stuck")),
        board=house.word("board"),
    )


def told(course: Course, players: Players) -> dict[str, Json]:
    """Where the game stands, for whoever draws the board."""
    south, north = players
    return {"ply": course.plies, "south": south, "north": north, "position": write_position(course.position)}


class AskMove(Ask):
    """The question for a move. With a hundred moves to choose from, a refusal names only the piece's own."""

    def check(self, answers: Answers) -> dict[Seat, Value]:
        """As every ask."""
        for seat in answers.keys() & self.seats.keys():
            if not self.seats[seat].allows(answers[seat]):
                raise IllegalAnswerError(
                    f"seat {seat} may not move {quoted(answers[seat])}: {self._allowed(answers[seat])}"
                )
        return super().check(answers)

    def _allowed(self, value: Value) -> str:
        """What may be moved, in a line: from the same space where there is something to move on it."""
        (options,) = self.seats.values()
        moves = [str(move) for move in options.values] if isinstance(options, Choices) else []
        origin = str(value)[:20].replace("*", ">").partition(">")[0]
        own = [move for move in moves if move.replace("*", ">").partition(">")[0] == origin]
        if not own:
            return f"a move is FROM>TO or FROM*DIRECTION, one of {len(moves)} like {moves[0]}"
        more = f" or {len(own) - 6} more" if len(own) > 6 else ""
        return f"from {origin} there is {' or '.join(move.removeprefix(origin) for move in own[:6])}{more}"


OPTIONS = (
    Option("flags", Span(1, 2), 1, "how many flags a player must lose to lose the game: one, or both"),
    Option("start", Choices(("throw", "1", "2")), "throw", "who moves first: the winner of a throw, or a seat"),
    Option("lock", Choices(("all", "any")), "all", "which enemy Scissors a locked one must stay in touch with"),
    Option("stuck", Choices(("pass", "loss")), "pass", "what it means for a player to have no legal move"),
    Option("repetition", Span(2, 10), 3, "how often a position must occur for the game to be drawn"),
    Option("quiet", Span(10, 1000), 200, "how many moves in a row without anything leaving the board are a draw"),
    Option("board", Choices(tuple(PLANS)), "reconstruction", "the board and its set-up"),
)

BOARD = Rules(
    name="board",
    title="The board game",
    version=1,
    fewest=2,
    most=2,
    about="Move rocks, papers and scissors over a board and destroy a flag. Board and set-up are our reconstruction.",
    options=OPTIONS,
    script=board_game,
)
