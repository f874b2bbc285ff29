"""Compose hands that show no throw from hands that do: a fist with another hand's outstretched index finger.

They have real people's landmarks, of which few photos show no throw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.training.poses import HandLabel
from vision.hands.detector import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, DetectedHand

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
