"""Samples of the countdown, with stakes, fouls and a reason to throw again, and of the waits before and after it."""

from dataclasses import replace

from tests.helpers.samples.common import (
    COUNT_WORDS,
    STAKE_FACTS,
    players,
    players_with_facts,
    players_with_fouls,
    table_image,
)
from ui.screen.pages.countdown import Countdown, Judging, Preparing
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name, with two, three and eight players."""
    reason, hint = "Bartholomew was late. The round is replayed.", "Fist on every word, and show your throw on SHOOT!"
    pages: dict[str, View] = {
        "waiting": Preparing("RPS Redeux", 0.1),
        "countdown-fouls-8": Countdown(players_with_fouls(8), "RPS Redeux · Round 3", COUNT_WORDS, 2, 0.5),
        "judging-fouls-2": Judging(players_with_fouls(2)),
    }
    for count in (2, 3, 8):
        ready, image = Countdown(players(count), "RPS Redeux · Round 3", COUNT_WORDS, -1, 0.4), table_image(count)
        pages |= {
            f"countdown-ready-{count}": ready,
            f"countdown-{count}": replace(ready, beat=2, phase=0.5, preview=image),
            f"countdown-again-{count}": replace(ready, beat=1, phase=0.2, rethrow_reason=reason),
            f"countdown-go-{count}": replace(ready, beat=3, phase=0.0, preview=image),
            f"countdown-seen-{count}": replace(ready, beat=3, seen=tuple(range(2, count + 1))),
            f"judging-{count}": Judging(players(count), image, lambda: 0.6, 0.6),
        }
    for count, throwing in ((2, (1,)), (5, (2, 4)), (8, tuple(range(1, 8)))):
        title = "Risk rounds, round 3"
        stakes = Countdown(players_with_facts(count), title, COUNT_WORDS, 0, 0.4, facts=STAKE_FACTS[2:], hint=hint)
        pages[f"countdown-stakes-{count}"] = replace(stakes, throwing=throwing)
    return pages
