"""How Future RPS is played: a few pages for people who have never played it."""

from collections.abc import Sequence

from messages import N, ngettext_lazy
from rules.engine import Answers, Game
from rules.engine.explanation import BeatsScene, ClaimedCard, ClaimsScene, ExplanationPage, OutcomeLine, OutcomesScene
from rules.excerpt import excerpt

BEGINNER_THROWS: tuple[Answers, ...] = ({1: "rock", **dict.fromkeys(range(2, 7), "scissors")},)
"""Seat 1 begins."""


def how_to_play(game: Game) -> Sequence[ExplanationPage]:
    """Return the pages."""
    sample: dict[str, Sequence[Answers]] = {
        "throw": BEGINNER_THROWS,
        "place": [{1: "paper"}],
        "claim": [{1: "rock"}, {2: "scissors"}],
        "act": [{2: "bet"}],
        "bet": [{2: 2}],
    }
    many = game.setup.seats > 2
    shared = (OutcomeLine(("paper", "paper", "rock"), N("two winners"), N("they share the pot"), True),)
    three_kinds = (OutcomeLine(("rock", "paper", "scissors"), N("three kinds"), N("the pot stays"), False),)
    return (
        ExplanationPage(BeatsScene()),
        ExplanationPage(
            excerpt(game, sample, "place"),
            N("You have ten chips and six cards. Each turn, lay one face down and say which it is – or bluff."),
        ),
        ExplanationPage(
            excerpt(game, sample, "act"),
            N("Bet chips to stay in, or fold. Later you may raise and change your card, or call."),
        ),
        ExplanationPage(
            ClaimsScene(
                (
                    ClaimedCard("rock", "rock", 2),
                    ClaimedCard("rock", "paper", 3),
                    ClaimedCard("scissors", "rock", 1),
                )[: 3 if many else 2],
                winner=1,
            ),
            N("Then all cards are turned over. What counts is the card, not the claim: the winner takes the pot."),
        ),
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(("paper", "rock"), N("two kinds"), N("paper takes the pot"), True),
                    *(shared if many else ()),
                    OutcomeLine(("rock", "rock"), N("one kind"), N("the pot stays"), False),
                    *(three_kinds if many else ()),
                )
            ),
            N("If nobody wins, the pot stays for the next turn."),
        ),
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(("coin", "crown"), N("most chips"), N("wins"), True),
                    OutcomeLine(("coin",), N("no chips left"), N("the game ends")),
                    OutcomeLine(("cards",), ngettext_lazy("{count} turn", "{count} turns", 6), N("the game ends")),
                )
            ),
            N("The game ends after six turns, or when somebody has no chips left. Most chips wins."),
        ),
    )
