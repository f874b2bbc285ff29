"""Tests of USB cameras with a fake driver, of recordings, and of the ring buffer."""

import os
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from device.camera.base import CameraError
from device.camera.clip import ClipCamera, read_clip
from device.camera.frames import BgrFrame
from device.camera.ring_buffer import STALL_TIMEOUT_NS, FrameRingBuffer
from device.camera.usb import MAX_BROKEN_FRAMES, CaptureThread, UsbCamera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from tests.helpers.waiting import LIMIT_S
from throwlock.table_setup.cameras import open_camera

MS = 1_000_000
SECOND = 1000 * MS
FRAME = SECOND // 50


class FakeCapture:
    """A fake cv2.VideoCapture: ``read`` returns the frames passed to ``deliver``, and blocks without one, as a camera
    does. ``wait_until_read`` waits until all have been read."""

    def __init__(self, clock: SimulatedClock, fps: float = 50.0, size: tuple[int, int] = (64, 36)) -> None:
        self.clock, self.fps, self.size = clock, fps, size
        self.connected = True
        self.properties: dict[int, float] = {}
        self.released = threading.Event()
        self._stamp_ms = 0.0
        self._pictures: queue.Queue[tuple[bool, float]] = queue.Queue()
        self._blocked = threading.Condition()
        self._waits = False
        self.deliver(clock.now_ns())

    def deliver(self, stamp_ns: int, ok: bool = True) -> None:
        """Provide a frame with the driver's time, or a broken one."""
        with self._blocked:
            self._waits = False
            self._pictures.put((ok, stamp_ns / 1e6))

    def wait_until_read(self) -> None:
        with self._blocked:
            assert self._blocked.wait_for(lambda: self._waits or self.released.is_set(), timeout=LIMIT_S)

    def unplug(self) -> None:
        for _ in range(MAX_BROKEN_FRAMES):
            self.deliver(0, ok=False)

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return self.connected

    def get(self, prop: int) -> float:
        return {cv2.CAP_PROP_POS_MSEC: self._stamp_ms, cv2.CAP_PROP_FPS: self.fps}[prop]

    def set(self, prop: int, value: float) -> bool:
        self.properties[prop] = value
        return True

    def read(self) -> tuple[bool, Any]:
        with self._blocked:
            if self._pictures.empty():
                self._waits = True
                self._blocked.notify_all()
        got, self._stamp_ms = self._pictures.get()
        return got, np.zeros((self.size[1], self.size[0], 3), np.uint8) if got else None

    def release(self) -> None:
        with self._blocked:
            self.released.set()
            self._blocked.notify_all()


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(100 * SECOND)


@pytest.fixture
def driver(clock: SimulatedClock) -> FakeCapture:
    return FakeCapture(clock)


@pytest.fixture
def camera(clock: SimulatedClock, driver: FakeCapture) -> Iterator[UsbCamera]:
    camera = UsbCamera(0, clock, open_device=lambda index: driver)
    camera.start()
    yield camera
    driver.unplug()  # else a read would block forever
    camera.stop()


def test_image_is_rotated(clock: SimulatedClock, driver: FakeCapture) -> None:
    image = np.zeros((2, 3, 3), np.uint8)
    image[0, 0] = 200
    ring = FrameRingBuffer()
    for rotation, bright in ((0, (0, 0)), (180, (1, 2))):
        CaptureThread(driver, clock, 30.0, "usb:0", ring, rotation).add_frame(image)
        clock.wait_until(clock.now_ns() + SECOND)
        frame = ring.latest()
        assert frame is not None and frame.pixels()[bright].tolist() == [200, 200, 200]
        assert int((frame.pixels() > 0).sum()) == 3


def test_brightness_is_that_of_the_colours() -> None:
    bgr = np.random.default_rng(1).integers(0, 256, (8, 12, 3)).astype(np.uint8)
    frame = BgrFrame(0, 0, 0, (12, 8), bgr)
    assert np.abs(frame.grey() - frame.pixels() @ (0.299, 0.587, 0.114)).max() <= 1


def record(clock: SimulatedClock, driver: FakeCapture, frames: int, stamped: bool = True) -> list[int]:
    """Deliver ``frames`` frames that each arrive after 3 ms; return their times."""
    times = []
    for _ in range(frames):
        clock.wait_until(clock.now_ns() + FRAME)
        times.append(clock.now_ns() - 3 * MS if stamped else clock.now_ns())
        driver.deliver(times[-1] if stamped else 0)
        driver.wait_until_read()
    return times


