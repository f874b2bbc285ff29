"""Samples of a game's messages: sentences with the scoreboard below them, and the scoreboard alone after a reveal that
showed the rest."""

from dataclasses import replace

from rules.battle.text import TEXT as BATTLE_TEXT
from rules.catalogue import GAMES
from rules.engine import Play
from rules.events import Scores, Won
from rules.throws import Throw
from tests.helpers.samples.common import (
    NAMES,
    STAKE_FACTS,
    declared_fact,
    players,
    players_with_facts,
    players_with_fouls,
)
from ui.screen.pages.message import GameMessage
from ui.screen.pages.scoreboard import ScoreboardHistory
from ui.screen.views import View
from ui.text.verdicts import page_sentences


def battle_round() -> GameMessage:
    """A round of Battle with two options, which change what beats what: as much about the table as there can be."""
    play = Play(
        GAMES["battle"].set_up(
            4, {"inverted": True, "count": True, "classic": False, "blitz": False, "rounds": 2, "changes": False}
        )
    )
    rock, paper, scissors = map(str, Throw)
    play.answer({1: rock, 2: rock, 3: paper, 4: scissors})
    names = dict(enumerate(NAMES[:4], 1))
    events = [event for event in play.events if event.only is None]
    facts = ScoreboardHistory().facts(events, None, events)
    people = tuple(replace(player, facts=facts.of_seat(player.seat)) for player in players(4))
    options = declared_fact("options", ["inverted", "count"], BATTLE_TEXT)
    played, _, won, lost, *_ = page_sentences(events, names)
    return GameMessage(people, events[-1], (played, won, lost), (options, *facts.table), seconds_left=2.5)


def samples() -> dict[str, View]:
    """Return the samples by name, with two, three and eight players."""
    sentences, score = ("Paper beats rock", "Ann wins 20 points"), Scores({})
    pages: dict[str, View] = {
        "message-dispute-3": GameMessage(players_with_fouls(3), score, sentences, seconds_left=2.0),
    }
    for count in (2, 3, 8):
        told = ("Ann bet 10, Bartholomew nothing", *sentences)
        pages[f"message-{count}"] = GameMessage(players(count), Scores({1: 35}), told)
    pages["message-battle-4"] = battle_round()
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
