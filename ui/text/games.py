"""What games say, in sentences: one teller for each kind of Say."""

from collections.abc import Callable, Mapping, Sequence

from rules.engine import Json
from ui.i18n.language import N, Nn, Text, capital, row
from ui.text.names import Names, card_named, cards_in, chips_of, each_has, listed, name_of, points_of, thrown_by, whole

OPTIONS: Mapping[str, Text] = {
    "blitz": N("Blitz"),
    "classic": N("Classic"),
    "inverted": N("Inverted"),
    "count": N("Count", "an option of Battle"),
    "team": N("Team"),
    "survivor": N("Survivor"),
}
"""The options of a round of Battle."""


def _seats(fact: Json) -> Sequence[Json]:
    return fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()


def _sentence(parts: Sequence[str]) -> Text:
    """Clauses as a sentence."""
    return row([row(parts, "; "), "."], "")


def _pairs(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    pairs = [
        N("{one} against {other}", one=name_of(pair[0], names), other=name_of(pair[1], names))
        for pair in map(_seats, _seats(facts["pairs"]))
    ]
    if facts.get("games") == 1:
        return (_sentence(pairs),)
    return (row([N("Game {number} of {games}.", number=facts["game"], games=facts["games"]), _sentence(pairs)]),)


def _tie(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    parts = [N("A tie ({throws}): thrown again.", throws=thrown_by(facts, names))]
    if facts.get("bets") == "stand":
        parts.append(N("The bets stand."))
    elif facts.get("bets") == "ask":
        parts.append(N("Bets are asked again."))
    return (row(parts),)


def _won(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    points, lost = facts.get("points"), facts.get("lost")
    name, throws = name_of(facts["seat"], names), thrown_by(facts, names)
    if not isinstance(points, int):
        return (N("{name} wins ({throws}).", name=name, throws=throws),)
    won = points_of(int(points))
    if not (isinstance(lost, int) and lost):
        return (N("{name} wins {points} ({throws}).", name=name, points=won, throws=throws),)
    return (
        N(
            "{name} wins {points}; the other loses {lost} ({throws}).",
            name=name,
            points=won,
            lost=points_of(lost),
            throws=throws,
        ),
    )


def _score(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    scores = facts["scores"]
    if not isinstance(scores, Mapping):
        return ()
    each = each_has((name_of(seat, names), points) for seat, points in scores.items())
    if "pot" in facts:
        return (N("Score: {scores}, in the pot {pot}.", scores=each, pot=facts["pot"]),)
    return (N("Score: {scores}.", scores=each),)


def _pile(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    cards = facts["cards"]
    if not isinstance(cards, Mapping):
        return ()
    return (N("Match piles: {piles}.", piles=each_has((name_of(seat, names), count) for seat, count in cards.items())),)


def _bets(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    bets = facts["bets"]
    if not isinstance(bets, Mapping):
        return ()
    said = [
        N("{name} bets {bet}", name=who, bet=bet) if bet else N("{name} no bet", name=who)
        for who, bet in ((name_of(seat, names), bet) for seat, bet in bets.items())
    ]
    return (_sentence(said),)


def _risk(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    pairs = [listed(_seats(pair), names) for pair in _seats(facts["pairs"])]
    who = pairs[0]
    for pair in pairs[1:]:
        who = N("{some} and {last}", some=who, last=pair)
    return (N("Risk Rounds: {who} play on to {goal} points.", who=who, goal=facts["goal"]),)


def _pair_won(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    name = name_of(facts["seat"], names)
    if facts["phase"] == "primary game":
        return (N("{name} wins the Primary game.", name=name),)
    return (N("{name} wins the Risk Rounds.", name=name),)


def _out(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    seats = _seats(facts["seats"])
    who, throws = listed(seats, names), thrown_by(facts, names)
    return (Nn("{who} drops out ({throws}).", "{who} drop out ({throws}).", len(seats), who=who, throws=throws),)


def _play_on(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (N("{who} hold the goal together: the next round won wins.", who=listed(_seats(facts["pair"]), names)),)


def _hands(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (N("{who} each take {cards}.", who=listed(_seats(facts["pair"]), names), cards=cards_in(facts["each"])),)


def _risk_deck(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    who = listed(_seats(facts["pair"]), names)
    return (N("Between {who}: a Risk deck of {count} cards, shuffled.", who=who, count=facts["cards"]),)


def _drawn(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    name, card = name_of(facts["seat"], names), card_named(facts["card"])
    return (N("{name} draws {card} and holds {cards}.", name=name, card=card, cards=cards_in(facts["hand"])),)


def _both_draw(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    who, left = listed(_seats(facts["pair"]), names), facts["left"]
    return (N("{who} discard their cards and draw one each; {left} are left.", who=who, left=left),)


def _roll(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (
        N(
            "{player} rolls {roll} against {master}: throws {throws}, rethrows {rethrows}, difficulty {difficulty}.",
            player=name_of(1, names),
            master=name_of(2, names),
            **{name: facts[name] for name in ("roll", "throws", "rethrows", "difficulty")},
        ),
    )


def _thrown(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    ends = {
        "win": N("a win for {name}", name=name_of(1, names)),
        "tie": N("a tie for {name}", name=name_of(1, names)),
        "lose": N("a loss for {name}", name=name_of(1, names)),
    }
    told = {
        "number": facts["throw"],
        "count": facts["of"],
        "ends": ends.get(str(facts["outcome"]), str(facts["outcome"])),
        "throws": thrown_by(facts, names),
    }
    if facts["phase"] == "rethrows":
        return (N("Rethrow {number} of {count}: {ends} ({throws}).", **told),)
    return (N("Throw {number} of {count}: {ends} ({throws}).", **told),)


def _rethrows(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    count = whole(facts["rethrows"])
    rethrows = Nn("{count} rethrow", "{count} rethrows", count)
    return (
        Nn("{count} win earns {rethrows}.", "{count} wins earn {rethrows}.", whole(facts["wins"]), rethrows=rethrows),
    )


def _rolled(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    roll, outcome = facts["roll"], facts["outcome"]
    if outcome == "botch":
        return (N("{roll}: no wins, and a loss: a botch.", roll=roll),)
    if facts["degree"] is None:
        return (N("{roll}: only ties: failed.", roll=roll),)
    wins, degree = Nn("{count} win", "{count} wins", whole(facts["wins"])), facts["degree"]
    if outcome == "success":
        return (N("{roll}: {wins}, degree {degree}: success.", roll=roll, wins=wins, degree=degree),)
    return (N("{roll}: {wins}, degree {degree}: failure.", roll=roll, wins=wins, degree=degree),)


def _deal(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (
        N(
            "Shuffle {each} rock, {each} paper and {each} scissors cards, and deal {hand} to everybody.",
            each=facts["of each"],
            hand=facts["hand"],
        ),
    )


def _hand(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (N("{name} holds {cards}.", name=name_of(facts["seat"], names), cards=cards_in(facts["cards"])),)


def _turn(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    first = name_of(_seats(facts["order"])[0], names)
    begins = N("Turn {turn} of {turns}: {name} begins.", turn=facts["turn"], turns=facts["turns"], name=first)
    if not facts["pot"]:
        return (begins,)
    return (row([begins, N("In the pot already: {chips}.", chips=chips_of(facts["pot"]))]),)


def _claim(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    name, claim = name_of(facts["seat"], names), card_named(facts["claim"])
    if facts["changed"]:
        return (N("{name} changes the card and claims {claim}.", name=name, claim=claim),)
    return (N("{name} puts a card down and claims {claim}.", name=name, claim=claim),)


def _revealed(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    throws, claims = facts["throws"], facts["claims"]
    if not isinstance(throws, Mapping) or not isinstance(claims, Mapping):
        return ()
    told = [
        N("{name} shows {throw}, as claimed", name=name_of(seat, names), throw=card_named(throw))
        if claims.get(seat) == throw
        else N("{name} shows {throw}", name=name_of(seat, names), throw=card_named(throw))
        for seat, throw in throws.items()
    ]
    return (_sentence(told),)


def _pot_won(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    seats, stays = _seats(facts["seats"]), whole(facts["stays"])
    won = Nn(
        "{who} wins {chips} from the pot.",
        "{who} each win {chips} from the pot.",
        len(seats),
        who=listed(seats, names),
        chips=chips_of(facts["each"]),
    )
    left = Nn("{count} chip stays in it.", "{count} chips stay in it.", stays)
    return (row([won, left]) if stays else won,)


def _battles(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    counts, table, outcomes = facts["counts"], facts["table"], facts["outcomes"]
    if not (isinstance(counts, Mapping) and isinstance(table, Mapping) and isinstance(outcomes, Mapping)):
        return ()
    on = [str(option) for option in _seats(facts["options"])]
    number = N("Round {number}", number=facts["round"])
    thrown = row([row([str(count), card_named(throw)]) for throw, count in counts.items()], ", ")
    lines: list[str] = [row([row([number, *map(_option, on)], ", "), row([thrown, "."], "")], ": ")]
    if {"inverted", "count"} & set(on):
        lines.append(capital(_sentence([_beaten(str(pair), best) for pair, best in table.items()])))
    for outcome, said in _ROUND_ENDS.items():
        seats = [seat for seat, end in outcomes.items() if end == outcome]
        if seats:
            lines.append(said(len(seats), _many(seats, names)))
    return tuple(lines)


_ROUND_ENDS: Mapping[str, Callable[[int, str], Text]] = {
    "win": lambda count, who: Nn("{who} wins.", "{who} win.", count, who=who),
    "loss": lambda count, who: Nn("{who} loses.", "{who} lose.", count, who=who),
    "tie": lambda count, who: Nn("{who} is level.", "{who} are level.", count, who=who),
}


def _option(name: str) -> str:
    return OPTIONS.get(name, name)


def _beaten(pair: str, best: Json) -> Text:
    one, other = pair.split("-")
    if best == "tie":
        return N("{one} ties with {other}", one=card_named(one), other=card_named(other))
    return N("{one} beats {other}", one=card_named(best), other=card_named(other if best == one else one))


MOST_NAMES = 8
"""More people than this are counted, not named."""


def _many(seats: Sequence[Json], names: Names) -> str:
    return listed(seats, names) if len(seats) <= MOST_NAMES else Nn("{count} player", "{count} players", len(seats))


def _teams(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    one, other = (_many(_seats(team), names) if team else N("nobody") for team in _seats(facts["teams"]))
    return (N("The teams: {one} against {other}.", one=one, other=other),)


def _round_options(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    on = [_option(str(option)) for option in _seats(facts["on"])]
    name, options = name_of(facts["decides"], names), row(on, ", ") if on else N("no options")
    return (N("{name} decides for round {number}: {options}.", name=name, number=facts["round"], options=options),)


def _health(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    health, out = facts["health"], _seats(facts["out"])
    if not isinstance(health, Mapping):
        return ()
    told = N("Health: {health}.", health=each_has((name_of(seat, names), points) for seat, points in health.items()))
    gone = (Nn("{who} is out.", "{who} are out.", len(out), who=_many(out, names)),) if out else ()
    return (told, *gone)


def _coming_and_going(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    left, joined, reset = (_seats(facts[name]) for name in ("left", "joined", "reset"))
    told = (
        Nn("{who} leaves.", "{who} leave.", len(left), who=_many(left, names)) if left else "",
        Nn("{who} joins.", "{who} join.", len(joined), who=_many(joined, names)) if joined else "",
        Nn("{who} begins afresh.", "{who} begin afresh.", len(reset), who=_many(reset, names)) if reset else "",
    )
    return tuple(line for line in told if line)


_OWNED = {
    "R": N("{name}'s Rock"),
    "P": N("{name}'s Paper"),
    "S": N("{name}'s Scissors"),
    "F": N("{name}'s Flag"),
}
_TOWARDS = {
    "E": N("to the East"),
    "NE": N("to the North-East"),
    "NW": N("to the North-West"),
    "W": N("to the West"),
    "SW": N("to the South-West"),
    "SE": N("to the South-East"),
}
_OVER = {
    "flag": N("{loser} has lost a Flag, and the game."),
    "both flags": N("{loser} has lost both Flags, and the game."),
    "no move": N("{loser} has no move left and loses."),
    "nobody can move": N("A draw: nobody has a move left."),
    "repetition": N("A draw: the position has come about too often."),
    "quiet": N("A draw: too long has nothing left the board."),
}


def _board(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    south, north = name_of(facts["south"], names), name_of(facts["north"], names)
    sides = N("{south} plays South and moves first, {north} North.", south=south, north=north)
    return (sides, N(str(facts["notice"])))


def _moved(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    name = name_of(facts["seat"], names)
    origin, _, target = str(facts["move"]).partition(">")
    if target:
        line = N("{name} moves {here} to {there}.", name=name, here=origin, there=target)
    else:
        where, _, direction = origin.partition("*")
        towards = _TOWARDS.get(direction, direction)
        line = N("{name} spreads {here} {towards}.", name=name, here=where, towards=towards)
    off = [str(thing) for thing in _seats(facts.get("off", ()))]
    owners = {"0": name_of(facts["south"], names), "1": name_of(facts["north"], names)}
    lost = [_lost(N(_OWNED[thing[0]], name=owners[thing[1]]), off.count(thing)) for thing in dict.fromkeys(off)]
    return (row([line, N("Off the board: {things}.", things=row(lost, ", "))]) if lost else line,)


def _lost(thing: Text, count: int) -> Text:
    return N("{thing} ({count} times)", thing=thing, count=count) if count > 1 else thing


def _over(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    over = _OVER.get(str(facts["reason"]))
    return (N("The game is over.") if over is None else N(over, loser=name_of(facts["loser"], names)),)


KINDS: Mapping[str, Callable[[Mapping[str, Json], Names], tuple[str, ...]]] = {
    "pairs": _pairs,
    "sits out": lambda facts, names: (N("{name} sits this game out.", name=name_of(facts["seat"], names)),),
    "tie": _tie,
    "won": _won,
    "score": _score,
    "pile": _pile,
    "bets": _bets,
    "risk rounds": _risk,
    "pair won": _pair_won,
    "play on": _play_on,
    "out": _out,
    "hands": _hands,
    "risk deck": _risk_deck,
    "drawn": _drawn,
    "both draw": _both_draw,
    "roll": _roll,
    "thrown": _thrown,
    "rethrows": _rethrows,
    "rolled": _rolled,
    "deal": _deal,
    "hand": _hand,
    "turn": _turn,
    "blind": lambda facts, names: (
        N("{name} pays the blind of {chips}.", name=name_of(facts["seat"], names), chips=chips_of(facts["chips"])),
    ),
    "bet": lambda facts, names: (
        N("{name} bets {chips}.", name=name_of(facts["seat"], names), chips=chips_of(facts["chips"])),
    ),
    "claim": _claim,
    "folded": lambda facts, names: (N("{name} folds.", name=name_of(facts["seat"], names)),),
    "called": lambda facts, names: (N("{name} calls.", name=name_of(facts["seat"], names)),),
    "pot taken": lambda facts, names: (
        N("{name} takes {chips} without showing.", name=name_of(facts["seat"], names), chips=chips_of(facts["chips"])),
    ),
    "revealed": _revealed,
    "pot won": _pot_won,
    "nobody wins": lambda facts, names: (N("Nobody wins. In the pot: {chips}.", chips=chips_of(facts["pot"])),),
    "round": _battles,
    "teams": _teams,
    "options": _round_options,
    "second look": lambda facts, names: (
        N("{who} may look first: {throws}.", who=_many(_seats(facts["seats"]), names), throws=thrown_by(facts, names)),
    ),
    "random throws": lambda facts, names: (N("Drawn by the box: {throws}.", throws=thrown_by(facts, names)),),
    "best throws": lambda facts, names: (
        N("The best throw, made by the box: {throws}.", throws=thrown_by(facts, names)),
    ),
    "health": _health,
    "survivor": lambda facts, names: (
        N("{name} is the survivor: everybody is restored.", name=name_of(facts["seat"], names)),
    ),
    "table": _coming_and_going,
    "board": _board,
    "begins": lambda facts, names: (
        N("{name} begins ({throws}).", name=name_of(facts["seat"], names), throws=thrown_by(facts, names)),
    ),
    "moved": _moved,
    "passed": lambda facts, names: (N("{name} has no move and passes.", name=name_of(facts["seat"], names)),),
    "over": _over,
}
