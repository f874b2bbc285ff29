"""Train the classifier on photos and rendered hands, fit its temperatures to held-out sets, and write its weights:
``python -m tools.training.train``. The lock reads hands with them too: its trials have to be run again."""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.training.detection_cache import CACHE_FOLDER, DetectionCache
from tools.training.examples import (
    RENDERED_SOURCE,
    UNTRAINED_SETS,
    TrainingExample,
    add_image_options,
    bare_joint_examples,
    composite_examples,
    photo_examples,
    rendered_examples,
    training_shots,
)
from vision.hands.augmentation import AUGMENTATIONS
from vision.hands.classifier import CLASSES, NetworkWeights, log_softmax
from vision.hands.model import ModelError

Vector = NDArray[np.float64]

TRAINING_STEPS = 1500
LEARNING_RATE = 0.01
"""Adam's initial learning rate; it falls to zero along a cosine."""
FEATURE_NOISE = 0.3
"""The standard deviation of the noise added to the features, in their own standard deviations: unknown people differ
that much. With 0.15, fewer hands that show no throw are refused in held-out sets."""
WEIGHT_DECAY = 1e-3
LABEL_SMOOTHING = 0.02
"""The share of the label spread evenly over all classes: some photos are mislabelled."""


@dataclass(frozen=True)
class TrainingSamples:
    """Detected hands with the classes they may be."""

    features: Vector
    """(n, features)."""
    allowed_classes: Vector
    """1 for each right class by the label, else 0 (n, classes): real people's scissors may be thumb and index
    finger."""
    weights: Vector
    """The training weights (n,)."""


@dataclass(frozen=True)
class NetworkInput:
    """What of an example one of the networks reads."""

    trained: Callable[[TrainingExample], Vector]
    """The features (n, features) that it is trained with."""
    read: Callable[[TrainingExample], Vector]
    """Those of a still image."""
    classes: Callable[[TrainingExample], Vector]
    """The right classes (classes,), as 0 and 1."""
    hidden_units: int
    batch_size: int


LANDMARKS = NetworkInput(
    lambda example: example.features,
    lambda example: example.features,
    lambda example: example.allowed_classes,
    128,
    1024,
)
EMBEDDINGS = NetworkInput(
    lambda example: example.embedding_features,
    lambda example: example.still_features,
    lambda example: example.throw_class,
    64,
    512,
)
"""They are not asked for thumb and index finger, which is rare: with that class, scissors of new people were taken for
it."""


def fit_network(examples: Iterable[TrainingExample], kind: NetworkInput) -> NetworkWeights:
    """Fit a network to examples; its temperatures are 1."""
    samples = make_samples(examples, kind)
    rng = np.random.default_rng(0)
    share = samples.weights / samples.weights.sum()
    mean = np.average(samples.features, axis=0, weights=share)
    scale = np.sqrt(np.average((samples.features - mean) ** 2, axis=0, weights=share)) + 1e-6
    inputs = (samples.features - mean) / scale
    width = inputs.shape[1]
    layers = [
        rng.normal(0, 1 / math.sqrt(width), (width, kind.hidden_units)),
        np.zeros(kind.hidden_units),
        rng.normal(0, 1 / math.sqrt(kind.hidden_units), (kind.hidden_units, len(CLASSES))),
        np.zeros(len(CLASSES)),
    ]
    means, squares = ([np.zeros_like(layer) for layer in layers] for _ in range(2))  # of gradients, decaying
    for step in range(TRAINING_STEPS):
        chosen = rng.choice(len(inputs), kind.batch_size, p=share)
        noisy = inputs[chosen] + rng.normal(0, FEATURE_NOISE, (kind.batch_size, width))
        rate = LEARNING_RATE * 0.5 * (1 + math.cos(math.pi * step / TRAINING_STEPS))
        for i, gradient in enumerate(_gradients(layers, noisy, samples.allowed_classes[chosen])):
            means[i] = 0.9 * means[i] + 0.1 * gradient
            squares[i] = 0.999 * squares[i] + 0.001 * gradient**2
            direction = means[i] / (1 - 0.9 ** (step + 1))
            layers[i] -= rate * direction / (np.sqrt(squares[i] / (1 - 0.999 ** (step + 1))) + 1e-8)
    hidden, hidden_bias, out, out_bias = layers
    return NetworkWeights(mean, scale, hidden, hidden_bias, out, out_bias, np.array(1.0), np.array(1.0))


