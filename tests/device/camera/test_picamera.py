"""Tests of the Raspberry Pi's camera with a fake picamera2, and with the real library where it is installed."""

import gc
import importlib.util
import subprocess
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.base import CameraError, CameraNotReleasedError
from device.camera.frames import Box
from device.camera.picamera import MAX_EXPOSURE_US, Picamera, PicameraMode, remove_row_padding
from device.camera.ring_buffer import STALL_TIMEOUT_NS
from device.system.clock import MonotonicClock, SimulatedClock
from tests.helpers import fake_picamera2 as library
from tests.helpers import picamera2_habits
from tests.helpers.picamera2_habits import check_habits
from tests.helpers.waiting import LIMIT_S
from throwlock.cli import main
from throwlock.cli.doctor.probes import measure_camera
from throwlock.table_setup.cameras import open_camera

S, MS, US = 1_000_000_000, 1_000_000, 1000
BEGIN = 50 * S
FRAME = round(1e9 / 120)
CONFIGURED_BY_TESTS = (
    *("cameras", "modes", "exposure_controls", "lens_controls", "adjusted_size", "instances"),
    *("busy", "hangs_on_stop", "sends_no_frames", "cannot_configure"),
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedClock]:
    clock = SimulatedClock(BEGIN)
    # the machine's boot clock must not affect made-up stamps
    monkeypatch.setattr("device.camera.picamera.time.clock_gettime_ns", lambda which: 0)
    fake = library.Picamera2
    for name, value in vars(fake).copy().items():
        if name in CONFIGURED_BY_TESTS:
            monkeypatch.setattr(fake, name, value)
    monkeypatch.setattr(fake, "instances", [])
    monkeypatch.setattr("device.camera.picamera._modes_by_camera_id", {})
    monkeypatch.setattr(fake, "now_ns", staticmethod(clock.now_ns))
    yield clock
    fake.end_of_hang.set()
    fake.end_of_hang.clear()


def start_camera(clock: SimulatedClock, size: tuple[int, int] = (1280, 720), fps: float = 120.0) -> Picamera:
    for earlier in library.Picamera2.instances:
        earlier.close()
    camera = Picamera(0, clock, size, fps, import_library=lambda: library)
    camera.start()
    return camera


def plug_in(monkeypatch: pytest.MonkeyPatch, modes: Sequence[Mapping[str, Any]], **info: str) -> None:
    """Replace the camera by another one, with another address."""
    address = f"{library.Picamera2.cameras[0]['Id']}x"
    monkeypatch.setattr(library.Picamera2, "cameras", [{**library.Picamera2.cameras[0], "Id": address, **info}])
    monkeypatch.setattr(library.Picamera2, "modes", modes)


