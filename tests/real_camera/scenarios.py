"""Scenarios for the picamera2 adapter on the real library. ``run`` prepares the environment they need.

scenarios.py         run each in a process of its own; print ``pass NAME`` or ``FAIL NAME: what was expected``
scenarios.py NAME    run one in this process
"""

import contextlib
import faulthandler
import gc
import io
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import PropertyMock, patch

SCENARIO_TIMEOUT_S = 120
STALL_S = 8
"""Longer than the adapter waits for a camera to stop."""
STALL_IN_ROUND_S = 5
TABLE_INDEX = 1
"""The camera that shows two hands on a table: a fist, and an open hand that lay there before the call."""

if len(sys.argv) > 1:  # the process that starts the others needs no camera
    import numpy as np
    import virtual_library

    from device.camera.base import CameraError, CameraNotReleasedError
    from device.camera.frames import Box
    from device.camera.picamera import Picamera
    from device.camera.ring_buffer import STALL_TIMEOUT_NS, FrameRingBuffer
    from device.system.clock import MonotonicClock
    from errors import ThrowlockError
    from tests.helpers.picamera2_habits import check_habits
    from throwlock.cli.doctor import probes
    from throwlock.cli.main import run_command
    from throwlock.journal.events import MatchEnded, RoundJudged, RoundVoided
    from throwlock.journal.journal import JournalReader

    sys.modules["picamera2"] = virtual_library


class ExpectationError(Exception):
    """What was expected and didn't happen."""


def expect(condition, expectation):
    if not condition:
        raise ExpectationError(expectation)


def open_adapter(index=0, size=(1280, 720)):
    return Picamera(index, MonotonicClock(), size=size, fps=30.0)


def error_of(action):
    """Return the project's error that ``action`` raises, or None."""
    try:
        action()
    except ThrowlockError as error:
        return error
    return None


def expect_error(action, part):
    error = error_of(action)
    expect(isinstance(error, CameraError) and part in str(error), f"CameraError with {part!r}, got {error!r}")


def expect_released():
    count = virtual_library.count_open_cameras()
    expect(count == 0, f"no open camera, got {count}")


def frames_of_next(camera, seconds):
    """Wait and return the frames of that time."""
    since_ns = time.monotonic_ns()
    time.sleep(seconds)
    return camera.frames_between(since_ns, time.monotonic_ns())


def expect_frames(camera):
    count = len(frames_of_next(camera, 1))
    expect(count >= 3, f"at least 3 frames in a second, got {count}")


def expect_normal_run(camera):
    """Start, receive frames, stop."""
    camera.start()
    expect_frames(camera)
    camera.stop()
    expect_released()


def count_resources():
    gc.collect()
    return {
        "file descriptors": len(os.listdir("/proc/self/fd")),  # noqa: PTH208
        "threads": len(os.listdir("/proc/self/task")),  # noqa: PTH208
        "open cameras": virtual_library.count_open_cameras(),
    }


def frames():
    """Frames arrive in order, whole and without the padding of their rows."""
    camera = open_adapter()
    camera.start()
    received = frames_of_next(camera, 3)
    camera.stop()
    expect(len(received) >= 30, f"at least 30 frames in 3 seconds, got {len(received)}")
    expect(np.all(np.diff([frame.number for frame in received]) > 0), "frame numbers that rise")
    expect(np.all(np.diff([frame.exposed_ns for frame in received]) > 0), "frame times that rise")
    expect({frame.size for frame in received} == {(1280, 720)}, "frames of 1280 × 720")
    image = received[-1].pixels()
    expect(image.shape == (720, 1280, 3), f"an image of 1280 × 720, got {image.shape}")
    colours = np.unique(image.reshape(-1, 3), axis=0).tolist()
    expect(colours == [[0, 0, 0], [255, 255, 255]], f"only the test pattern's black and white, got {colours[:5]}")
    part = received[-1].pixels(Box(101, 51, 300, 200))
    expect(np.array_equal(part, image[51:251, 101:401]), "a part equal to that part of the whole image")