def _gradients(layers: list[Vector], inputs: Vector, allowed_classes: Vector) -> list[Vector]:
    """Return the gradients of the loss: the negative log probability of the allowed classes, and weight decay."""
    hidden, hidden_bias, out, out_bias = layers
    inner = np.tanh(inputs @ hidden + hidden_bias)
    probabilities = np.exp(log_softmax(inner @ out + out_bias))
    targets = probabilities * allowed_classes
    targets /= targets.sum(1, keepdims=True) + 1e-12
    targets = (1 - LABEL_SMOOTHING) * targets + LABEL_SMOOTHING / len(CLASSES)
    errors = (probabilities - targets) / len(inputs)
    back = errors @ out.T * (1 - inner**2)
    return [inputs.T @ back + WEIGHT_DECAY * hidden, back.sum(0), inner.T @ errors + WEIGHT_DECAY * out, errors.sum(0)]


def fit_temperature(logs: Vector, allowed_classes: Vector, weights: Vector) -> float:
    """Return the temperature that makes the labels likeliest when the log probabilities (n, classes) are divided by
    it."""

    def loss(temperature: float) -> float:
        true = (np.exp(log_softmax(logs / temperature)) * allowed_classes).sum(1)
        return float(-(weights * np.log(true + 1e-9)).sum())

    temperatures = np.exp(np.linspace(math.log(0.3), math.log(3), 93))
    return float(min(temperatures, key=lambda temperature: loss(float(temperature))))


def write_weights(path: Path, network: NetworkWeights) -> None:
    """Write a network's weights to a file, in single precision."""
    arrays = {name: np.asarray(value, np.float32) for name, value in network._asdict().items()}
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


WEIGHTS_FOLDER = Path("vision/hands")
TRAINING_AUGMENTATIONS = AUGMENTATIONS[:2]
"""Rendered hands are detected as the lock does: once as they are, once with a margin."""


@dataclass(frozen=True)
class TrainingMaterial:
    """Everything to train with."""

    photos: Sequence[TrainingExample]
    """Those of ``UNTRAINED_SETS`` are only for measuring."""
    rendered: Sequence[TrainingExample]
    bare_joints: Sequence[TrainingExample]
    composites: Sequence[TrainingExample]
    """Put together from the photos' hands."""

    @property
    def sets(self) -> list[str]:
        """The sets that may be trained on."""
        return sorted({example.source for example in self.photos} - set(UNTRAINED_SETS))

    def training_examples(
        self, held_out_set: str | None = None, held_out: Sequence[TrainingExample] = ()
    ) -> list[TrainingExample]:
        """Return the examples to train on, without one set and some of the rendered examples."""
        excluded_sets, excluded = {*UNTRAINED_SETS, held_out_set}, set(held_out)
        photos = [example for example in (*self.photos, *self.composites) if example.source not in excluded_sets]
        return [*photos, *(example for example in self.rendered if example not in excluded), *self.bare_joints]


def load_material(root: Path, cache_folder: Path, per_folder: int | None = None) -> TrainingMaterial:
    """Load all examples, with at most ``per_folder`` photos of each folder. Raises ModelError."""
    photo_cache, rendered_cache = DetectionCache(cache_folder), DetectionCache(cache_folder, TRAINING_AUGMENTATIONS)
    try:
        photos = list(photo_examples(root, photo_cache, per_folder))
        return TrainingMaterial(
            photos,
            list(rendered_examples(training_shots(), rendered_cache)),
            list(bare_joint_examples()),
            list(composite_examples(photos)),
        )
    finally:
        photo_cache.close()
        rendered_cache.close()


