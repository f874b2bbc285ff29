"""The board game on a printed board: players move the pieces by hand and the camera reads the moves. An unclear move is
shown and asked about."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from device.camera.base import Camera, CameraError
from device.system.clock import Clock
from device.system.periodic import ThreadTicker
from messages import N
from rules.board.match import board_variant
from rules.board.moves import Move
from rules.board.notation import format_move, parse_position
from rules.board.position import Position
from rules.engine import Choices, Prompt, Seat, Setup
from throwlock.journal.journal import Evidence
from throwlock.tables.board_tracker import LOOK_NS, BoardTracker
from throwlock.tables.presence import ask_page
from throwlock.tables.source import AnswerSource, PeopleLeftError, PlayedRound, RoundRequest
from ui.screen.core.display import Display
from ui.screen.pages.notice import Notice
from ui.screen.pages.printed_board import CHOOSE_MOVE, ENTER_MOVE, BoardObservation, PrintedBoardQuestion
from vision.cards.board_reader import has_board
from vision.evidence import MAX_LOCK_FRAME_PX, encode_jpeg, resize_to_fit

MOVES_BY_CAMERA, MOVES_BY_SCREEN = "camera", "screen"
MOVE_PIECES, TOUCH_SCREEN = "move the pieces", "touch the screen"
MAX_LOOKS = 60
"""After this many looks a simulated player enters a move that was not read."""


BoardMover = Callable[[Position, Prompt, Seat, int], Callable[[], Move]]
"""A simulated player who moves pieces on the board: sets up a position, and returns what chooses a move with a key and
starts making it."""


@dataclass
class BoardTable:
    """The PlayTable of a board match on the printed board."""

    camera: Camera
    """A running camera with the board in view."""
    clock: Clock
    """The camera's clock."""
    display: Display
    """Where the board and the questions are shown."""
    answers: AnswerSource
    """Answers what the camera can't read clearly."""
    setup: Setup
    announce: Callable[[str], None]
    """Takes each line for the terminal."""
    live: bool = False
    """Whether people can touch ``display`` meanwhile."""
    mover: BoardMover | None = None
    """A simulated player who moves the pieces; None where people do."""
    judges_throws: bool = field(default=False, init=False)
    _tracker: BoardTracker | None = field(default=None, init=False)

    def plays(self, prompt: Prompt) -> bool:
        """Return whether a prompt asks for a move on the board."""
        return prompt.kind == "move" and "position" in prompt.about

    def play(self, request: RoundRequest) -> PlayedRound:
        """Read a move; the evidence is the image in which it was read, none if it was entered. Raises CameraError and
        NobodyThereError."""
        position = str(request.prompt.about["position"])
        return self._read_move(request, parse_position(position, board_variant(self.setup)))

    def close(self) -> None:
        """Stop background work: there is none."""

    def _read_move(self, request: RoundRequest, before: Position) -> PlayedRound:
        (seat,) = request.prompt.seats
        tracker = self._tracker = self._tracker or BoardTracker(before.tables.board)
        name = next(player.name for player in request.players if player.seat == seat)
        view = PrintedBoardQuestion(request.players, request.prompt, seat, tracker.expect_move(before, name))
        person = self.mover and _SimulatedMove(self.mover(before, request.prompt, seat, request.key), tracker)

        def look() -> BoardObservation:
            sighting = tracker.look(self.camera.latest())
            return person.react(sighting) if person else sighting

        while True:
            move_text = self._ask_on_screen(view, look) if self.live else self._wait_for_move(view, look)
            if move_text not in (ENTER_MOVE, CHOOSE_MOVE):
                return PlayedRound({seat: move_text}, evidence=_evidence(tracker))
            fitting = tracker.fitting if move_text == CHOOSE_MOVE else ()
            if move_text == ENTER_MOVE or fitting:
                written = {format_move(move, before.tables.board): move for move in fitting}
                if not person:
                    answer = self._ask_for_move(request, tuple(written))
                else:
                    answer = format_move(person.intended(), before.tables.board)
                if answer in written:
                    tracker.confirm(written[answer])
                return PlayedRound({seat: answer}, evidence=_evidence(tracker) if answer in written else ())

    def _ask_on_screen(self, view: PrintedBoardQuestion, look: Callable[[], BoardObservation]) -> str:
        """Return the move read from the board, or what people touch. Raises NobodyThereError."""
        with BoardTrackerThread(look) as thread:
            answer = ask_page(self.display, replace(view, poll_camera=lambda: thread.newest(view.observation)))
            thread.check()
            return str(answer)

    def _wait_for_move(self, view: PrintedBoardQuestion, look: Callable[[], BoardObservation]) -> str:
        """Return the move read from the board, or CHOOSE_MOVE, on a screen that nobody touches."""
        previous = view.observation
        while True:
            self.clock.wait_until(self.clock.now_ns() + LOOK_NS)
            sighting = look()
            if sighting.move is not None:
                return sighting.move
            if sighting != previous:
                self.display.show(replace(view, observation=sighting))
                if not sighting.is_ok:
                    self.announce(f"  {sighting.sentence}")
            if sighting.is_ambiguous:
                return CHOOSE_MOVE
            previous = sighting

    def _ask_for_move(self, request: RoundRequest, fitting: tuple[str, ...]) -> str:
        """Return what people enter: one of the moves that fit, or if there are none anything that is allowed."""
        prompt = request.prompt
        (seat,) = prompt.seats
        options = Choices(fitting) if fitting else prompt.seats[seat]
        move_prompt = replace(prompt, seats={seat: options})
        answers = self.answers.answer(move_prompt, request.players, request.key)
        return str(answers[seat])


