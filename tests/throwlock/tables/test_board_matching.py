"""What is seen of the printed board against the legal moves: whole random games are told apart by what lies uppermost,
and what is in doubt is never decided."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board.notation import read_move, read_position, read_space
from rules.board.position import Position, start
from throwlock.simulation.board_player import PIECES, Stacks, carried_out, laid_out, steps_between
from throwlock.tables.board_matching import Seen, matched, told_illegal, told_wrong
from tools.trials.board import chosen

SPACES = frozenset(range(len(start().reach.board.coordinates)))


def markers(stacks: Stacks) -> dict[int, int]:
    return {space: int(pieces[-1]) for space, pieces in stacks.items()}


def seen(stacks: Stacks, without: frozenset[int] = frozenset()) -> Seen:
    """What a sight of these pieces tells that can't read the spaces ``without``."""
    known = {space: marker for space, marker in markers(stacks).items() if space not in without}
    tops = {space: PIECES[str(marker)].token or "" for space, marker in known.items()}
    return Seen(tops, known, SPACES - stacks.keys() - without)


def at(text: str, *names: str) -> tuple[Position, list[int]]:
    position = read_position(text)
    return position, [read_space(name, position.reach.board) for name in names]


def tokens(stacks: Stacks) -> dict[int, str]:
    """What the pieces of cardboard come to, as the engine writes it."""
    named = {space: [PIECES[piece].token or "" for piece in pieces] for space, pieces in stacks.items()}
    return {space: met[0][0] + "".join(token[1] for token in met) for space, met in named.items()}


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_every_move_of_a_game_is_told_apart_or_asked(seed: int) -> None:
    chance, here = random.Random(seed), start()
    stacks = laid_out(here)
    for _ in range(40):
        if here.pieces.loser is not None or not here.moves():
            break
        move = chosen(here, chance)
        then, after = carried_out(stacks, here, move), here.after(move)
        assert tokens(then) == {space: token for men in after.pieces.men for space, token in men.items()}
        moved = {piece for step in steps_between(stacks, then, here.reach.board) for piece in step.pieces}
        assert moved and len(moved) == len(set(moved))
        match = matched(here, seen(then), markers(stacks))
        assert not match.stands and move in match.moves
        if match.sure is None and not match.is_gone:  # people are asked only where it makes no difference to the game
            assert len({here.after(other) for other in match.moves}) == 1
        assert matched(here, seen(stacks), markers(stacks)).stands
        here, stacks = after, then


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_what_can_not_be_read_never_makes_another_move_of_it(seed: int) -> None:
    chance, here = random.Random(seed), start()
    stacks = laid_out(here)
    for _ in range(25):
        if here.pieces.loser is not None or not here.moves():
            break
        move = chosen(here, chance)
        then = carried_out(stacks, here, move)
        hidden = frozenset(chance.sample(sorted(SPACES), 12)) | {move.target}
        match = matched(here, seen(then, hidden), markers(stacks))
        assert match.stands or move in match.moves
        assert match.sure in (None, move)
        here, stacks = here.after(move), then


def test_a_stack_that_moves_and_one_that_is_spread_off_the_board_look_alike_but_for_the_sheet() -> None:
    here, (there,) = at("P00@5,-6 R0@0,0 R1@1,2 to-move=0", "5,-6")
    board = here.reach.board
    stacks = laid_out(here)
    clump, spread = read_move("5,-6>6,-6", board), read_move("5,-6*E", board)
    assert there in stacks
    for move in (clump, spread):
        then = carried_out(stacks, here, move)
        match = matched(here, seen(then), markers(stacks))
        assert match.sure == move


def test_a_rock_lost_on_either_of_two_papers_is_asked() -> None:
    here, _ = at("R0@0,0 P1@2,0 P1@-2,0 F0@0,4 F1@0,-4 to-move=0")
    stacks = laid_out(here)
    match = matched(here, seen(carried_out(stacks, here, read_move("0,0>2,0", here.reach.board))), markers(stacks))
    assert match.sure is None and len(match.moves) == 2


def test_a_piece_that_is_only_gone_may_be_in_a_hand() -> None:
    here, (origin,) = at("R0@0,0 P1@2,0 F0@0,4 F1@0,-4 to-move=0", "0,0")
    stacks = laid_out(here)
    lifted = {space: pieces for space, pieces in stacks.items() if space != origin}
    match = matched(here, seen(lifted), markers(stacks))
    assert match.sure is None and match.is_gone and len(match.moves) == 1


def test_without_the_markers_what_looks_alike_is_asked() -> None:
    here, _ = at("P00@5,-6 R0@0,0 R1@1,2 to-move=0")
    stacks = laid_out(here)
    then = carried_out(stacks, here, read_move("5,-6>6,-6", here.reach.board))
    match = matched(here, seen(then), {})
    assert match.sure is None and len(match.moves) == 2


@pytest.mark.parametrize(
    ("begin", "end", "told"),
    [
        ("0,0", "1,1", "South’s Rock may not go from f7 to e8"),
        ("0,-4", "0,-3", "It is South’s move, but North’s Flag was moved from j3 to i4"),
    ],
)
def test_why_a_move_can_not_be_is_told_in_words(begin: str, end: str, told: str) -> None:
    here, (origin, target) = at("R0@0,0 P1@2,0 F0@0,4 F1@0,-4 to-move=0", begin, end)
    stacks = laid_out(here)
    then = {space: pieces for space, pieces in stacks.items() if space != origin} | {target: stacks[origin]}
    assert matched(here, seen(then), markers(stacks)).moves == ()
    assert told_illegal(here, seen(then)).startswith(told)


def test_what_stands_wrong_is_told_space_by_space() -> None:
    here, (gone, other, extra) = at("R0@0,0 P1@2,0 F0@0,4 F1@0,-4 to-move=0", "0,0", "2,0", "-3,0")
    stacks = laid_out(here)
    spare = laid_out(read_position("S0@0,0 R1@1,0 to-move=0"))
    scissors, rock = spare.values()
    then = {space: pieces for space, pieces in stacks.items() if space not in (gone, other)}
    told = told_wrong(here, seen({**then, other: scissors}))
    assert "f7: South’s Rock is missing." in told
    assert "f9: should be North’s Paper, is South’s Scissors." in told
    told = told_wrong(here, seen({**stacks, extra: rock}))
    assert told == "f4: North’s Rock should not be there."
