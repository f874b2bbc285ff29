"""Two small trained networks that classify a hand. One goes from landmarks to features that don't depend on how the
hand is turned, mirrored or sized, and from those to the probability of each throw and of none of these; the other from
the embedding that the hand model computes landmarks from. Plain numpy; ``tools.training.train`` trains the weights."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.detector import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, DetectedHand

Vector = NDArray[np.float64]

CLASSES = ("rock", "paper", "scissors", "thumb-index", "none")
"""The network's classes, in the order of its outputs. "thumb-index" is thumb and index finger spread with the others
curled, which some people throw as scissors."""
LONG_FINGERS = (INDEX, MIDDLE, RING, LITTLE)
TIP_OFFSET = 3
"""Landmarks from a finger's first to its tip."""
THUMB_DISTANCE_LANDMARKS = (INDEX, INDEX + 1, INDEX + TIP_OFFSET, MIDDLE, MIDDLE + TIP_OFFSET, RING, LITTLE)
"""The landmarks whose distance from the thumb's tip is a feature."""
BASES = np.array(LONG_FINGERS)
TIPS = BASES + TIP_OFFSET
FINGER_CHAINS = np.array([[WRIST, *range(base, base + 4)] for base in LONG_FINGERS])
"""The landmarks (4, 5) from the wrist to the tip of each long finger."""


def _pairs(starts: int | NDArray[np.intp], ends: int | NDArray[np.intp]) -> NDArray[np.intp]:
    return np.stack(np.broadcast_arrays(starts, ends))


PALM_LENGTHS = np.array([[WRIST, WRIST, WRIST, INDEX], [INDEX, MIDDLE, LITTLE, LITTLE]])
"""The ends (2, 4) of the lengths that make up the palm's size; the last is its width."""
_LENGTH_GROUPS = (
    _pairs(WRIST, TIPS),
    _pairs(WRIST, BASES + 1),
    _pairs(BASES, TIPS),
    np.concatenate([_pairs(BASES + bone, BASES + bone + 1) for bone in range(TIP_OFFSET)], axis=1),
    _pairs(THUMB + TIP_OFFSET, np.array(THUMB_DISTANCE_LANDMARKS)),
    _pairs(np.array([THUMB + TIP_OFFSET, THUMB + 1]), LITTLE),
    _pairs(TIPS[:-1], TIPS[1:]),
    PALM_LENGTHS,
)
LENGTHS = np.concatenate(_LENGTH_GROUPS, axis=1)
"""The ends (2, n), as landmarks, of all lengths that features are made of, in groups that end at ``LENGTH_SPLITS``."""
LENGTH_SPLITS = np.cumsum([group.shape[1] for group in _LENGTH_GROUPS])[:-1]
_INDEX, _MIDDLE = ((base, base + TIP_OFFSET) for base in (INDEX, MIDDLE))
THUMB_ANGLES = np.array(
    [
        [(THUMB, THUMB + 1), (THUMB + 1, THUMB + 2), (THUMB + 1, THUMB + 3), (THUMB + 1, THUMB + 3), _INDEX, _INDEX],
        [(THUMB + 1, THUMB + 2), (THUMB + 2, THUMB + 3), _INDEX, (WRIST, MIDDLE), _MIDDLE, (WRIST, MIDDLE)],
    ]
).transpose(0, 2, 1)
"""The two directions (2), each with its start and end (2, n), between which angles are features."""
LANDMARK_SHARE, EMBEDDING_SHARE = 0.4, 0.5
"""How much the log-probabilities of the two networks count where there are both: measurements/2026-11/second-witness.md
has others."""
MIN_EMBEDDING_PROBABILITY = 0.03
"""Below this probability by its embedding, a throw that the landmarks show is doubted."""
CONTRADICTED_PROBABILITY = 0.51
"""The least probability of a throw that the landmarks show and that isn't doubted."""
MIN_THROW_PROBABILITY = 0.5
"""A hand whose most probable throw is not more probable than this is none of the three."""
MAX_PALM_LENGTHS = 3.0
"""Longest possible distance, in palms: no finger is longer, and beyond it the landmarks are just wrong."""


class NetworkWeights(NamedTuple):
    """The network: features (n,) are centred and scaled, then one hidden layer (tanh) and one output per class. Its
    temperatures were fitted on sets of images that were left out of the training."""

    mean: Vector
    scale: Vector
    hidden: Vector
    hidden_bias: Vector
    out: Vector
    out_bias: Vector
    single: Vector
    """The temperature that calibrates the probabilities of one detection."""
    together: Vector
    """The temperature that calibrates those of several detections of a hand together."""

    def logits(self, features: Vector) -> Vector:
        """Return the outputs (detections, classes) for features (detections, n), before any temperature."""
        hidden = np.tanh((features - self.mean) / self.scale @ self.hidden + self.hidden_bias)
        return np.asarray(hidden @ self.out + self.out_bias)

    def probabilities(self, features: Vector) -> Vector:
        """Return the probability (classes,) of each class for the features (detections, n) of one hand."""
        return self.apply_temperature(self.logits(features))

    def apply_temperature(self, logits: Vector) -> Vector:
        """Return the probabilities (classes,) for logits (detections, classes). Several detections count by the mean of
        their log-probabilities: in one image they err together, so their evidence does not add up."""
        logs = log_softmax(logits).mean(0)
        return np.asarray(np.exp(log_softmax(logs / float(self.single if len(logits) == 1 else self.together))))


