"""The board game's worked examples, one by one, and the counts of move sequences that are known."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules.board.board import SIDES
from rules.board.notation import read_move, read_position, read_space, write_move, write_position
from rules.board.perft import Count, divide, perft
from rules.board.position import Position, Rulings, start

EXAMPLES = Path(__file__).parent / "examples.txt"
CASES = Path(__file__).parents[3] / ".." / "shared" / "rules" / "hex_board_cases.json"


def examples() -> list[tuple[str, ...]]:
    lines = EXAMPLES.read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in lines if line and not line.startswith("#")]


def standing(position: Position) -> str:
    """The pieces alone, as the examples write them, in order."""
    return " ".join(sorted(part for part in write_position(position).split() if "@" in part))


@pytest.mark.parametrize("example", examples(), ids=lambda example: example[0])
def test_example(example: tuple[str, ...]) -> None:
    _, flags, where, what, outcome = example
    position = read_position(where, Rulings(flags=int(flags.removeprefix("flags="))))
    board = position.reach.board
    if what.startswith("from "):
        moves = position.moves_from(read_space(what.removeprefix("from "), board))
        ends, _, spreads = outcome.partition(" spread ")
        targets = sorted(write_move(move, board).partition(">")[2] for move in moves if not move.spread)
        assert targets == ([] if ends == "none" else sorted(ends.split()))
        assert sorted(write_move(m, board).partition("*")[2] for m in moves if m.spread) == sorted(spreads.split())
        assert set(moves) <= set(position.moves())
    elif outcome == "illegal":
        assert what not in {write_move(move, board) for move in position.moves()}
        if "*" not in what:
            assert read_move(what, board) not in position.moves()
    else:
        move = read_move(what, board)
        assert move in position.moves()
        after = position.after(move)
        stands, _, loses = outcome.partition(" and ")
        assert standing(after) == " ".join(sorted(stands.split()))
        assert after.loser() == (SIDES.index(loses.removesuffix(" loses")) if loses else None)
        assert after.to_move == 1 - position.to_move
        again = read_position(where, position.rulings)
        assert position == again, "a move leaves the position before it alone"


def test_the_examples_are_all_there() -> None:
    """Every case of the specification is an example here, with the same position, move and outcome."""
    if not CASES.exists():
        pytest.skip(f"{CASES} is not on this machine")
    ours = {example[0]: example for example in examples()}
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    assert [case["id"] for case in cases] == list(ours)
    for case in cases:
        _, flags, where, what, outcome = ours[case["id"]]
        assert_same_case(case, flags, where, what, outcome)


def assert_same_case(case: dict[str, Any], flags: str, where: str, what: str, outcome: str) -> None:
    pieces = {part.partition("@")[2]: part.partition("@")[0] for part in where.split() if "@" in part}
    assert pieces == case["pieces"] and f"to-move={case['to_move']}" in where.split()
    spot = "{},{}".format
    if "move" not in case:
        ends, _, spreads = outcome.partition(" spread ")
        assert what == "from " + spot(*case["frm"]) and spreads.split() == case["spreads"]
        assert ends.replace("none", "").split() == [spot(*each) for each in case["destinations"]]
        return
    move, lost = case["move"], tuple(case["flags_lost_before"])
    assert flags == f"flags={case['flags_to_lose']}"
    assert ("lost={},{}".format(*lost) in where) == any(lost)
    assert what == spot(*move["frm"]) + (">" + spot(*move["to"]) if "to" in move else "*" + move["spread"])
    if case["result"] == "illegal":
        assert outcome == "illegal"
        return
    stands, _, loses = outcome.partition(" and ")
    assert dict(reversed(part.split("@")) for part in stands.split()) == case["result"]
    assert loses == ("" if case["loser"] is None else f"{SIDES[case['loser']]} loses")


@pytest.mark.parametrize(
    ("flags", "depth", "count"),
    [
        (1, 0, Count(1, 0)),
        (1, 1, Count(98, 0)),
        (1, 2, Count(8820, 8)),
        (2, 1, Count(98, 0)),
        (2, 2, Count(9604, 0)),
    ],
)
def test_counts_from_the_set_up(flags: int, depth: int, count: Count) -> None:
    assert perft(start(Rulings(flags=flags)), depth) == count


def test_the_first_moves() -> None:
    """98: 50 of Papers, 28 of Scissors, 20 of Rocks. 46 lose a piece or flag of one's own, 8 of them a flag. They lead
    to 93 positions."""
    position = start()
    tokens = position.reach.board.set_up
    assert Counter(tokens[move.origin][0] for move in position.moves()) == {"P": 50, "S": 28, "R": 20}
    after = [position.after(move) for move in position.moves()]
    assert len({each.key() for each in after}) == 93
    assert sum(each.pieces.things() != position.pieces.things() for each in after) == 46
    assert sum(each.loser() == 0 for each in after) == 8


def test_no_flag_falls_to_the_first_move_or_the_reply() -> None:
    position = start()
    for move in position.moves():
        after = position.after(move)
        assert after.loser() != 1
        if after.loser() is None:
            assert not any(after.after(reply).loser() == 0 for reply in after.moves())


def test_even_the_second_of_two_moves_in_a_row_takes_no_flag() -> None:
    position = start()
    for move in position.moves():
        second = position.after(move).passed()
        assert not any(second.after(again).loser() == 1 for again in second.moves())


def test_divided_by_the_first_move_the_counts_add_up() -> None:
    position = start()
    parts = divide(position, 2)
    assert list(parts) == position.moves()
    assert sum(part.leaves for part in parts.values()) == 8820
    assert sum(part.ended for part in parts.values()) == 8
    with pytest.raises(ValueError, match="one or more plies"):
        divide(position, 0)
