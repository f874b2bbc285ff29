"""Future RPS at a table of tests: who begins and who holds what is chosen, and players act in words."""

from collections.abc import Sequence
from typing import Any

from rules.engine import BOX, Answers, Play, Say, Seat, Value
from rules.future.match import FUTURE
from rules.throws import Throw

WORDS = {"r": "rock", "p": "paper", "s": "scissors"}
ORDER = list(Throw)


class FutureTable:
    """A game whose players do what they are told::

    table = FutureTable(2, ["rrppss", "rrppss"])
    table.does("place 1 rock", "claim 1 paper", "act 2 fold", "discard 2 rock")
    """

    def __init__(self, seats: int, hands: Sequence[str], beginner: Seat = 1, **options: Value) -> None:
        self.game = FUTURE.set_up(seats, options)
        self.play = Play(self.game)
        self.answers: list[Answers] = []
        self.give({seat: "rock" if seat == beginner else "scissors" for seat in range(1, seats + 1)})
        self.draws = 0
        self._deal([[Throw(WORDS[card]) for card in hand] for hand in hands])

    def give(self, answers: Answers) -> tuple[Say, ...]:
        """Answer the question, and keep the answers."""
        self.answers.append(answers)
        return self.play.answer(answers)

    def does(self, *acts: str) -> list[Say]:
        """What is asked, of whom, and the answer: what the game said to all of it."""
        said: list[Say] = []
        for act in acts:
            kind, seat, word = act.split(" ")
            ask = self.play.asked
            assert ask and (ask.kind, list(ask.seats)) == (kind, [int(seat)]), f"{act!r} to {ask}"
            said += self.give({int(seat): int(word) if word.isdigit() else word})
        return said

    def may(self, seat: Seat) -> object:
        """What ``seat`` may answer to the question now, which is for it alone."""
        assert self.play.asked and list(self.play.asked.seats) == [seat]
        return self.play.asked.seats[seat].as_json()

    @property
    def score(self) -> tuple[dict[str, int], int]:
        """The last score: chips by seat, and the pot."""
        facts: Any = [say for say in self.play.said if say.kind == "score"][-1].facts
        return facts["scores"], facts["pot"]

    def _deal(self, hands: list[list[Throw]]) -> None:
        """Answer the draws so that everybody gets the cards wished for."""
        left = dict.fromkeys(ORDER, 2 * len(hands) + 1)
        due = [list(hand) for hand in hands]
        while self.play.asked and self.play.asked.kind == "draw":
            seat = self.play.asked.about["seat"]
            assert isinstance(seat, int)
            card = due[seat - 1].pop(0)
            assert left[card], "the deck has not so many of a kind"
            self.give({BOX: sum(left[lower] for lower in ORDER[: ORDER.index(card)])})
            left[card] -= 1
            self.draws += 1
