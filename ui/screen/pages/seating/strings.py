"""What the pages on which people sit down say."""

from rules.engine import Seat
from ui.i18n.language import N, t

WHO = N("Who sits where?")
HOW = N("Touch a seat to say who sits there, or just play.")
PLAY = N("Play")
BACK = N("Back")
TABLE = N("The table, as the camera sees it")
STAY = N("Stay here")
WRITE = N("Write a name")
NOBODY = N("No name")
SWAP = N("Change places")
NONE_KNOWN = N("Nobody with a name has played here yet.")
DONE = N("Done")
ERASE = N("Erase a letter")
CAPITALS = N("Capitals")
ACCENTS = "ÀÉß"
LETTERS = "abc"
SPACE = N("Space")


def unnamed(seat: Seat) -> str:
    """Who sits in a seat without giving a name."""
    return t("Player {seat}", seat=seat)


def who(seat: Seat) -> str:
    """The question of a seat's page."""
    return t("Who sits in seat {seat}?", seat=seat)


def whose_place(name: str) -> str:
    """What to touch to change places."""
    return t("Touch the seat that {name} changes to.", name=name)
