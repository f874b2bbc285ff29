"""The printed board in pictures: every piece on its space at every angle, through a lens that bends, on the real
sheets; what is covered, washed out or between two spaces is not taken for empty."""

from dataclasses import replace

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from board_room import BOARD, Room

from device.camera.frames import Pixels
from device.simulated.printed.board_player import Spot
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.things import Pose, Print, Reach
from rules.board.position import start
from rules.markers import SIDE_MM, Kind
from throwlock.simulation.board_player import OPTICS
from throwlock.simulation.board_prints import spot_of
from ui.sheets.board import PIECE_MM, board, extent
from ui.sheets.paper import Paper
from vision.cards.board_reader import UPPER_MM, has_board, see_board


def check(picture: Pixels, room: Room) -> None:
    sight = see_board(picture, BOARD)
    assert sight is not None
    assert {space: piece.marker for space, piece in sight.tops.items()} == room.truth()
    assert sight.empty == set(range(len(BOARD.names))) - room.truth().keys()


def bent(picture: Pixels, by: float) -> Pixels:
    """As a lens shows it that moves the corners towards the middle by a share."""
    high, wide = picture.shape[:2]
    x, y = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    ax, ay = x - (wide / 2 - 0.5), y - (high / 2 - 0.5)
    factor = 1 + by * (ax**2 + ay**2) / (ax.max() ** 2 + ay.max() ** 2)
    return np.asarray(cv2.remap(picture, wide / 2 - 0.5 + ax * factor, wide * 0 + high / 2 - 0.5 + ay * factor, 1))


@pytest.mark.parametrize(
    ("tilt_x", "tilt_y", "turn", "blur", "noise", "light"),
    [
        (0, 0, 0, 0.5, 2, Light()),
        (14, 0, 180, 0.6, 3, Light(0.8, 0.35, -0.2)),
        (0, -14, 5, 0.9, 7, Light(0.45)),
    ],
)
def test_every_piece_is_read_on_its_space(
    tilt_x: float, tilt_y: float, turn: float, blur: float, noise: float, light: Light
) -> None:
    optics = Optics((1280, 720), 900, 860 + 14 * max(tilt_x, abs(tilt_y)), tilt_x, tilt_y, blur, noise)
    room = Room(optics, light, Pose(4, 3, turn=turn))
    room.set_up()
    check(room.picture(), room)


@pytest.mark.parametrize("by", [-0.08, 0.1])
def test_through_a_lens_that_bends(by: float) -> None:
    room = Room(replace(OPTICS, view_mm=940))
    room.set_up()
    picture = bent(room.picture(), by)
    check(picture, room)
    sight = see_board(picture, BOARD)
    assert sight is not None and abs(sight.lie.bend - by) < 0.02


def test_the_sheets_that_are_printed_are_seen() -> None:
    left, top, right, bottom = extent(BOARD)
    wide, high = right - left + 60, bottom - top + 60
    page = pdfium.PdfDocument(bytes(board(Paper(wide, high))._pdf.output()))[0]
    drawn = page.render(scale=4 * 25.4 / 72).to_numpy()[..., :3]
    room = Room()
    room.hands.player._board = Print(drawn, drawn, (wide, high), 0.3)
    room.set_up(start())
    check(room.picture(), room)
    room.without(*list(room.hands.stacks)[::2])
    check(room.picture(), room)


def test_a_piece_between_two_spaces_or_two_on_one_are_in_doubt() -> None:
    room = Room()
    room.set_up()
    a, b = BOARD.number[0, 3], BOARD.number[0, 2]
    (piece,) = room.hands.stacks[a]
    one, other = spot_of(BOARD, a), spot_of(BOARD, b)
    room.lay(room.hands.stacks, {piece: Spot((one.x + other.x) / 2, (one.y + other.y) / 2)})
    sight = see_board(room.picture(), BOARD)
    assert sight is not None and {a, b} <= sight.crowded
    assert not {a, b} & (sight.tops.keys() | sight.empty)
    c = BOARD.number[1, 3]
    (second,) = room.hands.stacks[c]
    third = spot_of(BOARD, BOARD.number[1, 1])
    room.lay(room.hands.stacks, {piece: replace(third, x=third.x - 12), second: replace(third, x=third.x + 12)})
    sight = see_board(room.picture(), BOARD)
    assert sight is not None and BOARD.number[1, 1] in sight.crowded and c in sight.empty


def test_what_a_hand_covers_or_a_lamp_washes_out_is_not_empty() -> None:
    room = Room()
    room.set_up()
    room.camera.reach(Reach(((0, Pose(0, 0, 8)), (10**12, Pose(0, 0, 8))), 90.0))
    sight = see_board(room.picture(), BOARD)
    assert sight is not None and len(sight.covered) > 3
    seen = {space: piece.marker for space, piece in sight.tops.items()}
    assert seen.items() <= room.truth().items() and not sight.empty & room.truth().keys()
    lamp = spot_of(BOARD, BOARD.number[0, 3])
    lit = Room(light=Light(0.8, 0.0, 0.0, ((lamp.x, lamp.y + 8, 40.0, 3.0),)))
    lit.set_up()
    sight = see_board(lit.picture(), BOARD)
    assert sight is not None and BOARD.number[0, 3] not in sight.tops
    assert not sight.empty & lit.truth().keys()


def test_a_board_of_which_too_little_is_seen_is_not_guessed() -> None:
    room = Room(lies=Pose(330, 0))
    room.set_up()
    picture = room.picture()
    assert see_board(picture, BOARD) is None and not has_board(picture)
    assert not has_board(np.full((720, 1280, 3), 120, np.uint8))


def test_a_pieces_marker_is_where_the_sheets_have_it() -> None:
    assert PIECE_MM[1] / 2 - (3 + SIDE_MM[Kind.PIECE] / 2) == UPPER_MM
