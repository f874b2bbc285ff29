"""Rock, Paper, Scissors, the board game by Greg Lam: two players, South and North, move Rocks, Papers and Scissors
until one has lost a flag (or both).

The board and its set-up are a reconstruction: see ``rules/board/board.py``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from typing_extensions import override

from messages import N, join
from rules.board.board import BOARD_LAYOUTS, RECONSTRUCTION_NOTICE, Side
from rules.board.events import Begins, BoardSetUp, BoardState, DrawDeclined, DrawOffered, GameOver, Moved, Passed
from rules.board.moves import Move
from rules.board.notation import format_move, format_position, parse_move, parse_position
from rules.board.position import BoardVariant, Key, LockRule, Position, StuckRule, starting_position
from rules.board.text import TEXT
from rules.classic import throw_until_decided
from rules.engine import (
    Answers,
    Choices,
    ChoicesAndMore,
    FactValue,
    Game,
    IllegalAnswerError,
    IntRange,
    Option,
    Prompt,
    Result,
    Rules,
    SampleMatch,
    Script,
    Seat,
    Setup,
    Value,
    quote,
)
from rules.engine.explanation import BeatsScene, ExcerptScene, ExplanationPage, Step
from rules.events import Scores
from rules.parallel import GameStep


class GameHistory:
    """A game in progress.

    Attributes:
        position: The current position.
        plies: Plies played; a pass is a ply.
        quiet_plies: Plies since a piece last left the board.
        last_move: The move of the last ply; ``None`` after a pass and at the start.
        ended_by: "resignation" of the side to move, or "agreement" on a draw; ``None`` while both play on.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.plies = 0
        self.quiet_plies = 0
        self.last_move: Move | None = None
        self.ended_by: str | None = None
        self._position_counts: Counter[Key] = Counter([position.key()])

    def push(self, move: Move | None) -> list[str]:
        """Play a move, or a pass if ``move`` is ``None``. Return what left the board: R0 is a Rock of South's, P1 a
        sheet of North's."""
        position = self.position.after_pass() if move is None else self.position.after_move(move)
        lost = self.position.pieces.material() - position.pieces.material()
        self.position, self.last_move = position, move
        self.plies += 1
        self.quiet_plies = 0 if lost else self.quiet_plies + 1
        self._position_counts[position.key()] += 1
        return sorted(lost.elements())

    def loser(self) -> Side | None:
        """Return the side that has lost, by the position or by resigning; ``None`` if neither has."""
        return self.position.to_move if self.ended_by == "resignation" else self.position.loser()

    def repetitions(self) -> int:
        """Return how often the current position has occurred, with the same side to move."""
        return self._position_counts[self.position.key()]


RESIGN, OFFER_DRAW = "resign", "offer a draw"
"""What a player may answer instead of a move."""
SeatsBySide = tuple[Seat, Seat]
"""The seats of South, which moves first, and of North."""


def board_game(setup: Setup) -> Script:
    """Choose who is South, then let both move in turn until the game is decided or drawn. The winner scores 1."""
    south = yield from choose_south(setup)
    seats = (south, 3 - south)
    history = GameHistory(starting_position(board_variant(setup)))
    yield BoardSetUp(setup.choice("board"), RECONSTRUCTION_NOTICE, board_state(history, seats))
    while not (reason := game_end_reason(history, setup)):
        yield from play_turn(history, seats)
    loser = history.loser()
    yield GameOver(reason, None if loser is None else seats[loser])
    winners = () if loser is None else (seats[1 - loser],)
    scores = {seat: int(seat in winners) for seat in (1, 2)}
    yield Scores(scores)
    return Result(winners, scores, {"reason": reason, "plies": history.plies})


def choose_south(setup: Setup) -> GameStep[Seat]:
    """Return the seat that moves first: the winner of a throw (ties are thrown again), or the one set by ``start``."""
    if setup.choice("start") != "throw":
        return int(setup.choice("start"))
    winner, throws = yield from throw_until_decided((1, 2), {"for": "first move"})
    yield Begins(winner, throws)
    return winner