def fifty_starts():
    """Starting and stopping leaves no camera, thread or file descriptor behind."""
    camera = open_adapter()
    camera.start()
    camera.stop()  # now the library has created what it creates only once
    before = count_resources()
    with patch.object(virtual_library.Picamera2, "sensor_modes", new_callable=PropertyMock) as read_modes:
        for _ in range(50):
            camera.start()
            camera.latest()
            camera.stop()
    after = count_resources()
    expect(after == before, f"{before}, got {after}")
    expect(read_modes.call_count == 0, f"modes read at the first start only, got {read_modes.call_count} more")


def one_stream():
    """Of a Raspberry Pi's camera, the library configures the adapter's stream and no other, also no raw one."""
    camera = open_adapter()
    opened = []

    class NotedPicamera2(virtual_library.Picamera2):
        def __init__(self, number):
            super().__init__(number)
            opened.append(self)

    with (
        patch.object(virtual_library.Picamera2, "_is_rpi_camera", lambda library: True),
        patch.object(virtual_library, "Picamera2", NotedPicamera2),
    ):
        camera.start()
        streams, config = opened[-1].streams, opened[-1].camera_configuration()
        expect_frames(camera)
        camera.stop()
    expect(len(streams) == 1, f"one stream, got {len(streams)}")
    expect(config["raw"] is None and config["lores"] is None, f"only a main stream, got {config}")
    expect(config["sensor"] == {"output_size": (1920, 1080), "bit_depth": 10}, f"the mode, got {config['sensor']}")


def first_frame_missing():
    """A camera that delivers no frame is released, and starts when it delivers again."""
    camera = open_adapter()
    expect_normal_run(camera)
    before = count_resources()
    virtual_library.frames_blocked.set()
    for _ in range(3):
        expect_error(camera.start, "sends no images")
        expect_released()
    virtual_library.frames_blocked.clear()
    expect_normal_run(camera)
    after = count_resources()
    expect(after == before, f"{before}, got {after}")


def frames_end():
    """A camera whose frames end is reported, can be stopped, and starts when it delivers again."""
    camera = open_adapter()
    camera.start()
    expect_frames(camera)
    virtual_library.frames_blocked.set()
    time.sleep(STALL_TIMEOUT_NS / 1e9 + 0.5)
    expect_error(camera.latest, "has stopped sending images")
    camera.stop()
    expect_released()
    virtual_library.frames_blocked.clear()
    expect_normal_run(camera)


def exception_in_callback():
    """A frame that can't be added is lost; the camera goes on."""
    camera = open_adapter()
    add_frame, call_count = FrameRingBuffer.add, 0

    def fail_once(ring, frame):
        nonlocal call_count
        call_count += 1
        if call_count == 10:
            raise ValueError("a bad frame")
        add_frame(ring, frame)

    with patch.object(FrameRingBuffer, "add", fail_once):
        camera.start()
        while call_count < 10:
            time.sleep(0.05)
        expect_frames(camera)
        camera.stop()
    expect_normal_run(camera)


def configuration_fails():
    """A camera that can't be configured is released, and starts when it can."""
    camera = open_adapter()
    with patch.object(virtual_library.Picamera2, "configure", side_effect=RuntimeError("Configuration failed")):
        expect_error(camera.start, "Configuration failed")
    expect_released()
    expect_normal_run(camera)


def library_habits():
    """The library behaves as its fake, with which the adapter's other tests run."""
    blocked = virtual_library.frames_blocked
    check_habits(virtual_library, lambda is_blocked: blocked.set() if is_blocked else blocked.clear())
    expect_released()


def usb_camera():
    """A USB camera, whose modes have no size, is refused with a hint, and released."""
    with patch.object(virtual_library, "Picamera2", virtual_library.UsbCamera):
        for _ in range(2):
            expect_error(open_adapter().start, "reports no mode: is it a Raspberry Pi camera? Use usb:0")
            expect_released()


def camera_comes_back():
    """A camera that is not there is reported, and starts when it is there again."""
    file = virtual_library.VIRTUAL_CAMERAS_FILE
    all_cameras = file.read_text()
    camera = open_adapter(TABLE_INDEX)
    camera.start()
    file.write_text(all_cameras.partition('"Table"')[0])
    try:
        camera.stop()
        expect_error(camera.start, f"no camera picamera2:{TABLE_INDEX}")
        expect_released()
    finally:
        file.write_text(all_cameras)
    virtual_library.list_cameras_again()
    expect_normal_run(camera)


