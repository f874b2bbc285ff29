"""Samples of the seating: the plan with two and with eight, a player swapping seats, a seat's names, the keyboard."""

from dataclasses import replace

from tests.helpers.samples.common import NAMES
from ui.screen.pages.seating import KeyboardPage, NamePage, SeatingView
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    known = ("Zoë", "Maximilian", "Ørjan", "Chloé", *NAMES[2:], "Ibrahim", "Jürgen", "Kiri", "Łucja", "Mei", "Noor")
    eight = tuple(((column + 0.5) / 4, (row + 0.5) / 2) for row in (0, 1) for column in range(4))
    two = SeatingView("RPS Redeux", ("Ann", ""), known, ((0.25, 0.5), (0.75, 0.5)))
    many = SeatingView("Battle", NAMES, known, eight)
    here = replace(two, here=("Chloé", "Émile"))
    nobody_known = SeatingView("Classic", ("", ""), (), two.zone_centres)
    letters = KeyboardPage(two.first_page(), 2).with_text("Jürgen-Łuk")
    return {
        "seating": two,
        "seating-8": many,
        "seating-moving": replace(many.first_page(), moving_seat=6),
        "seating-fixed": replace(two, names=("Ann", "Bartholomew"), fixed_names=True),
        "seating-here": here,
        "seating-here-8": replace(many, here=("Zoë", *NAMES[1:4])),
        "seating-names-here": NamePage(here.first_page(), 2),
        "seating-names": NamePage(two.first_page(), 2),
        "seating-nobody-known": NamePage(nobody_known.first_page(), 1),
        "seating-letters": letters,
        "seating-accents": replace(letters, accents=True, capital=True),
    }
