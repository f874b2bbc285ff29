"""The texts of the seating pages."""

from rules.engine import Seat
from ui.i18n.language import N, t

TITLE = N("Who sits where?")
HOW_TO = N("Touch a seat to say who sits there, or just play.")
PLAY = N("Play")
BACK = N("Back")
TABLE_CAPTION = N("The table, as the camera sees it")
STAY_HERE = N("Stay here")
WRITE_NAME = N("Write a name")
NO_NAME = N("No name")
SWAP_SEATS = N("Swap seats")
NO_KNOWN_NAMES = N("No named player has played here yet.")
DONE = N("Done")
ERASE_LETTER = N("Erase a letter")
CAPITALS = N("Capitals")
ACCENTS = "ÀÉß"
LETTERS = "abc"
SPACE = N("Space")


def default_name(seat: Seat) -> str:
    """The name of a player who gave none."""
    return t("Player {seat}", seat=seat)


def seat_question(seat: Seat) -> str:
    """The question of a seat's page."""
    return t("Who sits in seat {seat}?", seat=seat)


def swap_instruction(name: str) -> str:
    """The instruction to touch the seat to swap with."""
    return t("Touch {name}’s new seat.", name=name)
