"""A recording as a camera: its frames with their times, so that a throw on film is judged like one at the table."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2

from device.camera.base import CameraError
from device.camera.frames import Frame, Size, StoredFrame
from device.camera.opencv_logging import quiet_opencv
from device.system.clock import Clock

LONGEST_NS = 20_000_000_000
"""The longest stretch of a recording that is looked at."""
BUDGET = 1_500_000_000
"""Bytes of frames kept at most: 18 s of 1280×720 at 30 fps."""


def _decoded(path: Path) -> Iterator[StoredFrame]:
    """Every frame of the recording. Raises CameraError when it is no video."""
    if not path.is_file():
        raise CameraError(f"{path}: there is no such file; name a video, e.g. clip:throw.mp4")
    quiet_opencv()
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        fps = capture.get(cv2.CAP_PROP_FPS)
        number, last_ns = 0, -1
        while True:
            stamp_ns = int(capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
            got, picture = capture.read()
            if not got:
                break
            after_ns = int(capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
            # The position is the frame's own time once it is read; some containers have none and repeat or go back.
            exposed_ns = after_ns if after_ns > last_ns else stamp_ns
            if exposed_ns <= last_ns:
                exposed_ns = last_ns + int(1e9 / (fps if fps > 0 else 30))
            yield StoredFrame(number, exposed_ns, 0, (picture.shape[1], picture.shape[0]), picture)
            number, last_ns = number + 1, exposed_ns
        if number == 0:
            raise CameraError(f"{path} is no video that can be read: give an MP4, MOV, MKV or AVI file")
    finally:
        capture.release()


def read_clip(path: Path, since_ns: int = 0, until_ns: int | None = None) -> list[StoredFrame]:
    """The frames of a recording from ``since_ns`` to ``until_ns`` (all of it if ``None``), times from its beginning.

    Raises CameraError when it is no video, has nothing there, or more than can be kept in memory.
    """
    frames: list[StoredFrame] = []
    size = 0
    last_ns = 0
    for frame in _decoded(path):
        last_ns = frame.exposed_ns
        if until_ns is not None and last_ns > until_ns:
            break
        if last_ns < since_ns:
            continue
        frames.append(frame)
        size += frame.bgr.nbytes
        if size > BUDGET or last_ns - frames[0].exposed_ns > LONGEST_NS:
            seconds = (last_ns - frames[0].exposed_ns) / 1e9
            raise CameraError(
                f"{path} is too long to look at whole (more than {seconds:.0f} s): say where the throw is"
            )
    if not frames:
        raise CameraError(f"{path} ends at {last_ns / 1e9:.2f} s, before {since_ns / 1e9:.2f} s")
    return frames


class ClipCamera:
    """A recording played over and over as a camera: each ``start`` begins it again at the clock's now."""

    dropped = 0

    def __init__(self, path: Path, clock: Clock) -> None:
        """Raises CameraError when ``path`` is no video."""
        self._frames = read_clip(path)
        self._clock = clock
        self._began_ns: int | None = None
        self.size: Size = self._frames[0].size
        self.length_ns = self._frames[-1].exposed_ns
        self.fps = (len(self._frames) - 1) / max(self.length_ns - self._frames[0].exposed_ns, 1) * 1e9

    def start(self) -> None:
        """See Camera."""
        self._began_ns = self._clock.now_ns()

    def stop(self) -> None:
        """See Camera."""
        self._began_ns = None

    def latest(self) -> Frame:
        """See Camera. After the end, the last frame stays."""
        began_ns = self._began()
        now_ns = self._clock.now_ns()
        shown = [frame for frame in self._frames if frame.exposed_ns + began_ns <= now_ns]
        return self._moved(shown[-1] if shown else self._frames[0], began_ns)

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        began_ns = self._began()
        until_ns = min(until_ns, self._clock.now_ns())
        return [
            self._moved(frame, began_ns)
            for frame in self._frames
            if since_ns <= frame.exposed_ns + began_ns <= until_ns
        ]

    def _began(self) -> int:
        if self._began_ns is None:
            raise CameraError("the clip is not playing: start it first")
        return self._began_ns

    @staticmethod
    def _moved(frame: StoredFrame, by_ns: int) -> StoredFrame:
        return StoredFrame(frame.number, frame.exposed_ns + by_ns, frame.exposure_ns, frame.size, frame.bgr)
