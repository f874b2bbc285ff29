"""Facts about a seat or about the table in words: the label that the game declares, and the value."""

from collections.abc import Mapping, Sequence

from rules.engine import GameText, Json
from rules.engine.scoreboard import FactForm, LabelUse, ShownFact
from rules.text import game_word
from rules.throws import Outcome, Throw
from ui.i18n.language import t
from ui.screen.pages.scoreboard import Fact
from ui.text import game_words
from ui.text.labels import OUTCOME_WORDS

OUTCOME_ICONS: Mapping[Outcome, str] = {Outcome.WON: "crown", Outcome.TIED: "level", Outcome.LOST: "minus"}
VALUE_SEPARATOR = " · "


def fact_label(fact: Fact) -> str:
    """The label of a fact; empty if its value says enough."""
    return "" if fact.shown.labelled is LabelUse.NEVER else declared_label(fact.shown, fact.name, fact.text)


def declared_label(shown: ShownFact, name: str, text: GameText) -> str:
    """The label that a game with the words ``text`` declares for a fact called ``name``."""
    return t(shown.label) if shown.label else game_words.code_word(name, text)


def fact_text(fact: Fact) -> str:
    """A fact in words: its label and its value, with a colon before several."""
    label, value = fact_label(fact), fact_value(fact)
    if not (label and value):
        return value or label
    listed = isinstance(fact.value, Sequence) and not isinstance(fact.value, str)
    return t("{label}: {value}", label=label, value=value) if listed else f"{label} {value}"


def fact_value(fact: Fact) -> str:
    """A fact's value in words and numbers; empty for one that is simply true."""
    value, outcome = fact.value, fact_outcome(fact)
    text = ""
    if outcome is not None:
        text = t(OUTCOME_WORDS[outcome])
    elif value is None:
        text = t("none")
    elif isinstance(value, str):
        text = game_words.code_word(value, fact.text)
    elif isinstance(value, Mapping):
        text = VALUE_SEPARATOR.join(_counts_with_words(fact, value))
    elif isinstance(value, Sequence):
        text = VALUE_SEPARATOR.join(game_words.code_word(str(item), fact.text) for item in value)
    elif not isinstance(value, bool):
        sign = "+" if fact.shown.form is FactForm.SIGNED and value else ""
        text = f"{value:{sign}g}".replace("-", "−")
    return text


def short_fact_value(fact: Fact) -> str:
    """A fact's value in as little room as possible: battles as three numbers, won, lost and tied."""
    if fact.shown.form is FactForm.TALLY and isinstance(fact.value, Mapping):
        return "–".join(map(str, fact.value.values()))
    return fact_value(fact)


def fact_throw(fact: Fact) -> str | None:
    """The throw that a fact's value is, to be drawn as an icon; None if it is no throw."""
    return fact.value if isinstance(fact.value, str) and fact.value in list(Throw) else None


def fact_outcome(fact: Fact) -> Outcome | None:
    """The outcome that a fact's value is; None if it is none."""
    return Outcome.from_result(fact.value) if fact.shown.form is FactForm.OUTCOME else None


def fact_icon(fact: Fact) -> str | None:
    """The icon of a fact; an outcome has its own."""
    outcome = fact_outcome(fact)
    return OUTCOME_ICONS[outcome] if outcome else fact.shown.icon or None


def _counts_with_words(fact: Fact, counts: Mapping[str, Json]) -> list[str]:
    """Words with their numbers ("3 rock", "2 won"), or which throw beats which."""
    if fact.shown.form is FactForm.PAIRS:
        return [_pair_text(pair, winner, fact.text) for pair, winner in counts.items()]
    return [f"{count} {t(game_word(name, fact.text) or name)}" for name, count in counts.items()]


def _pair_text(pair: str, winner: Json, text: GameText) -> str:
    """Which throw of a pair such as "rock-paper" beats the other, or that neither does."""
    first, _, second = pair.partition("-")
    names = sorted((first, second), key=lambda name: name != winner)
    ahead, behind = (game_words.code_word(name, text) for name in names)
    return (
        t("{one} = {other}", one=ahead, other=behind)
        if winner == "tie"
        else t("{winner} > {loser}", winner=ahead, loser=behind)
    )
