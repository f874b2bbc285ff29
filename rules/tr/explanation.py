"""How t|r is played: a few pages for people who have never played it."""

from collections.abc import Sequence

from messages import N, ngettext_lazy
from rules.engine import Answers, Game
from rules.engine.explanation import BeatsScene, ExplanationPage, OutcomeLine, OutcomesScene, ThrowScene
from rules.excerpt import excerpt
from rules.tr.roll import Roll

SAMPLE_THROWS: tuple[Answers, ...] = ({1: "paper", 2: "rock"}, {1: "scissors", 2: "scissors"}, {1: "rock", 2: "paper"})


def how_to_play(game: Game, roll: Roll) -> Sequence[ExplanationPage]:
    """Return the pages for a ``roll``."""
    rethrows = (
        [
            ExplanationPage(
                OutcomesScene(
                    (
                        OutcomeLine(("crown",), N("a throw won"), N("one more throw"), True),
                        OutcomeLine(("again", "crown"), N("an extra throw won"), N("one more win"), True),
                        OutcomeLine(("again",), N("an extra throw lost"), N("nothing happens")),
                    )
                ),
                ngettext_lazy(
                    "Each win earns an extra throw, but only {count} in all.",
                    "Each win earns an extra throw, {count} at most.",
                    roll.rethrows,
                ),
            )
        ]
        if roll.rethrows
        else []
    )
    return (
        ExplanationPage(BeatsScene()),
        ExplanationPage(ThrowScene()),
        ExplanationPage(
            excerpt(game, {"throw": SAMPLE_THROWS}, "throw"),
            ngettext_lazy(
                "Seat 1 is the player, seat 2 the game master. The player throws {count} time and counts the wins.",
                "Seat 1 is the player, seat 2 the game master. The player throws {count} times and counts the wins.",
                roll.throws,
            ),
        ),
        *rethrows,
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(
                        ("crown",),
                        ngettext_lazy("{count} win or more", "{count} wins or more", max(1, roll.difficulty)),
                        N("success"),
                        True,
                    ),
                    *([OutcomeLine(("minus",), N("fewer wins"), N("failure"), False)] if roll.difficulty > 1 else []),
                    OutcomeLine(("level",), N("only ties"), N("failed"), False),
                    OutcomeLine(("burst",), N("no win, but a loss"), N("botch"), False),
                )
            ),
            N("The degree of success is the wins minus the difficulty ({count}).", count=roll.difficulty),
        ),
    )
