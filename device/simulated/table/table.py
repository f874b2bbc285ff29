"""The simulated table: a camera like any other, over people who throw when they are told to.

clock = SteadyClock()
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
from device.simulated.table.actors import mover_of
from device.simulated.table.animation import Act, Performance, Stance, stance_at
from device.simulated.table.camera_faults import moved_points, movement
from device.simulated.table.faults import Disturbance
from device.simulated.table.hand import Hand
from device.simulated.table.scene import Exposure, Scene
from device.simulated.table.seating import Person, Seating, Zone, some_people
from device.system.clock import Clock

KEPT_NS = 6_000_000_000
"""How long a frame stays in the ring."""


@dataclass(frozen=True)
class SimulatedFrame(Frame):
    """A frame that is rendered when somebody looks at it, and only the part asked for, at the size asked for.

    It remembers what the hands had been told when it was exposed, and what went wrong: it looks the same whenever it
    is looked at."""

    scene: Scene = field(repr=False, compare=False)
    acts: tuple[tuple[Act, ...], ...] = field(repr=False, compare=False)
    disturbances: tuple[Disturbance, ...] = field(default=(), repr=False, compare=False)

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """See Frame. The same box and size always give the same pixels. Raises ValueError for a box that is not
        inside the frame."""
        width, height = self.size
        part = box or Box(0, 0, width, height)
        if min(part) < 0 or part.w < 1 or part.h < 1 or part.x + part.w > width or part.y + part.h > height:
            raise ValueError(f"{part} is not inside the frame of {width} × {height} pixels")
        scaled = size or (part.w, part.h)
        exposure = Exposure(
            self.number, self.exposed_ns, self.exposure_ns, self.readout_ns, self.acts, self.disturbances
        )
        return self.scene.photograph(exposure, part, scaled)


@dataclass(frozen=True)
class SeatTruth:
    """What a hand really did at a moment. ``openness``: 0 a fist, 1 another shape, 0.5 when it shows. ``pose``: the
    shape it was nearest to, "rock", "paper", "scissors" or "half-open". ``keypoints``: its 21 joints (21, 2) in the
    frame's pixels, in the order of MediaPipe's hand landmarks; they may lie outside the frame."""

    openness: float
    pose: str
    keypoints: NDArray[np.float64]


class SimulatedTable:
    """A table seen from above. Exposures are made at multiples of 1 / ``fps`` of the clock's time, plus a part of a
    frame that the seed chooses, and counted from the clock's zero.

    ``people``: who plays, one for each seat; without, the seed chooses them. ``exposure_ns``: how long an exposure
    takes. ``drop``: the share of frames that are lost. ``cloth``: one of scene.CLOTHS, or ``None``: the seed chooses.
    ``readout_ns``: what the rolling shutter takes from the first row to the last; see Frame.row_ns.

    Raises ValueError for a number of seats that is not 2 to 8, people that are not one for each seat, an unknown cloth,
    an exposure or a readout longer than a frame, or a share that is not 0 to 1.
    """

    def __init__(
        self,
        clock: Clock,
        seats: int,
        seed: int = 0,
        size: Size = (1280, 720),
        fps: float = 60.0,
        exposure_ns: int = 8_000_000,
        drop: float = 0.0,
        cloth: str | None = None,
        people: Iterable[Person] | None = None,
        readout_ns: int = 0,
    ) -> None:
        if not 2 <= seats <= 8:
            raise ValueError(f"a simulated table has 2 to 8 seats, not {seats}")
        if not 0 <= drop <= 1:
            raise ValueError(f"the share of frames dropped is 0 to 1, not {drop}")
        if not 0 <= exposure_ns <= 1e9 / fps:
            raise ValueError(f"an exposure of {exposure_ns / 1e6} ms does not fit into a frame at {fps} a second")
        if not 0 <= readout_ns <= 1e9 / fps:
            raise ValueError(f"a readout of {readout_ns / 1e6} ms does not fit into a frame at {fps} a second")
        self._seating = Seating(some_people(seats, seed) if people is None else people, size)
        if len(self._seating.people) != seats:
            raise ValueError(f"{len(self._seating.people)} people can't sit on {seats} seats")
        self.size = size
        self.fps = fps
        self.exposure_ns = exposure_ns
        self.readout_ns = readout_ns
        self._clock = clock
        self._seed = seed
        self._drop = drop
        self._phase_ns = int(np.random.default_rng([seed, 4]).uniform(0, 0.4e9 / fps))
        self._scene = Scene(self._seating, cloth, seed)
        self._acts: list[tuple[Act, ...]] = [() for _ in range(seats)]
        self._disturbances: tuple[Disturbance, ...] = ()
        self._started: int | None = None
        self._stalled = False
        self._lock = Lock()
        self._counted = self._lost = 0

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Each seat's zone, in the order of the seats: left, top, width and height as shares of the frame. Seats 1 and
        2 sit left and right, the others in turn above and below. Zones don't overlap, and hold their hand whatever it
        shows."""
        return self._seating.zones

    @property
    def people(self) -> tuple[Person, ...]:
        """Who plays, in the order of the seats."""
        return self._seating.people

    @property
    def cloth(self) -> str:
        """What covers the table."""
        return self._scene.cloth

    # -------- the players

    def perform(self, seat: int, performance: Performance) -> None:
        """Tell a seat (they start at 1) what to do. From the performance's start on it replaces what the seat was told
        before: the hand goes over to it without a jump.

        Raises ValueError when it is told so late that its throw would have begun before now, or for a seat that isn't
        there."""
        self._check(seat)
        now = self._clock.now_ns()
        act = Act.told(performance, now)
        # what the ring no longer reaches back to needs no remembering
        with self._lock:
            told = self._acts[seat - 1]
            over = [i for i, old in enumerate(told) if old.begins_ns + old.joins_ns < now - 2 * KEPT_NS]
            kept = told[over[-1] :] if over else told
            self._acts[seat - 1] = (*(old for old in kept if old.begins_ns < act.begins_ns), act)

    def disturb(self, disturbance: Disturbance) -> None:
        """Have something go wrong at the table or with its camera. Several may at once.

        Raises ValueError when it would have begun before now, or for a seat that isn't there."""
        for seat in (disturbance.seat, disturbance.into, disturbance.by):
            if seat is not None:
                self._check(seat)
        now = self._clock.now_ns()
        if disturbance.begins_ns < now:
            late_ms = (now - disturbance.begins_ns) / 1e6
            raise ValueError(f"the disturbance is told too late: it began {late_ms:.0f} ms ago")
        self._count()  # what a gap that is forgotten has cost
        with self._lock:
            kept = (old for old in self._disturbances if old.ends_ns > now - 2 * KEPT_NS)
            self._disturbances = (*kept, disturbance)

    @property
    def disturbances(self) -> tuple[Disturbance, ...]:
        """The truth about what goes wrong: all that it has been told of and not yet forgotten."""
        return self._disturbances

    def truth(self, seat: int, when_ns: int) -> SeatTruth:
        """What the throwing hand of ``seat`` does at ``when_ns``, as far as it has been told, wherever it is."""
        self._check(seat)
        strays = [one for one in self._disturbances if one.kind == "wrong zone" and one.seat == seat]
        if strays:
            return self.truth_of(strays[-1], when_ns)
        stance = stance_at(self._acts[seat - 1], when_ns)
        return self._told(stance, self._seating.seats[seat - 1].hand(stance), when_ns)

    def truth_of(self, disturbance: Disturbance, when_ns: int) -> SeatTruth:
        """What the hand of a disturbance does: a second one, one astray, or one that reaches over. Raises ValueError
        when it has none."""
        acts = self._acts[(disturbance.seat or 1) - 1]
        mover = mover_of(self._seating, disturbance, acts, self._seed)
        doing = mover.does(when_ns)
        return self._told(doing if isinstance(doing, Stance) else doing.stance, mover.hand(doing), when_ns)

    def _told(self, stance: Stance, hand: Hand, when_ns: int) -> SeatTruth:
        points = self._seating.optics.project(hand.joints)
        return SeatTruth(stance.openness, stance.shape, moved_points(points, self.movement(when_ns)))

    def movement(self, when_ns: int) -> NDArray[np.float64]:
        """The truth about the camera: where a point of the frame is seen at ``when_ns`` that an unmoved camera sees at
        (x, y, 1), as (2, 3), in pixels."""
        return movement(self._disturbances, when_ns, self.size, self._seed)

    def _check(self, seat: int) -> None:
        if not 1 <= seat <= len(self._acts):
            raise ValueError(f"there is no seat {seat}: they are 1 to {len(self._acts)}")

    # -------- the camera

    def start(self) -> None:
        """See Camera. Also mends a stall, of which there are no frames. The first start on a machine compiles the
        tracer and takes some seconds."""
        self._scene.warm_up()
        if self._started is None or self._stalled:
            self._stalled = False
            self._started = self._newest() + 1
            self.dropped = 0

    def stop(self) -> None:
        """See Camera."""
        self._started = None

    def stall(self) -> None:
        """Let the camera hang, as real ones sometimes do, until it is started again."""
        self._stalled = True

    @property
    def dropped(self) -> int:
        """Frames lost since the start."""
        return self._count()

    @dropped.setter
    def dropped(self, lost: int) -> None:
        newest = self._newest()
        with self._lock:
            self._counted, self._lost = newest, lost

    def _count(self) -> int:
        """The frames lost since the start. They are counted once, before what explains them is forgotten."""
        newest = self._newest()
        with self._lock:
            if newest > self._counted:
                self._lost += int(self._is_lost(np.arange(self._counted + 1, newest + 1)).sum())
                self._counted = newest
            return self._lost

    def latest(self) -> Frame:
        """See Camera."""
        newest = self._newest()
        frames = self._frames(newest - int(KEPT_NS * self.fps / 1e9), newest)
        if not frames:
            raise CameraError("the simulated camera has no frame yet: wait for its first exposure")
        return frames[-1]

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        oldest = max(since_ns, self._clock.now_ns() - KEPT_NS)
        first = math.floor((oldest - self._phase_ns) * self.fps / 1e9) - 1
        last = math.ceil((until_ns - self._phase_ns) * self.fps / 1e9) + 1
        frames = self._frames(first, min(last, self._newest()))
        return [frame for frame in frames if oldest <= frame.exposed_ns <= until_ns]

    def _middle_ns(self, number: int) -> int:
        return round(number * 1e9 / self.fps) + self._phase_ns

    def _newest(self) -> int:
        """The number of the last exposure that is over, its last row's too."""
        over = self._clock.now_ns() - self.exposure_ns // 2 - self.readout_ns // 2
        number = math.floor((over - self._phase_ns) * self.fps / 1e9) + 1
        while self._middle_ns(number) > over:
            number -= 1
        return number

    def _frames(self, first: int, last: int) -> list[SimulatedFrame]:
        """The frames from one number to another that weren't dropped. Raises CameraError."""
        if self._started is None:
            raise CameraError("the simulated camera is not running: start it first")
        if self._stalled:
            raise CameraError("the simulated camera has stalled and gives no more frames: start it again")
        numbers = np.arange(max(first, self._started), last + 1)
        acts = tuple(self._acts)
        return [
            SimulatedFrame(
                number,
                self._middle_ns(number),
                self.exposure_ns,
                self.size,
                self._scene,
                acts,
                self._wrong_at(number),
                readout_ns=self.readout_ns,
            )
            for number in numbers[~self._is_lost(numbers)].tolist()
        ]

    def _wrong_at(self, number: int) -> tuple[Disturbance, ...]:
        """What goes wrong while a frame is exposed, and can be seen in it."""
        if not self._disturbances:
            return ()
        middle, half = self._middle_ns(number), (self.exposure_ns + self.readout_ns) // 2
        return tuple(
            one for one in self._disturbances if one.kind != "gap" and one.overlaps(middle - half, middle + half)
        )

    def _is_lost(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which exposures are lost, by chance or in a gap."""
        lost = self._is_dropped(numbers)
        times = np.round(numbers * 1e9 / self.fps) + self._phase_ns
        for gap in self._disturbances:
            if gap.kind == "gap":
                share = gap.much / self.fps
                comes = np.floor((numbers + 1) * share) > np.floor(numbers * share)
                lost |= (times >= gap.begins_ns) & (times < gap.ends_ns) & ~comes
        return lost

    def _is_dropped(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which exposures are lost: a number from 0 to 1 that belongs to each (splitmix64), below the share."""
        bits = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(self._seed % (1 << 32))
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return (bits >> np.uint64(11)).astype(float) / float(1 << 53) < self._drop
