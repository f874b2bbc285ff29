"""Watches the printed board, look after look, until a move was made on it: a hand is waited out, what stands still is
read, and held against the legal moves.

watch = BoardWatch(position.reach.board)
watch.begin(position, "Ada", 1)
sighting = watch.look(camera.latest())
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Frame, Pixels
from rules.board.board import Board, Space
from rules.board.moves import Move
from rules.board.notation import write_move
from rules.board.position import Position
from throwlock.tables.board_matching import Match, Seen, matched, told_illegal, told_wrong, tops_of
from ui.i18n.language import N
from ui.screen.pages.board.printed_view import Sighting
from ui.text import board as words
from vision.cards.board_reader import Lie, Sight, see_board

LOOK_NS = 250_000_000
"""Between two looks."""
STEADY_LOOKS, STEADY_NS = 3, 700_000_000
"""What is seen is taken for what stands on the board once so many looks, over so long, show no motion: a hand that goes
on from one piece to the next, as with a capture, does not stay away for as long."""
UNSEEN_LOOKS = 4
"""Looks in a row without the board until that is said: an arm hides its markers for a moment."""
FINER_MM = 6.0
"""Between two points of the small picture in which motion is looked for."""
SMALL = 4
"""Pixels of the frame to a pixel's side of it."""
LEVELS, POINTS = 20, 12
"""Something moved where more than so many points differ by more than so many levels (of 255): 4 square centimetres."""
SHIFTED_PX = 3.0
"""The board is being moved if a corner of it is off by more pixels than this since the last look."""
MANY = 2
"""If more spaces than this are neither paper nor hold a piece that was there, something lies over the board."""


@dataclass(frozen=True, eq=False)
class _Look:
    """One look: what it shows, the small picture of the board, and when."""

    sight: Sight
    small: NDArray[np.float32]
    when_ns: int


