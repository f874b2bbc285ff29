"""The throws that players agree on before they are filmed, and simulated players who throw them."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict
from typing_extensions import override

from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from rules.engine import Seat
from rules.throws import Throw
from throwlock.tables.source import ThrowListener

LATE_TAKES = 2
"""Takes in which one player throws late on purpose, and never a rock: a fist that waits can't be told from one that
has been thrown."""
SIMULATED_DELAY_NS = 20_000_000
"""How long after the cue simulated players throw who are on time; the second one 10 ms later, and so on."""


class Hand(StrEnum):
    """The hand that throws."""

    RIGHT = "right"
    LEFT = "left"


class AgreedThrow(BaseModel):
    """What a seat is to throw."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    throw: Throw
    hand: Hand
    late: bool = False
    """Whether it throws one beat after the cue."""


def plan_takes(seats: Sequence[Seat]) -> tuple[dict[Seat, AgreedThrow], ...]:
    """Return what each of ``seats`` is to throw in each take: every throw with either hand, then LATE_TAKES takes in
    which one of several players, in turn, is late.

    Neighbours never throw the same when nobody is late, so that the clips make as many different pairs as possible.

    >>> takes = plan_takes([1, 2])
    >>> len(takes), str(takes[0][1].throw), str(takes[0][2].throw)
    (8, 'rock', 'paper')
    """
    throws = tuple(Throw)
    takes = [
        {seat: AgreedThrow(throw=throws[(number + place) % 3], hand=hand) for place, seat in enumerate(seats)}
        for hand in Hand
        for number in range(len(throws))
    ]
    for number in range(LATE_TAKES if len(seats) > 1 else 0):
        late = seats[number % len(seats)]
        opening = (Throw.PAPER, Throw.SCISSORS)[number % 2]
        takes.append(
            {
                seat: AgreedThrow(throw=opening if seat == late else Throw.ROCK, hand=Hand.RIGHT, late=seat == late)
                for seat in seats
            }
        )
    return tuple(takes)


class SimulatedActors(ThrowListener):
    """The players of a simulated table, who throw what was agreed on. Each has one hand, whichever is asked for."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self.agreed: dict[Seat, AgreedThrow] = {}

    @override
    def on_count(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int, throw_number: int) -> None:
        for seat in seats:
            agreed = self.agreed[seat]
            after_ns = SIMULATED_DELAY_NS + 10_000_000 * (seat - 1) + (beat_ns if agreed.late else 0)
            self._table.perform(seat, Performance(str(agreed.throw), cue_ns, beat_ns, after_ns))
