"""The gallery's pages of practising against the box: its seal, also after a foul, and what was under it."""

import hashlib

from rules.throws import Throw
from tools.gallery.people import crop
from ui.screen.core.page_stack import Page
from ui.screen.pages.practice.view import Opened, Score, Sealed
from ui.screen.pages.views import View

OPENING = "scissors 7f3a09c2d4e81b6650aa31cf9e72d18b"


def practise_pages() -> dict[str, View | Page]:
    """A seal at the beginning and after a foul, and an opening."""
    seal = hashlib.sha256(OPENING.encode()).hexdigest()
    far = Score(128, 117, 104, 23)
    late = "Player 1 was late: paper 331 ms after the first hand. The round is thrown again."
    result = "The box wins: scissors beats paper."
    return {
        "practise-seal": Sealed(seal, Score()),
        "practise-again": Sealed(seal, far, late),
        "practise-open": Opened(seal, OPENING, crop(Throw.PAPER, 1), Throw.PAPER, Throw.SCISSORS, result, far, 24.0),
    }
