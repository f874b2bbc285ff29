"""``throwlock export --format clip``: a file for each round, and one clear line for what can't be done."""

from pathlib import Path

import pytest

from tests.helpers.clip_rounds import R, S, late_round, round_of
from throwlock.cli import archive
from throwlock.cli.main import run_command
from throwlock.review.make_clip import ClipFormat


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match with three rounds: a late hand, one without pictures, and one that counts. Clips are made at once."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(archive, "lower_process_priority", lambda: None)
    box, _ = late_round(tmp_path)
    box.add_round(R, R)
    round_of(box, R, S)
    box.close()

    def make(archive: object, event: int, clip_format: ClipFormat, path: Path, on_progress: object) -> None:
        path.write_text(f"{event} {clip_format}")

    monkeypatch.setattr(archive, "make_clip", make)
    monkeypatch.chdir(tmp_path)
    return box.path


def run(journal: Path, *arguments: str) -> int:
    return run_command(["export", "1", "--format", "clip", "--journal", str(journal), *arguments])


def test_every_round_with_pictures_is_a_file(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(journal) == 0
    names = ["throwlock-match-1-round-1.mp4", "throwlock-match-1-round-3.mp4"]
    output = capsys.readouterr()
    assert output.out.splitlines() == names and "1 round has no pictures" in output.err
    assert [(journal.parent / name).read_text().partition(" ")[2] for name in names] == ["mp4", "mp4"]


def test_files_go_where_they_are_wanted(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = journal.parent / "a" / "folder"
    assert run(journal, "--out", str(folder), "--clip-format", "webp", "--language", "de") == 0
    assert sorted(file.name for file in folder.iterdir()) == [
        "throwlock-match-1-round-1.webp",
        "throwlock-match-1-round-3.webp",
    ]
    assert run(journal, "--round", "3", "--out", str(folder / "ours.mp4")) == 0
    assert run(journal, "--round", "3", "--out", str(folder)) == 0
    assert {"ours.mp4", "throwlock-match-1-round-3.mp4"} <= {file.name for file in folder.iterdir()}
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--round", "9"), "match 1 has no round 9: it has 3 rounds"),
        (("--round", "2"), "there are no pictures of round 2 of match 1"),
        (("--no-pictures",), "--pictures and --no-pictures can't be used with --format clip"),
        (("--out", "evening.journal"), "is the journal itself"),
        (("--out", "a file"), "is a file: name a folder"),
    ],
)
def test_one_line_says_what_can_not_be_done(
    journal: Path, arguments: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (journal.parent / "a file").touch()
    assert run(journal, *arguments) != 0
    output = capsys.readouterr()
    assert line in output.err and len(output.err.strip().splitlines()) == 1 and output.out == ""


def test_there_are_no_clips_of_a_match_that_there_is_not(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["export", "2", "--format", "clip", "--journal", str(journal)]) != 0
    assert "There is no match 2" in capsys.readouterr().err


@pytest.mark.parametrize("option", [("--round", "1"), ("--clip-format", "webp"), ("--language", "de")])
def test_options_of_clips_are_for_clips(
    journal: Path, option: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["export", "1", "--format", "csv", "--journal", str(journal), *option]) != 0
    assert f"{option[0]} can't be used with --format csv" in capsys.readouterr().err
