"""The board game's engine against the same rules written a second time, plainly; positions and moves in writing; and
the board itself."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_board import SPOTS, STEPS, Table, around, spot_of, step, table_of

from rules.board.board import DIRECTIONS, PLANS, Plan
from rules.board.notation import (
    NotationError,
    read_move,
    read_position,
    read_space,
    write_move,
    write_position,
    write_space,
)
from rules.board.perft import divide, perft
from rules.board.position import Position, Rulings, start

BOARD = start().reach.board
TOKENS = st.one_of(
    st.sampled_from(["R0", "R1", "S0", "S1", "S0", "S1", "F0", "F1", "P0", "P1"]),
    st.text("01", min_size=1, max_size=5).map(lambda owners: "P" + owners),
)
RULINGS = st.builds(
    Rulings,
    flags=st.sampled_from([1, 2]),
    lock=st.sampled_from(["all", "any"]),
    stuck=st.sampled_from(["pass", "loss"]),
)


@st.composite
def crowds(draw: st.DrawFn, most: int = 24) -> tuple[str, Rulings]:
    """A position of pieces close to each other, where they meet, lock and knock; and the house's rulings."""
    q, r = draw(st.sampled_from(sorted(SPOTS)))
    radius = draw(st.integers(1, 6))
    near = sorted(spot for spot in SPOTS if max(abs(spot[0] - q), abs(spot[1] - r)) <= radius)
    spots = draw(st.lists(st.sampled_from(near), min_size=1, max_size=most, unique=True))
    rulings = draw(RULINGS)
    parts = [f"{draw(TOKENS)}@{spot[0]},{spot[1]}" for spot in spots]
    parts.append(f"to-move={draw(st.sampled_from([0, 1]))}")
    lost = draw(st.lists(st.integers(0, rulings.flags - 1), min_size=2, max_size=2))
    return " ".join(parts + (["lost={},{}".format(*lost)] if any(lost) else [])), rulings


@st.composite
def games_under_way(draw: st.DrawFn) -> tuple[str, Rulings]:
    """A position that random moves from the set-up lead to."""
    rulings = draw(RULINGS)
    dice, position = random.Random(draw(st.integers(0, 2**32))), start(rulings)
    for _ in range(draw(st.integers(0, 80))):
        moves = position.moves()
        after = position.after(dice.choice(moves)) if moves else position.passed()
        if after.pieces.loser is None:
            position = after
    return write_position(position), rulings


def both(position: tuple[str, Rulings]) -> tuple[Position, Table]:
    text, rulings = position
    return read_position(text, rulings), table_of(text, rulings.flags, rulings.lock, rulings.stuck)


def listed(position: Position) -> list[str]:
    return [write_move(move, position.reach.board) for move in position.moves()]


def lies(position: Position) -> dict[tuple[int, int], str]:
    return dict(position.tokens())


@given(st.one_of(crowds(), games_under_way()))
@settings(deadline=None, max_examples=80)
def test_the_same_moves_and_the_same_positions_after_them(given_position: tuple[str, Rulings]) -> None:
    position, table = both(given_position)
    moves = listed(position)
    assert len(moves) == len(set(moves)) == position.count()
    assert set(moves) == table.moves()
    for move in position.moves():
        after, then = position.after(move), table.play(write_move(move, BOARD))
        assert (lies(after), after.to_move, after.pieces.loser) == (then.lies, then.turn, then.beaten)
        if then.beaten is None:
            assert list(after.pieces.lost) == then.lost
        assert read_position(write_position(after), position.rulings) == after
        assert after.pieces.loser == read_position(write_position(after), position.rulings).pieces.loser
        assert set(listed(after)) == then.moves(), "the masks agree with the pieces"


@given(st.one_of(crowds(8), games_under_way()))
@settings(deadline=None, max_examples=30)
def test_the_same_counts_to_two_plies(given_position: tuple[str, Rulings]) -> None:
    position, table = both(given_position)
    for depth in (0, 1, 2):
        assert perft(position, depth) == table.count(depth)


@given(crowds(4))
@settings(deadline=None, max_examples=40)
def test_the_same_counts_to_three_plies(given_position: tuple[str, Rulings]) -> None:
    position, table = both(given_position)
    assume(position.count() <= 25)
    assert perft(position, 3) == table.count(3)


