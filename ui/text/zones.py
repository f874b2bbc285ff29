"""What the box says to people about their zones: on the screen, and on the terminal."""

from typing import Literal

from ui.i18n.language import N, Nn

Astray = Literal["left", "right", "top", "bottom", "large", "small", "missing"]
"""What is wrong with a hand in its zone: the edge that cuts it off, or that it fills too much or too little of it, or
is never there."""

ASTRAY = N("A hand and its zone")
HOLD_OUT = N("Everybody: hold one open hand where you will throw, all of it in the picture")
KEEP_STILL = N("Keep still: the box looks for every hand")


def astray(name: str, what: Astray, share: float) -> str:
    """A sentence for the player whose hand and zone don't fit. ``share`` (0–1): how much of the zone the hand fills."""
    filled = {"name": name, "percent": f"{100 * share:.0f}"}
    match what:
        case "large":
            told = N(
                "{name}'s hand fills {percent}% of its zone: make the zone larger, or hold the hand lower.", **filled
            )
        case "small":
            told = N("{name}'s hand fills only {percent}% of its zone: make the zone smaller.", **filled)
        case "missing":
            told = N("{name}'s hand was not found in its zone again: move the hand or the zone.", name=name)
        case _:
            told = N(_CUT_OFF[what], name=name)
    return told


_CUT_OFF = {
    "left": N("{name}'s hand is cut off at the left edge of its zone: move the hand or the zone."),
    "right": N("{name}'s hand is cut off at the right edge of its zone: move the hand or the zone."),
    "top": N("{name}'s hand is cut off at the top edge of its zone: move the hand or the zone."),
    "bottom": N("{name}'s hand is cut off at the bottom edge of its zone: move the hand or the zone."),
}


def found(hands: int) -> str:
    """So many hands were found and have zones."""
    return Nn("{count} hand was found. Is its zone right?", "{count} hands were found. Are their zones right?", hands)
