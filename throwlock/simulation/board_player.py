"""A simulated person who plays the board game with rendered pieces: which pieces of cardboard a move takes from where
to where, and the camera over them."""

from collections.abc import Callable, Mapping

from device.simulated.printed.board_player import BoardPlayer, Spot, Step
from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.scene import Scene
from device.simulated.printed.things import Pose
from device.system.clock import Clock
from rules.board.board import Board, Space
from rules.board.moves import Move
from rules.board.pieces import ARRIVING
from rules.board.position import Position
from rules.engine import Ask, Seat
from rules.markers import Kind, of_kind
from throwlock.simulation.board_prints import board_print, piece_print, spot_of

Stacks = dict[Space, tuple[str, ...]]
"""The pieces of cardboard on each space from the bottom up, by their markers."""
Choose = Callable[[Position, Ask, Seat, int], Move]
"""Which move somebody makes from a position who is asked, in a seat, with the question's key."""
OPTICS = Optics(view_mm=860.0, height_mm=900.0, tilt_y=4.0)
PIECES = {str(piece.marker): piece for piece in of_kind(Kind.PIECE)}


def board_camera(clock: Clock, seed: int, optics: Optics = OPTICS, light: Light | None = None) -> PrintedCamera:
    """A camera over a table on which a board will lie."""
    return PrintedCamera(clock, Scene(seed=seed, optics=optics, light=light or Light()), fps=30.0)


def laid_out(position: Position) -> Stacks:
    """A piece of cardboard for every piece of a position."""
    free: dict[str, list[str]] = {}
    for marker, piece in PIECES.items():
        free.setdefault(piece.token or "", []).append(marker)
    men = {space: token for side in position.pieces.men for space, token in side.items()}
    return {space: tuple(free[token[0] + owner].pop() for owner in token[1:]) for space, token in men.items()}


def carried_out(stacks: Stacks, before: Position, move: Move) -> Stacks:
    """Where every piece of cardboard is after a legal move."""
    after, origin = before.after(move), stacks[move.origin]
    kept = {s: pieces for s, pieces in stacks.items() if before.pieces.at(s) == after.pieces.at(s)}
    knocked: list[str] = []
    if move.spread:
        heading = before.reach.board.heading[move.origin][move.target]
        for sheet, space in zip(origin, before.reach.board.rays[move.origin][heading], strict=False):
            if before.pieces.at(space) != after.pieces.at(space):
                kept[space] = (*_under(before, stacks, space), sheet)
    else:
        own, met = before.pieces.at(move.origin) or "", before.pieces.at(move.target)
        outcome = ARRIVING[own[0]][met[0]] if met else "moves"
        if outcome != "is lost":
            kept[move.target] = (*_under(before, stacks, move.target), *origin) if outcome == "stacks" else origin
        if outcome == "knocks":
            knocked = list(stacks[move.target])
    loose = knocked + [p for s, pieces in stacks.items() if s not in kept and s != move.origin for p in pieces]
    for space in sorted(after.pieces.men[0].keys() | after.pieces.men[1].keys()):
        if space not in kept:  # a Rock that ran on stands there
            token = after.pieces.at(space) or ""
            kept[space] = (next(piece for piece in loose if PIECES[piece].token == token),)
            loose.remove(kept[space][0])
    return kept


def _under(before: Position, stacks: Stacks, space: Space) -> tuple[str, ...]:
    """The sheets that another comes to lie on."""
    met = before.pieces.at(space)
    return stacks[space] if met and met[0] == "P" else ()


def steps_between(stacks: Stacks, then: Stacks, board: Board) -> list[Step]:
    """What a hand does to get from the one to the other: first it takes off what leaves the board."""
    was, now = _spots(stacks, board), _spots(then, board)
    off = [Step((piece,)) for piece in was if piece not in now]
    moves: dict[tuple[tuple[float, float], tuple[float, float]], list[str]] = {}
    for piece, spot in now.items():
        if was[piece] != spot:
            moves.setdefault(((was[piece].x, was[piece].y), (spot.x, spot.y)), []).append(piece)
    return off + [Step(tuple(pieces), tuple(now[piece] for piece in pieces)) for pieces in moves.values()]


def _spots(stacks: Stacks, board: Board) -> dict[str, Spot]:
    return {
        piece: spot_of(board, space, level) for space, pieces in stacks.items() for level, piece in enumerate(pieces)
    }


class BoardHands:
    """The person, who makes the moves that ``choose`` chooses, for both sides. ``lies`` is how the board lies."""

    def __init__(
        self,
        camera: PrintedCamera,
        clock: Clock,
        board: Board,
        choose: Choose,
        seed: int = 0,
        lies: Pose | None = None,
    ) -> None:
        made, middle = board_print(board)
        prints = {marker: piece_print(piece) for marker, piece in PIECES.items()}
        self._clock = clock
        self._choose = choose
        self._board = board
        self.player = BoardPlayer(
            camera, made, middle, prints, lies or Pose(5, 8, turn=2), seed, 90.0 + 37 * (seed % 5)
        )
        self.stacks: Stacks = {}
        self._stands: Position | None = None

    def show(self, position: Position) -> None:
        """Have a position stand on the board, at once, unless it does."""
        if self._stands != position:
            self.stacks = laid_out(position)
            self.player.set_up(_spots(self.stacks, self._board))
            self._stands = position

    def move(self, before: Position, move: Move) -> int:
        """Make a legal move by hand. Returns when the hand is away."""
        self.show(before)
        then = carried_out(self.stacks, before, move)
        ends = self.put(then)
        self._stands = before.after(move)
        return ends

    def moves(self, before: Position, ask: Ask, seat: Seat, key: int) -> Move:
        """See Mover."""
        move = self._choose(before, ask, seat, key)
        self.move(before, move)
        return move

    def put(self, then: Mapping[Space, tuple[str, ...]]) -> int:
        """Put the pieces so, whatever the rules say. Returns when the hand is away."""
        stacks = dict(then)
        ends = self.player.act(steps_between(self.stacks, stacks, self._board), self._clock.now_ns())
        self.stacks, self._stands = stacks, None
        return ends
