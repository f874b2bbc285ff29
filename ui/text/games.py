"""Sentences for what happens in a game, by the kind of its ``GameEvent``: what all games have in common, then game by
game."""

from collections.abc import Callable, Mapping, Sequence

from rules.engine import Json
from ui.i18n.language import LazyText, N, capitalise, join, ngettext_lazy
from ui.text.names import (
    Names,
    as_int,
    card_word,
    cards_text,
    chips_text,
    join_counts,
    list_names,
    points_text,
    seat_name,
    throws_text,
)

Facts = Mapping[str, Json]
Sentences = tuple[str, ...]
SentenceMaker = Callable[[Facts, Names], Sentences]


def _seats(fact: Json) -> Sequence[Json]:
    return fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()


def _join_clauses(clauses: Sequence[str]) -> LazyText:
    """Return the clauses as one sentence: "Ada bets 5; Ben bets 10."."""
    return join([join(clauses, "; "), "."], "")


def _one_sentence(message: LazyText) -> SentenceMaker:
    """Return what fills in a message's {name}, {chips} and {throws}, those of them that the event has."""

    def fill(facts: Facts, names: Names) -> Sentences:
        values = {"throws": throws_text(facts, names)}
        if "seat" in facts:
            values["name"] = seat_name(facts["seat"], names)
        if "chips" in facts:
            values["chips"] = chips_text(facts["chips"])
        return (N(message, **values),)

    return fill


# All games


def _tie(facts: Facts, names: Names) -> Sentences:
    parts = [N("Tie ({throws}). Throw again.", throws=throws_text(facts, names))]
    if facts.get("bets") == "stand":
        parts.append(N("The bets stand."))
    elif facts.get("bets") == "ask":
        parts.append(N("Place new bets."))
    return (join(parts),)


def _win(facts: Facts, names: Names) -> Sentences:
    """Who won a round; with points, as in RPS Redeux, the facts name the "pair" too."""
    points, lost = facts.get("points"), facts.get("lost")
    name, throws = seat_name(facts["seat"], names), throws_text(facts, names)
    if not isinstance(points, int):
        return (N("{name} wins ({throws}).", name=name, throws=throws),)
    won = points_text(points)
    if not (isinstance(lost, int) and lost):
        return (N("{name} wins {points} ({throws}).", name=name, points=won, throws=throws),)
    return (
        N(
            "{name} wins {points}; {loser} loses {lost} ({throws}).",
            name=name,
            points=won,
            loser=seat_name(next(seat for seat in _seats(facts["pair"]) if seat != facts["seat"]), names),
            lost=lost,
            throws=throws,
        ),
    )


def _knock_out(facts: Facts, names: Names) -> Sentences:
    seats = _seats(facts["seats"])
    who, throws = list_names(seats, names), throws_text(facts, names)
    return (
        ngettext_lazy("{who} drops out ({throws}).", "{who} drop out ({throws}).", len(seats), who=who, throws=throws),
    )


def _score(facts: Facts, names: Names) -> Sentences:
    scores = facts["scores"]
    if not isinstance(scores, Mapping):
        return ()
    each = join_counts((seat_name(seat, names), points) for seat, points in scores.items())
    if "pot" in facts:
        return (N("Score: {scores}; pot: {pot}.", scores=each, pot=facts["pot"]),)
    return (N("Score: {scores}.", scores=each),)


_COMMON = {"tie": _tie, "won": _win, "out": _knock_out, "score": _score}


# RPS Redeux


def _pairs(facts: Facts, names: Names) -> Sentences:
    pairs = [
        N("{one} against {other}", one=seat_name(pair[0], names), other=seat_name(pair[1], names))
        for pair in map(_seats, _seats(facts["pairs"]))
    ]
    if facts.get("games") == 1:
        return (_join_clauses(pairs),)
    return (join([N("Game {number} of {games}.", number=facts["game"], games=facts["games"]), _join_clauses(pairs)]),)