# -------- USB


def test_usb_frames_have_the_drivers_time(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    times = record(clock, driver, 10)
    assert [frame.exposed_ns for frame in camera.frames_between(0, clock.now_ns())][1:] == times
    assert [frame.number for frame in camera.frames_between(0, clock.now_ns())] == list(range(11))
    assert camera.latest().exposed_ns == times[-1]
    assert camera.frames_between(times[2], times[4])[0].number == 3
    assert camera.dropped == 0


def test_frames_without_a_driver_stamp_have_the_arrival_time(
    clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera
) -> None:
    times = record(clock, driver, 5, stamped=False)
    assert [frame.exposed_ns for frame in camera.frames_between(0, clock.now_ns())][1:] == times


def test_stamps_of_another_clock_are_ignored(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    clock.wait_until(clock.now_ns() + FRAME)
    for stamp in (clock.now_ns() + 5 * SECOND, clock.now_ns() - 50 * SECOND):
        clock.wait_until(clock.now_ns() + FRAME)
        driver.deliver(stamp)
        driver.wait_until_read()
        assert camera.latest().exposed_ns == clock.now_ns()


def test_size_and_rate_are_those_delivered(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    assert (driver.properties[cv2.CAP_PROP_FRAME_WIDTH], driver.properties[cv2.CAP_PROP_FRAME_HEIGHT]) == (1280, 720)
    assert driver.properties[cv2.CAP_PROP_FPS] == 60
    assert (camera.size, camera.fps) == ((64, 36), 50)
    record(clock, driver, 1)
    assert camera.latest().size == (64, 36)


def test_first_frame_is_available_after_start(camera: UsbCamera) -> None:
    assert camera.latest().number == 0


def test_dropped_frames_are_counted_and_numbered(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    record(clock, driver, 3)
    clock.wait_until(clock.now_ns() + 4 * FRAME)
    record(clock, driver, 2)
    assert camera.dropped == 4
    assert [frame.number for frame in camera.frames_between(0, clock.now_ns())] == [0, 1, 2, 3, 8, 9]


def test_repeated_frame_is_ignored(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    (time,) = record(clock, driver, 1)
    for stamp in (time, time - MS):
        driver.deliver(stamp)
        driver.wait_until_read()
    assert len(camera.frames_between(0, clock.now_ns())) == 2


def test_broken_frame_counts_as_dropped(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    record(clock, driver, 2)
    for _ in range(MAX_BROKEN_FRAMES - 1):
        clock.wait_until(clock.now_ns() + FRAME)
        driver.deliver(0, ok=False)
        driver.wait_until_read()
    record(clock, driver, 1)
    assert camera.dropped == MAX_BROKEN_FRAMES - 1
    assert camera.latest().number == MAX_BROKEN_FRAMES + 2


def test_stalled_camera_raises(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    record(clock, driver, 2)
    clock.wait_until(clock.now_ns() + STALL_TIMEOUT_NS)
    with pytest.raises(CameraError, match=r"usb:0 has stopped sending images: check its cable"):
        camera.latest()
    with pytest.raises(CameraError, match=r"usb:0 has stopped"):
        camera.frames_between(0, clock.now_ns())


def test_unplugged_camera_raises(clock: SimulatedClock, driver: FakeCapture, camera: UsbCamera) -> None:
    record(clock, driver, 2)
    driver.unplug()
    assert driver.released.wait(LIMIT_S)
    for thread in threading.enumerate():
        if thread.name == "usb:0":
            thread.join(LIMIT_S)
    with pytest.raises(CameraError, match=r"usb:0 has stopped sending images"):
        camera.latest()


def test_camera_can_be_stopped_twice_and_restarted(clock: SimulatedClock) -> None:
    drivers = [FakeCapture(clock), FakeCapture(clock, fps=25)]
    opened = iter(drivers)
    camera = UsbCamera(2, clock, open_device=lambda index: next(opened))
    camera.stop()
    camera.start()
    record(clock, drivers[0], 3)
    drivers[0].deliver(clock.now_ns() + MS)
    drivers[0].unplug()
    camera.stop()
    camera.stop()
    assert drivers[0].released.is_set()
    with pytest.raises(CameraError, match="has stopped"):
        camera.latest()
    camera.start()
    assert drivers[1].properties[cv2.CAP_PROP_FPS] == 60, "what was requested, not what the last run delivered"
    assert camera.fps == 25
    assert camera.dropped == 0
    drivers[1].unplug()
    camera.stop()


def test_missing_camera_raises(clock: SimulatedClock, driver: FakeCapture) -> None:
    driver.connected = False
    with pytest.raises(CameraError, match=r"no camera usb:7: plug one in"):
        UsbCamera(7, clock, open_device=lambda index: driver).start()
    assert driver.released.is_set()


def test_camera_without_frames_raises(clock: SimulatedClock, driver: FakeCapture) -> None:
    driver.read()
    driver.deliver(0, ok=False)
    with pytest.raises(CameraError, match=r"usb:0 sends no images: is another program using it"):
        UsbCamera(0, clock, open_device=lambda index: driver).start()
    assert driver.released.is_set()


# -------- recordings


def make_clip(path: Path, frames: int = 30, fps: float = 30.0, size: tuple[int, int] = (64, 48)) -> Path:
    """Make a recording whose frames get brighter, so that each shows its number."""
    code = {".avi": "MJPG", ".mp4": "mp4v", ".mkv": "MJPG"}[path.suffix]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), fps, size)
    assert writer.isOpened()
    for number in range(frames):
        writer.write(np.full((size[1], size[0], 3), 8 * number % 256, np.uint8))
    writer.release()
    return path


@pytest.mark.parametrize("ending", [".avi", ".mp4", ".mkv"])
@pytest.mark.parametrize("fps", [25.0, 30.0, 60.0])
def test_clip_frames_have_their_times(tmp_path: Path, ending: str, fps: float) -> None:
    frames = read_clip(make_clip(tmp_path / f"clip{ending}", fps=fps)).frames
    assert [frame.number for frame in frames] == list(range(30))
    times = [frame.exposed_ns for frame in frames]
    assert times == pytest.approx([n * 1e9 / fps for n in range(30)], abs=1.1 * MS)  # MKV counts in ms
    assert all(frame.size == (64, 48) for frame in frames)
    assert [int(frame.bgr.mean()) for frame in frames] == pytest.approx([8 * n for n in range(30)], abs=4)


def test_part_of_a_clip_can_be_read(tmp_path: Path) -> None:
    path = make_clip(tmp_path / "clip.avi")
    part = read_clip(path, 300 * MS, 600 * MS).frames
    assert [frame.number for frame in part] == list(range(9, 19))
    with pytest.raises(CameraError, match=r"ends at 0\.97 s, before 2\.00 s"):
        read_clip(path, 2 * SECOND)


def test_non_video_raises(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no video" * 100)
    (tmp_path / "empty.mp4").touch()
    for name in ("text.mp4", "empty.mp4"):
        with pytest.raises(CameraError, match=rf"{name} is not a readable video"):
            read_clip(tmp_path / name)
    os.mkfifo(tmp_path / "pipe.mp4")
    for name, message in (
        ("none.mp4", "no such file"),
        (".", r"can’t be read \(Is a directory\)"),
        ("pipe.mp4", r"can’t be read \(a pipe or device, not a file\)"),
    ):
        with pytest.raises(CameraError, match=message):
            read_clip(tmp_path / name)


@pytest.mark.parametrize("ending", [".avi", ".mkv"])
def test_what_is_whole_of_a_clip_that_was_cut_short_is_read(tmp_path: Path, ending: str) -> None:
    path = make_clip(tmp_path / f"clip{ending}", frames=60, size=(320, 240))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    frames = read_clip(path).frames
    assert 15 < len(frames) < 45
    assert [int(frame.bgr.mean()) for frame in frames] == pytest.approx(
        [8 * n % 256 for n in range(len(frames))], abs=4
    )


def test_mp4_that_was_cut_short_raises(tmp_path: Path) -> None:
    path = make_clip(tmp_path / "clip.mp4", size=(320, 240))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CameraError, match=r"clip\.mp4 has no picture that can be decoded, or was cut short"):
        read_clip(path)


def test_clip_with_enormous_frames_raises(tmp_path: Path) -> None:
    path = make_clip(tmp_path / "clip.avi", frames=1, size=(7682, 4320))
    with pytest.raises(CameraError, match=r"clip\.avi has frames of 7682×4320 pixels"):
        read_clip(path)


def test_clip_plays_as_a_camera(tmp_path: Path, clock: SimulatedClock) -> None:
    camera = ClipCamera(make_clip(tmp_path / "clip.avi"), clock)
    assert (camera.size, camera.dropped) == ((64, 48), 0)
    assert camera.fps == pytest.approx(30, abs=0.1)
    for call in (camera.latest, lambda: camera.frames_between(0, 10**12)):
        with pytest.raises(CameraError, match="start it first"):
            call()
    camera.start()
    began = clock.now_ns()
    assert camera.latest().number == 0
    clock.wait_until(began + 500 * MS)
    assert [frame.number for frame in camera.frames_between(began, began + SECOND)] == list(range(16)), (
        "no future frames"
    )
    assert camera.latest().number == 15
    clock.wait_until(began + 60 * SECOND)
    assert camera.latest().number == 29
    camera.start()
    assert camera.latest().exposed_ns == clock.now_ns()
    camera.stop()
    camera.stop()


# -------- the ring buffer


def frame_at(when_ns: int, size: int = 10) -> BgrFrame:
    return BgrFrame(0, when_ns, 0, (size, 1), np.zeros((1, size, 3), np.uint8))


@given(st.lists(st.integers(1, 400), max_size=60), st.integers(0, 2000), st.integers(1, 1500))
def test_ring_buffer_keeps_the_newest_within_its_limits(gaps: list[int], keep_ns: int, budget: int) -> None:
    ring = FrameRingBuffer(keep_ns, budget)
    added: list[BgrFrame] = []
    when = 0
    for gap in gaps:
        when += gap
        added.append(frame_at(when, size=gap % 50 + 1))
        ring.add(added[-1])
        kept = list(ring.between(0, when))
        assert kept == added[-len(kept) :], "the newest, in order"
        assert ring.latest() is added[-1]
        if len(kept) > 1:
            assert kept[0].exposed_ns >= when - keep_ns
            assert sum(frame.size[0] * 3 for frame in kept) <= budget
        if len(kept) < len(added):  # the one before the oldest kept had to go
            gone = added[-len(kept) - 1]
            total = sum(frame.size[0] * 3 for frame in (gone, *kept))
            assert gone.exposed_ns < when - keep_ns or total > budget
    if not gaps:
        assert ring.latest() is None
        assert list(ring.between(0, 10**9)) == []


@given(
    st.lists(st.integers(0, 1000), unique=True, max_size=40).map(sorted), st.integers(-10, 1010), st.integers(-10, 1010)
)
def test_between_includes_both_ends(times: list[int], since: int, until: int) -> None:
    ring = FrameRingBuffer(10**9)
    for when in times:
        ring.add(frame_at(when))
    assert [frame.exposed_ns for frame in ring.between(since, until)] == [t for t in times if since <= t <= until]


def test_ring_buffer_can_be_read_while_it_is_filled() -> None:
    ring = FrameRingBuffer(max_age_ns=50, max_bytes=10**6)
    done = threading.Event()
    errors: list[object] = []

    def read() -> None:
        while not done.is_set():
            times = [frame.exposed_ns for frame in ring.between(0, 10**9)]
            if times != list(range(times[0], times[0] + len(times))) if times else False:
                errors.append(times)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for when in range(5000):
        ring.add(frame_at(when))
    done.set()
    for reader in readers:
        reader.join()
    assert errors == []


# -------- cameras by name


@pytest.mark.parametrize(
    "name", ["", "usb", "usb:", "usb:x", "usb:-1", "clip", "clip:", "picamera2:", "simulated:2", "Simulated"]
)
def test_unknown_camera_name_raises(clock: SimulatedClock, name: str) -> None:
    with pytest.raises(CameraError, match="give --camera picamera2, usb:N, clip:FILE, simulated, or none"):
        open_camera(name, clock, 2, 0)


def test_cameras_open_by_name(clock: SimulatedClock, tmp_path: Path) -> None:
    path = make_clip(tmp_path / "odd:name.avi")
    assert isinstance(open_camera("simulated", clock, 3, 0), SimulatedTable)
    usb = open_camera("usb:12", clock, 2, 0)
    assert isinstance(usb, UsbCamera)
    assert usb.index == 12
    assert isinstance(open_camera(f"clip:{path}", clock, 2, 0), ClipCamera)
