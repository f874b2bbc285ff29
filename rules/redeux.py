"""RPS Redeux: the Primary game for pairs of players, and the Risk Rounds, in which points are bet on every round.

Thrown with hands, the box does not limit how often a throw is used, and the piles are counted, not dealt.
"""

from collections.abc import Mapping

from rules.script import Ask, Choices, Json, Option, Result, Rules, Say, Script, Seat, Setup, Span, said_scores
from rules.throws import Thrown, as_said, decided, shout
from rules.together import Part, on_one_shout

Pair = tuple[Seat, Seat]

ROUNDS = 3
"""Decisive rounds of a Primary game."""
POINTS = 5
"""Points for a round won without a bet; bets are multiples of it, and one needs as many to bet at all."""
BET_SECONDS = 20
"""Time to bet; a player who lets it pass has not bet."""


class ScoreCards:
    """Every player's score card: ``points`` of this game, with which Risk Rounds begin and end, and the total of
    all the match's games, which is what is said as the score."""

    def __init__(self, seats: range, games: int) -> None:
        self.points = dict.fromkeys(seats, 0)
        self.total = dict.fromkeys(seats, 0)
        self.games = games

    def new_game(self) -> None:
        """Everybody takes a new card."""
        self.points = dict.fromkeys(self.points, 0)

    def score(self, seat: Seat, points: int) -> None:
        """Write points won (or, negative, lost) on a player's card."""
        self.points[seat] += points
        self.total[seat] += points

    def said(self) -> Say:
        """The score; in a match of several games with the points of this game beside it."""
        return said_scores(self.total, **({"points": by_seat(self.points)} if self.games > 1 else {}))


def redeux(setup: Setup) -> Script:
    """A match: one game for an even number of players; for an odd number as many as there are players, so that
    each sits out once. One game is won by each pair's winner, several by whoever has most points in total."""
    seats = range(1, setup.seats + 1)
    games = setup.number("games") or (1 if setup.seats % 2 == 0 else setup.seats)
    cards = ScoreCards(seats, games)
    winners: list[Seat] = []
    for number in range(1, games + 1):
        cards.new_game()
        winners = yield from game(number, seats, cards, setup)
    if games > 1:
        most = max(cards.total.values())
        winners = [seat for seat in seats if cards.total[seat] == most]
    return Result(tuple(winners), cards.total)


def game(number: int, seats: range, cards: ScoreCards, house: Setup) -> Part[list[Seat]]:
    """One game of every pair at the table: Primary, and Risk Rounds for the pairs that want them. Gives each pair's
    winner."""
    pairs, out = paired(seats, number)
    yield Say("pairs", {"game": number, "games": cards.games, "pairs": [list(pair) for pair in pairs]})
    if out:
        yield Say("sits out", {"game": number, "seat": out})
    winners = yield from on_one_shout(primary_game(pair, cards) for pair in pairs)
    winner_of = dict(zip(pairs, winners, strict=True))
    going_on = yield from offer_risk_rounds(pairs, cards, house)
    if going_on:
        yield Say("risk rounds", {"pairs": [list(pair) for pair in going_on], "goal": house.number("goal")})
        winners = yield from on_one_shout(risk_rounds(pair, cards, house) for pair in going_on)
        winner_of |= zip(going_on, winners, strict=True)
    return list(winner_of.values())


def paired(seats: range, number: int) -> tuple[list[Pair], Seat | None]:
    """The pairs of game ``number``, in seat order, and who sits out. With an odd number that is the last seat in
    the first game, then seat 1, seat 2 and so on: over n games each sits out once."""
    playing = list(seats)
    out = None
    if len(seats) % 2:
        out = seats[(number - 2) % len(seats)]
        playing.remove(out)
    return list(zip(playing[::2], playing[1::2], strict=True)), out


def primary_game(pair: Pair, cards: ScoreCards) -> Part[Seat]:
    """Three decisive rounds, always all three; each gives its winner 5 points and both cards for the match pile.
    Most points wins."""
    pile = dict.fromkeys(pair, 0)
    for number in range(1, ROUNDS + 1):
        about: dict[str, Json] = {"phase": "primary game", "round": for_both(pair, number), "rounds": ROUNDS}
        thrown = yield from shout(pair, about)
        while not (ends := decided(thrown)):
            yield said_of("tie", pair, number, thrown)
            thrown = yield from shout(pair, {**about, "again": list(pair)})
        winner, _ = ends
        cards.score(winner, POINTS)
        pile[winner] += 2
        yield said_of("won", pair, number, thrown, seat=winner, points=POINTS)
        yield cards.said()
        yield Say("pile", {"pair": list(pair), "cards": by_seat(pile)})
    best = max(pair, key=lambda seat: cards.points[seat])
    yield Say("pair won", {"pair": list(pair), "seat": best, "phase": "primary game"})
    return best


