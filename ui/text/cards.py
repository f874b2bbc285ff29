"""What the box says of cards that are laid, turned over and read: fouls, what is asked for again, what is lacking."""

from rules.throws import Throw
from ui.i18n.language import N, Text
from ui.text.names import shape

OF_CARDS = (
    *("lifted", "two cards", "not theirs", "played before", "wrong deck", "a copy", "one too many"),
    "not read",
)
"""Verdicts that only a card can come to."""


def accusation(
    verdict: str, name: str, cause: str | None, late_ms: float, early_ms: float, throw: Throw | None, then: Throw | None
) -> Text:
    """A card's foul in a sentence. ``late_ms`` is after the first card, ``early_ms`` before the cue; ``cause`` is what
    was wrong beside the verdict."""
    card = {"name": name, "throw": shape(throw)}
    match verdict, cause:
        case "late", "not turned over":
            said = N("{name} did not turn a card over.", name=name)
        case "late", _:
            said = N("{name} turned over late: {throw} {ms} ms after the first card.", ms=f"{late_ms:.0f}", **card)
        case "early", _:
            early = f"{early_ms:.0f}"
            said = N("{name} turned over too early: {throw} lay there {ms} ms before the call.", ms=early, **card)
        case "changed", _:
            said = N("{name} changed cards: {throw} first, {then} afterwards.", then=shape(then), **card)
        case "lifted", "moved":
            said = N("{name}'s card was lifted or moved after it had been laid.", name=name)
        case "lifted", "hidden":
            said = N("{name}'s card was hidden by a hand after it had been laid.", name=name)
        case "lifted", _:
            said = N("{name}'s card was out of sight too long while it was turned over.", name=name)
        case _:
            said = _of_the_card(verdict, name, cause, throw)
    return said


def _of_the_card(verdict: str, name: str, cause: str | None, throw: Throw | None) -> Text:
    """What is wrong with a card, whenever it was turned over."""
    card = {"name": name, "throw": shape(throw)}
    match verdict, cause:
        case "two cards", _:
            said = N("{name} laid two cards: only one may be thrown.", name=name)
        case "not theirs", _:
            said = N("{name} threw another player's card ({throw}): give it back.", **card)
        case "played before", "in a match pile":
            said = N("{name}'s card ({throw}) lies in a match pile and can't be thrown.", **card)
        case "played before", _:
            said = N("{name}'s card ({throw}) was discarded and can't be thrown.", **card)
        case "wrong deck", _:
            said = N("{name} laid a card that does not belong to this deck.", name=name)
        case "a copy", _:
            said = N("{name} laid a copy: the same card is there twice.", name=name)
        case "one too many", _:
            said = N("{name}'s hand has a card too many: count its {throw} cards.", **card)
        case "not read", _:
            said = N("{name}'s card can't be read: lay it flat and whole, clear of hands and glare.", name=name)
        case _:
            said = N("No card of {name}'s was to be seen when it counted.", name=name)
    return said


LACKING = {
    "no card": N("Lay a card face down"),
    "face up": N("Face down, please"),
    "two cards": N("One card only"),
    "wrong deck": N("Not of this deck"),
    "moving": N("Let go of the card"),
}
"""What a seat is told whose card is not committed yet."""
COPIES = N("The same card lies in two zones: take the copy out.")
"""Nobody can tell whose is the copy."""