def play_turn(history: GameHistory, seats: SeatsBySide) -> GameStep[None]:
    """Ask for a move and play it. A player without a legal move passes; nobody else can. Instead of moving a player may
    resign, or offer a draw, once a turn."""
    position = history.position
    seat, board = seats[position.to_move], position.tables.board
    if not (moves := position.legal_moves()):
        history.push(None)
        yield Passed(seat, board_state(history, seats))
        return
    about: dict[str, FactValue] = {**board_state(history, seats).values}
    if history.last_move:
        about["last"] = format_move(history.last_move, board)
    listed = tuple(format_move(move, board) for move in moves)
    answers = yield MovePrompt("move", {seat: ChoicesAndMore(listed, (RESIGN, OFFER_DRAW))}, about=about)
    if answers[seat] == OFFER_DRAW:
        yield from offer_draw(history, seats, about)
        if history.ended_by:
            return
        answers = yield MovePrompt("move", {seat: ChoicesAndMore(listed, (RESIGN,))}, about=about)
    if answers[seat] == RESIGN:
        history.ended_by = "resignation"
        return
    move = str(answers[seat])
    off = history.push(parse_move(move, board))
    yield Moved(seat, move, off, board_state(history, seats))


def offer_draw(history: GameHistory, seats: SeatsBySide, about: Mapping[str, FactValue]) -> GameStep[None]:
    """Ask the player who is not to move whether the game is drawn."""
    seat, opponent = seats[history.position.to_move], seats[1 - history.position.to_move]
    yield DrawOffered(seat, board_state(history, seats))
    answers = yield Prompt("draw offer", {opponent: Choices(("accept", "decline"))}, about=about)
    if answers[opponent] == "accept":
        history.ended_by = "agreement"
    else:
        yield DrawDeclined(opponent, board_state(history, seats))


def game_end_reason(history: GameHistory, setup: Setup) -> str | None:
    """Return why the game is over, or ``None`` if it is not. A decided game takes precedence over a draw."""
    position = history.position
    if history.ended_by:
        return history.ended_by
    if position.pieces.loser is not None:
        return "flag" if setup.number("flags") == 1 else "both flags"
    if position.loser() is not None:
        return "no move"
    if position.is_dead():
        return "nobody can move"
    if history.repetitions() == setup.number("repetition"):
        return "repetition"
    return "quiet" if history.quiet_plies == setup.number("quiet") else None


def board_variant(setup: Setup) -> BoardVariant:
    """Return the rules chosen by the options."""
    return BoardVariant(
        flags=setup.number("flags"),
        lock=cast(LockRule, setup.choice("lock")),
        stuck=cast(StuckRule, setup.choice("stuck")),
        layout=setup.choice("board"),
    )


def board_state(history: GameHistory, seats: SeatsBySide) -> BoardState:
    """Return what is needed to draw the board."""
    return BoardState(history.plies, *seats, format_position(history.position))


class MovePrompt(Prompt):
    """The prompt for a move. With about a hundred legal moves, its errors name only those of the piece in question."""

    @override
    def check(self, answers: Answers) -> dict[Seat, Value]:
        for seat in answers.keys() & self.seats.keys():
            if not self.seats[seat].allows(answers[seat]):
                raise IllegalAnswerError(
                    N(
                        "seat {seat} may not move {answer}: {allowed}",
                        seat=seat,
                        answer=quote(answers[seat]),
                        allowed=self._describe_moves(answers[seat]),
                    )
                )
        return super().check(answers)

    def _describe_moves(self, value: Value) -> str:
        """Return a few legal moves from the space ``value`` begins with, or how a move is written."""
        (allowed,) = self.seats.values()
        moves = [str(move) for move in allowed.values] if isinstance(allowed, Choices) else []
        origin = str(value)[:20].replace("*", ">").partition(">")[0]
        own = [move for move in moves if move.replace("*", ">").partition(">")[0] == origin]
        if not own:
            return f"write FROM>TO or FROM*DIRECTION, one of {len(moves)} moves such as {moves[0]}"
        more = f" or {len(own) - 6} more" if len(own) > 6 else ""
        return f"legal moves from {origin} are {' or '.join(move.removeprefix(origin) for move in own[:6])}{more}"


OPTIONS = (
    Option("flags", IntRange(1, 2), 1, N("flags a player must lose to lose the game: one or both")),
    Option("start", Choices(("throw", "1", "2")), "throw", N("who moves first: the winner of a throw, or this seat")),
    Option(
        "lock", Choices(("all", "any")), "all", N("locked Scissors must stay next to all the enemy Scissors, or to any")
    ),
    Option("stuck", Choices(("pass", "loss")), "pass", N("a player without a legal move passes or loses")),
    Option("repetition", IntRange(2, 10), 3, N("the game is drawn when a position occurs this often")),
    Option("quiet", IntRange(10, 1000), 200, N("the game is drawn after this many moves without a loss")),
    Option("board", Choices(tuple(BOARD_LAYOUTS)), "reconstruction", N("the board and its set-up")),
)


