"""Hands to train and measure the classifier with: from labelled photos, ``SET/SHAPE/*.jpg``, and rendered ones."""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from device.simulated.table.hand import HandPlacement, make_hand
from device.simulated.table.people import SimulatedPerson
from tools.training.detection_cache import DetectionCache
from tools.training.poses import HAND_SHAPES, IN_BETWEEN, SOME_FINGERS, HandLabel, personal_pose, shape_label
from tools.training.render import FOREARM_VIEWS, LIGHT_LEVELS, HandShot, render_shot, renderer_digest
from vision.hands.augmentation import group_detections
from vision.hands.classifier import CLASSES, embedding_features, hand_features
from vision.hands.detector import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, DetectedHand
from vision.hands.stills import EMBEDDED_LOOKS, rank_hands, read_image, search_hands

Vector = NDArray[np.float64]

PALM_LANDMARKS = [WRIST, INDEX, MIDDLE, RING, LITTLE]


@dataclass(frozen=True)
class Recipe:
    """How a hand is put together from several."""

    base: str
    """The throw of the base hand."""
    fingers: Mapping[int, str]
    """The fingers it gets, by their first landmark, with the throw that each is taken from."""
    label: HandLabel = "none"
    """That of the result."""
    share: float = 1.0
    """How far the fingers move to their new place, 0–1."""


RECIPES: Sequence[Recipe] = (
    Recipe("rock", {INDEX: "paper"}),
    Recipe("rock", {INDEX: "scissors"}),
    Recipe("rock", {MIDDLE: "paper"}),
    Recipe("rock", {LITTLE: "paper"}),
    Recipe("rock", {INDEX: "paper", LITTLE: "paper"}),
    Recipe("rock", {LITTLE: "paper", THUMB: "paper"}),
    Recipe("scissors", {RING: "paper"}),
    Recipe("paper", {INDEX: "rock", THUMB: "rock"}),
    Recipe("paper", {INDEX: "rock", MIDDLE: "rock"}),
    Recipe("rock", {INDEX: "paper", THUMB: "paper"}, "thumb-index"),
    Recipe("rock", {MIDDLE: "scissors"}),
    Recipe("rock", {INDEX: "scissors", LITTLE: "paper"}),
    Recipe("rock", {INDEX: "paper", MIDDLE: "paper", RING: "paper"}),
    Recipe("rock", {INDEX: "scissors", MIDDLE: "scissors", RING: "paper", LITTLE: "paper"}),
    Recipe("scissors", {RING: "paper", LITTLE: "paper"}),
    Recipe("paper", {LITTLE: "rock", THUMB: "rock"}),
    Recipe("scissors", {RING: "paper", LITTLE: "paper"}, "scissors", 0.3),
)
"""Four outstretched fingers keep the folded thumb of scissors or a fist; scissors stay scissors when the other two
fingers are curled only loosely."""
MIN_THUMB_SPREAD = 0.75
"""Thumb and index finger count as spread when the thumb's tip is this far from the middle finger's base, in lengths of
the palm."""
MIN_TWO_FINGER_REACH = 1.25
"""Scissors count as index and middle finger when the middle fingertip is this much farther from the wrist than the
finger's second landmark."""


def make_composites(
    hands: Mapping[str, Sequence[DetectedHand]], per_recipe: int, rng: np.random.Generator
) -> list[tuple[DetectedHand, Recipe]]:
    """Return up to ``per_recipe`` hands of every recipe, with their recipes, from one set's ``hands`` by throw."""
    usable = {
        throw: [hand for hand in some if throw != "scissors" or _shows_two_fingers(hand)]
        for throw, some in hands.items()
    }
    composites: list[tuple[DetectedHand, Recipe]] = []
    for recipe in RECIPES:
        for _ in range(per_recipe):
            hand = _make_composite(recipe, usable, rng)
            if hand is not None:
                composites.append((hand, recipe))
    return composites


def _shows_two_fingers(hand: DetectedHand) -> bool:
    far, near = (np.linalg.norm(hand.world_landmarks[MIDDLE + joint] - hand.world_landmarks[WRIST]) for joint in (3, 1))
    return bool(far > MIN_TWO_FINGER_REACH * near)


