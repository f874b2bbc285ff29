"""A video file as a camera, so that a recorded throw is judged like one at the table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2

from device.camera.base import Camera, CameraError
from device.camera.frames import BgrFrame, Frame, Size
from device.camera.opencv_logging import silence_opencv
from device.system.clock import Clock
from messages import N

MAX_CLIP_NS = 20_000_000_000
"""Longest part of a recording that is read."""
MAX_CLIP_BYTES = 1_500_000_000
"""Memory limit of the frames in bytes: 18 s of 1280×720 at 30 fps."""


def _decode(path: Path) -> Iterator[BgrFrame]:
    """Yield every frame of a recording. Raises CameraError when it is not a video."""
    if not path.is_file():
        raise CameraError(N("{path}: no such file; name a video, for example clip:throw.mp4", path=path))
    silence_opencv()
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        fps = capture.get(cv2.CAP_PROP_FPS)
        number, last_ns = 0, -1
        while True:
            before_ns = int(capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
            ok, image = capture.read()
            if not ok:
                break
            after_ns = int(capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
            # After the read, the position is the frame's own time. Some containers have none: it repeats or goes back.
            exposed_ns = after_ns if after_ns > last_ns else before_ns
            if exposed_ns <= last_ns:
                exposed_ns = last_ns + int(1e9 / (fps if fps > 0 else 30))
            yield BgrFrame(number, exposed_ns, 0, (image.shape[1], image.shape[0]), image)
            number, last_ns = number + 1, exposed_ns
        if number == 0:
            raise CameraError(N("{path} is not a readable video: use an MP4, MOV, MKV or AVI file", path=path))
    finally:
        capture.release()


def read_clip(path: Path, since_ns: int = 0, until_ns: int | None = None) -> list[BgrFrame]:
    """Read the frames of a recording from ``since_ns`` to ``until_ns`` (None: to its end), in ns from its beginning.

    Raises:
        CameraError: the file is not a video, has no frame in that range, or more than fit into memory.
    """
    frames: list[BgrFrame] = []
    size = 0
    last_ns = 0
    for frame in _decode(path):
        last_ns = frame.exposed_ns
        if until_ns is not None and last_ns > until_ns:
            break
        if last_ns < since_ns:
            continue
        frames.append(frame)
        size += frame.bgr.nbytes
        if size > MAX_CLIP_BYTES or last_ns - frames[0].exposed_ns > MAX_CLIP_NS:
            seconds = (last_ns - frames[0].exposed_ns) / 1e9
            raise CameraError(
                N(
                    "{path} is too long to read as a whole (more than {seconds:.0f} s): say when the throw is",
                    path=path,
                    seconds=seconds,
                )
            )
    if not frames:
        raise CameraError(
            N("{path} ends at {end:.2f} s, before {start:.2f} s", path=path, end=last_ns / 1e9, start=since_ns / 1e9)
        )
    return frames


class ClipCamera(Camera):
    """Plays a recording as a camera: each ``start`` begins it again at the clock's current time."""

    dropped = 0

    def __init__(self, path: Path, clock: Clock) -> None:
        """Raises CameraError when ``path`` is not a video."""
        self._frames = read_clip(path)
        self._clock = clock
        self._playing: list[BgrFrame] = []
        self.size: Size = self._frames[0].size
        self.length_ns = self._frames[-1].exposed_ns
        self.fps = (len(self._frames) - 1) / max(self.length_ns - self._frames[0].exposed_ns, 1) * 1e9

    def start(self) -> None:
        """See Camera."""
        start_ns = self._clock.now_ns()
        self._playing = [replace(frame, exposed_ns=frame.exposed_ns + start_ns) for frame in self._frames]

    def stop(self) -> None:
        """See Camera."""
        self._playing = []

    def latest(self) -> Frame:
        """See Camera. Before the first frame it is that one, after the end the last."""
        now_ns = self._clock.now_ns()
        return (self.frames_between(0, now_ns) or self._playing[:1])[-1]

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        if not self._playing:
            raise CameraError("the clip is not playing: start it first")
        until_ns = min(until_ns, self._clock.now_ns())
        return [frame for frame in self._playing if since_ns <= frame.exposed_ns <= until_ns]
