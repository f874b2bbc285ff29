"""Sentences about printed cards: fouls, and what a seat has to do before its card counts."""

from rules.throws import Throw
from ui.i18n.language import LazyText, N
from ui.text.names import throw_word

CARD_VERDICTS = (
    *("lifted", "two cards", "not theirs", "played before", "wrong deck", "a copy", "one too many"),
    "not read",
)
"""The verdicts that only a card can have."""


def card_foul_sentence(
    verdict: str,
    name: str,
    cause: str | None,
    late_ms: float,
    early_ms: float,
    throw: Throw | None,
    later_throw: Throw | None,
) -> LazyText:
    """Return the sentence about a foul with a card: as ``ui.text.verdicts.foul_sentence``, but ``late_ms`` is after
    the first card."""
    card = {"name": name, "throw": throw_word(throw)}
    match verdict, cause:
        case "late", "not turned over":
            sentence = N("{name} did not turn a card over.", name=name)
        case "late", _:
            sentence = N("{name} turned over late: {throw} {ms} ms after the first card.", ms=f"{late_ms:.0f}", **card)
        case "early", _:
            early = f"{early_ms:.0f}"
            sentence = N("{name} turned over too early: {throw} {ms} ms before the call.", ms=early, **card)
        case "changed", _:
            sentence = N(
                "{name} changed cards: {throw} first, {then} afterwards.", then=throw_word(later_throw), **card
            )
        case "lifted", "moved":
            sentence = N("{name}'s card was lifted or moved after being laid.", name=name)
        case "lifted", "hidden":
            sentence = N("{name}'s card was covered by a hand after being laid.", name=name)
        case "lifted", _:
            sentence = N("{name}'s card was out of sight too long while being turned over.", name=name)
        case _:
            sentence = _wrong_card_sentence(verdict, name, cause, throw)
    return sentence


def _wrong_card_sentence(verdict: str, name: str, cause: str | None, throw: Throw | None) -> LazyText:
    """Return what is wrong with the card itself."""
    card = {"name": name, "throw": throw_word(throw)}
    match verdict, cause:
        case "two cards", _:
            sentence = N("{name} laid two cards: play only one.", name=name)
        case "not theirs", _:
            sentence = N("{name} played another player's card ({throw}): give it back.", **card)
        case "played before", "in a match pile":
            sentence = N("{name}'s card ({throw}) belongs to a match pile and can't be played.", **card)
        case "played before", _:
            sentence = N("{name}'s card ({throw}) was discarded and can't be played.", **card)
        case "wrong deck", _:
            sentence = N("{name} laid a card from another deck.", name=name)
        case "a copy", _:
            sentence = N("{name} laid a copy: the same card is on the table twice.", name=name)
        case "one too many", _:
            sentence = N("{name} has one card too many: count the {throw} cards.", **card)
        case "not read", _:
            sentence = N(
                "{name}'s card can't be read: lay it flat, in full view, with no hands or glare on it.", name=name
            )
        case _:
            sentence = N("{name} had no card in view at the lock.", name=name)
    return sentence


CARD_PROMPTS = {
    "no card": N("Lay a card face down"),
    "face up": N("Face down, please"),
    "two cards": N("One card only"),
    "wrong deck": N("Wrong deck"),
    "moving": N("Let go of the card"),
}
"""What a seat has to do before its card is committed, by the error."""
DUPLICATE_CARD = N("The same card is in two zones: remove the copy.")
