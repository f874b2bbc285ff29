"""How a game declares which of its facts the scoreboard shows: whose they are, under which label, and for how long.

The declarations are in the game's ``GameText``; ``rules.text.shown_fact`` looks one up."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from messages import N


class FactOwner(Enum):
    """Whose a fact is, and so what its value means."""

    TABLE = auto()
    """The whole table's: a number, a word, a list of words, words with counts, or True."""
    SEATS = auto()
    """That of each seat for which it has a value."""
    NAMED = auto()
    """That of the seat or the seats that are its value, or that it has values for: they are "out"."""
    ACTOR = auto()
    """That of the event's ``seat``: the chips of a "bet"."""
    GROUPS = auto()
    """That of each seat in a list of groups: the number of its group, if there are several."""
    NAMES = auto()
    """That of each seat for which it has a value, shown next to the name: a role."""


class FactForm(Enum):
    """What a fact's value is beyond a number, a word, a list of words, or words with counts."""

    PLAIN = auto()
    """Nothing else."""
    SIGNED = auto()
    """A number that is written with its sign."""
    SCORE = auto()
    """Points, which are left out where they are the score next to the name."""
    TITLE = auto()
    """A part of the headline of a throw, which a page with that headline leaves out."""
    THROW = auto()
    """A throw, or the claim of one, which a page draws as an icon."""
    OUTCOME = auto()
    """"win", "loss" or "tie"."""
    TALLY = auto()
    """Words with counts, of which in little room the counts are enough: 3–0–1."""
    PAIRS = auto()
    """What beats what: which of each pair, as in ``{"rock-paper": "paper"}``, or "tie"."""
    HAND = auto()
    """The cards in a hand, with counts."""
    REMARK = auto()
    """How something came about, which comes after all else."""
    ABSENCE = auto()
    """True of a seat without a player."""


class LabelUse(Enum):
    """Where a fact is shown with its label."""

    ALWAYS = auto()
    IN_WORDS = auto()
    """Not where its value is drawn as an icon, which says enough."""
    NEVER = auto()
    """Its value says enough."""


@dataclass(frozen=True)
class ShownFact:
    """A fact that the scoreboard shows."""

    owner: FactOwner = FactOwner.TABLE
    """Whose it is."""
    name: str = ""
    """What it is called, "" for its own name: a newer fact of a seat replaces an older one that is called the same."""
    label: str = ""
    """Its label; "" for the game's word for ``name``."""
    icon: str = ""
    """The icon (a file in ``ui/icons``) that stands for the label where space is short; "" for none."""
    form: FactForm = FactForm.PLAIN
    """What its value is."""
    labelled: LabelUse = LabelUse.ALWAYS
    """Where its label is shown."""
    until: Sequence[str] | None = None
    """The kinds of event that end it, which stays after its own event; None if it does not stay."""
    total: str = ""
    """The fact that holds its total, shown with it: round 3 of 6 ``rounds``. With a total of 1 neither is shown."""
    part: str = ""
    """What it counts, where several facts are shown as one with the same name: the "wins" of "battles"."""
    in_common: bool = False
    """Whether it is shown once, as the table's, where all seats have the same value, and not at all where several of
    the newest events have different ones of the table's."""


ROUND = ShownFact(icon="again", form=FactForm.TITLE)
"""The number of the round."""
PHASE = ShownFact(form=FactForm.TITLE, labelled=LabelUse.NEVER)
"""The phase of the game."""
BEATS = ShownFact(label=N("Beats"), form=FactForm.PAIRS)
"""What beats what."""
THROWS = ShownFact(FactOwner.SEATS, label=N("Threw"), form=FactForm.THROW, labelled=LabelUse.IN_WORDS)
"""What each seat threw."""
WINS = ShownFact(FactOwner.NAMED, "won", N("Wins"), icon="crown")
"""Who has won a round."""
OUT = ShownFact(FactOwner.NAMED, "out", N("Out"), icon="nothing", until=())
"""Who is out for the rest of the match."""