def read_weights(file: Traversable) -> NetworkWeights:
    """Read the weights from a file written by ``write_weights`` of ``tools.training``."""
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        return NetworkWeights(*(np.asarray(arrays[name], float) for name in NetworkWeights._fields))


@cache
def hand_weights() -> NetworkWeights:
    """Return the weights with which all hands are read, in stills and by the lock."""
    return read_weights(resources.files("vision.hands").joinpath("weights.npz"))


@cache
def embedding_weights() -> NetworkWeights:
    """Return the weights with which embeddings of the full hand model are read."""
    return read_weights(resources.files("vision.hands").joinpath("embedding_weights.npz"))


def throw_probabilities(
    hands: Sequence[DetectedHand],
    no_throw_prior: float = 1.0,
    thumb_index_prior: float = 1.0,
    fist_no_throw_prior: float | None = None,
    embeddings: Sequence[Vector] = (),
) -> Mapping[Throw | None, float]:
    """Return the probability (0–1, sum 1) of each throw, and of no throw (None).

    Args:
        hands: One or more detections of one hand.
        no_throw_prior: How often hands are no throw, relative to the training.
        thumb_index_prior: How often hands are thumb and index finger spread, relative to the training.
        fist_no_throw_prior: ``no_throw_prior`` for a hand that is a fist rather than paper or scissors; None for the
            same.
        embeddings: Those (n,) of the hand in several looks at it, if they are to count too.
    """
    classes = hand_weights().probabilities(hand_features(hands))
    if embeddings:
        by_embedding = embedding_weights().probabilities(embedding_features(embeddings))
        return combine_networks(classes, by_embedding, no_throw_prior, thumb_index_prior)
    probabilities = merge_classes(weight_classes(classes, no_throw_prior, thumb_index_prior))
    if fist_no_throw_prior is None or max(Throw, key=probabilities.__getitem__) is not Throw.ROCK:
        return probabilities
    return merge_classes(weight_classes(classes, fist_no_throw_prior, thumb_index_prior))


def combine_networks(
    by_landmarks: Vector, by_embedding: Vector, no_throw_prior: float = 1.0, thumb_index_prior: float = 1.0
) -> Mapping[Throw | None, float]:
    """Return the probability of each throw, and of none (None), from those (classes,) by both networks. A throw that
    the landmarks show is as sure as the less sure of them and both together, and undecided where the embedding speaks
    against it; where the landmarks show none, both together decide."""
    logs = LANDMARK_SHARE * np.log(by_landmarks + 1e-9) + EMBEDDING_SHARE * np.log(by_embedding + 1e-9)
    landmarks, embedding, together = (
        merge_classes(weight_classes(classes, no_throw_prior, thumb_index_prior))
        for classes in (by_landmarks, by_embedding, np.exp(log_softmax(logs)))
    )
    throw = read_throw(landmarks)
    if throw is None:
        return together
    if embedding[throw] < MIN_EMBEDDING_PROBABILITY and together[throw] <= MIN_THROW_PROBABILITY:
        return _set_probability(together, None, max(together[None], MIN_THROW_PROBABILITY))
    sure = min(landmarks[throw], max(together[throw], CONTRADICTED_PROBABILITY))
    return _set_probability(landmarks, throw, sure)


def read_throw(probabilities: Mapping[Throw | None, float]) -> Throw | None:
    """Return the throw that a hand shows, by its probabilities; None for none of the three."""
    best = max(Throw, key=probabilities.__getitem__)
    return best if probabilities[best] > MIN_THROW_PROBABILITY else None


def _set_probability(
    probabilities: Mapping[Throw | None, float], key: Throw | None, probability: float
) -> Mapping[Throw | None, float]:
    """Return the probabilities with another one for ``key``; the rest share what is left as before."""
    rest = (1 - probability) / max(1 - probabilities[key], 1e-9)
    return {other: probability if other is key else share * rest for other, share in probabilities.items()}


def weight_classes(classes: Vector, no_throw_prior: float = 1.0, thumb_index_prior: float = 1.0) -> Vector:
    """Return the probabilities (classes,) where these hands are so many times as frequent as in the training."""
    priors = {"none": no_throw_prior, "thumb-index": thumb_index_prior}
    classes = classes * np.array([priors.get(name, 1.0) for name in CLASSES])
    return np.asarray(classes / classes.sum())


