"""What the box says to people in sentences, on the screen and on the terminal: verdicts, what happened in a game."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from rules.script import Ask, Json, Result, Say, Seat
from rules.throws import Throw

COUNT = ("ROCK", "PAPER", "SCISSORS", "SHOOT!")
"""The words everybody throws on: hands come down on each, and show on the last."""
ALL_ON_TIME = "Everybody on time."
THROWN_AGAIN = "The round is thrown again."
STANDS = "What the lock picture shows counts."
FORFEITED = "That is no throw."
NOBODYS_FAULT = "That is nobody's foul."

BESIDE = ("score", "pile")
"""What is said of the points stands beside the players' names wherever a match is shown; the rest is what happened."""

Names = Mapping[Seat, str]
_PLACE = re.compile(r"\{(\d+)\}")


def neutral(seat: Seat) -> str:
    """What somebody is called whose name is not known, or not any more."""
    return f"Player {seat}"


def places(seats: Iterable[Seat]) -> dict[Seat, str]:
    """Names for sentences that are to be kept: ``{1}`` for seat 1. ``named`` puts the players' own in their place."""
    return {seat: f"{{{seat}}}" for seat in seats}


def named(sentence: str, names: Names) -> str:
    """A kept sentence with the players' names in it. No sentence of the box's has braces of its own, and a name is put
    in as it is, whatever it looks like."""
    return _PLACE.sub(lambda found: names.get(int(found[1]), neutral(int(found[1]))), sentence)


def headline(ask: Ask, game: str) -> str:
    """The headline of a throw: what round of the game titled ``game`` it is, as "Primary game, round 2"."""
    phase = str(ask.about.get("phase", game))
    rounds = ask.about.get("round")
    numbers = set(rounds.values()) if isinstance(rounds, Mapping) else {rounds}
    number = f", round {numbers.pop()}" if len(numbers) == 1 and numbers != {None} else ""
    return phase[:1].upper() + phase[1:] + number


def accusation(
    verdict: str,
    name: str,
    late_ms: float,
    early_ms: float,
    throw: Throw | None,
    then: Throw | None,
    cause: str | None = None,
    whose: str | None = None,
) -> str:
    """A foul in a sentence. ``late_ms`` is after the first hand, ``early_ms`` before the cue; ``cause`` is why a hand
    is unclear or unseen, ``whose`` zone it was that a hand strayed to."""
    match verdict:
        case "late":
            said = f"{name} was late: {_shape(throw)} {late_ms:.0f} ms after the first hand."
        case "early":
            said = f"{name} was early: {_shape(throw)} was there before the call{_ago(early_ms)}."
        case "changed":
            said = f"{name} changed: {_shape(throw)} at the lock, {_shape(then)} afterwards."
        case "two hands":
            said = f"{name} had two hands in the zone: only one may throw."
        case "wrong zone":
            said = f"{name}'s hand was in {whose or 'another player'}'s zone, not in {name}'s own."
        case "unclear":
            said = _CAUSES.get(cause or "", "{name}'s hand is none of the three.").format(name=name)
        case _:
            said = _CAUSES.get(cause or "", "{name}'s hand was not seen.").format(name=name)
    return said


_CAUSES = {
    "half open": "{name}'s hand was half open at the lock: none of the three.",
    "not whole in its zone": "{name}'s hand was not whole in its zone.",
    "gone at the lock": "{name}'s hand was gone when it counted.",
    "never in its zone": "{name}'s hand was never seen in its zone.",
}


def trouble(kind: str, figure: float, whose: str | None = None) -> str:
    """Why a round can't be judged, in sentences. ``figure`` is what was measured; ``whose`` zone it concerns (None: the
    whole picture)."""
    over = f" over {whose}'s zone" if whose else ""
    match kind:
        case "reaching over":
            why = f"Somebody reached{over or ' over the table'} and hid the hand there."
        case "covered":
            why = f"The camera was covered{over}."
        case "moved":
            why = f"The camera was moved, by {figure:.0%} of its picture: see that every hand is in its zone."
        case "too dark":
            why = f"It was too dark to see hands (brightness {figure:.0f} of 255): make light."
        case _:
            why = f"The camera gave no picture for {figure:.0f} ms: too few to tell who showed when."
    return f"{why} {NOBODYS_FAULT}"