def doctor_probe():
    """The doctor's probe measures the camera with the owner's settings."""
    with settings_and_journal("fps = 20", "width = 1920", "height = 1080"):
        (found,) = probes.picamera(str(TABLE_INDEX))
    expect(found["asked"] == 20 and found["size"] == (1920, 1080), f"the settings' rate and size, got {found}")
    expect(found["fps"] > 15 and found["light"] != "black", f"a bright image, more than 15 times a second, got {found}")
    expect_released()


def adjusted_size():
    """Frames have the size that libcamera made of the requested one."""
    camera = open_adapter(size=(640, 360))
    camera.start()
    received = frames_of_next(camera, 2)
    camera.stop()
    expect(camera.size in virtual_library.SENSOR_SIZES, f"a size of the virtual camera, got {camera.size}")
    expect({frame.size for frame in received} == {camera.size}, f"frames of {camera.size}")
    width, height = camera.size
    expect(received[-1].pixels().shape == (height, width, 3), f"images of {camera.size}")


def libcamera_stalls():
    """While libcamera's thread stands still, the adapter reports it; afterwards the camera starts."""
    stall_file = Path(os.environ["VIRTUAL_CAMERA_STALL_FILE"])
    camera = open_adapter()
    camera.start()
    expect_frames(camera)
    stall_file.touch()
    # A process ends the stall: libcamera's stop waits for its thread without letting other Python threads run.
    end_of_stall = subprocess.Popen(["sh", "-c", f"sleep {STALL_S}; rm {stall_file}"])
    time.sleep(STALL_TIMEOUT_NS / 1e9 + 0.5)
    expect_error(camera.latest, "has stopped sending images")
    error = error_of(camera.stop)
    expect(error is None or isinstance(error, CameraNotReleasedError), f"stop or CameraNotReleasedError, got {error!r}")
    end_of_stall.wait()
    for thread in threading.enumerate():
        if thread.name == "picamera2":
            thread.join(10)  # the adapter's, which still releases the camera
    expect_normal_run(camera)


@contextlib.contextmanager
def settings_and_journal(*camera_settings):
    """Use a file with these settings of the camera, and return the path of a new journal."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "throwlock.toml"
        settings.write_text("\n".join(["[camera]", *camera_settings]))
        os.environ["THROWLOCK_SETTINGS"] = str(settings)
        yield Path(folder) / "one.journal"


@dataclass
class PlayedMatch:
    """What a command left: its status, what it printed, and the journal's rounds, and its end if there is one."""

    status: int
    printed: str
    events: Sequence


def play_match(journal, on_throw=lambda number: None):
    """Play a match with the command of an owner; ``on_throw`` is called with the number of each throw, from 1, when its
    count begins."""
    lock_exposure, throws = Picamera.lock_exposure, 0

    def lock(camera):
        nonlocal throws
        throws += 1
        on_throw(throws)
        lock_exposure(camera)

    arguments = ["play", "classic", "--headless", "--foul", "stand", "--camera", f"picamera2:{TABLE_INDEX}"]
    out = io.StringIO()
    with (
        patch.object(Picamera, "lock_exposure", lock),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
    ):
        status = run_command([*arguments, "--journal", str(journal)])
    expect_released()
    with JournalReader(journal) as reader:
        events = [event.body for event in reader.events(1)]
    kinds = (RoundJudged, RoundVoided, MatchEnded)
    return PlayedMatch(status, out.getvalue(), [event for event in events if isinstance(event, kinds)])


def expect_judged(event):
    """Expect a round with both hands read: the open hand fouled, since it lay there before the call, and counts."""
    read = {seat: (one.reading, one.verdict) for seat, one in event.judgement.seats.items()}
    expected = {1: ("rock", "on time"), 2: ("paper", "early")}
    expect(isinstance(event, RoundJudged) and read == expected, f"a judged round, got {event!r}")
    expect(tuple(event.fouls) == (2,), f"a foul of seat 2, got {event.fouls}")


