"""Hands to train and to measure the classifier with: of labelled pictures, ``SET/SHAPE/*.jpg``, and rendered ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from device.simulated.table.hand import Body, Placing, make_hand
from tools.training import composites
from tools.training.poses import IN_BETWEEN, SHAPES, SOME_FINGERS, Label, label_of, made
from tools.training.rendered import LIGHTS, VIEWS, Shot, photograph
from tools.training.sightings import Sightings
from vision.hands.augmented_looks import put_together
from vision.hands.classifier import CLASSES, measures
from vision.hands.detector import Hand
from vision.hands.stills import by_weight, read_picture

STRESS = ("set18", "set19", "set20")
"""Sets that are reported and never trained on: cut off, blurred, some mislabelled."""
UNTOLD = ("multi",)
"""Folders that say nothing of what one hand shows."""
THROWS = ("rock", "paper", "scissors")
RENDERED = "rendered"
EMPTY_WEIGHT = 0.5
"""What a folder of scenes without a hand weighs in training, beside any other folder of pictures with 1. These weights
were chosen on sets left out."""
SHOWN_WEIGHT, RENDERED_WEIGHT, BETWEEN_WEIGHT, VAGUE_WEIGHT = 2.5, 0.8, 1.0, 0.3
"""What a rendered throw weighs, a rendered shape that is none, hands in between, and a shape of VAGUE."""
VAGUE = ("half open", "relaxed")
"""Seen from above, the hand model often takes these for fists. Where they weigh more, fists are refused, and who throws
one honestly is accused."""
FEW_FINGERS = ["thumbs up", "one finger", "middle finger", "three fingers", "four fingers", "three last fingers"]
"""Shapes that are rendered more often: without that, the ones most taken for throws."""
COMPOSED_WEIGHT, BARE_WEIGHT = 0.12, 0.15
"""What the hands put together by one recipe in one set weigh, and a shape of bare joints."""
COMPOSED = 12
"""Hands put together by each recipe, in each set."""


@dataclass(frozen=True, eq=False)
class Example:
    """A picture's foremost hand, as every look saw it (none: not found). ``source`` is the set, or what else it is
    from; ``shape`` the folder's or the shape's name; ``shot`` what was rendered. ``weight`` is what all examples of the
    same source and shape weigh together in training; a folder of pictures is 1."""

    source: str
    shape: str
    label: Label
    hands: Sequence[Hand]
    weight: float = 1.0
    shot: Shot | None = None

    @property
    def throw(self) -> str | None:
        """The throw that should be read; thumb and index finger are scissors."""
        return {"none": None, "thumb-index": "scissors"}.get(self.label, self.label)

    @property
    def allowed(self) -> NDArray[np.float64]:
        """Which classes (classes,) are right, 0 or 1: real people's scissors may be thumb and index finger."""
        either = self.source.startswith("set") and self.label == "scissors"
        right = ("scissors", "thumb-index") if either else (self.label,)
        return np.array([float(name in right) for name in CLASSES])

    @cached_property
    def measures(self) -> NDArray[np.float64]:
        """What the classifier measures of it in each look."""
        return measures(self.hands)


