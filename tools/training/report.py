"""Measure the classifier and write the tables of ``measurements/2026-11/hand-recognition.md``: ``python -m
tools.training.report``.

They show results by set and throw, hands that show no throw, calibration, and results by skin tone, light and view."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rules.throws import Throw
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.training.detection_cache import DetectionCache
from tools.training.examples import (
    NEW_SETS,
    STRESS_SETS,
    THROW_NAMES,
    UNTRAINED_SETS,
    TrainingExample,
    photo_examples,
    rendered_examples,
    table_shots,
)
from tools.training.render import HandShot
from tools.training.train import (
    EMBEDDINGS,
    LANDMARKS,
    TRAINING_AUGMENTATIONS,
    NetworkInput,
    TrainingMaterial,
    Vector,
    cross_validate,
    load_material,
    make_parser,
    parse_args,
)
from tools.trials.tables import Share
from vision.hands.augmentation import median_edges
from vision.hands.classifier import (
    NetworkWeights,
    combine_networks,
    embedding_weights,
    hand_weights,
    merge_classes,
    read_throw,
    weight_classes,
)
from vision.hands.limits import MIN_READ_PX
from vision.hands.model import ModelError
from vision.hands.stills import STILL_THUMB_INDEX_PRIOR, needs_mirrored_look

SURE_CONFIDENCE = 0.9
"""Confidence from which a hand that shows no throw must hardly ever be taken for one."""
CONFIDENCE_BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
"""The edges of the calibration table's bins."""


@dataclass(frozen=True, eq=False)
class ExampleReading:
    """The reading of an example."""

    example: TrainingExample
    found: bool
    """Whether a hand was found."""
    throw: Throw | None
    """None for no throw, or no hand."""
    confidence: float
    """The probability of the throw read or, without one, of no throw."""

    @property
    def outcome(self) -> str:
        """The outcome: "right", "wrong", or "undecided" for a throw that was refused."""
        if self.throw is None and self.example.throw is not None:
            return "undecided"
        return "right" if self.throw == self.example.throw else "wrong"


def read_example(
    example: TrainingExample, by_landmarks: Vector | None, by_embedding: Vector | None = None
) -> ExampleReading:
    """Return the reading from the probabilities (classes,) of a still image by the networks; None stands for no hand.
    As in stills, a hand that is too small shows no throw."""
    if by_landmarks is None:
        return ExampleReading(example, False, None, 1.0)
    if np.ptp(median_edges(example.hands).reshape(2, 2), axis=0).max() < MIN_READ_PX:
        return ExampleReading(example, True, None, 1.0)
    if by_embedding is None:
        known = merge_classes(weight_classes(by_landmarks, thumb_index_prior=STILL_THUMB_INDEX_PRIOR))
    else:
        known = combine_networks(by_landmarks, by_embedding, thumb_index_prior=STILL_THUMB_INDEX_PRIOR)
    throw = read_throw(known)
    return ExampleReading(example, True, throw, known[throw])


class Networks(NamedTuple):
    """The networks that read a hand."""

    landmarks: NetworkWeights
    embedding: NetworkWeights


class HeldOutLogits(NamedTuple):
    """What both networks, trained without an example's set and person, give for it (rows, classes)."""

    landmarks: Mapping[TrainingExample, Vector]
    embedding: Mapping[TrainingExample, Vector]


def released_networks() -> Networks:
    """Return the networks with the weights that stills are read with."""
    return Networks(hand_weights(), embedding_weights())


def cross_validate_both(material: TrainingMaterial, unused: Sequence[TrainingExample] = ()) -> HeldOutLogits:
    """Return the logits of both networks; see ``cross_validate``."""
    return HeldOutLogits(*(cross_validate(material, kind, unused) for kind in (LANDMARKS, EMBEDDINGS)))


def read_examples(
    examples: Iterable[TrainingExample], networks: Networks, doubtful: Iterable[TrainingExample] | None = None
) -> list[ExampleReading]:
    """Return the readings by networks that may have been trained on the examples; for ``doubtful`` see
    ``held_out_readings``."""
    return held_out_readings(examples, HeldOutLogits({}, {}), networks, doubtful)


