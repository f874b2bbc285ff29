"""Commands that write a file for people, on a full disk: one line, no half file, and what was there before stays."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.clip_rounds import late_round
from tests.helpers.journals import limit_file_size, names_in
from tests.helpers.slow_params import slow
from throwlock.cli.main import run_command
from throwlock.journal.events import MatchAbandoned

ROOM = 50
"""Bytes of any file."""
EXPORT = ("export", "1", "--journal", "evening.journal")
WRITERS = {
    "match.json": (*EXPORT, "--format", "json", "--out"),
    "match.csv": (*EXPORT, "--format", "csv", "--out"),
    "match.xlsx": (*EXPORT, "--format", "xlsx", "--out"),
    "match.html": (*EXPORT, "--format", "html", "--out"),
    "round.mp4": (*EXPORT, "--format", "clip", "--round", "1", "--out"),
    "round.webp": (*EXPORT, "--format", "clip", "--clip-format", "webp", "--round", "1", "--out"),
    "match.parquet": (*EXPORT, "--format", "parquet", "--out"),
    "mats.pdf": ("cards", "mats", "--out"),
    "tournament.pdf": ("tournament", "print", "--journal", "evening.journal", "--out"),
    "odds.png": ("odds", "3|2-2", "--picture"),
    "odds.svg": ("odds", "3|2-2", "--picture"),
}
"""The words of each command, to which the file's name is added."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal of a match with a clip, and of a tournament."""
    folder = tmp_path_factory.mktemp("evening")
    box, _ = late_round(folder)
    box.journal.append(box.match, MatchAbandoned())
    box.close()
    people = (word for name in ("Ada", "Ben", "Cy") for word in ("--name", name))
    assert run_command(["tournament", "new", "classic", "--journal", str(box.path), *people]) == 0
    return folder


def run_with_little_room(folder: Path, words: tuple[str, ...], output: Path | None = None) -> tuple[int, str]:
    """Return the command's exit status and what it says on standard error."""
    with (output or Path("/dev/null")).open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", "from throwlock.cli.main import main; main()", *words],
            cwd=folder, stdout=out, stderr=subprocess.PIPE, text=True, check=False,
            preexec_fn=limit_file_size(ROOM),
        )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("match.json", None),
        ("match.json", b"the one before"),
        *slow(*((name, b"the one before") for name in WRITERS if name != "match.json")),
    ],
)
def test_a_file_is_written_whole_or_not_at_all(folder: Path, name: str, before: bytes | None) -> None:
    file = folder / name
    file.unlink(missing_ok=True)
    if before is not None:
        file.write_bytes(before)
    status, said = run_with_little_room(folder, (*WRITERS[name], name))
    assert status == 2 and said.count("\n") == 1 and name in said, said
    assert not [other for other in names_in(folder) if name in other and other != name]
    assert (file.read_bytes() if file.exists() else None) == before


@pytest.mark.slow
def test_a_full_disk_refuses_to_note_that_the_journal_of_an_index_moved(folder: Path, tmp_path: Path) -> None:
    copy = str(shutil.copy(folder / "evening.journal", tmp_path))
    assert (
        run_command(["export", "1", "--journal", copy, "--format", "xlsx", "--out", str(tmp_path / "match.xlsx")]) == 0
    )
    status, said = run_with_little_room(folder, (*WRITERS["match.xlsx"], "match.xlsx"))
    assert status == 2 and "match.xlsx" in said, said


@pytest.mark.parametrize("words", [EXPORT, ("record", "evening.journal"), ("odds", "3|2-2")])
def test_a_full_standard_output_is_one_line(folder: Path, words: tuple[str, ...]) -> None:
    status, said = run_with_little_room(folder, words, Path("/dev/full"))
    assert status == 2 and said.count("\n") == 1 and "No space left on device" in said, said
