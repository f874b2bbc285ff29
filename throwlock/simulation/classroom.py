"""A simulated class: students who throw their cards at random, most at the shout; a few turn late, hold the card wrong
or show none."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from typing_extensions import override

from device.camera.frames import Pixels
from device.simulated.printed.classroom import HeldCard, SimulatedClassroom
from device.simulated.printed.scene import PrintedCamera
from device.system.clock import Clock
from rules.engine import Seat
from rules.markers import MARKER_SIDE_SQUARES, THROW_BY_QUARTER_TURNS, MarkerKind, marker_squares, markers_of_kind
from rules.throws import Throw
from throwlock.tables.source import ThrowListener

MS = 1_000_000
CELL_PX = 24
"""Pixels per square of a card's marker; the card is 10.4 squares wide, its marker 8."""
ARRIVAL_MS = 2500
"""Time from the start until all cards but the last have been shown, in ms."""
LAST_ARRIVAL_MS = 4000
CLASS_WINDOW_NS = 1_000 * MS
"""From the shout to the lock, as the house rules have it unless people changed it."""
MISTAKE_RATE = 0.1
"""Share of the students who make a mistake in a round."""


@lru_cache(maxsize=128)
def card_face(number: int) -> Pixels:
    """Return the image (258, 258, 3) of the front of a student's card."""
    marker = markers_of_kind(MarkerKind.CLASS)[number - 1].marker
    black = np.kron(np.array(marker_squares(marker)), np.ones((CELL_PX, CELL_PX), bool))
    margin = round(0.17 * MARKER_SIDE_SQUARES * CELL_PX)
    grey = np.pad(np.where(black, np.uint8(18), np.uint8(250)), margin, constant_values=250)
    return np.repeat(grey[..., None], 3, axis=2)


class SimulatedClass(ThrowListener):
    """Students 1 to ``students`` at ``camera``; what they do follows from ``seed`` and the number of the throw.
    ``intended`` is what each shows at the latest lock: a throw, or None."""

    def __init__(self, clock: Clock, students: int, seed: int = 0) -> None:
        self._room = SimulatedClassroom(students, seed=seed)
        self._clock = clock
        self._seed = seed
        self.camera = PrintedCamera(clock, self._room.scene())
        self.intended: dict[Seat, Throw | None] = {}

    def arrive(self) -> None:
        """Have everybody show their card, one after the other."""
        now = self._clock.now_ns()
        chance = np.random.default_rng([self._seed, 1])
        numbers = list(self._room.people)
        last = int(chance.choice(numbers))
        for_ms = {number: float(chance.uniform(0, ARRIVAL_MS)) for number in numbers} | {last: float(LAST_ARRIVAL_MS)}
        self.camera.place(
            *(
                self._room.card(number, card_face(number), HeldCard(0, now + round(ms * MS), chance.normal(0, 4)), now)
                for number, ms in for_ms.items()
            )
        )

    @override
    def on_count(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int, throw_number: int) -> None:
        """Have everybody turn their card at the shout."""
        now = self._clock.now_ns()
        for seat in seats:
            chance = np.random.default_rng([self._seed, 1_000_000 + throw_number, seat])
            throw = list(Throw)[int(chance.integers(3))]
            shown_ms = float(np.clip(chance.normal(380, 80), 150, 0.8 * CLASS_WINDOW_NS / MS))
            holding = HeldCard(
                THROW_BY_QUARTER_TURNS.index(throw), cue_ns + round(shown_ms * MS), float(chance.normal(0, 5))
            )
            meant: Throw | None = throw
            if chance.random() < MISTAKE_RATE:
                meant = None
                late = cue_ns + CLASS_WINDOW_NS + round(float(chance.uniform(120, 400)) * MS)
                holding = (
                    HeldCard(holding.quarter_turns, late, holding.tilt_deg),
                    HeldCard(THROW_BY_QUARTER_TURNS.index(None), holding.shown_ns, holding.tilt_deg),
                    HeldCard(holding.quarter_turns, holding.shown_ns, 42.0),
                    HeldCard(holding.quarter_turns, None),
                )[int(chance.integers(4))]
            self.intended[seat] = meant
            self.camera.place(self._room.card(seat, card_face(seat), holding, now))
