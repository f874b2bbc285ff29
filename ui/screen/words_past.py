"""What the pages of past matches and of the review on the network say."""

TOOLS = {
    "back": "Back",
    "home": "Games",
    "marked": "To look at",
    "all": "All matches",
}
STORY = "What came of it"
MARKS = {None: "Mark “to look at”", "to look at": "Mark “looked at”", "looked at": "Take the mark off"}
"""What a touch does to a round's mark, by the mark it has."""
EARLIER_ROUND, LATER_ROUND = "The round before", "The round after"

NETWORK = "Review on the network"
IS_OFF = "It is off. Nothing of this box can be reached from the network."
OFF_DETAIL = (
    "Switch it on to look at past matches from a phone or laptop on the same network. A code will be shown here; "
    "whoever types it may see everything, and delete pictures and players."
)
IS_ON = "On. In a browser on this network:"
TYPE_CODE = "and type this code:"
RENEWED = "Wrong codes were tried: this is a new one."
ON_DETAIL = "It stays on during matches, until you switch it off or close Throwlock."
NO_NETWORK = "This box has no network: connect it first."
SWITCH_ON, SWITCH_OFF = "Switch it on", "Switch it off"