def held_out_readings(
    examples: Iterable[TrainingExample],
    logits: HeldOutLogits,
    networks: Networks,
    doubtful: Iterable[TrainingExample] | None = None,
) -> list[ExampleReading]:
    """Return the readings by networks trained without the example's set and person; by ``networks`` where they have no
    logits, as those of the sets that these were not trained with. ``doubtful`` are the same examples ``as_doubtful``,
    which are read where the landmarks alone are doubtful, as in stills."""

    def probabilities(example: TrainingExample, kind: NetworkInput) -> Vector:
        number = (LANDMARKS, EMBEDDINGS).index(kind)
        network, known = networks[number], logits[number]
        return network.apply_temperature(known[example] if example in known else network.logits(kind.read(example)))

    readings, examples = [], list(examples)
    for example, again in zip(examples, examples if doubtful is None else doubtful, strict=True):
        if not example.hands:
            readings.append(read_example(example, None))
            continue
        by_landmarks = probabilities(example, LANDMARKS)
        if needs_mirrored_look(read_example(example, by_landmarks).confidence):
            by_landmarks = probabilities(again, LANDMARKS)
        by_embedding = probabilities(example, EMBEDDINGS) if len(example.embeddings) else None
        readings.append(read_example(example, by_landmarks, by_embedding))
    return readings


def single_detection_readings(
    photos: Iterable[TrainingExample], logits: Mapping[TrainingExample, Vector], network: NetworkWeights
) -> list[ExampleReading]:
    """Return the readings of photos by such networks, each detection by itself."""
    return [
        read_example(photo, network.apply_temperature(row[None]))
        for photo in photos
        if photo in logits
        for row in logits[photo]
    ]


def share_text(some: Sequence[ExampleReading], outcome: str) -> str:
    """Return the share of readings with an outcome, in per cent."""
    return f"{sum(reading.outcome == outcome for reading in some) / len(some):.1%}" if some else "–"


def set_table(readings: Sequence[ExampleReading]) -> str:
    """Return the table of outcomes by set and throw, of all sets together, and of the stress sets."""

    def row(name: str, some: Sequence[ExampleReading]) -> list[object]:
        cells = []
        for throw in THROW_NAMES:
            these = [reading for reading in some if reading.example.throw == throw]
            counts = [sum(reading.outcome == out for reading in these) for out in ("right", "wrong", "undecided")]
            cells.append(" / ".join(map(str, counts)))
        return [
            name,
            len(some),
            *cells,
            share_text(some, "right"),
            share_text(some, "wrong"),
            share_text(some, "undecided"),
        ]

    throws = [reading for reading in readings if reading.example.throw is not None]
    sets = sorted({reading.example.source for reading in throws})
    core = [reading for reading in throws if reading.example.source not in STRESS_SETS]
    rows = [
        row(name, [reading for reading in throws if reading.example.source == name])
        for name in sets
        if name not in STRESS_SETS
    ]
    rows.append(row("**all of these**", core))
    for name in (name for name in sets if name in STRESS_SETS):
        rows.append(row(f"{name} (stress)", [reading for reading in throws if reading.example.source == name]))
    return markdown_table(["set", "photos", "rock", "paper", "scissors", "right", "wrong", "undecided"], rows)


def goal_table(readings: Sequence[ExampleReading]) -> str:
    """Return the table of how the readings of sets never seen stand to the goals: of sets that were left out of the
    training, and of ``NEW_SETS``. The stress sets don't count."""
    left_out = [reading for reading in readings if reading.example.source not in UNTRAINED_SETS]
    new = [reading for reading in readings if reading.example.source in NEW_SETS]

    def row(
        name: str, goal: str, counts: Callable[[ExampleReading], bool], of: Callable[[ExampleReading], bool]
    ) -> list[str]:
        groups = ([reading for reading in some if of(reading)] for some in (left_out, new, left_out + new))
        shares = [Share(sum(map(counts, group)), len(group)) for group in groups]
        return [name, goal, *(f"{share}: {share.percent}" for share in shares)]

    def shows(*throws: str | None) -> Callable[[ExampleReading], bool]:
        return lambda reading: reading.example.throw in throws

    def comes_out(*outcomes: str) -> Callable[[ExampleReading], bool]:
        return lambda reading: reading.outcome in outcomes

    rows = [
        row("throws read wrong", "≤ 0.3 %", comes_out("wrong"), shows(*THROW_NAMES)),
        row("throws undecided", "≤ 3 %", comes_out("undecided"), shows(*THROW_NAMES)),
        *(
            row(f"{throw} not read right", goal, comes_out("wrong", "undecided"), shows(throw))
            for throw, goal in (("rock", ""), ("scissors", "≤ 2 × rock"))
        ),
        row(
            f"no throw, but claimed with {SURE_CONFIDENCE} or more",
            "≤ 1 %",
            _is_surely_claimed,
            shows(None),
        ),
    ]
    return markdown_table(["", "goal", "left-out sets", "whole new cameras", "both"], rows)


