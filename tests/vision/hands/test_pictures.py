"""The real hand model on real pictures: a sample of the labelled sets is recognised as well as was measured over all of
them, with some room; and the finder keeps its promises."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from device.camera.frames import Pixels
from rules.throws import Throw
from vision.hands.augmented_looks import LOOKS, look
from vision.hands.detector import HandFinder
from vision.hands.model import ModelError, prepare
from vision.hands.shapes import read
from vision.hands.stills import Recogniser, read_picture

SETS = Path("../shared/data/hands")


@pytest.fixture(scope="module", autouse=True)
def sets() -> Path:
    if not SETS.is_dir():
        pytest.skip(f"the pictures are not in {SETS}")
    try:
        prepare()
    except ModelError as fault:
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
    return read_picture(spread(sets / "set01" / "paper", 1)[0])


def read_all(*folders: str, per: int) -> list[tuple[str, Throw | None]]:
    """The folder's shape and what is read, of so many pictures of each."""
    read = []
    with Recogniser() as recogniser:
        for folder in folders:
            for file in spread(SETS / folder, per):
                found = recogniser.recognise(read_picture(file))
                read.append((file.parent.name, found[0].throw if found else None))
    return read


def spread(folder: Path, per: int) -> list[Path]:
    """So many of a folder's pictures, evenly spread."""
    files = sorted(folder.glob("*.jpg"))
    return [files[i * len(files) // per] for i in range(per)]


def test_other_people_and_cameras_are_read(sets: Path) -> None:
    """What the project aims at, on pictures it was trained on or not: at most 3 % undecided and 0.5 % wrong."""
    folders = [f"set{number:02}/{throw}" for number in range(1, 18) for throw in Throw]
    shown = read_all(*folders, per=1)
    assert len(shown) == 51
    assert sum(throw == folder for folder, throw in shown) >= 49
    assert sum(throw not in (folder, None) for folder, throw in shown) == 0


def test_hands_that_are_no_throw_are_refused(sets: Path) -> None:
    """Of 90 such pictures 2 are read as throws; in a third of them there is room for chance, not for much more."""
    shown = read_all(*(f"set03/other_{fingers}finger" for fingers in (1, 3, 4)), per=10)
    assert len(shown) == 30 and sum(throw is not None for _, throw in shown) <= 2


def test_the_first_look_alone_reads_most_hands_at_a_table(finder: HandFinder) -> None:
    right = 0
    files = [file for throw in Throw for file in spread(SETS / "set01" / throw, 10)]
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
        "import sys, numpy as np; from vision.hands import recognise; from vision.hands.detector import HandFinder\n"
        "assert 'mediapipe' not in sys.modules and 'matplotlib' not in sys.modules\n"
        "finder = HandFinder(); finder.find(np.zeros((48, 64, 3), np.uint8))\n"  # and left open
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_finder_may_be_closed_twice(sets: Path) -> None:
    finder = HandFinder("lite")
    finder.close()
    finder.close()
