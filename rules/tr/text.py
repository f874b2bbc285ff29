"""The words of t|r."""

from messages import N, join, ngettext_lazy
from rules.engine import GameText, Names, Prompt
from rules.engine.scoreboard import FactForm, FactOwner, ShownFact
from rules.text import fill, seat_name
from rules.throws import Outcome
from rules.tr.events import RethrowsEarned, RollBegins, Rolled, Thrown


def _roll(event: RollBegins, names: Names) -> str:
    parts = [ngettext_lazy("{count} throw", "{count} throws", event.throws)]
    if event.rethrows:
        parts.append(ngettext_lazy("up to {count} rethrow", "up to {count} rethrows", event.rethrows))
    if event.difficulty:
        parts.append(ngettext_lazy("{count} win needed", "{count} wins needed", event.difficulty))
    return N(
        "{player} rolls {roll} against {master}, the game master: {parts}.",
        roll=event.roll,
        player=seat_name(1, names),
        master=seat_name(2, names),
        parts=join(parts, ", "),
    )


_THROWS = {
    "throws": N("Throw {number} of {count}: {ends} ({throws})."),
    "rethrows": N("Rethrow {number} of {count}: {ends} ({throws})."),
}
_HEADLINES = {"throws": N("Throw {number} of {count}"), "rethrows": N("Rethrow {number} of {count}")}
_THROW_OUTCOMES = {
    Outcome.WON: N("a win for {name}"),
    Outcome.TIED: N("a tie"),
    Outcome.LOST: N("a loss for {name}"),
}
_ROLL_OUTCOMES = {
    "botch": N("Roll {roll}: a botch – no wins, and at least one loss."),
    "failed": N("Roll {roll}: a failure – only ties."),
    "success": N("Roll {roll}: a success – {wins}, degree {degree}."),
    "failure": N("Roll {roll}: a failure – {wins}, degree {degree}."),
}


def _throw(event: Thrown, names: Names) -> str:
    ends = N(_THROW_OUTCOMES[event.outcome], name=seat_name(1, names))
    return fill(_THROWS[event.phase], event.values, names, number=event.throw, count=event.of, ends=ends)


def _headline(prompt: Prompt) -> str:
    about = prompt.about
    return N(_HEADLINES[str(about["phase"])], number=about["throw"], count=about["of"])


def _rethrows(event: RethrowsEarned, names: Names) -> str:
    rethrows = ngettext_lazy("{count} rethrow", "{count} rethrows", event.rethrows)
    return ngettext_lazy(
        "{count} win earns {rethrows}.", "{count} wins earn {rethrows}.", event.wins, rethrows=rethrows
    )


def _result(event: Rolled, names: Names) -> str:
    wins = ngettext_lazy("{count} win", "{count} wins", event.wins)
    return fill(_ROLL_OUTCOMES[event.outcome], event.values, names, wins=wins)


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
    scoreboard={
        "roles": ShownFact(FactOwner.NAMES),
        "needed": ShownFact(),
        "rethrows.wins": ShownFact(label=N("Wins", "how many")),
        "rethrows.rethrows": ShownFact(),
        "result.outcome": ShownFact(),
        "result.degree": ShownFact(form=FactForm.SIGNED),
    },
)
