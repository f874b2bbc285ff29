"""Samples of the countdown, with stakes, fouls and a reason to throw again, and of the waits before and after it."""

from ui.screen.core.page_stack import Page
from ui.screen.pages.common.samples import (
    COUNT_WORDS,
    STAKE_FACTS,
    players,
    players_with_facts,
    players_with_fouls,
    table_image,
)
from ui.screen.pages.countdown.view import Countdown, Judging, Preparing
from ui.screen.pages.views import View


def samples() -> dict[str, View | Page]:
    """Return the samples by name, with two, three and eight players."""
    pages: dict[str, View | Page] = {
        "waiting": Preparing("RPS Redeux", 0.1),
        "countdown-fouls-8": Countdown(players_with_fouls(8), "RPS Redeux · Round 3", COUNT_WORDS, 2, 0.5),
        "judging-fouls-2": Judging(players_with_fouls(2)),
    }
    for count in (2, 3, 8):
        people = players(count)
        pages |= {
            f"countdown-ready-{count}": Countdown(people, "RPS Redeux · Round 3", COUNT_WORDS, -1, 0.4),
            f"countdown-{count}": Countdown(
                people, "RPS Redeux · Round 3", COUNT_WORDS, 2, 0.5, preview=table_image(count)
            ),
            f"countdown-again-{count}": Countdown(
                people,
                "RPS Redeux · Round 3",
                COUNT_WORDS,
                1,
                0.2,
                rethrow_reason="Bartholomew was late. The round is replayed.",
            ),
            f"countdown-go-{count}": Countdown(
                people, "RPS Redeux · Round 3", COUNT_WORDS, 3, preview=table_image(count)
            ),
            f"judging-{count}": Judging(people, table_image(count), lambda: 0.6, 0.6),
        }
    for count in (2, 8):
        people = players_with_facts(count)
        pages |= {
            f"countdown-stakes-{count}": Countdown(
                people,
                "Risk rounds, round 3",
                COUNT_WORDS,
                0,
                0.4,
                facts=STAKE_FACTS,
                throwing=tuple(range(1, count)),
                hint="Fist on every word, and show your throw on SHOOT!",
            ),
        }
    return pages
