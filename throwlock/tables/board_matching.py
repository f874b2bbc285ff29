"""Matches a reading of the printed board with the legal moves of a position, and explains what does not fit. A stack
shows only its top sheet; a space that can't be read fits anything and decides nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from messages import LazyText, N, join
from rules.board.board import Space
from rules.board.moves import Move
from rules.board.position import Position
from ui.text import board as words

VisiblePieces = Mapping[Space, str]
"""The top piece of each space that is not empty, as a token of one sheet or piece (R0)."""


def visible_pieces(position: Position) -> dict[Space, str]:
    """Return the top pieces of a position."""
    return {space: token[0] + token[-1] for men in position.pieces.tokens for space, token in men.items()}


@dataclass(frozen=True)
class KnownBoard:
    """What is known of the board."""

    tops: VisiblePieces
    """The tokens of the spaces that were read and have pieces."""
    markers: Mapping[Space, int]
    """The markers of these tokens."""
    empty: frozenset[Space]
    """The spaces that were read and are empty."""

    def knows(self, space: Space) -> bool:
        """Whether a space was read."""
        return space in self.tops or space in self.empty

    def mismatches(self, expected: VisiblePieces) -> list[Space]:
        """Return the spaces, in order, that differ from ``expected``."""
        known = self.tops.keys() | self.empty
        return sorted(space for space in known if self.tops.get(space) != expected.get(space))


@dataclass(frozen=True)
class MoveMatch:
    """The moves that fit a board state."""

    is_unchanged: bool
    """Whether the position before still fits."""
    moves: tuple[Move, ...]
    """The legal moves that fit."""
    certain: Move | None
    """The move that was made: the only one that fits, with every space it changes read and its piece put down; None
    where that isn't certain."""
    mismatches: tuple[Space, ...]
    """The spaces that differ from before."""
    is_only_lifted: bool = False
    """Whether a move would be certain, but for its piece not being put down: it may be in somebody's hand."""


def match_moves(before: Position, state: KnownBoard, markers: Mapping[Space, int]) -> MoveMatch:
    """Match a board state with every legal move. ``markers`` are the known markers of the top pieces before; they
    distinguish moves that look alike."""
    expected = visible_pieces(before)
    mismatches = tuple(state.mismatches(expected))
    if not mismatches:
        return MoveMatch(True, (), None, ())
    fitting = [move for move in before.legal_moves() if not state.mismatches(visible_pieces(before.after_move(move)))]
    if len(fitting) > 1:
        same_pieces = [move for move in fitting if _same_pieces(before, move, state, markers)]
        fitting = same_pieces or fitting
    if len(fitting) != 1 or not _is_fully_read(before, fitting[0], state):
        return MoveMatch(False, tuple(fitting), None, mismatches)
    put_down = (
        any(space in state.tops for space in mismatches) or markers.get(fitting[0].origin) in state.markers.values()
    )
    return MoveMatch(False, tuple(fitting), fitting[0] if put_down else None, mismatches, not put_down)


def _is_fully_read(before: Position, move: Move, state: KnownBoard) -> bool:
    old, new = visible_pieces(before), visible_pieces(before.after_move(move))
    changed = [space for space in old.keys() | new.keys() if old.get(space) != new.get(space)]
    return all(state.knows(space) for space in changed)


def _same_pieces(before: Position, move: Move, state: KnownBoard, markers: Mapping[Space, int]) -> bool:
    """Whether the markers fit a move: unchanged spaces have the same marker, changed ones another, and the top piece or
    sheet is where the move takes it. Of Rocks that knock each other on, only the first is known."""
    after, mover = before.after_move(move), markers.get(move.origin)
    arrives = before.pieces.piece_at(move.target) != after.pieces.piece_at(move.target) or _knocks(before, move)
    at_target = state.markers.get(move.target)
    if arrives and None not in (at_target, mover) and (at_target == mover) == move.spread:
        return False  # when a stack is spread, the top sheet goes furthest and the bottom one stays nearest
    for space, marker in state.markers.items():
        old_marker, old, new = markers.get(space), before.pieces.piece_at(space), after.pieces.piece_at(space)
        rocks = old is not None and new is not None and old[0] == new[0] == "R"
        if old_marker is not None and new is not None and not rocks and (old == new) != (old_marker == marker):
            return False
    return True


def _knocks(before: Position, move: Move) -> bool:
    """Whether a Rock knocks another off its space and takes it."""
    rock, target = before.pieces.piece_at(move.origin), before.pieces.piece_at(move.target)
    return rock is not None and target is not None and rock[0] == target[0] == "R"


def describe_mismatches(before: Position, state: KnownBoard, count: int = 1) -> LazyText:
    """Describe the mismatches space by space: the first ``count``, and how many more there are."""
    expected, names = visible_pieces(before), before.tables.board.space_names
    lines = []
    for space in state.mismatches(expected):
        wanted, piece = expected.get(space), state.tops.get(space)
        if wanted is None and piece is not None:
            lines.append(words.extra_piece(names[space], piece))
        elif wanted is not None and piece is None:
            lines.append(words.missing_piece(names[space], wanted))
        elif wanted is not None and piece is not None:
            lines.append(words.wrong_piece(names[space], wanted, piece))
    return words.first_sentences(lines, count)


def explain_illegal(before: Position, state: KnownBoard, count: int = 1) -> LazyText:
    """Explain why no legal move fits; name the piece if a single one moved, or else ``count`` of the mismatches."""
    expected, names = visible_pieces(before), before.tables.board.space_names
    mismatches = state.mismatches(expected)
    left = [space for space in mismatches if space not in state.tops]
    arrived = [space for space in mismatches if space in state.tops]
    if len(left) == len(arrived) == 1 and expected[left[0]] == state.tops[arrived[0]]:
        token = expected[left[0]]
        facts = {"piece": words.piece_name(token), "here": names[left[0]], "there": names[arrived[0]]}
        if int(token[-1]) != before.to_move:
            return join([N(words.WRONG_SIDE_MOVED, side=words.SIDE_NAMES[before.to_move], **facts), words.UNDO_OR_MOVE])
        return join([N(words.ILLEGAL_MOVE, **facts), words.UNDO_OR_MOVE])
    details = describe_mismatches(before, state, count)
    return join([N(words.NO_MATCHING_MOVE, side=words.SIDE_NAMES[before.to_move], wrong=details), words.UNDO_OR_MOVE])
