"""A deck of rock, paper and scissors cards, drawn one card at a time. The rules know no chance: which card comes next
is asked of the box."""

from collections.abc import Generator, Mapping

from rules.engine import BOX, Ask, Say, Seat, Span, Value
from rules.throws import Throw

Cards = dict[Throw, int]
"""How many of each."""


def cards(each: int) -> Cards:
    """So many of each throw."""
    return dict.fromkeys(Throw, each)


class Deck:
    """A shuffled deck, of which only the numbers of each card are known. Drawing from it is the same as having shuffled
    it before: every card left is as likely to be on top."""

    def __init__(self, left: Mapping[Throw, int]) -> None:
        self.left: Cards = {throw: left.get(throw, 0) for throw in Throw}

    def __len__(self) -> int:
        return sum(self.left.values())

    def put(self, throw: Throw) -> None:
        """Shuffle a card into the deck."""
        self.left[throw] += 1

    def draw(self, seat: Seat) -> Generator[Ask | Say, dict[Seat, Value], Throw]:
        """Draw the top card for ``seat``. The box answers with its place among the cards left, counted from 0: first
        the rocks, then the papers, then the scissors. Raises ValueError when the deck is empty."""
        if not len(self):
            raise ValueError("the deck is empty")
        answers = yield Ask("draw", {BOX: Span(0, len(self) - 1)}, secret=True, about={"seat": seat})
        place = int(answers[BOX] or 0)
        for throw, count in self.left.items():
            if place < count:
                self.left[throw] -= 1
                return throw
            place -= count
        raise ValueError("a place outside the deck")
