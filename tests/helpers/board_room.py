"""A printed board before a simulated camera, for the tests: pieces on their spaces, looked at as often as they say."""

from device.camera.frames import Pixels
from device.simulated.printed.board_player import Spot
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.things import Pose
from device.system.clock import JumpingClock
from rules.board.board import RECONSTRUCTION, Board, Space
from rules.board.moves import Move
from rules.board.position import Position, start
from throwlock.simulation.board_player import OPTICS, PIECES, BoardHands, board_camera
from throwlock.simulation.board_prints import spot_of
from throwlock.tables.board_tracker import LOOK_NS, BoardWatch
from ui.screen.pages.board.printed_view import Sighting

BOARD = Board(RECONSTRUCTION)
S = 1_000_000_000


class Room:
    """A board with the start on it, a person's hands, and the box that watches."""

    def __init__(
        self, optics: Optics = OPTICS, light: Light | None = None, lies: Pose | None = None, seed: int = 1
    ) -> None:
        self.clock = JumpingClock(S)
        self.camera = board_camera(self.clock, seed, optics, light)
        self.hands = BoardHands(self.camera, self.clock, BOARD, lambda *_: start().moves()[0], seed, lies)
        self.camera.start()
        self.watch = BoardWatch(BOARD)

    def picture(self) -> Pixels:
        """What the camera sees a moment later."""
        self.clock.wait_until(self.clock.now_ns() + LOOK_NS)
        return self.camera.latest().pixels()

    def truth(self) -> dict[Space, int]:
        """The markers that lie uppermost."""
        return {space: int(pieces[-1]) for space, pieces in self.hands.stacks.items()}

    def set_up(self, position: Position | None = None) -> None:
        """Have a position stand there at once."""
        self.hands.show(position or start())

    def without(self, *spaces: Space) -> None:
        """Have some pieces not be there."""
        self.lay({space: pieces for space, pieces in self.hands.stacks.items() if space not in spaces})

    def lay(self, stacks: dict[Space, tuple[str, ...]], beside: dict[str, Spot] | None = None) -> None:
        """Have the pieces lie so, at once; ``beside`` are spots for some of them."""
        self.hands.stacks = stacks
        spots = {
            piece: spot_of(BOARD, space, level)
            for space, pieces in stacks.items()
            for level, piece in enumerate(pieces)
        }
        self.hands.player.set_up({**spots, **(beside or {})})

    def looks(self, most: int) -> Sighting:
        """Look so often, or until a move is seen."""
        for _ in range(most):
            self.clock.wait_until(self.clock.now_ns() + LOOK_NS)
            now = self.watch.look(self.camera.latest())
            if now.move is not None:
                break
        return now

    def moved(self, before: Position, move: Move) -> Sighting:
        """A move is made by hand; what the box says when the hand has left and it has looked a while."""
        self.clock.wait_until(self.hands.move(before, move))
        return self.looks(6)


def free_marker(token: str, stacks: dict[Space, tuple[str, ...]]) -> str:
    """A piece that lies nowhere."""
    used = {piece for pieces in stacks.values() for piece in pieces}
    return next(marker for marker, piece in PIECES.items() if piece.token == token and marker not in used)
