"""Samples of the hall's page: off, with matches to play, sending later, and what somebody has to mend."""

from dataclasses import replace

from messages import N
from ui.screen.pages.hall import HallPage, HallState, HallStatus, PairingOffer
from ui.screen.views import View

OFFERS = tuple(
    PairingOffer(f"{number:032x}", N("{first} against {second}", first=first, second=second), about)
    for number, (first, second, about) in enumerate(
        (
            ("Ada", "Ben", "Spring Cup · round 2 · Classic"),
            ("Chidi", "Dora", "Spring Cup · round 2 · Classic"),
            ("Wolfeschlegelsteinhausen", "Maximiliane", "Spring Cup · round 3 · RPS Redeux"),
        ),
        1,
    )
)
OFF = HallStatus(state=HallState.OFF, hall="Hall of the Spring Cup", table="Table 7")
CONNECTED = replace(OFF, state=HallState.CONNECTED, unsent_events=0, is_answered=True)
UNREACHABLE = replace(
    CONNECTED,
    state=HallState.UNREACHABLE,
    error=N("{host} does not answer: connect the box to the hall’s network", host="192.168.1.20:8883"),
    unsent_events=40,
    unsent_results=3,
    pairings=OFFERS[:1],
)
REFUSED = replace(
    OFF,
    state=HallState.REFUSED,
    error=N("the hall does not accept this box’s password: get its file from the hub again"),
)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    states = {
        "off": OFF,
        "idle": CONNECTED,
        "matches": replace(CONNECTED, pairings=OFFERS * 2, sends_pictures=True),
        "unreachable": UNREACHABLE,
        "refused": REFUSED,
        "problem": replace(CONNECTED, problem="rewritten"),
    }
    return {f"hall-{name}": HallPage(lambda status=status: status, status) for name, status in states.items()}  # type: ignore[misc]
