"""What the pages of a dispute say: times beside the first hand and the lock, readings, and what is to be agreed on."""

from rules.script import Value
from ui.screen import words
from ui.screen.views import Corrected, DisputedSeat, Disputing

DISPUTE = "Dispute"
BEFORE, AFTER = "One frame back", "One frame on"
EARLIER, LATER = "Earlier round", "Later round"
STANDS = "The verdict stands"
AGAIN = "Throw it again"
BACK = "Back"
ASKED = "Does everybody agree?"
AGREED = "Everybody agrees"
KEPT = (
    "The journal keeps both, the reading and its correction. The match goes on from there; later answers that no "
    "longer fit are asked again."
)
NOTHING_KEPT = "No pictures of this round are kept"
CALL = "call"
NO_THROW = "No throw"


def reading(value: Value) -> str:
    """A reading as a button says it."""
    return NO_THROW if value is None else words.value(value)


def drawing(value: Value) -> str:
    """The drawing of a reading."""
    return "nothing" if value is None else str(value)


def milliseconds(ms: float) -> str:
    """A time with its sign."""
    return f"{'−' if round(ms) < 0 else '+'}{abs(round(ms))}"


def when(view: Disputing, ms: float) -> str:
    """A time (ms after the cue) beside the first hand, or the cue where no hand showed, and beside the lock."""
    from_lock = round(ms - view.lock_ms)
    first = "first hand" if view.first_ms is not None else "call"
    lock = "at the lock" if from_lock == 0 else f"{abs(from_lock)} ms {'before' if from_lock < 0 else 'after'} the lock"
    return f"{milliseconds(ms - view.zero_ms)} ms from the {first}\n{lock}"


def reads(seat: DisputedSeat) -> str:
    """What a seat's throw counts as now, or why it does not, in a word or two."""
    return words.verdict(seat.verdict) if seat.open else reading(seat.reading)


def shown(view: Disputing, seat: DisputedSeat) -> str:
    """What a seat's throw counts as, when it showed, and how sure that is."""
    if seat.shown_ms is None:
        return reads(seat)
    after = milliseconds(seat.shown_ms - view.zero_ms)
    return f"{reads(seat)} {after} ms ± {max(1, round(seat.plus_minus_ms))} ms"


def stands_as(seat: DisputedSeat, *, counts: bool = True) -> str:
    """What a seat's throw counts as now, or why it does not; in a round that does not count, what it showed."""
    told = f"{'counts as' if counts else 'showed'} {reading(seat.reading).lower()}"
    return words.verdict(seat.verdict) if seat.open else told


def hand_title(seat: DisputedSeat) -> str:
    """The question beside one seat's hand."""
    return f"What did {seat.player.name} throw?"


def agreed_on(view: Disputing, correction: Corrected) -> str:
    """What everybody is to agree on, in a sentence."""
    seat = next((one for one in view.seats if one.player.seat == correction.seat), None)
    if seat is None:
        return f"{view.title} is void, and thrown again."
    return f"{view.title}: {seat.player.name} threw {reading(correction.to).lower()}."
