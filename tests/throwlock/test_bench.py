"""``throwlock doctor --bench``: what is measured, what is written, what is not said."""

import getpass
import json
import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.base import CameraError
from device.system.clock import SimulatedClock
from device.system.processor import ProcessorStatus
from tests.helpers.simulated_processor import SimulatedProcessor
from tests.helpers.simulated_screen import SimulatedScreen
from throwlock.bench.cue import (
    FLASHES,
    CueTimes,
    ScreenNotSeenError,
    WindowFlasher,
    measure_seen_ms,
    play_counts,
    rise_ns,
)
from throwlock.bench.machine import EVIDENCE_KB, board_name, describe_machine, disk_name, read_conditions, time_commits
from throwlock.bench.recorded_round import CLIP_PATH, RecordedRound, load_round, time_model, time_verdicts
from throwlock.bench.result import BenchResult, NotMeasured, Timings, VerdictTimings, percentile, render_page
from throwlock.bench.screen import FrameRateBench, FrameTimes, late_share, run_in_box_window
from throwlock.cli.doctor import bench as measure
from throwlock.cli.doctor import checks, probes
from throwlock.cli.doctor.bench import JSON_NAME, PAGE_NAME, Bench, exit_on_signals, is_box_running, write_bench
from throwlock.cli.doctor.bench_probes import BENCH_PROBES
from throwlock.cli.doctor.checks import PartStatus
from throwlock.cli.doctor.probes import ProbeResult, run_probe
from throwlock.cli.main import run_command
from throwlock.cli.options import UsageError
from throwlock.journal.journal import JournalReader
from ui.screen.core.window import Window
from ui.screen.pages.countdown import Countdown
from vision.hands.model import ModelError, model_path

TODAY = date(2026, 11, 22)
TIMES = {"count": 3, "median_ms": 20.0, "p95_ms": 25.0, "slowest_ms": 30.0}
SCREEN = {
    "driver": "KMSDRM", "width": 800, "height": 480,
    "runs": [{"load": "nothing is judged", "frames_per_second": 60.0, "late_share": 0.01, "longest_gap_ms": 31.0}],
}  # fmt: skip


def test_percentiles_are_interpolated() -> None:
    assert percentile([3.0], 95) == 3.0 and percentile([1.0, 1.0], 99) == 1.0
    assert percentile([*map(float, range(101))], 95) == 95.0
    assert percentile([0.0, 1.0], 95) == pytest.approx(0.95)


def found_by(args: Sequence[str]) -> dict[str, Any]:
    """What a probe finds where everything works."""
    match args[0]:
        case "verdict":
            seats = int(args[1])
            return {"seats": seats, "model_calls": 12 * seats, "correct_seats": seats, "times": TIMES}
        case "screen":
            return SCREEN
        case "journal":
            assert Path(args[1]).is_dir()
            return {"evidence_kb": 65, "disk": "ext4", "commits": TIMES}
        case _:
            return TIMES


def run_bench(
    journal: Path, broken: dict[str, ProbeResult] | None = None, *statuses: ProcessorStatus
) -> tuple[BenchResult, list[str], list[list[str]]]:
    """Measure with a stand-in for every process; return the result, the lines printed and what was asked."""
    lines, asked = list[str](), list[list[str]]()

    def attempt(args: Sequence[str], seconds: float) -> ProbeResult:
        assert 0 < seconds <= 300
        asked.append(list(args))
        return (broken or {}).get(args[0], ProbeResult(0, found_by(args), ""))

    result = Bench(attempt, SimulatedProcessor(*statuses), lines.append).run(journal, TODAY)
    return result, lines, asked


# -------- the whole


