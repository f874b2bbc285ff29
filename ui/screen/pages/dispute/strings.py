"""What the pages of a dispute say: times beside the first hand and the lock, readings, and what is to be agreed on."""

from rules.engine import Value
from ui.i18n.language import N, said, t
from ui.screen.pages import strings
from ui.screen.pages.ask import strings as ask_strings
from ui.screen.pages.views import Corrected, DisputedSeat, Disputing

DISPUTE = N("Dispute")
BEFORE, AFTER = N("One frame back"), N("One frame on")
EARLIER, LATER = N("Earlier round"), N("Later round")
STANDS = N("The verdict stands")
AGAIN = N("Throw it again")
BACK = N("Back")
ASKED = N("Does everybody agree?")
AGREED = N("Everybody agrees")
KEPT = N(
    "The journal keeps both, the reading and its correction. The match goes on from there; later answers that no "
    "longer fit are asked again."
)
NOTHING_KEPT = N("No pictures of this round are kept")
CALL = N("call", "to throw")
NO_THROW = N("No throw")
_NO_THROW = N("no throw")


def reading(value: Value) -> str:
    """A reading as a button says it."""
    return t(NO_THROW) if value is None else strings.value(value)


def drawing(value: Value) -> str:
    """The drawing of a reading."""
    return "nothing" if value is None else str(value)


def milliseconds(ms: float) -> str:
    """A time with its sign."""
    return f"{'−' if round(ms) < 0 else '+'}{abs(round(ms))}"


def when(view: Disputing, ms: float) -> str:
    """A time (ms after the cue) beside the first hand, or the cue where no hand showed, and beside the lock."""
    from_lock = round(ms - view.lock_ms)
    from_zero = milliseconds(ms - view.zero_ms)
    first = (
        t("{ms} ms from the first hand", ms=from_zero)
        if view.first_ms is not None
        else t("{ms} ms from the call", ms=from_zero)
    )
    lock = t("at the lock")
    if from_lock:
        ago = abs(from_lock)
        lock = t("{ms} ms before the lock", ms=ago) if from_lock < 0 else t("{ms} ms after the lock", ms=ago)
    return f"{first}\n{lock}"


def reads(seat: DisputedSeat) -> str:
    """What a seat's throw counts as now, or why it does not, in a word or two."""
    return strings.verdict(seat.verdict) if seat.open else reading(seat.reading)


def shown(view: Disputing, seat: DisputedSeat) -> str:
    """What a seat's throw counts as, when it showed, and how sure that is."""
    if seat.shown_ms is None:
        return reads(seat)
    after = milliseconds(seat.shown_ms - view.zero_ms)
    return f"{reads(seat)} {after} ms ± {max(1, round(seat.plus_minus_ms))} ms"


def stands_as(seat: DisputedSeat, *, counts: bool = True) -> str:
    """What a seat's throw counts as now, or why it does not; in a round that does not count, what it showed."""
    if seat.open:
        return strings.verdict(seat.verdict)
    read = _within(seat.reading)
    return t("counts as {reading}", reading=read) if counts else t("showed {reading}", reading=read)


def hand_title(seat: DisputedSeat) -> str:
    """The question beside one seat's hand."""
    return t("What did {name} throw?", name=seat.player.name)


def agreed_on(view: Disputing, correction: Corrected) -> str:
    """What everybody is to agree on, in a sentence."""
    seat = next((one for one in view.seats if one.player.seat == correction.seat), None)
    if seat is None:
        return t("{round} is void, and thrown again.", round=view.title)
    return t(
        "{round}: {name} threw {reading}.", round=view.title, name=seat.player.name, reading=_within(correction.to)
    )


def _within(value: Value) -> str:
    """A reading within a sentence."""
    return said(_NO_THROW if value is None else ask_strings.NAMES.get(str(value), str(value)))
