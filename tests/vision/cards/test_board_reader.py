"""The printed board in images: every piece on its space at every angle, through a distorting lens, on the real sheets;
covered or washed-out spaces, and pieces between two spaces, never count as empty."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest

from device.camera.frames import Pixels
from device.simulated.printed.board_player import BoardSpot
from device.simulated.printed.objects import HandOverTable, ObjectPose, PrintedSheet, RoomLight, TiltedCameraOptics
from rules.board.position import starting_position
from rules.markers import MARKER_SIDE_MM, MarkerKind
from tests.helpers.board_scene import BOARD, BoardScene
from throwlock.simulation import board_player
from throwlock.simulation.board_player import BOARD_OPTICS, board_print, space_spot
from ui.sheets.board import PIECE_SIZE_MM, board_extent, make_board
from ui.sheets.paper import Paper
from vision.cards.board_reader import PIECE_MARKER_OFFSET_MM, has_board, read_board


def check(image: Pixels, scene: BoardScene) -> None:
    reading = read_board(image, BOARD)
    assert reading is not None
    assert {space: piece.marker for space, piece in reading.tops.items()} == scene.top_markers()
    assert reading.empty == set(range(len(BOARD.space_names))) - scene.top_markers().keys()


def distort(image: Pixels, by: float) -> Pixels:
    """Return the image through a lens that moves the corners towards the centre by a share."""
    high, wide = image.shape[:2]
    x, y = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    ax, ay = x - (wide / 2 - 0.5), y - (high / 2 - 0.5)
    factor = 1 + by * (ax**2 + ay**2) / (ax.max() ** 2 + ay.max() ** 2)
    return np.asarray(cv2.remap(image, wide / 2 - 0.5 + ax * factor, wide * 0 + high / 2 - 0.5 + ay * factor, 1))


@pytest.mark.parametrize(
    ("tilt_x", "tilt_y", "turn", "blur", "noise", "light"),
    [
        (0, 0, 0, 0.5, 2, RoomLight()),
        (14, 0, 180, 0.6, 3, RoomLight(0.8, 0.35, -0.2)),
        (0, -14, 5, 0.9, 7, RoomLight(0.45)),
    ],
)
def test_every_piece_is_read_on_its_space(
    tilt_x: float, tilt_y: float, turn: float, blur: float, noise: float, light: RoomLight
) -> None:
    optics = TiltedCameraOptics((1280, 720), 900, 860 + 14 * max(tilt_x, abs(tilt_y)), tilt_x, tilt_y, blur, noise)
    scene = BoardScene(optics, light, ObjectPose(4, 3, turn_deg=turn))
    scene.set_up()
    check(scene.photograph(), scene)


@pytest.mark.parametrize("by", [-0.08, 0.1])
def test_the_board_is_read_through_a_distorting_lens(by: float) -> None:
    scene = BoardScene(replace(BOARD_OPTICS, view_mm=940))
    scene.set_up()
    image = distort(scene.photograph(), by)
    check(image, scene)
    reading = read_board(image, BOARD)
    assert reading is not None and abs(reading.pose.bend - by) < 0.02


def test_the_printed_sheets_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left, top, right, bottom = board_extent(BOARD)
    wide, high = right - left + 60, bottom - top + 60
    make_board(Paper(wide, high)).save(tmp_path / "board.pdf")
    page = pdfium.PdfDocument((tmp_path / "board.pdf").read_bytes())[0]
    drawn = page.render(scale=4 * 25.4 / 72).to_numpy()[..., :3]
    middle = board_print(BOARD)[1]
    monkeypatch.setattr(board_player, "board_print", lambda _: (PrintedSheet(drawn, drawn, (wide, high), 0.3), middle))
    scene = BoardScene()
    scene.set_up(starting_position())
    check(scene.photograph(), scene)
    scene.remove(*list(scene.hands.stacks)[::2])
    check(scene.photograph(), scene)


def test_a_piece_between_spaces_and_two_on_one_space_make_it_crowded() -> None:
    scene = BoardScene()
    scene.set_up()
    a, b = BOARD.space_at[0, 3], BOARD.space_at[0, 2]
    (piece,) = scene.hands.stacks[a]
    one, other = space_spot(BOARD, a), space_spot(BOARD, b)
    scene.lay(scene.hands.stacks, {piece: BoardSpot((one.x + other.x) / 2, (one.y + other.y) / 2)})
    reading = read_board(scene.photograph(), BOARD)
    assert reading is not None and {a, b} <= reading.crowded
    assert not {a, b} & (reading.tops.keys() | reading.empty)
    c = BOARD.space_at[1, 3]
    (second,) = scene.hands.stacks[c]
    third = space_spot(BOARD, BOARD.space_at[1, 1])
    scene.lay(scene.hands.stacks, {piece: replace(third, x=third.x - 12), second: replace(third, x=third.x + 12)})
    reading = read_board(scene.photograph(), BOARD)
    assert reading is not None and BOARD.space_at[1, 1] in reading.crowded and c in reading.empty


def test_spaces_under_a_hand_or_in_glare_are_not_empty() -> None:
    scene = BoardScene()
    scene.set_up()
    scene.camera.add_hands(HandOverTable(((0, ObjectPose(0, 0, 8)), (10**12, ObjectPose(0, 0, 8))), 90.0))
    reading = read_board(scene.photograph(), BOARD)
    assert reading is not None and len(reading.covered) > 3
    seen = {space: piece.marker for space, piece in reading.tops.items()}
    assert seen.items() <= scene.top_markers().items() and not reading.empty & scene.top_markers().keys()
    lamp = space_spot(BOARD, BOARD.space_at[0, 3])
    lit = BoardScene(light=RoomLight(0.8, 0.0, 0.0, ((lamp.x, lamp.y + 8, 40.0, 3.0),)))
    lit.set_up()
    reading = read_board(lit.photograph(), BOARD)
    assert reading is not None and BOARD.space_at[0, 3] not in reading.tops
    assert not reading.empty & lit.top_markers().keys()


def test_a_mostly_hidden_board_is_not_read() -> None:
    scene = BoardScene(pose=ObjectPose(330, 0))
    scene.set_up()
    image = scene.photograph()
    assert read_board(image, BOARD) is None and not has_board(image)
    assert not has_board(np.full((720, 1280, 3), 120, np.uint8))


def test_the_offset_of_a_pieces_marker_matches_the_sheets() -> None:
    assert PIECE_SIZE_MM[1] / 2 - (3 + MARKER_SIDE_MM[MarkerKind.PIECE] / 2) == PIECE_MARKER_OFFSET_MM
