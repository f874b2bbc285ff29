"""What the pages of past matches and of the review on the network say."""

from collections.abc import Sequence

from ui.i18n.language import N, said, t
from ui.screen.pages.history.view import PastLine

TOOLS = {
    "back": N("Back"),
    "home": N("Games"),
    "marked": N("To look at"),
    "all": N("All matches"),
}
STORY = N("What came of it")
MARKS = {None: N("Mark “to look at”"), "to look at": N("Mark “looked at”"), "looked at": N("Take the mark off")}
"""What a touch does to a round's mark, by the mark it has."""
MARKED = {"to look at": N("to look at"), "looked at": N("looked at")}
"""The marks a round can have."""
EARLIER_ROUND, LATER_ROUND = N("The round before"), N("The round after")

NETWORK = N("Review on the network")
IS_OFF = N("It is off. Nothing of this box can be reached from the network.")
OFF_DETAIL = N(
    "Switch it on to look at past matches from a phone or laptop on the same network. A code will be shown here; "
    "whoever types it may see everything, and delete pictures and players."
)
IS_ON = N("On. In a browser on this network:")
TYPE_CODE = N("and type this code:")
RENEWED = N("Wrong codes were tried: this is a new one.")
ON_DETAIL = N("It stays on during matches, until you switch it off or close Throwlock.")
NO_NETWORK = N("This box has no network: connect it first.")
SWITCH_ON, SWITCH_OFF = N("Switch it on"), N("Switch it off")


def mark(name: str) -> str:
    """A mark of a round."""
    return said(MARKED.get(name, name))


def others(addresses: Sequence[str]) -> str:
    """More addresses where the pages are found."""
    return t("or {addresses}", addresses=", ".join(addresses))


def line(one: PastLine) -> str:
    """A line of a list by its beginning."""
    return f"{said(one.head)} {said(one.aside)}"
