"""The hand model's process: images in, hands out, and whatever may happen to a process. The model is a fake with
scripted faults, and at the end the real one."""

import errno
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.slow_params import slow
from vision.hands import model_process
from vision.hands.detector import HandDetector
from vision.hands.model import ModelError
from vision.hands.model_process import ModelAbortError, ModelProcess

IMAGE = np.full((4, 6, 3), 7, np.uint8)
IMAGE[-1, -1] = 1, 2, 3
ANSWER_LIMIT_S, START_LIMIT_S = 3.0, 15.0
"""How long a process that hangs is waited for: others may keep the machine busy while it starts."""
Script = Callable[..., Path]


@pytest.fixture(autouse=True)
def fake_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_process, "WORKER_MODULE", "tests.helpers.faulty_model_worker")


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_process, "DETECTION_LIMIT_S", ANSWER_LIMIT_S)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Writes the script of a model."""

    def write(*faults: str) -> Path:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.task"
        path.write_text("\n".join(faults))
        return path

    return write


@pytest.fixture
def process() -> Iterator[ModelProcess]:
    process = ModelProcess()
    yield process
    process.close()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def wait_for_end(pidfd: int) -> bool:
    """Whether a process ends within ten seconds."""
    return bool(select.select([pidfd], [], [], 10)[0])


@pytest.mark.parametrize("shapes", [[(4, 6), (900, 700), (5, 5)], [(3200, 3200)], [(1, 1)]])
def test_images_of_any_size_arrive_as_they_are(
    process: ModelProcess, script: Script, shapes: list[tuple[int, int]]
) -> None:
    number = process.load(script(), 3, 0.3)
    for height, width in shapes:
        image = np.random.default_rng(height).integers(0, 256, (height, width, 3), np.uint8)
        (hand,) = process.detect(number, image)
        shown = (*image[0, 0], *image[-1, -1], image.sum() / 3)
        assert hand["landmarks"].tolist() == [[3, value] for value in shown] * 3
        assert (hand["is_right"], hand["score"], hand["world"].tolist()) == (True, 0.5, [[0.1] * 3] * 21)


def test_a_hand_is_tracked_where_it_was(process: ModelProcess, script: Script) -> None:
    number, place = process.load(script(), 1, 0.3), np.arange(42.0).reshape(21, 2) / 7
    (hand,) = process.track(number, IMAGE, place)
    assert hand["landmarks"].tolist() == place.tolist()
    assert len(process.track(number, IMAGE, np.zeros((21, 2)))) == 0


def test_a_detector_tracks_in_pixels(script: Script, process: ModelProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.hands.detector.model_path", lambda size: script())
    detector, place = HandDetector(process=process), np.arange(1.0, 43).reshape(21, 2)
    hand = detector.track(IMAGE, place)
    assert hand is not None and hand.landmarks == pytest.approx(place) and detector.calls == 1
    assert detector.track(IMAGE, np.zeros((21, 2))) is None and detector.track(IMAGE[:0], place) is None
    process.tracking_error = ModelError("LiteRT does not run here")
    assert detector.track(IMAGE, place) is None and detector.calls == 2


def test_an_image_need_not_be_contiguous(process: ModelProcess, script: Script) -> None:
    (hand,) = process.detect(process.load(script(), 1, 0.3), IMAGE[::-1, ::-1])
    assert hand["landmarks"][:6, 1].tolist() == [1, 2, 3, 7, 7, 7]


def test_a_process_has_several_models(process: ModelProcess, script: Script) -> None:
    numbers = [process.load(script(), hands, 0.3) for hands in (1, 2)]
    assert [process.detect(number, IMAGE)[0]["landmarks"][0, 0] for number in numbers] == [1, 2]


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("fault", ["abort", *slow("hang"), "ImportError", "RuntimeError"])
def test_hands_are_searched_where_litert_fails(
    process: ModelProcess, script: Script, fault: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As on a processor that its wheel is not built for."""
    monkeypatch.setattr(model_process, "LOAD_LIMIT_S", START_LIMIT_S)
    number = process.load(script(f"reader {fault}", "detect abort"), 2, 0.3)
    assert process.tracking_error and f"LiteRT can't be used ({process.tracking_error})" in caplog.text
    assert process.detect(number, IMAGE)[0]["landmarks"][0, 0] == 2
    assert not process.can_track and caplog.text.count("LiteRT") == 1, "not tried again in the new process"


