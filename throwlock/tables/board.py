"""The board game on a printed board before the camera: moves are made by hand and read from the board; what is in doubt
is shown and asked. Every other question is answered as without it."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self

from device.camera.base import Camera, CameraError
from device.system.clock import Clock
from rules.board.match import rulings
from rules.board.moves import Move
from rules.board.notation import read_move, read_position, write_move
from rules.board.position import Position
from rules.engine import Answers, Ask, Choices, Seat, Setup
from throwlock.journal.journal import Evidence
from throwlock.match.answers import Answerers
from throwlock.tables.board_tracker import LOOK_NS, BoardWatch
from ui.screen.core.display import Display
from ui.screen.pages.board.printed_view import CHOOSE, ENTER, Sighting
from ui.screen.pages.views import Player, Watching
from vision.cards.board_reader import has_board
from vision.evidence import LOCK_PX, jpeg, scaled

PATIENCE = 60
"""Looks in which a simulated person's move must be read; after that they enter it."""


class Mover(Protocol):
    """Somebody simulated who makes the moves on the board."""

    def show(self, position: Position) -> None:
        """Have a position stand on the board, unless it does."""

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
        """See Answerers. Raises CameraError."""
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
        person = None if self._mover is None else _Person(self._mover, self._watch, before, ask, key)
        while True:
            given = self._watched(view, self._watch, person)
            if given not in (ENTER, CHOOSE):
                self._keep(self._watch)
                return {seat: given}
            fitting = self._watch.fitting if given == CHOOSE else ()
            if given == ENTER or fitting:
                self.asked += 1
                move = self._entered(ask, players, key, fitting, before) if person is None else person.meant()
                if move in fitting:
                    self._watch.agree(move)
                    self._keep(self._watch)
                return {seat: write_move(move, before.reach.board)}

    def evidence(self) -> tuple[Evidence, ...]:
        """See Witnesses: the picture in which the last move was read; nothing for one that was entered."""
        return self._evidence

    def _watched(self, view: Watching, watch: BoardWatch, person: "_Person | None") -> str:
        """What the board shows or people touch."""
        if not self._live:
            return self._by_itself(view, watch, person)
        with Looking(self._camera, watch, person) as looking:
            given = self._display.ask(replace(view, watched=lambda: looking.newest(view.now)))
            looking.check()
            return str(given)

    def _by_itself(self, view: Watching, watch: BoardWatch, person: "_Person | None") -> str:
        """As ``_watched`` where nobody can touch the screen."""
        before = view.now
        while True:
            self._clock.wait_until(self._clock.now_ns() + LOOK_NS)
            now = watch.look(self._camera.latest())
            now = now if person is None else person.saw(now)
            if now.move is not None:
                return now.move
            if now != before:
                self._display.show(replace(view, now=now))
                if not now.is_well:
                    self._told(f"  {now.told}")
            if now.several:
                return CHOOSE
            before = now

    def _keep(self, watch: BoardWatch) -> None:
        """Keep the picture in which a move was seen."""
        if watch.frame is not None:
            picture = jpeg(scaled(watch.frame, None, LOCK_PX))
            self._evidence = (Evidence("board.jpg", "image/jpeg", picture),)

    def _entered(
        self, ask: Ask, players: Sequence[Player], key: int, fitting: Sequence[Move], before: Position
    ) -> Move:
        """The move as people say it was, one of those that are ``fitting`` if there are any."""
        board, (seat,) = before.reach.board, ask.seats
        listed = Choices(tuple(write_move(move, board) for move in fitting)) if fitting else ask.seats[seat]
        part = Ask(ask.kind, {seat: listed}, about=ask.about)
        return read_move(str(self._rest.answer(part, players, key)[seat]), board)


class _Person:
    """A simulated person at their move: made once the board was seen to show the position, and told where it can't be
    read."""

    def __init__(self, mover: Mover, watch: BoardWatch, before: Position, ask: Ask, key: int) -> None:
        self._mover = mover
        self._watch = watch
        self._before = before
        self._ask = ask
        self._key = key
        self._meant: Move | None = None
        self._looks = 0
        mover.show(before)

    def meant(self) -> Move:
        """The move they made; they make it now if they have not yet."""
        if self._meant is None:
            (seat,) = self._ask.seats
            self._meant = self._mover.moves(self._before, self._ask, seat, self._key)
        return self._meant

    def saw(self, now: Sighting) -> Sighting:
        """What they answer to what the box sees: which move it was, if it asks."""
        self._looks += 1
        if self._watch.is_ready and now.move is None:
            self.meant()
        if now.several:
            return replace(now, move=CHOOSE)
        return replace(now, move=ENTER) if now.move is None and self._looks > PATIENCE else now


class Looking:
    """The board watched in a thread of its own: a screen asks for what was seen last and never waits.

    with Looking(camera, watch) as looking:
        sighting = looking.newest(before)
    """

    def __init__(self, camera: Camera, watch: BoardWatch, person: _Person | None = None) -> None:
        self._camera = camera
        self._watch = watch
        self._person = person
        self._now: Sighting | None = None
        self._fault: CameraError | None = None
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
        """Raises CameraError when the camera has stopped."""
        if self._fault is not None:
            raise self._fault

    def _look(self) -> None:
        try:
            while not self._stop.is_set() and (self._now is None or self._now.move is None):
                now = self._watch.look(self._camera.latest())
                self._now = now if self._person is None else self._person.saw(now)
                self._stop.wait(LOOK_NS / 1e9)
        except CameraError as fault:
            self._fault = fault
            self._now = Sighting(str(fault), False, move=ENTER)


def lies_before(camera: Camera) -> bool:
    """Whether the printed board lies before a camera that runs. Raises CameraError."""
    return has_board(camera.latest().pixels())
