"""The commands on the page about filming run as they stand, on a folder filmed at a simulated table."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.throws import Throw
from throwlock.filming.folder import Consent, FilmingFolder, Label, Licence, SeatConsent
from throwlock.filming.schedule import SimulatedActors, plan_takes
from vision.hands.model import ModelError, model_path
from vision.zones import Zone

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/filming-throws.md").read_text()
LINES = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
CUE_NS, BEAT_NS = 3_000_000_000, 600_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a filming of one throw, as the page names it."""
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(str(fault))
    place = tmp_path_factory.mktemp("filmed")
    agreed = SeatConsent(by="player", at="2026-11-23T18:00:00+00:00")
    consent = Consent(text="", language="en", licence=Licence.CC0, table_seats=2, seats={1: agreed, 2: agreed})
    filming = FilmingFolder.create(place / "filmed-throws", "2026-11-23", "simulated", consent)
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2, seed=4, size=(640, 360), fps=30)
    table.start()
    actors = SimulatedActors(table)
    actors.agreed = throws = plan_takes([1, 2])[0]
    actors.on_count((1, 2), CUE_NS, BEAT_NS, 0)
    clock.wait_until(CUE_NS + 1_500_000_000)
    frames = table.frames_between(CUE_NS - 1_500_000_000, CUE_NS + 1_500_000_000)
    zones = {seat: Zone(*zone) for seat, zone in enumerate(table.zones, 1)}
    take = filming.add_take(1, throws, zones, frames, CUE_NS, 600)
    for seat, one in throws.items():
        at = take.frame_at(20 + 10 * (seat - 1))
        spread = 0 if one.throw is Throw.ROCK else 2
        last = len(frames) - 2
        label = Label(kind="throw", throw=one.throw, onset=at - spread, settled=at + spread, held_until=last)
        filming.set_label(1, seat, label)
    return place


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in LINES if not line.startswith("throwlock film")])
def test_the_commands_run_as_they_stand(folder: Path, line: str) -> None:
    """But for ``throwlock film``, which needs a camera: tests/throwlock/filming runs it."""
    if line.startswith("tar") and shutil.which("tar") is None:
        pytest.skip("tar is not installed")
    bin_folder = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(shlex.split(line), cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"{line}\n{run.stdout}\n{run.stderr}"
    if line.startswith("throwlock judge"):
        assert "seat 1: paper" in run.stdout
    elif line.startswith("tar"):
        assert (folder / "filmed-throws.tar.gz").stat().st_size > 10_000
    else:
        assert '"verdicts"' in run.stdout


def test_the_page_names_every_file_of_the_folder(folder: Path) -> None:
    (filming,) = (folder / "filmed-throws").iterdir()
    names = {re.sub(r"take-\d+-\d-seat-\d", "take-NN-A-seat-S", path.name) for path in filming.iterdir()}
    assert [name for name in names if f"`{name}`" not in PAGE] == []
