"""Samples of a game's messages: sentences with the scoreboard below them, and the scoreboard alone after a reveal that
showed the rest."""

from rules.engine import GameEvent
from ui.screen.core.page_stack import Page
from ui.screen.pages.common.samples import STAKE_FACTS, players, players_with_facts, players_with_fouls
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.views import View


def samples() -> dict[str, View | Page]:
    """Return the samples by name, with two, three and eight players."""
    pages: dict[str, View | Page] = {
        "message-dispute-3": GameMessage(
            players_with_fouls(3), GameEvent("score", {}), ("Paper beats rock", "Ann wins 20 points"), seconds_left=2.0
        ),
    }
    for count in (2, 3, 8):
        people = players(count)
        pages |= {
            f"message-{count}": GameMessage(
                people,
                GameEvent("score", {"scores": {"1": 35}}),
                ("Ann bet 10, Bartholomew nothing", "Paper beats rock", "Ann wins 20 points"),
            ),
        }
    for count in (2, 8):
        people = players_with_facts(count)
        pages |= {
            f"message-facts-{count}": GameMessage(
                people,
                GameEvent("score", {}),
                ("Ann wins 20; Bartholomew loses 5.",),
                STAKE_FACTS,
                seconds_left=2.5,
                shown_s=0.5,
            ),
            f"message-known-{count}": GameMessage(
                people, GameEvent("won", {}), (), STAKE_FACTS, already_revealed=True, seconds_left=2.5, shown_s=0.5
            ),
        }
    return pages
