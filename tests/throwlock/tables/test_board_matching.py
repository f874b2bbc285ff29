"""What is seen of the printed board against the legal moves: whole random games are told apart by what lies uppermost,
and what is in doubt is never decided."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board.notation import parse_move, parse_position, parse_space
from rules.board.position import Position, starting_position
from throwlock.simulation.board_player import PIECES, Stacks, stacks_after, stacks_for, steps_between
from throwlock.tables.board_matching import KnownBoard, describe_mismatches, explain_illegal, match_moves
from tools.trials.board import choose_move

SPACES = frozenset(range(len(starting_position().tables.board.coordinates)))


def markers(stacks: Stacks) -> dict[int, int]:
    return {space: int(pieces[-1]) for space, pieces in stacks.items()}


def board_state(stacks: Stacks, without: frozenset[int] = frozenset()) -> KnownBoard:
    """What a sight of these pieces tells that can't read the spaces ``without``."""
    known = {space: marker for space, marker in markers(stacks).items() if space not in without}
    tops = {space: PIECES[str(marker)].token or "" for space, marker in known.items()}
    return KnownBoard(tops, known, SPACES - stacks.keys() - without)


def position_and_spaces(text: str, *names: str) -> tuple[Position, list[int]]:
    position = parse_position(text)
    return position, [parse_space(name, position.tables.board) for name in names]


def tokens(stacks: Stacks) -> dict[int, str]:
    """What the pieces of cardboard come to, as the engine writes it."""
    named = {space: [PIECES[piece].token or "" for piece in pieces] for space, pieces in stacks.items()}
    return {space: met[0][0] + "".join(token[1] for token in met) for space, met in named.items()}


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_every_move_is_distinguished_or_ambiguous(seed: int) -> None:
    chance, here = random.Random(seed), starting_position()
    stacks = stacks_for(here)
    for _ in range(40):
        if here.pieces.loser is not None or not here.legal_moves():
            break
        move = choose_move(here, chance)
        then, after = stacks_after(stacks, here, move), here.after_move(move)
        assert tokens(then) == {space: token for men in after.pieces.tokens for space, token in men.items()}
        moved = {piece for step in steps_between(stacks, then, here.tables.board) for piece in step.pieces}
        assert moved and len(moved) == len(set(moved))
        match = match_moves(here, board_state(then), markers(stacks))
        assert not match.is_unchanged and move in match.moves
        if (
            match.certain is None and not match.is_only_lifted
        ):  # people are asked only where it makes no difference to the game
            assert len({here.after_move(other) for other in match.moves}) == 1
        assert match_moves(here, board_state(stacks), markers(stacks)).is_unchanged
        here, stacks = after, then


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_unread_spaces_never_make_it_another_move(seed: int) -> None:
    chance, here = random.Random(seed), starting_position()
    stacks = stacks_for(here)
    for _ in range(25):
        if here.pieces.loser is not None or not here.legal_moves():
            break
        move = choose_move(here, chance)
        then = stacks_after(stacks, here, move)
        hidden = frozenset(chance.sample(sorted(SPACES), 12)) | {move.target}
        match = match_moves(here, board_state(then, hidden), markers(stacks))
        assert match.is_unchanged or move in match.moves
        assert match.certain in (None, move)
        here, stacks = here.after_move(move), then


def test_moved_and_spread_stacks_differ_by_the_sheet() -> None:
    here, (there,) = position_and_spaces("P00@5,-6 R0@0,0 R1@1,2 to-move=0", "5,-6")
    board = here.tables.board
    stacks = stacks_for(here)
    clump, spread = parse_move("5,-6>6,-6", board), parse_move("5,-6*E", board)
    assert there in stacks
    for move in (clump, spread):
        then = stacks_after(stacks, here, move)
        match = match_moves(here, board_state(then), markers(stacks))
        assert match.certain == move


def test_rock_lost_on_either_of_two_papers_is_ambiguous() -> None:
    here, _ = position_and_spaces("R0@0,0 P1@2,0 P1@-2,0 F0@0,4 F1@0,-4 to-move=0")
    stacks = stacks_for(here)
    match = match_moves(
        here, board_state(stacks_after(stacks, here, parse_move("0,0>2,0", here.tables.board))), markers(stacks)
    )
    assert match.certain is None and len(match.moves) == 2


def test_lifted_piece_is_not_a_certain_move() -> None:
    here, (origin,) = position_and_spaces("R0@0,0 P1@2,0 F0@0,4 F1@0,-4 to-move=0", "0,0")
    stacks = stacks_for(here)
    lifted = {space: pieces for space, pieces in stacks.items() if space != origin}
    match = match_moves(here, board_state(lifted), markers(stacks))
    assert match.certain is None and match.is_only_lifted and len(match.moves) == 1


def test_without_markers_moves_that_look_alike_are_ambiguous() -> None:
    here, _ = position_and_spaces("P00@5,-6 R0@0,0 R1@1,2 to-move=0")
    stacks = stacks_for(here)
    then = stacks_after(stacks, here, parse_move("5,-6>6,-6", here.tables.board))
    match = match_moves(here, board_state(then), {})
    assert match.certain is None and len(match.moves) == 2


@pytest.mark.parametrize(
    ("begin", "end", "sentence"),
    [
        ("0,0", "1,1", "South’s Rock can’t move from f7 to e8"),
        ("0,-4", "0,-3", "It is South’s turn, but North’s Flag was moved from j3 to i4"),
    ],
)
def test_illegal_move_is_explained(begin: str, end: str, sentence: str) -> None:
    here, (origin, target) = position_and_spaces("R0@0,0 P1@2,0 F0@0,4 F1@0,-4 to-move=0", begin, end)
    stacks = stacks_for(here)
    then = {space: pieces for space, pieces in stacks.items() if space != origin} | {target: stacks[origin]}
    assert match_moves(here, board_state(then), markers(stacks)).moves == ()
    assert explain_illegal(here, board_state(then)).startswith(sentence)


def test_mismatches_are_described_space_by_space() -> None:
    here, (gone, other, extra) = position_and_spaces("R0@0,0 P1@2,0 F0@0,4 F1@0,-4 to-move=0", "0,0", "2,0", "-3,0")
    stacks = stacks_for(here)
    spare = stacks_for(parse_position("S0@0,0 R1@1,0 to-move=0"))
    scissors, rock = spare.values()
    then = {space: pieces for space, pieces in stacks.items() if space != gone}
    assert describe_mismatches(here, board_state(then)) == "f7: South’s Rock is missing."
    exchanged = describe_mismatches(here, board_state({**stacks, other: scissors}))
    assert exchanged == "f9: South’s Scissors instead of North’s Paper."
    both = describe_mismatches(here, board_state({**then, other: scissors}))
    assert both == "f7: South’s Rock is missing. And 1 more space."
    assert describe_mismatches(here, board_state({**then, other: scissors}), 2).count(": ") == 2
    sentence = describe_mismatches(here, board_state({**stacks, extra: rock}))
    assert sentence == "f4: North’s Rock should not be there."
