"""Samples of a class: the roll call, everybody's throw, the result of a round, and the end."""

import random

import numpy as np

from rules.battle.events import BattleScores, RoundPlayed
from rules.battle.text import TEXT
from rules.engine import Result
from rules.throws import Outcome, Throw
from tests.helpers.sample_rounds import sample_round, sample_seat
from tests.helpers.samples.common import COUNT_WORDS
from tests.helpers.samples.reveal import revealed_seat
from ui.screen.pages.classroom import Attendance, RollCall
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.dispute import DisputedRound
from ui.screen.pages.message import GameMessage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.scoreboard import ScoreboardHistory
from ui.screen.views import View

FIRST_NAMES = (
    "Mia",
    "Noah",
    "Aylin",
    "Ben",
    "Chidi",
    "Emma",
    "Finn",
    "Giulia",
    "Hanna",
    "Ivo",
    "Jale",
    "Kofi",
    "Lotte",
)
WINS_OVER = {Throw.ROCK: Throw.SCISSORS, Throw.PAPER: Throw.ROCK, Throw.SCISSORS: Throw.PAPER}
BEATS_TABLE = {"rock-paper": "paper", "paper-scissors": "scissors", "scissors-rock": "rock"}


def sample_names(count: int) -> tuple[str, ...]:
    """Names of a class of 30; a larger one has numbers only."""
    return tuple(FIRST_NAMES[n % 13] if count <= 30 else f"Player {n + 1}" for n in range(count))


def samples() -> dict[str, View]:
    """Return the samples by name, for 30 players with names and for 63 with numbers."""
    pages: dict[str, View] = {}
    for count in (30, 63):
        names = sample_names(count)
        people = tuple(Player(seat, name, 0) for seat, name in enumerate(names, 1))
        seen = frozenset(range(1, count + 1)) - {4, 17, 23}
        few = frozenset(range(1, count + 1, 3))
        pages |= {
            f"classroom-roll-call-{count}": RollCall("Round 1", names, Attendance, Attendance(seen)),
            f"classroom-roll-call-few-{count}": RollCall(
                "Round 1", names, Attendance, Attendance(few, (7,), (64,)), rethrow_reason=RETHROW_REASON
            ),
            f"classroom-roll-call-all-{count}": RollCall(
                "Round 1", names, Attendance, Attendance(frozenset(range(1, count + 1)))
            ),
            f"classroom-countdown-{count}": Countdown(
                people, "Battle, round 3", COUNT_WORDS, 1, 0.5, throwing=tuple(range(1, 6))
            ),
            f"classroom-reveal-{count}": sample_reveal(people),
            f"classroom-history-{count}": sample_past_round(people),
            f"classroom-message-{count}": sample_message(people, 60.0),
            f"classroom-result-{count}": sample_result(people),
            f"classroom-result-list-{count}": sample_result(people).with_list_page(1),
        }
    people = tuple(Player(seat, name, 0) for seat, name in enumerate(sample_names(30), 1))
    pages["classroom-message-last"] = sample_message(
        tuple(Player(seat, f"Player {seat}", 0) for seat in range(1, 64)), 60.0
    ).with_list_page(1)
    pages["classroom-podium-ties"] = sample_ties(people)
    return pages


RETHROW_REASON = "No throw was seen. The round is replayed."


def sample_throws(count: int) -> dict[int, Throw]:
    """Everybody's throw in the sample round."""
    dice = random.Random(count)
    return {seat: dice.choice(list(Throw)) for seat in range(1, count + 1)}


def sample_reveal(people: tuple[Player, ...]) -> Reveal:
    """Everybody's throw; two have none."""
    throws = sample_throws(len(people))
    seats = tuple(
        revealed_seat(player.seat, () if player.seat in (4, 17) else (throws[player.seat],), None, name=player.name)
        for player in people
    )
    count = len(people)
    names = [people[seat - 1].name for seat in (4, 17)]
    sentence = f"Throws read: {count - 2} of {count}. {names[0]}: no card seen. {names[1]}: card moving."
    return Reveal(seats, people, {}, sentence, 1000.0, in_class=True, seconds_left=4.0)


def sample_past_round(people: tuple[Player, ...]) -> DisputedRound:
    """The round of ``sample_reveal``, as a past round."""
    reveal = sample_reveal(people)
    seats = [sample_seat(seat.seat, seat.throws, counts=True) for seat in reveal.seats]
    nothing = np.zeros((3, 4, 3), np.uint8)
    return DisputedRound(
        sample_round(seats, lock_after_ms=1000.0),
        {player.seat: player for player in reveal.players},
        "Battle, round 3",
        reveal.sentence,
        (),
        lambda seat, number: nothing,
        is_past=True,
        has_later=True,
    )


def sample_message(people: tuple[Player, ...], seconds: float | None = None) -> GameMessage:
    """The result of the sample round."""
    throws = sample_throws(len(people))
    outcomes = {}
    for seat, throw in throws.items():
        won = sum(WINS_OVER[throw] is other for other in throws.values())
        lost = sum(WINS_OVER[other] is throw for other in throws.values())
        outcomes[seat] = Outcome.WON if won > lost else Outcome.LOST if won < lost else Outcome.TIED
    points = {Outcome.WON: 1, Outcome.TIED: 0, Outcome.LOST: -1}
    scores = {seat: points[outcome] * (1 + seat % 4) for seat, outcome in outcomes.items()}
    events = [
        RoundPlayed(3, (), throws, {}, BEATS_TABLE, won={}, lost={}, tied={}, outcomes=outcomes, text=TEXT),
        BattleScores(scores, scores, text=TEXT),
    ]
    facts = ScoreboardHistory().facts(events, None, events)
    players = tuple(Player(p.seat, p.name, scores[p.seat], None, facts.of_seat(p.seat)) for p in people)
    return GameMessage(players, events[0], ("Round 3.",), facts.table, seconds_left=seconds)


def sample_ties(people: tuple[Player, ...]) -> MatchResult:
    """The end of a match with many on the second place."""
    scores = {player.seat: 14 if player.seat == 3 else 12 if player.seat % 3 else -2 for player in people}
    players = tuple(Player(p.seat, p.name, scores[p.seat]) for p in people)
    sentence = f"{people[2].name} wins with 14 points."
    return MatchResult(
        players, Result((3,), scores, {}), sentence, proof_code="7QK3M-0VXZ9-8HTBN-2WJRD", match_number=12
    )


def sample_result(people: tuple[Player, ...]) -> MatchResult:
    """The end of a match that two have won."""
    dice = random.Random(8)
    scores = {player.seat: dice.randint(-9, 11) for player in people} | {2: 14, 9: 14}
    players = tuple(Player(p.seat, p.name, scores[p.seat]) for p in people)
    sentence = f"{people[1].name} and {people[8].name} win with 14 points."
    return MatchResult(
        players, Result((2, 9), scores, {}), sentence, proof_code="7QK3M-0VXZ9-8HTBN-2WJRD", match_number=12
    )
