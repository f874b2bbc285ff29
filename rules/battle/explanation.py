"""How Battle is played: a few pages for people who have never played it."""

from collections.abc import Sequence
from types import MappingProxyType

from messages import N, ngettext_lazy
from rules.battle.text import TEXT
from rules.engine import Answers, Game, Setup
from rules.engine.explanation import BeatsScene, ExplanationPage, OutcomeLine, OutcomesScene, ThrowScene
from rules.excerpt import excerpt

SAMPLE_THROWS: tuple[Answers, ...] = (
    {seat: ("rock", "scissors", "paper", "scissors", "rock")[seat % 5] for seat in range(1, 100)},
)
OPTION_OUTCOMES = MappingProxyType(
    {
        "team": OutcomeLine(("shield",), TEXT.words["team"], N("only the other team")),
        "survivor": OutcomeLine(("heart",), TEXT.words["survivor"], N("a loss costs health")),
        "count": OutcomeLine(("rock", "rock", "paper"), TEXT.words["count"], N("twice as many win")),
        "inverted": OutcomeLine(("swap",), TEXT.words["inverted"], N("all the other way round")),
        "classic": OutcomeLine(("flame",), TEXT.words["classic"], N("no bonus for streaks")),
        "blitz": OutcomeLine(("clock",), TEXT.words["blitz"], N("less time to choose")),
    }
)
"""The options of a round, those that change most first."""
MAX_OPTIONS = 4
"""How many of them are explained: as many as fit on a page."""


def how_to_play(game: Game) -> Sequence[ExplanationPage]:
    """Return the pages, with the options that are on or that the players decide."""
    setup = game.setup
    sample: dict[str, Sequence[Answers]] = {
        "throw": SAMPLE_THROWS,
        "table": [dict.fromkeys(range(1, setup.seats + 1), "stay")],
    }
    active = [name for name in OPTION_OUTCOMES if setup.options.get(name, False) is not False]
    pages = [
        ExplanationPage(BeatsScene(inverted=setup.options["inverted"] is True)),
        ExplanationPage(ThrowScene()),
        ExplanationPage(
            excerpt(game, sample, "throw", 1),
            N("Everybody battles the other team. Win more battles than you lose: +1 point. Lose more: −1.")
            if setup.options["team"] is True
            else N("Everybody battles everybody. Win more battles than you lose: +1 point. Lose more: −1."),
        ),
    ]
    if setup.options["classic"] is not True:
        pages.append(_bonus_page())
    if active:
        lines = tuple(OPTION_OUTCOMES[name] for name in active[:MAX_OPTIONS])
        wished = any(setup.options[name] == "wish" for name in active[:MAX_OPTIONS])
        text = (
            N("Everybody wishes for options; each round the wishes of one player, drawn at random, count.")
            if wished
            else N("These options are on:")
        )
        pages.append(ExplanationPage(OutcomesScene(lines), text))
    pages.append(_end_page(setup))
    return pages


def _bonus_page() -> ExplanationPage:
    """What a streak brings (battle.txt, Streak Bonuses)."""
    return ExplanationPage(
        OutcomesScene(
            (
                OutcomeLine(("flame",), N("{count} wins in a row", count=3), "+2", True),
                OutcomeLine(("flame",), N("{count} wins in a row", count=4), "+3", True),
                OutcomeLine(("flame", "eye"), N("{count} wins in a row", count=5), "+4", True),
                OutcomeLine(("eye",), N("{count} losses in a row", count=3), "−1", False),
            )
        ),
        N("Winning streaks score more. After five wins or three losses you see the other throws before yours."),
    )


def _end_page(setup: Setup) -> ExplanationPage:
    """When the match ends, and who wins it."""
    rounds = setup.options.get("rounds")
    lines = [
        OutcomeLine(("clock",), ngettext_lazy("{count} round", "{count} rounds", rounds), N("the match ends"))
        if isinstance(rounds, int) and rounds > 0
        else OutcomeLine(("again",), N("round after round"), N("until you stop")),
        OutcomeLine(("crown",), N("highest score"), N("wins"), True),
    ]
    if setup.options.get("changes") is True:
        lines.append(OutcomeLine(("swap",), N("between rounds"), N("join, leave, reset")))
    text = (
        ngettext_lazy(
            "After {count} round, the highest score wins.", "After {count} rounds, the highest score wins.", rounds
        )
        if isinstance(rounds, int) and rounds > 0
        else N("The game goes on until you stop. Then the highest score wins.")
    )
    return ExplanationPage(OutcomesScene(tuple(lines)), text)
