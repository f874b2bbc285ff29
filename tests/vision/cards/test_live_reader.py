"""Markers in successive frames: those whose places are known are read in every frame, any other after a stated number
of frames, and none is read that is not there."""

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.frames import BgrFrame, Frame, Grey
from device.simulated.printed.classroom import HeldCard, SimulatedClassroom
from rules.markers import THROW_BY_QUARTER_TURNS, MarkerKind, markers_of_kind
from throwlock.simulation.classroom import card_face
from tools.trials.card_scenes import FAIR_CONDITIONS, HARD_CONDITIONS, SceneConditions, render_scene
from vision.cards.classroom_reader import ClassCardCause, assign_cards, read_class
from vision.cards.outlines import image_levels
from vision.cards.reader import MAX_GAP_NS, Card, LiveReader, read_cards

FRAME_NS = 1_000_000_000 // 24
CARD_SIDE_PX = 65
"""Side of a drawn card, whose marker has 48 pixels."""
Placed = tuple[int, float, float, float]
"""A card's number, the centre in pixels, the clockwise rotation in degrees."""


def frame_of(image: Grey, number: int) -> Frame:
    """Return a frame of a camera with 24 frames a second."""
    bgr = np.repeat(image[..., None], 3, axis=2)
    return BgrFrame(number, number * FRAME_NS, 0, (image.shape[1], image.shape[0]), bgr)


class Film:
    """A camera's frames, read one after the other."""

    def __init__(self) -> None:
        self.reader = LiveReader()
        self._number = 0

    def read(self, image: Grey, gap_ns: int = 0) -> list[Card]:
        """Read the next frame, which comes ``gap_ns`` late."""
        self._number += 1 + gap_ns // FRAME_NS
        return self.reader.read(frame_of(image, self._number))

    def search(self, image: Grey) -> list[Card]:
        """Read the frames after which everything in an image has been read."""
        for _ in range(self.reader.search_frames):
            cards = self.read(image)
        return cards


