"""The texts of a dispute: times relative to the first hand and the lock, readings, and corrections."""

from messages import N
from rules.engine import Value
from rules.text import card_word
from ui.i18n.language import t
from ui.screen.pages.common import game_words
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.dispute.view import AgreedCorrection, DisputedRound, DisputedSeat

DISPUTE = N("Dispute")
PREVIOUS_FRAME, NEXT_FRAME = N("One frame back"), N("One frame on")
EARLIER_ROUND, LATER_ROUND = N("Earlier round"), N("Later round")
VERDICT_STANDS = N("The verdict stands")
THROW_AGAIN = N("Throw it again")
AGREEMENT_QUESTION = N("Does everybody agree?")
EVERYBODY_AGREES = N("Everybody agrees")
CORRECTION_DETAIL = N(
    "The journal keeps both the reading and its correction. The match continues from there; later answers that no "
    "longer fit are asked for again."
)
NO_IMAGES = N("No images of this round are stored")
NO_THROW = N("No throw")


def reading_label(value: Value) -> str:
    """The label of a reading."""
    return t(NO_THROW) if value is None else game_words.value_text(value)


def reading_icon(value: Value) -> str:
    """The icon of a reading."""
    return "nothing" if value is None else str(value)


def signed_ms(ms: float) -> str:
    """A time with its sign."""
    whole = round(round(ms, 1))  # a difference of times with one decimal
    return f"{'−' if whole < 0 else '+'}{abs(whole)}"


def frame_time(view: DisputedRound, time_ms: float) -> str:
    """A time (ms after the cue) relative to the first hand, or to the cue if no hand showed, and to the lock."""
    from_lock = round(time_ms - view.lock_ms)
    from_zero = signed_ms(time_ms - view.origin_ms)
    first = (
        t("{ms} ms from first hand", ms=from_zero)
        if view.first_hand_ms is not None
        else t("{ms} ms from call", ms=from_zero)
    )
    lock = t("at the lock")
    if from_lock:
        ago = abs(from_lock)
        lock = t("{ms} ms before the lock", ms=ago) if from_lock < 0 else t("{ms} ms after the lock", ms=ago)
    return f"{first}\n{lock}"


def current_reading(seat: DisputedSeat) -> str:
    """The current reading of a seat's throw, or its foul, in a word or two."""
    return common_strings.verdict_text(seat.verdict) if seat.voids_round else reading_label(seat.reading)


def reading_and_time(view: DisputedRound, seat: DisputedSeat) -> str:
    """The current reading of a seat's throw, when it showed, and how sure that is."""
    if seat.shown_ms is None:
        return current_reading(seat)
    after = f"{signed_ms(seat.shown_ms - view.origin_ms)} ms"
    if seat.is_before_call:  # as in the sentence
        after = common_strings.shown_time(None, max(0.0, -seat.shown_ms))
    return f"{current_reading(seat)} {after} ± {max(1, round(seat.uncertainty_ms))} ms"


def reading_status(seat: DisputedSeat, *, round_counts: bool = True) -> str:
    """The current reading of a seat's throw, or its foul; in a round that does not count, what it showed."""
    if seat.voids_round:
        return common_strings.verdict_text(seat.verdict)
    reading = t(card_word(seat.reading))
    return t("counts as {reading}", reading=reading) if round_counts else t("showed {reading}", reading=reading)


def hand_question(seat: DisputedSeat) -> str:
    """The question about one seat's hand."""
    return t("What did {name} throw?", name=seat.player.name)


def correction_text(view: DisputedRound, correction: AgreedCorrection) -> str:
    """The correction everybody is to agree on, in a sentence."""
    seat = next((other for other in view.seats if other.player.seat == correction.seat), None)
    if seat is None:
        return t("{round} is void and will be thrown again.", round=view.title)
    if correction.reading is None:
        return t("{round}, {name}: no throw.", round=view.title, name=seat.player.name)
    return t(
        "{round}: {name} threw {reading}.",
        round=view.title,
        name=seat.player.name,
        reading=t(card_word(correction.reading)),
    )
