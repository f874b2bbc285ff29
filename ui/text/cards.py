"""Sentences about printed cards: fouls, and what a seat has to do before its card counts."""

from collections.abc import Mapping

from messages import LazyText, N
from rules.record.judgement import Verdict

CARD_CAUSES = ("moved", "hidden", "took long", "not turned over", "no card", "in a match pile", "discarded")
"""What was wrong with a card, in addition to its verdict: the values of a ``vision.cards.lock.CardCause``."""
CLASS_CAUSES: Mapping[str, LazyText] = {
    "no card": N("no card seen"),
    "card moving": N("card moving"),
    "card slanted": N("card tilted"),
    "no throw up": N("no throw on the top edge"),
    "card twice": N("card seen twice"),
}
"""Why a student has no throw, by the value of a ``vision.cards.classroom_reader.ClassCardCause``."""
CARD_FOULS: Mapping[tuple[str, str | None], LazyText] = {
    (Verdict.LATE, "not turned over"): N("{name} did not turn a card over."),
    (Verdict.LATE, None): N("{name} turned over late: {throw} {ms} ms after the first card."),
    (Verdict.EARLY, None): N("{name} turned over too early: {throw} {ms} ms before the call."),
    (Verdict.CHANGED, None): N("{name} changed cards: {throw} first, {then} afterwards."),
    (Verdict.LIFTED, "moved"): N("{name}'s card was lifted or moved after being laid."),
    (Verdict.LIFTED, "hidden"): N("{name}'s card was covered by a hand after being laid."),
    (Verdict.LIFTED, None): N("{name}'s card was out of sight too long while being turned over."),
    (Verdict.TWO_CARDS, None): N("{name} laid two cards: play only one."),
    (Verdict.NOT_THEIRS, None): N("{name} played another player's card ({throw}): give it back."),
    (Verdict.PLAYED, "in a match pile"): N("{name}'s card ({throw}) belongs to a match pile and can't be played."),
    (Verdict.PLAYED, None): N("{name}'s card ({throw}) was discarded and can't be played."),
    (Verdict.WRONG_DECK, None): N("{name} laid a card from another deck."),
    (Verdict.COPY, None): N("{name} laid a copy: the same card is on the table twice."),
    (Verdict.TOO_MANY, None): N("{name} has one card too many: count the {throw} cards."),
    (Verdict.UNREAD, None): N("{name}'s card can't be read: lay it flat, in full view, with no hands or glare on it."),
}
"""The sentence about each foul with a card, by its verdict and cause (None: any other). ``ui.text.verdicts`` fills in
the values; ``ms`` is from the first card, or before the call."""
NO_CARD_IN_VIEW = N("{name} had no card in view at the lock.")


def card_foul(verdict: str, cause: str | None) -> LazyText:
    """Return the sentence about a foul with a card, with its values to be filled in."""
    return CARD_FOULS.get((verdict, cause)) or CARD_FOULS.get((verdict, None), NO_CARD_IN_VIEW)


CARD_PROMPTS = {
    "no card": N("Lay a card face down"),
    "face up": N("Face down, please"),
    Verdict.TWO_CARDS: N("One card only"),
    Verdict.WRONG_DECK: N("Wrong deck"),
    "moving": N("Let go of the card"),
}
"""What a seat has to do before its card is committed, by the error."""
DUPLICATE_CARD = N("The same card is in two zones: remove the copy.")
