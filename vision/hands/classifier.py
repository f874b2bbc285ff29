"""What a hand shows, by a small trained network: from landmarks to measures that turning, mirroring and sizing leave
alone, and from those to the chance of each throw and of none of these. Plain numpy; ``tools.training.training``
makes its weights."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.detector import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, Hand

Vector = NDArray[np.float64]

CLASSES = ("rock", "paper", "scissors", "thumb-index", "none")
"""What the network tells apart, in the order of its outputs. "thumb-index" is thumb and index finger spread with the
others curled, which some people throw for scissors."""
LONG = (INDEX, MIDDLE, RING, LITTLE)
TIP = 3
"""From a finger's first landmark to its tip."""
THUMB_TO = (INDEX, INDEX + 1, INDEX + TIP, MIDDLE, MIDDLE + TIP, RING, LITTLE)
"""Where the thumb's tip is measured to."""
FURTHEST = 3.0
"""Palms; no finger is longer, and beyond it a measure says only that the landmarks are wrong."""


class Weights(NamedTuple):
    """The network: measures (n) are centred and scaled, then one hidden layer (tanh) and one output a class.
    ``single`` and ``together`` are the temperatures that make chances of one look, and of several, mean what they say;
    both were fitted on sets of pictures that were left out of the training."""

    mean: Vector
    scale: Vector
    hidden: Vector
    hidden_bias: Vector
    out: Vector
    out_bias: Vector
    single: Vector
    together: Vector

    def logits(self, measured: Vector) -> Vector:
        """The outputs (looks, classes) for measures (looks, n), before any temperature."""
        inner = np.tanh((measured - self.mean) / self.scale @ self.hidden + self.hidden_bias)
        return np.asarray(inner @ self.out + self.out_bias)

    def chances(self, measured: Vector) -> Vector:
        """The chance (classes,) of each class for one hand, measured (looks, n) in one look or several."""
        return self.heated(self.logits(measured))

    def heated(self, logits: Vector) -> Vector:
        """The chances (classes,) from logits (looks, classes). Several looks count by the mean of their log-chances:
        looks at one picture err together, so their evidence does not add up."""
        logs = log_softmax(logits).mean(0)
        return np.asarray(np.exp(log_softmax(logs / float(self.single if len(logits) == 1 else self.together))))


def read_weights(file: Traversable) -> Weights:
    """The weights in a file that ``write_weights`` wrote."""
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
        return Weights(*(np.asarray(kept[name], float) for name in Weights._fields))


@cache
def weights() -> Weights:
    """The weights by which the lock reads frames; its trials were run with these very ones."""
    return read_weights(resources.files("vision.hands").joinpath("weights.npz"))


@cache
def still_weights() -> Weights:
    """The weights by which stills are read: trained on more hands that are no throw."""
    return read_weights(resources.files("vision.hands").joinpath("stills.npz"))


def chances(
    hands: Sequence[Hand], thumb_index_scissors: bool = True, no_throw: float = 1.0, network: Weights | None = None
) -> Mapping[Throw | None, float]:
    """The chance (0–1, together 1) of each throw, and under None that it is no throw, of one hand that was found once
    or several times. ``thumb_index_scissors``: thumb and index finger spread count as scissors, else as no throw.
    ``no_throw``: how many times as often hands are no throw, where this one is from, as among those trained on.
    ``network``: ``weights()`` unless given."""
    classes = (network or weights()).chances(measures(hands))
    return throws_of(likelier_none(classes, no_throw), thumb_index_scissors)


def likelier_none(classes: Vector, times: float) -> Vector:
    """The chances (classes,) where hands are no throw so many times as often as where those given are from."""
    classes = classes * np.array([times if name == "none" else 1.0 for name in CLASSES])
    return np.asarray(classes / classes.sum())


def throws_of(classes: Vector, thumb_index_scissors: bool = True) -> Mapping[Throw | None, float]:
    """The chance of each throw, and of none of them, from those of CLASSES."""
    of = dict(zip(CLASSES, classes.tolist(), strict=True))
    either = of["thumb-index"]
    return {
        Throw.ROCK: of["rock"],
        Throw.PAPER: of["paper"],
        Throw.SCISSORS: of["scissors"] + either * thumb_index_scissors,
        None: of["none"] + either * (not thumb_index_scissors),
    }


