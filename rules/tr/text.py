"""The words of t|r."""

from messages import N, join, ngettext_lazy
from rules.engine import Facts, GameText, Names, Prompt
from rules.text import as_int, fill, seat_name


def _roll(facts: Facts, names: Names) -> str:
    throws, rethrows, difficulty = (as_int(facts[part]) for part in ("throws", "rethrows", "difficulty"))
    parts = [ngettext_lazy("{count} throw", "{count} throws", throws)]
    if rethrows:
        parts.append(ngettext_lazy("up to {count} rethrow", "up to {count} rethrows", rethrows))
    if difficulty:
        parts.append(ngettext_lazy("{count} win needed", "{count} wins needed", difficulty))
    return N(
        "{player} rolls {roll} against {master}, the game master: {parts}.",
        roll=facts["roll"],
        player=seat_name(1, names),
        master=seat_name(2, names),
        parts=join(parts, ", "),
    )


_THROWS = {
    "throws": N("Throw {number} of {count}: {ends} ({throws})."),
    "rethrows": N("Rethrow {number} of {count}: {ends} ({throws})."),
}
_HEADLINES = {"throws": N("Throw {number} of {count}"), "rethrows": N("Rethrow {number} of {count}")}
_THROW_OUTCOMES = {"win": N("a win for {name}"), "tie": N("a tie for {name}"), "lose": N("a loss for {name}")}
_ROLL_OUTCOMES = {
    "botch": N("Roll {roll}: a botch – no wins, and at least one loss."),
    "failed": N("Roll {roll}: a failure – only ties."),
    "success": N("Roll {roll}: a success – {wins}, degree {degree}."),
    "failure": N("Roll {roll}: a failure – {wins}, degree {degree}."),
}


def _throw(facts: Facts, names: Names) -> str:
    ends = N(_THROW_OUTCOMES[str(facts["outcome"])], name=seat_name(1, names))
    message = _THROWS[str(facts["phase"])]
    return fill(message, facts, names, number=facts["throw"], count=facts["of"], ends=ends)


def _headline(prompt: Prompt) -> str:
    about = prompt.about
    return N(_HEADLINES[str(about["phase"])], number=about["throw"], count=about["of"])


def _rethrows(facts: Facts, names: Names) -> str:
    rethrows = ngettext_lazy("{count} rethrow", "{count} rethrows", as_int(facts["rethrows"]))
    return ngettext_lazy(
        "{count} win earns {rethrows}.", "{count} wins earn {rethrows}.", as_int(facts["wins"]), rethrows=rethrows
    )


def _result(facts: Facts, names: Names) -> str:
    wins = ngettext_lazy("{count} win", "{count} wins", as_int(facts["wins"]))
    return fill(_ROLL_OUTCOMES[str(facts["outcome"])], facts, names, wins=wins)


TEXT = GameText(
    sentences={"roll": _roll, "thrown": _throw, "rethrows": _rethrows, "rolled": _result},
    headings={"thrown": N("Thrown"), "rolled": N("Rolled")},
    headlines={"throw": _headline},
    words={
        "player": N("player"),
        "game master": N("game master"),
        "needed": N("wins needed"),
        "roll": N("roll"),
        "rethrows": N("rethrows"),
        "difficulty": N("difficulty"),
        "degree": N("degree"),
        "success": N("success"),
        "failure": N("failure"),
        "failed": N("failed"),
        "botch": N("botch"),
    },
)