def draw_room(*cards: Placed, size: tuple[int, int] = (1280, 960)) -> Grey:
    """Return the image of class cards in a grey room; later ones lie above earlier ones."""
    room = np.full((size[1], size[0]), 120, np.uint8)
    for number, x, y, turn_deg in cards:
        face = cv2.resize(card_face(number)[..., 0], (CARD_SIDE_PX, CARD_SIDE_PX), interpolation=cv2.INTER_AREA)
        pose = np.asarray(cv2.getRotationMatrix2D(((CARD_SIDE_PX - 1) / 2,) * 2, -turn_deg, 1), np.float64)
        pose[:, 2] += np.array([x, y]) - (CARD_SIDE_PX - 1) / 2
        cv2.warpAffine(face, pose, size, room, borderMode=cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(1).normal(0, 3, room.shape)
    return np.clip(cv2.GaussianBlur(room, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def facts(cards: list[Card]) -> list[tuple[int, int, int, int]]:
    """Return numbers, places to 5 pixels and quarter turns."""
    return sorted(
        (card.printed.number, round(card.centre[0] / 5), round(card.centre[1] / 5), card.quarter_turns)
        for card in cards
    )


ROW = tuple((number, 150.0 * number + 2, 302.0, 90.0 * (number % 4) + 4) for number in range(1, 8))


def test_first_frame_and_one_after_a_gap_are_searched_whole() -> None:
    film, room = Film(), draw_room(*ROW)
    assert facts(film.read(room)) == facts(read_cards(room)) and len(film.read(room)) == 7
    assert film.reader.search_frames > 5
    later = draw_room(*(replaced_at(card, y=702.0) for card in ROW))
    assert len(film.read(later)) < 7
    assert facts(film.read(later, gap_ns=MAX_GAP_NS + FRAME_NS)) == facts(read_cards(later))
    small = draw_room(*((n, x / 2 + 100, 200.0, turn) for n, x, _, turn in ROW), size=(900, 400))
    assert facts(film.read(small)) == facts(read_cards(small))


def replaced_at(card: Placed, x: float | None = None, y: float | None = None, turn_deg: float | None = None) -> Placed:
    """Return a card in another place or rotation."""
    number, old_x, old_y, old_turn = card
    return (
        number,
        old_x if x is None else x,
        old_y if y is None else y,
        old_turn if turn_deg is None else turn_deg,
    )


def test_known_cards_are_read_in_every_frame_while_they_move_and_turn() -> None:
    film = Film()
    film.read(draw_room(*ROW))
    for step in range(1, 9):
        moved = [(n, x + 3 * step, y + (-1) ** n * 22 * step, turn + 25 * step) for n, x, y, turn in ROW]
        cards = film.read(draw_room(*moved))
        assert sorted(card.printed.number for card in cards) == [1, 2, 3, 4, 5, 6, 7]
        by = {card.printed.number: card for card in cards}
        for number, x, y, turn in moved:
            assert by[number].centre == pytest.approx((x, y), abs=1)
            assert (by[number].angle_deg - turn + 180) % 360 - 180 == pytest.approx(0, abs=2)


def test_a_card_that_appears_is_read_after_the_stated_number_of_frames() -> None:
    empty, room = draw_room(), draw_room(*ROW, *(replaced_at(card, y=900.0) for card in ROW))
    film = Film()
    assert film.read(empty) == []
    for _ in range(film.reader.search_frames // 2):  # wherever the search has come to
        film.read(empty)
    counts = [len(film.read(room)) for _ in range(film.reader.search_frames)]
    assert counts == sorted(counts) and counts[-1] == 14 > counts[0]
    assert facts(film.read(room)) == facts(read_cards(room))


def test_cards_that_swap_places_are_read_at_once_as_what_they_are() -> None:
    film = Film()
    film.read(draw_room(*ROW))
    swapped = [(8 - n, x, y, turn + 90) for n, x, y, turn in ROW]
    room = draw_room(*swapped)
    assert facts(film.read(room)) == facts(read_cards(room)) and len(film.read(room)) == 7


def test_the_same_number_twice_is_read_twice() -> None:
    film = Film()
    film.read(draw_room(*ROW))
    room = draw_room(*ROW, (3, 640.0, 800.0, 180.0))
    film.search(room)
    for _ in range(3):
        reading = assign_cards(film.read(room), range(1, 8))
        assert reading.duplicate_numbers == (3,) and reading.students[2].throw is None


def test_a_covered_card_is_not_read_and_comes_back_at_once() -> None:
    room = draw_room(*ROW)
    covered = room.copy()
    covered[270:340, 420:450] = 90
    for frames in range(1, 6):
        film = Film()
        film.read(room)
        for _ in range(frames):
            assert sorted(card.printed.number for card in film.read(covered)) == [1, 2, 4, 5, 6, 7]
        assert len(film.read(room)) == 7


def test_a_card_that_was_hidden_for_long_is_searched_for_again() -> None:
    film, room = Film(), draw_room(*ROW)
    film.read(room)
    for _ in range(3):
        film.search(draw_room(*ROW[1:]))
    assert len(film.search(room)) == 7


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 2**31),
    st.sampled_from([FAIR_CONDITIONS, HARD_CONDITIONS]),
    st.floats(24, 60),
    st.lists(st.tuples(st.integers(-30, 30), st.integers(-30, 30)), min_size=1, max_size=4),
)
def test_resting_cards_are_read_as_in_a_whole_search(
    seed: int, conditions: SceneConditions, side: float, moves: list[tuple[int, int]]
) -> None:
    image, placed = render_scene(seed, side, conditions, size=(700, 640))
    truth = {each.marker: each.corners for each in placed}
    film = Film()
    film.read(image)
    for dx, dy in moves:
        for card in film.read(np.roll(image, (dy, dx), (0, 1))):
            assert np.abs(truth[card.printed.marker] + (dx, dy) - card.corners).max() < side / 2
    whole = {card.printed.marker for card in read_cards(image)}
    live = {card.printed.marker for card in film.search(image)}
    assert len(whole - live) <= (0 if conditions is FAIR_CONDITIONS else 1 + len(whole) // 10)


def test_small_markers_in_a_large_image_are_found_in_any_part() -> None:
    image, placed = render_scene(7, 26, size=(1900, 1300), max_markers=200)
    assert image_levels(image, 24)[0].scale == 2
    film = Film()
    film.read(np.full_like(image, 128))
    whole = {card.printed.marker for card in read_cards(image)}
    assert {card.printed.marker for card in film.search(image)} >= whole and len(whole) >= 0.99 * len(placed)


@pytest.mark.slow
def test_turning_class_cards_are_read_frame_by_frame() -> None:
    """Cards turn to the camera one after the other, two students swap cards, one holds up another's number."""
    room = SimulatedClassroom(12, seed=3)
    turns = {number: number % 4 for number in room.people}
    shown = {number: FRAME_NS * (4 + number) for number in room.people}
    faces: Mapping[int, int] = {**{number: number for number in room.people}, 5: 6, 6: 5, 12: 1}
    cards = [
        room.card(number, card_face(faces[number]), HeldCard(turns[number], shown[number], 3.0 * (number % 5)))
        for number in room.people
    ]
    scene = room.scene()
    scene = replace(scene, objects=(*scene.objects, *cards))
    reader = LiveReader()
    late = 0
    for number in range(32):
        image = scene.photograph(number * FRAME_NS, number=number)
        frame = BgrFrame(number, number * FRAME_NS, 0, scene.optics.size, np.ascontiguousarray(image[..., ::-1]))
        live = assign_cards(reader.read(frame), range(1, 13))
        whole = read_class(frame.grey(), range(1, 13))
        for one, other in zip(live.students, whole.students, strict=True):
            if one.card is not None and one.cause not in (ClassCardCause.SLANTED, ClassCardCause.TWICE):
                holders = [place for place, face in faces.items() if face == one.number]
                assert one.throw in [THROW_BY_QUARTER_TURNS[turns[place]] for place in holders]
            late += one.card is None and other.card is not None
        if number >= 17 + reader.search_frames:
            assert live.read_numbers >= whole.read_numbers and live.duplicate_numbers == (1,)
            assert [one.throw for one in live.students] == [one.throw for one in whole.students]
    assert late <= 12 * reader.search_frames


def test_markers_of_every_kind_are_read() -> None:
    marker = markers_of_kind(MarkerKind.CARD)[0].marker
    image, _ = render_scene(2, 60, markers=[marker])
    film = Film()
    film.read(image)
    assert [card.printed.marker for card in film.read(image)] == [marker]
