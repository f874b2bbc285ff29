"""Sentences about a player's throws, for the touchscreen and the review pages."""

import math

from messages import N, ngettext_lazy
from rules.text import card_word
from rules.throws import Outcome, Throw
from ui.charts.statistics import CHANCE, Predictability, Predictor, ReactionTimes, SituationThrows, ThrowChange
from ui.i18n.language import format_decimal

MAX_ENTROPY_BITS = math.log2(len(Throw))
TOO_FEW = N("Too few throws to say.")
NO_THROW_YET = N("no throw yet")
PREDICTOR_RULES = {
    Predictor.FREQUENCY: N("the throw shown most often so far"),
    Predictor.LAST_THROW: N("the same throw again"),
    Predictor.WIN_STAY: N("after a win the same throw, otherwise the one that would have won"),
    Predictor.AFTER_ONE: N("what most often followed the last throw"),
    Predictor.AFTER_TWO: N("what most often followed the last two throws"),
}
"""What each predictor guesses."""
SITUATIONS = {
    Outcome.WON: N("After a win"),
    Outcome.LOST: N("After a loss"),
    Outcome.TIED: N("After a tie"),
}
CHANGES = {
    ThrowChange.SAME: N("Same again"),
    ThrowChange.UP: N("To what beats it"),
    ThrowChange.DOWN: N("To what it beats"),
}
"""A throw compared with the one before."""


def percent(share: float) -> int:
    """Return a share in whole percent."""
    return round(100 * share)


def predictability_verdict(predictability: Predictability | None) -> str:
    """Return whether somebody can be predicted, as far as the throws tell."""
    if predictability is None:
        return TOO_FEW
    if predictability.is_predictable:
        return N("There is a pattern in these throws.")
    return N("No pattern: these throws can’t be told from random ones.")


def best_guess(predictability: Predictability) -> str:
    """Return how often the best predictor was right."""
    return N(
        "The best simple guess, {rule}, was right {hits} times in {guesses}: {share} % (95 % interval {low} to {high} "
        "%; chance is {chance} %).",
        rule=PREDICTOR_RULES[predictability.predictor],
        hits=predictability.hits,
        guesses=predictability.guesses,
        share=percent(predictability.hit_rate),
        low=math.floor(100 * predictability.low),
        high=math.ceil(100 * predictability.high),
        chance=percent(CHANCE),
    )


def entropy_sentence(predictability: Predictability) -> str:
    """Return how mixed the kinds of throws are."""
    return N(
        "Variety of the throws: {bits} bits of at most {most} (95 % interval {low} to {high}).",
        bits=format_decimal(predictability.entropy_bits, 2),
        most=format_decimal(MAX_ENTROPY_BITS, 2),
        low=format_decimal(predictability.entropy_low_bits, 2),
        high=format_decimal(predictability.entropy_high_bits, 2),
    )


def reaction_sentence(reaction: ReactionTimes | None) -> str:
    """Return when somebody's hand usually shows."""
    if reaction is None:
        return TOO_FEW
    return N(
        "Half of {count} throws on time showed {low} to {high} ms after the cue; the median is {median} ms.",
        count=reaction.count,
        low=round(reaction.first_quartile_ms),
        high=round(reaction.third_quartile_ms),
        median=round(reaction.median_ms),
    )


def situation_title(outcome: Outcome, situation: SituationThrows) -> str:
    """Return a situation and how many throws are of it."""
    return N("{situation} ({count})", situation=SITUATIONS[outcome], count=situation.count)


def share(number: int, total: int) -> str:
    """Return a part of a total in percent."""
    return N("{share} %", share=percent(number / total))


def count_and_share(number: int, total: int) -> str:
    """Return a part of a total, and the same in percent."""
    return N("{number} ({share} %)", number=number, share=percent(number / total))


def win_streak(rounds: int) -> str:
    """Return the longest run of rounds won."""
    return ngettext_lazy("{count} round won", "{count} rounds won in a row", rounds)


def repeat_streak(repeat: tuple[Throw, int] | None) -> str:
    """Return the longest run of one throw."""
    if repeat is None:
        return NO_THROW_YET
    throw, count = repeat
    if count == 1:
        return N("never the same throw twice in a row")
    return N("{throw} {count} times in a row", throw=card_word(throw), count=count)
