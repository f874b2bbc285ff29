"""Tracks the printed board over many looks until a move was made: it waits until no hand is in view, reads the pieces
and matches them with the legal moves.

tracker = BoardTracker(position.reach.board)
tracker.expect_move(position, "Ada")
sighting = tracker.look(camera.latest())
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Frame, Pixels
from messages import N
from rules.board.board import Board, Space
from rules.board.moves import Move
from rules.board.notation import format_move
from rules.board.position import Position
from throwlock.tables.board_matching import (
    KnownBoard,
    MoveMatch,
    describe_mismatches,
    explain_illegal,
    match_moves,
    visible_pieces,
)
from ui.screen.pages.printed_board import BoardObservation
from ui.text import board as words
from vision.cards.board_reader import BoardPose, BoardReading, read_board

LOOK_NS = 250_000_000
"""Time between two looks."""
STEADY_LOOKS, STEADY_NS = 3, 700_000_000
"""The board is read once this many looks over this time show no motion. A hand that goes from one piece to the next, as
in a capture, does not stay away for as long."""
MAX_MISSED_LOOKS = 4
"""Looks in a row without the board before that is reported: an arm may hide its markers for a moment."""
SAMPLE_SPACING_MM = 6.0
"""Distance of two sample points of the small image in which motion is detected."""
DOWNSCALE = 4
"""Frame pixels per side of a pixel of the small image."""
MOTION_LEVELS, MOTION_POINTS = 20, 12
"""Motion: at least this many points (4 square centimetres) differ by more than this many levels (of 255)."""
SHIFTED_PX = 3.0
"""The board is being moved if a corner has shifted by more pixels than this since the last look."""
MAX_COVERED_SPACES = 2
"""If more spaces than this are neither paper nor a known piece, something lies over the board."""


@dataclass(frozen=True, eq=False)
class _BoardLook:
    """One look at the board: the reading, the small image and the time in ns."""

    reading: BoardReading
    small_image: NDArray[np.float32]
    when_ns: int


@dataclass(frozen=True, eq=False)
class _BoardCheck:
    """A still board compared with the position before a move."""

    board: Board
    before: Position
    state: KnownBoard
    match: MoveMatch
    crowded: frozenset[Space]
    unread: tuple[Space, ...]
    """The spaces that can't be read."""

    def problem(self, sentence: str, spaces: Iterable[Space]) -> BoardObservation:
        """Return the sighting of a problem with some spaces."""
        names = words.list_spaces([self.board.space_names[space] for space in sorted(spaces)])
        return BoardObservation(N(sentence, spaces=names), False, unreadable=self.unread)

    def mismatch(self, sentence: str, is_ambiguous: bool = False) -> BoardObservation:
        """Return the sighting of a board that differs from before: pieces that are there, and spaces without theirs."""
        tops = self.state.tops
        wrong = tuple((space, tops[space]) for space in self.match.mismatches if space in tops)
        missing = tuple(space for space in self.match.mismatches if space not in tops)
        return BoardObservation(sentence, False, wrong, missing, self.unread, is_ambiguous=is_ambiguous)

    def explain(self, describe: Callable[[int], str]) -> BoardObservation:
        """Return the sighting of a board that differs from before; ``describe`` returns the sentence with that many of
        the spaces."""
        longer = tuple(dict.fromkeys(describe(count) for count in range(words.MAX_SENTENCES, 1, -1)))
        return replace(self.mismatch(describe(1)), longer_sentences=longer)

    def explain_change(self) -> BoardObservation:
        """Return the sighting of a change that several moves fit, or one that is not fully read, or none."""
        if self.crowded and not self.match.moves:
            return self.problem(words.CROWDED_SPACES, self.crowded)
        if len(self.match.moves) > 1:
            return self.mismatch(words.AMBIGUOUS_MOVE, is_ambiguous=True)
        if self.match.is_only_lifted:
            origin = self.match.moves[0].origin
            piece, space_name = words.piece_name(visible_pieces(self.before)[origin]), self.board.space_names[origin]
            return self.mismatch(N(words.PIECE_GONE, piece=piece, here=space_name), is_ambiguous=True)
        if self.match.moves:
            return self.problem(words.UNREADABLE_SPACES, self.unread)
        return self.explain(partial(explain_illegal, self.before, self.state))


