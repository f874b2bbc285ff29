"""The board game on a printed board before the camera: moves are made by hand and read from the board; what is in doubt
is shown and asked. Every other question is answered as without it."""

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol, Self

from device.camera import Camera, CameraFault
from device.clock import Clock
from referee.board_watch import LOOK_NS, BoardWatch
from referee.journal import Evidence
from referee.players import Answerers
from rules.board_game import rulings
from rules.hexboard.notation import read_move, read_position, write_move
from rules.hexboard.position import Position
from rules.hexboard.reach import Move
from rules.script import Answers, Ask, Choices, Seat, Setup
from ui.screen.display import Display
from ui.screen.views import Player, Watching
from ui.screen.watching import CHOOSE, ENTER, Sighting
from vision.cards.board import has_board
from vision.evidence import LOCK_PX, jpeg, scaled

PATIENCE = 60
"""Looks in which a simulated person's move must be read; after that they enter it."""


class Mover(Protocol):
    """Somebody simulated who makes the moves on the board."""

    def moves(self, before: Position, ask: Ask, seat: Seat, key: int) -> Move:
        """Choose a move and begin to make it."""


class AtBoard:
    """Answerers of a match of the board game whose printed board lies before ``camera``, which runs. ``rest`` answers
    what the board can't; on a ``live`` display people may touch meanwhile. ``told`` takes every line for those who
    follow on the terminal. ``asked`` counts the moves that people had to enter or to choose."""

    def __init__(
        self,
        camera: Camera,
        clock: Clock,
        display: Display,
        rest: Answerers,
        setup: Setup,
        told: Callable[[str], None],
        live: bool = False,
        mover: Mover | None = None,
    ) -> None:
        self._camera = camera
        self._clock = clock
        self._display = display
        self._rest = rest
        self._rulings = rulings(setup)
        self._told = told
        self._live = live
        self._mover = mover
        self._watch: BoardWatch | None = None
        self._evidence: tuple[Evidence, ...] = ()
        self.asked = 0

    def answer(self, ask: Ask, players: Sequence[Player], key: int) -> Answers:
        """See Answerers. Raises CameraFault."""
        self._evidence = ()
        text = ask.about.get("position")
        if ask.kind != "move" or not isinstance(text, str):
            return self._rest.answer(ask, players, key)
        (seat,) = ask.seats
        before = read_position(text, self._rulings)
        if self._watch is None:
            self._watch = BoardWatch(before.reach.board)
        name = next(player.name for player in players if player.seat == seat)
        view = Watching(tuple(players), ask, seat, self._watch.begin(before, name))
        meant = None if self._mover is None else self._mover.moves(before, ask, seat, key)
        while True:
            given = self._watched(view, self._watch, meant)
            if given not in (ENTER, CHOOSE):
                return self._seen(seat, given, self._watch)
            fitting = self._watch.fitting if given == CHOOSE else ()
            if given == ENTER or fitting:
                return self._entered(ask, players, key, before, fitting, meant, self._watch)

    def evidence(self) -> tuple[Evidence, ...]:
        """See Witnesses: the picture in which the last move was read; nothing for one that was entered."""
        return self._evidence

    def _watched(self, view: Watching, watch: BoardWatch, meant: Move | None) -> str:
        """What the board shows or people touch."""
        if not self._live:
            return self._by_itself(view, watch, meant)
        with Looking(self._camera, self._clock, watch) as looking:
            given = self._display.ask(_with(view, looking))
            looking.check()
            return str(given)

    def _by_itself(self, view: Watching, watch: BoardWatch, meant: Move | None) -> str:
        """As ``_watched`` where nobody can touch the screen."""
        before, looks = view.now, 0
        while True:
            self._clock.wait_until(self._clock.now_ns() + LOOK_NS)
            now = watch.look(self._camera.latest())
            if now.move is not None:
                return now.move
            if now != before:
                self._display.show(Watching(view.players, view.ask, view.seat, now))
                if not now.is_well:
                    self._told(f"  {now.told}")
            before, looks = now, looks + 1
            if now.several:
                return CHOOSE
            if meant is not None and looks > PATIENCE:
                return ENTER

    def _seen(self, seat: Seat, move: str, watch: BoardWatch) -> Answers:
        if watch.frame is not None:
            picture = jpeg(scaled(watch.frame, None, LOCK_PX))
            self._evidence = (Evidence("board.jpg", "image/jpeg", picture),)
        return {seat: move}

    def _entered(
        self,
        ask: Ask,
        players: Sequence[Player],
        key: int,
        before: Position,
        fitting: Sequence[Move],
        meant: Move | None,
        watch: BoardWatch,
    ) -> Answers:
        """The move as people say it was, one of those that are ``fitting`` if there are any."""
        self.asked += 1
        board, (seat,) = before.reach.board, ask.seats
        if meant is not None:
            move = meant
        else:
            listed = tuple(write_move(move, board) for move in fitting)
            part = Ask(ask.kind, {seat: Choices(listed) if fitting else ask.seats[seat]}, about=ask.about)
            move = read_move(str(self._rest.answer(part, players, key)[seat]), board)
        if move in fitting:
            watch.agree(move)
        return {seat: write_move(move, board)}


class Looking:
    """The board watched in a thread of its own: a screen asks for what was seen last and never waits.

    with Looking(camera, clock, watch) as looking:
        sighting = looking.newest()
    """

    def __init__(self, camera: Camera, clock: Clock, watch: BoardWatch) -> None:
        self._camera = camera
        self._clock = clock
        self._watch = watch
        self._now: Sighting | None = None
        self._fault: CameraFault | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="board", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def newest(self, otherwise: Sighting) -> Sighting:
        """What was seen last; ``otherwise`` before the first look. A camera that has stopped answers ENTER."""
        return self._now or otherwise

    def check(self) -> None:
        """Raises CameraFault when the camera has stopped."""
        if self._fault is not None:
            raise self._fault

    def _look(self) -> None:
        try:
            while not self._stop.is_set() and (self._now is None or self._now.move is None):
                self._now = self._watch.look(self._camera.latest())
                self._stop.wait(LOOK_NS / 1e9)
        except CameraFault as fault:
            self._fault = fault
            self._now = Sighting(str(fault), False, move=ENTER)


def _with(view: Watching, looking: Looking) -> Watching:
    """The view with what ``looking`` sees."""
    return Watching(view.players, view.ask, view.seat, view.now, lambda: looking.newest(view.now))


def lies_before(camera: Camera) -> bool:
    """Whether the printed board lies before a camera that runs. Raises CameraFault."""
    return has_board(camera.latest().pixels())
