"""Samples of a match in children's mode: stars instead of points, and neither fouls nor times."""

from dataclasses import replace

from rules.engine import Result, ThrowPrompt
from rules.events import Scores
from rules.throws import THROW_CHOICES
from tests.helpers.samples.common import COUNT_WORDS, NAMES, players, table_image
from tests.helpers.samples.reveal import decided_reveal, mixed_reveal
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.message import GameMessage
from ui.screen.pages.question import Question
from ui.screen.pages.result import MatchResult
from ui.screen.views import View
from ui.text.verdicts import AGAIN


def starred_players(count: int, most: int) -> tuple[Player, ...]:
    """Players who need ``most`` stars to win: the first has them all, each next one has one less."""
    return tuple(replace(player, score=max(0, most + 1 - player.seat), stars=most) for player in players(count))


def samples() -> dict[str, View]:
    """Return the samples by name."""
    pages: dict[str, View] = {}
    for count, most in ((2, 2), (3, 1), (8, 1)):
        people = starred_players(count, most)
        won = replace(decided_reveal(count), sentence=f"{NAMES[0]} wins!", has_slow_motion=False)
        for name, view in (("won", won), ("again", replace(mixed_reveal(count), sentence=AGAIN, seconds_left=3.0))):
            pictures = {seat: replace(shown, proof=None) for seat, shown in view.pictures.items()}
            pages[f"children-{name}-{count}"] = replace(view, players=people, pictures=pictures, is_judged=False)
        again = Countdown(people, "Classic", COUNT_WORDS, 1, 0.3, AGAIN, 0.6, table_image(count))
        pages[f"children-count-{count}"] = again
        pages[f"children-stars-{count}"] = GameMessage(
            people, Scores({}), (), already_revealed=True, seconds_left=1.2, can_dispute=True
        )
        result = Result((1,), {player.seat: player.score or 0 for player in people})
        pages[f"children-result-{count}"] = MatchResult(people, result, f"{NAMES[0]} has won.", can_dispute=True)
    people = starred_players(2, 5)
    pages["children-stars-5"] = GameMessage(people, Scores({}), (f"{NAMES[0]} wins!",), seconds_left=10.0)
    throw = ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES))
    pages["children-question"] = Question(people, throw, 1)
    pages["children-group"] = GroupQuestion(people, throw)
    return pages
