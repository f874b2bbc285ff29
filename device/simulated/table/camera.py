"""The simulated table: a camera over simulated people who throw on schedule.

clock = MonotonicClock()
table = SimulatedTable(clock, seats=2)
table.start()
cue = clock.now_ns() + 3_000_000_000
table.perform(1, Performance("rock", cue, beat_ns=500_000_000))
table.perform(2, Performance("paper", cue, beat_ns=500_000_000, after_cue_ns=250_000_000))  # late
table.disturb(Disturbance("covered", cue - 300_000_000, cue + 900_000_000))
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from device.camera.base import CameraError
from device.camera.frames import Box, Frame, Pixels, Size
from device.simulated.table.actors import actor_for
from device.simulated.table.animation import Performance, ScheduledPerformance, Stance, stance_at
from device.simulated.table.camera_faults import camera_movement, transform_points
from device.simulated.table.disturbances import Disturbance
from device.simulated.table.hand import HandModel
from device.simulated.table.scene import CameraExposure, TableScene
from device.simulated.table.seating import SimulatedPerson, SimulatedSeating, Zone, random_people
from device.system.clock import Clock

RING_DURATION_NS = 6_000_000_000
"""How long frames stay available."""


@dataclass(frozen=True)
class SimulatedFrame(Frame):
    """A frame that is rendered on access, only the requested part and size.

    It keeps the schedules and disturbances known when it was exposed, so it always looks the same."""

    scene: TableScene = field(repr=False, compare=False)
    schedules: tuple[tuple[ScheduledPerformance, ...], ...] = field(repr=False, compare=False)
    disturbances: tuple[Disturbance, ...] = field(default=(), repr=False, compare=False)

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """See Frame. The same box and size always give the same pixels. Raises ValueError for a box outside the
        frame."""
        width, height = self.size
        part = box or Box(0, 0, width, height)
        if min(part) < 0 or part.w < 1 or part.h < 1 or part.x + part.w > width or part.y + part.h > height:
            raise ValueError(f"{part} is not inside the frame of {width} × {height} pixels")
        scaled = size or (part.w, part.h)
        exposure = CameraExposure(
            self.number, self.exposed_ns, self.exposure_ns, self.readout_ns, self.schedules, self.disturbances
        )
        return self.scene.photograph(exposure, part, scaled)


@dataclass(frozen=True)
class HandTruth:
    """Ground truth of a hand at one moment.

    Attributes:
        openness: 0 for a fist, 1 for another shape, 0.5 at the moment the throw is shown. shape: The closest shape:
        "rock", "paper", "scissors" or "half-open". keypoints: Its 21 joints (21, 2) in pixels of the frame, which may
        lie outside it, in the order of MediaPipe's hand
            landmarks.
    """

    openness: float
    shape: str
    keypoints: NDArray[np.float64]


class SimulatedTable:
    """A table seen from above. Exposures are made at multiples of 1 / ``fps`` on the clock, plus a random part of a
    frame, and counted from the clock's zero.

    Args:
        seed: Chooses everything left open.
        drop_share: The share of frames that are lost, 0 to 1.
        cloth: One of materials.CLOTHS; None for a random one.
        people: One for each seat; None for random ones.
        readout_ns: Readout time of the rolling shutter, see Frame.

    Raises:
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
        if not 2 <= seats <= 8:
            raise ValueError(f"a simulated table has 2 to 8 seats, not {seats}")
        if not 0 <= drop_share <= 1:
            raise ValueError(f"the share of frames dropped is 0 to 1, not {drop_share}")
        if not 0 <= exposure_ns <= 1e9 / fps:
            raise ValueError(f"an exposure of {exposure_ns / 1e6} ms does not fit into a frame at {fps} a second")
        if not 0 <= readout_ns <= 1e9 / fps:
            raise ValueError(f"a readout of {readout_ns / 1e6} ms does not fit into a frame at {fps} a second")
        self._seating = SimulatedSeating(random_people(seats, seed) if people is None else people, size)
        if len(self._seating.people) != seats:
            raise ValueError(f"{len(self._seating.people)} people can't sit on {seats} seats")
        self.size = size
        self.fps = fps
        self.exposure_ns = exposure_ns
        self.readout_ns = readout_ns
        self._clock = clock
        self._seed = seed
        self._drop_share = drop_share
        self._phase_ns = int(np.random.default_rng([seed, 4]).uniform(0, 0.4e9 / fps))
        self._scene = TableScene(self._seating, cloth, seed)
        self._schedules: list[tuple[ScheduledPerformance, ...]] = [() for _ in range(seats)]
        self._disturbances: tuple[Disturbance, ...] = ()
        self._first_number: int | None = None
        self._stalled = False
        self._lock = Lock()
        self._counted_until = self._lost = 0

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Each seat's zone: left, top, width and height as shares of the frame. Seats 1 and 2 are left and right, the
        others alternate above and below. Zones don't overlap, and contain their hand in every shape."""
        return self._seating.zones

    @property
    def people(self) -> tuple[SimulatedPerson, ...]:
        """The players, in the order of the seats."""
        return self._seating.people

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
        self._count_lost()  # before a gap is forgotten
        with self._lock:
            kept = (old for old in self._disturbances if old.end_ns > now_ns - 2 * RING_DURATION_NS)
            self._disturbances = (*kept, disturbance)

    @property
    def disturbances(self) -> tuple[Disturbance, ...]:
        """All scheduled disturbances that are not yet forgotten."""
        return self._disturbances

    def hand_truth(self, seat: int, when_ns: int) -> HandTruth:
        """Return the ground truth of a seat's throwing hand at ``when_ns``, wherever it is."""
        self._check_seat(seat)
        own = [event for event in self._disturbances if event.kind == "wrong zone" and event.seat == seat]
        if own:
            return self.disturbance_truth(own[-1], when_ns)
        stance = stance_at(self._schedules[seat - 1], when_ns)
        return self._to_truth(stance, self._seating.seats[seat - 1].hand(stance), when_ns)

    def disturbance_truth(self, disturbance: Disturbance, when_ns: int) -> HandTruth:
        """Return the ground truth of a disturbance's hand: a second one, one astray, or one that reaches over. Raises
        ValueError when it has no hand."""
        acts = self._schedules[(disturbance.seat or 1) - 1]
        actor = actor_for(self._seating, disturbance, acts, self._seed)
        action = actor.action_at(when_ns)
        return self._to_truth(action if isinstance(action, Stance) else action.stance, actor.hand_for(action), when_ns)

    def _to_truth(self, stance: Stance, hand: HandModel, when_ns: int) -> HandTruth:
        points = self._seating.optics.project(hand.joints)
        return HandTruth(stance.openness, stance.shape, transform_points(points, self.camera_movement(when_ns)))

    def camera_movement(self, when_ns: int) -> NDArray[np.float64]:
        """Return the camera's movement (2, 3) at ``when_ns``: it maps a point (x, y, 1) of the unmoved frame to where
        it is seen, in pixels."""
        return camera_movement(self._disturbances, when_ns, self.size, self._seed)

    def _check_seat(self, seat: int) -> None:
        if not 1 <= seat <= len(self._schedules):
            raise ValueError(f"there is no seat {seat}; seats are 1 to {len(self._schedules)}")

    # -------- the camera

    def start(self) -> None:
        """See Camera. Also ends a stall, of which there are no frames. The first start on a machine compiles the
        tracer, which takes some seconds."""
        self._scene.warm_up()
        if self._first_number is None or self._stalled:
            self._stalled = False
            self._first_number = self._newest_number() + 1
            self.dropped = 0

    def stop(self) -> None:
        """See Camera."""
        self._first_number = None

    def stall(self) -> None:
        """Make the camera hang, as real ones sometimes do, until it is started again."""
        self._stalled = True

    @property
    def dropped(self) -> int:
        """Frames lost since the start."""
        return self._count_lost()

    @dropped.setter
    def dropped(self, lost: int) -> None:
        newest = self._newest_number()
        with self._lock:
            self._counted_until, self._lost = newest, lost

    def _count_lost(self) -> int:
        """Count the frames lost since the start, each once, before their disturbances are forgotten."""
        newest = self._newest_number()
        with self._lock:
            if newest > self._counted_until:
                self._lost += int(self._lost_mask(np.arange(self._counted_until + 1, newest + 1)).sum())
                self._counted_until = newest
            return self._lost

    def latest(self) -> Frame:
        """See Camera."""
        newest = self._newest_number()
        frames = self._frames(newest - int(RING_DURATION_NS * self.fps / 1e9), newest)
        if not frames:
            raise CameraError("the simulated camera has no frame yet: wait for its first exposure")
        return frames[-1]

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        oldest = max(since_ns, self._clock.now_ns() - RING_DURATION_NS)
        first = math.floor((oldest - self._phase_ns) * self.fps / 1e9) - 1
        last = math.ceil((until_ns - self._phase_ns) * self.fps / 1e9) + 1
        frames = self._frames(first, min(last, self._newest_number()))
        return [frame for frame in frames if oldest <= frame.exposed_ns <= until_ns]

    def _exposed_ns(self, number: int) -> int:
        return round(number * 1e9 / self.fps) + self._phase_ns

    def _newest_number(self) -> int:
        """Return the number of the last completed exposure, last row included."""
        over = self._clock.now_ns() - self.exposure_ns // 2 - self.readout_ns // 2
        number = math.floor((over - self._phase_ns) * self.fps / 1e9) + 1
        while self._exposed_ns(number) > over:
            number -= 1
        return number

    def _frames(self, first: int, last: int) -> list[SimulatedFrame]:
        """Return the frames from one number to another that were not dropped. Raises CameraError."""
        if self._first_number is None:
            raise CameraError("the simulated camera is not running: start it first")
        if self._stalled:
            raise CameraError("the simulated camera has stalled: start it again")
        numbers = np.arange(max(first, self._first_number), last + 1)
        acts = tuple(self._schedules)
        return [
            SimulatedFrame(
                number,
                self._exposed_ns(number),
                self.exposure_ns,
                self.size,
                self._scene,
                acts,
                self._disturbances_in(number),
                readout_ns=self.readout_ns,
            )
            for number in numbers[~self._lost_mask(numbers)].tolist()
        ]

    def _disturbances_in(self, number: int) -> tuple[Disturbance, ...]:
        """Return the disturbances visible in a frame."""
        if not self._disturbances:
            return ()
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
        bits = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(self._seed % (1 << 32))
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return (bits >> np.uint64(11)).astype(float) / float(1 << 53) < self._drop_share
