"""The people at the simulated table."""

from dataclasses import dataclass

import numpy as np

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class SimulatedPerson:
    """A player.

    Raises:
        ValueError: a size, build or skin outside the human range.
    """

    skin: float = 0.3
    """From 0, the lightest, to 1, the darkest."""
    left: bool = False
    """Whether they play with the left hand."""
    size: float = 1.0
    """1 for an adult (193 mm from wrist to tip), about 0.75 for a child of ten."""
    build: float = 1.0
    """Thickness of the hand relative to its size."""
    sleeve: Colour | None = None
    """Its colour (red, green, blue, 0 to 255); None for a bare arm."""
    cuff_mm: float = 150.0
    """Distance from the wrist to the end of the sleeve."""
    lift_mm: float = 85.0
    """Height of their pumps."""
    yaw_deg: float = 0.0
    """Rotation of the hand from straight ahead."""
    roll_deg: float = 8.0
    """Rotation of the hand from flat."""
    wrist_deg: float = 0.0
    """Angle between forearm and hand."""
    habit: int = 0
    """Seed of their variations of the shapes."""

    def __post_init__(self) -> None:
        if not (0 <= self.skin <= 1 and 0.6 <= self.size <= 1.15 and 0.8 <= self.build <= 1.25):
            raise ValueError(f"no such person: skin is 0 to 1, size 0.6 to 1.15, build 0.8 to 1.25, not {self}")


def random_people(seats: int, seed: int) -> tuple[SimulatedPerson, ...]:
    """Return random people for the seats; one in ten is left-handed, as in life."""
    random = np.random.default_rng([seed, 1])
    people = []
    for _ in range(seats):
        sleeve = tuple(random.integers(20, 220, 3).tolist()) if random.random() < 0.6 else None
        people.append(
            SimulatedPerson(
                skin=float(random.random()),
                left=bool(random.random() < 0.1),
                size=float(random.uniform(0.86, 1.08)),
                build=float(random.uniform(0.95, 1.08)),
                sleeve=sleeve,
                cuff_mm=float(random.uniform(90, 230)),
                lift_mm=float(random.uniform(65, 105)),
                yaw_deg=float(np.clip(random.normal(0, 8), -16, 16)),
                roll_deg=float(np.clip(random.normal(8, 8), -10, 24)),
                wrist_deg=float(np.clip(random.normal(0, 4), -8, 8)),
                habit=int(random.integers(1 << 30)),
            )
        )
    return tuple(people)
