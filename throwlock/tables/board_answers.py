"""Whether a match of the board game is played on the printed board or on the screen, and who answers then."""

from collections.abc import Callable

from device.camera.base import Camera
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock
from rules.board.match import rulings
from rules.board.moves import Move
from rules.board.notation import read_move
from rules.board.position import Position, start
from rules.engine import Ask, Seat
from throwlock.match.answers import Answerers
from throwlock.match.config import Billing
from throwlock.simulation.board_player import BoardHands, board_camera
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.board import AtBoard, lies_before
from ui.i18n.language import N
from ui.screen.core.display import Display
from ui.screen.pages.views import Notice

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
    a simulated table a simulated person moves the pieces. Raises CameraError."""
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