def make_samples(examples: Iterable[TrainingExample], kind: NetworkInput) -> TrainingSamples:
    """Return a sample for each row of an example's features: examples of the same source and shape share their weight,
    as do the rows of an example."""
    usable = [example for example in examples if len(kind.trained(example))]
    counts = Counter((example.source, example.shape) for example in usable)
    rows = [len(kind.trained(example)) for example in usable]
    weights = [e.weight / counts[e.source, e.shape] / n for e, n in zip(usable, rows, strict=True)]
    return TrainingSamples(
        np.concatenate([kind.trained(example) for example in usable]),
        np.repeat([kind.classes(example) for example in usable], rows, axis=0),
        np.repeat(weights, rows),
    )


def cross_validate(
    material: TrainingMaterial, kind: NetworkInput, unused: Sequence[TrainingExample] = ()
) -> dict[TrainingExample, Vector]:
    """Return, for every example with a hand from a photo or rendered, the logits (rows, classes) of a network trained
    without its set and, if rendered, without its person; none for ``UNTRAINED_SETS``. The ``unused`` examples of the
    sets are read too, and never trained with."""
    logits: dict[TrainingExample, Vector] = {}
    for number, source in enumerate(material.sets):
        rendered = material.rendered[number :: len(material.sets)]
        network = fit_network(material.training_examples(source, rendered), kind)
        photos = [example for example in (*material.photos, *unused) if example.source == source]
        rows = {example: kind.read(example) for example in [*photos, *rendered]}
        logits |= {example: network.logits(features) for example, features in rows.items() if len(features)}
    return logits


def calibrate(network: NetworkWeights, logits: Mapping[TrainingExample, Vector], kind: NetworkInput) -> NetworkWeights:
    """Return the network with temperatures fitted to held-out ``logits``: ``single`` to single detections in photos and
    rendered images, ``together`` to all detections in a photo. Examples of the same source and shape share their
    weight."""
    usable = {example: log_softmax(rows) for example, rows in logits.items()}
    counts = Counter((example.source, example.shape) for example in usable)
    share = {example: example.weight / counts[example.source, example.shape] for example in usable}
    single = [(row, kind.classes(e), share[e] / len(rows)) for e, rows in usable.items() for row in rows]
    together = [(rows.mean(0), kind.classes(e), share[e]) for e, rows in usable.items() if e.source != RENDERED_SOURCE]

    def temperature(rows: Sequence[tuple[Vector, Vector, float]]) -> Vector:
        return np.array(fit_temperature(*(np.array(column) for column in zip(*rows, strict=True))))

    return network._replace(single=temperature(single), together=temperature(together))


def make_parser(command: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the arguments that choose the training material."""
    parser = argparse.ArgumentParser(prog=f"python -m tools.training.{command}", description=description)
    add_image_options(parser)
    parser.add_argument("--kept", type=Path, metavar="FOLDER", default=CACHE_FOLDER, help="the cache of detected hands")
    return parser


def parse_args(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Return the arguments. Exits if the folder of photos is missing."""
    options = parser.parse_args()
    if not options.pictures.is_dir():
        sys.exit(f"{options.pictures} is not a folder: name the folder of photos with --pictures")
    return options


def main() -> None:
    """Train the network and write its weights."""
    parser = make_parser("train", __doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS_FOLDER, help="the folder to write to")
    options = parse_args(parser)
    try:
        material = load_material(options.pictures, options.kept, options.per)
    except ModelError as error:
        sys.exit(str(error))
    for name, kind in {"weights.npz": LANDMARKS, "embedding_weights.npz": EMBEDDINGS}.items():
        logits = cross_validate(material, kind)
        network = calibrate(fit_network(material.training_examples(), kind), logits, kind)
        write_weights(options.out / name, network)
        one, several = float(network.single), float(network.together)
        print(f"{options.out / name}: temperature {one:.2f} for one detection, {several:.2f} for several")


if __name__ == "__main__":
    main()
