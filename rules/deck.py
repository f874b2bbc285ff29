"""A deck of rock, paper and scissors cards. The rules use no random numbers: the box is asked which card comes next."""

from collections.abc import Generator, Mapping

from rules.engine import BOX, GameEvent, IntRange, Prompt, Seat, Value, ask_box
from rules.throws import Throw

CardCounts = dict[Throw, int]
"""The number of cards of each throw."""


def cards_of_each(count: int) -> CardCounts:
    """Return ``count`` cards of each throw."""
    return dict.fromkeys(Throw, count)


class Deck:
    """A shuffled deck of which only the number of each card is known. Every remaining card is equally likely to be on
    top, so drawing at random is the same as having shuffled before."""

    def __init__(self, cards: Mapping[Throw, int]) -> None:
        self.remaining: CardCounts = {throw: cards.get(throw, 0) for throw in Throw}

    def __len__(self) -> int:
        return sum(self.remaining.values())

    def draw(self, seat: Seat) -> Generator[Prompt | GameEvent, dict[Seat, Value], Throw]:
        """Draw the top card for ``seat``. The box answers with an index into the remaining cards: first the rocks, then
        the papers, then the scissors. Raises ValueError when the deck is empty."""
        if not len(self):
            raise ValueError("the deck is empty")
        answers = yield ask_box(IntRange(0, len(self) - 1), {"seat": seat})
        index = int(answers[BOX] or 0)
        for throw, count in self.remaining.items():
            if index < count:
                self.remaining[throw] -= 1
                return throw
            index -= count
        raise ValueError("index outside the deck")
