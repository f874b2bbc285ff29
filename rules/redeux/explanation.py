"""How RPS Redeux is played: a few pages for people who have never played it."""

from collections.abc import Sequence

from messages import N, join
from rules.engine import Answers, Game
from rules.engine.explanation import BeatsScene, ExplanationPage, OutcomeLine, OutcomesScene, ThrowScene
from rules.excerpt import excerpt
from rules.redeux.table import ROUND_POINTS, uses_printed_cards

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
    pages = [
        ExplanationPage(BeatsScene()),
        ExplanationPage(scene, _cards_text(with_cards)),
        ExplanationPage(excerpt(game, throws, "place" if with_cards else "throw"), _primary_text(setup.seats)),
    ]
    if setup.choice("risk") == "never":
        return pages
    wanted = {
        **throws,
        "risk": [dict.fromkeys(range(1, setup.seats + 1), "yes")],
        "bet": [{1: SAMPLE_BET, 2: ROUND_POINTS}],
    }
    tied = N("the bets stand") if setup.choice("tied_bets") == "stand" else N("bet again")
    hidden = setup.choice("bets") == "sealed" or not with_cards
    return [
        *pages,
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(("coin", "crown"), N("bet {bet} and win", bet=SAMPLE_BET), f"+{2 * SAMPLE_BET}", True),
                    OutcomeLine(("coin",), N("bet {bet} and lose", bet=SAMPLE_BET), f"−{SAMPLE_BET}", False),
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


def _cards_text(with_cards: bool) -> str:
    return N("Your hand has three cards of each kind.") if with_cards else ""