def merge_classes(classes: Vector) -> Mapping[Throw | None, float]:
    """Return the probability of each throw, and of none of them (None), from those of ``CLASSES``."""
    by_class = dict(zip(CLASSES, classes.tolist(), strict=True))
    return {
        Throw.ROCK: by_class["rock"],
        Throw.PAPER: by_class["paper"],
        Throw.SCISSORS: by_class["scissors"] + by_class["thumb-index"],
        None: by_class["none"],
    }


def embedding_features(embeddings: Sequence[Vector] | Vector) -> Vector:
    """Return the network's input (looks, n) from embeddings (looks, n): square roots, since some are much larger."""
    return np.asarray(np.sqrt(np.maximum(embeddings, 0)))


def hand_features(hands: Sequence[DetectedHand]) -> Vector:
    """Return the network's input (hands, n): angles in radians, and lengths as shares of others."""
    world = np.stack([hand.world_landmarks for hand in hands])
    image = np.stack([hand.landmarks for hand in hands])
    middle_bends = joint_angles(world)[:, :, 1]  # of the middle joint alone: the model detects it best
    return np.concatenate(
        [_shared_features(world), middle_bends, _shared_features(image), _palm_features(image)], axis=1
    )


def _shared_features(points: Vector) -> Vector:
    """Return the features that are computed of world and of image landmarks (hands, 21, 2 or 3) alike."""
    starts, ends = LENGTHS
    lengths = landmark_distance(points, starts, ends)
    wrist_tips, wrist_joints, base_tips, bones, thumb, clearance, tips, palm = np.split(lengths, LENGTH_SPLITS, axis=1)
    size = _palm_size(palm)[:, None]
    bend = joint_angles(points).sum(-1).clip(0, np.pi)  # more only says that the finger points at the camera
    reach = wrist_tips / (wrist_joints + 1e-9)
    stretched = base_tips / (bones.reshape(-1, TIP_OFFSET, len(LONG_FINGERS)).sum(1) + 1e-9)
    thumb_clearance = clearance[:, :1] / (clearance[:, 1:] + 1e-9)
    lengths = np.concatenate(
        [reach.clip(0, 2), stretched, thumb / size, thumb_clearance.clip(0, 2), tips / size], axis=1
    )
    return np.concatenate([bend, lengths.clip(0, MAX_PALM_LENGTHS), _thumb_features(points)], axis=1)


def _thumb_features(points: Vector) -> Vector:
    """Return the bend of the thumb, and the angles between it, index and middle finger and the palm (hands, 5)."""
    (one_start, one_end), (other_start, other_end) = THUMB_ANGLES
    angles = angles_between(points[:, one_end] - points[:, one_start], points[:, other_end] - points[:, other_start])
    return np.concatenate([angles[:, :1] + angles[:, 1:2], angles[:, 2:]], axis=1)


def _palm_features(image: Vector) -> Vector:
    """Return the palm's width and length in the image (hands, 2): narrow when the hand is on edge."""
    lengths = landmark_distance(image, *PALM_LENGTHS)
    return lengths[:, [3, 1]] / _palm_size(lengths)[:, None]


def _palm_size(lengths: Vector) -> Vector:
    """Return the palm's size (hands,), the mean of its ``PALM_LENGTHS`` (hands, 4): it does not vanish on edge."""
    return np.asarray((lengths[:, :3].sum(1) + lengths[:, 3]) / 4 + 1e-9)


def joint_angles(points: Vector) -> Vector:
    """Return the bend (…, 4, 3) in radians of each long finger at each joint, from landmarks (…, 21, 2 or 3)."""
    chains = points[..., FINGER_CHAINS, :]
    bones = chains[..., 1:, :] - chains[..., :-1, :]
    return angles_between(bones[..., 1:, :], bones[..., :-1, :])


def landmark_distance(points: Vector, a: int | NDArray[np.intp], b: int | NDArray[np.intp]) -> Vector:
    """Return the distance between landmarks, or between each of several."""
    starts, ends = np.broadcast_arrays(a, b)
    return _length(points[..., starts, :] - points[..., ends, :])


def angles_between(a: Vector, b: Vector) -> Vector:
    """Return the angle in radians between vectors along the last axis."""
    lengths = _length(a) * _length(b) + 1e-12
    return np.asarray(np.arccos(np.clip((a * b).sum(-1) / lengths, -1, 1)))


def _length(vectors: Vector) -> Vector:
    """Return the length of vectors along the last axis, as ``np.linalg.norm`` does; that takes 3 times as long."""
    return np.asarray(np.sqrt((vectors * vectors).sum(-1)))


def log_softmax(logits: Vector) -> Vector:
    """Return the logarithm of the softmax along the last axis."""
    shifted = logits - logits.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))