def pictures(root: Path, per: int | None = None) -> list[Path]:
    """The pictures of all sets, at most ``per`` of each folder, evenly spread."""
    chosen: list[Path] = []
    for folder in sorted(path for path in root.glob("*/*") if path.is_dir() and path.name not in UNTOLD):
        files = sorted(folder.glob("*.jpg"))
        count = min(per or len(files), len(files))
        chosen += [files[i * len(files) // count] for i in range(count)]
    return chosen


def real(root: Path, sightings: Sightings, per: int | None = None) -> Iterator[Example]:
    """The examples of a directory of sets."""
    for file in pictures(root, per):
        name = str(file.relative_to(root).with_suffix(""))
        found = sightings(name, lambda file=file: read_picture(file))  # type: ignore[misc]
        hands = next(iter(by_weight(put_together(found), len(sightings.looks))), ())
        label: Label = file.parent.name if file.parent.name in THROWS else "none"  # type: ignore[assignment]
        weight = EMPTY_WEIGHT if file.parent.name == "none" else 1.0
        yield Example(file.parent.parent.name, file.parent.name, label, hands, weight)


def rendered(shots: Iterable[Shot], sightings: Sightings) -> Iterator[Example]:
    """The examples of shots."""
    for shot in shots:
        found = sightings(shot.name, lambda shot=shot: photograph(shot))  # type: ignore[misc]
        hands = next(iter(by_weight(put_together(found), len(sightings.looks))), ())
        weight = {IN_BETWEEN: BETWEEN_WEIGHT, **dict.fromkeys(VAGUE, VAGUE_WEIGHT)}.get(shot.shape, RENDERED_WEIGHT)
        weight = weight if label_of(shot.shape) == "none" else SHOWN_WEIGHT
        yield Example(RENDERED, shot.shape, label_of(shot.shape), hands, weight, shot)


def training_shots() -> list[Shot]:
    """What is rendered for training: some of every shape and more in between, by people of their own, a quarter moving,
    seen from all sides, most of them palm down in good light; and more throws as they are at a table, since a fist that
    is refused accuses an honest player."""
    names = [name for name in SHAPES for _ in range(70 if label_of(name) in ("none", "thumb-index") else 90)]
    names += [IN_BETWEEN] * 300
    random = np.random.default_rng(5)
    everything = [
        Shot(
            names[number],
            str(random.choice(list(VIEWS), p=[0.55, 0.15, 0.18, 0.12])),
            str(random.choice(list(LIGHTS), p=[0.7, 0.2, 0.1])),
            float(random.random()),
            bool(random.random() < 0.5),
            int(random.integers(4, 16)) if random.random() < 0.25 else 0,
            100_000 + number,
        )
        for number in random.permutation(len(names)).tolist()
    ]
    throws = [name for name in SHAPES if label_of(name) == "rock" for _ in range(90)]
    throws += [name for name in SHAPES if label_of(name) in ("paper", "scissors") for _ in range(20)]
    everything += [
        Shot(name, skin=float(random.random()), left=bool(random.random() < 0.5), seed=200_000 + number)
        for number, name in enumerate(throws)
    ]
    return everything + [
        Shot(
            name,
            str(random.choice(list(VIEWS), p=[0.4, 0.2, 0.2, 0.2])),
            str(random.choice(list(LIGHTS), p=[0.7, 0.2, 0.1])),
            float(random.random()),
            bool(random.random() < 0.5),
            seed=300_000 + number,
        )
        for number, name in enumerate([SOME_FINGERS] * 400 + FEW_FINGERS * 40)
    ]


def table_shots() -> list[Shot]:
    """What is rendered for the tables: throws by every skin in every light from every side, left and right in turn, and
    hands that are no throw. Nobody of these people is among those of the training."""
    sides = [
        (view, light, skin / 5, bool((skin + turn + step) % 2))
        for turn, view in enumerate(VIEWS)
        for step, light in enumerate(LIGHTS)
        for skin in range(6)
    ]
    shots = [Shot(throw, *side) for throw in THROWS for side in sides]
    random = np.random.default_rng(6)
    for name in [*(name for name in SHAPES if label_of(name) == "none"), IN_BETWEEN]:
        for view, count in zip(VIEWS, (8, 4, 2, 2), strict=True):
            shots += [
                Shot(name, view, "good", float(random.random()), bool(random.random() < 0.5)) for _ in range(count)
            ]
    return [replace(shot, seed=500_000 + number) for number, shot in enumerate(shots)]


def bare(each: int = 40) -> Iterator[Example]:
    """Hands without a picture: the simulated hand's own joints, seen from far above, any side up. They keep the network
    to what the shapes are, where the hand model's habits on rendered skin would lead it away."""
    random = np.random.default_rng(7)
    for name in [*SHAPES, IN_BETWEEN]:
        for _ in range(each):
            left = bool(random.random() < 0.5)
            placing = Placing((0, 0, 0), 0.0, float(random.uniform(-180, 180)), float(random.uniform(-30, 30)))
            joints = make_hand(Body(left), made(name, random), placing).joints * (1, -1, -1) / 1000
            hand = Hand(joints[:, :2] * 1000, joints - joints.mean(0), not left, 1.0)
            yield Example("bare", name, label_of(name), [hand], BARE_WEIGHT)


def composed(examples: Sequence[Example]) -> Iterator[Example]:
    """Hands put together from those of one set's throws, for every set; see ``composites``."""
    random = np.random.default_rng(0)
    for source in sorted({one.source for one in examples}):
        throws = {
            throw: [hand for one in examples if (one.source, one.shape) == (source, throw) for hand in one.hands]
            for throw in THROWS
        }
        for hand, recipe in composites.put_together(throws, COMPOSED, random):
            yield Example(source, str(recipe), recipe.label, [hand], COMPOSED_WEIGHT)