def expect_void(event):
    """Expect a round that is void for lack of frames, and nobody's foul."""
    reason = event.judgement.void_reason
    expect(isinstance(event, RoundVoided) and reason, f"a void round, got {event!r}")
    expect(reason.kind == "too few frames" and not event.fouls, f"nobody’s foul, got {reason}, fouls {event.fouls}")


def expect_second_round_void(match):
    """Expect a match played to its end, whose second round is void."""
    expect(match.status == 0 and len(match.events) == 4, f"three rounds and the end, got {match}")
    first, second, third, end = match.events
    expect_judged(first)
    expect_void(second)
    expect_judged(third)
    expect(end.result.winners == (2,), f"paper as the winner, got {end}")


def stall_in_a_round():
    """Of a match, the round in which libcamera stands still for five seconds is void; the next is judged."""
    stall_file = os.environ["VIRTUAL_CAMERA_STALL_FILE"]
    stall = f"sleep 1; touch {stall_file}; sleep {STALL_IN_ROUND_S}; rm {stall_file}"

    def stall_second(number):
        if number == 2:
            subprocess.Popen(["sh", "-c", stall])

    with settings_and_journal() as journal:
        expect_second_round_void(play_match(journal, stall_second))


def frames_end_in_a_round():
    """Of a match, the round in which no frame arrives for five seconds is void; the next is judged."""
    blocked = virtual_library.frames_blocked

    def block_second(number):
        if number == 2:
            threading.Timer(1, blocked.set).start()
            threading.Timer(1 + STALL_IN_ROUND_S, blocked.clear).start()

    with settings_and_journal() as journal:
        expect_second_round_void(play_match(journal, block_second))


def camera_lost_in_a_match():
    """A match whose camera sends no frame any more stops with a hint, and is played to its end when it does again."""
    blocked = virtual_library.frames_blocked

    def block_second(number):
        if number == 2:
            blocked.set()

    with settings_and_journal() as journal:
        match = play_match(journal, block_second)
        hint = f"camera picamera2:{TABLE_INDEX} sends no images: check its cable and start again"
        expect(match.status == 2 and hint in match.printed, f"a hint, got {match}")
        (first,) = match.events
        expect_judged(first)
        blocked.clear()
        match = play_match(journal)
    expect(match.status == 0 and "resumes after 1 throw" in match.printed, f"a resumed match, got {match}")
    *_, last, _ = match.events  # a busy computer may void rounds before it
    expect_judged(last)


SCENARIOS = [
    frames,
    one_stream,
    fifty_starts,
    first_frame_missing,
    frames_end,
    exception_in_callback,
    configuration_fails,
    library_habits,
    usb_camera,
    camera_comes_back,
    adjusted_size,
    libcamera_stalls,
    doctor_probe,
    stall_in_a_round,
    frames_end_in_a_round,
    camera_lost_in_a_match,
]


def run_in_process(name):
    """Run a scenario in a process of its own. Return what was expected, or None if it passed."""
    command = [sys.executable, __file__, name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SCENARIO_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"an end within {SCENARIO_TIMEOUT_S} seconds"
    if done.returncode == 0:
        return None
    return done.stdout.strip() or f"no crash, got exit status {done.returncode}\n{done.stderr[-2000:]}"


def run_all():
    """Run every scenario and return the exit status."""
    failures = 0
    for scenario in SCENARIOS:
        name = scenario.__name__
        expectation = run_in_process(name)
        print(f"pass {name}" if expectation is None else f"FAIL {name}: {expectation}", flush=True)
        failures += expectation is not None
    return 1 if failures else 0


def run_one(name):
    """Run a scenario here and return the exit status."""
    faulthandler.enable()
    (scenario,) = [scenario for scenario in SCENARIOS if scenario.__name__ == name]
    try:
        scenario()
    except ExpectationError as expectation:
        print(f"expected {expectation}")
        return 1
    except ThrowlockError as error:
        print(f"expected no error, got {error!r}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(run_one(sys.argv[1]) if len(sys.argv) > 1 else run_all())