def no_throw_table(held_out: Sequence[ExampleReading], final: Sequence[ExampleReading]) -> str:
    """Return the table of photos without a throw that are refused, by held-out networks and by the final weights, and
    how many the former claim surely to be a throw."""

    def in_folder(some: Sequence[ExampleReading], name: str) -> list[ExampleReading]:
        return [reading for reading in some if _folder(reading) == name]

    rows = []
    for name in sorted({_folder(reading) for reading in held_out if reading.example.throw is None}):
        these = in_folder(held_out, name)
        shares = share_text(these, "right"), share_text(in_folder(final, name), "right")
        rows.append([name, len(these), shares[0], sum(map(_is_surely_claimed, these)), shares[1]])
    sure = f"claimed with {SURE_CONFIDENCE} or more"
    return markdown_table(["folder", "photos", "refused, set held out", sure, "refused, final weights"], rows)


def _is_surely_claimed(reading: ExampleReading) -> bool:
    return reading.throw is not None and reading.confidence >= SURE_CONFIDENCE


def _folder(reading: ExampleReading) -> str:
    return f"{reading.example.source}/{reading.example.shape}"


def calibration_table(readings: Sequence[ExampleReading]) -> str:
    """Return the table of how often readings are right by confidence, and the expected calibration error."""
    seen = [reading for reading in readings if reading.found and reading.example.source not in UNTRAINED_SETS]
    rows, error = [], 0.0
    for low, high in pairwise(CONFIDENCE_BINS):
        some = [reading for reading in seen if low < reading.confidence <= high]
        if some:
            confidence = float(np.mean([reading.confidence for reading in some]))
            accuracy = float(np.mean([reading.throw == reading.example.throw for reading in some]))
            error += abs(confidence - accuracy) * len(some) / len(seen)
            rows.append([f"{low:.2f}–{high:.2f}", len(some), f"{confidence:.3f}", f"{accuracy:.3f}"])
    table = markdown_table(["confidence", "hands", "mean confidence", "right"], rows)
    return f"{table}\n\nExpected calibration error: {error:.3f}, over {len(seen)} hands."


def shape_table(readings: Sequence[ExampleReading]) -> str:
    """Return the table of rendered hands without a throw that are refused, by shape and view."""
    return _group_table(
        readings, lambda example: example.shape, "refused", [example.shape for example in _examples_of(readings)]
    )


def view_table(readings: Sequence[ExampleReading]) -> str:
    """Return the table of rendered throws read right, by throw and view."""
    return _group_table(readings, lambda example: str(example.throw), "right", THROW_NAMES)


def _examples_of(readings: Sequence[ExampleReading]) -> list[TrainingExample]:
    return [reading.example for reading in readings]


def _group_table(
    readings: Sequence[ExampleReading], group: Callable[[TrainingExample], str], what: str, order: Iterable[str]
) -> str:
    """Return the table of shares of right readings by group and view; for throws, with the number of wrong ones."""
    views = list(dict.fromkeys(_shot_of(reading).view for reading in readings))

    def cell(some: Sequence[ExampleReading]) -> str:
        wrong = sum(reading.outcome == "wrong" for reading in some)
        return f"{share_text(some, 'right')} of {len(some)}" + (f", {wrong} wrong" if wrong and what == "right" else "")

    rows = []
    for name in dict.fromkeys(order):
        these = [reading for reading in readings if group(reading.example) == name]
        rows.append(
            [
                name,
                *(cell([reading for reading in these if _shot_of(reading).view == view]) for view in views),
                cell(these),
            ]
        )
    rows.append(
        [
            "**all**",
            *(cell([reading for reading in readings if _shot_of(reading).view == view]) for view in views),
            cell(readings),
        ]
    )
    return markdown_table(["", *(f"{view}: {what}" for view in views), f"all: {what}"], rows)


