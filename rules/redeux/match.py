"""RPS Redeux: a Primary game for each pair of players, then Risk Rounds, in which points are bet on every round.

With hands the box does not limit how often a throw is used, and only counts the match piles. With cards a throw is a
card the player holds, placed face down before the shout: chosen on the screen, or a printed one.
"""

from collections.abc import Sequence

from messages import N, join
from rules.engine import (
    Answers,
    Choices,
    FactValue,
    Game,
    IllegalSetupError,
    IntRange,
    Option,
    Prompt,
    Result,
    Rules,
    SampleMatch,
    Script,
    Seat,
    Setup,
    Variation,
)
from rules.engine.explanation import BeatsScene, ExplanationPage, OutcomeLine, OutcomesScene, ThrowScene
from rules.engine.play import excerpt
from rules.events import Pair, Pairs
from rules.parallel import GameStep, run_in_parallel
from rules.redeux.events import Boxes, MatchPiles, PairTie, PairWon, RiskRoundsBegin, RoundWon, SitsOut
from rules.redeux.risk_rounds import play_risk_rounds
from rules.redeux.table import (
    BOX_CARDS_PER_THROW,
    PAIR_CARDS_PER_THROW,
    PAIRS_PER_BOX,
    ROUND_POINTS,
    ScoreCards,
    new_hands,
    uses_printed_cards,
)
from rules.redeux.text import TEXT
from rules.text import points_text
from rules.throws import Throw, winner_and_loser

PRIMARY_ROUNDS = 3
"""Decisive rounds of a Primary game."""
BOX_CARDS = BOX_CARDS_PER_THROW * len(Throw)
"""Cards in a box."""


def redeux(setup: Setup) -> Script:
    """Play one game if the number of players is even, else one per player, so that each sits out once. A single game
    is won by each pair's winner, a match of several by the highest total."""
    seats = range(1, setup.seats + 1)
    games = setup.number("games") or (1 if setup.seats % 2 == 0 else setup.seats)
    scores = ScoreCards(seats, games)
    if uses_printed_cards(setup):
        yield boxes_event(setup)
    winners: list[Seat] = []
    for number in range(1, games + 1):
        scores.new_game()
        winners = yield from play_game(number, seats, scores, setup)
    if games > 1:
        best = max(scores.total.values())
        winners = [seat for seat in seats if scores.total[seat] == best]
    return Result(tuple(winners), scores.total)


def check_setup(setup: Setup) -> None:
    """Refuse Risk Rounds that can't be dealt, and starting points that lead to none.

    A box of 72 serves four pairs in the Primary game, 18 cards each; Risk Rounds take all of one: "Remove the remaining
    cards (54 cards) from game box. ... This is the Risk Rounds deck." (redeux.txt, Risk Rounds, Setup)

    Raises:
        IllegalSetupError: Printed cards are played with, and more pairs may play Risk Rounds than there are boxes; or
            there are starting points, but no Risk Round to play.
    """
    if starting_points := setup.number("starting_points"):
        if setup.choice("risk") == "never":
            raise IllegalSetupError(N("starting points lead straight to the Risk Rounds, so risk can’t be never"))
        if starting_points >= setup.number("goal"):
            raise IllegalSetupError(
                N("the starting points must be fewer than the goal of {goal} points", goal=setup.number("goal"))
            )
    pairs = setup.seats // 2
    if uses_printed_cards(setup) and setup.choice("risk") != "never" and pairs > setup.number("boxes"):
        raise IllegalSetupError(
            N(
                "Risk Rounds take a whole box of {cards} cards, so {pairs} pairs need {pairs} boxes, not {boxes}: set "
                "the boxes to {pairs}, or play without Risk Rounds",
                cards=BOX_CARDS,
                pairs=pairs,
                boxes=setup.number("boxes"),
            )
        )


def boxes_event(setup: Setup) -> Boxes:
    """Return what the players take from their boxes of printed cards, and keep for the Risk Rounds."""
    pair_cards = PAIR_CARDS_PER_THROW * len(Throw)
    left = BOX_CARDS - pair_cards if setup.choice("risk") != "never" else None
    return Boxes(setup.number("boxes"), BOX_CARDS, pair_cards, left)


