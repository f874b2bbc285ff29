"""The gallery's pages of a class: the roll that is called, everybody's throw, what a round came to, and the end."""

import random

import numpy as np

from rules.engine import Json, Result, Say
from rules.throws import Throw
from ui.screen.core.page_stack import Page
from ui.screen.pages.classroom.view import Roll, RollCall
from ui.screen.pages.standing.view import standing
from ui.screen.pages.views import Cadence, DisputedSeat, Disputing, Ended, Player, Reveal, SeatReveal, Told, View

FIRST = ("Mia", "Noah", "Aylin", "Ben", "Chidi", "Emma", "Finn", "Giulia", "Hanna", "Ivo", "Jale", "Kofi", "Lotte")
BEATS = {Throw.ROCK: Throw.SCISSORS, Throw.PAPER: Throw.ROCK, Throw.SCISSORS: Throw.PAPER}
TABLE: dict[str, Json] = {"rock-paper": "paper", "paper-scissors": "scissors", "scissors-rock": "rock"}


def names_of(count: int) -> tuple[str, ...]:
    """Names of a class of 30; a larger one has numbers only."""
    return tuple(FIRST[n % 13] if count <= 30 else f"Player {n + 1}" for n in range(count))


def room_pages(words: tuple[str, ...]) -> dict[str, View | Page]:
    """Pages for 30 with names, and for 63 with numbers. ``words`` are those of the count."""
    shown: dict[str, View | Page] = {}
    for count in (30, 63):
        names = names_of(count)
        people = tuple(Player(seat, name, 0) for seat, name in enumerate(names, 1))
        seen = frozenset(range(1, count + 1)) - {4, 17, 23}
        few = frozenset(range(1, count + 1, 3))
        shown |= {
            f"room-roll-{count}": RollCall("Round 1", names, Roll, Roll(seen, seen)),
            f"room-roll-few-{count}": RollCall("Round 1", names, Roll, Roll(few, few, (7,), (64,)), again=AGAIN),
            f"room-roll-all-{count}": RollCall("Round 1", names, Roll, Roll(frozenset(range(1, count + 1)))),
            f"room-count-{count}": Cadence(people, "Battle, round 3", words, 1, 0.5, throwing=tuple(range(1, 6))),
            f"room-reveal-{count}": reveal(people),
            f"room-past-{count}": looked_back(people),
            f"room-told-{count}": round_told(people, 60.0),
            f"room-ended-{count}": ended(people),
        }
    return shown


AGAIN = "No throw was seen. The round is thrown again."


def thrown(count: int) -> dict[int, Throw]:
    """What everybody threw in the sample round."""
    dice = random.Random(count)
    return {seat: dice.choice(list(Throw)) for seat in range(1, count + 1)}


def reveal(people: tuple[Player, ...]) -> Reveal:
    """Everybody's throw; two have none."""
    crop = np.zeros((1, 1, 3), np.uint8)
    throws = thrown(len(people))
    seats = tuple(
        SeatReveal(player, crop, None if player.seat in (4, 17) else throws[player.seat], "on time", False, None)
        for player in people
    )
    count = len(people)
    names = [people[seat - 1].name for seat in (4, 17)]
    sentence = f"{count - 2} throws of {count} players. {names[0]}: no card seen. {names[1]}: card moving."
    return Reveal(seats, sentence, 1000.0, seconds_left=4.0)


def looked_back(people: tuple[Player, ...]) -> Disputing:
    """The round of ``reveal``, looked back at."""
    shown = reveal(people)
    seats = tuple(
        DisputedSeat(seat.player, "on time", seat.throw and str(seat.throw), False, None, 0.0, ())
        for seat in shown.seats
    )
    nothing = np.zeros((3, 4, 3), np.uint8)
    return Disputing(
        "Battle, round 3", shown.sentence, seats, None, 1000.0, (), lambda seat, number: nothing, past=True, later=True
    )


def round_told(people: tuple[Player, ...], seconds: float | None = None) -> Told:
    """What the sample round came to."""
    throws = thrown(len(people))
    ends = {}
    for seat, throw in throws.items():
        won = sum(BEATS[throw] is other for other in throws.values())
        lost = sum(BEATS[other] is throw for other in throws.values())
        ends[seat] = "win" if won > lost else "loss" if won < lost else "tie"
    points = {"win": 1, "tie": 0, "loss": -1}
    scores = {seat: points[end] * (1 + seat % 4) for seat, end in ends.items()}
    said = [
        Say(
            "round",
            {
                "round": 3,
                "throws": {str(seat): throw.value for seat, throw in throws.items()},
                "table": TABLE,
                "outcomes": {str(seat): end for seat, end in ends.items()},
            },
        ),
        Say(
            "score",
            {
                "scores": {str(seat): score for seat, score in scores.items()},
                "streaks": {str(seat): score for seat, score in scores.items()},
            },
        ),
    ]
    how = standing(said, None, said)
    players = tuple(Player(p.seat, p.name, scores[p.seat], None, how.of(p.seat)) for p in people)
    return Told(players, said[0], ("Round 3.",), how.table, seconds_left=seconds)


def ended(people: tuple[Player, ...]) -> Ended:
    """The end of a match that two have won."""
    dice = random.Random(8)
    scores = {player.seat: dice.randint(-9, 11) for player in people} | {2: 14, 9: 14}
    players = tuple(Player(p.seat, p.name, scores[p.seat]) for p in people)
    return Ended(players, Result((2, 9), scores, {}), f"{people[1].name} and {people[8].name} win with 14 points.")
