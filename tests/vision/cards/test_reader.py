"""The reader of printed markers: found from 24 pixels on, at any rotation and angle, and never read wrong."""

from collections.abc import Callable, Sequence
from math import ceil

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from device.camera.frames import Box, Grey
from rules.markers import (
    CODE_SIDE_SQUARES,
    MARKER_CODES,
    MARKER_SIDE_MM,
    MARKER_SIDE_SQUARES,
    MAX_SEATS,
    MAX_STUDENTS,
    PIECES_PER_SIDE,
    PRINTED_MARKERS,
    MarkerKind,
    marker_squares,
    markers_of_kind,
)
from tools.bench.cards import MarkerCount, count_markers, detect_with_opencv, detect_with_reader, measure
from tools.trials.card_scenes import (
    FAIR_CONDITIONS,
    HARD_CONDITIONS,
    STEEP_CONDITIONS,
    PlacedMarker,
    SceneConditions,
    render_scene,
)
from vision.cards.outlines import Patches, fragment_bands, image_levels, split_into_bands
from vision.cards.reader import Card, read_cards

Codes = NDArray[np.int64]
CELL = 12
CLEAN = SceneConditions((0, 0), (0.1, 0.1), (0, 0), (0, 0), (1, 1), (0, 0), 0, (2, 2), (95, 96))


def codes() -> Codes:
    """Return all codes (n, 6, 6), white 1 and black −1."""
    return np.array([marker_squares(marker) for marker in MARKER_CODES])[:, 1:-1, 1:-1] * -2 + 1


def distances(one: Codes, other: Codes) -> Codes:
    """Return in how many squares each of ``one`` differs from each of ``other``."""
    return (CODE_SIDE_SQUARES**2 - one.reshape(len(one), -1) @ other.reshape(len(other), -1).T) // 2


def draw_marker(marker: int, margin: int = 2 * CELL) -> NDArray[np.uint8]:
    """Return an image of a marker on white."""
    black = np.kron(np.array(marker_squares(marker)), np.ones((CELL, CELL), bool))
    return np.pad(np.where(black, 20, 240).astype(np.uint8), margin, constant_values=240)


def numbers(cards: Sequence[Card]) -> list[int]:
    """Return the sorted numbers of the markers that were read."""
    return sorted(card.printed.marker for card in cards)


def test_markers_are_opencvs_by_the_same_numbers() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for marker in MARKER_CODES:
        theirs = dictionary.generateImageMarker(marker, MARKER_SIDE_SQUARES, borderBits=1) == 0
        assert (theirs == np.array(marker_squares(marker))).all()


def test_codes_have_the_documented_distances() -> None:
    all_codes = codes()
    apart, mirrored, own = 36, 36, 36
    for turn in range(4):
        turned = np.rot90(all_codes, turn, (1, 2))
        from_others = distances(all_codes, turned)
        if turn:
            own = min(own, int(np.diag(from_others).min()))
        np.fill_diagonal(from_others, 36)
        apart = min(apart, int(from_others.min()))
        mirrored = min(mirrored, int(distances(all_codes, turned[:, :, ::-1]).min()))
    assert (apart, own, mirrored) == (11, 12, 9)


def test_every_code_stands_for_one_thing() -> None:
    assert list(PRINTED_MARKERS) == list(MARKER_CODES)
    counts = {kind: len(markers_of_kind(kind)) for kind in MarkerKind}
    assert counts == {
        MarkerKind.CARD: 72,
        MarkerKind.CARD_BACK: 1,
        MarkerKind.FUTURE: 42,
        MarkerKind.FUTURE_BACK: 1,
        MarkerKind.CLASS: MAX_STUDENTS,
        MarkerKind.MAT: MAX_SEATS,
        MarkerKind.BOARD: 4,
        MarkerKind.PIECE: 2 * sum(PIECES_PER_SIDE.values()),
    }
    assert MAX_STUDENTS >= 63 and set(MARKER_SIDE_MM) == set(MarkerKind)
    for kind in MarkerKind:
        assert [each.number for each in markers_of_kind(kind)] == list(range(1, counts[kind] + 1))


