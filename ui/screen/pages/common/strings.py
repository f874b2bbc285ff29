"""Labels and words that several pages share."""

from rules.throws import Throw
from ui.i18n import language
from ui.i18n.language import N, capitalise, t
from ui.screen.pages.common.game_words import code_word
from ui.text.names import THROW_WORDS

GAMES = N("Games")
EARLIER = N("Earlier")
MORE = N("More")
FEWER = N("Fewer")
DONE = N("Done")
KEYBOARD_HELP = N(
    "Arrows: move · Enter: press · Seats 1–8: their digit key raises, the key below it confirms · Escape twice: leave"
)
ESCAPE_TO_LEAVE = N("Press Escape again to leave")
LOCK_LABEL = N("LOCK")
FIRST_HAND_LABEL = N("first")
VERDICTS = {
    "on time": N("On time"),
    "late": N("LATE"),
    "early": N("EARLY"),
    "changed": N("CHANGED"),
    "unclear": N("UNCLEAR"),
    "unseen": N("NOT SEEN"),
    "two hands": N("TWO HANDS"),
    "wrong zone": N("WRONG ZONE"),
    "lifted": N("LIFTED"),
    "two cards": N("TWO CARDS"),
    "not theirs": N("NOT THEIRS"),
    "played before": N("PLAYED"),
    "wrong deck": N("WRONG DECK"),
    "a copy": N("A COPY"),
    "one too many": N("TOO MANY"),
    "not read": N("Not read"),
    "void": N("Void"),
}
"""Each verdict as the reveal says it; a foul stands in capitals."""


def verdict_text(word: str) -> str:
    """A verdict as the reveal says it."""
    return t(VERDICTS[word]) if word in VERDICTS else code_word(word)


def throw_text(throw: Throw) -> str:
    """A throw, as large as it goes."""
    return t(THROW_WORDS[throw]).upper()


def after_first_hand(milliseconds: float | None) -> str:
    """How long after the first hand somebody showed theirs."""
    if milliseconds is None:
        return ""
    if round(milliseconds) == 0:
        return t(FIRST_HAND_LABEL)
    return f"{'+' if milliseconds > 0 else '−'}{abs(round(milliseconds))} ms"


def lock_label(window_ms: float) -> str:
    """The label of the lock on the time line."""
    return f"{t(LOCK_LABEL)} {round(window_ms)} ms"


def count_text(count: int) -> str:
    """A number that may be long: 94,906,266."""
    return language.format_number(count)


def capitalised_line(text: str) -> str:
    """A line that explains, with a capital in front."""
    return t(capitalise(text))
