"""The chances of t|r: exact, the same as every way of throwing counted, as the game itself plays it and as worked out
by hand; and what ``throwlock odds`` prints, draws and refuses."""

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import comb
from pathlib import Path
from xml.etree import ElementTree

import cv2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import Play
from rules.tr.match import TR
from rules.tr.roll import MAX_ROLL_NUMBER, IllegalRollError, Roll, compute_odds
from throwlock.cli.main import run_command
from throwlock.cli.numbers import as_percent, odds_figure

End = tuple[str, int | None]
rolls = st.builds(
    Roll, st.integers(1, MAX_ROLL_NUMBER), st.integers(0, MAX_ROLL_NUMBER), st.integers(0, MAX_ROLL_NUMBER)
)
small = st.builds(Roll, st.integers(1, 5), st.integers(0, 7), st.integers(0, 9))
middling = st.builds(Roll, st.integers(1, 60), st.integers(0, 60), st.integers(0, 70))


def odds_by_end(roll: Roll) -> dict[End, Fraction]:
    """Return the odds by outcome and degree."""
    chances = compute_odds(roll)
    ends: dict[End, Fraction] = {("botch", None): chances.botch, ("failed", None): chances.failed}
    for degree, chance in chances.degrees.items():
        ends["success" if degree >= 0 else "failure", degree] = chance
    return ends


def count_sequences(roll: Roll) -> dict[End, Fraction]:
    """Return the odds from all sequences of throws and rethrows, earned or not."""
    ends: Counter[End] = Counter()
    for ways in product("wtl", repeat=roll.throws):
        wins = ways.count("w")
        for more in product("wtl", repeat=roll.rethrows):
            degree = wins + more[:wins].count("w") - roll.difficulty
            if wins:
                ends["success" if degree >= 0 else "failure", degree] += 1
            else:
                ends["botch" if "l" in ways else "failed", None] += 1
    return {end: Fraction(count, 3 ** (roll.throws + roll.rethrows)) for end, count in ends.items()}


def play_every_path(roll: Roll) -> dict[End, Fraction]:
    """Return the odds by playing every path against a game master who always throws rock."""
    game, ends = TR.set_up(2, {"roll": str(roll)}), Counter[End]()
    paths: list[tuple[str, ...]] = [()]
    while paths:
        path = paths.pop()
        play = Play(game)
        for throw in path:
            play.answer({1: throw, 2: "rock"})
        if play.result:
            more = play.result.details
            ends[more["outcome"], more["degree"]] += Fraction(1, 3 ** len(path))  # type: ignore[index, assignment]
        else:
            paths += [(*path, throw) for throw in ("rock", "paper", "scissors")]
    return dict(ends)  # type: ignore[arg-type]


@pytest.mark.parametrize("throws", range(1, 6))
@pytest.mark.parametrize("rethrows", range(6))
def test_odds_equal_a_count_of_all_sequences(throws: int, rethrows: int) -> None:
    for difficulty in (0, 1, 2, 7):
        roll = Roll(throws, rethrows, difficulty)
        assert odds_by_end(roll) == count_sequences(roll)


@pytest.mark.parametrize("text", ["1", "2", "1|1", "2|1", "2|2-1", "3", "3|2-2", "3|9-2", "4|1-3", "4|4-2"])
def test_odds_equal_those_of_the_game_played_down_every_path(text: str) -> None:
    assert odds_by_end(Roll.parse(text)) == play_every_path(Roll.parse(text))


def test_odds_worked_out_by_hand() -> None:
    third = Fraction(1, 3)
    assert odds_by_end(Roll(1)) == {("botch", None): third, ("failed", None): third, ("success", 1): third}
    assert odds_by_end(Roll(1, 1, 2)) == {  # one win in nine is followed by another
        ("botch", None): third,
        ("failed", None): third,
        ("failure", -1): Fraction(2, 9),
        ("success", 0): Fraction(1, 9),
    }
    chances = compute_odds(Roll(3, 2, 2))
    assert chances.outcomes() == {
        "botch": Fraction(7, 27),
        "failed": Fraction(1, 27),
        "failure": Fraction(8, 27),
        "success": Fraction(11, 27),
    }


