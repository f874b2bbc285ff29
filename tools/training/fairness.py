"""Measure how evenly the classifier serves skin tones, left and right hands, and light, and write the tables of
``measurements/2026-11/hand-recognition.md``: ``python -m tools.training.fairness``.

No set says whose hand a photo shows, so the attributes are measured from the photos. Every photo is read by a network
trained without its set. Sets that are never trained on are left out."""

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.training.detection_cache import DetectionCache
from tools.training.examples import UNTRAINED_SETS, image_files, photo_examples
from tools.training.report import ExampleReading, cross_validate_both, held_out_readings, released_networks
from tools.training.train import load_material, make_parser, parse_args
from tools.trials.tables import Share
from vision.hands.detector import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, DetectedHand
from vision.hands.model import ModelError
from vision.hands.stills import read_image

SECTIONS = "fairness", "fairness ratios", "fairness mirrored"
PALM = [WRIST, THUMB, INDEX, MIDDLE, RING, LITTLE]
"""The landmarks around the palm or the back of the hand."""
LUMA_WEIGHTS = 0.2126, 0.7152, 0.0722
"""The weights of R, G and B in the luma (ITU-R BT.709)."""
MIN_SKIN_B = 5.0
"""The least b* of skin: below, the white balance is off, and the ITA, the angle of L* - 50 to b*, means nothing."""
SKIN_TONES = ((41.0, "light"), (28.0, "intermediate"), (10.0, "tan"), (-math.inf, "brown or dark"))
"""The skin tones, each with the ITA in degrees above which it lies (Chardon et al., Int. J. Cosmet. Sci. 13, 1991). Its
two lightest are one here, and its two darkest."""
MAX_RATIO = 1.5
"""The goal: how many times as often as in the best group a throw may be undecided or wrong."""
SIGNIFICANT = 0.05
SHUFFLE_COUNT = 9999


@dataclass(frozen=True)
class PhotoAttributes:
    """What a photo shows apart from the throw. None stands for what can't be measured, as everything but the luma where
    no hand was found."""

    luma: float
    """The mean of the photo, 0–255."""
    ita_deg: float | None = None
    """The individual typology angle of the palm's median colour."""
    lightness: float | None = None
    """The L* of that colour, 0–100."""
    is_right: bool | None = None
    """Whether the hand model takes the hand for a right one."""


class MeasuredPhoto(NamedTuple):
    """A photo's attributes and its reading."""

    attributes: PhotoAttributes
    reading: ExampleReading


def measure_attributes(image: Pixels, hands: Sequence[DetectedHand]) -> PhotoAttributes:
    """Return the attributes of an R, G, B image in which a hand was detected in ``hands``, one for each view."""
    luma = float((image @ np.array(LUMA_WEIGHTS)).mean())
    if not hands:
        return PhotoAttributes(luma)
    votes = 2 * sum(hand.is_right for hand in hands) - len(hands)
    is_right = votes > 0 if votes else None
    outline = np.median([hand.landmarks[PALM] for hand in hands], axis=0).round().astype(np.int32)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(outline), 1)
    palm = image[mask > 0]
    if not len(palm):
        return PhotoAttributes(luma, is_right=is_right)
    lab = cv2.cvtColor((palm[None] / 255).astype(np.float32), cv2.COLOR_RGB2LAB)[0]
    lightness, _, yellow = map(float, np.median(lab, axis=0))
    ita_deg = math.degrees(math.atan2(lightness - 50, yellow)) if yellow >= MIN_SKIN_B else None
    return PhotoAttributes(luma, ita_deg, lightness, is_right)


def skin_tone(attributes: PhotoAttributes) -> str | None:
    """Return the skin tone by the ITA."""
    ita_deg = attributes.ita_deg
    return None if ita_deg is None else next(name for least, name in SKIN_TONES if ita_deg > least)


def hand_side(attributes: PhotoAttributes) -> str | None:
    """Return "left" or "right"."""
    return None if attributes.is_right is None else "right" if attributes.is_right else "left"


def third_of(
    value_of: Callable[[PhotoAttributes], float | None], photos: Sequence[MeasuredPhoto]
) -> Callable[[PhotoAttributes], str | None]:
    """Return the function that returns in which third of the photos a value lies."""
    values = [value for photo in photos if (value := value_of(photo.attributes)) is not None]
    low, high = np.quantile(values, (1 / 3, 2 / 3)) if values else (0.0, 0.0)

    def third(attributes: PhotoAttributes) -> str | None:
        value = value_of(attributes)
        if value is None:
            return None
        if value <= low:
            return f"darkest third, to {low:.0f}"
        return "middle third" if value <= high else f"brightest third, over {high:.0f}"

    return third


