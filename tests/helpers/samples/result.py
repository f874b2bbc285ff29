"""Samples of the end of a match."""

from dataclasses import replace

from rules.battle.text import TEXT as BATTLE_TEXT
from rules.engine import FactValue, Result
from rules.tr.text import TEXT
from tests.helpers.samples.common import NAMES, players, players_with_facts, players_with_fouls
from tests.helpers.samples.reveal import decided_reveal
from tests.helpers.samples.slow_motion import sample_slow_motion
from ui.screen.pages.common import Player
from ui.screen.pages.result import MatchResult
from ui.screen.views import View

PROOF_CODE = "7QK3M-0VXZ9-8HTBN-2WJRD"


def samples() -> dict[str, View]:
    """Return the samples by name, with two, three and eight players, and of t|r."""

    def scores(people: tuple[Player, ...]) -> dict[int, int]:
        return {player.seat: player.score or 0 for player in people}

    wins = f"{NAMES[1]} wins"
    details: dict[str, FactValue] = {"streaks": {1: 2, 2: 5}, "draw": False}
    pages: dict[str, MatchResult] = {
        "result-dispute-2": MatchResult(
            players_with_fouls(2),
            Result((2,), {1: 35, 2: 70}),
            wins,
            can_dispute=True,
            proof_code=PROOF_CODE,
            match_number=12,
        ),
    }
    for count in (2, 3, 8):
        people = players(count)
        pages[f"result-{count}"] = MatchResult(people, Result((2,), scores(people)), wins, False, PROOF_CODE, 12)
    for count in (2, 8):
        people, sentence = players_with_facts(count), f"{NAMES[1]} has won with 70 points."
        result = Result((2,), scores(people), details)
        pages[f"result-facts-{count}"] = MatchResult(
            people, result, sentence, True, PROOF_CODE, 12, seconds_left=15.0, shown_s=0.2
        )
    roll: dict[str, FactValue] = {"outcome": "failure", "degree": -2}
    pages["result-roll"] = MatchResult(
        players(2), Result((2,), {}, roll, TEXT), wins, True, PROOF_CODE, 12, seconds_left=15.0, can_undo=True
    )
    tally = {"won": 12, "lost": 10, "tied": 14}
    facts: dict[str, FactValue] = {"streaks": 2, "rounds": tally, "battles": tally}
    battle: dict[str, FactValue] = {name: dict.fromkeys(range(1, 5), fact) for name, fact in facts.items()}
    pages["result-battle-4"] = MatchResult(
        players(4), Result((2, 4), scores(players(4)), battle, BATTLE_TEXT), wins, True, PROOF_CODE, 12, can_undo=True
    )
    pages["result-undo"] = replace(pages["result-roll"], can_dispute=False)
    pages["result-awards"] = replace(pages["result-dispute-2"], has_awards=True)
    pages["result-awards-undo"] = replace(pages["result-roll"], has_awards=True)
    pages["result-tournament"] = replace(pages["result-2"], tournament=3, can_dispute=True, can_undo=True)
    pages["result-hall"] = replace(pages["result-2"], in_hall=True, can_dispute=True)
    pages["result-code"] = replace(pages["result-2"], shows_code=True)
    for count in (2, 3, 8):
        deciding = sample_slow_motion(decided_reveal(count), 0.0).as_part()
        pages[f"result-decided-{count}"] = replace(pages[f"result-{count}"], deciding=deciding, can_take_home=True)
    pages["result-every-button"] = replace(
        pages["result-decided-2"], can_dispute=True, can_undo=True, has_awards=True, seconds_left=15.0
    )
    return dict(pages)
