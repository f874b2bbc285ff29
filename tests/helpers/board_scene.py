"""A printed board in front of a simulated camera, with a player's hands and a board tracker."""

from device.camera.frames import Pixels
from device.simulated.printed.board_player import BoardSpot
from device.simulated.printed.objects import ObjectPose, RoomLight, TiltedCameraOptics
from device.system.clock import SimulatedClock
from rules.board.board import RECONSTRUCTED_LAYOUT, Board, Space
from rules.board.moves import Move
from rules.board.position import Position, starting_position
from throwlock.simulation.board_player import BOARD_OPTICS, SimulatedBoardPlayer, board_camera, space_spot
from throwlock.tables.board_tracker import LOOK_NS, BoardTracker
from ui.screen.pages.printed_board import BoardObservation

BOARD = Board(RECONSTRUCTED_LAYOUT)
S = 1_000_000_000


class BoardScene:
    """A board with the starting position, a player's hands, and a board tracker."""

    def __init__(
        self,
        optics: TiltedCameraOptics = BOARD_OPTICS,
        light: RoomLight | None = None,
        pose: ObjectPose | None = None,
        seed: int = 1,
    ) -> None:
        self.clock = SimulatedClock(S)
        self.camera = board_camera(self.clock, seed, optics, light)
        self.hands = SimulatedBoardPlayer(
            self.camera, self.clock, BOARD, lambda *_: starting_position().legal_moves()[0], seed, pose
        )
        self.camera.start()
        self.tracker = BoardTracker(BOARD)

    def photograph(self) -> Pixels:
        """Return what the camera shows a moment later."""
        self.clock.wait_until(self.clock.now_ns() + LOOK_NS)
        return self.camera.latest().pixels()

    def top_markers(self) -> dict[Space, int]:
        """Return the uppermost marker of each space."""
        return {space: int(pieces[-1]) for space, pieces in self.hands.stacks.items()}

    def set_up(self, position: Position | None = None) -> None:
        """Set up a position at once."""
        self.hands.set_up(position or starting_position())

    def remove(self, *spaces: Space) -> None:
        """Remove the pieces of some spaces."""
        self.lay({space: pieces for space, pieces in self.hands.stacks.items() if space not in spaces})

    def lay(self, stacks: dict[Space, tuple[str, ...]], spots: dict[str, BoardSpot] | None = None) -> None:
        """Lay the pieces at once; ``spots`` are the positions of pieces that are not on their space."""
        self.hands.stacks = stacks
        on_spaces = {
            piece: space_spot(BOARD, space, level)
            for space, pieces in stacks.items()
            for level, piece in enumerate(pieces)
        }
        self.hands.player.set_up({**on_spaces, **(spots or {})})

    def observe(self, max_frames: int) -> BoardObservation:
        """Observe up to ``max_frames`` frames, until a move is detected."""
        for _ in range(max_frames):
            self.clock.wait_until(self.clock.now_ns() + LOOK_NS)
            sighting = self.tracker.look(self.camera.latest())
            if sighting.move is not None:
                break
        return sighting

    def move_by_hand(self, before: Position, move: Move) -> BoardObservation:
        """Make a move by hand; return what the tracker detects within six frames after the hand has left."""
        self.clock.wait_until(self.hands.make_move(before, move))
        return self.observe(6)
