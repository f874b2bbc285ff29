"""The real hand model on real pictures: a sample of the labelled sets is recognised as well as was measured over all of
them, with some room; and the finder keeps its promises."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from device.frames import Pixels
from rules.throws import Throw
from vision.hands.finder import HandFinder
from vision.hands.looks import LOOKS, look
from vision.hands.model import ModelFault, prepare
from vision.hands.recognise import read_picture
from vision.hands.report import Seen, pictures, see, table
from vision.hands.shapes import read

SETS = Path("../shared/data/hands")


@pytest.fixture(scope="module", autouse=True)
def sets() -> Path:
    if not SETS.is_dir():
        pytest.skip(f"the pictures are not in {SETS}")
    try:
        prepare()
    except ModelFault as fault:
        if "can't be fetched" not in str(fault):
            raise
        pytest.skip(str(fault))
    return SETS


@pytest.fixture(scope="module")
def finder(sets: Path) -> Iterator[HandFinder]:
    with HandFinder() as finder:
        yield finder


@pytest.fixture(scope="module")
def paper(sets: Path) -> Pixels:
    return read_picture(pictures(sets, ["set01"], 1)[0])


def sample(names: list[str], per: int) -> list[Seen]:
    files = pictures(SETS, names, per)
    with ThreadPoolExecutor(2) as pool:
        return [one for half in pool.map(see, (files[::2], files[1::2])) for one in half]


def test_the_table_of_one_person_after_another_is_read(sets: Path) -> None:
    seen = sample(["set01"], 15)
    counts = Counter(one.outcome for one in seen)
    assert len(seen) == 45
    assert counts["right"] >= 44 and counts["wrong"] == 0


def test_other_people_and_cameras_are_read(sets: Path) -> None:
    seen = [one for one in sample([f"set{number:02}" for number in range(2, 18)], 2) if one.label]
    counts = Counter(one.outcome for one in seen)
    assert len(seen) == 96
    assert counts["right"] >= 0.92 * len(seen) and counts["wrong"] <= 0.03 * len(seen)


def test_hands_that_are_no_throw_are_refused(sets: Path) -> None:
    seen = [one for one in sample(["set03"], 10) if one.label is None]
    assert Counter(one.folder.name for one in seen) == {"other_1finger": 10, "other_3finger": 10, "other_4finger": 10}
    assert sum(one.throw is not None for one in seen) <= 2
    assert all(one.calls == len(LOOKS) for one in seen)


def test_the_first_look_alone_reads_most_hands_at_a_table(finder: HandFinder) -> None:
    right = 0
    files = pictures(SETS, ["set01"], 10)
    before = finder.calls
    for file in files:
        hand = look(finder, read_picture(file), LOOKS[:1])
        right += hand is not None and read(hand).throw == Throw(file.parent.name)
    assert finder.calls == before + len(files)
    assert right >= 0.85 * len(files)


def test_a_hand_lies_where_it_is_in_the_picture(finder: HandFinder, paper: Pixels) -> None:
    plain = look(finder, paper)
    wide = np.pad(paper, ((60, 20), (200, 40), (0, 0)), mode="edge")
    moved = look(finder, wide)
    assert plain is not None and moved is not None
    assert np.abs(moved.landmarks - (200, 60) - plain.landmarks).mean() < 0.05 * max(plain.box.w, plain.box.h)
    assert plain.world.shape == (21, 3) and 0 < plain.score <= 1
    assert 0.05 < np.linalg.norm(plain.world[9] - plain.world[0]) < 0.15  # a palm is about ten centimetres


def test_a_finder_takes_any_array_and_counts_its_calls(finder: HandFinder, paper: Pixels) -> None:
    before = finder.calls
    assert finder.find(paper[::1, ::-1]) != []
    assert finder.find(np.zeros((1, 1, 3), np.uint8)) == []
    assert finder.calls == before + 2
    assert finder.find(np.zeros((0, 5, 3), np.uint8)) == []


def test_nothing_is_printed_and_nothing_heavy_is_imported_too_early(sets: Path) -> None:
    program = (
        "import sys, numpy as np; from vision.hands import recognise; from vision.hands.finder import HandFinder\n"
        "assert 'mediapipe' not in sys.modules and 'matplotlib' not in sys.modules\n"
        "finder = HandFinder(); finder.find(np.zeros((48, 64, 3), np.uint8))\n"  # and left open
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_finder_may_be_closed_twice(sets: Path) -> None:
    finder = HandFinder("lite")
    finder.close()
    finder.close()


def test_the_report_counts_by_folder_and_throw() -> None:
    rock, other = Path("set01/rock"), Path("set03/other_1finger")
    lines = list(
        table([Seen(rock, Throw.ROCK, 3), Seen(rock, Throw.PAPER, 5), Seen(rock, None, 4), Seen(other, None, 2)])
    )
    rows = {line[:24].strip(): line[24:].split() for line in lines}
    assert rows["set01/rock"] == ["3", "33.3%", "33.3%", "33.3%", "4.00"]
    assert rows["set03/other_1finger"] == ["1", "0.0%", "0.0%", "100.0%", "2.00"]
    assert rows["all/no throw"] == rows["set03/other_1finger"] and rows["all throws"] == rows["all/rock"]
