"""What the box says to people about their zones: on the screen, and on the terminal."""

from typing import Literal

Astray = Literal["left", "right", "top", "bottom", "large", "small", "missing"]
"""What is wrong with a hand in its zone: the edge that cuts it off, or that it fills too much or too little of it, or
is never there."""

ASTRAY = "A hand and its zone"
HOLD_OUT = "Everybody: hold one open hand where you will throw, all of it in the picture"
KEEP_STILL = "Keep still: the box looks for every hand"
MEND = "move the hand or the zone"


def astray(name: str, what: Astray, share: float) -> str:
    """A sentence for the player whose hand and zone don't fit. ``share`` (0–1): how much of the zone the hand fills."""
    match what:
        case "large":
            return f"{name}'s hand fills {share:.0%} of its zone: make the zone larger, or hold the hand lower."
        case "small":
            return f"{name}'s hand fills only {share:.0%} of its zone: make the zone smaller."
        case "missing":
            return f"{name}'s hand was not found in its zone again: {MEND}."
        case _:
            return f"{name}'s hand is cut off at the {what} edge of its zone: {MEND}."


def found(hands: int) -> str:
    """So many hands were found and have zones."""
    return "1 hand was found. Is its zone right?" if hands == 1 else f"{hands} hands were found. Are their zones right?"
