"""The worked examples of the board game, and known perft counts."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules.board.board import SIDE_NAMES
from rules.board.notation import format_move, format_position, parse_move, parse_position, parse_space
from rules.board.perft import PerftCount, divide, perft
from rules.board.position import BoardVariant, Position, starting_position

EXAMPLES = Path(__file__).parent / "examples.txt"
CASES = Path(__file__).parents[3] / ".." / "shared" / "rules" / "hex_board_cases.json"


def examples() -> list[tuple[str, ...]]:
    lines = EXAMPLES.read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in lines if line and not line.startswith("#")]


def pieces_of(position: Position) -> str:
    """Return the pieces as the examples write them, sorted."""
    return " ".join(sorted(part for part in format_position(position).split() if "@" in part))


@pytest.mark.parametrize("example", examples(), ids=lambda example: example[0])
def test_example(example: tuple[str, ...]) -> None:
    _, flags, position_text, move_text, outcome = example
    position = parse_position(position_text, BoardVariant(flags=int(flags.removeprefix("flags="))))
    board = position.tables.board
    if move_text.startswith("from "):
        moves = position.legal_moves_from(parse_space(move_text.removeprefix("from "), board))
        ends, _, spreads = outcome.partition(" spread ")
        targets = sorted(format_move(move, board).partition(">")[2] for move in moves if not move.spread)
        assert targets == ([] if ends == "none" else sorted(ends.split()))
        assert sorted(format_move(m, board).partition("*")[2] for m in moves if m.spread) == sorted(spreads.split())
        assert set(moves) <= set(position.legal_moves())
    elif outcome == "illegal":
        assert move_text not in {format_move(move, board) for move in position.legal_moves()}
        if "*" not in move_text:
            assert parse_move(move_text, board) not in position.legal_moves()
    else:
        move = parse_move(move_text, board)
        assert move in position.legal_moves()
        after = position.after_move(move)
        stands, _, loses = outcome.partition(" and ")
        assert pieces_of(after) == " ".join(sorted(stands.split()))
        assert after.loser() == (SIDE_NAMES.index(loses.removesuffix(" loses")) if loses else None)
        assert after.to_move == 1 - position.to_move
        reparsed = parse_position(position_text, position.variant)
        assert position == reparsed, "a move must not change the position it starts from"


def test_examples_cover_the_specification() -> None:
    """Every case of the specification must be an example here, with the same position, move and outcome."""
    if not CASES.exists():
        pytest.skip(f"{CASES} is not on this machine")
    ours = {example[0]: example for example in examples()}
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    assert [case["id"] for case in cases] == list(ours)
    for case in cases:
        _, flags, position_text, move_text, outcome = ours[case["id"]]
        assert_same_case(case, flags, position_text, move_text, outcome)


def assert_same_case(case: dict[str, Any], flags: str, position_text: str, move_text: str, outcome: str) -> None:
    pieces = {part.partition("@")[2]: part.partition("@")[0] for part in position_text.split() if "@" in part}
    assert pieces == case["pieces"] and f"to-move={case['to_move']}" in position_text.split()
    spot = "{},{}".format
    if "move" not in case:
        ends, _, spreads = outcome.partition(" spread ")
        assert move_text == "from " + spot(*case["frm"]) and spreads.split() == case["spreads"]
        assert ends.replace("none", "").split() == [spot(*each) for each in case["destinations"]]
        return
    move, lost = case["move"], tuple(case["flags_lost_before"])
    assert flags == f"flags={case['flags_to_lose']}"
    assert ("lost={},{}".format(*lost) in position_text) == any(lost)
    assert move_text == spot(*move["frm"]) + (">" + spot(*move["to"]) if "to" in move else "*" + move["spread"])
    if case["result"] == "illegal":
        assert outcome == "illegal"
        return
    stands, _, loses = outcome.partition(" and ")
    placed = (part.split("@") for part in stands.split())
    assert {where: piece for piece, where in placed} == case["result"]
    assert loses == ("" if case["loser"] is None else f"{SIDE_NAMES[case['loser']]} loses")


@pytest.mark.parametrize(
    ("flags", "depth", "count"),
    [
        (1, 0, PerftCount(1, 0)),
        (1, 1, PerftCount(98, 0)),
        (1, 2, PerftCount(8820, 8)),
        (2, 1, PerftCount(98, 0)),
        (2, 2, PerftCount(9604, 0)),
    ],
)
def test_counts_from_the_set_up(flags: int, depth: int, count: PerftCount) -> None:
    assert perft(starting_position(BoardVariant(flags=flags)), depth) == count


def test_the_first_moves() -> None:
    """98: 50 of Papers, 28 of Scissors, 20 of Rocks. 46 lose a piece or flag of one's own, 8 of them a flag. They lead
    to 93 positions."""
    position = starting_position()
    tokens = position.tables.board.initial_pieces
    assert Counter(tokens[move.origin][0] for move in position.legal_moves()) == {"P": 50, "S": 28, "R": 20}
    after = [position.after_move(move) for move in position.legal_moves()]
    assert len({each.key() for each in after}) == 93
    assert sum(each.pieces.material() != position.pieces.material() for each in after) == 46
    assert sum(each.loser() == 0 for each in after) == 8


def test_no_enemy_flag_can_be_taken_in_the_first_two_plies() -> None:
    position = starting_position()
    for move in position.legal_moves():
        after = position.after_move(move)
        assert after.loser() != 1
        if after.loser() is None:
            assert not any(after.after_move(reply).loser() == 0 for reply in after.legal_moves())


def test_two_moves_in_a_row_take_no_enemy_flag() -> None:
    position = starting_position()
    for move in position.legal_moves():
        second = position.after_move(move).after_pass()
        assert not any(second.after_move(again).loser() == 1 for again in second.legal_moves())


def test_divide_adds_up_to_perft() -> None:
    position = starting_position()
    parts = divide(position, 2)
    assert list(parts) == position.legal_moves()
    assert sum(part.leaves for part in parts.values()) == 8820
    assert sum(part.ended for part in parts.values()) == 8
    with pytest.raises(ValueError, match="depth of 1 or more"):
        divide(position, 0)
