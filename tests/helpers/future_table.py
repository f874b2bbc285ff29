"""A game of Future RPS for tests: beginner and hands are chosen, and players act in words."""

from collections.abc import Sequence
from typing import Any

from rules.engine import BOX, Answers, GameEvent, Play, Seat, Value
from rules.future.match import FUTURE
from rules.throws import Throw

WORDS = {"r": "rock", "p": "paper", "s": "scissors"}
ORDER = list(Throw)


class FutureTable:
    """A game of Future RPS played by commands::

    table = FutureTable(2, ["rrppss", "rrppss"])
    table.act("place 1 rock", "claim 1 paper", "act 2 fold", "discard 2 rock")
    """

    def __init__(self, seats: int, hands: Sequence[str], beginner: Seat = 1, **options: Value) -> None:
        self.game = FUTURE.set_up(seats, options)
        self.play = Play(self.game)
        self.answers: list[Answers] = []
        self.give({seat: "rock" if seat == beginner else "scissors" for seat in range(1, seats + 1)})
        self.draws = 0
        self._deal([[Throw(WORDS[card]) for card in hand] for hand in hands])

    def give(self, answers: Answers) -> tuple[GameEvent, ...]:
        """Answer the prompt and record the answers."""
        self.answers.append(answers)
        return self.play.answer(answers)

    def act(self, *acts: str) -> list[GameEvent]:
        """Give answers as "KIND SEAT VALUE", each for the prompt expected, and return the events."""
        events: list[GameEvent] = []
        for act in acts:
            kind, seat, word = act.split(" ")
            prompt = self.play.prompt
            assert prompt and (prompt.kind, list(prompt.seats)) == (kind, [int(seat)]), f"{act!r} to {prompt}"
            events += self.give({int(seat): int(word) if word.isdigit() else word})
        return events

    def allowed(self, seat: Seat) -> object:
        """Return what ``seat`` may answer to the current prompt, which must be for it alone."""
        assert self.play.prompt and list(self.play.prompt.seats) == [seat]
        return self.play.prompt.seats[seat].as_json()

    @property
    def score(self) -> tuple[dict[str, int], int]:
        """The last score: chips by seat, and the pot."""
        facts: Any = [event for event in self.play.events if event.kind == "score"][-1].facts
        return facts["scores"], facts["pot"]

    def _deal(self, hands: list[list[Throw]]) -> None:
        """Answer the draws so that everybody gets these hands."""
        left = dict.fromkeys(ORDER, 2 * len(hands) + 1)
        remaining_hands = [list(hand) for hand in hands]
        while self.play.prompt and self.play.prompt.kind == "draw":
            seat = self.play.prompt.about["seat"]
            assert isinstance(seat, int)
            card = remaining_hands[seat - 1].pop(0)
            assert left[card], "the deck has too few cards of a kind"
            self.give({BOX: sum(left[lower] for lower in ORDER[: ORDER.index(card)])})
            left[card] -= 1
            self.draws += 1
