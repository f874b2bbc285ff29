"""A class before a simulated camera: its cards, and students who throw by chance: most of them at the shout, now and
then one who turns late, holds the card wrong or has none up."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from device.camera.frames import Pixels, Size
from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.classroom import Classroom, Holding
from device.system.clock import Clock
from rules.engine import Seat
from rules.markers import MARKER_SIDE, WAYS, Kind, of_kind, squares
from rules.throws import Throw

MS = 1_000_000
CELL = 24
"""Pixels of a card's picture along a square of its marker; the card is 10.4 squares wide, its marker 8."""
ARRIVE_MS = 2500
"""Everybody's card has been shown this long after the beginning, but for the last one's."""
TARDY_MS = 4000
WRONG = 0.1
"""Share of the students with whom something is wrong in a round."""


@lru_cache(maxsize=128)
def face(number: int) -> Pixels:
    """The picture (250, 250, 3) of the front of a student's card."""
    marker = of_kind(Kind.CLASS)[number - 1].marker
    black = np.kron(np.array(squares(marker)), np.ones((CELL, CELL), bool))
    margin = round(0.15 * MARKER_SIDE * CELL)
    grey = np.pad(np.where(black, np.uint8(18), np.uint8(250)), margin, constant_values=250)
    return np.repeat(grey[..., None], 3, axis=2)


class ClassPlayers:
    """Students 1 to ``students`` before ``camera``; what they do comes from ``seed`` and the number of the throw.
    ``meant`` is what each shows at the latest lock: a throw, or None for one who shows none then."""

    def __init__(self, clock: Clock, students: int, seed: int = 0, size: Size | None = None) -> None:
        self._room = Classroom(students, size, seed)
        self._clock = clock
        self._seed = seed
        self.camera = PrintedCamera(clock, self._room.scene())
        self.throws = 0
        self.meant: dict[Seat, Throw | None] = {}

    def arrive(self) -> None:
        """Everybody shows their card, one after the other."""
        now = self._clock.now_ns()
        chance = np.random.default_rng([self._seed, 1])
        numbers = list(self._room.desks)
        last = int(chance.choice(numbers))
        for_ms = {number: float(chance.uniform(0, ARRIVE_MS)) for number in numbers} | {last: float(TARDY_MS)}
        self.camera.lay(
            *(
                self._room.card(number, face(number), Holding(0, now + round(ms * MS), chance.normal(0, 4)), now)
                for number, ms in for_ms.items()
            )
        )

    def throw_at(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int, window_ns: int = 1000 * MS) -> None:
        """See Performers: everybody asked turns their card at the shout."""
        now = self._clock.now_ns()
        for seat in seats:
            chance = np.random.default_rng([self._seed, 1_000_000 + self.throws, seat])
            throw = list(Throw)[int(chance.integers(3))]
            shown_ms = float(np.clip(chance.normal(380, 80), 150, 0.8 * window_ns / MS))
            holding = Holding(WAYS.index(throw), cue_ns + round(shown_ms * MS), float(chance.normal(0, 5)))
            meant: Throw | None = throw
            if chance.random() < WRONG:
                meant = None
                late = cue_ns + window_ns + round(float(chance.uniform(120, 400)) * MS)
                holding = (
                    Holding(holding.way, late, holding.tilt),
                    Holding(WAYS.index(None), holding.turned_ns, holding.tilt),
                    Holding(holding.way, holding.turned_ns, 42.0),
                    Holding(holding.way, None),
                )[int(chance.integers(4))]
            self.meant[seat] = meant
            self.camera.lay(self._room.card(seat, face(seat), holding, now))
        self.throws += 1