def _make_composite(
    recipe: Recipe, hands: Mapping[str, Sequence[DetectedHand]], rng: np.random.Generator
) -> DetectedHand | None:
    """Return a hand by a recipe; None if the set lacks a hand for it, or if a thumb that should be spread isn't."""
    if not hands.get(recipe.base):
        return None
    hand = hands[recipe.base][int(rng.integers(len(hands[recipe.base])))]
    donors: dict[str, DetectedHand] = {}
    for throw in recipe.fingers.values():
        same = [other for other in hands.get(throw, ()) if other.is_right == hand.is_right]
        if not same:
            return None
        donors.setdefault(throw, same[int(rng.integers(len(same)))])
    composite = replace_fingers(hand, {finger: donors[throw] for finger, throw in recipe.fingers.items()}, recipe.share)
    spread, palm = (
        np.linalg.norm(composite.world_landmarks[end] - composite.world_landmarks[MIDDLE]) for end in (THUMB + 3, WRIST)
    )
    return None if recipe.label == "thumb-index" and spread < MIN_THUMB_SPREAD * palm else composite


def replace_fingers(hand: DetectedHand, fingers: Mapping[int, DetectedHand], share: float = 1.0) -> DetectedHand:
    """Return the hand with some fingers of other hands, each turned and scaled from its own palm to this one; with a
    ``share`` below 1 only that far on the way from the hand's own finger."""
    world, image = hand.world_landmarks.copy(), hand.landmarks.copy()
    to_image = _alignment(hand.landmarks[PALM_LANDMARKS], hand.world_landmarks[PALM_LANDMARKS][:, :2])
    for finger, other in fingers.items():
        to_world = _alignment(hand.world_landmarks[PALM_LANDMARKS], other.world_landmarks[PALM_LANDMARKS])
        joints = (other.world_landmarks[finger + 1 : finger + 4] - other.world_landmarks[finger]) @ to_world
        moved = slice(finger + 1, finger + 4)
        world[moved] += share * (hand.world_landmarks[finger] + joints - world[moved])
        image[moved] += share * (hand.landmarks[finger] + joints[:, :2] @ to_image - image[moved])
    return replace(hand, world_landmarks=world, landmarks=image)


def _alignment(goal: Vector, points: Vector) -> Vector:
    """Return the matrix of rotation and scale that, multiplied from the right, brings ``points`` nearest to ``goal``
    (Kabsch 1976, Umeyama 1991)."""
    goal, points = goal - goal.mean(0), points - points.mean(0)
    left, sizes, right = np.linalg.svd(points.T @ goal)
    keep = np.ones(len(sizes))
    keep[-1] = np.sign(np.linalg.det(left @ right)) or 1.0
    return np.asarray((left * keep) @ right * ((sizes * keep).sum() / ((points**2).sum() + 1e-12)))


IMAGE_FOLDER = Path("../shared/data/hands")
STRESS_SETS = ("set18", "set19", "set20", "set25")
"""Sets that are measured but never trained on: hands cut off or blurred, some mislabelled, or of another colour."""
NEW_SETS = ("set21", "set22", "set23", "set24", "set26")
"""Sets of further cameras and people that the released weights have not seen: measured, never trained on."""
UNTRAINED_SETS = (*STRESS_SETS, *NEW_SETS)
UNLABELLED_FOLDERS = ("multi",)
"""Folders whose name doesn't tell what a hand shows."""
THROW_NAMES = ("rock", "paper", "scissors")
RENDERED_SOURCE = "rendered"
EMPTY_WEIGHT = 0.5
"""The training weight of a folder of scenes without a hand; any other folder of photos has 1. These weights were chosen
on held-out sets."""
RENDERED_THROW_WEIGHT, RENDERED_NO_THROW_WEIGHT, IN_BETWEEN_WEIGHT, AMBIGUOUS_WEIGHT = 2.5, 0.8, 1.0, 0.3
"""Training weights of a rendered throw, of a rendered shape that is no throw, of hands between two shapes, and of an
ambiguous shape."""
AMBIGUOUS_SHAPES = ("half open", "relaxed")
"""Seen from above, the hand model often takes these for fists. With a higher weight, fists are refused, and an honest
player who throws one is accused."""
CONFUSABLE_SHAPES = ["thumbs up", "one finger", "middle finger", "three fingers", "four fingers", "three last fingers"]
"""Shapes that are rendered more often, as they would otherwise be taken for throws most."""
COMPOSITE_WEIGHT, BARE_JOINT_WEIGHT = 0.12, 0.15
"""Training weights of the composites of one recipe in one set, and of a shape of bare joints."""
COMPOSITES_PER_RECIPE = 12
"""Composites of each recipe in each set."""