def _shot_of(reading: ExampleReading) -> HandShot:
    if reading.example.shot is None:
        raise ValueError("only rendered hands have a view")
    return reading.example.shot


def skin_table(readings: Sequence[ExampleReading]) -> str:
    """Return the table of rendered throws, palm up or down, found, right and wrong, by skin tone and light."""
    flat = [reading for reading in readings if _shot_of(reading).view.startswith("palm")]
    lights = list(dict.fromkeys(_shot_of(reading).light for reading in flat))

    def cell(some: Sequence[ExampleReading]) -> str:
        seen = sum(reading.found for reading in some) / len(some)
        return f"{seen:.0%} / {share_text(some, 'right')} / {sum(reading.outcome == 'wrong' for reading in some)}"

    def row(name: str, some: Sequence[ExampleReading]) -> list[str]:
        return [
            name,
            *(cell([reading for reading in some if _shot_of(reading).light == light]) for light in lights),
            cell(some),
        ]

    skins = sorted({_shot_of(reading).skin for reading in flat})
    rows = [
        row(f"skin {number} of {len(skins)}", [reading for reading in flat if _shot_of(reading).skin == skin])
        for number, skin in enumerate(skins, 1)
    ]
    for name, left in (("left hands", True), ("right hands", False)):
        rows.append(row(name, [reading for reading in flat if _shot_of(reading).left is left]))
    return markdown_table(["found / right / wrong", *(f"{light} light" for light in lights), "all"], rows)


def report_sections(
    material: TrainingMaterial,
    doubtful: Sequence[TrainingExample],
    networks: Networks,
    table_examples: Sequence[TrainingExample],
) -> dict[str, str]:
    """Return every table by the page's section, without those of rendered hands if there are no ``table_examples``;
    ``doubtful`` are the photos ``as_doubtful``."""
    logits = cross_validate_both(material, doubtful)
    held_out = held_out_readings(material.photos, logits, networks, doubtful)
    final = read_examples(material.photos, networks, doubtful)
    sections = {
        "goals": goal_table(held_out),
        "held out": set_table([reading for reading in held_out if reading.example.source not in NEW_SETS]),
        "new cameras": set_table([reading for reading in held_out if reading.example.source in NEW_SETS]),
        "final": set_table([reading for reading in final if reading.example.source not in UNTRAINED_SETS]),
        "no throws": no_throw_table(held_out, final),
        "calibration, all detections": calibration_table(held_out),
        "calibration, one detection": calibration_table(
            single_detection_readings(material.photos, logits.landmarks, networks.landmarks)
        ),
    }
    if not table_examples:
        return sections
    rendered = read_examples(table_examples, networks)
    throws = [reading for reading in rendered if reading.example.throw is not None]
    return sections | {
        "shapes": shape_table([reading for reading in rendered if reading.example.throw is None]),
        "views": view_table(throws),
        "skin and light": skin_table(throws),
    }


def main() -> None:
    """Measure, print the tables and write them into the page."""
    parser = make_parser("report", __doc__)
    parser.add_argument("--photos-only", action="store_true", help="leave out the tables of rendered hands")
    add_docs_option(parser)
    options = parse_args(parser)
    try:
        material = load_material(options.pictures, options.kept, options.per)
        photo_cache, cache = DetectionCache(options.kept), DetectionCache(options.kept, TRAINING_AUGMENTATIONS)
        doubtful = list(photo_examples(options.pictures, photo_cache, options.per, as_doubtful=True))
        rendered = [] if options.photos_only else list(rendered_examples(table_shots(), cache))
        photo_cache.close()
        cache.close()
    except ModelError as error:
        sys.exit(str(error))
    publish(options.docs, report_sections(material, doubtful, released_networks(), rendered))


if __name__ == "__main__":
    main()
