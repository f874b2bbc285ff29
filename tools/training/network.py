"""Fit the network of ``vision.hands.classifier`` with Adam (in numpy, on noisy samples), and the temperatures that
calibrate its probabilities."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.hands.classifier import CLASSES, NetworkWeights, log_softmax

Vector = NDArray[np.float64]

HIDDEN_UNITS = 128
TRAINING_STEPS, BATCH_SIZE = 1500, 1024
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
    """The classifier's features (n, features)."""
    allowed_classes: Vector
    """1 for each right class by the label, else 0 (n, classes): real people's scissors may be thumb and index
    finger."""
    weights: Vector
    """The training weights (n,)."""


def fit_network(samples: TrainingSamples) -> NetworkWeights:
    """Fit a network to samples; its temperatures are 1."""
    rng = np.random.default_rng(0)
    share = samples.weights / samples.weights.sum()
    mean = np.average(samples.features, axis=0, weights=share)
    scale = np.sqrt(np.average((samples.features - mean) ** 2, axis=0, weights=share)) + 1e-6
    inputs = (samples.features - mean) / scale
    width = inputs.shape[1]
    layers = [
        rng.normal(0, 1 / math.sqrt(width), (width, HIDDEN_UNITS)),
        np.zeros(HIDDEN_UNITS),
        rng.normal(0, 1 / math.sqrt(HIDDEN_UNITS), (HIDDEN_UNITS, len(CLASSES))),
        np.zeros(len(CLASSES)),
    ]
    means, squares = ([np.zeros_like(layer) for layer in layers] for _ in range(2))  # of gradients, decaying
    for step in range(TRAINING_STEPS):
        chosen = rng.choice(len(inputs), BATCH_SIZE, p=share)
        noisy = inputs[chosen] + rng.normal(0, FEATURE_NOISE, (BATCH_SIZE, width))
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
