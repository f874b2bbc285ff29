"""The board game against a plain second implementation; notation; and the board itself."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.board.board import BOARD_LAYOUTS, DIRECTIONS, BoardLayout
from rules.board.notation import (
    NotationError,
    format_move,
    format_position,
    format_space,
    parse_move,
    parse_position,
    parse_space,
)
from rules.board.perft import divide, perft
from rules.board.position import BoardVariant, Position, starting_position
from tests.helpers.plain_board import SPOTS, STEPS, PlainBoard, neighbours, parse_plain_board, spot_of, step

BOARD = starting_position().tables.board
TOKENS = st.one_of(
    st.sampled_from(["R0", "R1", "S0", "S1", "S0", "S1", "F0", "F1", "P0", "P1"]),
    st.text("01", min_size=1, max_size=5).map(lambda owners: "P" + owners),
)
VARIANTS = st.builds(
    BoardVariant,
    flags=st.sampled_from([1, 2]),
    lock=st.sampled_from(["all", "any"]),
    stuck=st.sampled_from(["pass", "loss"]),
)


@st.composite
def crowded_positions(draw: st.DrawFn, max_pieces: int = 24) -> tuple[str, BoardVariant]:
    """Draw pieces close to each other, so that they collide and lock, and a variant of the rules."""
    q, r = draw(st.sampled_from(sorted(SPOTS)))
    radius = draw(st.integers(1, 6))
    near = sorted(spot for spot in SPOTS if max(abs(spot[0] - q), abs(spot[1] - r)) <= radius)
    spots = draw(st.lists(st.sampled_from(near), min_size=1, max_size=max_pieces, unique=True))
    variant = draw(VARIANTS)
    parts = [f"{draw(TOKENS)}@{spot[0]},{spot[1]}" for spot in spots]
    parts.append(f"to-move={draw(st.sampled_from([0, 1]))}")
    lost = draw(st.lists(st.integers(0, variant.flags - 1), min_size=2, max_size=2))
    return " ".join(parts + (["lost={},{}".format(*lost)] if any(lost) else [])), variant


@st.composite
def reachable_positions(draw: st.DrawFn) -> tuple[str, BoardVariant]:
    """Draw a position reached by random moves from the set-up."""
    variant = draw(VARIANTS)
    dice, position = random.Random(draw(st.integers(0, 2**32))), starting_position(variant)
    for _ in range(draw(st.integers(0, 80))):
        moves = position.legal_moves()
        after = position.after_move(dice.choice(moves)) if moves else position.after_pass()
        if after.pieces.loser is None:
            position = after
    return format_position(position), variant


def parse_both(position: tuple[str, BoardVariant]) -> tuple[Position, PlainBoard]:
    text, variant = position
    return parse_position(text, variant), parse_plain_board(text, variant.flags, variant.lock, variant.stuck)


def formatted_moves(position: Position) -> list[str]:
    return [format_move(move, position.tables.board) for move in position.legal_moves()]


def tokens_of(position: Position) -> dict[tuple[int, int], str]:
    return dict(position.tokens())


@pytest.mark.slow
@given(st.one_of(crowded_positions(), reachable_positions()))
@settings(deadline=None, max_examples=80)
def test_moves_and_positions_agree_with_the_plain_implementation(drawn: tuple[str, BoardVariant]) -> None:
    position, table = parse_both(drawn)
    moves = formatted_moves(position)
    assert len(moves) == len(set(moves)) == position.legal_move_count()
    assert set(moves) == table.moves()
    for move in position.legal_moves():
        after, plain_after = position.after_move(move), table.play(format_move(move, BOARD))
        assert (tokens_of(after), after.to_move, after.pieces.loser) == (
            plain_after.tokens,
            plain_after.to_move,
            plain_after.loser,
        )
        if plain_after.loser is None:
            assert list(after.pieces.flags_lost) == plain_after.flags_lost
        assert parse_position(format_position(after), position.variant) == after
        assert after.pieces.loser == parse_position(format_position(after), position.variant).pieces.loser
        assert set(formatted_moves(after)) == plain_after.moves(), "masks must agree with the pieces"


@given(st.one_of(crowded_positions(8), reachable_positions()))
@settings(deadline=None, max_examples=30)
def test_perft_2_agrees_with_the_plain_implementation(drawn: tuple[str, BoardVariant]) -> None:
    position, table = parse_both(drawn)
    for depth in (0, 1, 2):
        assert perft(position, depth) == table.count(depth)


@given(crowded_positions(4))
@settings(deadline=None, max_examples=40)
def test_perft_3_agrees_with_the_plain_implementation(drawn: tuple[str, BoardVariant]) -> None:
    position, table = parse_both(drawn)
    assume(position.legal_move_count() <= 25)
    assert perft(position, 3) == table.count(3)


@pytest.mark.parametrize("flags", [1, 2])
def test_perft_from_the_set_up_agrees_with_the_plain_implementation(flags: int) -> None:
    position = starting_position(BoardVariant(flags=flags))
    assert perft(position, 2) == parse_plain_board(format_position(position), flags).count(2)


@given(st.one_of(crowded_positions(), reachable_positions()))
@settings(deadline=None, max_examples=30)
def test_counting_the_last_ply_equals_playing_it(drawn: tuple[str, BoardVariant]) -> None:
    position, _ = parse_both(drawn)
    assert all(perft(position, depth) == perft(position, depth, play_last_ply=True) for depth in (1, 2))


def walks(steps: int, spot: tuple[int, int]) -> int:
    """Return the number of walks of ``steps`` steps from a spot."""
    return 1 if steps == 0 else sum(walks(steps - 1, target) for target in neighbours(spot))


def test_perft_counts_passes_and_ends_at_a_third_repetition() -> None:
    """A single sheet in a corner moves while North passes. Going out and back twice, each time by one of three spaces,
    it is there for the third time after eight plies: 9 games end, each of which had three continuations."""
    corner = (6, -6)
    position = parse_position("P0@6,-6 to-move=0")
    assert len(neighbours(corner)) == 3
    for depth in range(9):
        assert perft(position, depth) == (walks((depth + 1) // 2, corner), 0)
    assert perft(position, 9) == (walks(5, corner) - 9 * 3, 9)
    assert perft(parse_position("P0@6,-6 to-move=1"), 3) == (3, 0), "North passes, South moves, North passes"


def test_perft_ends_where_nobody_can_move() -> None:
    for text in ("F0@-5,5 F1@5,-6 to-move=0", "to-move=1"):
        assert perft(parse_position(text), 0) == (1, 0)
        assert perft(parse_position(text), 1) == perft(parse_position(text), 3) == (0, 1)


def test_perft_of_a_decided_game_has_ended() -> None:
    position = parse_position("R0@0,0 F1@5,-6 to-move=0 lost=0,1")
    assert position.loser() == 1 and perft(position, 1) == (0, 1) and divide(position, 1) == {}


# Formatting and parsing


@given(crowded_positions())
def test_positions_parse_to_what_was_formatted(drawn: tuple[str, BoardVariant]) -> None:
    text, variant = drawn
    position = parse_position(text, variant)
    formatted = format_position(position)
    assert parse_position(formatted, variant) == position
    assert format_position(parse_position(formatted, variant)) == formatted
    assert sorted(formatted.split()) == sorted(text.split())


@given(st.sampled_from(range(len(BOARD.coordinates))), st.sampled_from(range(len(BOARD.coordinates))))
def test_moves_parse_to_what_was_formatted(origin: int, target: int) -> None:
    text = f"{format_space(origin, BOARD)}>{format_space(target, BOARD)}"
    assert format_move(parse_move(text, BOARD), BOARD) == text
    for name in DIRECTIONS:
        spread = f"{format_space(origin, BOARD)}*{name}"
        if step(spot_of(format_space(origin, BOARD)), name) in SPOTS:
            assert format_move(parse_move(spread, BOARD), BOARD) == spread
        else:
            with pytest.raises(NotationError, match="leaves the board at once"):
                parse_move(spread, BOARD)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "to-move=0 or to-move=1 is missing"),
        ("R0@0,0", "to-move=0 or to-move=1 is missing"),
        ("R0@0,0 to-move=2", "to-move=0 or to-move=1 is missing"),
        ("to-move=0 R0@0,0", "to-move=0 or to-move=1 is missing"),
        ("R0@0,0 to-move=0 to-move=1", "not a piece"),
        ("R0@7,0 to-move=0", "7,0 is off the board"),
        ("R0@-6,-1 to-move=0", "-6,-1 is off the board"),
        ("R0@99999999999,0 to-move=0", "not a space"),
        ("R0@0 to-move=0", "not a space"),
        ("R0@0,x to-move=0", "not a space"),
        ("R0@0,0,0 to-move=0", "not a space"),
        ("R0@0,0 S1@0,0 to-move=0", "two pieces on 0,0: R0 and S1"),
        ("R2@0,0 to-move=0", "not a piece"),
        ("R@0,0 to-move=0", "not a piece"),
        ("R00@0,0 to-move=0", "not a piece"),
        ("P@0,0 to-move=0", "not a piece"),
        ("P02@0,0 to-move=0", "not a piece"),
        ("L0@0,0 to-move=0", "not a piece"),
        ("lizard to-move=0", "not a piece"),
        ("R0@0,0 to-move=0 lost=1", "write lost=SOUTH,NORTH"),
        ("R0@0,0 to-move=0 lost=-1,0", "write lost=SOUTH,NORTH"),
        ("R0@0,0 to-move=0 lost=2,0", "South can’t lose more than 1"),
        ("R0@0,0 to-move=0 lost=1,1", "both sides can’t have lost 1"),
        ("lost=0,1 to-move=0", "not a piece"),
        ("R0@0,0\0 to-move=0", "not a space"),
        ("P" + "0" * 10**6 + " to-move=0", "not a piece"),
    ],
)
def test_invalid_positions_are_refused_in_a_line(text: str, error: str) -> None:
    with pytest.raises(NotationError, match=error) as raised:
        parse_position(text)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 150


@pytest.mark.parametrize("text", ["\x1b[2J", "0,0\x1b", "0,0>\u202e", "0,0*\udcff", "R0@0,0 \x1b to-move=0", "lost=\0"])
def test_what_errors_quote_is_printable(text: str) -> None:
    for parse in (lambda: parse_space(text, BOARD), lambda: parse_move(text, BOARD), lambda: parse_position(text)):
        with pytest.raises(NotationError) as raised:
            parse()
        assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    "text",
    ["", "lizard", "0,0", "0,0>", ">0,0", "0,0>7,0", "7,0>0,0", "0,0*", "0,0*N", "0,0*e", "0,0>0,0>0,0", "*E", "x*E"],
)
def test_malformed_moves_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text, BOARD)


# The board


def test_the_board_is_the_reconstruction() -> None:
    assert set(BOARD.coordinates) == SPOTS and len(SPOTS) == 114
    rows = [sum(r == row for _, r in BOARD.coordinates) for row in range(-6, 6)]
    assert rows == [7, 8, 9, 10, 11, 12, 12, 11, 10, 9, 8, 7]
    by_neighbours = [len(neighbours) for neighbours in BOARD.neighbours]
    assert [by_neighbours.count(number) for number in (3, 4, 6)] == [6, 28, 80]
    assert DIRECTIONS == STEPS
    for space, where in enumerate(BOARD.coordinates):
        assert {BOARD.coordinates[target] for target in BOARD.neighbours[space]} == neighbours(where)


def test_board_and_set_up_have_rotational_symmetry() -> None:
    def turned(q: int, r: int) -> tuple[int, int]:
        return -q, -1 - r

    assert {turned(*where) for where in SPOTS} == SPOTS
    tokens = tokens_of(starting_position())
    assert {turned(*where): token[0] + str(1 - int(token[1])) for where, token in tokens.items()} == tokens
    kinds = [token for token in tokens.values() if token.endswith("0")]
    assert [kinds.count(token) for token in ("P0", "S0", "R0", "F0")] == [9, 4, 3, 2]


def test_space_names_and_centres() -> None:
    names = dict(zip(BOARD.space_names, BOARD.coordinates, strict=True))
    assert len(names) == 114 and names["a2"] == (-5, 5) and names["a1"] == (-6, 5) and names["l7"] == (6, -6)
    for space, adjacent in enumerate(BOARD.neighbours):
        x, y = BOARD.centre(space)
        for target in adjacent:
            other_x, other_y = BOARD.centre(target)
            assert (x - other_x) ** 2 + (y - other_y) ** 2 == pytest.approx(1)


def test_another_layout_needs_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hexagon of seven spaces: no code depends on the size or the set-up."""
    small = BoardLayout("small", ((-1, 0, "R1 F1"), (0, -1, ". . ."), (1, -1, "F0 R0")))
    monkeypatch.setitem(BOARD_LAYOUTS, "small", small)
    position = starting_position(BoardVariant(layout="small"))
    assert set(formatted_moves(position)) == {"0,1>-1,1", "0,1>0,0", "0,1>0,-1", "0,1>1,0"}
    assert position.after_move(parse_move("0,1>0,-1", position.tables.board)).tokens()[0, -1] == "R0"
    assert perft(position, 2) == (1 + 3 + 4, 1), (
        "North’s Rock knocked off, beside, not in the way; South’s flag destroyed"
    )


def test_legal_moves_from_each_space() -> None:
    position = starting_position()
    movable = {space for space in range(114) if position.legal_moves_from(space)}
    assert movable == {move.origin for move in position.legal_moves()}
    assert sum(len(position.legal_moves_from(space)) for space in range(114)) == 98
    assert position.legal_moves_from(parse_space("0,-5", BOARD)) == (), "not North’s turn"
    assert position.legal_moves_from(parse_space("0,0", BOARD)) == (), "empty space"
