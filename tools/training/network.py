"""Fits the network of ``vision.hands.classifier``: Adam on noisy samples, written out in numpy, and the temperatures
that make its chances mean what they say."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.hands.classifier import CLASSES, Weights, log_softmax

Vector = NDArray[np.float64]

HIDDEN = 24
STEPS, BATCH = 400, 1024
RATE = 0.01
"""Of Adam, at the start; it falls to nothing along a cosine."""
NOISE = 0.3
"""Standard deviation of the noise put on the measures, in their own: people the network never saw differ so. With 0.15
fewer hands that are no throw are refused in sets left out."""
DECAY = 3e-4
DOUBT = 0.02
"""Share of the label spread evenly over all classes: some pictures are labelled wrongly."""


@dataclass(frozen=True)
class Samples:
    """Looks at hands: ``measures`` (n, m), ``allowed`` (n, classes) which classes the label allows (scissors of real
    people may be thumb and index), and the ``weight`` (n,) of each."""

    measures: Vector
    allowed: Vector
    weight: Vector


def fit(samples: Samples, seed: int = 0) -> Weights:
    """The network fitted to samples; its temperatures are 1."""
    random = np.random.default_rng(seed)
    share = samples.weight / samples.weight.sum()
    mean = np.average(samples.measures, axis=0, weights=share)
    scale = np.sqrt(np.average((samples.measures - mean) ** 2, axis=0, weights=share)) + 1e-6
    inputs = (samples.measures - mean) / scale
    width = inputs.shape[1]
    layers = [
        random.normal(0, 1 / math.sqrt(width), (width, HIDDEN)),
        np.zeros(HIDDEN),
        random.normal(0, 1 / math.sqrt(HIDDEN), (HIDDEN, len(CLASSES))),
        np.zeros(len(CLASSES)),
    ]
    drift, spread = ([np.zeros_like(layer) for layer in layers] for _ in range(2))
    for step in range(STEPS):
        chosen = random.choice(len(inputs), BATCH, p=share)
        shown = inputs[chosen] + random.normal(0, NOISE, (BATCH, width))
        rate = RATE * 0.5 * (1 + math.cos(math.pi * step / STEPS))
        for i, slope in enumerate(_slopes(layers, shown, samples.allowed[chosen])):
            drift[i] = 0.9 * drift[i] + 0.1 * slope
            spread[i] = 0.999 * spread[i] + 0.001 * slope**2
            ahead = drift[i] / (1 - 0.9 ** (step + 1))
            layers[i] -= rate * ahead / (np.sqrt(spread[i] / (1 - 0.999 ** (step + 1))) + 1e-8)
    hidden, hidden_bias, out, out_bias = layers
    return Weights(mean, scale, hidden, hidden_bias, out, out_bias, np.array(1.0), np.array(1.0))


def _slopes(layers: list[Vector], shown: Vector, allowed: Vector) -> list[Vector]:
    """The gradient of the loss: minus the logarithm of the chance of the classes allowed, and the weights' decay."""
    hidden, hidden_bias, out, out_bias = layers
    inner = np.tanh(shown @ hidden + hidden_bias)
    chances = np.exp(log_softmax(inner @ out + out_bias))
    wanted = chances * allowed
    wanted /= wanted.sum(1, keepdims=True) + 1e-12
    wanted = (1 - DOUBT) * wanted + DOUBT / len(CLASSES)
    off = (chances - wanted) / len(shown)
    back = off @ out.T * (1 - inner**2)
    return [shown.T @ back + DECAY * hidden, back.sum(0), inner.T @ off + DECAY * out, off.sum(0)]


def temperature(logs: Vector, allowed: Vector, weight: Vector) -> float:
    """By what log-chances (n, classes) are to be divided so that the labels (see Samples) are likeliest."""

    def loss(heat: float) -> float:
        true = (np.exp(log_softmax(logs / heat)) * allowed).sum(1)
        return float(-(weight * np.log(true + 1e-9)).sum())

    heats = np.exp(np.linspace(math.log(0.3), math.log(3), 93))
    return float(min(heats, key=lambda heat: loss(float(heat))))


def write_weights(path: Path, network: Weights) -> None:
    """Keeps a network, in half the room of its numbers: they are no more exact than that."""
    kept = {name: np.asarray(value, np.float32) for name, value in network._asdict().items()}
    with path.open("wb") as file:
        np.savez_compressed(file, **kept)  # type: ignore[arg-type]