def test_everything_is_measured_once(tmp_path: Path) -> None:
    cool, hot = ProcessorStatus(40.04, ()), ProcessorStatus(81.5, ("throttled now",))
    result, lines, asked = run_bench(tmp_path / "one.journal", None, cool, hot)
    assert [args[:2] for args in asked[:-1]] == [
        ["model"], ["verdict", "2"], ["verdict", "4"], ["verdict", "8"], ["screen"], ["cue"], ["camera"],
    ]  # fmt: skip
    assert asked[-1][0] == "journal"
    assert (result.before.temperature_c, result.after.throttling) == (40.0, ("throttled now",))
    assert result.date == "2026-11-22"
    assert isinstance(result.model_call, Timings) and result.model_call.median_ms == 20.0
    assert isinstance(result.verdicts["8"], VerdictTimings) and result.verdicts["8"].model_calls == 96
    text = render_page(result)
    assert all(line in text for line in lines), "what is printed is what the page says"
    assert "Before   load" in text and "40.0 °C, not throttled: a" in text and "81.5 °C, throttled now" in text
    assert "Verdict, 8 seats" in text and "96 model calls, 8 of 8 seats right" in text
    assert "60.0 frames per second, 1.0% late, longest gap 31 ms (KMSDRM, 800×480)" in text


def test_a_result_is_read_again(tmp_path: Path) -> None:
    broken = {"camera": ProbeResult(1, {"error_type": "CameraError"}, "no camera usb:0")}
    result, _, _ = run_bench(tmp_path / "one.journal", broken)
    assert BenchResult.model_validate_json(result.model_dump_json()) == result


@pytest.mark.parametrize(
    ("tried", "reason"),
    [
        (ProbeResult(1, {"error_type": "CameraError"}, "no camera usb:0"), "no camera that works"),
        (ProbeResult(1, {"error_type": "ScreenNotSeenError"}, "why"), "the camera does not see the screen"),
        (ProbeResult(1, {"error_type": "ZeroDivisionError"}, "why"), "failed (ZeroDivisionError)"),
        (ProbeResult(1, {}, "No module named pygame"), "failed (no result)"),
        (ProbeResult(0, {"count": 3}, ""), "failed (no result)"),
        (ProbeResult(-signal.SIGILL, {}, ""), "ended by SIGILL"),
        (ProbeResult(None, {}, ""), "took too long"),
    ],
)
def test_what_fails_is_said_and_the_rest_is_measured(tmp_path: Path, tried: ProbeResult, reason: str) -> None:
    result, lines, _ = run_bench(tmp_path / "one.journal", {"camera": tried})
    assert result.cue.seen == NotMeasured(not_measured=reason)
    assert result.cue.drawn == Timings.model_validate(TIMES)
    assert f"not measured: {reason}" in render_page(result)
    assert f"camera: {tried.why}" in lines, "the error itself is printed"


def test_every_part_can_fail(tmp_path: Path) -> None:
    broken = {name: ProbeResult(None, {}, "") for name in BENCH_PROBES}
    result, _, _ = run_bench(tmp_path / "one.journal", broken)
    text = render_page(result)
    assert text.count("not measured: took too long") == 8
    assert "temperature not available, throttling not available" in text


def test_nothing_identifies_the_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home/bob-the-owner"
    home.mkdir(parents=True)
    broken = {"screen": ProbeResult(1, {"error_type": "OSError"}, f"{home}/secret can’t be read")}
    result, lines, _ = run_bench(home / "evening.journal", broken)
    written = result.model_dump_json() + render_page(result)
    assert any("bob-the-owner" in line for line in lines)
    for word in (socket.gethostname(), "bob-the-owner", "secret", str(tmp_path), str(Path.cwd())):
        assert word not in written
    if getpass.getuser() != "root":
        assert getpass.getuser() not in written


