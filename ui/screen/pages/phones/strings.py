"""The texts of the page on which phones join."""

from messages import N
from ui.i18n.language import ngettext, t
from ui.screen.pages.phones.view import PhonesStatus, PhoneState

TITLE = N("Play with phones")
HOW = N("Scan this with your phone’s camera, then choose your seat. Your bets, cards and claims stay on your phone.")
CLASS_HOW = N("Scan this with your phone’s camera, then enter your card’s number to see your own results.")
TYPE_IT = N("or open {address} and type {code}")
OFF_DETAIL = N(
    "Switch the network on and everybody can answer on a phone in the same Wi-Fi. Past matches can then be looked at "
    "from there as well, with a code of their own. It stays on until you switch it off on the home page."
)
STATE_LABELS: dict[PhoneState, str] = {
    "none": N("At this screen"),
    "here": N("On a phone"),
    "away": N("Phone is away"),
}
TOUCH_TO_REMOVE = N("Touch a seat to take it back from its phone.")


def count_phones(status: PhonesStatus) -> str:
    """How many seats have a phone."""
    count = sum(one.state == "here" for one in status.seats)
    return ngettext("{count} phone of {every}", "{count} phones of {every}", count, every=len(status.seats))


def removal_label(name: str) -> str:
    """What a touch on a seat with a phone does, for those who can't see the page."""
    return t("{name}: take the seat back from the phone", name=name)
