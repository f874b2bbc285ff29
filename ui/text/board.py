"""Sentences about a printed board: what is wrong on it, why a move is illegal, what the camera can't see."""

from collections.abc import Mapping, Sequence

from messages import LazyText, N, join, ngettext_lazy
from rules.board.board import Side

SIDE_NAMES = (N("South"), N("North"))
PIECE_NAMES: Mapping[str, LazyText] = {
    "R": N("{side}’s Rock"),
    "P": N("{side}’s Paper"),
    "S": N("{side}’s Scissors"),
    "F": N("{side}’s Flag"),
}
MAX_SENTENCES = 4
"""More sentences about spaces than this are counted, not shown, however much room there is."""
MAX_LISTED_SPACES = 6
"""More spaces than this are counted, not named."""
BOARD_NOT_FOUND = N("The camera can’t see the whole board: keep at least three corner markers clear.")
MOVEMENT_OVER_BOARD = N("Something is moving over the board: waiting.")
OBJECT_ON_SPACES = N("Something is lying on {spaces}. Please remove it.")
UNREADABLE_SPACES = N("The box can’t read {spaces}. Check for glare, or something covering it.")
CROWDED_SPACES = N(
    "Two pieces on one space, or one between two: {spaces}. Place each piece in the middle of its space."
)
POSITION_NOT_SET_UP = N("The board doesn’t match the position. {wrong}")
UNDO_OR_MOVE = N("Put it back, or make a legal move.")
MOVE_PROMPT = N("{name} ({side}): move a piece on the board.")
AMBIGUOUS_MOVE = N("Several moves look like this. Which one was it?")
PIECE_GONE = N("{piece} is gone from {here}. Choose the move if it was lost in one; otherwise put it back.")
WRONG_SIDE_MOVED = N("It is {side}’s turn, but {piece} was moved from {here} to {there}.")
ILLEGAL_MOVE = N("{piece} can’t move from {here} to {there}.")
NO_MATCHING_MOVE = N("No legal move by {side} leads to this. {wrong}")


def piece_name(token: str) -> LazyText:
    """Return a piece and its side from its token, such as R0."""
    return N(PIECE_NAMES[token[0]], side=SIDE_NAMES[int(token[-1])])


def missing_piece(space: str, token: str) -> LazyText:
    """Return that an empty space should have a piece."""
    return N("{space}: {piece} is missing.", space=space, piece=piece_name(token))


def extra_piece(space: str, token: str) -> LazyText:
    """Return that a space should be empty."""
    return N("{space}: {piece} should not be there.", space=space, piece=piece_name(token))


def wrong_piece(space: str, token: str, found_token: str) -> LazyText:
    """Return that a space has another piece than it should."""
    return N(
        "{space}: {there} instead of {piece}.", space=space, piece=piece_name(token), there=piece_name(found_token)
    )


def first_sentences(lines: Sequence[str], count: int = 1) -> LazyText:
    """Return the first ``count`` of several sentences, and how many more there are."""
    more = len(lines) - count
    rest = [ngettext_lazy("And {count} more space.", "And {count} more spaces.", more)] if more > 0 else []
    return join([*lines[:count], *rest])


def list_spaces(names: Sequence[str]) -> LazyText:
    """Return the first few spaces by name, and how many more there are."""
    more = len(names) - MAX_LISTED_SPACES
    listed = join(names[:MAX_LISTED_SPACES], ", ")
    return N("{spaces} and {count} more", spaces=listed, count=more) if more > 0 else listed


def move_sentence(name: str, side: Side) -> LazyText:
    """Return the prompt for a side's move."""
    return N(MOVE_PROMPT, name=name, side=SIDE_NAMES[side])
