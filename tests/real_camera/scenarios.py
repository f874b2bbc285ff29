"""Scenarios for the picamera2 adapter on the real library. ``run`` prepares the environment they need.

scenarios.py         run each in a process of its own; print ``pass NAME`` or ``FAIL NAME: what was expected``
scenarios.py NAME    run one in this process
"""

import faulthandler
import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from unittest.mock import patch

SCENARIO_TIMEOUT_S = 120
STALL_S = 8
"""Longer than the adapter waits for a camera to stop."""

if len(sys.argv) > 1:  # the process that starts the others needs no camera
    import numpy as np
    import virtual_library

    from device.camera.base import CameraError, CameraNotReleasedError
    from device.camera.frames import Box
    from device.camera.picamera import Picamera
    from device.camera.ring_buffer import STALL_TIMEOUT_NS
    from device.system.clock import MonotonicClock
    from errors import ThrowlockError


class ExpectationError(Exception):
    """What was expected and didn't happen."""


def expect(condition, expectation):
    if not condition:
        raise ExpectationError(expectation)


def open_adapter(size=(1280, 720)):
    return Picamera(0, MonotonicClock(), size=size, fps=30.0, import_library=lambda: virtual_library)


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
    for _ in range(50):
        camera.start()
        camera.latest()
        camera.stop()
    after = count_resources()
    expect(after == before, f"{before}, got {after}")


def first_frame_missing():
    """A camera that delivers no frame is released, and starts when it delivers again."""
    camera = open_adapter()
    virtual_library.frames_blocked.set()
    expect_error(camera.start, "sends no images")
    expect_released()
    virtual_library.frames_blocked.clear()
    expect_normal_run(camera)


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
    add_frame, call_count = camera._add_frame, 0

    def fail_once(request):
        nonlocal call_count
        call_count += 1
        if call_count == 10:
            raise ValueError("a bad frame")
        add_frame(request)

    with patch.object(camera, "_add_frame", fail_once):
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


def modes_without_size():
    """A camera whose modes have no size, as those of a USB camera, is refused and released."""
    modes = property(lambda self: [{"format": "MJPEG"}, {"format": "YUYV"}])
    with patch.object(virtual_library.Picamera2, "sensor_modes", modes):
        expect_error(open_adapter().start, "reports no mode")
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


SCENARIOS = [
    frames,
    fifty_starts,
    first_frame_missing,
    frames_end,
    exception_in_callback,
    configuration_fails,
    modes_without_size,
    adjusted_size,
    libcamera_stalls,
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
