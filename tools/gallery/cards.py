"""Samples of a table with printed cards: whose card lies face down already, what the camera lacks for the others', and
every verdict that only a card can come to."""

from rules.engine import Ask, Choices
from rules.throws import Throw
from tools.gallery.people import crop
from ui.i18n.language import t
from ui.screen.core.page_stack import Dialogue, Page
from ui.screen.pages.views import Gather, Player, Reveal, SeatReveal, View, Watched
from ui.text.cards import COPIES, LACKING, OF_CARDS

NOTES = (None, "moving", "face up", "two cards", None, "wrong deck", "no card", "moving")
"""What is lacking for each seat; nothing for those that are in."""


def card_pages(people: tuple[Player, ...]) -> dict[str, View | Page]:
    """Pages for as many of ``people`` as each needs; eight are enough."""
    verdicts = OF_CARDS
    seats = tuple(
        SeatReveal(player, crop(throw, player.seat), throw, verdict, verdict != "not read", None)
        for player, verdict, throw in zip(people, verdicts, (*Throw, *Throw, *Throw), strict=False)
    )
    return {
        "gather-cards-2": _laid(people[:2]),
        "gather-cards-8": _laid(people),
        "reveal-cards-8": Reveal(seats, COPIES, 1000.0),
    }


def _laid(people: tuple[Player, ...]) -> Page:
    ask = Ask("place", {player.seat: Choices(("down",)) for player in people})
    notes = dict(enumerate(NOTES[: len(people)], 1))
    seen = Watched(
        {seat: "down" for seat, note in notes.items() if note is None},
        {seat: t(LACKING[note]) for seat, note in notes.items() if note is not None},
    )
    dialogue = Dialogue(Gather(people, ask, watched=lambda: seen))
    dialogue.looked()
    return dialogue.page