FLAG_MOVES = (
    "F0@-5,5 F0@-1,5 P0@-3,3 P0@-1,3 R0@1,0 S0@-4,2 F1@5,-6 F1@1,-6 P1@3,-4 P1@4,-4 R1@-1,-4 to-move=0",
    "1,0>1,-6",
)
"""A position, and a Rock's move onto a flag."""
ROCK_MOVES = ("F0@-5,5 F0@-1,5 R0@-4,2 F1@5,-6 F1@1,-6 R1@0,2 S1@3,-2 to-move=0", "-4,2>0,2")
"""A Rock knocks another off the board."""
PAPER_MOVES = ("F0@-5,5 F0@-1,5 P000@-3,1 F1@5,-6 F1@1,-6 R1@-1,1 P1@2,-2 to-move=0", "-3,1*E")
"""A stack is spread, and takes a Rock."""
SCISSORS_MOVES = ("F0@-5,5 F0@-1,5 S0@0,1 P0@-3,3 F1@5,-6 F1@1,-6 S1@3,-3 P1@-1,-2 to-move=0", "0,1>2,-1")
"""Scissors lock themselves with an enemy's."""


def how_to_play(game: Game, variant: BoardVariant) -> Sequence[ExplanationPage]:
    """Return the pages, with positions of the board that is played on."""
    by_throw = game.setup.choice("start") == "throw"

    def moves(position: str, move: str) -> ExcerptScene:
        return ExcerptScene(_play_move, (game, variant, position, move))

    goal = (
        N("Destroy one of the other side’s two flags. Any piece that moves onto a flag destroys it – your own, too.")
        if variant.flags == 1
        else N("Destroy both of the other side’s flags. Any piece that moves onto a flag destroys it – your own, too.")
    )
    captures = N("A piece takes what it beats, even your own. If it moves onto what beats it, it is lost.")
    return (
        ExplanationPage(moves(*FLAG_MOVES), goal),
        ExplanationPage(
            BeatsScene(), join([captures, N("The winner of a throw moves first.")]) if by_throw else captures
        ),
        ExplanationPage(
            moves(*ROCK_MOVES),
            N("A Rock moves straight, any distance. A Rock that it hits flies on: off the board, or into a piece."),
        ),
        ExplanationPage(
            moves(*PAPER_MOVES),
            N("Paper moves one space. Stacked, it moves as far as it is high, over all but Scissors, or spreads out."),
        ),
        ExplanationPage(
            moves(*SCISSORS_MOVES),
            N("Scissors move up to three spaces straight, or two with a turn. Next to enemy Scissors they are locked."),
        ),
    )


def _play_move(game: Game, variant: BoardVariant, text: str, notation: str) -> Sequence[Step]:
    """Return a move by South, seat 1, in the position written as ``text``."""
    position = parse_position(text, variant)
    moves = Choices(tuple(format_move(move, position.tables.board) for move in position.legal_moves()))
    after = position.after_move(parse_move(notation, position.tables.board))
    lost = sorted((position.pieces.material() - after.pieces.material()).elements())
    words = game.rules.text
    prompt = Prompt("move", {1: moves}, about={"position": text, "south": 1, "north": 2}, text=words)
    moved = Moved(1, notation, lost, BoardState(1, 1, 2, format_position(after)), text=words)
    return [Step(prompt, {1: notation}, (moved,))]


BOARD = Rules(
    name="board",
    title=N("The board game"),
    version=1,
    min_players=2,
    picture=("boulder", "sheet", "blades", "flag"),
    max_players=2,
    description=N(
        "Move rocks, papers and scissors across the board to destroy a flag. Board and set-up are our reconstruction."
    ),
    options=OPTIONS,
    script=board_game,
    text=TEXT,
    samples=(SampleMatch(2, {"quiet": 10}),),
    min_age=12,  # abstractstrategy.com lists it so (hex_board.md, What is known about the real board)
    how_to_play=lambda game: how_to_play(game, board_variant(game.setup)),
    has_board=True,
)
