"""Labels and words that several pages share."""

from collections.abc import Mapping, Sequence
from typing import Literal

from messages import LazyText, N, capitalise
from rules.engine import Names, Seat
from rules.record.judgement import NOT_ALLOWED_VERDICT, VOID_VERDICT, Verdict
from rules.record.round import SeatView
from rules.text import THROW_WORDS, list_names
from rules.throws import Outcome, Throw
from ui.i18n.language import ngettext, t
from ui.text import verdicts

GAMES = N("Games")
BACK = N("Back")
EARLIER = N("Earlier")
MORE = N("More")
FEWER = N("Fewer")
DONE = N("Done")
PLAY_AGAIN = N("Play again")
OTHER_GAMES = N("Other games")
GO_ON = N("Go on")
TAKE_HOME = N("Take it home")
SECOND_SCREEN = N("Second screen")
HELP = N("Help")
UNDO = N("Undo")
PAUSE_LABEL = N("Pause")
NETWORK_OFF = N("Phones can’t reach this box yet.")
NO_NETWORK = N("This box has no network: connect it first.")
SWITCH_ON = N("Switch it on")
SWITCH_OFF = N("Switch it off")
KEYBOARD_HELP = N(
    "Arrows: move · Enter: press · Seats 1–8: their digit key raises, the key below it confirms · Escape twice: leave"
)
TYPING_HELP = N("Arrows: move · Enter: done · Escape twice: leave")
ESCAPE_TO_LEAVE = N("Press Escape again to leave")
LOCK_LABEL = N("LOCK")
FIRST_HAND_LABEL = N("first")
CUE_LABEL = N("call", "to throw")
VERDICTS: Mapping[str, LazyText] = {
    Verdict.ON_TIME: N("On time"),
    Verdict.LATE: N("LATE"),
    Verdict.TOO_CLOSE: N("Too close"),
    Verdict.EARLY: N("EARLY"),
    Verdict.CHANGED: N("CHANGED"),
    Verdict.UNCLEAR: N("UNCLEAR"),
    Verdict.UNSEEN: N("NOT SEEN"),
    Verdict.TWO_HANDS: N("TWO HANDS"),
    Verdict.WRONG_ZONE: N("WRONG ZONE"),
    Verdict.LIFTED: N("LIFTED"),
    Verdict.TWO_CARDS: N("TWO CARDS"),
    Verdict.NOT_THEIRS: N("NOT THEIRS"),
    Verdict.PLAYED: N("PLAYED"),
    Verdict.WRONG_DECK: N("WRONG DECK"),
    Verdict.COPY: N("A COPY"),
    Verdict.TOO_MANY: N("TOO MANY"),
    Verdict.UNREAD: N("Not read"),
    VOID_VERDICT: N("Void"),
    NOT_ALLOWED_VERDICT: N("NOT ALLOWED"),
}
"""The label of each verdict on every surface; a foul's is in capitals."""
OUTCOME_WORDS = {
    Outcome.WON: N("Won", "a round"),
    Outcome.TIED: N("Tied", "a round"),
    Outcome.LOST: N("Lost", "a round"),
}
"""How a round ended for a player."""
FIGURE_HEADINGS = (N("Throw"), N("Players"), *OUTCOME_WORDS.values())
"""The headings of a class's figures: how many threw what, and what came of it."""


def plain_number(count: int) -> str:
    """A whole number, with a minus as wide as a plus."""
    return str(count).replace("-", "−")


def seat_verdict(seat: SeatView) -> LazyText:
    """The label of the verdict on a seat."""
    return VERDICTS[seat.said_verdict]


def verdict_icon(seat: SeatView) -> Literal["good", "foul", "doubt"]:
    """The icon of the verdict on a seat."""
    return "foul" if seat.is_foul else "good" if seat.verdict == Verdict.ON_TIME else "doubt"


def throw_text(throw: Throw) -> str:
    """A throw's name in capitals."""
    return t(THROW_WORDS[throw]).upper()


def after_first_hand(milliseconds: float | None) -> str:
    """The time after the first hand at which a hand showed; empty for ``None``."""
    if milliseconds is None:
        return ""
    if round(milliseconds) == 0:
        return t(FIRST_HAND_LABEL)
    return f"{'+' if milliseconds > 0 else '−'}{abs(round(milliseconds))} ms"


def shown_time(after_first_ms: float | None, early_ms: float | None, *, short: bool = False) -> str:
    """The time at which a hand showed: after the first hand or, of an early one, before the call."""
    if early_ms is None:
        return after_first_hand(after_first_ms)
    return f"−{early_ms:.0f} ms" if short and early_ms else t(verdicts.early_time(early_ms))


def lock_label(window_ms: float) -> str:
    """The label of the lock on the timeline."""
    return f"{t(LOCK_LABEL)} {round(window_ms)} ms"


def capitalised_line(text: str) -> str:
    """Return a description with a capital first."""
    return t(capitalise(text))


MAX_AWAITED_NAMES = 3


def waiting_for(seats: Sequence[Seat], names: Names) -> str:
    """Return whom the box waits for: up to MAX_AWAITED_NAMES by name; of more, only how many they are."""
    if len(seats) > MAX_AWAITED_NAMES:
        return ngettext("Waiting for {count} player", "Waiting for {count} players", len(seats))
    return t("Waiting for {names}", names=list_names(seats, names))