def _match_piles(facts: Facts, names: Names) -> Sentences:
    cards = facts["cards"]
    if not isinstance(cards, Mapping):
        return ()
    piles = join_counts((seat_name(seat, names), count) for seat, count in cards.items())
    return (N("Match piles: {piles}.", piles=piles),)


def _risk_bets(facts: Facts, names: Names) -> Sentences:
    bets = facts["bets"]
    if not isinstance(bets, Mapping):
        return ()
    clauses = [
        N("{name} bets {bet}", name=who, bet=bet) if bet else N("{name} doesn't bet", name=who)
        for who, bet in ((seat_name(seat, names), bet) for seat, bet in bets.items())
    ]
    return (_join_clauses(clauses),)


def _risk_rounds_begin(facts: Facts, names: Names) -> Sentences:
    pairs = [list_names(_seats(pair), names) for pair in _seats(facts["pairs"])]
    who = pairs[0]
    for pair in pairs[1:]:
        who = N("{some} and {last}", some=who, last=pair)
    return (N("Risk Rounds: {who} play on to {goal} points.", who=who, goal=facts["goal"]),)


def _pair_win(facts: Facts, names: Names) -> Sentences:
    name = seat_name(facts["seat"], names)
    if facts["phase"] == "primary game":
        return (N("{name} wins the Primary game.", name=name),)
    return (N("{name} wins the Risk Rounds.", name=name),)


def _both_at_goal(facts: Facts, names: Names) -> Sentences:
    who = list_names(_seats(facts["pair"]), names)
    return (N("{who} have both reached the goal: the next round won decides.", who=who),)


def _risk_hands(facts: Facts, names: Names) -> Sentences:
    who = list_names(_seats(facts["pair"]), names)
    return (N("{who} each take {cards}.", who=who, cards=cards_text(facts["each"])),)


def _risk_deck(facts: Facts, names: Names) -> Sentences:
    who = list_names(_seats(facts["pair"]), names)
    return (N("{who} share a shuffled Risk deck of {count} cards.", who=who, count=facts["cards"]),)


def _risk_draw(facts: Facts, names: Names) -> Sentences:
    name, card = seat_name(facts["seat"], names), card_word(facts["card"])
    return (N("{name} draws {card} and holds {cards}.", name=name, card=card, cards=cards_text(facts["hand"])),)


def _both_draw(facts: Facts, names: Names) -> Sentences:
    who, left = list_names(_seats(facts["pair"]), names), facts["left"]
    return (N("{who} discard their cards and draw one each; {left} left in the deck.", who=who, left=left),)


_REDEUX = {
    "pairs": _pairs,
    "sits out": _one_sentence(N("{name} sits this game out.")),
    "pile": _match_piles,
    "bets": _risk_bets,
    "risk rounds": _risk_rounds_begin,
    "pair won": _pair_win,
    "play on": _both_at_goal,
    "hands": _risk_hands,
    "risk deck": _risk_deck,
    "drawn": _risk_draw,
    "both draw": _both_draw,
}


# t|r


def _roll(facts: Facts, names: Names) -> Sentences:
    return (
        N(
            "{player} rolls {roll} against {master}: throws {throws}, rethrows {rethrows}, difficulty {difficulty}.",
            player=seat_name(1, names),
            master=seat_name(2, names),
            **{name: facts[name] for name in ("roll", "throws", "rethrows", "difficulty")},
        ),
    )


def _roll_throw(facts: Facts, names: Names) -> Sentences:
    player = seat_name(1, names)
    outcomes = {
        "win": N("a win for {name}", name=player),
        "tie": N("a tie for {name}", name=player),
        "lose": N("a loss for {name}", name=player),
    }
    values = {
        "number": facts["throw"],
        "count": facts["of"],
        "ends": outcomes.get(str(facts["outcome"]), str(facts["outcome"])),
        "throws": throws_text(facts, names),
    }
    if facts["phase"] == "rethrows":
        return (N("Rethrow {number} of {count}: {ends} ({throws}).", **values),)
    return (N("Throw {number} of {count}: {ends} ({throws}).", **values),)


