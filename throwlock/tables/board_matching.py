"""What a sight of the printed board means: which legal moves of the position before lead to it, and in words what does
not fit. Stacks show their top sheet; what can't be read fits anything, and decides nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.board.board import Space
from rules.board.moves import Move
from rules.board.position import Position
from ui.i18n.language import N, Text, row
from ui.text import board as words
from vision.cards.board_reader import Sight

Tops = Mapping[Space, str]
"""What is uppermost on each space that is not empty, as a token of one sheet or piece (R0)."""


def tops_of(position: Position) -> dict[Space, str]:
    """What can be seen of a position."""
    return {space: token[0] + token[-1] for men in position.pieces.men for space, token in men.items()}


@dataclass(frozen=True)
class Seen:
    """What is known of the board: ``tops`` of the spaces that were read, by token and by marker, and the spaces that
    are ``empty``."""

    tops: Tops
    markers: Mapping[Space, int]
    empty: frozenset[Space]

    @classmethod
    def of(cls, sight: Sight) -> "Seen":
        """What one sight tells."""
        tops = {space: piece.token for space, piece in sight.tops.items()}
        return cls(tops, {space: piece.marker for space, piece in sight.tops.items()}, sight.empty)

    def knows(self, space: Space) -> bool:
        """Whether a space was read."""
        return space in self.tops or space in self.empty

    def wrong(self, expected: Tops) -> list[Space]:
        """The spaces, in order, on which something else is seen than expected."""
        known = self.tops.keys() | self.empty
        return sorted(space for space in known if self.tops.get(space) != expected.get(space))


@dataclass(frozen=True)
class Match:
    """What may have come of the position before. ``stands``: nothing, it may be as it was. ``moves`` are the legal
    moves that what is seen allows; ``sure`` the one of them that was made, where it is the only one, every space that
    it changes was read, and something was put down: a piece that is only gone may be in somebody's hand. ``is_gone``
    says that this alone is open. ``wrong`` are the spaces that differ from before."""

    stands: bool
    moves: tuple[Move, ...]
    sure: Move | None
    wrong: tuple[Space, ...]
    is_gone: bool = False


def matched(before: Position, seen: Seen, markers: Mapping[Space, int]) -> Match:
    """Hold what is seen against every legal move. ``markers`` are those of the pieces that were uppermost before,
    where they are known: of moves that look alike, the piece that went tells which it was."""
    expected = tops_of(before)
    wrong = tuple(seen.wrong(expected))
    if not wrong:
        return Match(True, (), None, ())
    fitting = [move for move in before.moves() if not seen.wrong(tops_of(before.after(move)))]
    if len(fitting) > 1:
        told = [move for move in fitting if _same_pieces(before, move, seen, markers)]
        fitting = told or fitting
    if len(fitting) != 1 or not _read(before, fitting[0], seen):
        return Match(False, tuple(fitting), None, wrong)
    put_down = any(space in seen.tops for space in wrong) or markers.get(fitting[0].origin) in seen.markers.values()
    return Match(False, tuple(fitting), fitting[0] if put_down else None, wrong, not put_down)


def _read(before: Position, move: Move, seen: Seen) -> bool:
    """Whether every space that a move changes was read."""
    then, now = tops_of(before), tops_of(before.after(move))
    changed = [space for space in then.keys() | now.keys() if then.get(space) != now.get(space)]
    return all(seen.knows(space) for space in changed)


def _same_pieces(before: Position, move: Move, seen: Seen, markers: Mapping[Space, int]) -> bool:
    """Whether the markers say that it was this move: what it leaves alone has the marker it had, what it puts something
    on has another, and the piece or sheet that was uppermost is where the move takes it. Rocks that knock each other on
    may be any; only the first is known."""
    after, mover = before.after(move), markers.get(move.origin)
    arrives = before.pieces.at(move.target) != after.pieces.at(move.target) or _knocks(before, move)
    there = seen.markers.get(move.target)
    if arrives and None not in (there, mover) and (there == mover) == move.spread:
        return False  # of a stack that is spread the top sheet goes furthest, and the bottom one here
    for space, marker in seen.markers.items():
        was, then, now = markers.get(space), before.pieces.at(space), after.pieces.at(space)
        rocks = then is not None and now is not None and then[0] == now[0] == "R"
        if was is not None and now is not None and not rocks and (then == now) != (was == marker):
            return False
    return True


def _knocks(before: Position, move: Move) -> bool:
    """Whether a Rock knocks another from its space, and stands there."""
    own, met = before.pieces.at(move.origin), before.pieces.at(move.target)
    return own is not None and met is not None and own[0] == met[0] == "R"


def told_wrong(before: Position, seen: Seen) -> Text:
    """Space by space what is not as it should be."""
    expected, names = tops_of(before), before.reach.board.names
    lines = []
    for space in seen.wrong(expected):
        should, there = expected.get(space), seen.tops.get(space)
        if should is None and there is not None:
            lines.append(words.extra(names[space], there))
        elif should is not None and there is None:
            lines.append(words.missing(names[space], should))
        elif should is not None and there is not None:
            lines.append(words.other(names[space], should, there))
    return words.some(lines)


def told_illegal(before: Position, seen: Seen) -> Text:
    """Why no legal move leads to what is seen: the piece that went from one space to another, where it is that."""
    expected, names = tops_of(before), before.reach.board.names
    wrong = seen.wrong(expected)
    left = [space for space in wrong if space not in seen.tops]
    came = [space for space in wrong if space in seen.tops]
    if len(left) == len(came) == 1 and expected[left[0]] == seen.tops[came[0]]:
        token = expected[left[0]]
        facts = {"piece": words.piece(token), "here": names[left[0]], "there": names[came[0]]}
        if int(token[-1]) != before.to_move:
            return row([N(words.NOT_YOURS, side=words.SIDES[before.to_move], **facts), words.PUT_BACK])
        return row([N(words.NO_MOVE, **facts), words.PUT_BACK])
    wrong_told = told_wrong(before, seen)
    return row([N(words.NO_SUCH, side=words.SIDES[before.to_move], wrong=wrong_told), words.PUT_BACK])
