"""The words of Battle."""

from collections.abc import Iterable
from dataclasses import replace

from messages import LazyText, N, capitalise, join
from rules.battle.events import BattleScores, Health, OptionsChosen, PlayersChanged, RoundPlayed, Teams
from rules.battle.options import ROUND_OPTION_DESCRIPTIONS
from rules.engine import GameText, Names, Prompt, Seat, Value
from rules.engine.scoreboard import BEATS, OUT, PHASE, FactForm, FactOwner, LabelUse, ShownFact
from rules.text import (
    about_players,
    card_word,
    fill,
    join_clauses,
    join_counts,
    list_or_count_names,
    seat_name,
)
from rules.throws import Outcome

ROUND_OPTION_NAMES = {
    "blitz": N("blitz"),
    "classic": N("classic"),
    "inverted": N("inverted"),
    "count": N("count", "an option of Battle"),
    "team": N("team"),
    "survivor": N("survivor"),
}
"""The names of a round's options."""


def _option_titles(options: Iterable[str]) -> list[str]:
    return [capitalise(ROUND_OPTION_NAMES[option]) for option in options]


def _round(event: RoundPlayed, names: Names) -> list[str]:
    thrown = {throw: count for throw, count in event.counts.items() if count}
    counts = [N("{count} × {throw}", count=count, throw=card_word(throw)) for throw, count in thrown.items()]
    lines: list[str] = [N("Round {number}: {throws}.", number=event.round, throws=join(counts, ", "))]
    clauses = [
        _beats_clause(pair, winner) for pair, winner in event.table.items() if thrown.keys() >= {*pair.split("-")}
    ]
    if clauses and {"inverted", "count"} & set(event.options):
        lines.append(capitalise(join_clauses(clauses)))
    win, loss, tie = (
        [seat for seat, outcome in event.outcomes.items() if outcome is wanted]
        for wanted in (Outcome.WON, Outcome.LOST, Outcome.TIED)
    )
    return [
        *lines,
        *about_players("{who} wins.", "{who} win.", win, names),
        *about_players("{who} loses.", "{who} lose.", loss, names),
        *about_players("{who} ties.", "{who} tie.", tie, names),
    ]


def _beats_clause(pair: str, winner: str) -> LazyText:
    """Return which of a pair of throws, such as "rock-paper", beats the other this round."""
    first, second = pair.split("-")
    if winner == "tie":
        return N("{one} ties with {other}", one=card_word(first), other=card_word(second))
    loser = second if winner == first else first
    return N("{one} beats {other}", one=card_word(winner), other=card_word(loser))


def _teams(event: Teams, names: Names) -> str:
    first, second = (list_or_count_names(team, names) if team else N("nobody") for team in event.teams)
    return N("Teams: {one} against {other}.", one=first, other=second)


def _round_options(event: OptionsChosen, names: Names) -> str:
    options = _option_titles(event.on)
    return N(
        "{name} decides for round {number}: {options}.",
        name=seat_name(event.decides, names),
        number=event.round,
        options=join(options, ", ") if options else N("no options"),
    )


def _health(event: Health, names: Names) -> list[str]:
    health = fill(N("Health: {health}."), event.values, names)
    return [health, *about_players("{who} is out.", "{who} are out.", event.out, names)]


def _player_changes(event: PlayersChanged, names: Names) -> list[str]:
    """Return who left, who joined and who started over between two rounds."""
    return [
        *about_players("{who} leaves.", "{who} leave.", event.left, names),
        *about_players("{who} joins.", "{who} join.", event.joined, names),
        *about_players("{who} starts over.", "{who} start over.", event.reset, names),
    ]


def _score(event: BattleScores, names: Names) -> str:
    """Return everybody's score, and whose player has left; nothing of free seats."""
    scores = {
        seat: join_counts([(seat_name(seat, names), score)])
        for seat, score in event.scores.items()
        if seat not in event.free
    }
    texts = [N("{score} (left)", score=text) if seat in event.away else text for seat, text in scores.items()]
    return N("Score: {scores}.", scores=join(texts, ", "))


def _wish_question(prompt: Prompt) -> str:
    return capitalise(N("{means}?", means=ROUND_OPTION_DESCRIPTIONS[str(prompt.about["option"])]))


def _wish_headline(prompt: Prompt) -> str:
    option = capitalise(ROUND_OPTION_NAMES[str(prompt.about["option"])])
    return N("{option}: each round a drawn player’s wishes count", option=option)