def _rethrows(facts: Facts, names: Names) -> Sentences:
    count, wins = as_int(facts["rethrows"]), as_int(facts["wins"])
    rethrows = ngettext_lazy("{count} rethrow", "{count} rethrows", count)
    return (ngettext_lazy("{count} win earns {rethrows}.", "{count} wins earn {rethrows}.", wins, rethrows=rethrows),)


def _roll_result(facts: Facts, names: Names) -> Sentences:
    roll, outcome = facts["roll"], facts["outcome"]
    if outcome == "botch":
        return (N("{roll}: no wins and at least one loss: botch.", roll=roll),)
    if facts["degree"] is None:
        return (N("{roll}: only ties: failure.", roll=roll),)
    wins, degree = ngettext_lazy("{count} win", "{count} wins", as_int(facts["wins"])), facts["degree"]
    if outcome == "success":
        return (N("{roll}: {wins}, degree {degree}: success.", roll=roll, wins=wins, degree=degree),)
    return (N("{roll}: {wins}, degree {degree}: failure.", roll=roll, wins=wins, degree=degree),)


_TR = {"roll": _roll, "thrown": _roll_throw, "rethrows": _rethrows, "rolled": _roll_result}


# Future RPS


def _deal(facts: Facts, names: Names) -> Sentences:
    return (
        N(
            "Shuffle {each} rock, {each} paper and {each} scissors cards, and deal {hand} to each player.",
            each=facts["of each"],
            hand=facts["hand"],
        ),
    )


def _hand(facts: Facts, names: Names) -> Sentences:
    return (N("{name} holds {cards}.", name=seat_name(facts["seat"], names), cards=cards_text(facts["cards"])),)


def _turn(facts: Facts, names: Names) -> Sentences:
    first = seat_name(_seats(facts["order"])[0], names)
    turn = N("Turn {turn} of {turns}: {name} goes first.", turn=facts["turn"], turns=facts["turns"], name=first)
    if not facts["pot"]:
        return (turn,)
    return (join([turn, N("Already in the pot: {chips}.", chips=chips_text(facts["pot"]))]),)


def _claim(facts: Facts, names: Names) -> Sentences:
    name, claim = seat_name(facts["seat"], names), card_word(facts["claim"])
    if facts["changed"]:
        return (N("{name} swaps the card and claims {claim}.", name=name, claim=claim),)
    return (N("{name} plays a card face down and claims {claim}.", name=name, claim=claim),)


def _showdown(facts: Facts, names: Names) -> Sentences:
    throws, claims = facts["throws"], facts["claims"]
    if not isinstance(throws, Mapping) or not isinstance(claims, Mapping):
        return ()
    clauses = [
        N("{name} shows {throw}, as claimed", name=seat_name(seat, names), throw=card_word(throw))
        if claims.get(seat) == throw
        else N("{name} shows {throw}", name=seat_name(seat, names), throw=card_word(throw))
        for seat, throw in throws.items()
    ]
    return (_join_clauses(clauses),)


def _pot_win(facts: Facts, names: Names) -> Sentences:
    seats, remainder = _seats(facts["seats"]), as_int(facts["stays"])
    win = ngettext_lazy(
        "{who} wins {chips} from the pot.",
        "{who} each win {chips} from the pot.",
        len(seats),
        who=list_names(seats, names),
        chips=chips_text(facts["each"]),
    )
    if not remainder:
        return (win,)
    return (join([win, ngettext_lazy("{count} chip stays in it.", "{count} chips stay in it.", remainder)]),)


def _no_winner(facts: Facts, names: Names) -> Sentences:
    return (N("Nobody wins. In the pot: {chips}.", chips=chips_text(facts["pot"])),)


_FUTURE = {
    "deal": _deal,
    "hand": _hand,
    "turn": _turn,
    "blind": _one_sentence(N("{name} pays the blind of {chips}.")),
    "claim": _claim,
    "bet": _one_sentence(N("{name} bets {chips}.")),
    "folded": _one_sentence(N("{name} folds.")),
    "called": _one_sentence(N("{name} calls.")),
    "pot taken": _one_sentence(N("{name} takes {chips} without showing.")),
    "revealed": _showdown,
    "pot won": _pot_win,
    "nobody wins": _no_winner,
}