@pytest.mark.parametrize("turn", range(4))
def test_every_marker_is_read_at_every_turn(turn: int) -> None:
    for begin in range(0, len(MARKER_CODES), 24):
        markers = list(MARKER_CODES)[begin : begin + 24]
        faces = [np.rot90(draw_marker(marker), -turn) for marker in markers]
        faces += [np.full_like(faces[0], 240)] * (24 - len(faces))
        image = np.vstack([np.hstack(faces[row : row + 6]) for row in range(0, 24, 6)])
        cards = read_cards(np.ascontiguousarray(image))
        assert numbers(cards) == markers
        assert {card.quarter_turns for card in cards} == {turn} and max(card.skew_deg for card in cards) < 0.5


def test_corners_are_the_markers_own_to_a_fraction_of_a_pixel() -> None:
    image, laid = render_scene(4, 60, CLEAN)
    where = {each.marker: each.corners for each in laid}
    cards = read_cards(image)
    assert numbers(cards) == sorted(where)
    for card in cards:
        off = np.abs(card.corners - where[card.printed.marker])
        assert off.max() < 0.6 and off.mean() < 0.3
        assert card.side_px == pytest.approx(60, abs=0.5) and card.quality > 0.95


def test_colour_and_grey_images_read_the_same() -> None:
    grey, laid = render_scene(5, 40)
    colour = np.repeat(grey[..., None], 3, axis=2)
    assert numbers(read_cards(colour)) == numbers(read_cards(grey)) == sorted(each.marker for each in laid)


def count_found(side: float, conditions: SceneConditions, seeds: Sequence[int]) -> MarkerCount:
    """Return the counts over some scenes."""
    count = MarkerCount()
    for seed in seeds:
        image, laid = render_scene(seed, side, conditions)
        count_markers(detect_with_reader(image), laid, side, count)
    return count


@pytest.mark.parametrize(
    ("side", "conditions", "share"),
    [
        (24, FAIR_CONDITIONS, 0.99),
        (30, STEEP_CONDITIONS, 0.99),
        (48, FAIR_CONDITIONS, 0.99),
        (110, FAIR_CONDITIONS, 0.99),
    ],
)
def test_found_from_24_pixels_on_and_never_wrong(side: float, conditions: SceneConditions, share: float) -> None:
    count = count_found(side, conditions, range(500, 508))
    assert count.wrong == 0
    assert count.found >= share * count.present
    assert count.corner_error_px / count.found < 0.3


@pytest.mark.parametrize("side", [10, 14, 24])
def test_markers_too_small_to_read_are_not_guessed(side: float) -> None:
    count = count_found(side, HARD_CONDITIONS, range(600, 606))
    assert count.wrong == 0


def test_a_large_image_is_read_as_well_as_a_small_one() -> None:
    image, laid = render_scene(7, 26, size=(1900, 1300), max_markers=200)
    assert image_levels(image, 24)[0].scale == 2, "it is searched at half its size first"
    count = MarkerCount()
    count_markers(detect_with_reader(image), laid, 26, count)
    assert count.wrong == 0 and count.found >= 0.99 * count.present


def test_all_markers_above_the_minimum_side_are_found() -> None:
    image, laid = render_scene(8, 50, size=(1900, 1300), max_markers=63)
    assert numbers(read_cards(image, min_side_px=48)) == sorted(each.marker for each in laid)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([FAIR_CONDITIONS, STEEP_CONDITIONS, HARD_CONDITIONS]), st.floats(9, 60))
def test_nothing_is_ever_read_wrong(seed: int, conditions: SceneConditions, side: float) -> None:
    image, laid = render_scene(seed, side, conditions, size=(480, 360))
    count = MarkerCount()
    count_markers(detect_with_reader(image), laid, max(side, 14), count)
    assert count.wrong == 0


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(MARKER_CODES)), st.lists(st.integers(0, 35), min_size=5, max_size=18, unique=True))
def test_a_code_with_five_squares_wrong_is_refused_or_itself(marker: int, wrong: list[int]) -> None:
    image = draw_marker(marker)
    for place in wrong:
        row, column = divmod(place, CODE_SIDE_SQUARES)
        top, left = (2 + 1 + row) * CELL, (2 + 1 + column) * CELL
        image[top : top + CELL, left : left + CELL] = 260 - image[top, left].astype(int)
    assert read_cards(image) == []


@pytest.mark.parametrize("way", ["mirror", "inverted"])
def test_a_mirrored_or_inverted_marker_is_none(way: str) -> None:
    for marker in list(MARKER_CODES)[::5]:
        image = draw_marker(marker)
        assert read_cards(np.ascontiguousarray(image[:, ::-1]) if way == "mirror" else 255 - image) == []