@pytest.mark.parametrize("flags", [1, 2])
def test_the_same_counts_from_the_set_up(flags: int) -> None:
    position = start(Rulings(flags=flags))
    assert perft(position, 2) == table_of(write_position(position), flags).count(2)


@given(st.one_of(crowds(), games_under_way()))
@settings(deadline=None, max_examples=30)
def test_counting_the_last_ply_is_the_same_as_playing_it(given_position: tuple[str, Rulings]) -> None:
    position, _ = both(given_position)
    assert all(perft(position, depth) == perft(position, depth, one_by_one=True) for depth in (1, 2))


def walks(steps: int, spot: tuple[int, int]) -> int:
    """The walks of so many steps from a spot, a sheet's steps."""
    return 1 if steps == 0 else sum(walks(steps - 1, there) for there in around(spot))


def test_a_pass_is_a_ply_and_a_third_repetition_ends_a_game_that_is_counted() -> None:
    """A sheet alone in a corner walks while North passes. Out and back and out and back again, each way out one of
    three, and it stands there for the third time after eight plies: 9 games end, which three steps could follow."""
    corner = (6, -6)
    position = read_position("P0@6,-6 to-move=0")
    assert len(around(corner)) == 3
    for depth in range(9):
        assert perft(position, depth) == (walks((depth + 1) // 2, corner), 0)
    assert perft(position, 9) == (walks(5, corner) - 9 * 3, 9)
    assert perft(read_position("P0@6,-6 to-move=1"), 3) == (3, 0), "North passes, South moves, North passes"


def test_where_nobody_can_move_the_game_has_ended() -> None:
    for text in ("F0@-5,5 F1@5,-6 to-move=0", "to-move=1"):
        assert perft(read_position(text), 0) == (1, 0)
        assert perft(read_position(text), 1) == perft(read_position(text), 3) == (0, 1)


def test_a_game_decided_before_it_is_counted_has_ended() -> None:
    position = read_position("R0@0,0 F1@5,-6 to-move=0 lost=0,1")
    assert position.loser() == 1 and perft(position, 1) == (0, 1) and divide(position, 1) == {}


# What is written is read again.


@given(crowds())
def test_a_position_is_read_as_it_was_written(given_position: tuple[str, Rulings]) -> None:
    text, rulings = given_position
    position = read_position(text, rulings)
    written = write_position(position)
    assert read_position(written, rulings) == position
    assert write_position(read_position(written, rulings)) == written
    assert sorted(written.split()) == sorted(text.split())


@given(st.sampled_from(range(len(BOARD.coordinates))), st.sampled_from(range(len(BOARD.coordinates))))
def test_a_move_is_read_as_it_was_written(origin: int, target: int) -> None:
    text = f"{write_space(origin, BOARD)}>{write_space(target, BOARD)}"
    assert write_move(read_move(text, BOARD), BOARD) == text
    for name in DIRECTIONS:
        spread = f"{write_space(origin, BOARD)}*{name}"
        if step(spot_of(write_space(origin, BOARD)), name) in SPOTS:
            assert write_move(read_move(spread, BOARD), BOARD) == spread
        else:
            with pytest.raises(NotationError, match="begins off the board"):
                read_move(spread, BOARD)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "whose turn"),
        ("R0@0,0", "whose turn"),
        ("R0@0,0 to-move=2", "whose turn"),
        ("to-move=0 R0@0,0", "whose turn"),
        ("R0@0,0 to-move=0 to-move=1", "no piece"),
        ("R0@7,0 to-move=0", "7,0 is off the board"),
        ("R0@-6,-1 to-move=0", "-6,-1 is off the board"),
        ("R0@99999999999,0 to-move=0", "no space"),
        ("R0@0 to-move=0", "no space"),
        ("R0@0,x to-move=0", "no space"),
        ("R0@0,0,0 to-move=0", "no space"),
        ("R0@0,0 S1@0,0 to-move=0", "two pieces stand on 0,0: R0 and S1"),
        ("R2@0,0 to-move=0", "no piece"),
        ("R@0,0 to-move=0", "no piece"),
        ("R00@0,0 to-move=0", "no piece"),
        ("P@0,0 to-move=0", "no piece"),
        ("P02@0,0 to-move=0", "no piece"),
        ("L0@0,0 to-move=0", "no piece"),
        ("lizard to-move=0", "no piece"),
        ("R0@0,0 to-move=0 lost=1", "flags lost"),
        ("R0@0,0 to-move=0 lost=-1,0", "flags lost"),
        ("R0@0,0 to-move=0 lost=2,0", "South has lost the game with 1"),
        ("R0@0,0 to-move=0 lost=1,1", "when one side has lost 1"),
        ("lost=0,1 to-move=0", "no piece"),
        ("R0@0,0\0 to-move=0", "no space"),
        ("P" + "0" * 10**6 + " to-move=0", "no piece"),
    ],
)
def test_a_position_that_cant_be_is_refused_in_a_line(text: str, fault: str) -> None:
    with pytest.raises(NotationError, match=fault) as told:
        read_position(text)
    assert "\n" not in str(told.value) and len(str(told.value)) < 150