def _evidence(tracker: BoardTracker) -> tuple[Evidence, ...]:
    if tracker.frame is None:
        return ()
    return (Evidence("board.jpg", "image/jpeg", encode_jpeg(resize_to_fit(tracker.frame, None, MAX_LOCK_FRAME_PX))),)


@dataclass
class _SimulatedMove:
    """A simulated player's move: made once the tracker has seen the position, and entered if it can't be read."""

    make: Callable[[], Move]
    tracker: BoardTracker
    _move: Move | None = None
    _looks: int = 0

    def intended(self) -> Move:
        """Return the move; it is made now if it has not been yet."""
        if self._move is None:
            self._move = self.make()
        return self._move

    def react(self, sighting: BoardObservation) -> BoardObservation:
        """React to a sighting: make the move when the board is ready, and answer if the box asks."""
        self._looks += 1
        if self.tracker.is_ready and sighting.move is None:
            self.intended()
        if sighting.is_ambiguous:
            return replace(sighting, move=CHOOSE_MOVE)
        return replace(sighting, move=ENTER_MOVE) if sighting.move is None and self._looks > MAX_LOOKS else sighting


class BoardTrackerThread:
    """Looks at the board in a thread of its own, until there is a move, so a screen never waits for a sighting.

    with BoardTrackerThread(lambda: tracker.look(camera.latest())) as thread:
        sighting = thread.newest(before)
    """

    def __init__(self, look: Callable[[], BoardObservation]) -> None:
        self._look = look
        self._newest: BoardObservation | None = None
        self._error: CameraError | None = None

    def __enter__(self) -> Self:
        self._ticker = ThreadTicker(self.look, "board")
        return self

    def __exit__(self, *error: object) -> None:
        self._ticker.stop()

    def look(self) -> float | None:
        """Look once. Return seconds until the next look; None if there is a move, or the camera has stopped."""
        try:
            self._newest = self._look()
        except CameraError as error:
            self._error = error
            self._newest = BoardObservation(error.text, False, move=ENTER_MOVE)
        return LOOK_NS / 1e9 if self._newest.move is None else None

    def newest(self, otherwise: BoardObservation) -> BoardObservation:
        """Return the newest sighting; ``otherwise`` before the first one. If the camera has stopped, its move is
        ENTER_MOVE."""
        return self._newest or otherwise

    def check(self) -> None:
        """Raise CameraError if the camera has stopped."""
        if self._error is not None:
            raise self._error


def people_want_board(camera: Camera, display: Display) -> bool:
    """If a running camera sees the printed board, ask people whether to follow the moves on it.

    Raises:
        CameraError: The camera stopped.
        PeopleLeftError: People went back.
    """
    if not has_board(camera.latest().pixels()):
        return False
    text = N("The camera sees the printed board. You can move the pieces on it: the box follows.")
    chosen = display.ask(Notice(N("The board"), text, (MOVE_PIECES, TOUCH_SCREEN, "back")))
    if chosen == "back":
        raise PeopleLeftError
    return chosen == MOVE_PIECES