def play_game(number: int, seats: range, scores: ScoreCards, setup: Setup) -> GameStep[list[Seat]]:
    """Play a game of all pairs: Primary, then Risk Rounds for the pairs that want them. Return each pair's winner.

    With starting points everybody plays Risk Rounds at once, with those points instead of those of a Primary game.
    """
    pairs, sitting_out = pair_up(seats, number)
    yield Pairs(number, scores.games, pairs)
    if sitting_out:
        yield SitsOut(number, sitting_out)
    winner_of: dict[Pair, Seat] = {}
    if starting_points := setup.number("starting_points"):
        for seat in (seat for pair in pairs for seat in pair):
            scores.add_points(seat, starting_points)
        risking = pairs
    else:
        winners = yield from run_in_parallel(play_primary_game(pair, scores, setup) for pair in pairs)
        winner_of |= zip(pairs, winners, strict=True)
        risking = yield from offer_risk_rounds(pairs, scores, setup)
    if risking:
        yield RiskRoundsBegin(risking, setup.number("goal"), starting_points or None)
        if starting_points:
            yield scores.score_event()
        winners = yield from run_in_parallel(play_risk_rounds(pair, scores, setup) for pair in risking)
        winner_of |= zip(risking, winners, strict=True)
    return list(winner_of.values())


def pair_up(seats: range, number: int) -> tuple[list[Pair], Seat | None]:
    """Return the pairs of game ``number`` in seat order, and the seat that sits out if the number of players is odd:
    the last seat in the first game, then seat 1, seat 2 and so on, so that over n games each sits out once."""
    playing = list(seats)
    sitting_out = None
    if len(seats) % 2:
        sitting_out = seats[(number - 2) % len(seats)]
        playing.remove(sitting_out)
    return list(zip(playing[::2], playing[1::2], strict=True)), sitting_out


def play_primary_game(pair: Pair, scores: ScoreCards, setup: Setup) -> GameStep[Seat]:
    """Play three decisive rounds and return the winner. Each round gives its winner 5 points and both cards for the
    match pile; all three are always played, and most points wins."""
    hands = new_hands(pair, setup)
    yield from hands.take_cards()
    pile = dict.fromkeys(pair, 0)
    for number in range(1, PRIMARY_ROUNDS + 1):
        about: dict[str, FactValue] = {
            "phase": "primary game",
            "round": dict.fromkeys(pair, number),
            "rounds": PRIMARY_ROUNDS,
        }
        yield from hands.place(about)
        while not (result := winner_and_loser(throws := (yield from hands.shoot(about)))):
            yield PairTie(pair, number, throws)  # the cards go back to the hands
            about = {**about, "again": list(pair)}
            yield from hands.place(about)
        winner, _ = result
        scores.add_points(winner, ROUND_POINTS)
        hands.give_to_match_pile()
        pile[winner] += 2
        yield RoundWon(pair, number, throws, winner, ROUND_POINTS)
        yield scores.score_event()
        yield MatchPiles(pair, pile)
    best = max(pair, key=lambda seat: scores.points[seat])
    yield PairWon(pair, best, "primary game")
    return best


def offer_risk_rounds(pairs: list[Pair], scores: ScoreCards, setup: Setup) -> GameStep[list[Pair]]:
    """Return the pairs that play Risk Rounds. If they are asked, both players of a pair must say yes."""
    if setup.choice("risk") == "never":
        return []
    if setup.choice("risk") == "always":
        return pairs
    seats = [seat for pair in pairs for seat in pair]
    about: dict[str, FactValue] = {
        "points": {seat: scores.points[seat] for seat in seats},
        "goal": setup.number("goal"),
    }
    answers = yield Prompt("risk", dict.fromkeys(seats, Choices(("yes", "no"))), about)
    return [pair for pair in pairs if all(answers[seat] == "yes" for seat in pair)]


OPTIONS = (
    Option(
        "games",
        IntRange(0, 100),
        0,
        N("games per match; enough for all (0): one, or one per player if their number is odd"),
    ),
    Option(
        "play_with",
        Choices(("hands", "cards")),
        "hands",
        N("hands, which never run out and throw after the bets, or cards from a hand of nine, laid before them"),
    ),
    Option(
        "cards", Choices(("box", "table")), "box", N("the Risk deck: dealt by the box, or printed cards on the table")
    ),
    Option(
        "boxes",
        IntRange(1, PAIRS_PER_BOX),
        1,
        N("boxes of 72 printed cards; Risk Rounds take one for each pair"),
    ),
    Option(
        "risk",
        Choices(("ask", "always", "never")),
        "ask",
        N("Risk Rounds with bets after the Primary game; their time varies greatly"),
    ),
    Option("goal", IntRange(5, 1000, 5), 100, N("points needed to win the Risk Rounds")),
    Option(
        "starting_points",
        IntRange(0, 95, ROUND_POINTS),
        0,
        N("a variation: straight to the Risk Rounds with so many points, without a Primary game"),
    ),
    Option(
        "bets",
        Choices(("sealed", "open")),
        "sealed",
        N("hide bets until all are in, or show each; with hands, hidden until all have thrown"),
    ),
    Option("tied_bets", Choices(("stand", "ask")), "ask", N("after a tie, keep the bets or ask for new ones")),
)