@given(middling)
@settings(deadline=None)
def test_odds_add_up_to_one_and_have_the_right_mean(roll: Roll) -> None:
    chances = compute_odds(roll)
    assert sum(chances.outcomes().values()) == 1
    assert chances.botch + chances.failed + sum(chances.degrees.values()) == 1
    assert list(chances.degrees) == list(range(1 - roll.difficulty, max(chances.degrees) + 1))
    assert all(chance > 0 for chance in chances.degrees.values())
    assert max(chances.degrees) == roll.throws + min(roll.throws, roll.rethrows) - roll.difficulty
    mean = sum((degree + roll.difficulty) * chance for degree, chance in chances.degrees.items())
    ways = {wins: comb(roll.throws, wins) * 2 ** (roll.throws - wins) for wins in range(roll.throws + 1)}
    earned = Fraction(sum(min(wins, roll.rethrows) * count for wins, count in ways.items()), 3**roll.throws)
    assert mean == Fraction(roll.throws, 3) + earned / 3


@given(small)
@settings(deadline=None)
def test_more_difficulty_never_helps_and_more_rethrows_never_hurt(roll: Roll) -> None:
    success = compute_odds(roll).success
    assert compute_odds(Roll(roll.throws, roll.rethrows, roll.difficulty + 1)).success <= success
    assert compute_odds(Roll(roll.throws, roll.rethrows + 1, roll.difficulty)).success >= success


def test_largest_roll_is_exact() -> None:
    chances = compute_odds(Roll(MAX_ROLL_NUMBER, MAX_ROLL_NUMBER, MAX_ROLL_NUMBER))
    assert sum(chances.outcomes().values()) == 1
    assert chances.degrees[MAX_ROLL_NUMBER] == Fraction(1, 9**MAX_ROLL_NUMBER), "every throw and every rethrow is won"


# ------------------------------------------------------------------------------------------------- the notation


@given(rolls)
def test_rolls_parse_to_what_was_formatted(roll: Roll) -> None:
    assert Roll.parse(str(roll)) == roll
    assert str(Roll.parse(str(roll))) == str(roll)


@given(rolls, st.lists(st.sampled_from(["", " ", "  "]), min_size=6, max_size=6))
def test_spaces_and_zero_parts_are_accepted(roll: Roll, blank: list[str]) -> None:
    a, b, c, d, e, f = blank
    assert Roll.parse(f"{a}{roll.throws}{b}|{c}{roll.rethrows}{d}-{e}{roll.difficulty}{f}") == roll


@pytest.mark.parametrize(
    ("text", "roll", "printed"),
    [
        ("3", Roll(3), "3"),
        ("3|2", Roll(3, 2), "3|2"),
        ("3-1", Roll(3, 0, 1), "3-1"),
        ("3|2-2", Roll(3, 2, 2), "3|2-2"),
        (" 3 | 2 - 2 ", Roll(3, 2, 2), "3|2-2"),
        ("3|0-0", Roll(3), "3"),
        ("03|002", Roll(3, 2), "3|2"),
    ],
)
def test_roll_formats_of_the_rule_page(text: str, roll: Roll, printed: str) -> None:
    assert Roll.parse(text) == roll
    assert str(roll) == printed


