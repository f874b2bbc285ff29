"""The texts of the switch of the review on the network."""

from collections.abc import Sequence

from ui.i18n.language import N, t

TITLE = N("Review on the network")
IS_OFF = N("Off. This box can’t be reached from the network.")
OFF_DETAIL = N(
    "Switch it on to look at past matches from a phone or laptop on the same network. A code will be shown here; "
    "whoever types it may see everything, and delete pictures and players."
)
IS_ON = N("On. In a browser on this network:")
TYPE_CODE = N("and type this code:")
CODE_RENEWED = N("Wrong codes were entered: this is a new one.")
ON_DETAIL = N("It stays on during matches, until you switch it off or close Throwlock.")
NO_NETWORK = N("This box has no network: connect it first.")
SWITCH_ON, SWITCH_OFF = N("Switch it on"), N("Switch it off")


def other_addresses(addresses: Sequence[str]) -> str:
    """The other addresses of the review pages."""
    return t("or {addresses}", addresses=", ".join(addresses))
