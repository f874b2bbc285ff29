"""Where printed cards go in a game that is played with them."""

from collections.abc import Sequence

from rules.engine.values import Seat


class CardLedger:
    """Keeps where printed cards are. A game's events tell it, each in its ``move_cards``; a subclass overrides what it
    keeps."""

    def use_boxes(self, boxes: int) -> None:
        """The pairs take their cards from ``boxes`` boxes."""

    def make_pairs(self, pairs: Sequence[Sequence[Seat]]) -> None:
        """The seats of each pair play with a deck of their own."""

    def take_hands(self, pair: Sequence[Seat], each: int) -> None:
        """All cards of a pair go back to its deck, and both take ``each`` cards of every throw."""

    def deal(self, of_each: int, hand: int) -> None:
        """A deck with ``of_each`` cards of every throw is shuffled, and ``hand`` cards are dealt to everybody."""

    def keep_shown(self, seats: Sequence[Seat]) -> None:
        """The cards that ``seats`` have just shown go to a match pile."""

    def discard_shown(self, seats: Sequence[Seat]) -> None:
        """The cards that ``seats`` have just shown are discarded."""

    def draw(self, pair: Sequence[Seat]) -> None:
        """Each seat of a pair draws a card from its deck."""

    def shuffle(self, pair: Sequence[Seat]) -> None:
        """A pair's discards are shuffled into a new deck, the first time the cards that are in no hand."""
