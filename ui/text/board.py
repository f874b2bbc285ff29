"""What the box says while it watches a printed board: what is wrong on it, why a move can't be, what it can't see."""

from collections.abc import Mapping, Sequence

from rules.board.board import Side
from ui.i18n.language import N, Nn, Text, row

SIDES = (N("South"), N("North"))
PIECES: Mapping[str, Text] = {
    "R": N("{side}’s Rock"),
    "P": N("{side}’s Paper"),
    "S": N("{side}’s Scissors"),
    "F": N("{side}’s Flag"),
}
MOST = 2
"""So many spaces are told of in a sentence each; of the rest it is said how many they are."""
NAMED = 6
"""So many spaces are listed by name."""
NO_BOARD = N("The board is not seen whole: at least three of its corner markers must be free.")
HAND = N("Something moves over the board: the box waits.")
ABOVE = N("Something lies on {spaces}. Take it away.")
HIDDEN = N("The box can't read {spaces}. Is a lamp reflected there, or something covered?")
CROWDED = N("Two pieces, or one between two spaces: {spaces}. Put each on the middle of its space.")
PUT_UP = N("The board does not show the position. {wrong}")
PUT_BACK = N("Put it back as it was, or move as the rules have it.")
MOVE = N("{name}, {side}: move a piece on the board.")
SEVERAL = N("More than one move looks like this. Which was it?")
GONE = N("{piece} is gone from {here}. Choose, if it was lost that way; else put it down.")
NOT_YOURS = N("It is {side}’s move, but {piece} was moved from {here} to {there}.")
NO_MOVE = N("{piece} may not go from {here} to {there}.")
NO_SUCH = N("No move of {side} leads to this. {wrong}")


def piece(token: str) -> Text:
    """A piece, and whose it is, from its token (R0)."""
    return N(PIECES[token[0]], side=SIDES[int(token[-1])])


def missing(name: str, token: str) -> Text:
    """A space that should have a piece and is empty."""
    return N("{space}: {piece} is missing.", space=name, piece=piece(token))


def extra(name: str, token: str) -> Text:
    """A space that should be empty."""
    return N("{space}: {piece} should not be there.", space=name, piece=piece(token))


def other(name: str, token: str, there: str) -> Text:
    """A space that has another piece than it should."""
    return N("{space}: should be {piece}, is {there}.", space=name, piece=piece(token), there=piece(there))


def some(lines: Sequence[str]) -> Text:
    """The first few of several lines."""
    more = len(lines) - MOST
    rest = [Nn("And {count} space more.", "And {count} spaces more.", more)] if more > 0 else []
    return row([*lines[:MOST], *rest])


def spaces(names: Sequence[str]) -> Text:
    """Spaces by their names."""
    more = len(names) - NAMED
    listed = row(names[:NAMED], ", ")
    return N("{spaces} and {count} more", spaces=listed, count=more) if more > 0 else listed


def turn(name: str, side: Side) -> Text:
    """Whose move it is."""
    return N(MOVE, name=name, side=SIDES[side])
