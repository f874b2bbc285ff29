"""The texts of the calculator."""

from messages import N, capitalise
from rules.text import SHARED_TEXT, THROW_WORDS
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.pages.calculator.view import RoundCalculation
from ui.screen.pages.common.strings import count_text

CLEAR_COUNT = N("Clear")
ERASE_DIGIT = N("Erase a digit")
OPTION_NAMES = {"inverted": N("inverted"), "count": N("count", "an option of Battle")}
BATTLE_LABELS = (N("won", "battles"), N("lost", "battles"), N("tied", "battles"))
RESULTS_AGAINST = {"win": N("beats {other}"), "loss": N("loses to {other}"), "tie": N("ties with {other}")}

ROUND_OUTCOMES = {"win": N("WINS"), "loss": N("loses"), "tie": N("ties"), None: N("nobody")}


def count_question(throw: Throw) -> str:
    """The question above the calculator's keypad."""
    return t("How many threw {throw}?", throw=THROW_WORDS[throw])


def maximum_text(maximum: int) -> str:
    """The largest number allowed."""
    return t("up to {most}", most=count_text(maximum))


def option_label(name: str, on: bool) -> str:
    """An option of the calculator, and whether it is on."""
    return f"{t(capitalise(OPTION_NAMES[name]))}: {t(SHARED_TEXT.words['on' if on else 'off'])}"


def result_against(result: str, other: Throw) -> str:
    """One throw's result against another."""
    return t(RESULTS_AGAINST[result], other=THROW_WORDS[other])


def per_player_heading(score: int | None) -> str:
    """The heading of the battles of each player with a throw, with what the round adds to their score."""
    return t("Score: {score} each", score=score_text(score))


def combined_heading(score: int) -> str:
    """The heading of the battles of all players with a throw, with what the round adds to their scores together."""
    return t("Score: {score} in all", score=score_text(score))


def score_text(score: int | None) -> str:
    """A change of the score with its sign: "+1", "0", "−1"; a dash for none."""
    if not score:
        return "–" if score is None else "0"
    return ("+" if score > 0 else "−") + count_text(abs(score))


def round_outcome(outcome: str | None) -> str:
    """The outcome of a round for the players of one throw."""
    return t(ROUND_OUTCOMES[outcome])


def totals_text(calculation: RoundCalculation) -> str:
    """The totals of a round of Battle in a line."""
    total = calculation.total
    return t(
        "{players} players, {battles} battles: {won} won, {won} lost, {tied} tied; score {score}",
        players=count_text(calculation.players),
        battles=count_text(calculation.battles),
        won=count_text(total.wins),
        tied=count_text(total.ties),
        score=score_text(calculation.total_score),
    )
