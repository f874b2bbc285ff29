"""How a game declares which of its facts the scoreboard shows: whose they are, under which label, and for how long.

The declarations are in the game's ``GameText``; ``rules.text.shown_fact`` looks one up."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto


class FactOwner(Enum):
    """Whose a fact is, and so what its value means."""

    TABLE = auto()
    """The whole table's: a number, a word, a list of words, words with counts, or True."""
    SEATS = auto()
    """That of each seat for which it has a value."""
    NAMED = auto()
    """That of the seat or the seats that are its value: they are "out"."""
    ACTOR = auto()
    """That of the event's ``seat``: the chips of a "bet"."""
    GROUPS = auto()
    """That of each seat in a list of groups: the number of its group, if there are several."""
    NAMES = auto()
    """That of each seat for which it has a value, shown next to the name: a role."""


@dataclass(frozen=True)
class ShownFact:
    """A fact that the scoreboard shows."""

    owner: FactOwner = FactOwner.TABLE
    """Whose it is."""
    label: str = ""
    """The name in the game's code whose word is the label; "" for the fact's own name."""
    until: Sequence[str] | None = None
    """The kinds of event that end it, which stays after its own event; None if it does not stay."""
    total: str = ""
    """The fact that holds its total, shown with it: round 3 of 6 ``rounds``. With a total of 1 neither is shown."""
    part: str = ""
    """What it counts, where several facts are shown as one with the same label: the "wins" of "battles"."""
    in_common: bool = False
    """Whether it is shown once, as the table's, where all seats have the same value."""