# Battle

BATTLE_OPTIONS: Mapping[str, LazyText] = {
    "blitz": N("Blitz"),
    "classic": N("Classic"),
    "inverted": N("Inverted"),
    "count": N("Count", "an option of Battle"),
    "team": N("Team"),
    "survivor": N("Survivor"),
}
"""The names of a round's options."""
MAX_LISTED_NAMES = 8
"""More people than this are counted, not named."""


def _battle_names(seats: Sequence[Json], names: Names) -> str:
    if len(seats) <= MAX_LISTED_NAMES:
        return list_names(seats, names)
    return ngettext_lazy("{count} player", "{count} players", len(seats))


def _option_name(option: Json) -> str:
    return BATTLE_OPTIONS.get(str(option), str(option))


def _battle_round(facts: Facts, names: Names) -> Sentences:
    counts, table, outcomes = facts["counts"], facts["table"], facts["outcomes"]
    if not (isinstance(counts, Mapping) and isinstance(table, Mapping) and isinstance(outcomes, Mapping)):
        return ()
    options = _seats(facts["options"])
    title = join([N("Round {number}", number=facts["round"]), *map(_option_name, options)], ", ")
    throws = join([join([str(count), card_word(throw)]) for throw, count in counts.items()], ", ")
    lines: list[str] = [join([title, join([throws, "."], "")], ": ")]
    if {"inverted", "count"} & set(map(str, options)):
        lines.append(capitalise(_join_clauses([_beats_clause(str(pair), best) for pair, best in table.items()])))
    for outcome, sentence in _BATTLE_OUTCOMES.items():
        seats = [seat for seat, end in outcomes.items() if end == outcome]
        if seats:
            lines.append(sentence(len(seats), _battle_names(seats, names)))
    return tuple(lines)


_BATTLE_OUTCOMES: Mapping[str, Callable[[int, str], LazyText]] = {
    "win": lambda count, who: ngettext_lazy("{who} wins.", "{who} win.", count, who=who),
    "loss": lambda count, who: ngettext_lazy("{who} loses.", "{who} lose.", count, who=who),
    "tie": lambda count, who: ngettext_lazy("{who} ties.", "{who} tie.", count, who=who),
}


def _beats_clause(pair: str, best: Json) -> LazyText:
    """Return which of a pair of throws, such as "rock-paper", beats the other this round."""
    one, other = pair.split("-")
    if best == "tie":
        return N("{one} ties with {other}", one=card_word(one), other=card_word(other))
    return N("{one} beats {other}", one=card_word(best), other=card_word(other if best == one else one))


def _teams(facts: Facts, names: Names) -> Sentences:
    one, other = (_battle_names(_seats(team), names) if team else N("nobody") for team in _seats(facts["teams"]))
    return (N("Teams: {one} against {other}.", one=one, other=other),)


def _round_options(facts: Facts, names: Names) -> Sentences:
    options = [_option_name(option) for option in _seats(facts["on"])]
    return (
        N(
            "{name} decides for round {number}: {options}.",
            name=seat_name(facts["decides"], names),
            number=facts["round"],
            options=join(options, ", ") if options else N("no options"),
        ),
    )


def _second_look(facts: Facts, names: Names) -> Sentences:
    who = _battle_names(_seats(facts["seats"]), names)
    return (N("{who} may look first: {throws}.", who=who, throws=throws_text(facts, names)),)


def _health(facts: Facts, names: Names) -> Sentences:
    health, out = facts["health"], _seats(facts["out"])
    if not isinstance(health, Mapping):
        return ()
    points = join_counts((seat_name(seat, names), points) for seat, points in health.items())
    lines = [N("Health: {health}.", health=points)]
    if out:
        lines.append(ngettext_lazy("{who} is out.", "{who} are out.", len(out), who=_battle_names(out, names)))
    return tuple(lines)


