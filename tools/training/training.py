"""``python -m tools.training.training``: fits the classifier to pictures and rendered hands, its temperatures to
sets left out, and writes the weights by which stills are read."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.training.examples import (
    RENDERED,
    STRESS,
    Example,
    bare,
    composed,
    real,
    rendered,
    training_shots,
)
from tools.training.network import Samples, fit, temperature, write_weights
from tools.training.sightings import KEPT, Sightings
from vision.hands.augmented_looks import LOOKS
from vision.hands.classifier import Weights, log_softmax
from vision.hands.model import ModelError

Vector = NDArray[np.float64]

PICTURES = Path("../shared/data/hands")
WEIGHTS = Path("vision/hands/stills.npz")
"""Of stills. Those of the lock change only together with the tables of its trials."""
TRAINING_LOOKS = LOOKS[:2]
"""Rendered hands are looked at as the lock looks: once as they are, once with room around them."""


@dataclass(frozen=True)
class Material:
    """All there is to train with: examples of pictures (those of STRESS are for measuring only), rendered ones, bare
    joints, and hands put together of the pictures'."""

    pictures: Sequence[Example]
    drawn: Sequence[Example]
    bare: Sequence[Example]
    composed: Sequence[Example]

    @property
    def sets(self) -> list[str]:
        """The sets that may be trained on."""
        return sorted({one.source for one in self.pictures} - set(STRESS))

    def without(self, source: str | None = None, drawn: Sequence[Example] = ()) -> list[Example]:
        """What may be trained on, but for one set and some of the rendered."""
        out, left = {*STRESS, source}, set(drawn)
        pictures = [one for one in (*self.pictures, *self.composed) if one.source not in out]
        return [*pictures, *(one for one in self.drawn if one not in left), *self.bare]


def gather(root: Path, kept: Path, per: int | None = None) -> Material:
    """The material, with at most ``per`` pictures of each folder. Raises ModelError."""
    looks, few = Sightings(kept), Sightings(kept, TRAINING_LOOKS)
    try:
        pictures = list(real(root, looks, per))
        return Material(pictures, list(rendered(training_shots(), few)), list(bare()), list(composed(pictures)))
    finally:
        looks.close()
        few.close()


def samples(examples: Iterable[Example]) -> Samples:
    """Every look a sample: examples of the same source and shape share their weight, looks that of their example."""
    seen = [one for one in examples if one.hands]
    crowd = Counter((one.source, one.shape) for one in seen)
    looks = [len(one.hands) for one in seen]
    each = [one.weight / crowd[one.source, one.shape] / number for one, number in zip(seen, looks, strict=True)]
    return Samples(
        np.concatenate([one.measures for one in seen]),
        np.repeat([one.allowed for one in seen], looks, axis=0),
        np.repeat(each, looks),
    )


def left_out(material: Material) -> dict[Example, Vector]:
    """For every example with a hand, of a set or rendered, the logits (looks, classes) of a network that saw neither
    its set nor, if rendered, its person; for the stress sets those of the first network."""
    logits: dict[Example, Vector] = {}
    for number, source in enumerate(material.sets):
        drawn = material.drawn[number :: len(material.sets)]
        network = fit(samples(material.without(source, drawn)))
        told = (source, *STRESS) if number == 0 else (source,)
        these = [one for one in material.pictures if one.source in told]
        logits |= {one: network.logits(one.measures) for one in [*these, *drawn] if one.hands}
    return logits


def heated(network: Weights, logits: Mapping[Example, Vector]) -> Weights:
    """The network with temperatures fitted to left-out ``logits``: that of one look to single looks at pictures and
    rendered hands, that of several to pictures. Examples of the same source and shape share their weight."""
    known = {one: log_softmax(some) for one, some in logits.items() if one.source not in STRESS}
    crowd = Counter((one.source, one.shape) for one in known)
    share = {one: one.weight / crowd[one.source, one.shape] for one in known}
    single = [(look, one.allowed, share[one] / len(logs)) for one, logs in known.items() for look in logs]
    together = [(logs.mean(0), one.allowed, share[one]) for one, logs in known.items() if one.source != RENDERED]

    def heat(rows: Sequence[tuple[Vector, Vector, float]]) -> Vector:
        return np.array(temperature(*(np.array(column) for column in zip(*rows, strict=True))))

    return network._replace(single=heat(single), together=heat(together))


def arguments(command: str, about: str | None) -> argparse.ArgumentParser:
    """The arguments that say what the material is, for the commands that need it."""
    parser = argparse.ArgumentParser(prog=f"python -m tools.training.{command}", description=about)
    parser.add_argument(
        "--pictures", type=Path, default=PICTURES, help="directory of sets, each with folders of shapes"
    )
    parser.add_argument("--per", type=int, metavar="N", help="at most N pictures of each folder")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where what the hand model found is kept")
    return parser


def checked(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments given. Ends the command in words where there are no pictures."""
    given = parser.parse_args()
    if not given.pictures.is_dir():
        sys.exit(f"There are no pictures in {given.pictures}: name their directory with --pictures.")
    return given


def main() -> None:
    """Trains and writes the weights."""
    parser = arguments("training", __doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="the file of weights")
    given = checked(parser)
    try:
        material = gather(given.pictures, given.kept, given.per)
    except ModelError as fault:
        sys.exit(str(fault))
    network = fit(samples(material.without()))
    network = heated(network, left_out(material))
    write_weights(given.out, network)
    print(
        f"{given.out}: temperatures {float(network.single):.2f} of one look, {float(network.together):.2f} of several"
    )


if __name__ == "__main__":
    main()