class BoardTracker:
    """Tracks the board of a match. ``frame`` is the one in which the last move was read; ``fitting`` are the moves that
    fit an unclear reading."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._before: Position | None = None
        self._turn = N("")
        self._settled: Position | None = None
        self._markers: Mapping[Space, int] = {}
        self._steady_looks: list[_BoardLook] = []
        self._last: _BoardLook | None = None
        self._missed_looks = 0
        self._sighting = BoardObservation("")
        self._reading: KnownBoard | None = None
        self._judged_frame: Frame | None = None
        self.fitting: tuple[Move, ...] = ()
        self.frame: Frame | None = None

    def expect_move(self, before: Position, name: str) -> BoardObservation:
        """Expect a move from the position ``before`` by the player ``name``. The board must show that position first,
        unless it was the last one read."""
        self._before, self._turn = before, words.move_sentence(name, before.to_move)
        if self._settled != before:
            self._settled, self._markers = None, {}
        self.fitting, self.frame, self._steady_looks = (), None, []
        self._sighting = BoardObservation(self._turn)
        return self._sighting

    @property
    def is_ready(self) -> bool:
        """Whether the board has shown the position, so the next change is a move."""
        return self._before is not None and self._settled == self._before

    def confirm(self, move: Move) -> None:
        """Accept the move that people chose of those that fit."""
        if self._before is not None and self._reading is not None:
            self._settle(self._before.after_move(move), self._reading)
            self.frame = self._judged_frame

    def look(self, frame: Frame) -> BoardObservation:
        """Process a frame and return the new sighting."""
        if self._before is None:
            raise ValueError("no move is expected: call expect_move first")
        pixels = frame.pixels()
        reading = read_board(pixels, self._board)
        if reading is None:
            return self._board_missing()
        look = _BoardLook(reading, small_image(pixels, reading.pose), frame.exposed_ns)
        has_moved = self._last is not None and (_has_shifted(self._last, look) or _has_motion(self._last, look))
        self._last, self._missed_looks = look, 0
        self._steady_looks = [look] if has_moved else [*self._steady_looks, look][-8:]
        if len(self._steady_looks) < STEADY_LOOKS or look.when_ns - self._steady_looks[0].when_ns < STEADY_NS:
            if has_moved:
                self._sighting = BoardObservation(words.MOVEMENT_OVER_BOARD)
            return self._sighting
        self._sighting = self._interpret(self._before, frame)
        return self._sighting

    def _board_missing(self) -> BoardObservation:
        self._missed_looks, self._steady_looks, self._last = self._missed_looks + 1, [], None
        if self._missed_looks >= MAX_MISSED_LOOKS:
            self._sighting = BoardObservation(words.BOARD_NOT_FOUND, False)
        return self._sighting

    def _interpret(self, before: Position, frame: Frame) -> BoardObservation:
        state = merge_readings([look.reading for look in self._steady_looks[-STEADY_LOOKS:]])
        reading, expected = self._steady_looks[-1].reading, visible_pieces(before)
        unread = tuple(space for space in range(len(self._board.space_names)) if not state.knows(space))
        match = match_moves(before, state, self._markers)
        check = _BoardCheck(self._board, before, state, match, reading.crowded, unread)
        covered = reading.covered - expected.keys() - state.tops.keys()
        if len(covered) > MAX_COVERED_SPACES:
            return check.problem(words.OBJECT_ON_SPACES, covered)
        self._reading, self.fitting, self._judged_frame = state, match.moves, frame
        if self._settled is None:
            return self._check_set_up(check)
        if match.certain is not None:
            self._settle(before.after_move(match.certain), state)
            self.frame = frame
            return BoardObservation(self._turn, move=format_move(match.certain, self._board))
        if not match.is_unchanged:
            return check.explain_change()
        self._markers = {**self._markers, **state.markers}
        if reading.crowded:
            return check.problem(words.CROWDED_SPACES, reading.crowded)
        return check.problem(words.UNREADABLE_SPACES, unread) if unread else BoardObservation(self._turn)

    def _check_set_up(self, check: _BoardCheck) -> BoardObservation:
        """Check that the board shows the position, with every piece read."""
        self.fitting = ()
        if not check.match.is_unchanged:
            describe = partial(describe_mismatches, check.before, check.state)
            return check.explain(lambda count: N(words.POSITION_NOT_SET_UP, wrong=describe(count)))
        hidden = visible_pieces(check.before).keys() & set(check.unread)
        if hidden:
            return check.problem(words.CROWDED_SPACES if check.crowded & hidden else words.UNREADABLE_SPACES, hidden)
        self._settle(check.before, check.state)
        return BoardObservation(self._turn)

    def _settle(self, position: Position, state: KnownBoard) -> None:
        self._settled, self._markers = position, dict(state.markers)


def merge_readings(readings: Sequence[BoardReading]) -> KnownBoard:
    """Merge readings of a still board: a piece counts if one of them has it, a space is empty if it is in all."""
    markers_met: dict[Space, set[int]] = {}
    tokens: dict[int, str] = {}
    for reading in readings:
        for space, piece in reading.tops.items():
            markers_met.setdefault(space, set()).add(piece.marker)
            tokens[piece.marker] = piece.token
    crowded = frozenset[Space]().union(*(reading.crowded for reading in readings))
    markers = {space: next(iter(met)) for space, met in markers_met.items() if len(met) == 1 and space not in crowded}
    empty = frozenset.intersection(*(reading.empty for reading in readings)) - markers_met.keys()
    return KnownBoard({space: tokens[marker] for space, marker in markers.items()}, markers, empty)


def small_image(pixels: Pixels, lie: BoardPose) -> NDArray[np.float32]:
    """Return a small grey image of the board, rectified to the table."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    high, wide = grey.shape
    coarse = cv2.resize(grey, (wide // DOWNSCALE, high // DOWNSCALE), interpolation=cv2.INTER_AREA)
    x, y = np.meshgrid(np.arange(-260, 261, SAMPLE_SPACING_MM), np.arange(-235, 201, SAMPLE_SPACING_MM))
    at = (lie.to_pixels(np.column_stack([x.ravel(), y.ravel()])) + 0.5) / DOWNSCALE - 0.5
    across, down = at.T.astype(np.float32)
    return np.asarray(cv2.remap(coarse, across[None], down[None], cv2.INTER_LINEAR)[0], np.float32)


def _has_motion(before: _BoardLook, now: _BoardLook) -> bool:
    return int((np.abs(before.small_image - now.small_image) > MOTION_LEVELS).sum()) > MOTION_POINTS


def _has_shifted(before: _BoardLook, now: _BoardLook) -> bool:
    corners = np.array([(-240.0, -207.0), (219.0, -207.0), (219.0, 170.0), (-240.0, 170.0)])
    away = before.reading.pose.to_pixels(corners) - now.reading.pose.to_pixels(corners)
    return bool(np.linalg.norm(away, axis=1).max() > SHIFTED_PX)
