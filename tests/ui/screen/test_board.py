"""The board by touch: every space can be hit, every legal move made, a slip changes nothing; the cost of a move is
shown before it is made."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pygame
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from device.camera.frames import Size
from device.gpio.buttons import ButtonAction
from rules.board import board as rules_board
from rules.board.board import RECONSTRUCTED_LAYOUT, RECONSTRUCTION_NOTICE, Board
from rules.board.notation import format_move, format_position, parse_move, parse_position, parse_space
from rules.board.position import Position, starting_position
from rules.board.text import TEXT as BOARD_TEXT
from rules.catalogue import GAMES
from rules.engine import Choices, ChoicesAndMore, FactValue, IntRange, Json, Play, Prompt
from rules.events import Other
from tests.helpers.page_rules import drawn
from tests.helpers.samples.board import POSITION, move_question
from tests.helpers.samples.common import players
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.drawing.canvas import Canvas, Target, target_at
from ui.screen.drawing.theme import Theme
from ui.screen.pages import board as board_page
from ui.screen.pages.board_drawing import BoardGeometry
from ui.screen.pages.board_position import move_costs, position_from_facts, removed_by_move
from ui.screen.pages.draft_buttons import next_draft
from ui.screen.pages.message import GameMessage
from ui.screen.pages.question import BoardPage, EntryPage, Question
from ui.screen.views import PAUSE, Reply
from ui.text.verdicts import event_sentences

BOARD = Board(RECONSTRUCTED_LAYOUT)
SMALL_LAYOUT = rules_board.BoardLayout("small", ((-1, 0, "R1 F1"), (0, -1, ". . ."), (1, -1, "F0 R0")))
SPACES = range(len(BOARD.coordinates))
BOXES = st.builds(pygame.Rect, st.integers(0, 90), st.integers(0, 90), st.integers(200, 1600), st.integers(200, 1600))


def at(space: str) -> int:
    return parse_space(space, BOARD)


def page_of(text: str) -> BoardPage:
    page = move_question(text).first_page()
    assert isinstance(page, BoardPage)
    return page


def propose(page: BoardPage, notation: str) -> BoardPage:
    """Return the page with a move proposed."""
    return page.propose(next(move for move in page.moves if move.notation == notation))


def pick(page: BoardPage, space: int, size: Size = PANEL_SIZES[0], canvas: Canvas | None = None) -> BoardPage:
    """Return the page after a space was picked: the first touch enlarges a board that is drawn whole. Pass the page's
    ``canvas`` if it is drawn already."""
    for _ in range(2):
        canvas = canvas or drawn(page, size)
        whole, before = page.enlarged_at is None, page
        page = touch(page, middle(canvas, page, space), canvas.targets)
        if not whole or page != before.enlarge(space):
            return page
        canvas = None
    return page


def touch(page: BoardPage, where: tuple[float, float], targets: list[Target]) -> BoardPage:
    target = target_at(targets, (round(where[0]), round(where[1])))
    assert target is not None
    after = page.press(target.press)
    assert isinstance(after, BoardPage)
    return after


def middle(canvas: Canvas, page: BoardPage, space: int) -> tuple[int, int]:
    """Return the pixel in the centre of a space on the screen."""
    area = next(target.area for target in canvas.targets if target.area is not None)
    board = BoardGeometry(BOARD, area)
    if page.enlarged_at is not None:
        board = board.enlarge(page.enlarged_at, canvas.theme.touch_size * 2 / math.sqrt(3))
    x, y = board.centre(space)
    return round(x), round(y)


@st.composite
def positions(draw_from: st.DrawFn) -> Position:
    """A position some moves from the set-up, or from one with large stacks."""
    position = draw_from(st.sampled_from([starting_position(), parse_position(POSITION.partition(" lost")[0])]))
    for place in draw_from(st.lists(st.integers(0, 10_000), max_size=24)):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.after_move(moves[place % len(moves)])
    assume(position.legal_moves())
    return position


@given(BOXES)
def test_all_spaces_lie_in_the_box_as_large_as_they_go(box: pygame.Rect) -> None:
    ground = BoardGeometry(BOARD, box)
    bricks = [ground.touch_rect(space) for space in SPACES]
    assert all(box.inflate(4, 4).contains(brick) for brick in bricks)
    assert all(one.collidelist(bricks[:place]) == -1 for place, one in enumerate(bricks))
    assert ground.space_width == pytest.approx(min(box.w / 12.5, box.h / (11 * math.sqrt(3) / 2 + 2 / math.sqrt(3))))


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_touch_enlarges_the_board_then_picks(size: Size) -> None:
    page = page_of(POSITION)
    canvas = drawn(page, size)
    in_reach: list[set[str]] = []
    for space in SPACES:
        target = target_at(canvas.targets, middle(canvas, page, space))
        assert target is not None and target.press == page.enlarge(space)
        assert target.button_press == page.touch(space), "buttons and keys need no larger board"
        assert target.label == label_of(page, space)
        enlarged = page.enlarge(space)
        larger = drawn(enlarged, size)
        target = target_at(larger.targets, middle(larger, enlarged, space))
        assert target is not None and target.label == label_of(page, space)
        assert isinstance(target.press, BoardPage) and target.press.selected == page.touch(space).selected
        spaces = [target for target in larger.targets if target.area is not None]
        assert all(min(target.rect.size) >= larger.theme.touch_size for target in spaces)
        in_reach.append({target.label for target in spaces})
    off = canvas.theme.touch_size // 2
    for space in SPACES:  # a touch half a finger beside it still brings it into reach
        x, y = middle(canvas, page, space)
        for dx, dy in ((off, 0), (-off, 0), (0, off), (0, -off)):
            target = target_at(canvas.targets, (round(x + dx), round(y + dy)))
            if target is not None and isinstance(target.press, BoardPage):
                assert target.press.enlarged_at is not None
                assert label_of(page, space) in in_reach[target.press.enlarged_at]


def label_of(page: BoardPage, space: int) -> str:
    return board_page.space_label(BOARD.space_names[space], page.position.pieces.get(space))


def test_the_whole_board_is_one_touch_away_and_back_after_a_proposal() -> None:
    enlarged = page_of(POSITION).enlarge(at("0,2"))
    button = next(target for target in drawn(enlarged).targets if target.label == board_page.WHOLE_BOARD)
    assert button.press == page_of(POSITION)
    assert propose(enlarged, "-2,2>-1,2").enlarged_at is None
    assert not any(target.label == board_page.WHOLE_BOARD for target in drawn(page_of(POSITION)).targets)


def test_a_board_whose_spaces_are_large_enough_is_picked_at_once() -> None:
    page = page_of("R0@0,0 to-move=0")
    page = replace(page, position=replace(page.position, board=Board(SMALL_LAYOUT), pieces={0: "R0"}), moves=())
    targets = [target for target in drawn(page).targets if target.area is not None]
    assert [target.press for target in targets] == [page.touch(0), *(page.touch(space) for space in range(1, 7))]
    assert all(min(target.rect.size) >= Theme(PANEL_SIZES[0]).touch_size for target in targets)


@given(BOXES, st.sampled_from(SPACES), st.floats(1, 3))
def test_an_enlarged_board_covers_its_box_and_keeps_the_space_in_it(
    box: pygame.Rect, space: int, factor: float
) -> None:
    whole = BoardGeometry(BOARD, box)
    larger = whole.enlarge(space, whole.space_width * factor)
    assert larger.space_width >= whole.space_width * factor - 1e-6
    assert larger.box.inflate(4, 4).contains(box)
    assert box.inflate(4, 4).contains(larger.touch_rect(space))


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(PANEL_SIZES))
def test_a_touch_on_the_board_means_the_nearest_space(x: float, y: float, size: Size) -> None:
    page = page_of(POSITION)
    canvas = drawn(page, size)
    area = next(target.area for target in canvas.targets if target.area is not None)
    here = (area.x + round(x * (area.w - 1)), area.y + round(y * (area.h - 1)))
    target = target_at(canvas.targets, here)
    assert target is not None
    assert target.area == area
    nearest = min(math.dist(here, middle(canvas, page, space)) for space in SPACES)
    assert math.dist(here, target.rect.center) <= nearest + 2


@settings(max_examples=6, deadline=None)
@given(positions(), st.sampled_from(PANEL_SIZES))
@pytest.mark.slow
def test_every_legal_move_is_made_by_touches_and_confirmed(position: Position, size: Size) -> None:
    page = page_of(format_position(position))
    legal = {format_move(move, BOARD) for move in position.legal_moves()}
    canvas, made = drawn(page, size), set()
    for piece in {move.origin for move in position.legal_moves()}:
        taken = pick(page, piece, size, canvas)
        assert taken.selected == piece
        here = drawn(taken, size)
        for way in taken.selected_moves:
            if way.spread:
                button = next(t for t in here.targets if t.press == taken.propose(way))
                proposed = touch(taken, button.rect.center, here.targets)
                assert button.label == board_page.spread_label(way.spread)
            else:
                proposed = pick(taken, way.landing_spaces[-1], size, here)
            assert proposed.move == way
            made.add(way.notation)
    assert made == legal
    confirm = next(t for t in drawn(proposed, size).targets if t.label == board_page.CONFIRM_MOVE)
    assert confirm.press == Reply(proposed.move.notation)
    assert not any(t.label == board_page.CONFIRM_MOVE for t in canvas.targets), (
        "nothing to confirm before a move is proposed"
    )


def test_touching_elsewhere_lets_go() -> None:
    page = page_of(POSITION)
    taken = pick(page, at("-2,2"))
    assert taken.selected == at("-2,2")
    for space in ("-2,2", "6,-6"):
        assert pick(taken.enlarge(None), at(space)).selected is None
    theirs = pick(taken.enlarge(None), at("-1,-2"))
    assert (theirs.selected, theirs.selected_moves) == (at("-1,-2"), ())
    proposed = propose(taken, "-2,2>-3,2")
    assert isinstance(proposed, BoardPage)
    assert pick(proposed, at("6,-6")).move is None


def test_touching_ones_own_piece_twice_selects_it() -> None:
    rock, paper = at("-2,2"), at("-1,2")
    taken = page_of(POSITION).select(rock)
    assert isinstance(taken, BoardPage)
    assert taken.touch(paper) == propose(taken, "-2,2>-1,2")
    proposed = propose(taken, "-2,2>-1,2")
    assert isinstance(proposed, BoardPage)
    assert proposed.touch(paper) == taken.select(paper)
    other = proposed.select(paper)
    assert isinstance(other, BoardPage)
    assert (other.selected, other.move) == (paper, None)
    empty = propose(taken, "-2,2>-3,2")
    assert isinstance(empty, BoardPage)
    assert empty.touch(at("-3,2")) == empty, "a second touch on an empty space changes nothing"


def test_a_touch_on_an_empty_space_changes_nothing() -> None:
    page = page_of(POSITION)
    assert page.touch(at("0,0")) == page


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
    page = propose(page_of(position), move)
    assert isinstance(page, BoardPage)
    assert page.move is not None
    assert move_costs(page.position, page.move) == (own, others)
    said = {text.text for text in drawn(page).texts}
    assert (board_page.own_losses(own) in said) == bool(own)
    assert (board_page.captures(others) in said) == (bool(others) or not own)


@settings(max_examples=40, deadline=None)
@given(positions(), st.integers(0, 10_000))
def test_what_leaves_the_board_is_what_is_no_longer_there(position: Position, place: int) -> None:
    move = position.legal_moves()[place % len(position.legal_moves())]
    gone = removed_by_move(format_position(position), format_move(move, BOARD))
    before, after = (
        sum(len(token) - 1 for token in p.tokens().values()) for p in (position, position.after_move(move))
    )
    assert sum(gone.values()) == before - after


def test_a_warning_is_a_shape_not_only_a_colour() -> None:
    grey = []
    for token in ("P1", "S1"):  # the rock is lost to paper, and takes scissors
        page = page_of(f"R0@-2,0 {token}@0,0 to-move=0").select(at("-2,0"))
        assert isinstance(page, BoardPage)
        canvas = drawn(page)
        x, y = middle(canvas, page, at("0,0"))
        corner = pygame.Rect(0, 0, 16, 16)
        corner.center = round(x) + 13, round(y) - 12
        grey.append(pygame.surfarray.array3d(pygame.transform.grayscale(canvas.surface.subsurface(corner))))
    assert (abs(grey[0].astype(int) - grey[1].astype(int)) > 60).mean() > 0.2


def test_the_sides_differ_without_colour() -> None:
    pictures = []
    for token in ("R0", "R1"):
        page = page_of(f"{token}@0,0 S0@-6,0 to-move=0")
        canvas = drawn(page)
        x, y = middle(canvas, page, at("0,0"))
        box = pygame.Rect(0, 0, 36, 36)
        box.center = round(x), round(y)
        pictures.append(
            pygame.surfarray.array3d(pygame.transform.grayscale(canvas.surface.subsurface(box))).astype(int)
        )
    assert (abs(pictures[0] - pictures[1]) > 60).mean() > 0.3


def test_only_the_set_up_says_that_the_board_is_a_reconstruction() -> None:
    facts: dict[str, Json] = {"position": POSITION, "south": 2, "north": 1}
    moved = GameMessage(players(2), Other("moved", {**facts, "move": "0,4>0,3"}), ("Ann moves.",))
    set_up = GameMessage(players(2), Other("board", {**facts, "notice": "A reconstruction."}), ("Ann moves first.",))
    for page, says in ((page_of(POSITION), False), (moved, False), (set_up, True)):
        assert (board_page.RECONSTRUCTION_NOTICE in {text.text for text in drawn(page).texts}) == says


def draw_question() -> BoardPage:
    about: dict[str, FactValue] = {"position": POSITION, "south": 2, "north": 1}
    page = Question(
        players(2), Prompt("draw offer", {1: Choices(("accept", "decline"))}, about, text=BOARD_TEXT), 1
    ).first_page()
    assert isinstance(page, BoardPage)
    return page


@pytest.mark.parametrize("size", PANEL_SIZES)
def test_resigning_and_draws_are_confirmed(size: Size) -> None:
    moves = move_question(POSITION)
    options = moves.prompt.seats[moves.seat]
    assert isinstance(options, Choices)
    more = ChoicesAndMore(options.values, ("resign", "offer a draw"))
    page = replace(moves, prompt=replace(moves.prompt, seats={moves.seat: more}, text=BOARD_TEXT)).first_page()
    for first, answers in ((page, ("resign", "offer a draw")), (draw_question(), ("accept", "decline"))):
        assert isinstance(first, BoardPage) and first.others == answers
        for answer in answers:
            presses = [target.press for target in drawn(first, size).targets]
            assert first.propose_other(answer) in presses and Reply(answer) not in presses
            proposed = [target.press for target in drawn(first.propose_other(answer), size).targets]
            assert Reply(answer) in proposed
            assert first.propose_other(answer).select(None) == first, "a touch on the board takes it back"


def test_a_draw_is_answered_with_buttons() -> None:
    page = draw_question()
    for action, expected in ((ButtonAction.CONFIRM, page), (ButtonAction.CONFIRM_HOLD, Reply("decline"))):
        assert next_draft(page, action) == expected
    once = next_draft(page, ButtonAction.RAISE)
    assert isinstance(once, BoardPage) and once.proposed == "accept"
    assert next_draft(once, ButtonAction.CONFIRM) == Reply("accept")
    twice = next_draft(once, ButtonAction.RAISE)
    assert isinstance(twice, BoardPage) and twice.proposed == "decline"


@pytest.mark.parametrize("size", PANEL_SIZES)
def test_a_board_match_begins_with_the_first_mover(size: Size) -> None:
    play = Play(GAMES["board"].set_up(2, {"start": "throw"}))
    while play.prompt and play.prompt.kind == "throw":
        play.answer({1: "paper", 2: "rock"})
    names = {1: "Ann", 2: "Bartholomew"}
    sentences = [line for event in play.events for line in event_sentences(event, names)]
    assert RECONSTRUCTION_NOTICE in sentences
    canvas = drawn(GameMessage(players(2), play.events[-1], tuple(sentences), can_undo=True, seconds_left=10.0), size)
    least = canvas.theme.min_text_size
    assert [text for text in canvas.texts if not text.complete or text.size < least(text.role)] == []
    assert any(text.text.endswith("plays South and moves first; Bartholomew plays North.") for text in canvas.texts)
    assert sum("econstruction" in text.text for text in canvas.texts) == 1


def test_the_last_move_is_drawn_and_players_stand_by_their_side() -> None:
    view = move_question(POSITION, "2,-3>2,-2")
    page = view.first_page()
    assert isinstance(page, BoardPage)
    assert page.position.last is not None
    assert (page.position.last.origin, page.position.last.landing_spaces) == (at("2,-3"), (at("2,-2"),))
    assert page.position.seats == (2, 1)
    without = move_question(POSITION).first_page()
    assert isinstance(without, BoardPage)
    one, other = (pygame.surfarray.array3d(drawn(each).surface) for each in (page, without))
    assert (one != other).any()
    spread = position_from_facts({"position": POSITION, "move": "0,2*W"})
    assert spread is not None
    assert spread.last is not None
    assert spread.last.landing_spaces[0] == parse_move("0,2*W", BOARD).target
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
    ask = Prompt("move", {1: Choices(values)}, about={"position": position})
    page = Question(players(2), ask, 1).first_page()
    assert isinstance(page, EntryPage)
    presses = [target.press for target in drawn(page).targets]
    assert presses == [PAUSE, *(Reply(value) for value in values)]
    number = Prompt("move", {1: IntRange(1, 3)}, about={"position": "R0@0,0 to-move=0"})
    assert isinstance(Question(players(2), number, 1).first_page(), EntryPage)
