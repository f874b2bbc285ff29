"""The Raspberry Pi's camera, over a stand-in for picamera2 with its signatures and its faults; and over the library
itself where there is one."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator

import fake_picamera2 as library
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.base import CameraError, CameraNotReleasedError
from device.camera.frames import Box
from device.camera.picamera import LONGEST_EXPOSURE_US, STALLED_NS, Mode, Picamera, packed
from device.system.clock import JumpingClock, SteadyClock
from throwlock.cli import main
from throwlock.cli.doctor.probes import ran_for
from throwlock.table_setup.cameras import open_camera

S, MS, US = 1_000_000_000, 1_000_000, 1000
BEGIN = 50 * S
FRAME = round(1e9 / 120)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[JumpingClock]:
    clock = JumpingClock(BEGIN)
    # the boot clock of this machine must not matter to stamps that are made up
    monkeypatch.setattr("device.camera.picamera.time.clock_gettime_ns", lambda which: 0)
    stand_in = library.Picamera2
    for name, value in vars(stand_in).copy().items():
        if name in ("cameras", "modes", "busy", "hangs_on_stop", "mute", "made", "lens"):
            monkeypatch.setattr(stand_in, name, value)
    monkeypatch.setattr(stand_in, "made", [])
    monkeypatch.setattr(stand_in, "now_ns", staticmethod(clock.now_ns))
    yield clock
    stand_in.asleep.set()
    stand_in.asleep.clear()


def started(clock: JumpingClock, size: tuple[int, int] = (1280, 720), fps: float = 120.0) -> Picamera:
    for earlier in library.Picamera2.made:
        earlier.close()
    camera = Picamera(0, clock, size, fps, library=lambda: library)
    camera.start()
    return camera


def test_it_runs_at_the_highest_rate_that_has_the_size(clock: JumpingClock) -> None:
    camera = started(clock)
    made = library.Picamera2.made
    assert (camera.sensor, camera.fps, camera.size) == ("imx708", 120.0, (1280, 720))
    assert camera.mode == Mode((1536, 864), 120.13, 10) and camera.readout_ns == 8 * MS
    assert made[0].read_modes and made[0].closed and not made[1].read_modes
    assert made[1].controls["FrameDurationLimits"] == (8333, 8333)
    slow = started(clock, (2000, 1200), 50.0)
    assert (slow.fps, slow.readout_ns, slow.mode and slow.mode.size) == (50.0, 17_300_000, (2304, 1296))
    huge = started(clock, (9000, 6000), 30.0)
    assert huge.size == (1536, 864) and huge.fps == 30.0  # no mode has so many pixels: the quickest it is


def test_pictures_have_the_shape_of_the_mode(clock: JumpingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    high = {**library.MODES[0], "size": (1332, 990), "fps": 120.05}
    monkeypatch.setattr(library.Picamera2, "modes", [high])
    camera = started(clock)
    assert camera.size == (1280, 952) and not camera.knows_readout
    monkeypatch.setattr(library.Picamera2, "cameras", [{**library.Picamera2.cameras[0], "Model": "imx477"}])
    camera = started(clock)
    assert camera.knows_readout and camera.readout_ns == 7_900_000
    monkeypatch.setattr(library.Picamera2, "modes", [{**high, "bit_depth": 8}])
    assert not started(clock).knows_readout


def test_a_frame_s_time_is_the_middle_of_its_exposure(clock: JumpingClock) -> None:
    camera = started(clock)
    stamp = BEGIN + 100 * MS
    clock.wait_until(stamp + 20 * MS)
    library.Picamera2.made[-1].expose(stamp, ExposureTime=4000)
    frame = camera.latest()
    assert frame.exposed_ns == stamp - 2 * MS + 4 * MS and frame.exposure_ns == 4 * MS
    assert frame.row_ns(0) == stamp - 2 * MS  # the first row was exposed until its readout began
    assert frame.row_ns(720) == stamp - 2 * MS + 8 * MS


@given(st.lists(st.integers(1, 5), min_size=1, max_size=20))
def test_frames_that_are_lost_are_counted(gaps: list[int]) -> None:
    clock = JumpingClock(BEGIN)
    camera = Picamera(0, clock, (320, 180), library=lambda: library)
    library.Picamera2.now_ns = staticmethod(clock.now_ns)
    camera.start()
    number = 0
    for gap in gaps:
        number += gap
        clock.wait_until(BEGIN + number * FRAME)
        library.Picamera2.made[-1].expose(BEGIN + number * FRAME)
    assert camera.dropped == sum(gaps) - len(gaps)
    numbers = [frame.number for frame in camera.ring(BEGIN - S, BEGIN + 9 * S)]
    assert numbers == [0, *np.cumsum(gaps)]
    library.Picamera2.made.clear()


def test_a_frame_twice_or_without_a_stamp_is_none(clock: JumpingClock) -> None:
    camera = started(clock)
    stand_in = library.Picamera2.made[-1]
    stand_in.expose(BEGIN)
    stand_in.expose(BEGIN + FRAME, SensorTimestamp=None)
    assert len(camera.ring(0, BEGIN + S)) == 1
    stand_in.expose(BEGIN + FRAME, ExposureTime=None)
    assert camera.latest().exposure_ns == 0 and camera.dropped == 0


def test_the_colours_are_right_and_the_padding_is_gone(clock: JumpingClock) -> None:
    camera = started(clock, (320, 180))
    frame = camera.latest()
    whole = frame.pixels()
    assert whole.shape == (180, 320, 3)
    for x, channel in ((20, 0), (160, 1), (300, 2)):
        assert whole[90, x].argmax() == channel and whole[90, x].max() > 150
    for box in (Box(0, 0, 320, 180), Box(101, 33, 57, 41), Box(7, 7, 1, 1), Box(319, 179, 1, 1)):
        part = frame.pixels(box)
        same = whole[box.y : box.y + box.h, box.x : box.x + box.w]
        assert part.shape == (box.h, box.w, 3)
        assert np.abs(part.astype(int) - same).max() <= 2
    assert frame.pixels(Box(0, 0, 100, 50), (50, 25)).shape == (25, 50, 3)
    large = camera.picture()
    assert (
        large.shape == (864, 1536, 3) and large[0, 0].tolist() == [200, 0, 0] and large[0, -1].tolist() == [0, 0, 200]
    )
    assert all(request.held == 0 for request in library.Picamera2.made[-1].requests)


def test_rows_that_need_no_padding_stay_as_they_are() -> None:
    flat = np.arange(6 * 8, dtype=np.uint8).reshape(6, 8)
    assert np.array_equal(packed(flat, 8, 4), flat)


def test_the_exposure_is_short_and_fixed_while_a_round_runs(clock: JumpingClock) -> None:
    camera = started(clock)
    stand_in = library.Picamera2.made[-1]
    camera.hold_exposure()
    assert stand_in.controls["AeEnable"] is False
    assert stand_in.controls["ExposureTime"] == LONGEST_EXPOSURE_US and stand_in.controls["AnalogueGain"] == 4.0
    camera.free_exposure()
    assert stand_in.controls["AeEnable"] is True
    stand_in.expose(BEGIN + FRAME, ExposureTime=8300, AnalogueGain=14.0)
    camera.hold_exposure()
    assert stand_in.controls["AnalogueGain"] == 16.0  # all there is: what is still dark is told as too dark
    camera.stop()
    camera.hold_exposure()
    camera.free_exposure()


def test_a_lens_with_a_motor_is_put_where_it_is_told(clock: JumpingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    started(clock)
    assert "LensPosition" not in library.Picamera2.made[-1].controls
    library.Picamera2.made[-1].close()
    camera = Picamera(0, clock, focus_cm=50, library=lambda: library)
    camera.start()
    controls = library.Picamera2.made[-1].controls
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 2.0)
    monkeypatch.setattr(library.Picamera2, "lens", {})
    camera.start()
    assert "LensPosition" not in library.Picamera2.made[-1].controls


def test_what_goes_wrong_is_said(clock: JumpingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = library.Picamera2
    camera = started(clock)
    clock.wait_until(BEGIN + STALLED_NS + S)
    with pytest.raises(CameraError, match="stopped giving pictures"):
        camera.ring(BEGIN, BEGIN + S)
    camera.start()  # and goes on
    assert camera.latest()
    with pytest.raises(CameraError, match="no camera picamera2:1"):
        Picamera(1, clock, library=lambda: library).start()
    monkeypatch.setattr(stand_in, "mute", True)
    with pytest.raises(CameraError, match="gives no picture"):
        camera.picture()
    camera.stop()
    with pytest.raises(CameraError, match="gives no picture"):
        started(clock)
    with pytest.raises(CameraError, match="stopped giving pictures"):
        Picamera(0, clock, library=lambda: library).latest()
    monkeypatch.setattr(stand_in, "busy", True)
    with pytest.raises(CameraError, match=r"can't be started.*other program"):
        started(clock)
    monkeypatch.setattr(stand_in, "busy", False)
    monkeypatch.setattr(stand_in, "modes", [])
    with pytest.raises(CameraError, match="names no mode"):
        started(clock)


def test_a_camera_that_missed_its_first_frame_starts_again(
    clock: JumpingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = started(clock)
    monkeypatch.setattr(library.Picamera2, "mute", True)
    for _ in range(3):
        with pytest.raises(CameraError, match="gives no picture"):
            camera.start()
    with pytest.raises(CameraError, match="gives no picture"):
        started(clock)  # another adapter for the same camera: nothing holds it
    monkeypatch.setattr(library.Picamera2, "mute", False)
    camera.start()
    assert camera.latest()
    monkeypatch.setattr(library.Picamera2, "mute", True)
    with pytest.raises(CameraError, match="gives no picture"):
        camera.picture()
    camera.stop()
    assert all(made.closed for made in library.Picamera2.made)


def test_a_frame_that_cannot_be_kept_is_lost_and_no_more(
    clock: JumpingClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    camera = started(clock)
    stand_in = library.Picamera2.made[-1]
    with monkeypatch.context() as broken:
        broken.setattr(library.Request, "make_array", lambda request, name: np.zeros((3, 3), np.uint8))
        stand_in.expose(BEGIN + FRAME)
    stand_in.expose(BEGIN + 2 * FRAME)
    assert [frame.number for frame in camera.ring(0, BEGIN + S)] == [0, 2]
    assert "a frame is lost" in caplog.text
    camera.stop()
    assert stand_in.closed


def test_a_library_that_hangs_when_it_stops_needs_a_new_process(
    clock: JumpingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = started(clock)
    monkeypatch.setattr(library.Picamera2, "hangs_on_stop", True)
    monkeypatch.setattr("device.camera.picamera.STUCK_S", 0.01)
    with pytest.raises(CameraNotReleasedError, match=r"can't be released.*started again"):
        camera.stop()
    camera.stop()  # nothing is left to let go of
    with pytest.raises(CameraError, match="stopped giving pictures"):
        camera.latest()


def test_the_command_line_leaves_a_process_whose_camera_hangs() -> None:
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
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (main.RESTART_NEEDED, "throwlock: camera picamera2:0 hangs\n")


def test_the_doctor_says_what_it_holds(clock: JumpingClock) -> None:
    camera = Picamera(0, clock, library=lambda: library)
    wait = clock.wait_until

    def exposing(when_ns: int) -> None:
        for number in range(1, 240):
            if number % 40:
                wait(BEGIN + number * FRAME)
                library.Picamera2.made[-1].expose(BEGIN + number * FRAME, ExposureTime=4000)
        wait(when_ns)

    clock.wait_until = exposing  # type: ignore[method-assign]
    (found,) = ran_for(camera, clock)
    assert found["sensor"] == "imx708" and found["mode"] == (1536, 864) and found["asked"] == 120.0
    assert found["dropped"] == 5 and 115 < found["fps"] < 119 and not found["dark"]
    assert (found["exposure_ms"], found["readout_ms"]) == (4.0, 8.0)


def test_a_library_that_is_not_there_is_said() -> None:
    if importlib.util.find_spec("picamera2"):
        pytest.skip("picamera2 is on this machine")
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        open_camera("picamera2", SteadyClock(), 2, 0).start()


@pytest.mark.skipif(not importlib.util.find_spec("picamera2"), reason="picamera2 is not on this machine")
def test_the_real_library_gives_frames() -> None:
    clock = SteadyClock()
    camera = Picamera(0, clock, (640, 480), 30.0)
    camera.start()
    try:
        clock.wait_until(clock.now_ns() + S)
        frames = camera.ring(0, clock.now_ns())
        assert len(frames) > 5 and frames[-1].pixels().shape == (*camera.size[::-1], 3)
    finally:
        camera.stop()