@pytest.mark.parametrize(
    ("text", "why"),
    {
        "": "the throws are missing",
        " ": "the throws are missing",
        "|2": "the throws are missing",
        "-3": "the throws are missing",
        "3|": "no rethrows after |",
        "3|-2": "no rethrows after |",
        "3|2-": "no difficulty after -",
        "3||2": "| appears 2 times",
        "3--1": "- appears 2 times",
        "3-1|2": "the difficulty comes before the rethrows",
        "3 2": "more than one number of throws: '3 2'",
        "3|2 1": "more than one number of rethrows: '2 1'",
        "3!2": "unexpected character '!'",
        "3|2−2": "unexpected character '−'",
        "3.5": "unexpected character '.'",
        "３": "unexpected character '３'",
        "3\t|2": "unexpected character '\\t'",
        "3\n": "unexpected character '\\n'",
        "lizard": "unexpected character 'l'",
        "0": "a roll has at least 1 throw",
        "0|2-2": "a roll has at least 1 throw",
        "1000": "throws can’t be '1000': 999 at most",
        "3|1000": "rethrows can’t be '1000': 999 at most",
        "3-1000": "difficulty can’t be '1000': 999 at most",
        "9" * 100_000: "999 at most",
    }.items(),
)
def test_invalid_rolls_are_refused_with_reason_and_format(text: str, why: str) -> None:
    with pytest.raises(IllegalRollError) as error:
        Roll.parse(text)
    assert why in str(error.value)
    assert str(error.value).endswith("write a roll as t|r-d, such as 3, 3|2, 3-1 or 3|2-2")
    assert len(str(error.value)) < 200 and "\n" not in str(error.value)


@given(st.text("0123456789|- x", max_size=12))
def test_only_text_in_the_roll_format_is_accepted(text: str) -> None:
    parts = re.fullmatch(r" *(\d+) *(?:\| *(\d+) *)?(?:- *(\d+) *)?", text)
    numbers = [int(part or 0) for part in parts.groups()] if parts else []
    if numbers and numbers[0] >= 1 and max(numbers) <= MAX_ROLL_NUMBER:
        assert Roll.parse(text) == Roll(*numbers)
    else:
        with pytest.raises(IllegalRollError):
            Roll.parse(text)


@pytest.mark.parametrize("numbers", [(0,), (-1,), (1, -1), (1, 0, -1), (1000,), (1, 1000), (1, 0, 10**400)])
def test_numbers_out_of_range_are_refused(numbers: tuple[int, ...]) -> None:
    with pytest.raises(IllegalRollError):
        Roll(*numbers)


# ------------------------------------------------------------------------------------------------- the command


