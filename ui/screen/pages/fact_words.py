"""The scoreboard's words: a label and a value for every fact about a seat or about the table."""

from collections.abc import Mapping, Sequence

from messages import LazyText, N, capitalise, join
from rules.engine import Json
from rules.throws import Outcome, Throw
from ui.i18n.language import t
from ui.screen.pages.scoreboard import Fact
from ui.text import game_words

SIGNED_FACTS = ("streaks", "won", "degree", "points won")
"""Numbers that are shown with their sign."""
FACT_LABELS: Mapping[str, LazyText] = {
    # of a seat
    "streaks": N("Streak"),
    "cards": N("Won cards"),
    "bets": N("Bet"),
    "bet": N("Bets", "of a seat"),
    "claims": N("Claims"),
    "bluffs": N("Bluffed"),
    "throws": N("Throw"),
    "chips": N("Chips"),
    "points": N("This game"),
    "teams": N("Team"),
    "pairs": N("Pair"),
    "outcomes": N("Round"),
    "battles": N("Battles"),
    "won": N("Wins"),
    "out": N("Out"),
    "folded": N("Folded"),
    "called": N("Calls"),
    "sits out": N("Sits out"),
    "begins": N("Begins"),
    "passed": N("No move"),
    "moved": N("Moved"),
    "decides": N("Decides"),
    "pair won": N("Wins the pair"),
    "pot taken": N("Takes the pot"),
    "pot won": N("Wins the pot"),
    "joined": N("Joins"),
    "away": N("Has left"),
    "free": N("Free seat"),
    "surviving team": N("Survivor"),
    "reset": N("Starts afresh"),
    "changed": N("New card"),
    "drawn": N("Draws"),
    # of the table
    "options": N("Options"),
    "phase": N("Phase"),
    "counts": N("Thrown"),
    "table": N("Beats"),
    "wins": N("Wins", "how many"),
    "draw": N("A draw"),
    "for": N("For"),
}
"""The labels of facts that are not simply the word for their name in the game."""

FACT_ICONS: Mapping[str, str] = {
    "streaks": "flame",
    "health": "shield",
    "cards": "cards",
    "hand": "cards",
    "bets": "coin",
    "bet": "coin",
    "blind": "coin",
    "chips": "coin",
    "pot": "purse",
    "claims": "bubble",
    "goal": "aim",
    "out": "nothing",
    "folded": "nothing",
    "sits out": "nothing",
    "away": "nothing",
    "free": "nothing",
    "won": "crown",
    "pair won": "crown",
    "pot won": "crown",
    "pot taken": "crown",
    "survivor": "crown",
    "surviving team": "crown",
    "second look": "eye",
    "round": "again",
    "turn": "again",
    "rounds": "again",
    "battles": "beats",
}
"""The icon of each fact that has one."""
UNLABELLED_FACTS = ("phase", "for")
"""Facts whose value says enough."""
OUTCOME_WORDS: Mapping[Outcome, LazyText] = {
    Outcome.WON: N("Won", "a round"),
    Outcome.TIED: N("Tied", "a round"),
    Outcome.LOST: N("Lost", "a round"),
}
OUTCOME_ICONS: Mapping[Outcome, str] = {Outcome.WON: "crown", Outcome.TIED: "level", Outcome.LOST: "minus"}
TALLY_WORDS: Mapping[str, LazyText] = {
    "wins": N("won", "battles"),
    "losses": N("lost", "battles"),
    "ties": N("tied", "battles"),
}
VALUE_SEPARATOR = " · "


def fact_label(fact: Fact) -> str:
    """The label of a fact."""
    return t(FACT_LABELS[fact.name]) if fact.name in FACT_LABELS else game_words.code_word(fact.name, fact.text)


def fact_text(fact: Fact) -> str:
    """A fact in words: its label and its value, with a colon before several."""
    label, value = fact_label(fact), fact_value(fact)
    if fact.name in UNLABELLED_FACTS or not (label and value):
        return value or label
    listed = isinstance(fact.value, Sequence) and not isinstance(fact.value, str)
    return t("{label}: {value}", label=label, value=value) if listed else f"{label} {value}"


def fact_value(fact: Fact) -> str:
    """A fact's value in words and numbers; empty for one that is simply true."""
    value = fact.value
    text = ""
    if value is None:
        text = t("none")
    elif isinstance(value, bool):
        text = ""
    elif isinstance(value, int | float):
        text = (
            f"{value:+g}".replace("-", "−") if fact.name in SIGNED_FACTS and value else f"{value:g}".replace("-", "−")
        )
    elif isinstance(value, str):
        outcome = fact_outcome(fact)
        text = game_words.code_word(value, fact.text) if outcome is None else t(OUTCOME_WORDS[outcome])
    elif isinstance(value, Mapping):
        text = t(join(_counts_with_words(value), VALUE_SEPARATOR))
    elif isinstance(value, Sequence):
        text = t(join([game_words.code_word(str(item), fact.text) for item in value], VALUE_SEPARATOR))
    return text


def short_fact_value(fact: Fact) -> str:
    """A fact's value in as little room as possible: battles as three numbers, won, lost and tied."""
    if isinstance(fact.value, Mapping) and fact.value and set(fact.value) <= set(TALLY_WORDS):
        return "–".join(str(count) for count in fact.value.values())
    return fact_value(fact)


def fact_throw(fact: Fact) -> str | None:
    """The throw that a fact's value is, to be drawn as an icon; None if it is no throw."""
    return fact.value if isinstance(fact.value, str) and fact.value in list(Throw) else None


def fact_outcome(fact: Fact) -> Outcome | None:
    """The outcome that a fact's value is; None if it is none."""
    return Outcome.from_result(fact.value) if fact.name == "outcomes" else None


def fact_icon(fact: Fact) -> str | None:
    """The icon of a fact; an outcome has its own."""
    outcome = fact_outcome(fact)
    return FACT_ICONS.get(fact.name) if outcome is None else OUTCOME_ICONS[outcome]


def _counts_with_words(counts: Mapping[str, Json]) -> list[str]:
    """Words with their numbers ("3 rock", "2 won"); for a table of pairs, which throw beats which."""
    parts = []
    for name, count in counts.items():
        left, _, right = name.partition("-")
        if right and isinstance(count, str):
            loser = right if count == left else left
            tied = count == "tie"
            parts.append(
                t("{one} = {other}", one=game_words.code_word(left), other=game_words.code_word(right))
                if tied
                else t("{winner} > {loser}", winner=game_words.code_word(count), loser=game_words.code_word(loser))
            )
        else:
            word = TALLY_WORDS[name] if name in TALLY_WORDS else capitalise(game_words.code_word(name))
            parts.append(f"{count} {t(word) if name in TALLY_WORDS else t(word).lower()}")
    return parts