def test_the_journals_folder_is_left_as_it_was(tmp_path: Path) -> None:
    _, _, asked = run_bench(tmp_path / "box/one.journal")
    assert Path(asked[-1][1]).parent == tmp_path, "the nearest folder that is there"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_the_journals_folder_is_removed_at_an_interrupt(tmp_path: Path, end: type[BaseException]) -> None:
    def attempt(args: Sequence[str], seconds: float) -> ProbeResult:
        if args[0] == "journal":
            (Path(args[1]) / "bench.journal").write_text("half")
            raise end
        return ProbeResult(0, found_by(args), "")

    with pytest.raises(end):
        Bench(attempt, SimulatedProcessor(), print).run(tmp_path / "one.journal", TODAY)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cant_be_written() -> None:
    result, lines, asked = run_bench(Path("/proc/one.journal"))
    assert result.journal == NotMeasured(not_measured="no journal can be written there")
    assert any(line.startswith("journal: /proc can't be written") for line in lines)
    assert all(args[0] != "journal" for args in asked)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_in_order(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(SystemExit) as end, exit_on_signals():
        signal.raise_signal(number)
    assert end.value.code == 128 + number
    assert signal.getsignal(number) is before


# -------- the command


@pytest.fixture
def every_probe_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def attempt(args: Sequence[str], seconds: float, module: str) -> ProbeResult:
        assert module == "throwlock.cli.doctor.bench_probes"
        return ProbeResult(0, found_by(args), "")

    monkeypatch.setattr(measure, "run_probe", attempt)
    monkeypatch.setattr(measure, "is_box_running", lambda: False)
    monkeypatch.setattr(checks, "model", lambda: PartStatus("hand model", "ok", "there"))


@pytest.mark.usefixtures("every_probe_works")
def test_the_command_writes_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["doctor", "--bench", "--out", str(tmp_path), "--journal", str(tmp_path / "one.journal")]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [JSON_NAME, PAGE_NAME]
    result = BenchResult.model_validate_json((tmp_path / JSON_NAME).read_text())
    assert (tmp_path / PAGE_NAME).read_text() == render_page(result)
    assert capsys.readouterr().out.splitlines()[-1].startswith("Written to ")


@pytest.mark.usefixtures("every_probe_works")
def test_earlier_files_are_gone_while_it_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(args: Sequence[str], seconds: float, module: str) -> ProbeResult:
        raise KeyboardInterrupt

    (tmp_path / JSON_NAME).write_text("yesterday's")
    monkeypatch.setattr(measure, "run_probe", interrupt)
    assert run_command(["doctor", "--bench", "--out", str(tmp_path)]) == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("every_probe_works")
def test_sigterm_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(args: Sequence[str], seconds: float, module: str) -> ProbeResult:
        if args[0] == "journal":
            (Path(args[1]) / "bench.journal").write_text("half")
            signal.raise_signal(signal.SIGTERM)
        return ProbeResult(0, found_by(args), "")

    monkeypatch.setattr(measure, "run_probe", stop)
    status = run_command(["doctor", "--bench", "--out", str(tmp_path), "--journal", str(tmp_path / "one.journal")])
    assert status == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("every_probe_works")
def test_json_on_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["doctor", "--bench", "--json", "--out", str(tmp_path), "--journal", str(tmp_path / "j")]) == 0
    assert capsys.readouterr().out == (tmp_path / JSON_NAME).read_text()


def test_a_running_box_has_to_be_stopped_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "is_box_running", lambda: True)
    with pytest.raises(UsageError, match="sudo systemctl stop throwlock"):
        write_bench(tmp_path, tmp_path / "one.journal", False)
    assert list(tmp_path.iterdir()) == []


def test_without_a_hand_model_nothing_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "is_box_running", lambda: False)
    monkeypatch.setenv("THROWLOCK_CACHE", str(tmp_path / "cache"))
    with pytest.raises(UsageError, match=r"the hand model is missing: .*python.* -m vision\.hands\.model"):
        write_bench(tmp_path, tmp_path / "one.journal", False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("every_probe_works")
def test_files_that_cant_be_written_are_found_out_first(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"/proc can't be written .*--out"):
        write_bench(Path("/proc"), tmp_path / "one.journal", False)


def test_one_thing_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["doctor", "--bench", "--seats"]) == 2
    assert "one at a time" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("printed", "running"), [("active", True), ("activating", True), ("inactive", False), ("", False)]
)
def test_whether_the_box_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, running: bool) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not is_box_running(), "there is no systemctl"
    command = tmp_path / "systemctl"
    command.write_text(f'#!/bin/sh\n[ "$*" = "is-active throwlock" ] && echo {printed}\n')
    command.chmod(0o755)
    assert is_box_running() is running


