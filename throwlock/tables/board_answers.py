"""The answer source for a match of the board game: the printed board or the screen."""

from collections.abc import Callable

from device.camera.base import Camera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock
from rules.board.match import board_variant
from rules.board.moves import Move
from rules.board.notation import parse_move
from rules.board.position import Position, starting_position
from rules.engine import Prompt, Seat
from throwlock.match.answers import AnswerSource
from throwlock.match.config import MatchConfig
from throwlock.simulation.board_player import SimulatedBoardPlayer, board_camera
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.board import BoardAnswers, is_board_visible
from ui.i18n.language import N
from ui.screen.core.display import Display
from ui.screen.pages.notice.view import Notice

MOVES_BY_CAMERA, MOVES_BY_SCREEN = "camera", "screen"
MOVE_PIECES, TOUCH_SCREEN = "move the pieces", "touch the screen"


def board_answer_source(
    moves_by: str | None,
    config: MatchConfig,
    camera: Camera,
    clock: Clock,
    display: Display,
    fallback: AnswerSource,
    announce: Callable[[str], None],
    live: bool,
) -> AnswerSource:
    """Return the answer source of a match: ``fallback``, or one that reads moves from the printed board.

    Args:
        moves_by: MOVES_BY_CAMERA or MOVES_BY_SCREEN; None: ask people on a ``live`` display if the board is in view.
        config: The match; any other game than the board game gets ``fallback``.
        camera: A running camera. At a simulated table, a simulated player moves the pieces.
        clock: The camera's clock.
        display: Where the board and the questions are shown.
        fallback: Answers everything but moves.
        announce: Takes each line for the terminal.
        live: Whether people can touch ``display``.

    Raises:
        CameraError: The camera has stopped.
    """
    if config.game.rules.name != "board" or moves_by == MOVES_BY_SCREEN:
        return fallback
    setup = config.game.setup
    if isinstance(camera, SimulatedTable):
        if moves_by != MOVES_BY_CAMERA:
            return fallback
        over, players = board_camera(clock, config.seed), SimulatedPlayers(config.seed)

        def choose(before: Position, prompt: Prompt, seat: Seat, key: int) -> Move:
            return parse_move(str(players.choose(prompt, seat, key)), before.tables.board)

        over.start()
        hands = SimulatedBoardPlayer(
            over, clock, starting_position(board_variant(setup)).tables.board, choose, config.seed
        )
        return BoardAnswers(over, clock, display, fallback, setup, announce, live, hands)
    if moves_by is None and not (live and is_board_visible(camera) and _people_want_board(display)):
        return fallback
    return BoardAnswers(camera, clock, display, fallback, setup, announce, live)


def _people_want_board(display: Display) -> bool:
    """Ask people whether to follow the moves on the printed board."""
    text = N("The camera sees the printed board. You can move the pieces on it: the box follows.")
    return display.ask(Notice(N("The board"), text, (MOVE_PIECES, TOUCH_SCREEN))) == MOVE_PIECES
