"""Whether a match of the board game is played on the printed board or on the screen, and who answers then."""

from collections.abc import Callable

from device.camera import Camera
from device.clock import Clock
from device.simulated.table import SimulatedTable
from referee.board_hands import BoardHands, board_camera
from referee.board_table import AtBoard, lies_before
from referee.matches import Billing
from referee.players import Answerers, SimulatedPlayers
from rules.board_game import rulings
from rules.hexboard.notation import read_move
from rules.hexboard.position import Position, start
from rules.hexboard.reach import Move
from rules.script import Ask, Seat
from ui.language import N
from ui.screen.display import Display
from ui.screen.views import Notice

CAMERA, SCREEN = "camera", "screen"
WATCH, TOUCH = "move the pieces", "touch the screen"


def answerers_for(
    how: str | None,
    billing: Billing,
    camera: Camera,
    clock: Clock,
    display: Display,
    rest: Answerers,
    told: Callable[[str], None],
    live: bool,
) -> Answerers:
    """Who answers a match's questions: ``rest``, or people who move pieces on the printed board before ``camera``,
    which runs. That is ``how`` = CAMERA; with None it is offered on a ``live`` display where the board is seen. Before
    a simulated table a simulated person moves the pieces. Raises CameraFault."""
    if billing.game.rules.name != "board" or how == SCREEN:
        return rest
    setup = billing.game.setup
    if isinstance(camera, SimulatedTable):
        if how != CAMERA:
            return rest
        over, players = board_camera(clock, billing.seed), SimulatedPlayers(billing.seed)

        def choose(before: Position, ask: Ask, seat: Seat, key: int) -> Move:
            return read_move(str(players.choice(ask, seat, key)), before.reach.board)

        over.start()
        hands = BoardHands(over, clock, start(rulings(setup)).reach.board, choose, billing.seed)
        return AtBoard(over, clock, display, rest, setup, told, live, hands)
    if how is None and not (live and lies_before(camera) and _wanted(display)):
        return rest
    return AtBoard(camera, clock, display, rest, setup, told, live)


def _wanted(display: Display) -> bool:
    """Whether people want the printed board watched that lies there."""
    text = N("The printed board lies before the camera. Its moves can be made with the pieces: the box watches.")
    return display.ask(Notice(N("The board"), text, (WATCH, TOUCH))) == WATCH