def measures(hands: Sequence[Hand]) -> Vector:
    """What the network is given of each hand (hands, n): angles in radians, and lengths as shares of others."""
    world = np.stack([hand.world for hand in hands])
    image = np.stack([hand.landmarks for hand in hands])
    middles = bends(world)[:, :, 1]  # what the middle joint alone is bent: the model sees it best
    return np.concatenate([_measured(world), middles, _measured(image), _palm(image)], axis=1)


def _measured(points: Vector) -> Vector:
    """The measures of landmarks (hands, 21, 2 or 3) that are taken in the world and in the image alike."""
    size = _size(points)[:, None]
    bases = np.array(LONG)
    tips = bases + TIP
    bent = bends(points).sum(-1).clip(0, np.pi)  # more only says that the finger points at the camera
    reach = apart(points, WRIST, tips) / (apart(points, WRIST, bases + 1) + 1e-9)
    bones = sum(apart(points, bases + bone, bases + bone + 1) for bone in range(TIP))
    stretched = apart(points, bases, tips) / (bones + 1e-9)
    thumb = apart(points, THUMB + TIP, np.array(THUMB_TO)) / size
    clear = apart(points, THUMB + TIP, LITTLE) / (apart(points, THUMB + 1, LITTLE) + 1e-9)
    between = apart(points, tips[:-1], tips[1:]) / size
    lengths = np.concatenate([reach.clip(0, 2), stretched, thumb, clear[:, None].clip(0, 2), between], axis=1)
    return np.concatenate([bent, lengths.clip(0, FURTHEST), _directions(points)], axis=1)


def _directions(points: Vector) -> Vector:
    """How far the thumb is bent, and angles between it, the index and middle finger and the palm (hands, 5)."""

    def way(start: int, end: int) -> Vector:
        return np.asarray(points[:, end] - points[:, start])

    bones = [way(THUMB + bone, THUMB + bone + 1) for bone in range(3)]
    thumb, index = way(THUMB + 1, THUMB + TIP), way(INDEX, INDEX + TIP)
    palm = way(WRIST, MIDDLE)
    return np.stack(
        [
            angles(bones[0], bones[1]) + angles(bones[1], bones[2]),
            angles(thumb, index),
            angles(thumb, palm),
            angles(index, way(MIDDLE, MIDDLE + TIP)),
            angles(index, palm),
        ],
        axis=1,
    )


def _palm(image: Vector) -> Vector:
    """The palm's width and length as seen (hands, 2): narrow when the hand is on edge."""
    size = _size(image)
    return np.stack([apart(image, INDEX, LITTLE) / size, apart(image, WRIST, MIDDLE) / size], axis=1)


def _size(points: Vector) -> Vector:
    """The palm's size (hands,), by four of its lengths, so that it does not vanish on edge."""
    lengths = [apart(points, WRIST, base) for base in (INDEX, MIDDLE, LITTLE)]
    return np.asarray((sum(lengths) + apart(points, INDEX, LITTLE)) / 4 + 1e-9)


def bends(points: Vector) -> Vector:
    """Radians (…, 4, 3) that each long finger is bent at each joint, from landmarks (…, 21, 2 or 3)."""
    chains = np.stack([points[..., [WRIST, *range(base, base + 4)], :] for base in LONG], axis=-3)
    bones = np.diff(chains, axis=-2)
    return angles(bones[..., 1:, :], bones[..., :-1, :])


def apart(points: Vector, one: int | NDArray[np.intp], other: int | NDArray[np.intp]) -> Vector:
    """The distance between landmarks, or between each of several."""
    starts, ends = np.broadcast_arrays(one, other)
    return np.asarray(np.linalg.norm(points[..., starts, :] - points[..., ends, :], axis=-1))


def angles(one: Vector, other: Vector) -> Vector:
    """Radians between vectors along the last axis."""
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1) + 1e-12
    return np.asarray(np.arccos(np.clip((one * other).sum(-1) / lengths, -1, 1)))


def log_softmax(logits: Vector) -> Vector:
    """Logarithms of the shares of ``exp(logits)`` along the last axis."""
    moved = logits - logits.max(-1, keepdims=True)
    return np.asarray(moved - np.log(np.exp(moved).sum(-1, keepdims=True)))