def not_held(throws: Mapping[str, object]) -> str:
    """Somebody threw a card they can't hold any more."""
    parts = [f"{name} has no {throw} left to throw." for name, throw in throws.items()]
    return " ".join([*parts, THROWN_AGAIN])


def corrected(title: str, name: str | None, was: object, to: object, void: bool, dropped: int) -> str:
    """What a dispute came to, in sentences. Without a ``name`` the round was made void; ``void``: it is none that
    counts now; ``dropped``: how many later answers no longer count."""
    parts = [f"{title}: corrected by the table."]
    parts.append(f"{name}: {to or 'no throw'} instead of {was or 'no throw'}." if name and was != to else "")
    parts.append(f"{name}: {to or 'no throw'} counts." if name and was == to else "")
    parts.append(THROWN_AGAIN if name is None else "The round is still void." if void else "")
    if dropped:
        parts.append(f"{dropped} later {'answer no longer counts' if dropped == 1 else 'answers no longer count'}.")
    return " ".join(part for part in parts if part)


def fouls(counts: Mapping[str, int]) -> str:
    """How many fouls whoever has any has made."""
    return f"Fouls: {', '.join(f'{name} {count}' for name, count in counts.items())}." if counts else ""


def upheld(title: str) -> str:
    """A dispute that changed nothing."""
    return f"{title} was disputed: the verdict stands."


def _ago(early_ms: float) -> str:
    return f", {early_ms:.0f} ms early" if early_ms > 0 else ""


def _shape(throw: Throw | None) -> str:
    return str(throw) if throw else "no throw"


def tell(say: Say, names: Names) -> tuple[str, ...]:
    """What a game said, in sentences. A kind without words of its own is told by its facts."""
    known = _KINDS.get(say.kind)
    return known(say.facts, names) if known else _plainly(say, names)


def told_result(result: Result, names: Names) -> str:
    """How a game ended, in a sentence."""
    if not result.winners:
        return "Nobody has won."
    points = {result.scores.get(seat, 0) for seat in result.winners}
    unit = "chip" if "pot" in result.more else "point"
    with_points = f" with {_points(points.pop(), unit)}" if len(points) == 1 else ""
    if result.more.get("draw"):
        return f"A draw of {_list(result.winners, names)}{with_points} each."
    return f"{_list(result.winners, names)} {'has' if len(result.winners) == 1 else 'have'} won{with_points}."


def _points(points: int, unit: str = "point") -> str:
    return f"{points} {unit}" if points == 1 else f"{points} {unit}s"


def _list(seats: Sequence[Json], names: Names) -> str:
    who = [_name(seat, names) for seat in seats]
    return who[0] if len(who) == 1 else f"{', '.join(who[:-1])} and {who[-1]}"


def _name(seat: Json, names: Names) -> str:
    number = int(seat) if isinstance(seat, int | str) else 0
    return names.get(number, f"Seat {number}")


def _throws(facts: Mapping[str, Json], names: Names) -> str:
    throws = facts.get("throws")
    if not isinstance(throws, Mapping):
        return ""
    return ", ".join(f"{_name(seat, names)} {throw or 'no throw'}" for seat, throw in throws.items())


def _seats(fact: Json) -> Sequence[Json]:
    return fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()