@pytest.mark.parametrize("fault", ["abort", "RuntimeError"])
def test_failed_litert_is_tried_in_the_next_process(
    process: ModelProcess, script: Script, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    scripts = ("detect abort", f"reader {fault}"), ("detect abort",)
    numbers = [process.load(script(*faults), 1, 0.3) for faults in scripts]
    assert len(process.detect(numbers[0], IMAGE)) == 1
    assert not process.can_track and "LiteRT can't be used" in caplog.text
    assert len(process.detect(numbers[1], IMAGE)) == 1
    assert process.can_track


@pytest.mark.slow
@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("operation", ["reader", "load"])
def test_models_are_loaded_again_in_less_time(
    process: ModelProcess,
    script: Script,
    operation: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A round is waiting, and their files were loaded before."""
    monkeypatch.setattr(model_process, "RELOAD_LIMIT_S", START_LIMIT_S)
    number = process.load(script("detect abort", f"{operation} hang"), 1, 0.3)
    if operation == "load":
        with pytest.raises(ModelAbortError, match="no answer in 15 s"):
            process.detect(number, IMAGE)
    assert len(process.detect(number, IMAGE)) == 1
    assert operation == "load" or "LiteRT can't be used (no answer in 15 s)" in caplog.text


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("fault", ["abort", "killed", "exit", "hang", "stop"])
def test_a_process_that_ends_is_started_again(
    process: ModelProcess, script: Script, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    numbers = [process.load(script(*faults), hands, 0.3) for hands, faults in ((1, ()), (2, (f"detect {fault}",)))]
    pid = process.pid
    assert process.detect(numbers[1], IMAGE)[0]["landmarks"][0, 0] == 2
    assert process.pid != pid
    assert process.detect(numbers[0], IMAGE)[0]["landmarks"][0, 0] == 1
    assert "is started again" in caplog.text


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize(
    ("fault", "why"), [("abort", "it aborted, SIGABRT"), ("exit", "exit status 3"), ("hang", "no answer in 3 s")]
)
def test_a_process_that_ends_twice_is_an_error(process: ModelProcess, script: Script, fault: str, why: str) -> None:
    number = process.load(script(f"detect {fault}", f"detect {fault}"), 1, 0.3)
    with pytest.raises(ModelAbortError, match=rf"stopped twice \({why}\)"):
        process.detect(number, IMAGE)
    assert process.pid is None
    assert len(process.detect(number, IMAGE)) == 1


@pytest.mark.parametrize("fault", ["abort", "RuntimeError"])
def test_a_failed_restart_is_tried_again_with_the_next_image(process: ModelProcess, script: Script, fault: str) -> None:
    numbers = [process.load(script(*faults), 1, 0.3) for faults in ((), ("detect abort", f"load {fault}"))]
    with pytest.raises(ModelError, match="SIGABRT" if fault == "abort" else "this is why"):
        process.detect(numbers[1], IMAGE)
    assert process.pid is None
    assert [len(process.detect(number, IMAGE)) for number in numbers] == [1, 1]


def test_a_further_model_is_loaded_after_those_of_a_process_that_ended(process: ModelProcess, script: Script) -> None:
    first = process.load(script("detect abort", "load abort"), 1, 0.3)
    with pytest.raises(ModelAbortError):
        process.detect(first, IMAGE)
    second = process.load(script(), 2, 0.3)
    assert [process.detect(number, IMAGE)[0]["landmarks"][0, 0] for number in (first, second)] == [1, 2]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("illegal", r"\(illegal instruction, SIGILL\): its wheel is built for newer processors"),
        ("killed", r"\(it was killed, SIGKILL\): memory may be short"),
        ("abort", r"\(it aborted, SIGABRT\): install Throwlock again"),
        ("exit", r"\(exit status 3\): install"),
    ],
)
def test_mediapipe_that_ends_while_it_is_loaded_is_an_error(
    process: ModelProcess, script: Script, fault: str, message: str
) -> None:
    """As its wheel for newer processors does on a Raspberry Pi 4, at an instruction that the processor lacks."""
    with pytest.raises(ModelAbortError, match=message):
        process.load(script(f"load {fault}"), 1, 0.3)
    assert process.pid is None


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("ImportError", r"can’t be imported \(this is why\)"),
        ("OSError", r"library can’t be loaded \(this is why\)"),
        ("RuntimeError", r"can’t be used \(this is why\)"),
    ],
)
def test_an_error_of_mediapipe_is_one_line(process: ModelProcess, script: Script, fault: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        process.load(script(f"load {fault}"), 1, 0.3)
    number = process.load(script(f"detect {fault}"), 1, 0.3)
    pid = process.pid
    with pytest.raises(ModelError, match=message):
        process.detect(number, IMAGE)
    assert len(process.detect(number, IMAGE)) == 1 and process.pid == pid


def test_a_process_that_can_t_be_started_is_an_error(
    process: ModelProcess, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    before = open_files()
    with pytest.raises(ModelError, match="can’t be started"):
        process.load(script(), 1, 0.3)
    assert open_files() == before


@pytest.mark.parametrize("free", range(8))
def test_without_enough_file_descriptors_it_can_t_be_started(process: ModelProcess, script: Script, free: int) -> None:
    """It takes two for each pipe, one for the memory, and three for the start."""
    path, before = script(), open_files()
    limits, taken = resource.getrlimit(resource.RLIMIT_NOFILE), list[int]()
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + 50, limits[1]))
    try:
        with pytest.raises(OSError, match=os.strerror(errno.EMFILE)):
            while True:
                taken.append(os.dup(0))
        for _ in range(free):
            os.close(taken.pop())
        with pytest.raises(ModelError, match="can’t be started") as error:
            process.load(path, 1, 0.3)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for fd in taken:
            os.close(fd)
    assert open_files() == before, f"left open while the traceback of {error} lives"


def test_a_closed_process_has_ended(process: ModelProcess, script: Script) -> None:
    before = open_files()
    number = process.load(script(), 1, 0.3)
    process.detect(number, IMAGE)
    pid = process.pid
    assert pid is not None
    process.close()
    process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert open_files() == before
    for call in (lambda: process.detect(number, IMAGE), lambda: process.load(script(), 1, 0.3)):
        with pytest.raises(RuntimeError, match="closed"):
            call()


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_to_the_whole_group_do_not_end_it(
    process: ModelProcess, script: Script, signum: signal.Signals
) -> None:
    number = process.load(script(), 1, 0.3)
    pid = process.pid
    assert pid is not None
    os.kill(pid, signum)
    assert len(process.detect(number, IMAGE)) == 1 and process.pid == pid
    assert signum not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_it_ends_when_its_owner_is_killed(script: Script) -> None:
    program = (
        "import sys; from pathlib import Path; from vision.hands import model_process as m\n"
        "m.WORKER_MODULE = 'tests.helpers.faulty_model_worker'; process = m.ModelProcess()\n"
        "process.load(Path(sys.argv[1]), 1, 0.3); print(process.pid, flush=True); sys.stdin.read()\n"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", program, script()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert owner.stdin and owner.stdout
    pidfd = os.pidfd_open(int(owner.stdout.readline()))
    owner.kill()
    owner.communicate()
    assert wait_for_end(pidfd)
    os.close(pidfd)


def test_it_gets_no_socket_and_no_file_of_its_owner(process: ModelProcess, script: Script) -> None:
    with socket.socket() as open_socket:
        open_socket.set_inheritable(True)
        process.detect(process.load(script(), 1, 0.3), IMAGE)
        files = {str(fd.readlink()).split(":")[0] for fd in Path(f"/proc/{process.pid}/fd").iterdir()}
    assert files == {"/dev/null", "/memfd", "pipe"}
    assert "memfd:hand-model (deleted)" in Path(f"/proc/{process.pid}/maps").read_text()


def test_it_has_the_priority_of_the_thread_that_starts_it(process: ModelProcess, script: Script) -> None:
    level = min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)

    def load() -> None:
        os.setpriority(os.PRIO_PROCESS, 0, level)
        process.load(script(), 1, 0.3)

    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
    assert process.pid is not None and os.getpriority(os.PRIO_PROCESS, process.pid) == level


def test_every_thread_of_the_real_model_is_in_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    try:
        detector = HandDetector(process=(process := ModelProcess()))
    except ModelError as error:
        pytest.skip(f"no hand model: {error}")
    assert detector.detect(np.zeros((48, 64, 3), np.uint8)) == []
    threads = [path.read_text() for path in Path(f"/proc/{process.pid}/task").glob("*/status")]
    assert len(threads) > 1  # the library's own among them
    assert all("Seccomp:\t2" in status and "NoNewPrivs:\t1" in status for status in threads)
    process.close()
