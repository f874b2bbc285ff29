"""The words for how things stand: every fact that a game tells by seat or of the table, as a label and a value."""

from collections.abc import Mapping, Sequence

from rules.engine import Json
from rules.throws import Throw
from ui.i18n.language import N, Text, capital, row, t
from ui.screen.pages import strings
from ui.screen.pages.standing.view import Fact

SIGNED = ("streaks", "won", "degree", "points won")
"""Numbers that are told with their sign."""

LABELS: Mapping[str, Text] = {
    # of a seat
    "streaks": N("Streak"),
    "health": N("Health"),
    "cards": N("Won cards"),
    "bets": N("Bet"),
    "bet": N("Bets", "of a seat"),
    "claims": N("Claims"),
    "throws": N("Throw"),
    "chips": N("Chips"),
    "points": N("This game"),
    "teams": N("Team"),
    "pairs": N("Pair"),
    "outcomes": N("Round"),
    "rounds": N("Rounds"),
    "battles": N("Battles"),
    "won": N("Wins"),
    "out": N("Out"),
    "folded": N("Folded"),
    "called": N("Calls"),
    "blind": N("Blind"),
    "sits out": N("Sits out"),
    "begins": N("Begins"),
    "passed": N("No move"),
    "moved": N("Moved"),
    "decides": N("Decides"),
    "survivor": N("Survivor"),
    "second look": N("Second look"),
    "pair won": N("Wins the pair"),
    "pot taken": N("Takes the pot"),
    "pot won": N("Wins the pot"),
    "joined": N("Joins"),
    "reset": N("Starts afresh"),
    "changed": N("New card"),
    "hand": N("Hand"),
    "drawn": N("Draws"),
    # of the table
    "pot": N("Pot"),
    "goal": N("Goal"),
    "round": N("Round"),
    "turn": N("Turn", "of a game"),
    "turns": N("Turns", "of a game"),
    "game": N("Game"),
    "games": N("Games", "how many"),
    "option": N("Option"),
    "lap": N("Lap"),
    "options": N("Options"),
    "best_of": N("Best of"),
    "phase": N("Phase"),
    "counts": N("Thrown"),
    "table": N("Beats"),
    "roll": N("Roll"),
    "throw": N("Throw"),
    "rethrows": N("Rethrows"),
    "difficulty": N("Difficulty"),
    "wins": N("Wins", "how many"),
    "degree": N("Degree"),
    "outcome": N("Outcome"),
    "reason": N("Reason"),
    "plies": N("Moves", "how many"),
    "draw": N("A draw"),
    "for": N("For"),
}
"""What each fact is called, by its name in the games."""

ICONS: Mapping[str, str] = {
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
    "won": "crown",
    "pair won": "crown",
    "pot won": "crown",
    "pot taken": "crown",
    "survivor": "crown",
    "second look": "eye",
    "round": "again",
    "turn": "again",
}
"""The drawing of each fact that has one."""

OUTCOMES: Mapping[str, Text] = {"win": N("Won", "a round"), "loss": N("Lost", "a round"), "tie": N("Level", "a round")}
OUTCOME_ICONS: Mapping[str, str] = {"win": "crown", "loss": "minus", "tie": "level"}
TALLIED: Mapping[str, Text] = {
    "wins": N("won", "battles"),
    "losses": N("lost", "battles"),
    "ties": N("tied", "battles"),
}
TALLIED_BY_SIGN = " · "


def label(fact: Fact) -> str:
    """What a fact is called."""
    return t(LABELS[fact.name]) if fact.name in LABELS else strings.plain(fact.name)


def told(fact: Fact) -> str:
    """A fact's value in words and numbers; nothing of what is just so, or of a throw, which is drawn."""
    value = fact.value
    said = ""
    if value is None:
        said = t("none")
    elif isinstance(value, bool):
        said = ""
    elif isinstance(value, int | float):
        said = f"{value:+g}".replace("-", "−") if fact.name in SIGNED and value else f"{value:g}".replace("-", "−")
    elif isinstance(value, str):
        said = t(OUTCOMES[value]) if fact.name == "outcomes" and value in OUTCOMES else strings.plain(value)
    elif isinstance(value, Mapping):
        said = t(row(_counted(value), TALLIED_BY_SIGN))
    elif isinstance(value, Sequence):
        said = t(row([strings.plain(str(one)) for one in value], TALLIED_BY_SIGN))
    return said


def short(fact: Fact) -> str:
    """As ``told``, in as little room as can be: battles as three numbers, won, lost and tied."""
    if isinstance(fact.value, Mapping) and fact.value and set(fact.value) <= set(TALLIED):
        return "–".join(str(count) for count in fact.value.values())
    return told(fact)


def throw(fact: Fact) -> str | None:
    """The throw that a fact is, if it is one: it is drawn."""
    return fact.value if isinstance(fact.value, str) and fact.value in list(Throw) else None


def icon(fact: Fact) -> str | None:
    """The drawing of a fact: of a throw or an outcome its own."""
    if fact.name == "outcomes":
        return OUTCOME_ICONS.get(str(fact.value))
    return ICONS.get(fact.name)


def _counted(counts: Mapping[str, Json]) -> list[str]:
    """Words with their numbers: "3 rock", "2 won"; of a table of pairs, what beats what."""
    parts = []
    for name, count in counts.items():
        one, _, other = name.partition("-")
        if other and isinstance(count, str):
            loser = other if count == one else one
            tied = count == "tie"
            parts.append(
                t("{one} = {other}", one=strings.plain(one), other=strings.plain(other))
                if tied
                else t("{winner} > {loser}", winner=strings.plain(count), loser=strings.plain(loser))
            )
        else:
            parts.append(f"{count} {t(TALLIED[name]) if name in TALLIED else t(capital(strings.plain(name))).lower()}")
    return parts