class BoardWatch:
    """Knows what stood on the board last and who is to move. ``settled`` is the position that was seen there last;
    ``frame`` is the one in which a move was seen."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._before: Position | None = None
        self._turn = N("")
        self._settled: Position | None = None
        self._markers: Mapping[Space, int] = {}
        self._steady: list[_Look] = []
        self._last: _Look | None = None
        self._unseen = 0
        self._now = Sighting("")
        self._seen: Seen | None = None
        self._judged_frame: Frame | None = None
        self.fitting: tuple[Move, ...] = ()
        self.frame: Frame | None = None

    def begin(self, before: Position, name: str) -> Sighting:
        """Wait for a move from ``before`` of the player called ``name``. Where that is not what was seen last, the
        board must show it first."""
        self._before, self._turn = before, words.turn(name, before.to_move)
        if self._settled != before:
            self._settled, self._markers = None, {}
        self.fitting, self.frame, self._steady = (), None, []
        self._now = Sighting(self._turn)
        return self._now

    @property
    def is_ready(self) -> bool:
        """Whether the board was seen to show the position: what changes now is a move."""
        return self._before is not None and self._settled == self._before

    def agree(self, move: Move) -> None:
        """People say that it was this of the moves that fit."""
        if self._before is not None and self._seen is not None:
            self._settle(self._before.after(move), self._seen)
            self.frame = self._judged_frame

    def look(self, frame: Frame) -> Sighting:
        """Take in a frame; what is to be said of the board now."""
        if self._before is None:
            raise ValueError("nobody's move is waited for: begin first")
        pixels = frame.pixels()
        sight = see_board(pixels, self._board)
        if sight is None:
            return self._without()
        look = _Look(sight, small_picture(pixels, sight.lie), frame.exposed_ns)
        moved = self._last is not None and (_shifted(self._last, look) or _moved(self._last, look))
        self._last, self._unseen = look, 0
        self._steady = [look] if moved else [*self._steady, look][-8:]
        if len(self._steady) < STEADY_LOOKS or look.when_ns - self._steady[0].when_ns < STEADY_NS:
            if moved:
                self._now = Sighting(words.HAND)
            return self._now
        self._now = self._judged(self._before, frame)
        return self._now

    def _without(self) -> Sighting:
        self._unseen, self._steady, self._last = self._unseen + 1, [], None
        if self._unseen >= UNSEEN_LOOKS:
            self._now = Sighting(words.NO_BOARD, False)
        return self._now

    def _judged(self, before: Position, frame: Frame) -> Sighting:
        """What stands on the board, held against the position before."""
        seen = together([look.sight for look in self._steady[-STEADY_LOOKS:]])
        sight, expected = self._steady[-1].sight, tops_of(before)
        above = sorted(sight.covered - expected.keys() - seen.tops.keys())
        unread = tuple(sorted(space for space in range(len(self._board.names)) if not seen.knows(space)))
        if len(above) > MANY:
            return self._said(words.ABOVE, above, unread)
        match = matched(before, seen, self._markers)
        self._seen, self.fitting, self._judged_frame = seen, match.moves, frame
        if self._settled is None:
            return self._setting_up(before, seen, match, sight, unread)
        if match.stands:
            self._markers = {**self._markers, **seen.markers}
            return self._waiting(sight, unread)
        if match.sure is not None:
            self._settle(before.after(match.sure), seen)
            self.frame = frame
            return Sighting(self._turn, move=write_move(match.sure, self._board))
        return self._doubtful(before, seen, match, sight, unread)

    def _doubtful(
        self, before: Position, seen: Seen, match: Match, sight: Sight, unread: tuple[Space, ...]
    ) -> Sighting:
        """Several moves fit, or one that is not read in full, or none."""
        if sight.crowded and not match.moves:
            return self._said(words.CROWDED, sorted(sight.crowded), unread)
        tops, gone = differences(match.wrong, seen)
        if len(match.moves) > 1:
            return Sighting(words.SEVERAL, False, tops, gone, unread, several=True)
        if match.is_gone:
            origin = match.moves[0].origin
            facts = {"piece": words.piece(tops_of(before)[origin]), "here": self._board.names[origin]}
            return Sighting(N(words.GONE, **facts), False, tops, gone, unread, several=True)
        if match.moves:
            return self._said(words.HIDDEN, unread, unread)
        return Sighting(told_illegal(before, seen), False, tops, gone, unread)

    def _setting_up(
        self, before: Position, seen: Seen, match: Match, sight: Sight, unread: tuple[Space, ...]
    ) -> Sighting:
        """Until the board shows the position, with every piece read."""
        self.fitting = ()
        if not match.stands:
            tops, gone = differences(match.wrong, seen)
            return Sighting(N(words.PUT_UP, wrong=told_wrong(before, seen)), False, tops, gone, unread)
        hidden = [space for space in unread if space in tops_of(before)]
        if hidden:
            return self._said(words.CROWDED if sight.crowded & set(hidden) else words.HIDDEN, hidden, unread)
        self._settle(before, seen)
        return Sighting(self._turn)

    def _waiting(self, sight: Sight, unread: tuple[Space, ...]) -> Sighting:
        """Nothing was moved yet, as far as can be read."""
        if sight.crowded:
            return self._said(words.CROWDED, sorted(sight.crowded), unread)
        return self._said(words.HIDDEN, unread, unread) if unread else Sighting(self._turn)

    def _said(self, sentence: str, spaces: Sequence[Space], unread: tuple[Space, ...]) -> Sighting:
        named = words.spaces([self._board.names[space] for space in spaces])
        return Sighting(N(sentence, spaces=named), False, unread=unread)

    def _settle(self, position: Position, seen: Seen) -> None:
        self._settled, self._markers = position, dict(seen.markers)


def together(sights: Sequence[Sight]) -> Seen:
    """What several sights of a board that stands still tell together: a piece that one of them read is there, a space
    is empty if it is in all."""
    found: dict[Space, set[int]] = {}
    tokens: dict[int, str] = {}
    for sight in sights:
        for space, piece in sight.tops.items():
            found.setdefault(space, set()).add(piece.marker)
            tokens[piece.marker] = piece.token
    crowded = frozenset[Space]().union(*(sight.crowded for sight in sights))
    markers = {space: next(iter(met)) for space, met in found.items() if len(met) == 1 and space not in crowded}
    empty = frozenset.intersection(*(sight.empty for sight in sights)) - found.keys()
    return Seen({space: tokens[marker] for space, marker in markers.items()}, markers, empty)


def differences(wrong: Sequence[Space], seen: Seen) -> tuple[tuple[tuple[Space, str], ...], tuple[Space, ...]]:
    """Of the spaces that are not as expected: what is seen there, and from which something is gone."""
    tops = tuple((space, seen.tops[space]) for space in wrong if space in seen.tops)
    return tops, tuple(space for space in wrong if space not in seen.tops)


def small_picture(pixels: Pixels, lie: Lie) -> NDArray[np.float32]:
    """The board in a picture as it lies on the table, small and grey."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    high, wide = grey.shape
    coarse = cv2.resize(grey, (wide // SMALL, high // SMALL), interpolation=cv2.INTER_AREA)
    x, y = np.meshgrid(np.arange(-260, 261, FINER_MM), np.arange(-235, 201, FINER_MM))
    at = (lie.to_pixels(np.column_stack([x.ravel(), y.ravel()])) + 0.5) / SMALL - 0.5
    across, down = at.T.astype(np.float32)
    return np.asarray(cv2.remap(coarse, across[None], down[None], cv2.INTER_LINEAR)[0], np.float32)


def _moved(before: _Look, now: _Look) -> bool:
    return int((np.abs(before.small - now.small) > LEVELS).sum()) > POINTS


def _shifted(before: _Look, now: _Look) -> bool:
    corners = np.array([(-240.0, -207.0), (219.0, -207.0), (219.0, 170.0), (-240.0, 170.0)])
    away = before.sight.lie.to_pixels(corners) - now.sight.lie.to_pixels(corners)
    return bool(np.linalg.norm(away, axis=1).max() > SHIFTED_PX)
