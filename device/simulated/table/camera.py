"""The simulated table: a camera over simulated people who throw on schedule.

clock = MonotonicClock()
table = SimulatedTable(clock, seats=2)
table.start()
cue = clock.now_ns() + 3_000_000_000
table.perform(1, Performance("rock", cue, beat_ns=500_000_000))
table.perform(2, Performance("paper", cue, beat_ns=500_000_000, after_cue_ns=250_000_000))  # late
table.disturb(Disturbance("covered", cue - 300_000_000, cue + 900_000_000))
"""

from collections.abc import Iterable
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from device.camera.base import CameraError
from device.camera.frames import Size
from device.simulated.camera import RING_DURATION_NS, SimulatedCamera
from device.simulated.table import tracer
from device.simulated.table.animation import Performance, ScheduledPerformance
from device.simulated.table.disturbances import Disturbance
from device.simulated.table.people import SimulatedPerson, random_people
from device.simulated.table.scene import SimulatedFrame, TableScene
from device.simulated.table.seating import SimulatedSeating, Zone
from device.system.clock import Clock
from messages import N


class SimulatedTable(SimulatedCamera):
    """A table seen from above. The first exposure comes a random part of a frame after the clock's zero.

    Args:
        seed: Chooses everything left open.
        drop_share: The share of frames that are lost, 0 to 1.
        cloth: One of materials.CLOTHS; None for a random one.
        people: One for each seat; None for random ones.
        readout_ns: Readout time of the rolling shutter, see Frame.

    Raises:
        CameraError: numba is not installed.
        ValueError: not 2 to 8 seats, not one person per seat, an unknown cloth, an exposure or readout longer than a
            frame, or a share outside 0 to 1.
    """

    def __init__(
        self,
        clock: Clock,
        seats: int,
        seed: int = 0,
        size: Size = (1280, 720),
        fps: float = 60.0,
        exposure_ns: int = 8_000_000,
        drop_share: float = 0.0,
        cloth: str | None = None,
        people: Iterable[SimulatedPerson] | None = None,
        readout_ns: int = 0,
    ) -> None:
        if not tracer.HAS_NUMBA:
            raise CameraError(
                N("the simulated table needs numba: install it, or use a camera"),
                terminal_hint=" (pip install numba)",
            )
        if not 2 <= seats <= 8:
            raise ValueError(f"a simulated table has 2 to 8 seats, not {seats}")
        if not 0 <= drop_share <= 1:
            raise ValueError(f"the share of frames dropped is 0 to 1, not {drop_share}")
        if not 0 <= exposure_ns <= 1e9 / fps:
            raise ValueError(f"an exposure of {exposure_ns / 1e6} ms does not fit into a frame at {fps} a second")
        if not 0 <= readout_ns <= 1e9 / fps:
            raise ValueError(f"a readout of {readout_ns / 1e6} ms does not fit into a frame at {fps} a second")
        self.seating = SimulatedSeating(random_people(seats, seed) if people is None else people, size)
        """Where the people sit, and the optics through which the camera sees them."""
        if len(self.seating.people) != seats:
            raise ValueError(f"{len(self.seating.people)} people can't sit on {seats} seats")
        super().__init__(
            clock, size, fps, exposure_ns, readout_ns, int(np.random.default_rng([seed, 4]).uniform(0, 0.4e9 / fps))
        )
        self.seed = seed
        self._drop_share = drop_share
        self._scene = TableScene(self.seating, cloth, seed)
        self._schedules: list[tuple[ScheduledPerformance, ...]] = [() for _ in range(seats)]
        self._disturbances: tuple[Disturbance, ...] = ()
        self._lock = Lock()

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Each seat's zone: left, top, width and height as shares of the frame. Seats 1 and 2 are left and right, the
        others alternate above and below. Zones don't overlap, and contain their hand in every shape."""
        return self.seating.zones

    @property
    def people(self) -> tuple[SimulatedPerson, ...]:
        """The players, in the order of the seats."""
        return self.seating.people

    @property
    def cloth(self) -> str:
        """The name of the table cloth."""
        return self._scene.cloth

    # -------- the players

    def perform(self, seat: int, performance: Performance) -> None:
        """Schedule a performance for a seat (from 1). From its start on it smoothly replaces the one before.

        Raises ValueError when its throw would already have begun, or for a seat that does not exist."""
        self._check_seat(seat)
        now_ns = self._clock.now_ns()
        new = ScheduledPerformance.schedule(performance, now_ns)
        # forget what is older than any available frame
        with self._lock:
            schedule = self._schedules[seat - 1]
            over = [i for i, old in enumerate(schedule) if old.start_ns + old.blend_ns < now_ns - 2 * RING_DURATION_NS]
            kept = schedule[over[-1] :] if over else schedule
            self._schedules[seat - 1] = (*(old for old in kept if old.start_ns < new.start_ns), new)

    def disturb(self, disturbance: Disturbance) -> None:
        """Schedule a disturbance; there may be several at once.

        Raises ValueError when it would already have begun, or for a seat that does not exist."""
        for seat in (disturbance.seat, disturbance.into_seat, disturbance.by_seat):
            if seat is not None:
                self._check_seat(seat)
        now_ns = self._clock.now_ns()
        if disturbance.start_ns < now_ns:
            late_ms = (now_ns - disturbance.start_ns) / 1e6
            raise ValueError(f"the disturbance is announced too late: it began {late_ms:.0f} ms ago")
        oldest_ns = now_ns - 2 * RING_DURATION_NS  # gaps are kept: ``dropped`` counts them
        with self._lock:
            kept = (old for old in self._disturbances if old.kind == "gap" or old.end_ns > oldest_ns)
            self._disturbances = (*kept, disturbance)

    @property
    def disturbances(self) -> tuple[Disturbance, ...]:
        """All scheduled disturbances that are not yet forgotten."""
        return self._disturbances

    @property
    def schedules(self) -> tuple[tuple[ScheduledPerformance, ...], ...]:
        """What each player is to perform, by seat, oldest first, without what is forgotten."""
        return tuple(self._schedules)

    def _check_seat(self, seat: int) -> None:
        if not 1 <= seat <= len(self._schedules):
            raise ValueError(f"there is no seat {seat}; seats are 1 to {len(self._schedules)}")

    # -------- the camera

    @override
    def start(self) -> None:
        """The first start on a machine compiles the tracer, which takes some seconds."""
        self._scene.warm_up()
        super().start()

    def _frame(self, number: int) -> SimulatedFrame:
        return SimulatedFrame(
            number,
            self._exposed_ns(number),
            self.exposure_ns,
            self.size,
            self._scene,
            self.schedules,
            self._disturbances_in(number),
            readout_ns=self.readout_ns,
        )

    def _disturbances_in(self, number: int) -> tuple[Disturbance, ...]:
        middle, half = self._exposed_ns(number), (self.exposure_ns + self.readout_ns) // 2
        return tuple(
            event
            for event in self._disturbances
            if event.kind != "gap" and event.overlaps(middle - half, middle + half)
        )

    def _lost_mask(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which exposures are lost, at random or in a gap."""
        lost = self._dropped_mask(numbers)
        times = np.round(numbers * 1e9 / self.fps) + self._phase_ns
        for gap in self._disturbances:
            if gap.kind == "gap":
                share = gap.strength / self.fps
                comes = np.floor((numbers + 1) * share) > np.floor(numbers * share)
                lost |= (times >= gap.start_ns) & (times < gap.end_ns) & ~comes
        return lost

    def _dropped_mask(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which exposures are dropped at random: a hash of each number (splitmix64) is below the share."""
        bits = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(self.seed % (1 << 32))
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return (bits >> np.uint64(11)).astype(float) / float(1 << 53) < self._drop_share
