"""The words of Battle."""

from messages import LazyText, N, capitalise, join
from rules.engine import Facts, GameText, Json, Names, Prompt
from rules.text import (
    about_players,
    as_list,
    as_mapping,
    card_word,
    fill,
    join_clauses,
    join_counts,
    list_or_count_names,
    seat_name,
)

ROUND_OPTION_NAMES = {
    "blitz": N("blitz"),
    "classic": N("classic"),
    "inverted": N("inverted"),
    "count": N("count", "an option of Battle"),
    "team": N("team"),
    "survivor": N("survivor"),
}
"""The names of a round's options."""


def _option_titles(options: Json) -> list[str]:
    return [capitalise(ROUND_OPTION_NAMES[str(option)]) for option in as_list(options)]


def _round(facts: Facts, names: Names) -> list[str]:
    thrown = {throw: count for throw, count in as_mapping(facts["counts"]).items() if count}
    counts = [N("{count} × {throw}", count=count, throw=card_word(throw)) for throw, count in thrown.items()]
    lines: list[str] = [N("Round {number}: {throws}.", number=facts["round"], throws=join(counts, ", "))]
    clauses = [
        _beats_clause(pair, winner)
        for pair, winner in as_mapping(facts["table"]).items()
        if thrown.keys() >= {*pair.split("-")}
    ]
    if clauses and {"inverted", "count"} & set(map(str, as_list(facts["options"]))):
        lines.append(capitalise(join_clauses(clauses)))
    win, loss, tie = (
        [seat for seat, ended in as_mapping(facts["outcomes"]).items() if ended == outcome]
        for outcome in ("win", "loss", "tie")
    )
    return [
        *lines,
        *about_players("{who} wins.", "{who} win.", win, names),
        *about_players("{who} loses.", "{who} lose.", loss, names),
        *about_players("{who} ties.", "{who} tie.", tie, names),
    ]


def _beats_clause(pair: str, winner: Json) -> LazyText:
    """Return which of a pair of throws, such as "rock-paper", beats the other this round."""
    one, other = pair.split("-")
    if winner == "tie":
        return N("{one} ties with {other}", one=card_word(one), other=card_word(other))
    return N("{one} beats {other}", one=card_word(winner), other=card_word(other if winner == one else one))


def _teams(facts: Facts, names: Names) -> str:
    one, other = (
        list_or_count_names(as_list(team), names) if team else N("nobody") for team in as_list(facts["teams"])
    )
    return N("Teams: {one} against {other}.", one=one, other=other)


def _round_options(facts: Facts, names: Names) -> str:
    options = _option_titles(facts["on"])
    return N(
        "{name} decides for round {number}: {options}.",
        name=seat_name(facts["decides"], names),
        number=facts["round"],
        options=join(options, ", ") if options else N("no options"),
    )


def _health(facts: Facts, names: Names) -> list[str]:
    health = fill(N("Health: {health}."), facts, names)
    return [health, *about_players("{who} is out.", "{who} are out.", facts["out"], names)]


def _player_changes(facts: Facts, names: Names) -> list[str]:
    """Return who left, who joined and who started over between two rounds."""
    return [
        *about_players("{who} leaves.", "{who} leave.", facts["left"], names),
        *about_players("{who} joins.", "{who} join.", facts["joined"], names),
        *about_players("{who} starts over.", "{who} start over.", facts["reset"], names),
    ]


def _score(facts: Facts, names: Names) -> str:
    """Return everybody's score, and whose player has left; nothing of free seats."""
    away, free = (as_list(facts.get(name, ())) for name in ("away", "free"))
    scores = [
        N("{score} (left)", score=one) if int(seat) in away else one
        for seat, score in as_mapping(facts["scores"]).items()
        if int(seat) not in free
        for one in [join_counts([(seat_name(seat, names), score)])]
    ]
    return N("Score: {scores}.", scores=join(scores, ", "))


def _wish_question(prompt: Prompt) -> str:
    return capitalise(N("{option}: on or off?", option=ROUND_OPTION_NAMES[str(prompt.about["option"])]))


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
        "survivor": N("{name} is the survivor: everyone's health is restored."),
        "surviving team": N("{who} are the surviving team: everyone's health is restored."),
        "table": _player_changes,
    },
    headings={
        "table": N("Players"),
        "options": N("Options"),
        "random throws": N("Random throws"),
        "best throws": N("Best throws"),
    },
    questions={
        "wish": _wish_question,
        "table": N("Who comes or goes?"),
        "team": N("Which team?"),
    },
    hints={
        "wish": N("Each round a player is drawn, whose wishes decide. Yours stay until you change them."),
        "table": N("Touch your seat to join, leave, start afresh or change your wishes."),
        "team": N("Only players of the other team count against you."),
    },
    words={
        **ROUND_OPTION_NAMES,
        "second look": N("second look"),
        "teams": N("teams"),
        "health": N("health"),
        "don't care": N("don't care"),
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
    },
    time_outs={
        "throw": N("the box throws for you"),
        "team": N("your seat decides which team you are in"),
    },
)