@dataclass(frozen=True, eq=False)
class TrainingExample:
    """An image's foremost hand, as a label and what was detected of it."""

    source: str
    """The set of photos, or the kind of rendered example."""
    shape: str
    """The name of the folder, or of the rendered shape."""
    label: HandLabel
    hands: Sequence[DetectedHand]
    """The hand as detected with each augmentation, where it was found."""
    weight: float = 1.0
    """The training weight of all examples of the same source and shape together."""
    shot: HandShot | None = None
    """What was rendered; None for a photo."""
    embeddings: Vector = field(default_factory=lambda: np.zeros((0, 0)))
    """Of the hand (looks, n), those of a still first; none without an image."""

    @property
    def throw(self) -> str | None:
        """The throw to be read; thumb and index finger are scissors."""
        return {"none": None, "thumb-index": "scissors"}.get(self.label, self.label)

    @property
    def allowed_classes(self) -> NDArray[np.float64]:
        """The right classes (classes,), as 0 and 1: real people's scissors may be thumb and index finger."""
        either = self.source.startswith("set") and self.label == "scissors"
        right = ("scissors", "thumb-index") if either else (self.label,)
        return np.array([float(name in right) for name in CLASSES])

    @cached_property
    def features(self) -> Vector:
        """The features (augmentations, features) of the hand's landmarks."""
        return hand_features(self.hands) if self.hands else np.zeros((0, 0))

    @cached_property
    def embedding_features(self) -> Vector:
        """The features (looks, n) of the embeddings."""
        return embedding_features(self.embeddings)

    @property
    def throw_class(self) -> Vector:
        """The class of the throw to be read (classes,), as 0 and 1."""
        return np.array([float(name == (self.throw or "none")) for name in CLASSES])

    @property
    def still_features(self) -> Vector:
        """The features (looks, n) of the embeddings that a still has."""
        return self.embedding_features[: len(EMBEDDED_LOOKS)]


