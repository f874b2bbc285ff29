"""The texts of the pages of past matches."""

from messages import N

TOOL_LABELS = {
    "back": N("Back"),
    "home": N("Games"),
    "marked": N("To review"),
    "all": N("All matches"),
    "unnamed": N("Without names"),
    "players": N("Players"),
    "new": N("New", "tournament"),
    "ratings": N("Ratings"),
    "tournaments": N("Tournaments"),
}
NEXT_MARK_LABELS = {None: N("Flag for review"), "to review": N("Mark as reviewed"), "reviewed": N("Remove the flag")}
"""The label of the button that changes a round's mark, by the mark it has."""

MARK_NAMES = {"to review": N("to review"), "reviewed": N("reviewed")}
"""The marks a round can have."""