def group_photos(photos: Sequence[MeasuredPhoto]) -> dict[str, dict[str, list[MeasuredPhoto]]]:
    """Return the photos by attribute and group; those whose group is unknown are left out."""
    group_of: Mapping[str, Callable[[PhotoAttributes], str | None]] = {
        "skin tone (ITA)": skin_tone,
        "lightness of the hand (L*)": third_of(lambda attributes: attributes.lightness, photos),
        "hand": hand_side,
        "light (mean luma)": third_of(lambda attributes: attributes.luma, photos),
    }
    groups: dict[str, dict[str, list[MeasuredPhoto]]] = {}
    for attribute, function in group_of.items():
        for photo in photos:
            if (name := function(photo.attributes)) is not None:
                groups.setdefault(attribute, {}).setdefault(name, []).append(photo)
    order = [*(name for _, name in SKIN_TONES), "darkest", "middle", "brightest", "left", "right"]
    return {
        attribute: dict(sorted(some.items(), key=lambda item: order.index(item[0].split(" third")[0])))
        for attribute, some in groups.items()
    }


def outcome_share(photos: Sequence[MeasuredPhoto], *outcomes: str) -> Share:
    """Return how many of the photos have one of some outcomes."""
    return Share(sum(photo.reading.outcome in outcomes for photo in photos), len(photos))


def fairness_table(photos: Sequence[MeasuredPhoto]) -> str:
    """Return the table of outcomes by attribute and group, each with its interval."""

    def row(name: str, some: Sequence[MeasuredPhoto]) -> list[object]:
        return [name, len(some), *(outcome_share(some, out).percent for out in ("right", "undecided", "wrong"))]

    rows = [row("all", photos)]
    for attribute, groups in group_photos(photos).items():
        rows += [row(f"{attribute}: {name}", some) for name, some in groups.items()]
        known = {id(photo) for some in groups.values() for photo in some}
        rows.append(row(f"{attribute}: unknown", [photo for photo in photos if id(photo) not in known]))
    head = ["", "photos", "right, % (95 %)", "undecided, % (95 %)", "wrong, % (95 %)"]
    return markdown_table(head, [line for line in rows if line[1]])


def permutation_p_value(
    groups: NDArray[np.int64], failed: NDArray[np.bool_], strata: NDArray[np.int64], shuffles: int = SHUFFLE_COUNT
) -> float:
    """Return the p-value of the hypothesis that groups fail alike, by a permutation test of chi-squared, the squared
    differences from the failures that are expected of each group.

    Args:
        groups: (n,) the group of each photo, from 0.
        failed: (n,) whether it is undecided or wrong.
        strata: (n,) groups are compared, and shuffled, only among photos of the same stratum, from 0.
        shuffles: Random shuffles; p is at least 1 / (shuffles + 1) (Phipson & Smyth, Stat. Appl. Genet. 9, 2010).
    """
    rates = np.bincount(strata, failed) / np.bincount(strata)
    expected = np.bincount(groups, rates[strata])
    counted = expected > 0
    order, rng = np.argsort(strata, kind="stable"), np.random.default_rng(0)
    arranged = groups.copy()

    def chi_squared(some: NDArray[np.int64]) -> float:
        found = np.bincount(some[failed], minlength=len(expected))
        return float(((found - expected)[counted] ** 2 / expected[counted]).sum())

    least, extreme = chi_squared(groups) - 1e-9, 0
    for _ in range(shuffles):
        arranged[order] = groups[np.lexsort((rng.random(len(groups)), strata))]
        extreme += chi_squared(arranged) >= least
    return (extreme + 1) / (shuffles + 1)