# -------- the machine


def test_a_raspberry_pi_is_named_by_its_model(tmp_path: Path) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert board_name(tmp_path, "aarch64") == "Raspberry Pi 5 Model B Rev 1.0"


def test_a_pc_is_named_by_its_kind(tmp_path: Path) -> None:
    assert board_name(tmp_path, "riscv64") == "riscv64 machine"
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text("flags\t\t: fpu vme\n")
    assert board_name(tmp_path, "x86_64") == "x86-64 PC"
    (tmp_path / "proc/cpuinfo").write_text("flags\t\t: fpu hypervisor vme\n")
    assert board_name(tmp_path, "x86_64") == "x86-64 PC, virtual"


def test_the_system_and_the_packages(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text('PRETTY_NAME="Debian GNU/Linux 13"\nVERSION_ID="13"\nID=debian\n')
    machine = describe_machine(tmp_path)
    assert machine.system == "debian 13"
    assert machine.cores == os.cpu_count()
    assert machine.mediapipe[0].isdecimal()
    assert describe_machine(tmp_path / "nowhere").system == "unknown"


@pytest.mark.parametrize(
    ("mount", "name"),
    [
        ("ext4 /dev/mmcblk0p2 rw", "ext4 on mmcblk0p2"),
        ("cifs //bobs-nas/home rw", "cifs"),
        ("ext4 /dev/mapper/bobs-volume rw", "ext4"),
        ("tmpfs tmpfs rw", "tmpfs"),
    ],
)
def test_the_journals_disk(tmp_path: Path, mount: str, name: str) -> None:
    device = tmp_path.stat().st_dev
    lines = f"1 1 0:1 / /proc rw - proc proc rw\n2 1 {os.major(device)}:{os.minor(device)} / / rw shared:1 - {mount}\n"
    (tmp_path / "mountinfo").write_text(lines)
    assert disk_name(tmp_path, tmp_path / "mountinfo") == name
    assert disk_name(tmp_path / "gone", tmp_path / "mountinfo") == "unknown"
    assert disk_name(tmp_path, tmp_path / "no mountinfo") == "unknown"


def test_conditions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (0.314, 9.0, 9.0))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    conditions = read_conditions(SimulatedProcessor(ProcessorStatus(51.26, None)))
    assert (conditions.load, conditions.temperature_c, conditions.throttling) == (0.31, 51.3, None)
    assert not run_bench(tmp_path / "one.journal")[0].is_quiet
    monkeypatch.setattr(os, "getloadavg", lambda: (0.3, 9.0, 9.0))
    assert run_bench(tmp_path / "one.journal")[0].is_quiet


# -------- figures


def test_timings() -> None:
    assert Timings.of([4.0]) == Timings(count=1, median_ms=4.0, p95_ms=4.0, slowest_ms=4.0)
    times = Timings.of([float(n) for n in range(101)])
    assert (times.count, times.median_ms, times.p95_ms, times.slowest_ms) == (101, 50.0, 95.0, 100.0)
    with pytest.raises(ValueError, match="nothing"):
        Timings.of([])


def test_gaps_between_frames() -> None:
    times = FrameTimes([[(0.0, 0.0), (0.016, 0.0), (0.056, 0.030)], [(9.0, 0.0), (9.016, 0.0)]], [])
    assert times.gaps_ms() == pytest.approx([16.0, 40.0, 16.0]), "the pause between two runs is none"
    assert times.own_gaps_ms() == pytest.approx([16.0, 10.0, 16.0])
    assert late_share(times.gaps_ms()) == pytest.approx(1 / 3)


