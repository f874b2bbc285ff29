"""The words of a showdown."""

from collections.abc import Collection, Mapping

from messages import N
from rules.throws import Throw

TITLE = N("Showdown")
TRUE_CLAIM = N("True", "a claim")
BLUFF = N("BLUFF")
SHOW_ALL = N("Show all")
BEATS: Mapping[Throw, str] = {
    Throw.ROCK: N("Rock beats scissors."),
    Throw.PAPER: N("Paper beats rock."),
    Throw.SCISSORS: N("Scissors beat paper."),
}
ALL_KINDS = N("Rock, paper and scissors: nobody beats everybody.")
ONE_KIND = N("All cards are the same.")


def comparison(cards: Collection[Throw | None]) -> str | None:
    """Return which kind of card beats which, in a sentence; None where a single one is left to compare."""
    kinds = {card for card in cards if card is not None}
    if len(kinds) == len(Throw):
        return ALL_KINDS
    if len(kinds) == 1:
        return ONE_KIND if len(cards) > 1 and None not in cards else None
    return next((BEATS[kind] for kind in Throw if kind in kinds and any(kind.beats(other) for other in kinds)), None)
