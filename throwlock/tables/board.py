"""The board game on a printed board: players move the pieces by hand and the camera reads the moves. An unclear move is
shown and asked about."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self

from device.camera.base import Camera, CameraError
from device.system.clock import Clock
from rules.board.match import board_variant
from rules.board.moves import Move
from rules.board.notation import format_move, parse_move, parse_position
from rules.board.position import Position
from rules.engine import Answers, Choices, Prompt, Seat, Setup
from throwlock.journal.journal import Evidence
from throwlock.match.answers import AnswerSource
from throwlock.tables.board_tracker import LOOK_NS, BoardTracker
from ui.screen.core.display import Display
from ui.screen.pages.common.view import Player
from ui.screen.pages.printed_board.view import CHOOSE_MOVE, ENTER_MOVE, BoardObservation, PrintedBoardQuestion
from vision.cards.board_reader import has_board
from vision.evidence import MAX_LOCK_FRAME_PX, encode_jpeg, resize_to_fit

MAX_LOOKS = 60
"""After this many looks a simulated player enters a move that was not read."""


class BoardMover(Protocol):
    """A simulated player who moves pieces on the board."""

    def set_up(self, position: Position) -> None:
        """Set up a position on the board, unless it stands there already."""

    def choose_and_move(self, before: Position, prompt: Prompt, seat: Seat, key: int) -> Move:
        """Choose a move and start making it."""


class BoardAnswers:
    """The AnswerSource of a board match on the printed board.

    Args:
        camera: A running camera with the board in view.
        clock: The camera's clock.
        display: Where the board and the questions are shown.
        fallback: Answers every prompt but moves, and unclear moves.
        setup: The game's setup.
        announce: Takes each line for the terminal.
        live: Whether people can touch ``display`` meanwhile.
        mover: A simulated player who moves the pieces.

    ``entered_moves`` counts the moves that people had to enter or choose.
    """

    def __init__(
        self,
        camera: Camera,
        clock: Clock,
        display: Display,
        fallback: AnswerSource,
        setup: Setup,
        announce: Callable[[str], None],
        live: bool = False,
        mover: BoardMover | None = None,
    ) -> None:
        self._camera = camera
        self._clock = clock
        self._display = display
        self._fallback = fallback
        self._rulings = board_variant(setup)
        self._announce = announce
        self._live = live
        self._mover = mover
        self._tracker: BoardTracker | None = None
        self._evidence: tuple[Evidence, ...] = ()
        self.entered_moves = 0

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """See AnswerSource. Raises CameraError."""
        self._evidence = ()
        text = prompt.about.get("position")
        if prompt.kind != "move" or not isinstance(text, str):
            return self._fallback.answer(prompt, players, key)
        (seat,) = prompt.seats
        before = parse_position(text, self._rulings)
        if self._tracker is None:
            self._tracker = BoardTracker(before.tables.board)
        name = next(player.name for player in players if player.seat == seat)
        view = PrintedBoardQuestion(tuple(players), prompt, seat, self._tracker.expect_move(before, name))
        person = None if self._mover is None else _SimulatedMove(self._mover, self._tracker, before, prompt, key)
        while True:
            move_text = self._await_move(view, self._tracker, person)
            if move_text not in (ENTER_MOVE, CHOOSE_MOVE):
                self._keep_evidence(self._tracker)
                return {seat: move_text}
            fitting = self._tracker.fitting if move_text == CHOOSE_MOVE else ()
            if move_text == ENTER_MOVE or fitting:
                self.entered_moves += 1
                move = (
                    self._ask_for_move(prompt, players, key, fitting, before) if person is None else person.intended()
                )
                if move in fitting:
                    self._tracker.confirm(move)
                    self._keep_evidence(self._tracker)
                return {seat: format_move(move, before.tables.board)}

    def evidence(self) -> tuple[Evidence, ...]:
        """See EvidenceSource: the image in which the last move was read; nothing if it was entered."""
        return self._evidence

    def _await_move(self, view: PrintedBoardQuestion, tracker: BoardTracker, person: "_SimulatedMove | None") -> str:
        """Return the move read from the board, or what people touch."""
        if not self._live:
            return self._await_move_unattended(view, tracker, person)
        with BoardTrackerThread(self._camera, tracker, person) as thread:
            answer = self._display.ask(replace(view, poll_camera=lambda: thread.newest(view.observation)))
            thread.check()
            return str(answer)

    def _await_move_unattended(
        self, view: PrintedBoardQuestion, tracker: BoardTracker, person: "_SimulatedMove | None"
    ) -> str:
        """Return the move read from the board, or CHOOSE, on a screen that nobody touches."""
        previous = view.observation
        while True:
            self._clock.wait_until(self._clock.now_ns() + LOOK_NS)
            sighting = tracker.look(self._camera.latest())
            sighting = sighting if person is None else person.react(sighting)
            if sighting.move is not None:
                return sighting.move
            if sighting != previous:
                self._display.show(replace(view, observation=sighting))
                if not sighting.is_ok:
                    self._announce(f"  {sighting.sentence}")
            if sighting.is_ambiguous:
                return CHOOSE_MOVE
            previous = sighting

    def _keep_evidence(self, tracker: BoardTracker) -> None:
        """Keep the image in which a move was read as evidence."""
        if tracker.frame is not None:
            image = encode_jpeg(resize_to_fit(tracker.frame, None, MAX_LOCK_FRAME_PX))
            self._evidence = (Evidence("board.jpg", "image/jpeg", image),)

    def _ask_for_move(
        self, prompt: Prompt, players: Sequence[Player], key: int, fitting: Sequence[Move], before: Position
    ) -> Move:
        """Ask people for the move, one of those that are ``fitting`` if there are any."""
        board, (seat,) = before.tables.board, prompt.seats
        options = Choices(tuple(format_move(move, board) for move in fitting)) if fitting else prompt.seats[seat]
        move_prompt = Prompt(prompt.kind, {seat: options}, about=prompt.about)
        return parse_move(str(self._fallback.answer(move_prompt, players, key)[seat]), board)


class _SimulatedMove:
    """A simulated player's move: made once the tracker has seen the position, and entered if it can't be read."""

    def __init__(self, mover: BoardMover, tracker: BoardTracker, before: Position, prompt: Prompt, key: int) -> None:
        self._mover = mover
        self._tracker = tracker
        self._before = before
        self._prompt = prompt
        self._key = key
        self._move: Move | None = None
        self._looks = 0
        mover.set_up(before)

    def intended(self) -> Move:
        """Return the move; it is made now if it has not been yet."""
        if self._move is None:
            (seat,) = self._prompt.seats
            self._move = self._mover.choose_and_move(self._before, self._prompt, seat, self._key)
        return self._move

    def react(self, sighting: BoardObservation) -> BoardObservation:
        """React to a sighting: make the move when the board is ready, and answer if the box asks."""
        self._looks += 1
        if self._tracker.is_ready and sighting.move is None:
            self.intended()
        if sighting.is_ambiguous:
            return replace(sighting, move=CHOOSE_MOVE)
        return replace(sighting, move=ENTER_MOVE) if sighting.move is None and self._looks > MAX_LOOKS else sighting


class BoardTrackerThread:
    """Tracks the board in a thread of its own, so a screen never waits for a sighting.

    with BoardTrackerThread(camera, tracker) as thread:
        sighting = thread.newest(before)
    """

    def __init__(self, camera: Camera, tracker: BoardTracker, person: _SimulatedMove | None = None) -> None:
        self._camera = camera
        self._tracker = tracker
        self._person = person
        self._newest: BoardObservation | None = None
        self._error: CameraError | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="board", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def newest(self, otherwise: BoardObservation) -> BoardObservation:
        """Return the newest sighting; ``otherwise`` before the first one. If the camera has stopped, its move is
        ENTER."""
        return self._newest or otherwise

    def check(self) -> None:
        """Raise CameraError if the camera has stopped."""
        if self._error is not None:
            raise self._error

    def _look(self) -> None:
        try:
            while not self._stop.is_set() and (self._newest is None or self._newest.move is None):
                sighting = self._tracker.look(self._camera.latest())
                self._newest = sighting if self._person is None else self._person.react(sighting)
                self._stop.wait(LOOK_NS / 1e9)
        except CameraError as error:
            self._error = error
            self._newest = BoardObservation(str(error), False, move=ENTER_MOVE)


def is_board_visible(camera: Camera) -> bool:
    """Whether a running camera sees the printed board. Raises CameraError."""
    return has_board(camera.latest().pixels())
