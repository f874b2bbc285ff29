"""Sentences about the seats' zones, for the screen and the terminal."""

from collections.abc import Mapping
from typing import Literal

from messages import LazyText, N, ngettext_lazy

ZoneProblem = Literal["left", "right", "top", "bottom", "large", "small", "missing"]
"""Why a hand and its zone don't fit: the edge that cuts the hand off, a hand too large or small for it, or no hand."""

ZONE_PROBLEM_TITLE = N("Hand and zone don't match")
HOLD_HANDS_OUT = N("Everyone: hold one open hand where you will throw, fully in view")
KEEP_STILL = N("Keep still: looking for hands")


PROBLEM_SENTENCES: Mapping[ZoneProblem, LazyText] = {
    "large": N("{name}'s hand fills {percent}% of its zone: make the zone larger, or hold the hand lower."),
    "small": N("{name}'s hand fills only {percent}% of its zone: make the zone smaller."),
    "missing": N("{name}'s hand was not found in its zone: move the hand or the zone."),
    "left": N("{name}'s hand is cut off at the left edge of its zone: move the hand or the zone."),
    "right": N("{name}'s hand is cut off at the right edge of its zone: move the hand or the zone."),
    "top": N("{name}'s hand is cut off at the top edge of its zone: move the hand or the zone."),
    "bottom": N("{name}'s hand is cut off at the bottom edge of its zone: move the hand or the zone."),
}


def zone_problem_sentence(name: str, problem: ZoneProblem, filled_share: float) -> str:
    """Return how to make a player's hand fit its zone, of which it fills ``filled_share`` (0–1)."""
    return N(PROBLEM_SENTENCES[problem], name=name, percent=f"{100 * filled_share:.0f}")


def hands_found_sentence(hands: int) -> str:
    """Return how many hands were found, asking whether their zones are right."""
    return ngettext_lazy(
        "{count} hand was found. Is its zone right?", "{count} hands were found. Are their zones right?", hands
    )
