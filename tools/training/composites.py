"""Hands that are no throw, put together from hands that are: a fist with somebody's outstretched index finger is one
finger. Real people's landmarks, of which there are few that show no throw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.training.poses import Label
from vision.hands.detector import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, Hand

Vector = NDArray[np.float64]

PALM = [WRIST, INDEX, MIDDLE, RING, LITTLE]


@dataclass(frozen=True)
class Recipe:
    """The throw a hand is, the fingers it gets (by their first landmark) with the throw each is taken from, and what
    the hand then shows."""

    base: str
    fingers: Mapping[int, str]
    label: Label = "none"


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
)
"""Four fingers have the thumb of scissors or of a fist: folded, as it is over other fingers."""
SPREAD = 0.75
"""Palms that a thumb's tip must be off the middle finger's base for thumb and index finger to be spread."""
TWO_FINGERS = 1.25
"""Reach of the middle finger (see ``fingers``) from which scissors are index and middle finger."""


def put_together(
    hands: Mapping[str, Sequence[Hand]], each: int, random: np.random.Generator
) -> list[tuple[Hand, Recipe]]:
    """Up to ``each`` hands of every recipe with their recipes, from one set's ``hands`` by throw."""
    usable = {
        throw: [hand for hand in some if throw != "scissors" or _two_fingers(hand)] for throw, some in hands.items()
    }
    made: list[tuple[Hand, Recipe]] = []
    for recipe in RECIPES:
        for _ in range(each):
            hand = _one(recipe, usable, random)
            if hand is not None:
                made.append((hand, recipe))
    return made


def _two_fingers(hand: Hand) -> bool:
    far, near = (np.linalg.norm(hand.world[MIDDLE + joint] - hand.world[WRIST]) for joint in (3, 1))
    return bool(far > TWO_FINGERS * near)


def _one(recipe: Recipe, hands: Mapping[str, Sequence[Hand]], random: np.random.Generator) -> Hand | None:
    """A hand by a recipe; None where the set lacks one for it, or where the thumb is not spread that should be."""
    if not hands.get(recipe.base):
        return None
    hand = hands[recipe.base][int(random.integers(len(hands[recipe.base])))]
    donors: dict[str, Hand] = {}
    for throw in recipe.fingers.values():
        same = [other for other in hands.get(throw, ()) if other.right == hand.right]
        if not same:
            return None
        donors.setdefault(throw, same[int(random.integers(len(same)))])
    given = with_fingers(hand, {finger: donors[throw] for finger, throw in recipe.fingers.items()})
    off, palm = (np.linalg.norm(given.world[end] - given.world[MIDDLE]) for end in (THUMB + 3, WRIST))
    return None if recipe.label == "thumb-index" and off < SPREAD * palm else given


def with_fingers(hand: Hand, fingers: Mapping[int, Hand]) -> Hand:
    """The hand with some fingers of others, each turned and sized by the palms, so that it stands to this palm as it
    did to its own."""
    world, image = hand.world.copy(), hand.landmarks.copy()
    to_image = _aligned(hand.landmarks[PALM], hand.world[PALM][:, :2])
    for finger, other in fingers.items():
        to_world = _aligned(hand.world[PALM], other.world[PALM])
        way = (other.world[finger + 1 : finger + 4] - other.world[finger]) @ to_world
        world[finger + 1 : finger + 4] = hand.world[finger] + way
        image[finger + 1 : finger + 4] = hand.landmarks[finger] + way[:, :2] @ to_image
    return replace(hand, world=world, landmarks=image)


def _aligned(goal: Vector, points: Vector) -> Vector:
    """The rotation and size that bring points nearest to their goals (Kabsch, Umeyama): to be multiplied from the
    right."""
    goal, points = goal - goal.mean(0), points - points.mean(0)
    left, sizes, right = np.linalg.svd(points.T @ goal)
    keep = np.ones(len(sizes))
    keep[-1] = np.sign(np.linalg.det(left @ right)) or 1.0
    return np.asarray((left * keep) @ right * ((sizes * keep).sum() / ((points**2).sum() + 1e-12)))