def offer_risk_rounds(pairs: list[Pair], cards: ScoreCards, house: Setup) -> Part[list[Pair]]:
    """Ask every pair whether it plays on. Both players of a pair must say yes."""
    if house.word("risk") == "never":
        return []
    if house.word("risk") == "always":
        return pairs
    everybody = [seat for pair in pairs for seat in pair]
    about: dict[str, Json] = {
        "points": by_seat({seat: cards.points[seat] for seat in everybody}),
        "goal": house.number("goal"),
    }
    answers = yield Ask("risk", dict.fromkeys(everybody, Choices(("yes", "no"))), about=about)
    return [pair for pair in pairs if all(answers[seat] == "yes" for seat in pair)]


def risk_rounds(pair: Pair, cards: ScoreCards, house: Setup) -> Part[Seat]:
    """The first to hold the goal wins at once. Two who hold it together play on until one wins a decisive round."""
    number = 1
    there = at_goal(pair, cards, house)
    if len(there) == 2:
        yield Say("play on", {"pair": list(pair)})
        there = [(yield from risk_round(pair, number, cards, house))]
    while not there:
        yield from risk_round(pair, number, cards, house)
        there = at_goal(pair, cards, house)  # one at most: only the winner of a round gains
        number += 1
    yield Say("pair won", {"pair": list(pair), "seat": there[0], "phase": "risk rounds"})
    return there[0]


def at_goal(pair: Pair, cards: ScoreCards, house: Setup) -> list[Seat]:
    """Who of a pair holds the goal or more."""
    return [seat for seat in pair if cards.points[seat] >= house.number("goal")]


def risk_round(pair: Pair, number: int, cards: ScoreCards, house: Setup) -> Part[Seat]:
    """Bets, then the shout. Winner: twice the own bet, or 5 without one; loser: minus the own bet. After a tie the
    round is thrown again with the same bets, unless the house asks again."""
    about: dict[str, Json] = {
        "phase": "risk rounds",
        "round": for_both(pair, number),
        "points": by_seat({seat: cards.points[seat] for seat in pair}),
        "goal": house.number("goal"),
    }
    bets = yield from place_bets(pair, cards, house, about)
    thrown = yield from shout(pair, {**about, "bets": by_seat(bets)})
    while not (ends := decided(thrown)):
        yield said_of("tie", pair, number, thrown, bets=house.word("tied_bets"))
        about = {**about, "again": list(pair)}
        if house.word("tied_bets") == "ask":
            bets = yield from place_bets(pair, cards, house, about)
        thrown = yield from shout(pair, {**about, "bets": by_seat(bets)})
    winner, loser = ends
    won, lost = 2 * bets[winner] or POINTS, bets[loser]
    cards.score(winner, won)
    cards.score(loser, -lost)
    yield said_of("won", pair, number, thrown, seat=winner, points=won, lost=lost)
    yield cards.said()
    return winner


def place_bets(pair: Pair, cards: ScoreCards, house: Setup, about: Mapping[str, Json]) -> Part[dict[Seat, int]]:
    """Each player may bet a multiple of 5, at most their points; 0 is no bet. Who has fewer than 5 points is not
    asked. The bets are opened when all are in, and stand."""
    bets = dict.fromkeys(pair, 0)
    may_bet = {seat: Span(0, cards.points[seat], POINTS) for seat in pair if cards.points[seat] >= POINTS}
    if may_bet:
        answers = yield Ask(
            "bet", may_bet, sealed=house.word("bets") == "sealed", seconds=BET_SECONDS, default=0, about=about
        )
        bets |= {seat: int(bet or 0) for seat, bet in answers.items()}
        yield Say("bets", {"pair": list(pair), "bets": by_seat(bets)})
    return bets


def said_of(kind: str, pair: Pair, number: int, thrown: Thrown, **more: Json) -> Say:
    """What a pair's throws in a round came to."""
    return Say(kind, {"pair": list(pair), "round": number, "throws": as_said(thrown), **more})


def by_seat(facts: Mapping[Seat, int]) -> dict[str, Json]:
    """Facts by seat as a Say tells them."""
    return {str(seat): fact for seat, fact in facts.items()}


def for_both(pair: Pair, fact: int) -> dict[str, Json]:
    """A fact that holds for both players of a pair."""
    return by_seat(dict.fromkeys(pair, fact))


OPTIONS = (
    Option("games", Span(0, 100), 0, "how many games; 0 is one, or with an odd number of players one for each of them"),
    Option("risk", Choices(("ask", "always", "never")), "ask", "whether pairs go on to the Risk Rounds"),
    Option("goal", Span(5, 1000, 5), 100, "the points that win the Risk Rounds"),
    Option("bets", Choices(("sealed", "open")), "sealed", "whether others see a bet before all bets are in"),
    Option("tied_bets", Choices(("stand", "ask")), "stand", "whether bets stand or are asked again after a tie"),
)

REDEUX = Rules(
    name="redeux",
    title="RPS Redeux",
    version=1,
    fewest=2,
    most=8,
    about="Pairs play three decisive rounds of 5 points; then, if both want, Risk Rounds with bets, to 100 points.",
    options=OPTIONS,
    script=redeux,
)
