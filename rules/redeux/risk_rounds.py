"""The Risk Rounds of RPS Redeux: a pair bets points on every round until one player reaches the goal."""

from collections.abc import Mapping

from rules.engine import FactValue, FactValues, IntRange, Prompt, SealedPrompt, Seat, Setup, TimeLimit
from rules.events import BetsOpened, Pair
from rules.parallel import GameStep
from rules.redeux.events import PairTie, PairWon, PlayOn, RoundWon
from rules.redeux.table import ROUND_POINTS, BareHands, ScoreCards, new_hands
from rules.throws import winner_and_loser

BET_TIME_LIMIT = TimeLimit(20, default=0)
"""For a bet; after that the player does not bet."""


def play_risk_rounds(pair: Pair, scores: ScoreCards, setup: Setup) -> GameStep[Seat]:
    """Play until a player reaches the goal, and return that player. Two who have both reached it before play on until
    one wins a decisive round."""
    hands = new_hands(pair, setup)
    winners = seats_at_goal(pair, scores, setup)
    if len(winners) != 1:
        yield from hands.take_cards()
        yield from hands.lay_out_risk_deck()
    number = 1
    if len(winners) == 2:
        yield PlayOn(pair)
        winners = [(yield from play_risk_round(pair, number, hands, scores, setup))]
    while not winners:
        yield from play_risk_round(pair, number, hands, scores, setup)
        winners = seats_at_goal(pair, scores, setup)  # one at most: only the winner of a round gains
        number += 1
    yield PairWon(pair, winners[0], "risk rounds")
    return winners[0]


def seats_at_goal(pair: Pair, scores: ScoreCards, setup: Setup) -> list[Seat]:
    """Return those of a pair who have reached the goal."""
    return [seat for seat in pair if scores.points[seat] >= setup.number("goal")]


def play_risk_round(pair: Pair, number: int, hands: BareHands, scores: ScoreCards, setup: Setup) -> GameStep[Seat]:
    """Play a decisive round and return its winner: cards face down, bets, then the shout.

    "Once both players have placed their cards down and have made their bets, the players state the phrase"
    (redeux.txt, Risk Rounds, How to Play): nobody knows a bet while they can still choose a throw. Hands are chosen on
    the shout, so bets are opened with the throws that decide the round; cards lie face down before the bets.

    The winner gains twice their bet, or 5 without one; the loser loses their bet. Ties are thrown again with new bets,
    or with the same ones (option ``tied_bets``). After every throw both cards are replaced, unless it ended the game.
    """
    ask_again = setup.choice("tied_bets") == "ask"
    opened_before = hands.opens_bets_before_shout(setup.choice("bets") == "sealed")
    about: dict[str, FactValue] = {
        "phase": "risk rounds",
        "round": dict.fromkeys(pair, number),
        "points": {seat: scores.points[seat] for seat in pair},
        "goal": setup.number("goal"),
    }
    yield from hands.place(about)
    bets = yield from place_bets(pair, scores, setup, about, hands.own_facts(), opened_later=not opened_before)
    while True:
        known: dict[str, FactValue] = {"bets": bets} if opened_before else {}
        throws = yield from hands.shoot({**about, **known})
        result = winner_and_loser(throws)
        if not opened_before and (result or ask_again):
            yield from open_bets(pair, bets, scores)
        if result:
            break
        yield PairTie(pair, number, throws, setup.choice("tied_bets"))
        yield from hands.discard_and_draw()
        about = {**about, "again": list(pair)}
        yield from hands.place(about)
        if ask_again:
            own_facts = hands.own_facts()
            bets = yield from place_bets(pair, scores, setup, about, own_facts, opened_later=not opened_before)
    winner, loser = result
    won, lost = 2 * bets[winner] or ROUND_POINTS, bets[loser]
    scores.add_points(winner, won)
    scores.add_points(loser, -lost)
    yield RoundWon(pair, number, throws, winner, won, lost)
    yield scores.score_event()
    if not seats_at_goal(pair, scores, setup):
        yield from hands.discard_and_draw()
    return winner


def place_bets(
    pair: Pair,
    scores: ScoreCards,
    setup: Setup,
    about: Mapping[str, FactValue],
    own_facts: Mapping[Seat, FactValues],
    *,
    opened_later: bool,
) -> GameStep[dict[Seat, int]]:
    """Ask for bets and return them: multiples of 5 up to the player's points, or 0 for none. A player with fewer than
    5 points is not asked. With ``opened_later`` they stay sealed until the caller opens them."""
    bets = dict.fromkeys(pair, 0)
    can_bet = {
        seat: IntRange(0, scores.points[seat], ROUND_POINTS) for seat in pair if scores.points[seat] >= ROUND_POINTS
    }
    if can_bet:
        prompt = Prompt("bet", can_bet, about, time_limit=BET_TIME_LIMIT, own_facts=own_facts)
        if opened_later or setup.choice("bets") == "sealed":
            opened_by = "bets" if opened_later else None
            prompt = SealedPrompt(
                "bet", can_bet, about, time_limit=BET_TIME_LIMIT, own_facts=own_facts, opened_by=opened_by
            )
        answers = yield prompt
        bets |= {seat: int(bet or 0) for seat, bet in answers.items()}
        if not opened_later:
            yield from open_bets(pair, bets, scores)
    return bets


def open_bets(pair: Pair, bets: Mapping[Seat, int], scores: ScoreCards) -> GameStep[None]:
    """Open a pair's bets, unless neither player had the points for one."""
    if max(scores.points[seat] for seat in pair) >= ROUND_POINTS:
        yield BetsOpened(pair, bets)