# "Approximated Play Time: 90 seconds per 3-round game", "varies greatly" for Risk Rounds, "Age: 7+" (redeux.txt)


USUAL_STARTING_POINTS = 20
"""Points of the variation that the set-up offers."""
SAMPLE_BET = 10
"""The bet on the page about bets."""
SAMPLE_THROWS: tuple[Answers, ...] = (
    {1: "rock", 2: "scissors", 3: "paper", 4: "rock", 5: "rock", 6: "paper", 7: "scissors", 8: "rock"},
    {1: "paper", 2: "scissors", 3: "rock", 4: "scissors", 5: "paper", 6: "scissors", 7: "rock", 8: "paper"},
    {1: "scissors", 2: "paper", 3: "rock", 4: "paper", 5: "scissors", 6: "rock", 7: "paper", 8: "scissors"},
    {1: "paper", 2: "rock", 3: "rock", 4: "paper", 5: "scissors", 6: "rock", 7: "paper", 8: "scissors"},
)


def how_to_play(game: Game) -> Sequence[ExplanationPage]:
    """Return the pages, with the goal and the bets as the options have them."""
    setup = game.setup
    with_cards = setup.choice("play_with") == "cards"
    scene = ThrowScene("cards" if uses_printed_cards(setup) else "screen" if with_cards else None)
    throws: dict[str, Sequence[Answers]] = {"throw": SAMPLE_THROWS, "place": SAMPLE_THROWS}
    starting_points = setup.number("starting_points")
    bet = min(SAMPLE_BET, starting_points or SAMPLE_BET)
    wanted = {
        **throws,
        "risk": [dict.fromkeys(range(1, setup.seats + 1), "yes")],
        "bet": [{1: bet, 2: ROUND_POINTS}],
    }
    begun = _primary_text(setup.seats)
    if starting_points:
        points = points_text(starting_points)
        begun = N("A variation: there is no Primary game. Everybody begins with {points}.", points=points)
    pages = [
        ExplanationPage(BeatsScene()),
        ExplanationPage(scene, N("Your hand has three cards of each kind.") if with_cards else ""),
        ExplanationPage(excerpt(game, wanted, "place" if with_cards else "throw"), begun),
    ]
    if setup.choice("risk") == "never":
        return pages
    tied = N("the bets stand") if setup.choice("tied_bets") == "stand" else N("bet again")
    hidden = setup.choice("bets") == "sealed" or not with_cards
    return [
        *pages,
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(("coin", "crown"), N("bet {bet} and win", bet=bet), f"+{2 * bet}", True),
                    OutcomeLine(("coin",), N("bet {bet} and lose", bet=bet), f"−{bet}", False),
                    OutcomeLine(("crown",), N("win without a bet"), f"+{ROUND_POINTS}", True),
                    OutcomeLine((), N("lose without a bet"), "0"),
                    OutcomeLine(("level",), N("tie"), tied),
                )
            ),
            N("Risk Rounds: bet your points. You win twice your bet, or lose it."),
        ),
        ExplanationPage(
            excerpt(game, wanted, "bet"),
            join(
                [
                    N("Bets stay hidden until all throws are fixed.") if hidden else N("Everybody sees the bets."),
                    N("Whoever has {goal} points first wins.", goal=setup.number("goal")),
                ]
            ),
        ),
    ]


def _primary_text(seats: int) -> str:
    if seats % 2:
        text = N("You play in pairs; one sits out, in turn. A round won is worth {points} points. Most points wins.")
    elif seats > 2:
        text = N("You play in pairs. A round won is worth {points} points. After three rounds, most points wins.")
    else:
        text = N("A round won is worth {points} points. After three rounds, most points wins.")
    return N(text, points=ROUND_POINTS)


REDEUX = Rules(
    name="redeux",
    title=N("RPS Redeux"),
    version=2,
    min_players=2,
    picture=("rock", "coin", "scissors"),
    max_players=8,
    description=N(
        "Pairs play three rounds worth 5 points each; then, if both agree, they bet in Risk Rounds up to 100 points."
    ),
    options=OPTIONS,
    script=redeux,
    text=TEXT,
    samples=(SampleMatch(2, {"risk": "always", "goal": 40}),),
    demos=(
        SampleMatch(2, {"risk": "always"}),
        SampleMatch(2, {"risk": "always", "play_with": "cards", "cards": "table"}),
    ),
    uses_printed_cards=uses_printed_cards,
    check=check_setup,
    variation=Variation(N("Risk Rounds at once"), {"starting_points": USUAL_STARTING_POINTS}),
    game_seconds=90,
    min_age=7,
    how_to_play=how_to_play,
    opens_bets=True,
)