@pytest.mark.parametrize("cover", ["corner", "edge", "half"])
def test_a_card_half_covered_is_not_read(cover: str) -> None:
    for marker in list(MARKER_CODES)[::17]:
        image = draw_marker(marker)
        wide = image.shape[0]
        box = {"corner": (0, 0, 5 * CELL, 5 * CELL), "edge": (0, 0, wide, 4 * CELL), "half": (0, 0, wide, wide // 2)}[
            cover
        ]
        for skin in (60, 150, 215):
            hidden = image.copy()
            hidden[box[1] : box[3], box[0] : box[2]] = skin
            assert read_cards(hidden) == []


def test_the_same_marker_twice_is_found_twice() -> None:
    one = draw_marker(next(iter(MARKER_CODES)))
    assert numbers(read_cards(np.hstack([one, one, one]))) == [next(iter(MARKER_CODES))] * 3


def test_other_codes_of_the_dictionary_are_not_read() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    strangers = [number for number in range(587) if number not in MARKER_CODES]
    for number in strangers:
        marker = np.asarray(dictionary.generateImageMarker(number, 8 * CELL, borderBits=1), np.uint8)
        assert read_cards(np.pad(marker, 2 * CELL, constant_values=255)) == []


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((1, 1)),
        np.full((7, 900), 200),
        np.full((12, 5000), 90),
        np.full((3000, 20), 90),
        np.zeros((0, 0)),
        np.full((40, 40), 128),
        np.eye(64) * 255,
    ],
)
def test_images_without_markers_have_no_cards(image: NDArray[np.float64]) -> None:
    assert read_cards(image.astype(np.uint8)) == []


def test_small_markers_in_the_lower_half_are_found() -> None:
    grey = np.full((1400, 1400), 200, np.uint8)
    upper, lower = split_into_bands(image_levels(grey, 24), 2)[:2]
    crumbs = Patches(np.empty((0, 4, 2), np.float32), (), (Box(300, 200, 6, 5),))
    read = lower.box_around(np.array([(100, 100), (300, 100), (300, 300), (100, 300)], np.float32))
    (again,) = fragment_bands(grey, lower, crumbs, [read])
    assert upper.top == 0 and lower.top > 0 and again.scale == 1
    assert again.left <= 600 and again.top <= 2 * (lower.top + 200)
    assert again.left + again.grey.shape[1] >= 612 and again.top + again.grey.shape[0] >= 2 * (lower.top + 205)
    assert fragment_bands(grey, lower, crumbs, [Box(280, 190, 60, 60)]) == []


def test_noise_and_words_are_not_markers() -> None:
    chance = np.random.default_rng(1)
    for grain in (1, 3, 8):
        high = ceil(480 / grain)
        noise = chance.integers(0, 2, (high, high)).astype(np.uint8) * 255
        enlarged = cv2.resize(noise, (480, 480), interpolation=cv2.INTER_NEAREST)
        assert read_cards(np.asarray(enlarged, np.uint8)) == []


def test_the_rotation_of_a_card() -> None:
    middle = (8 * CELL, 8 * CELL)
    face = np.pad(draw_marker(5 if 5 in MARKER_CODES else 6), 2 * CELL, constant_values=240)
    for degrees in (0, 30, 44, 46, 90, 179, 200, 359):
        turn = cv2.getRotationMatrix2D(middle, -degrees, 1)
        (card,) = read_cards(np.asarray(cv2.warpAffine(face, turn, face.shape, borderValue=(240,)), np.uint8))
        assert (card.angle_deg - degrees + 180) % 360 - 180 == pytest.approx(0, abs=0.5)
        assert card.quarter_turns == round(degrees / 90) % 4
        assert card.skew_deg == pytest.approx(min(degrees % 90, 90 - degrees % 90), abs=0.5)


@pytest.mark.parametrize("detect", [detect_with_reader, detect_with_opencv])
def test_the_benchmark_counts_wrong_cards(detect: Callable[[Grey], list[PlacedMarker]]) -> None:
    image, laid = render_scene(9, 64)
    count = MarkerCount()
    count_markers(detect(image), [*laid[1:]], 64, count)
    assert count.wrong == 1 and count.found == len(laid) - 1
    assert measure(lambda: [1, 2, 3], 2)[-1] == 3