def _pairs(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    game = f"Game {facts['game']} of {facts['games']}. " if facts.get("games") != 1 else ""
    pairs = [" against ".join(_name(seat, names) for seat in _seats(pair)) for pair in _seats(facts["pairs"])]
    return (f"{game}{'; '.join(pairs)}.",)


def _tie(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    bets = {"stand": " The bets stand.", "ask": " Bets are asked again."}.get(str(facts.get("bets")), "")
    return (f"A tie ({_throws(facts, names)}): thrown again.{bets}",)


def _won(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    points, lost = facts.get("points"), facts.get("lost")
    gain = f" {_points(int(points))}" if isinstance(points, int) else ""
    loss = f"; the other loses {_points(lost)}" if isinstance(lost, int) and lost else ""
    return (f"{_name(facts['seat'], names)} wins{gain}{loss} ({_throws(facts, names)}).",)


def _score(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    scores = facts["scores"]
    if not isinstance(scores, Mapping):
        return ()
    pot = f", in the pot {facts['pot']}" if "pot" in facts else ""
    return ("Score: " + ", ".join(f"{_name(seat, names)} {points}" for seat, points in scores.items()) + f"{pot}.",)


def _pile(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    cards = facts["cards"]
    if not isinstance(cards, Mapping):
        return ()
    return ("Match piles: " + ", ".join(f"{_name(seat, names)} {count}" for seat, count in cards.items()) + ".",)


def _bets(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    bets = facts["bets"]
    if not isinstance(bets, Mapping):
        return ()
    said = [f"{_name(seat, names)} bets {bet}" if bet else f"{_name(seat, names)} no bet" for seat, bet in bets.items()]
    return ("; ".join(said) + ".",)


def _risk(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    who = " and ".join(_list(_seats(pair), names) for pair in _seats(facts["pairs"]))
    return (f"Risk Rounds: {who} play on to {facts['goal']} points.",)


def _pair_won(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    phase = {"primary game": "the Primary game", "risk rounds": "the Risk Rounds"}.get(
        str(facts["phase"]), str(facts["phase"])
    )
    return (f"{_name(facts['seat'], names)} wins {phase}.",)


def _out(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    seats = _seats(facts["seats"])
    drops = "drops" if len(seats) == 1 else "drop"
    return (f"{_list(seats, names)} {drops} out ({_throws(facts, names)}).",)


def _play_on(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (f"{_list(_seats(facts['pair']), names)} hold the goal together: the next round won wins.",)


def _hands(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (f"{_list(_seats(facts['pair']), names)} each take {_cards(facts['each'])}.",)


def _risk_deck(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (f"Between {_list(_seats(facts['pair']), names)}: a Risk deck of {facts['cards']} cards, shuffled.",)


def _drawn(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (f"{_name(facts['seat'], names)} draws {facts['card']} and holds {_cards(facts['hand'])}.",)


def _both_draw(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (f"{_list(_seats(facts['pair']), names)} discard their cards and draw one each; {facts['left']} are left.",)


def _cards(fact: Json) -> str:
    """How many of each card: "3 rock, 3 paper, 3 scissors"."""
    return ", ".join(f"{count} {card}" for card, count in fact.items() if count) if isinstance(fact, Mapping) else ""


def _roll(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    parts = f"throws {facts['throws']}, rethrows {facts['rethrows']}, difficulty {facts['difficulty']}"
    return (f"{_name(1, names)} rolls {facts['roll']} against {_name(2, names)}: {parts}.",)


def _thrown(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    what = {"throws": "Throw", "rethrows": "Rethrow"}.get(str(facts["phase"]), str(facts["phase"]))
    ends = {"win": "a win", "tie": "a tie", "lose": "a loss"}.get(str(facts["outcome"]), str(facts["outcome"]))
    return (f"{what} {facts['throw']} of {facts['of']}: {ends} for {_name(1, names)} ({_throws(facts, names)}).",)


def _rethrows(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    wins, rethrows = facts["wins"], facts["rethrows"]
    return (
        f"{_wins(wins)} {'earns' if wins == 1 else 'earn'} {rethrows} {'rethrow' if rethrows == 1 else 'rethrows'}.",
    )


def _rolled(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    if facts["degree"] is None:
        why = {"botch": "no wins, and a loss: a botch", "failed": "only ties: failed"}
        return (f"{facts['roll']}: {why.get(str(facts['outcome']), facts['outcome'])}.",)
    return (f"{facts['roll']}: {_wins(facts['wins'])}, degree {facts['degree']}: {facts['outcome']}.",)


def _wins(fact: Json) -> str:
    return "1 win" if fact == 1 else f"{fact} wins"


def _deal(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    each, hand = facts["of each"], facts["hand"]
    return (f"Shuffle {each} rock, {each} paper and {each} scissors cards, and deal {hand} to everybody.",)


def _hand(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (f"{_name(facts['seat'], names)} holds {_cards(facts['cards'])}.",)


def _turn(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    pot = facts["pot"]
    carried = f" In the pot already: {_chips(pot)}." if pot else ""
    return (f"Turn {facts['turn']} of {facts['turns']}: {_name(_seats(facts['order'])[0], names)} begins.{carried}",)


def _claim(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    card = "changes the card" if facts["changed"] else "puts a card down"
    return (f"{_name(facts['seat'], names)} {card} and claims {facts['claim']}.",)


def _revealed(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    throws, claims = facts["throws"], facts["claims"]
    if not isinstance(throws, Mapping) or not isinstance(claims, Mapping):
        return ()
    told = [
        f"{_name(seat, names)} shows {throw or 'no throw'}{', as claimed' if claims.get(seat) == throw else ''}"
        for seat, throw in throws.items()
    ]
    return ("; ".join(told) + ".",)


def _pot_won(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    seats, stays = _seats(facts["seats"]), facts["stays"]
    shared = f"{'wins' if len(seats) == 1 else 'each win'} {_chips(facts['each'])}"
    left = f" {_chips(stays)} {'stays' if stays == 1 else 'stay'} in it." if stays else ""
    return (f"{_list(seats, names)} {shared} from the pot.{left}",)


def _chips(fact: Json) -> str:
    return "1 chip" if fact == 1 else f"{fact} chips"


def _battles(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    counts, table, outcomes = facts["counts"], facts["table"], facts["outcomes"]
    if not (isinstance(counts, Mapping) and isinstance(table, Mapping) and isinstance(outcomes, Mapping)):
        return ()
    on = [str(option).capitalize() for option in _seats(facts["options"])]
    thrown = ", ".join(f"{count} {throw}" for throw, count in counts.items())
    lines = [f"Round {facts['round']}{''.join(f', {option}' for option in on)}: {thrown}."]
    if {"Inverted", "Count"} & set(on):
        lines.append("; ".join(_beaten(str(pair), best) for pair, best in table.items()).capitalize() + ".")
    for outcome, one, more in (("win", "wins", "win"), ("loss", "loses", "lose"), ("tie", "is level", "are level")):
        seats = [seat for seat, end in outcomes.items() if end == outcome]
        if seats:
            lines.append(f"{_many(seats, names)} {one if len(seats) == 1 else more}.")
    return tuple(lines)


def _beaten(pair: str, best: Json) -> str:
    one, other = pair.split("-")
    return f"{one} ties with {other}" if best == "tie" else f"{best} beats {other if best == one else one}"


MOST_NAMES = 8
"""More people than this are counted, not named."""


def _many(seats: Sequence[Json], names: Names) -> str:
    return _list(seats, names) if len(seats) <= MOST_NAMES else f"{len(seats)} players"


def _teams(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    teams = [_many(_seats(team), names) if team else "nobody" for team in _seats(facts["teams"])]
    return (f"The teams: {' against '.join(teams)}.",)


def _round_options(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    on = ", ".join(str(option).capitalize() for option in _seats(facts["on"]))
    return (f"{_name(facts['decides'], names)} decides for round {facts['round']}: {on or 'no options'}.",)


def _health(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    health, out = facts["health"], _seats(facts["out"])
    if not isinstance(health, Mapping):
        return ()
    gone = (f"{_many(out, names)} {'is' if len(out) == 1 else 'are'} out.",) if out else ()
    return ("Health: " + ", ".join(f"{_name(seat, names)} {points}" for seat, points in health.items()) + ".", *gone)


def _coming_and_going(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    lines = []
    for name, one, more in (("left", "leaves", "leave"), ("joined", "joins", "join"), ("reset", "begins", "begin")):
        seats = _seats(facts[name])
        if seats:
            what = one if len(seats) == 1 else more
            lines.append(f"{_many(seats, names)} {what}{' afresh' if name == 'reset' else ''}.")
    return tuple(lines)


def _plainly(say: Say, names: Names) -> tuple[str, ...]:
    facts = ", ".join(f"{name} {fact}" for name, fact in say.facts.items())
    return (f"{say.kind.capitalize()}: {facts}." if facts else f"{say.kind.capitalize()}.",)


_OWNED = {"R": "Rock", "P": "Paper", "S": "Scissors", "F": "Flag"}
_TOWARDS = {"E": "East", "NE": "North-East", "NW": "North-West", "W": "West", "SW": "South-West", "SE": "South-East"}
_OVER = {
    "flag": "{loser} has lost a Flag, and the game.",
    "both flags": "{loser} has lost both Flags, and the game.",
    "no move": "{loser} has no move left and loses.",
    "nobody can move": "A draw: nobody has a move left.",
    "repetition": "A draw: the position has come about too often.",
    "quiet": "A draw: too long has nothing left the board.",
}


def _board(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    sides = f"{_name(facts['south'], names)} plays South and moves first, {_name(facts['north'], names)} North."
    return (sides, str(facts["notice"]))


def _moved(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    origin, _, target = str(facts["move"]).partition(">")
    line = f"{_name(facts['seat'], names)} moves {origin} to {target}."
    if not target:
        where, _, direction = origin.partition("*")
        line = f"{_name(facts['seat'], names)} spreads {where} to the {_TOWARDS.get(direction, direction)}."
    off = [str(thing) for thing in _seats(facts.get("off", ()))]
    owners = {"0": _name(facts["south"], names), "1": _name(facts["north"], names)}
    lost = [
        f"{owners[thing[1]]}'s {_OWNED[thing[0]]}{f' ({off.count(thing)} times)' if off.count(thing) > 1 else ''}"
        for thing in dict.fromkeys(off)
    ]
    return (f"{line} Off the board: {', '.join(lost)}." if lost else line,)


def _over(facts: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    return (_OVER.get(str(facts["reason"]), "The game is over.").format(loser=_name(facts["loser"], names)),)


_KINDS: Mapping[str, Callable[[Mapping[str, Json], Names], tuple[str, ...]]] = {
    "pairs": _pairs,
    "sits out": lambda facts, names: (f"{_name(facts['seat'], names)} sits this game out.",),
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
    "blind": lambda facts, names: (f"{_name(facts['seat'], names)} pays the blind of {_chips(facts['chips'])}.",),
    "bet": lambda facts, names: (f"{_name(facts['seat'], names)} bets {_chips(facts['chips'])}.",),
    "claim": _claim,
    "folded": lambda facts, names: (f"{_name(facts['seat'], names)} folds.",),
    "called": lambda facts, names: (f"{_name(facts['seat'], names)} calls.",),
    "pot taken": lambda facts, names: (
        f"{_name(facts['seat'], names)} takes {_chips(facts['chips'])} without showing.",
    ),
    "revealed": _revealed,
    "pot won": _pot_won,
    "nobody wins": lambda facts, names: (f"Nobody wins. In the pot: {_chips(facts['pot'])}.",),
    "round": _battles,
    "teams": _teams,
    "options": _round_options,
    "second look": lambda facts, names: (
        f"{_many(_seats(facts['seats']), names)} may look first: {_throws(facts, names)}.",
    ),
    "random throws": lambda facts, names: (f"Drawn by the box: {_throws(facts, names)}.",),
    "best throws": lambda facts, names: (f"The best throw, made by the box: {_throws(facts, names)}.",),
    "health": _health,
    "survivor": lambda facts, names: (f"{_name(facts['seat'], names)} is the survivor: everybody is restored.",),
    "table": _coming_and_going,
    "board": _board,
    "begins": lambda facts, names: (f"{_name(facts['seat'], names)} begins ({_throws(facts, names)}).",),
    "moved": _moved,
    "passed": lambda facts, names: (f"{_name(facts['seat'], names)} has no move and passes.",),
    "over": _over,
}