def image_files(root: Path, per_folder: int | None = None) -> list[Path]:
    """Return the images of all sets, at most ``per_folder`` of each folder, evenly spread."""
    chosen: list[Path] = []
    for folder in sorted(path for path in root.glob("*/*") if path.is_dir() and path.name not in UNLABELLED_FOLDERS):
        files = sorted(folder.glob("*.jpg"))
        count = min(per_folder or len(files), len(files))
        chosen += [files[i * len(files) // count] for i in range(count)]
    return chosen


def usual_image_files(root: Path, per_folder: int | None = None) -> list[Path]:
    """Return the images as ``image_files`` does, without the stress sets."""
    return [file for file in image_files(root, per_folder) if file.parent.parent.name not in STRESS_SETS]


def add_image_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the images: ``--pictures`` and ``--per``."""
    parser.add_argument(
        "--pictures", type=Path, default=IMAGE_FOLDER, help="a folder of sets, each with folders of shapes"
    )
    parser.add_argument("--per", type=int, metavar="N", help="at most N photos of each folder")


def photo_examples(
    root: Path,
    cache: DetectionCache,
    per_folder: int | None = None,
    *,
    mirrored: bool = False,
    as_doubtful: bool = False,
) -> Iterator[TrainingExample]:
    """Yield the examples of a folder of sets, or of its images ``mirrored``: their left hands are then right ones. With
    ``as_doubtful`` every hand is detected in the other image too, as stills do with doubtful ones."""
    for file in image_files(root, per_folder):
        name = str(file.relative_to(root).with_suffix(""))
        if mirrored:
            name, read = f"mirrored/{name}", partial(_read_mirrored, file)
        else:
            read = partial(read_image, file)
        hands = next(iter(search_hands(partial(cache, name, read), cache.augmentations, lambda _: as_doubtful)), ())
        embeddings = cache.embed(name, read, hands) if hands else np.zeros((0, 0))
        label: HandLabel = file.parent.name if file.parent.name in THROW_NAMES else "none"  # type: ignore[assignment]
        weight = EMPTY_WEIGHT if file.parent.name == "none" else 1.0
        yield TrainingExample(file.parent.parent.name, file.parent.name, label, hands, weight, embeddings=embeddings)


def _read_mirrored(file: Path) -> Pixels:
    return np.ascontiguousarray(read_image(file)[:, ::-1])


def rendered_examples(shots: Iterable[HandShot], cache: DetectionCache) -> Iterator[TrainingExample]:
    """Yield the examples of rendered shots. The cache has others for another version of the renderer."""
    for shot in shots:
        name, render = f"{renderer_digest()}/{shot.name}", partial(render_shot, shot)
        found = cache(name, render)
        hands = next(iter(rank_hands(group_detections(found), len(cache.augmentations))), ())
        weight = {IN_BETWEEN: IN_BETWEEN_WEIGHT, **dict.fromkeys(AMBIGUOUS_SHAPES, AMBIGUOUS_WEIGHT)}.get(
            shot.shape, RENDERED_NO_THROW_WEIGHT
        )
        weight = weight if shape_label(shot.shape) == "none" else RENDERED_THROW_WEIGHT
        embeddings = cache.embed(name, render, hands) if hands else np.zeros((0, 0))
        yield TrainingExample(RENDERED_SOURCE, shot.shape, shape_label(shot.shape), hands, weight, shot, embeddings)


def training_shots() -> list[HandShot]:
    """Return the shots rendered for training.

    Some of every shape and more in between, each by a different person, a quarter of them moving, seen from all sides,
    most of them palm down in good light; and more throws as they are at a table, since refusing a fist accuses an
    honest player."""
    names = [name for name in HAND_SHAPES for _ in range(70 if shape_label(name) in ("none", "thumb-index") else 90)]
    names += [IN_BETWEEN] * 300
    rng = np.random.default_rng(5)
    everything = [
        HandShot(
            names[number],
            str(rng.choice(list(FOREARM_VIEWS), p=[0.55, 0.15, 0.18, 0.12])),
            str(rng.choice(list(LIGHT_LEVELS), p=[0.7, 0.2, 0.1])),
            float(rng.random()),
            bool(rng.random() < 0.5),
            int(rng.integers(4, 16)) if rng.random() < 0.25 else 0,
            100_000 + number,
        )
        for number in rng.permutation(len(names)).tolist()
    ]
    throws = [name for name in HAND_SHAPES if shape_label(name) == "rock" for _ in range(90)]
    throws += [name for name in HAND_SHAPES if shape_label(name) in ("paper", "scissors") for _ in range(20)]
    everything += [
        HandShot(name, skin=float(rng.random()), left=bool(rng.random() < 0.5), seed=200_000 + number)
        for number, name in enumerate(throws)
    ]
    return everything + [
        HandShot(
            name,
            str(rng.choice(list(FOREARM_VIEWS), p=[0.4, 0.2, 0.2, 0.2])),
            str(rng.choice(list(LIGHT_LEVELS), p=[0.7, 0.2, 0.1])),
            float(rng.random()),
            bool(rng.random() < 0.5),
            seed=300_000 + number,
        )
        for number, name in enumerate([SOME_FINGERS] * 400 + CONFUSABLE_SHAPES * 40)
    ]


def table_shots() -> list[HandShot]:
    """Return the shots rendered for the tables: throws with every skin tone in every light from every side, with left
    and right hands in turn, and hands that show no throw. None of these people is used in training."""
    sides = [
        (view, light, skin / 5, bool((skin + turn + step) % 2))
        for turn, view in enumerate(FOREARM_VIEWS)
        for step, light in enumerate(LIGHT_LEVELS)
        for skin in range(6)
    ]
    shots = [HandShot(throw, *side) for throw in THROW_NAMES for side in sides]
    rng = np.random.default_rng(6)
    for name in [*(name for name in HAND_SHAPES if shape_label(name) == "none"), IN_BETWEEN]:
        for view, count in zip(FOREARM_VIEWS, (8, 4, 2, 2), strict=True):
            shots += [HandShot(name, view, "good", float(rng.random()), bool(rng.random() < 0.5)) for _ in range(count)]
    return [replace(shot, seed=500_000 + number) for number, shot in enumerate(shots)]


def bare_joint_examples(per_shape: int = 40) -> Iterator[TrainingExample]:
    """Yield hands without an image: the simulated hand's own joints, seen from far above, any side up. They keep the
    network to the shapes themselves, against the hand model's errors on rendered skin."""
    rng = np.random.default_rng(7)
    for name in [*HAND_SHAPES, IN_BETWEEN]:
        for _ in range(per_shape):
            left = bool(rng.random() < 0.5)
            placing = HandPlacement((0, 0, 0), 0.0, float(rng.uniform(-180, 180)), float(rng.uniform(-30, 30)))
            joints = (
                make_hand(SimulatedPerson(left=left), personal_pose(name, rng), placing).joints * (1, -1, -1) / 1000
            )
            hand = DetectedHand(joints[:, :2] * 1000, joints - joints.mean(0), not left, 1.0)
            yield TrainingExample("bare", name, shape_label(name), [hand], BARE_JOINT_WEIGHT)


def composite_examples(examples: Sequence[TrainingExample]) -> Iterator[TrainingExample]:
    """Yield the composites of every set's throws."""
    rng = np.random.default_rng(0)
    for source in sorted({example.source for example in examples}):
        throws = {
            throw: [
                hand
                for example in examples
                if (example.source, example.shape) == (source, throw)
                for hand in example.hands
            ]
            for throw in THROW_NAMES
        }
        for hand, recipe in make_composites(throws, COMPOSITES_PER_RECIPE, rng):
            yield TrainingExample(source, str(recipe), recipe.label, [hand], COMPOSITE_WEIGHT)
