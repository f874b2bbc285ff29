"""Samples of the home page: a few games and many, with tools, and a game's set-up."""

from dataclasses import replace

from messages import N
from rules.catalogue import GAMES
from rules.classroom import CLASS_RULES
from rules.engine import Choices, IllegalSetupError, IntRange, Option, Rules, Script, Setup
from rules.engine.explanation import BeatsScene, ExplanationPage
from tests.helpers.samples.phones import ADDRESS
from ui.screen.pages.hall import PairingOffer
from ui.screen.pages.home import GameMenu, HomeTool, RunningTournament, ToolsPage, set_up_page
from ui.screen.views import View

SAMPLE_TOOLS = tuple(tool for tool in HomeTool if not tool.value.endswith((" on", "hall")))
LAST = "Again: RPS Redeux (Ada, Ben)"
OFFER = PairingOffer("1" * 32, "Table 7: Ada against Ben")
YES_NO = Choices((True, False))


def games() -> tuple[Rules, ...]:
    """Two games like the box's own, without their scripts."""
    best = Option("best_of", Choices((1, 3, 5, 7)), 3, "How many decisive rounds a match has at most.")
    risk = Option("risk_rounds", YES_NO, True, "Offer each pair Risk Rounds after its Primary game.")
    goal = Option("goal", IntRange(50, 200, 10), 100, "The points that win Risk Rounds at once.")
    tie = Option("after_a_tie", Choices(("same bets", "ask again")), "same bets", "What a tie does to the bets.")
    window = Option("window_ms", IntRange(100, 400, 50), 150, "Milliseconds from the first hand to the lock.")
    about = "Three decisive rounds, five points each; then, for those who dare, bets up to a hundred points."
    return (
        Rules(
            "classic", N("Classic"), 1, 2, 8, "Best of three, or one of many chosen by throwing.", (best,), _no_script
        ),
        Rules(
            "redeux",
            N("RPS Redeux"),
            1,
            2,
            8,
            about,
            (risk, goal, tie, best, window),
            _no_script,
            check=_check_boxes,
            game_seconds=90,
            min_age=7,
            how_to_play=lambda game: (ExplanationPage(BeatsScene()),),
        ),
    )


def samples() -> dict[str, View]:
    """Return the samples by name."""
    choosing = GameMenu(games())
    return {
        "home": choosing,
        "home-many": GameMenu(games() * 4, (HomeTool.CALCULATOR,)),
        "home-games": replace(choosing, games=tuple(GAMES.values()), tools=SAMPLE_TOOLS, last=LAST),
        "home-join": replace(
            choosing, games=tuple(GAMES.values()), tools=(*SAMPLE_TOOLS, HomeTool.GUESTS), last=LAST, join=ADDRESS
        ),
        "home-tools": ToolsPage(GameMenu(games() * 3, (*SAMPLE_TOOLS, HomeTool.HALL))),
        "home-unfinished": GameMenu(games() * 3, SAMPLE_TOOLS, unfinished="Go on with RPS Redeux"),
        "home-hall": GameMenu(games() * 3, (*SAMPLE_TOOLS, HomeTool.HALL_ON), last=LAST, offer=OFFER),
        "home-hall-unfinished": GameMenu(
            games() * 3,
            (*SAMPLE_TOOLS, HomeTool.HALL_ON),
            unfinished="Go on with RPS Redeux",
            offer=OFFER,
            tournament=RunningTournament(3, "Spring cup of the table tennis club"),
        ),
        "home-set-up": set_up_page(choosing, choosing.games[1]),
        "home-class-set-up": GameMenu(games()[1:], seat_limit=63, can_go_back=True, usual_seats=30),
        "home-named-class-set-up": GameMenu(
            (CLASS_RULES,),
            seat_limit=63,
            can_go_back=True,
            usual_seats=30,
            class_name="Klasse 7b der Gesamtschule Nord",
        ),
        "home-tournament": replace(choosing, can_go_back=True, for_tournament=True),
        "home-set-up-tournament": set_up_page(
            replace(choosing, can_go_back=True, for_tournament=True), choosing.games[1]
        ),
        "home-set-up-variation": set_up_page(replace(choosing, games=tuple(GAMES.values())), GAMES["redeux"]),
        "home-set-up-refused": replace(set_up_page(choosing, choosing.games[1]), seats=4),
    }


def _no_script(setup: Setup) -> Script:
    raise NotImplementedError(f"a sample game is not for playing ({setup})")


def _check_boxes(setup: Setup) -> None:
    if setup.seats // 2 > 1:
        raise IllegalSetupError(
            N(
                "Risk Rounds take a whole box of {cards} cards, so {pairs} pairs need {pairs} boxes, not {boxes}: set "
                "the boxes to {pairs}, or play without Risk Rounds",
                cards=72,
                pairs=2,
                boxes=1,
            )
        )