def run_odds(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = run_command(["odds", *words])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_odds(capsys, "3|2-2") == (
        0,
        """\
3|2-2: 3 throws, 2 rethrows, difficulty 2
botch          25.93 %  7/27
failed          3.70 %  1/27
failure        29.63 %  8/27
  degree -1    29.63 %  8/27
success        40.74 %  11/27
  degree 0     24.69 %  20/81
  degree 1     11.52 %  28/243
  degree 2      4.12 %  10/243
  degree 3      0.41 %  1/243
""",
        "",
    )
    assert run_odds(capsys, "1")[1].splitlines()[:4] == [
        "1: 1 throw, no rethrows, difficulty 0",
        "botch         33.33 %  1/3",
        "failed        33.33 %  1/3",
        "failure           0 %  0/1",
    ]


@given(chance=st.fractions(0, 1))
def test_percentages_are_accurate_and_0_and_100_are_exact(chance: Fraction) -> None:
    text = as_percent(chance)
    assert (text == "0 %", text == "100 %") == (chance == 0, chance == 1)
    number = Fraction(text.strip("<> %")) / 100
    assert abs(number - chance) <= Fraction(1, 10_000)


@pytest.mark.parametrize("text", ["3|2-2", " 4 - 9", "20|20-5"])
def test_json_is_exact(capsys: pytest.CaptureFixture[str], text: str) -> None:
    status, out, _ = run_odds(capsys, text, "--json")
    data, roll = json.loads(out), Roll.parse(text)
    assert status == 0 and out.count("\n") == 1
    assert (data["roll"], data["throws"], data["rethrows"], data["difficulty"]) == (
        str(roll),
        roll.throws,
        roll.rethrows,
        roll.difficulty,
    )
    chances = compute_odds(roll)
    assert {name: Fraction(each["fraction"]) for name, each in data["outcomes"].items()} == chances.outcomes()
    assert {int(name): Fraction(each["fraction"]) for name, each in data["degrees"].items()} == chances.degrees
    for each in (*data["outcomes"].values(), *data["degrees"].values()):
        assert each["chance"] == pytest.approx(float(Fraction(each["fraction"])))
        assert re.fullmatch(r"\d+/\d+", each["fraction"])


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("text", ["1", "3|2-2", "3-9", "2|2-3", "100|100-40", "100|100-3", "999|999-440"])
def test_chart_names_every_outcome_inside_its_edges(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    path = tmp_path / "odds.svg"
    assert run_odds(capsys, text, "--picture", str(path))[0] == 0
    assert list(tmp_path.iterdir()) == [path], "nothing else is left behind"
    words = [element.text for element in ElementTree.parse(path).iter(f"{SVG}text")]
    assert f"Chances of {text}" in words
    roll = Roll.parse(text)
    chances = compute_odds(roll)
    for outcome, chance in chances.outcomes().items():
        assert (outcome in words and as_percent(chance) in words) == (chance > 0)
    figure = odds_figure(roll, chances)
    figure.draw_without_rendering()  # lays it out
    names = [plot.xaxis.label.get_window_extent() for plot in figure.axes]
    assert all(one.x1 < other.x0 for one, other in pairwise(names)), "names of outcomes do not overlap"
    labels = [text.get_window_extent() for plot in figure.axes for text in (*plot.texts, *plot.get_xticklabels())]
    for box in (*names, *labels, *(text.get_window_extent() for text in figure.texts)):
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= 1280 and box.y1 <= 720, box


def test_chart_bars_are_as_high_as_the_odds() -> None:
    chances = compute_odds(Roll(3, 2, 2))
    plots = {plot.get_xlabel().split("\n")[0]: plot for plot in odds_figure(Roll(3, 2, 2), chances).axes}
    heights = {name: [bar.get_height() for bar in plot.containers[0]] for name, plot in plots.items()}
    assert heights == {
        "botch": [float(chances.botch)],
        "failed": [float(chances.failed)],
        "failure": [float(chances.failure)],
        "success": [float(chances.degrees[degree]) for degree in range(4)],
    }
    hatched = {name: all(bar.get_hatch() for bar in plot.containers[0]) for name, plot in plots.items()}
    assert hatched == {"botch": True, "failed": True, "failure": True, "success": False}
    assert [label.get_text() for label in plots["success"].get_xticklabels()] == ["0", "1", "2", "3"]


def test_chart_is_written_as_png(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "odds.PNG"
    assert run_odds(capsys, "3|2-2", "--picture", str(path))[0] == 0
    drawn = cv2.imread(str(path))
    assert drawn is not None and drawn.shape == (720, 1280, 3)
    assert 0.05 < (drawn == (180, 119, 31)).all(axis=2).mean() < 0.3, "the solid bars"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("3|2-2", "--picture", "odds.jpg"), "--picture odds.jpg: the name must end in .png or .svg"),
        (("3|2-2", "--picture", "odds"), "--picture odds: the name must end in .png or .svg"),
        (("3|2-2", "--picture", "no/odds.png"), "--picture no/odds.png can't be written: No such file or directory"),
        (("3|2-2", "--picture", "folder.svg"), "--picture folder.svg can't be written: Is a directory"),
        (("3|2|2",), "'3|2|2' is not a roll: | appears 2 times"),
        (("-3",), "'-3' is not a roll: the throws are missing"),
        (("",), "'' is not a roll: the throws are missing"),
        (("--jsno",), "there is no option '--jsno'"),
        ((), "T|R-D is missing"),
        (("3", "4"), "4: more arguments than throwlock odds takes"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    status, out, err = run_odds(capsys, *words)
    assert status == 2 and out == "" and err.count("\n") == 1 and why in err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.svg"]
