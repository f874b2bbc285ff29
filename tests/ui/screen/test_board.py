"""The board by touch: every space can be hit, every legal move made, a slip changes nothing; what a move costs is said
before it is made."""

import math
from collections.abc import Mapping

import pygame
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from device.camera.frames import Size
from rules.board.board import RECONSTRUCTION, Board
from rules.board.notation import read_move, read_position, read_space, write_move, write_position
from rules.board.position import Position, start
from rules.engine import Ask, Choices, Json, Say, Span
from tools.gallery.gallery import POSITION, moving, players
from ui.screen.core.page_stack import first_page, next_page
from ui.screen.core.png_display import SIZES
from ui.screen.drawing.board_geometry import Ground, costs, setting, taken_off
from ui.screen.drawing.canvas import Canvas, Target, under
from ui.screen.drawing.registry import draw
from ui.screen.pages import strings
from ui.screen.pages.ask.view import BoardPage, EntryPage, Propose, Reply, Take, on_space
from ui.screen.pages.views import Question, Told

BOARD = Board(RECONSTRUCTION)
SPACES = range(len(BOARD.coordinates))
BOXES = st.builds(pygame.Rect, st.integers(0, 90), st.integers(0, 90), st.integers(200, 1600), st.integers(200, 1600))


def at(space: str) -> int:
    return read_space(space, BOARD)


def page_of(text: str) -> BoardPage:
    page = first_page(moving(text))
    assert isinstance(page, BoardPage)
    return page


def drawn(page: BoardPage | Told, size: Size = SIZES[0]) -> Canvas:
    return draw(pygame.Surface(size, 0, 32), page)


def touched(page: BoardPage, where: tuple[float, float], targets: list[Target]) -> BoardPage:
    target = under(targets, (round(where[0]), round(where[1])))
    assert target is not None
    after = next_page(page, target.press)
    assert isinstance(after, BoardPage)
    return after


def middle(canvas: Canvas, space: int) -> tuple[float, float]:
    area = next(target.area for target in canvas.targets if target.area is not None)
    return Ground(BOARD, area).centre(space)


@st.composite
def positions(draw_from: st.DrawFn) -> Position:
    """A position some moves from the set-up, or from one with large stacks."""
    position = draw_from(st.sampled_from([start(), read_position(POSITION.partition(" lost")[0])]))
    for place in draw_from(st.lists(st.integers(0, 10_000), max_size=24)):
        moves = position.moves()
        if not moves:
            break
        position = position.after(moves[place % len(moves)])
    assume(position.moves())
    return position


@given(BOXES)
def test_all_spaces_lie_in_the_box_as_large_as_they_go(box: pygame.Rect) -> None:
    ground = Ground(BOARD, box)
    bricks = [ground.brick(space) for space in SPACES]
    assert all(box.inflate(4, 4).contains(brick) for brick in bricks)
    assert all(one.collidelist(bricks[:place]) == -1 for place, one in enumerate(bricks))
    assert ground.width == pytest.approx(min(box.w / 12.5, box.h / (11 * math.sqrt(3) / 2 + 2 / math.sqrt(3))))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_middle_of_every_space_hits_it_and_spaces_are_seven_millimetres(size: Size) -> None:
    page = page_of(POSITION)
    canvas = drawn(page, size)
    for space in SPACES:
        target = under(canvas.targets, tuple(map(round, middle(canvas, space))))
        assert target is not None
        assert target.press == on_space(page, space)
        assert target.label == strings.on_space(BOARD.names[space], page.on.pieces.get(space))
    area = next(target.area for target in canvas.targets if target.area is not None)
    millimetres = {480: 86 / 480, 720: 90 / 720}[min(size)]  # of Raspberry Pi's panels
    assert Ground(BOARD, area).width * millimetres >= 7.0


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(SIZES))
def test_a_touch_on_the_board_means_the_nearest_space(x: float, y: float, size: Size) -> None:
    canvas = drawn(page_of(POSITION), size)
    area = next(target.area for target in canvas.targets if target.area is not None)
    here = (area.x + round(x * (area.w - 1)), area.y + round(y * (area.h - 1)))
    target = under(canvas.targets, here)
    assert target is not None
    assert target.area == area
    nearest = min(math.dist(here, middle(canvas, space)) for space in SPACES)
    assert math.dist(here, target.rect.center) <= nearest + 2


