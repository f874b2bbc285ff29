"""Many matches in a row leave no open file or thread, and memory does not grow with them; the run with faults finds
what is lost."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import GAMES
from throwlock.journal.journal import JournalReader
from throwlock.review.verify import verify
from tools.soak import damage, faults, power_cut
from tools.soak.curve import MATCH_CYCLE, ResourceUsage, play_matches
from tools.soak.player import Task, play_task
from tools.soak.shim import Call
from tools.soak.transcript import compare, history, read_transcript
from ui.i18n import language


@pytest.mark.slow
def test_resources_do_not_grow_with_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    assert {name for name, _, _ in MATCH_CYCLE} == GAMES.keys()
    usages: list[ResourceUsage] = []
    rounds = len(MATCH_CYCLE)
    play_matches(tmp_path, 4 * rounds, rounds, usages.append)
    language.set_language("en")
    warm, last = usages[1], usages[-1]
    assert [usage.matches for usage in usages] == [rounds * n for n in range(1, 5)]
    assert last.files == warm.files and last.threads == warm.threads
    assert last.objects - warm.objects < 200 * (last.matches - warm.matches), "less than an event of one match"
    with JournalReader(tmp_path / "soak.journal") as journal:
        assert len(journal.matches()) == last.matches and journal.unfinished_match() is None
        assert verify(journal).problems == ()


# -------- with faults


@pytest.fixture
def small_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """One short match for each journal, and few copies of it."""
    monkeypatch.setattr(faults, "MATCHES_PER_JOURNAL", 1)
    monkeypatch.setattr(faults, "SPOILED_PER_JOURNAL", 4)
    monkeypatch.setattr(faults, "POWER_CUTS_PER_JOURNAL", 3)


@pytest.mark.slow
def test_a_match_of_each_kind_loses_nothing(tmp_path: Path, small_run: None) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("there is no C compiler")
    run = faults.FaultRun(tmp_path, 1, 4, float("inf"))
    run.run()
    assert [problem for tally in run.tallies for problem in tally.problems] == []
    for tally in (run.kills, run.killed_calls, run.clock, run.disk):
        assert tally.matches == 1 and tally.events > 2 and tally.shown > 2
    assert run.clock.tried > 0 and run.disk.tried > 0 and run.flips.tried > 0 and run.power_cuts.tried == 3


# -------- the comparison finds what is lost


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """The journal of a match, and the transcript of its process."""
    folder = tmp_path_factory.mktemp("played")
    path, transcript = folder / "one.journal", folder / "transcript"
    assert play_task(Task(str(path), str(transcript), 0, 1)) == 0
    return path, [dict(line) for line in read_transcript(transcript)]


Lines = list[dict[str, Any]]


def pages(lines: Lines, page: str) -> Lines:
    return [line for line in lines if line.get("page") == page]


def written(lines: Lines) -> Lines:
    return [line for line in lines if line["kind"] == "written"]


def show_out_of_order(lines: Lines) -> None:
    reveals = pages(lines, "reveal")
    reveals[0]["code"], reveals[-1]["code"] = reveals[-1]["code"], reveals[0]["code"]


def restart_with_a_refused_event(lines: Lines) -> None:
    lines[-1:] = [{"kind": "try"}, {"kind": "not written"}, {**lines[-1], "number": lines[-1]["number"] + 1}]


UNKNOWN_CODE = "00000-00000-00000-00000"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: None, None),
        (lambda lines: written(lines)[1].update(hash="0" * 64), "was written and is lost"),
        (lambda lines: pages(lines, "reveal")[0].update(code=UNKNOWN_CODE), f"its event {UNKNOWN_CODE} is lost"),
        (lambda lines: pages(lines, "reveal")[0]["seats"]["1"].__setitem__(0, "another"), "does not follow from it"),
        (lambda lines: pages(lines, "message")[0].update(sentences=["Another one."]), "does not follow from it"),
        (lambda lines: pages(lines, "result")[0].update(sentence="Nobody has won."), "does not follow from it"),
        (
            lambda lines: pages(lines, "reveal")[1].update(code=pages(lines, "reveal")[0]["code"]),
            "does not follow from it",
        ),
        (show_out_of_order, "was shown after event"),
        (lambda lines: lines.insert(lines.index(pages(lines, "reveal")[0]), pages(lines, "reveal")[0]), "shown twice"),
        (lambda lines: lines[-1].update(number=lines[-1]["number"] - 1), "is lost after a restart"),
        (restart_with_a_refused_event, "was refused, and is there after a restart"),
        (lambda lines: lines[-1].update(hash="0" * 64), "is another one after a restart"),
        (lambda lines: lines.append({"kind": "refused", "error": "a\nb", "damaged": False}), "has several lines"),
        (
            lambda lines: lines.append({"kind": "refused", "error": "one", "damaged": True}),
            "nothing is damaged, and yet",
        ),
        (lambda lines: lines.append({"kind": "failed", "error": "KeyError"}), "not an error of the journal: KeyError"),
    ],
)
def test_what_is_lost_or_wrong_is_found(
    played: tuple[Path, Lines], change: Callable[[Lines], None], problem: str | None
) -> None:
    path, lines = played[0], json.loads(json.dumps(played[1]))
    change(lines)
    problems = compare(lines, path, history(path)).problems
    assert any(problem in one for one in problems) if problem else problems == []


def test_an_event_that_could_not_be_erased_is_counted(played: tuple[Path, list[dict[str, Any]]]) -> None:
    path, lines = played[0], json.loads(json.dumps(played[1]))
    warning = {"kind": "warning", "text": "a refused transaction may still be in the log: disk I/O error"}
    opened = {**lines[-1], "number": lines[-1]["number"] + 1}
    found = compare([*lines, {"kind": "try"}, warning, {"kind": "not written"}, opened], path)
    assert found.came_back == 1 and found.problems == []


def test_a_match_that_went_on_otherwise_is_found(played: tuple[Path, list[dict[str, Any]]]) -> None:
    path, lines = played
    other = [*history(path)[:-1], "another end"]
    assert compare(lines, path, other).problems == ["a match went on otherwise than without any fault"]


# -------- spoilt copies and power cuts


def test_another_content_is_not_accepted(played: tuple[Path, list[dict[str, Any]]], tmp_path: Path) -> None:
    whole = damage.read_content(played[0])
    last = whole.events[-1].number
    copies = [damage.copy_journal(played[0], tmp_path / str(number)) for number in range(3)]
    assert damage.find_unnoticed(copies[0], whole, last, random.Random(1)) == (False, [])
    more = damage.Content([*whole.events, whole.events[-1]], whole.evidence, whole.players, {})
    assert damage.find_unnoticed(copies[1], more, last, random.Random(1)) == (False, [])
    _, problems = damage.find_unnoticed(copies[2], more, last + 1, random.Random(1))
    assert problems == ["another content is accepted", "once a box had opened it: another content is accepted"]


def call(kind: Call, path: Path, offset: int = 0, data: bytes = b"", size: int = 0) -> power_cut.RecordedCall:
    return power_cut.RecordedCall(kind, path, offset, size, data)


def test_power_cut_keeps_what_was_synced() -> None:
    one, two = Path("/f/one"), Path("/f/two")
    calls = [
        call(Call.WRITE, one, 2, b"synced"), call(Call.SYNC, one), call(Call.WRITE, one, 0, b"x" * 2048),
        call(Call.UNLINK, two),
    ]  # fmt: skip
    left = [power_cut.rebuild(calls, {one: b"", two: b"two"}, random.Random(seed)) for seed in range(50)]
    assert {two in files for files in left} == {True, False}
    assert len({files[one] for files in left}) > 5
    for files in left:
        assert files[one].startswith(b"x") or files[one].startswith(b"\0\0synced")
    folder = [*calls[:2], calls[3], call(Call.SYNC, Path("/f"))]
    assert power_cut.rebuild(folder, {one: b"", two: b"two"}, random.Random(1)) == {one: b"\0\0synced"}
    shorter = [call(Call.TRUNCATE, two, size=1), call(Call.SYNC, two)]
    assert power_cut.rebuild(shorter, {two: b"two"}, random.Random(1)) == {two: b"t"}