def test_screen_runs() -> None:
    bench = FrameRateBench.__new__(FrameRateBench)
    bench.results = {"calm": FrameTimes([[(0.0, 0.0), (0.02, 0.0), (0.05, 0.0)]], [])}
    (run,) = bench.screen_runs()
    assert (run.load, run.frames_per_second, run.late_share, run.longest_gap_ms) == ("calm", 40.0, 0.5, 30.0)


# -------- the round that comes with Throwlock


@pytest.fixture(scope="module")
def hand_model() -> None:
    try:
        model_path("full")
    except ModelError as error:
        pytest.skip(f"no hand model: {error}")


@pytest.fixture(scope="module")
def recorded() -> RecordedRound:
    return load_round()


def test_the_recorded_round_is_small_and_whole(recorded: RecordedRound) -> None:
    assert CLIP_PATH.stat().st_size < 1_000_000
    assert (len(recorded.frames), len(recorded.zones), len(recorded.throws)) == (96, 8, 8)
    first, last = recorded.frames[0], recorded.frames[-1]
    assert first.size == (1280, 720) and first.exposure_ns == 8_000_000
    assert first.exposed_ns < recorded.cue_ns < last.exposed_ns


@pytest.mark.usefixtures("hand_model")
def test_the_recorded_round_costs_what_a_round_costs(recorded: RecordedRound) -> None:
    verdict = time_verdicts(recorded.first_seats(2), rounds=1)
    assert (verdict.seats, verdict.correct_seats, verdict.times.count) == (2, 2, 1)
    assert 2 * 9 <= verdict.model_calls <= 2 * 13


@pytest.mark.usefixtures("hand_model")
def test_calls_of_the_model_are_timed(recorded: RecordedRound) -> None:
    times = time_model(recorded, calls=3)
    assert times.count == 3 and 0 < times.median_ms <= times.slowest_ms


# -------- the journal


def test_commits_go_to_a_real_journal(tmp_path: Path) -> None:
    timings = time_commits(tmp_path, commits=2)
    assert (timings.commits.count, timings.evidence_kb) == (2, EVIDENCE_KB)
    with JournalReader(tmp_path / "bench.journal") as journal:
        _, *rounds = journal.events()
        assert [len(journal.evidence(event.number)[0].data) for event in rounds] == [EVIDENCE_KB * 1000] * 2


def test_a_probe_prints_its_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert probes.main(["journal", str(tmp_path)], BENCH_PROBES) == 0
    assert json.loads(capsys.readouterr().out)["evidence_kb"] == EVIDENCE_KB


def test_a_probe_that_fails_prints_the_kind_of_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert probes.main(["journal", str(tmp_path / "gone")], BENCH_PROBES) == 1
    out, err = capsys.readouterr()
    assert json.loads(out) == {"error_type": "JournalError"}
    assert "no folder" in err


def test_an_interrupt_ends_a_running_probe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    processes, wait = list[subprocess.Popen[bytes]](), subprocess.Popen.wait

    def interrupt_wait(process: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        if process in processes:
            return wait(process, timeout)
        processes.append(process)
        raise KeyboardInterrupt

    script = tmp_path / "probe"
    script.write_text("#!/bin/sh\nexec sleep 600\n")
    script.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(script))
    monkeypatch.setattr(subprocess.Popen, "wait", interrupt_wait)
    with pytest.raises(KeyboardInterrupt):
        run_probe(["anything"], 60)
    assert [process.returncode for process in processes] == [-signal.SIGKILL]


# -------- the screen and the camera that looks at it


class CountingScreen(SimulatedScreen):
    """Counts how often its exposure is locked."""

    locks = 0

    def lock_exposure(self) -> None:
        self.locks += 1

    def unlock_exposure(self) -> None:
        self.locks -= 1