@settings(max_examples=12, deadline=None)
@given(positions(), st.sampled_from(SIZES))
def test_every_legal_move_is_made_by_touches_and_confirmed(position: Position, size: Size) -> None:
    page = page_of(write_position(position))
    legal = {write_move(move, BOARD) for move in position.moves()}
    canvas, made = drawn(page, size), set()
    for piece in {move.origin for move in position.moves()}:
        taken = touched(page, middle(canvas, piece), canvas.targets)
        assert taken.piece == piece
        here = drawn(taken, size)
        for way in taken.from_piece:
            if way.spread:
                button = next(t for t in here.targets if t.press == Propose(way.notation))
                proposed = touched(taken, button.rect.center, here.targets)
                assert button.label == strings.spread(way.spread)
            else:
                proposed = touched(taken, middle(here, way.lands[-1]), here.targets)
            assert proposed.move == way
            made.add(way.notation)
    assert made == legal
    confirm = next(t for t in drawn(proposed, size).targets if t.label == strings.CONFIRM)
    assert confirm.press == Reply(proposed.move.notation)
    assert not any(t.label == strings.CONFIRM for t in canvas.targets), "nothing to confirm before a move is proposed"


def test_touching_elsewhere_lets_go() -> None:
    page = page_of(POSITION)
    canvas = drawn(page)
    taken = touched(page, middle(canvas, at("-2,2")), canvas.targets)
    assert taken.piece == at("-2,2")
    for space in ("-2,2", "6,-6"):
        assert touched(taken, middle(canvas, at(space)), drawn(taken).targets).piece is None
    theirs = touched(taken, middle(canvas, at("-1,-2")), drawn(taken).targets)
    assert (theirs.piece, theirs.from_piece) == (at("-1,-2"), ())
    proposed = next_page(taken, Propose("-2,2>-3,2"))
    assert isinstance(proposed, BoardPage)
    assert touched(proposed, middle(canvas, at("6,-6")), drawn(proposed).targets).move is None


def test_a_second_touch_on_a_piece_of_ones_own_takes_it_up_instead_of_capturing_it() -> None:
    rock, paper = at("-2,2"), at("-1,2")
    taken = next_page(page_of(POSITION), Take(rock))
    assert isinstance(taken, BoardPage)
    assert on_space(taken, paper) == Propose("-2,2>-1,2")
    proposed = next_page(taken, Propose("-2,2>-1,2"))
    assert isinstance(proposed, BoardPage)
    assert on_space(proposed, paper) == Take(paper)
    other = next_page(proposed, Take(paper))
    assert isinstance(other, BoardPage)
    assert (other.piece, other.move) == (paper, None)
    empty = next_page(taken, Propose("-2,2>-3,2"))
    assert isinstance(empty, BoardPage)
    assert on_space(empty, at("-3,2")) == Propose("-2,2>-3,2"), "a second touch on an empty space changes nothing"


@pytest.mark.parametrize("press", [Propose("0,0>1,0"), Propose(""), Take(at("0,0"))])
def test_what_is_no_move_and_no_piece_changes_nothing(press: Propose | Take) -> None:
    page = page_of(POSITION)
    assert next_page(page, press) == page


@pytest.mark.parametrize(
    ("position", "move", "own", "others"),
    [
        ("R0@-4,0 P1@0,0 to-move=0", "-4,0>0,0", {"R": 1}, {}),  # C4: the moving rock is the one captured
        ("S0@0,0 P1101@1,0 to-move=0", "0,0>1,0", {"P": 1}, {"P": 3}),  # a whole stack, a sheet of one's own in it
        ("R0@-3,5 F0@-1,5 to-move=0", "-3,5>-1,5", {"F": 1}, {}),  # R10: one's own flag
        ("R1@-5,-1 R0@-5,4 F0@-5,5 to-move=1", "-5,-1>-5,4", {}, {"F": 1}),  # R7: knocked onto its own flag
        ("R0@-4,0 R1@-1,0 S0@3,0 to-move=0", "-4,0>-1,0", {"S": 1}, {}),  # R4: by a knocked rock
        ("P000@4,0 to-move=0", "4,0*E", {"P": 2}, {}),  # P10: two sheets fall off
        ("P01@0,0 P1@1,0 to-move=1 lost=1,1", "0,0*E", {}, {}),  # P14
    ],
)
def test_a_move_says_what_it_takes_and_costs(
    position: str, move: str, own: Mapping[str, int], others: Mapping[str, int]
) -> None:
    page = next_page(page_of(position), Propose(move))
    assert isinstance(page, BoardPage)
    assert page.move is not None
    assert costs(page.on, page.move) == (own, others)
    said = {text.text for text in drawn(page).texts}
    assert (strings.costs_you(own) in said) == bool(own)
    assert (strings.takes(others) in said) == (bool(others) or not own)