@pytest.mark.parametrize(
    "text",
    ["", "lizard", "0,0", "0,0>", ">0,0", "0,0>7,0", "7,0>0,0", "0,0*", "0,0*N", "0,0*e", "0,0>0,0>0,0", "*E", "x*E"],
)
def test_a_move_that_cant_be_read_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_move(text, BOARD)


# The board.


def test_the_board_is_the_reconstruction() -> None:
    assert set(BOARD.coordinates) == SPOTS and len(SPOTS) == 114
    rows = [sum(r == row for _, r in BOARD.coordinates) for row in range(-6, 6)]
    assert rows == [7, 8, 9, 10, 11, 12, 12, 11, 10, 9, 8, 7]
    by_neighbours = [len(neighbours) for neighbours in BOARD.neighbours]
    assert [by_neighbours.count(number) for number in (3, 4, 6)] == [6, 28, 80]
    assert DIRECTIONS == STEPS
    for space, where in enumerate(BOARD.coordinates):
        assert {BOARD.coordinates[there] for there in BOARD.neighbours[space]} == around(where)


def test_a_half_turn_maps_the_board_and_the_set_up_onto_itself() -> None:
    def turned(q: int, r: int) -> tuple[int, int]:
        return -q, -1 - r

    assert {turned(*where) for where in SPOTS} == SPOTS
    tokens = lies(start())
    assert {turned(*where): token[0] + str(1 - int(token[1])) for where, token in tokens.items()} == tokens
    kinds = [token for token in tokens.values() if token.endswith("0")]
    assert [kinds.count(token) for token in ("P0", "S0", "R0", "F0")] == [9, 4, 3, 2]


def test_names_and_centres() -> None:
    names = dict(zip(BOARD.names, BOARD.coordinates, strict=True))
    assert len(names) == 114 and names["a2"] == (-5, 5) and names["a1"] == (-6, 5) and names["l7"] == (6, -6)
    for space, neighbours in enumerate(BOARD.neighbours):
        x, y = BOARD.centre(space)
        for there in neighbours:
            other_x, other_y = BOARD.centre(there)
            assert (x - other_x) ** 2 + (y - other_y) ** 2 == pytest.approx(1)


def test_another_board_is_another_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hexagon of seven spaces: no code knows the size or the set-up."""
    small = Plan("small", ((-1, 0, "R1 F1"), (0, -1, ". . ."), (1, -1, "F0 R0")))
    monkeypatch.setitem(PLANS, "small", small)
    position = start(Rulings(board="small"))
    assert set(listed(position)) == {"0,1>-1,1", "0,1>0,0", "0,1>0,-1", "0,1>1,0"}
    assert position.after(read_move("0,1>0,-1", position.reach.board)).tokens()[0, -1] == "R0"
    assert perft(position, 2) == (1 + 3 + 4, 1), (
        "North's Rock knocked off, beside, not in the way; South's flag destroyed"
    )


def test_what_can_be_touched_on_a_screen() -> None:
    """The legal moves of a space, for a board to be drawn and touched."""
    position = start()
    movable = {space for space in range(114) if position.moves_from(space)}
    assert movable == {move.origin for move in position.moves()}
    assert sum(len(position.moves_from(space)) for space in range(114)) == 98
    assert position.moves_from(read_space("0,-5", BOARD)) == (), "not North's turn"
    assert position.moves_from(read_space("0,0", BOARD)) == (), "nothing there"
