"""Samples of a game's messages: sentences with the scoreboard below them, and the scoreboard alone after a reveal that
showed the rest."""

from dataclasses import replace

from rules.events import Scores, Won
from tests.helpers.samples.common import STAKE_FACTS, players, players_with_facts, players_with_fouls
from ui.screen.pages.message import GameMessage
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name, with two, three and eight players."""
    sentences, score = ("Paper beats rock", "Ann wins 20 points"), Scores({})
    pages: dict[str, View] = {
        "message-dispute-3": GameMessage(players_with_fouls(3), score, sentences, seconds_left=2.0),
    }
    for count in (2, 3, 8):
        told = ("Ann bet 10, Bartholomew nothing", *sentences)
        pages[f"message-{count}"] = GameMessage(players(count), Scores({1: 35}), told)
    won = Scores({1: 35})
    entered = GameMessage(players(2), won, sentences, seconds_left=8.0, shown_s=2.0, can_dispute=False, can_undo=True)
    pages["message-undo-2"] = entered
    drawn = ("Drawn at random: Ann paper.", "Round 1: 1 × rock, 1 × paper, 3 × scissors.")
    long = (*drawn, "Chidi wins.", "Ann loses.", "Bartholomew, Dolores and Emil tie.")
    pages["message-long-5"] = GameMessage(players_with_facts(5), score, long, STAKE_FACTS, seconds_left=2.5)
    for count in (2, 8):
        sentence, people = "Ann wins 20; Bartholomew loses 5.", players_with_facts(count)
        message = GameMessage(people, score, (sentence,), STAKE_FACTS, seconds_left=2.5, shown_s=0.5)
        known = replace(message, event=Won(1, {}), sentences=(), already_revealed=True)
        pages |= {f"message-facts-{count}": message, f"message-known-{count}": known}
    return pages
