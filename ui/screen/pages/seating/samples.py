"""Samples of the seating: the plan with two and with eight, a player swapping seats, a seat's names, the keyboard."""

from ui.screen.core.page_stack import Page, first_page
from ui.screen.pages.common.samples import NAMES, press_all
from ui.screen.pages.seating.view import (
    OpenKeyboard,
    SeatingView,
    SelectSeat,
    SwapSeats,
    ToggleAccents,
    ToggleCapitals,
    TypeLetter,
)
from ui.screen.pages.views import View


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    known = ("Zoë", "Maximilian", "Ørjan", "Chloé", *NAMES[2:], "Ibrahim", "Jürgen", "Kiri", "Łucja", "Mei", "Noor")
    eight = tuple(((column + 0.5) / 4, (row + 0.5) / 2) for row in (0, 1) for column in range(4))
    two = SeatingView("RPS Redeux", ("Ann", ""), known, ((0.25, 0.5), (0.75, 0.5)))
    many = SeatingView("Battle", NAMES, known, eight)
    names = press_all(first_page(two), SelectSeat(2))
    letters = press_all(names, OpenKeyboard(), *map(TypeLetter, "Jürgen-Łuk"))
    return {
        "seating": two,
        "seating-8": many,
        "seating-moving": press_all(first_page(many), SelectSeat(6), SwapSeats()),
        "seating-names": names,
        "seating-nobody-known": press_all(
            first_page(SeatingView("Classic", ("", ""), (), two.zone_centres)), SelectSeat(1)
        ),
        "seating-letters": letters,
        "seating-accents": press_all(letters, ToggleAccents(), ToggleCapitals()),
    }