def test_fake_has_the_librarys_habits(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """As tests/real_camera finds them."""
    monkeypatch.setattr(picamera2_habits, "BLOCK_TIMEOUT_S", 0.05)
    check_habits(library, lambda blocked: monkeypatch.setattr(library.Picamera2, "sends_no_frames", blocked))


def test_mode_has_the_highest_rate_for_the_size(clock: SimulatedClock) -> None:
    camera = start_camera(clock)
    made = library.Picamera2.instances
    assert (camera.sensor, camera.fps, camera.size) == ("imx708", 120.0, (1280, 720))
    assert camera.mode == PicameraMode((1536, 864), 120.13, 10) and camera.readout_ns == 8 * MS
    assert made[0].read_modes and made[0].closed and not made[1].read_modes
    assert made[1].controls["FrameDurationLimits"] == (8333, 8333)
    slow = start_camera(clock, (2000, 1200), 50.0)
    assert (slow.fps, slow.readout_ns, slow.mode and slow.mode.size) == (50.0, 17_300_000, (2304, 1296))
    huge = start_camera(clock, (9000, 6000), 30.0)
    assert huge.size == (1536, 864) and huge.fps == 30.0  # no mode is that large: the fastest is used


def test_frames_have_the_shape_of_the_mode(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    high = {**library.SENSOR_MODES[0], "size": (1332, 990), "fps": 120.05}
    plug_in(monkeypatch, [high])
    camera = start_camera(clock)
    assert camera.size == (1280, 952) and not camera.readout_known
    plug_in(monkeypatch, [high], Model="imx477")
    camera = start_camera(clock)
    assert camera.readout_known and camera.readout_ns == 7_900_000
    plug_in(monkeypatch, [{**high, "bit_depth": 8}])
    assert not start_camera(clock).readout_known


def test_modes_are_read_once(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    start_camera(clock).start()
    start_camera(clock)  # another adapter, as each match opens one
    assert [made.read_modes for made in library.Picamera2.instances] == [True, False, False, False]
    plug_in(monkeypatch, [{**library.SENSOR_MODES[0], "fps": 90.0}])
    assert start_camera(clock).fps == 90.0
    plug_in(monkeypatch, [])
    for _ in range(2):
        with pytest.raises(CameraError, match="reports no mode"):
            start_camera(clock)
    assert sum(made.read_modes for made in library.Picamera2.instances) == 4  # no mode is not remembered


def test_there_is_only_the_stream_of_frames(clock: SimulatedClock) -> None:
    start_camera(clock)
    config = library.Picamera2.instances[-1].config
    assert config["main"] == {"size": (1280, 720), "format": "YUV420"}
    assert config["lores"] is None and config["raw"] is None and not config["queue"]
    assert config["sensor"] == {"output_size": (1536, 864), "bit_depth": 10}


def test_frame_time_is_the_middle_of_its_exposure(clock: SimulatedClock) -> None:
    camera = start_camera(clock)
    stamp = BEGIN + 100 * MS
    clock.wait_until(stamp + 20 * MS)
    library.Picamera2.instances[-1].expose(stamp, ExposureTime=4000)
    frame = camera.latest()
    assert frame.exposed_ns == stamp - 2 * MS + 4 * MS and frame.exposure_ns == 4 * MS
    assert frame.row_ns(0) == stamp - 2 * MS  # the first row was exposed until its readout began
    assert frame.row_ns(720) == stamp - 2 * MS + 8 * MS


@pytest.mark.slow
@settings(max_examples=8)  # each start collects garbage, which takes a while beside a whole test suite
@given(st.lists(st.integers(1, 5), min_size=1, max_size=20))
def test_lost_frames_are_counted(gaps: list[int]) -> None:
    clock = SimulatedClock(BEGIN)
    camera = Picamera(0, clock, (320, 180), import_library=lambda: library)
    library.Picamera2.now_ns = staticmethod(clock.now_ns)
    camera.start()
    number = 0
    for gap in gaps:
        number += gap
        clock.wait_until(BEGIN + number * FRAME)
        library.Picamera2.instances[-1].expose(BEGIN + number * FRAME)
    assert camera.dropped == sum(gaps) - len(gaps)
    numbers = [frame.number for frame in camera.frames_between(BEGIN - S, BEGIN + 9 * S)]
    assert numbers == [0, *np.cumsum(gaps)]
    library.Picamera2.instances.clear()


def test_repeated_and_unstamped_frames_are_ignored(clock: SimulatedClock) -> None:
    camera = start_camera(clock)
    fake = library.Picamera2.instances[-1]
    fake.expose(BEGIN)
    fake.expose(BEGIN + FRAME, SensorTimestamp=None)
    assert len(camera.frames_between(0, BEGIN + S)) == 1
    fake.expose(BEGIN + FRAME, ExposureTime=None)
    assert camera.latest().exposure_ns == 0 and camera.dropped == 0


def test_colours_are_converted_and_padding_is_removed(clock: SimulatedClock) -> None:
    camera = start_camera(clock, (320, 180))
    frame = camera.latest()
    whole = frame.pixels()
    assert whole.shape == (180, 320, 3)
    for x, channel in ((20, 0), (160, 1), (300, 2)):
        assert whole[90, x].argmax() == channel and whole[90, x].max() > 150
        assert frame.grey()[90, x] == pytest.approx(whole[90, x] @ (0.299, 0.587, 0.114), abs=2)
    for box in (Box(0, 0, 320, 180), Box(101, 33, 57, 41), Box(7, 7, 1, 1), Box(319, 179, 1, 1)):
        part = frame.pixels(box)
        same = whole[box.y : box.y + box.h, box.x : box.x + box.w]
        assert part.shape == (box.h, box.w, 3)
        assert np.abs(part.astype(int) - same).max() <= 2
    assert frame.pixels(Box(0, 0, 100, 50), (50, 25)).shape == (25, 50, 3)


def test_rows_without_padding_are_unchanged() -> None:
    flat = np.arange(6 * 8, dtype=np.uint8).reshape(6, 8)
    assert np.array_equal(remove_row_padding(flat, 8, 4), flat)


def test_locked_exposure_is_short_and_compensated_by_gain(clock: SimulatedClock) -> None:
    camera = start_camera(clock)
    fake = library.Picamera2.instances[-1]
    camera.lock_exposure()
    assert fake.controls["AeEnable"] is False
    assert fake.controls["ExposureTime"] == MAX_EXPOSURE_US and fake.controls["AnalogueGain"] == 4.0
    camera.unlock_exposure()
    assert fake.controls["AeEnable"] is True
    fake.expose(BEGIN + FRAME, ExposureTime=8300, AnalogueGain=14.0)
    camera.lock_exposure()
    assert fake.controls["AnalogueGain"] == 16.0  # the maximum
    camera.stop()
    camera.lock_exposure()
    camera.unlock_exposure()


def test_camera_without_exposure_control_runs(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library.Picamera2, "exposure_controls", {})
    camera = start_camera(clock)
    camera.lock_exposure()
    camera.unlock_exposure()
    assert set(library.Picamera2.instances[-1].controls) == {"FrameDurationLimits"}


def test_the_sensor_rotates_the_image(
    clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    start_camera(clock).stop()
    assert not library.Picamera2.instances[-1].config["transform"].vflip
    camera = Picamera(0, clock, rotation=180, import_library=lambda: library)
    camera.start()
    transform = library.Picamera2.instances[-1].config["transform"]
    assert transform.hflip and transform.vflip and not caplog.records
    monkeypatch.setattr(library.Picamera2, "cannot_rotate", True)
    camera.start()
    assert "can't rotate its image" in caplog.text


def test_motorised_lens_is_focused_at_the_given_distance(
    clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_camera(clock)
    assert "LensPosition" not in library.Picamera2.instances[-1].controls
    library.Picamera2.instances[-1].close()
    camera = Picamera(0, clock, focus_cm=50, import_library=lambda: library)
    camera.start()
    controls = library.Picamera2.instances[-1].controls
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 2.0)
    monkeypatch.setattr(library.Picamera2, "lens_controls", {})
    camera.start()
    assert "LensPosition" not in library.Picamera2.instances[-1].controls


def test_camera_problems_raise_errors(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = library.Picamera2
    camera = start_camera(clock)
    clock.wait_until(BEGIN + STALL_TIMEOUT_NS + S)
    with pytest.raises(CameraError, match="stopped sending images"):
        camera.frames_between(BEGIN, BEGIN + S)
    camera.start()  # and runs again
    assert camera.latest()
    with pytest.raises(CameraError, match="no camera picamera2:1"):
        Picamera(1, clock, import_library=lambda: library).start()
    monkeypatch.setattr(fake, "sends_no_frames", True)
    camera.stop()
    with pytest.raises(CameraError, match="sends no images"):
        start_camera(clock)
    with pytest.raises(CameraError, match="stopped sending images"):
        Picamera(0, clock, import_library=lambda: library).latest()
    monkeypatch.setattr(fake, "busy", True)
    with pytest.raises(CameraError, match=r"can’t be started.*other program"):
        start_camera(clock)
    monkeypatch.setattr(fake, "busy", False)


def test_usb_camera_is_named_as_such(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, [{"format": "MJPEG"}, {"format": "YUYV"}], Model="UVC Camera")
    for _ in range(2):
        with pytest.raises(CameraError, match=r"reports no mode.*usb:0"):
            start_camera(clock)
    assert all(made.closed for made in library.Picamera2.instances)


def test_camera_without_a_first_frame_can_be_started_again(
    clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = start_camera(clock)
    monkeypatch.setattr(library.Picamera2, "sends_no_frames", True)
    for _ in range(3):
        with pytest.raises(CameraError, match="sends no images"):
            camera.start()
    with pytest.raises(CameraError, match="sends no images"):
        start_camera(clock)  # another adapter for the same camera: it was released
    monkeypatch.setattr(library.Picamera2, "sends_no_frames", False)
    camera.start()
    assert camera.latest()
    camera.stop()
    assert all(made.closed for made in library.Picamera2.instances)


def test_camera_that_cannot_be_configured_is_released(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Picamera(0, clock, import_library=lambda: library)
    monkeypatch.setattr(library.Picamera2, "cannot_configure", True)
    with pytest.raises(CameraError, match=r"can’t be started .*invalid argument"):
        camera.start()
    assert all(instance.closed for instance in library.Picamera2.instances)
    monkeypatch.setattr(library.Picamera2, "cannot_configure", False)
    camera.start()
    assert camera.latest()


def test_frames_have_the_size_libcamera_gives_them(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library.Picamera2, "adjusted_size", (1024, 576))
    camera = start_camera(clock)
    assert camera.size == (1024, 576) and camera.latest().pixels().shape == (576, 1024, 3)


def test_camera_whose_thread_died_can_be_released(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = start_camera(clock)
    fake = library.Picamera2.instances[-1]

    def fail(request: library.FakeRequest) -> None:
        raise ValueError("a bad frame")

    fake.pre_callback = fail
    fake.expose(BEGIN + FRAME)
    with pytest.raises(TimeoutError):
        fake.capture_metadata(wait=1)
    camera.stop()
    camera.start()
    assert camera.latest()


def test_frame_that_cannot_be_added_is_only_lost(
    clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    camera = start_camera(clock)
    fake = library.Picamera2.instances[-1]
    with monkeypatch.context() as broken:
        broken.setattr(library.FakeRequest, "make_array", lambda request, name: np.zeros((3, 3), np.uint8))
        fake.expose(BEGIN + FRAME)
    fake.expose(BEGIN + 2 * FRAME)
    assert [frame.number for frame in camera.frames_between(0, BEGIN + S)] == [0, 2]
    assert "lost a frame" in caplog.text
    camera.stop()
    assert fake.closed


def test_stopped_camera_frees_its_images(clock: SimulatedClock) -> None:
    camera = start_camera(clock)
    library.Picamera2.instances[-1].expose(BEGIN)
    freed = weakref.ref(camera)
    camera.stop()
    del camera
    gc.collect()
    assert library.Picamera2.instances[-1].closed and freed() is None, "picamera2 outlives the camera and keeps it"


def test_earlier_camera_is_collected_before_the_next_is_opened(clock: SimulatedClock) -> None:
    """The library's object is part of a cycle, so it lives on until it is collected."""
    camera = start_camera(clock)
    earlier = weakref.ref(library.Picamera2.instances[-1])
    library.Picamera2.instances.clear()
    gc.disable()
    try:
        camera.start()
        assert earlier() is None
    finally:
        gc.enable()


def test_hang_while_stopping_raises_camera_not_released(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = start_camera(clock)
    monkeypatch.setattr(library.Picamera2, "hangs_on_stop", True)
    monkeypatch.setattr("device.camera.picamera.HANG_TIMEOUT_S", 0.01)
    with pytest.raises(CameraNotReleasedError, match=r"can’t be released.*restart Throwlock"):
        camera.stop()
    camera.stop()  # nothing left to release
    with pytest.raises(CameraError, match="stopped sending images"):
        camera.latest()


def test_command_line_exits_when_the_camera_hangs() -> None:
    program = (
        "import threading, click\n"
        "from device.camera.base import CameraNotReleasedError\n"
        "from throwlock.cli import main as cli\n"
        "@cli.throwlock.command()\n"
        "def hang():\n"
        "    threading.Thread(target=threading.Event().wait).start()\n"
        "    raise CameraNotReleasedError('camera picamera2:0 hangs')\n"
        "cli.main(['hang'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.returncode, done.stderr) == (main.EXIT_RESTART_NEEDED, "throwlock: camera picamera2:0 hangs\n")


def test_doctor_reports_the_camera(clock: SimulatedClock) -> None:
    camera = Picamera(0, clock, import_library=lambda: library)
    wait = clock.wait_until

    def exposing(when_ns: int) -> None:
        for number in range(1, 240):
            if number % 40:
                wait(BEGIN + number * FRAME)
                library.Picamera2.instances[-1].expose(BEGIN + number * FRAME, ExposureTime=4000)
        wait(when_ns)

    clock.wait_until = exposing
    (found,) = measure_camera(camera, clock)
    assert found["sensor"] == "imx708" and found["mode"] == (1536, 864) and found["asked"] == 120.0
    assert found["dropped"] == 5 and 115 < found["fps"] < 119 and found["light"] == "bright"
    assert (found["exposure_ms"], found["readout_ms"]) == (4.0, 8.0)


def test_missing_picamera2_raises() -> None:
    if importlib.util.find_spec("picamera2"):
        pytest.skip("picamera2 is on this machine")
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        open_camera("picamera2", MonotonicClock(), 2, 0).start()


@pytest.mark.skipif(not importlib.util.find_spec("picamera2"), reason="picamera2 is not on this machine")
def test_real_picamera2_delivers_frames() -> None:
    clock = MonotonicClock()
    camera = Picamera(0, clock, (640, 480), 30.0)
    camera.start()
    try:
        clock.wait_until(clock.now_ns() + S)
        frames = camera.frames_between(0, clock.now_ns())
        assert len(frames) > 5 and frames[-1].pixels().shape == (*camera.size[::-1], 3)
    finally:
        camera.stop()