def _player_changes(facts: Facts, names: Names) -> Sentences:
    """Return who left, who joined and who started over between two rounds."""
    left, joined, reset = (_seats(facts[name]) for name in ("left", "joined", "reset"))
    lines = (
        ngettext_lazy("{who} leaves.", "{who} leave.", len(left), who=_battle_names(left, names)) if left else "",
        ngettext_lazy("{who} joins.", "{who} join.", len(joined), who=_battle_names(joined, names)) if joined else "",
        ngettext_lazy("{who} starts over.", "{who} start over.", len(reset), who=_battle_names(reset, names))
        if reset
        else "",
    )
    return tuple(line for line in lines if line)


_BATTLE = {
    "round": _battle_round,
    "teams": _teams,
    "options": _round_options,
    "second look": _second_look,
    "random throws": _one_sentence(N("Drawn at random: {throws}.")),
    "best throws": _one_sentence(N("Best throw, made by the box: {throws}.")),
    "health": _health,
    "survivor": _one_sentence(N("{name} is the survivor: everyone's health is restored.")),
    "table": _player_changes,
}


# The board game

_PIECES = {
    "R": N("{name}'s Rock"),
    "P": N("{name}'s Paper"),
    "S": N("{name}'s Scissors"),
    "F": N("{name}'s Flag"),
}
_DIRECTIONS = {
    "E": N("to the East"),
    "NE": N("to the North-East"),
    "NW": N("to the North-West"),
    "W": N("to the West"),
    "SW": N("to the South-West"),
    "SE": N("to the South-East"),
}
_BOARD_ENDS = {
    "flag": N("{loser} has lost a Flag, and the game."),
    "both flags": N("{loser} has lost both Flags, and the game."),
    "no move": N("{loser} has no move left and loses."),
    "nobody can move": N("Draw: nobody can move."),
    "repetition": N("Draw: the position has been repeated too often."),
    "quiet": N("Draw: no capture for too long."),
}


def _sides(facts: Facts, names: Names) -> Sentences:
    south, north = seat_name(facts["south"], names), seat_name(facts["north"], names)
    sides = N("{south} plays South and moves first; {north} plays North.", south=south, north=north)
    return (sides, N(str(facts["notice"])))


def _move(facts: Facts, names: Names) -> Sentences:
    name = seat_name(facts["seat"], names)
    origin, _, target = str(facts["move"]).partition(">")
    if target:
        line = N("{name} moves {here} to {there}.", name=name, here=origin, there=target)
    else:
        space, _, direction = origin.partition("*")
        towards = _DIRECTIONS.get(direction, direction)
        line = N("{name} spreads {here} {towards}.", name=name, here=space, towards=towards)
    removed = [str(piece) for piece in _seats(facts.get("off", ()))]
    owners = {"0": seat_name(facts["south"], names), "1": seat_name(facts["north"], names)}
    pieces = [
        _piece_count(N(_PIECES[piece[0]], name=owners[piece[1]]), removed.count(piece))
        for piece in dict.fromkeys(removed)
    ]
    return (join([line, N("Off the board: {things}.", things=join(pieces, ", "))]) if pieces else line,)


def _piece_count(piece: LazyText, count: int) -> LazyText:
    return N("{thing} ({count} times)", thing=piece, count=count) if count > 1 else piece


def _board_end(facts: Facts, names: Names) -> Sentences:
    sentence = _BOARD_ENDS.get(str(facts["reason"]))
    return (N("The game is over.") if sentence is None else N(sentence, loser=seat_name(facts["loser"], names)),)


_BOARD = {
    "board": _sides,
    "begins": _one_sentence(N("{name} moves first ({throws}).")),
    "moved": _move,
    "passed": _one_sentence(N("{name} can't move and passes.")),
    "over": _board_end,
}


EVENT_SENTENCES: Mapping[str, SentenceMaker] = {
    **_COMMON,
    **_REDEUX,
    **_TR,
    **_FUTURE,
    **_BATTLE,
    **_BOARD,
}
"""What makes the sentences for each kind of event; its arguments are the event's facts and the players' names."""
