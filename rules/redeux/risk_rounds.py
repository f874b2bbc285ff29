"""RPS Redeux, second part: the Risk Rounds, in which a pair bets points on every round until one of them holds 100."""

from collections.abc import Mapping

from rules.engine import Ask, Json, Say, Seat, Setup, Span
from rules.parallel import Part
from rules.redeux.table import POINTS, BareHands, Pair, ScoreCards, by_seat, for_both, hands_of, said_of
from rules.throws import decided

BET_SECONDS = 20
"""Time to bet; a player who lets it pass has not bet."""


def risk_rounds(pair: Pair, scores: ScoreCards, house: Setup) -> Part[Seat]:
    """The first to hold the goal wins at once. Two who hold it together play on until one wins a decisive round."""
    hands = hands_of(pair, house)
    there = at_goal(pair, scores, house)
    if len(there) != 1:
        yield from hands.take_hands()
        yield from hands.lay_out_risk_deck()
    number = 1
    if len(there) == 2:
        yield Say("play on", {"pair": list(pair)})
        there = [(yield from risk_round(pair, number, hands, scores, house))]
    while not there:
        yield from risk_round(pair, number, hands, scores, house)
        there = at_goal(pair, scores, house)  # one at most: only the winner of a round gains
        number += 1
    yield Say("pair won", {"pair": list(pair), "seat": there[0], "phase": "risk rounds"})
    return there[0]


def at_goal(pair: Pair, scores: ScoreCards, house: Setup) -> list[Seat]:
    """Who of a pair holds the goal or more."""
    return [seat for seat in pair if scores.points[seat] >= house.number("goal")]


def risk_round(pair: Pair, number: int, hands: BareHands, scores: ScoreCards, house: Setup) -> Part[Seat]:
    """Cards face down, bets, then the shout. Winner: twice the own bet, or 5 without one; loser: minus the own bet.
    After a tie the round is thrown again with the same bets, unless the house asks again. After every throw both cards
    are replaced, but for the one that wins the Risk Rounds at once."""
    about: dict[str, Json] = {
        "phase": "risk rounds",
        "round": for_both(pair, number),
        "points": by_seat({seat: scores.points[seat] for seat in pair}),
        "goal": house.number("goal"),
    }
    yield from hands.place(about)
    bets = yield from place_bets(pair, scores, house, about)
    thrown = yield from hands.shoot({**about, "bets": by_seat(bets)})
    while not (ends := decided(thrown)):
        yield said_of("tie", pair, number, thrown, bets=house.word("tied_bets"))
        yield from hands.discard_and_draw()
        about = {**about, "again": list(pair)}
        yield from hands.place(about)
        if house.word("tied_bets") == "ask":
            bets = yield from place_bets(pair, scores, house, about)
        thrown = yield from hands.shoot({**about, "bets": by_seat(bets)})
    winner, loser = ends
    won, lost = 2 * bets[winner] or POINTS, bets[loser]
    scores.score(winner, won)
    scores.score(loser, -lost)
    yield said_of("won", pair, number, thrown, seat=winner, points=won, lost=lost)
    yield scores.said()
    if not at_goal(pair, scores, house):
        yield from hands.discard_and_draw()
    return winner


def place_bets(pair: Pair, scores: ScoreCards, house: Setup, about: Mapping[str, Json]) -> Part[dict[Seat, int]]:
    """Each player may bet a multiple of 5, at most their points; 0 is no bet. Who has fewer than 5 points is not
    asked. The bets are opened when all are in, and stand."""
    bets = dict.fromkeys(pair, 0)
    may_bet = {seat: Span(0, scores.points[seat], POINTS) for seat in pair if scores.points[seat] >= POINTS}
    if may_bet:
        answers = yield Ask(
            "bet", may_bet, sealed=house.word("bets") == "sealed", seconds=BET_SECONDS, default=0, about=about
        )
        bets |= {seat: int(bet or 0) for seat, bet in answers.items()}
        yield Say("bets", {"pair": list(pair), "bets": by_seat(bets)})
    return bets