@settings(max_examples=40, deadline=None)
@given(positions(), st.integers(0, 10_000))
def test_what_leaves_the_board_is_what_is_no_longer_there(position: Position, place: int) -> None:
    move = position.moves()[place % len(position.moves())]
    gone = taken_off(write_position(position), write_move(move, BOARD))
    before, after = (sum(len(token) - 1 for token in p.tokens().values()) for p in (position, position.after(move)))
    assert sum(gone.values()) == before - after


def test_a_warning_is_a_shape_not_only_a_colour() -> None:
    grey = []
    for token in ("P1", "S1"):  # the rock is lost to paper, and takes scissors
        page = next_page(page_of(f"R0@-2,0 {token}@0,0 to-move=0"), Take(at("-2,0")))
        assert isinstance(page, BoardPage)
        canvas = drawn(page)
        x, y = middle(canvas, at("0,0"))
        corner = pygame.Rect(0, 0, 16, 16)
        corner.center = round(x) + 13, round(y) - 12
        grey.append(pygame.surfarray.array3d(pygame.transform.grayscale(canvas.surface.subsurface(corner))))
    assert (abs(grey[0].astype(int) - grey[1].astype(int)) > 60).mean() > 0.2


def test_the_sides_differ_without_colour() -> None:
    pictures = []
    for token in ("R0", "R1"):
        canvas = drawn(page_of(f"{token}@0,0 S0@-6,0 to-move=0"))
        x, y = middle(canvas, at("0,0"))
        box = pygame.Rect(0, 0, 36, 36)
        box.center = round(x), round(y)
        pictures.append(
            pygame.surfarray.array3d(pygame.transform.grayscale(canvas.surface.subsurface(box))).astype(int)
        )
    assert (abs(pictures[0] - pictures[1]) > 60).mean() > 0.3


def test_every_page_of_the_board_says_that_it_is_a_reconstruction() -> None:
    facts: dict[str, Json] = {"position": POSITION, "south": 2, "north": 1, "move": "0,4>0,3"}
    told = Told(players(2), Say("moved", facts), ("Ann moves.",))
    for page in (page_of(POSITION), told):
        assert strings.RECONSTRUCTION in {text.text for text in drawn(page).texts}


def test_the_last_move_is_drawn_and_players_stand_by_their_side() -> None:
    view = moving(POSITION, "2,-3>2,-2")
    page = first_page(view)
    assert isinstance(page, BoardPage)
    assert page.on.last is not None
    assert (page.on.last.origin, page.on.last.lands) == (at("2,-3"), (at("2,-2"),))
    assert page.on.seats == (2, 1)
    without = first_page(moving(POSITION))
    assert isinstance(without, BoardPage)
    one, other = (pygame.surfarray.array3d(drawn(each).surface) for each in (page, without))
    assert (one != other).any()
    spread = setting({"position": POSITION, "move": "0,2*W"})
    assert spread is not None
    assert spread.last is not None
    assert spread.last.lands[0] == read_move("0,2*W", BOARD).target
    assert spread.seats == (1, 2), "South is the first seat where nobody says otherwise"


@pytest.mark.parametrize(
    ("position", "values"),
    [
        ("Q9@0,0 to-move=0", ("0,0>1,0",)),
        ("R0@0,0 to-move=0", ("0,0>1,0", "resign")),
        ("R0@0,0 to-move=0", ("0,0>99,0",)),
        (7, ("0,0>1,0",)),
    ],
)
def test_what_the_board_cannot_show_is_asked_as_a_list(position: Json, values: tuple[str, ...]) -> None:
    ask = Ask("move", {1: Choices(values)}, about={"position": position})
    page = first_page(Question(players(2), ask, 1))
    assert isinstance(page, EntryPage)
    assert {t.press for t in draw(pygame.Surface(SIZES[0], 0, 32), page).targets} == {Reply(v) for v in values}
    number = Ask("move", {1: Span(1, 3)}, about={"position": "R0@0,0 to-move=0"})
    assert isinstance(first_page(Question(players(2), number, 1)), EntryPage)
