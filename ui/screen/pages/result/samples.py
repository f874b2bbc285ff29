"""Samples of the end of a match."""

from rules.engine import Result
from ui.screen.core.page_stack import Page
from ui.screen.pages.common.samples import NAMES, players, players_with_facts, players_with_fouls
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.views import View


def samples() -> dict[str, View | Page]:
    """Return the samples by name, with two, three and eight players."""
    pages: dict[str, View | Page] = {
        "result-dispute-2": MatchResult(
            players_with_fouls(2), Result((2,), {1: 35, 2: 70}), f"{NAMES[1]} wins", can_dispute=True
        ),
    }
    for count in (2, 3, 8):
        people = players(count)
        pages |= {
            f"result-{count}": MatchResult(
                people, Result((2,), {p.seat: p.score or 0 for p in people}), f"{NAMES[1]} wins"
            ),
        }
    for count in (2, 8):
        people = players_with_facts(count)
        result = Result((2,), {p.seat: p.score or 0 for p in people}, {"streaks": {"1": 2, "2": 5}, "draw": False})
        pages |= {
            f"result-facts-{count}": MatchResult(
                people, result, f"{NAMES[1]} has won with 70 points.", True, seconds_left=15.0, shown_s=0.2
            ),
        }
    return pages