def _wish_consequence(prompt: Prompt, seat: Seat, wish: Value) -> str:
    return N("As in the round before; at first by lot") if wish == "don't care" else ""


_ABSENT = ShownFact(FactOwner.NAMED, icon="nothing", form=FactForm.ABSENCE, until=("table",))
_BATTLES = ShownFact(FactOwner.SEATS, "battles", N("Battles"), icon="beats", form=FactForm.TALLY)

TEXT = GameText(
    sentences={
        "score": _score,
        "round": _round,
        "teams": _teams,
        "options": _round_options,
        "second look": N("{who} may look first: {throws}."),
        "random throws": N("Drawn at random: {throws}."),
        "best throws": N("Best throw, made by the box: {throws}."),
        "health": _health,
        "survivor": N("{name} is the survivor: everyone’s health is restored."),
        "surviving team": N("{who} are the surviving team: everyone’s health is restored."),
        "table": _player_changes,
    },
    headings={
        "table": N("Players"),
        "options": N("Options"),
        "random throws": N("Random throws"),
        "best throws": N("Best throws"),
    },
    headlines={"wish": _wish_headline},
    consequences={"wish": _wish_consequence},
    questions={
        "wish": _wish_question,
        "table": N("Who comes or goes?"),
        "team": N("Which team?"),
    },
    hints={
        "wish": N("Each round a player is drawn, whose wishes decide. Yours stay until you change them."),
        "table": N("Join, leave, start afresh or change your wishes."),
        "team": N("Only players of the other team count against you."),
    },
    words={
        **ROUND_OPTION_NAMES,
        "second look": N("second look"),
        "teams": N("teams"),
        "health": N("health"),
        "don't care": N("don’t care"),
        "wish.on": N("yes"),
        "wish.off": N("no"),
        "stay": N("stay"),
        "join": N("join"),
        "wait": N("wait"),
        "wish": N("wish"),
        "table.wish": N("New wishes"),
        "table.reset": N("Start afresh"),
        "table.stop": N("End the game"),
        "free": N("free seats"),
        "rounds.0": N("endless"),
        "seats": N("by seat", "teams"),
        "choose": N("choose", "teams"),
        "changes": N("changes"),
        "wins": N("won", "battles"),
        "losses": N("lost", "battles"),
        "ties": N("tied", "battles"),
    },
    time_outs={
        "throw": N("the box throws for you"),
        "team": N("your seat decides which team you are in"),
    },
    scoreboard={
        "streaks": ShownFact(FactOwner.SEATS, label=N("Streak"), icon="flame", form=FactForm.SIGNED, until=()),
        "health": ShownFact(FactOwner.SEATS, icon="shield", until=()),
        "health.out": replace(OUT, until=("survivor", "surviving team")),
        "teams": ShownFact(FactOwner.GROUPS, label=N("Team"), until=()),
        "away": replace(_ABSENT, label=N("Has left")),
        "free": replace(_ABSENT, label=N("Free seat")),
        "joined": ShownFact(FactOwner.NAMED, label=N("Joins")),
        "reset": ShownFact(FactOwner.NAMED, label=N("Starts afresh")),
        "decides": ShownFact(FactOwner.NAMED, label=N("Decides")),
        "second look.seats": ShownFact(FactOwner.NAMED, "second look", icon="eye"),
        "random throws.throws": ShownFact(
            FactOwner.NAMED, "random throw", N("Drawn", "a throw"), icon="dice", form=FactForm.REMARK
        ),
        "survivor.seat": ShownFact(FactOwner.NAMED, "survivor", icon="crown"),
        "surviving team.seats": ShownFact(FactOwner.NAMED, "surviving team", N("Survivor"), icon="crown"),
        "outcomes": ShownFact(FactOwner.SEATS, label=N("Round"), form=FactForm.OUTCOME, labelled=LabelUse.IN_WORDS),
        "won": replace(_BATTLES, part="wins"),
        "lost": replace(_BATTLES, part="losses"),
        "tied": replace(_BATTLES, part="ties"),
        "battles": _BATTLES,
        "rounds": ShownFact(FactOwner.SEATS, icon="again"),
        "round.round": None,
        "options.round": None,
        "options": ShownFact(label=N("Options")),
        "option": ShownFact(),
        "phase": PHASE,
        "table": BEATS,
    },
)
