"""RPS Redeux: the Primary game for pairs of players, and the Risk Rounds, in which points are bet on every round.

Thrown with hands, the box does not limit how often a throw is used, and the piles are counted, not dealt. Thrown with
cards, a throw is a card its player holds, put face down before the shout.
"""

from rules.engine import Ask, Choices, Json, Option, Result, Rules, Say, Script, Seat, Setup, Span
from rules.parallel import Part, on_one_shout
from rules.redeux.risk_rounds import risk_rounds
from rules.redeux.table import POINTS, Pair, ScoreCards, by_seat, for_both, hands_of, said_of
from rules.throws import decided

ROUNDS = 3
"""Decisive rounds of a Primary game."""


def redeux(setup: Setup) -> Script:
    """A match: one game for an even number of players; for an odd number as many as there are players, so that
    each sits out once. One game is won by each pair's winner, several by whoever has most points in total."""
    seats = range(1, setup.seats + 1)
    games = setup.number("games") or (1 if setup.seats % 2 == 0 else setup.seats)
    scores = ScoreCards(seats, games)
    winners: list[Seat] = []
    for number in range(1, games + 1):
        scores.new_game()
        winners = yield from game(number, seats, scores, setup)
    if games > 1:
        most = max(scores.total.values())
        winners = [seat for seat in seats if scores.total[seat] == most]
    return Result(tuple(winners), scores.total)


def game(number: int, seats: range, scores: ScoreCards, house: Setup) -> Part[list[Seat]]:
    """One game of every pair at the table: Primary, and Risk Rounds for the pairs that want them. Gives each pair's
    winner."""
    pairs, out = paired(seats, number)
    yield Say("pairs", {"game": number, "games": scores.games, "pairs": [list(pair) for pair in pairs]})
    if out:
        yield Say("sits out", {"game": number, "seat": out})
    winners = yield from on_one_shout(primary_game(pair, scores, house) for pair in pairs)
    winner_of = dict(zip(pairs, winners, strict=True))
    going_on = yield from offer_risk_rounds(pairs, scores, house)
    if going_on:
        yield Say("risk rounds", {"pairs": [list(pair) for pair in going_on], "goal": house.number("goal")})
        winners = yield from on_one_shout(risk_rounds(pair, scores, house) for pair in going_on)
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


def primary_game(pair: Pair, scores: ScoreCards, house: Setup) -> Part[Seat]:
    """Three decisive rounds, always all three; each gives its winner 5 points and both cards for the match pile.
    Most points wins."""
    hands = hands_of(pair, house)
    yield from hands.take_hands()
    pile = dict.fromkeys(pair, 0)
    for number in range(1, ROUNDS + 1):
        about: dict[str, Json] = {"phase": "primary game", "round": for_both(pair, number), "rounds": ROUNDS}
        yield from hands.place(about)
        thrown = yield from hands.shoot(about)
        while not (ends := decided(thrown)):  # the cards go back to the hands
            yield said_of("tie", pair, number, thrown)
            about = {**about, "again": list(pair)}
            yield from hands.place(about)
            thrown = yield from hands.shoot(about)
        winner, _ = ends
        scores.score(winner, POINTS)
        hands.give_to_match_pile()
        pile[winner] += 2
        yield said_of("won", pair, number, thrown, seat=winner, points=POINTS)
        yield scores.said()
        yield Say("pile", {"pair": list(pair), "cards": by_seat(pile)})
    best = max(pair, key=lambda seat: scores.points[seat])
    yield Say("pair won", {"pair": list(pair), "seat": best, "phase": "primary game"})
    return best


def offer_risk_rounds(pairs: list[Pair], scores: ScoreCards, house: Setup) -> Part[list[Pair]]:
    """Ask every pair whether it plays on. Both players of a pair must say yes."""
    if house.word("risk") == "never":
        return []
    if house.word("risk") == "always":
        return pairs
    everybody = [seat for pair in pairs for seat in pair]
    about: dict[str, Json] = {
        "points": by_seat({seat: scores.points[seat] for seat in everybody}),
        "goal": house.number("goal"),
    }
    answers = yield Ask("risk", dict.fromkeys(everybody, Choices(("yes", "no"))), about=about)
    return [pair for pair in pairs if all(answers[seat] == "yes" for seat in pair)]


OPTIONS = (
    Option("games", Span(0, 100), 0, "games in a match; 0: one, or where the number of players is odd, one for each"),
    Option("play_with", Choices(("hands", "cards")), "hands", "what is thrown: hands, or cards from a hand of nine"),
    Option("cards", Choices(("box", "table")), "box", "the Risk deck: the box's own, or printed cards on the table"),
    Option("risk", Choices(("ask", "always", "never")), "ask", "whether a pair plays on with bets, in the Risk Rounds"),
    Option("goal", Span(5, 1000, 5), 100, "how many points win the Risk Rounds"),
    Option("bets", Choices(("sealed", "open")), "sealed", "whether bets stay unseen until all are in, or are open"),
    Option("tied_bets", Choices(("stand", "ask")), "stand", "whether bets stand after a tie, or are asked again"),
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