def ratio_table(photos: Sequence[MeasuredPhoto]) -> str:
    """Return the table of how many times as often as in the best group throws are not read right in the worst, with the
    p-values of such differences."""
    rows = []
    for attribute, some in group_photos(photos).items():
        shares = {name: outcome_share(members, "undecided", "wrong") for name, members in some.items()}
        best, worst = (choose(shares, key=lambda name: shares[name].share) for choose in (min, max))
        ratio = shares[worst].share / shares[best].share if shares[best].hits else math.inf
        known = [photo for members in some.values() for photo in members]
        groups = np.repeat(np.arange(len(some)), [len(members) for members in some.values()])
        failed = np.array([photo.reading.outcome != "right" for photo in known])
        sets = np.unique([photo.reading.example.source for photo in known], return_inverse=True)[1]
        p = permutation_p_value(groups, failed, np.zeros_like(sets))
        within = permutation_p_value(groups, failed, sets)
        rows.append(
            [
                attribute,
                f"{best}: {shares[best]}",
                f"{worst}: {shares[worst]}",
                f"{ratio:.2f}",
                f"{p:.4f}",
                f"{within:.4f}",
                "no" if ratio > MAX_RATIO and p < SIGNIFICANT else "yes",
            ]
        )
    head = ["not read right", "fewest", "most", "ratio", "p", "p within sets", f"≤ {MAX_RATIO}, or chance"]
    return markdown_table(head, rows)


def sign_test(one: int, other: int) -> float:
    """Return the two-sided p-value of McNemar's exact test: of pairs that differ, ``one`` failed only on the first
    side, ``other`` only on the second."""
    total, fewer = one + other, min(one, other)
    return min(1.0, 2 * sum(math.comb(total, count) for count in range(fewer + 1)) / (1 << total))


def mirror_table(pairs: Iterable[tuple[MeasuredPhoto, MeasuredPhoto]]) -> str:
    """Return the table of photos read as they are and mirrored, by the hand the model sees as left or right; photos in
    which mirroring does not change the hand, or that show none, are counted and left out."""
    rows, unclear = [], 0
    as_left, as_right = [], []
    for one, other in pairs:
        sides = hand_side(one.attributes), hand_side(other.attributes)
        if set(sides) != {"left", "right"}:
            unclear += 1
            continue
        left, right = (one, other) if sides[0] == "left" else (other, one)
        as_left.append(left)
        as_right.append(right)
    for name, some in (("as a left hand", as_left), ("as a right hand", as_right)):
        rows.append(
            [name, len(some), *(outcome_share(some, out).percent for out in ("right", "undecided", "wrong"))],
        )
    right_as = [[photo.reading.outcome == "right" for photo in some] for some in (as_left, as_right)]
    only_left = sum(left and not right for left, right in zip(*right_as, strict=True))
    only_right = sum(right and not left for left, right in zip(*right_as, strict=True))
    table = markdown_table(["", "photos", "right, % (95 %)", "undecided, % (95 %)", "wrong, % (95 %)"], rows)
    return (
        f"{table}\n\nRead right only as a left hand: {only_left}; only as a right hand: {only_right} (McNemar's exact "
        f"test: p = {sign_test(only_left, only_right):.3f}).\nLeft out, because the hand is not the other one when "
        f"mirrored, or not found: {unclear}."
    )


def main() -> None:
    """Measure, print the tables and write them into the page."""
    parser = make_parser("fairness", __doc__)
    add_docs_option(parser, *SECTIONS)
    parser.add_argument(
        "--without", nargs="+", default=(), metavar="SET", help="leave these sets out too, and only print the tables"
    )
    options = parse_args(parser)
    left_out = {*UNTRAINED_SETS, *options.without}
    try:
        material = load_material(options.pictures, options.kept, options.per)
        cache = DetectionCache(options.kept)
        mirrored, doubtful, mirrored_doubtful = (
            list(photo_examples(options.pictures, cache, options.per, mirrored=is_mirrored, as_doubtful=is_doubtful))
            for is_mirrored, is_doubtful in ((True, False), (False, True), (True, True))
        )
        cache.close()
    except ModelError as error:
        sys.exit(str(error))
    logits = cross_validate_both(material, [*mirrored, *doubtful, *mirrored_doubtful])
    networks = released_networks()
    files = image_files(options.pictures, options.per)
    photos, pairs = [], []
    for file, *readings in zip(
        files,
        held_out_readings(material.photos, logits, networks, doubtful),
        held_out_readings(mirrored, logits, networks, mirrored_doubtful),
        strict=True,
    ):
        example = readings[0].example
        if example.throw is not None and example.source not in left_out:
            image = read_image(file)
            pair = [
                MeasuredPhoto(measure_attributes(pixels, reading.example.hands), reading)
                for pixels, reading in zip((image, image[:, ::-1]), readings, strict=True)
            ]
            photos.append(pair[0])
            pairs.append((pair[0], pair[1]))
    tables = fairness_table(photos), ratio_table(photos), mirror_table(pairs)
    sections = dict(zip(SECTIONS, tables, strict=True))
    publish(None if options.without else options.docs, sections)


if __name__ == "__main__":
    main()