@pytest.mark.slow
@settings(deadline=None, max_examples=12)
@given(latency_ms=st.integers(0, 150), fps=st.sampled_from([30.0, 60.0, 120.0]))
def test_the_delay_of_a_screen_is_measured(latency_ms: int, fps: float) -> None:
    clock = SimulatedClock(10**9)
    camera = CountingScreen(clock, latency_ms * 1_000_000, fps)
    seen_ms = measure_seen_ms(camera, camera.show, clock)
    assert len(seen_ms) == FLASHES
    assert max(abs(ms - latency_ms) for ms in seen_ms) <= 500 / fps + 2, "half a frame, and half the exposure"
    assert camera.locks == 0


def test_the_rows_of_a_rolling_shutter_count() -> None:
    """The screen fills the upper quarter of the image, which is exposed three eighths of the readout early."""
    clock = SimulatedClock(10**9)
    camera = SimulatedScreen(clock, 50_000_000, 120.0, readout_ns=16_000_000, seen_share=0.25)
    seen_ms = measure_seen_ms(camera, camera.show, clock, flashes=24)
    assert sum(seen_ms) / len(seen_ms) == pytest.approx(50 - 6, abs=1.5)


@pytest.mark.parametrize("seen_share", [0.0, 0.01])
def test_a_camera_that_looks_elsewhere(seen_share: float) -> None:
    clock = SimulatedClock(10**9)
    camera = CountingScreen(clock, 0, seen_share=seen_share)
    with pytest.raises(ScreenNotSeenError, match="point it there"):
        measure_seen_ms(camera, camera.show, clock)
    assert camera.locks == 0


def test_a_screen_that_stays_black_once_it_was_seen() -> None:
    clock = SimulatedClock(10**9)
    camera = SimulatedScreen(clock, 0)
    shown = iter([True, False])
    with pytest.raises(ScreenNotSeenError, match="no flash"):
        measure_seen_ms(camera, lambda white: camera.show(next(shown, False)), clock)


def test_a_camera_that_stops() -> None:
    clock = SimulatedClock(10**9)
    camera = CountingScreen(clock, 0, fails_at_ns=8 * 10**9)
    with pytest.raises(CameraError):
        measure_seen_ms(camera, camera.show, clock)
    assert camera.locks == 0


def test_a_rise_lies_between_two_frames() -> None:
    assert rise_ns([0, 10, 20, 30], [0.0, 0.0, 1.0, 1.0]) == 15
    assert rise_ns([0, 10, 20], [0.1, 0.4, 0.8]) == 12
    assert rise_ns([0, 10], [0.9, 1.0]) is None
    assert rise_ns([], []) is None


def test_a_window_flashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    flasher = WindowFlasher()

    def play(window: Window) -> list[int]:
        return [flasher.show(window, white) for white in (True, False, True)]

    driver, _, times_ns = run_in_box_window(play, flasher.on_drawn)
    assert driver == "dummy"
    assert times_ns == sorted(times_ns) and len(set(times_ns)) == 3


def test_without_a_screen_the_window_is_drawn_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    assert run_in_box_window(lambda window: 7, lambda view: None) == ("dummy", (800, 480), 7)


def test_the_first_frame_of_each_word_counts() -> None:
    times, count = CueTimes(), Countdown((), "", ("ROCK", "PAPER", "SCISSORS", "SHOOT"), 2)
    shoot = Countdown((), "", count.words, 3)
    for view in (count, shoot, shoot, count, shoot):
        times.on_drawn(view)
    assert len(times.cues_ns()) == 2


def test_counts_are_played_at_the_tables_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    class RecordingDisplay:
        views: list[Countdown]

        def __init__(self) -> None:
            self.views = []

        def show(self, view: Any) -> None:
            self.views.append(view)

        def ask(self, view: Any) -> None:
            raise AssertionError("nobody is asked")

    clock, display = SimulatedClock(), RecordingDisplay()
    monkeypatch.setattr("throwlock.bench.cue.MonotonicClock", lambda: clock)
    first, second = play_counts(display, 2, 300)
    assert second - first == 1_500_000_000 + 4 * 300_000_000
    assert any(view.beat == 2 and view.preview is not None for view in display.views), "with its live picture"
