"""A video file as a camera, so that a recorded throw is judged like one at the table."""

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
from typing_extensions import override

from device.camera.base import Camera, CameraError
from device.camera.frames import BgrFrame, Frame, Pixels, Size, silence_opencv
from device.system.clock import Clock
from device.system.input_files import (
    MAX_CLIP_BYTES,
    MAX_CLIP_FRAME_PIXELS,
    MAX_CLIP_FRAMES,
    MAX_CLIP_NS,
    check_regular_file,
)
from messages import N

MAX_MISSING_END_NS, MAX_MISSING_FRAMES = 500_000_000, 2
"""A recording that lacks more than both at its end was cut short: containers estimate how long they are."""
WRITTEN_JPEG_QUALITY = 90
"""JPEG quality of the frames of a recording that is written."""


def _decode(path: Path) -> Iterator[BgrFrame]:
    """Yield every frame of a recording. Raises CameraError when it is not a video, or was cut short."""
    try:
        check_regular_file(path)
    except FileNotFoundError:
        raise CameraError(N("{path}: no such file; name a video, for example clip:throw.mp4", path=path)) from None
    except OSError as error:
        raise CameraError(N("{path} can't be read ({why})", path=path, why=error.strerror)) from error
    silence_opencv()
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        _check_frame_size(path, capture)
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
            raise CameraError(
                N("{path} is not a readable video, or was cut short: use a whole MP4, MOV, MKV or AVI file", path=path)
            )
        _check_end(path, number, last_ns, capture.get(cv2.CAP_PROP_FRAME_COUNT), fps)
    finally:
        capture.release()


def _check_frame_size(path: Path, capture: cv2.VideoCapture) -> None:
    width, height = (int(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    if width * height > MAX_CLIP_FRAME_PIXELS:
        size = f"{width}×{height}"
        raise CameraError(N("{path} has frames of {size} pixels: 7680×4320 is the most", path=path, size=size))


def _check_end(path: Path, frames: int, last_ns: int, expected_frames: float, fps: float) -> None:
    """Raise CameraError when a recording has fewer frames, and ends earlier, than its container says: a hand that is
    not in it may have been shown."""
    if fps <= 0 or frames + MAX_MISSING_FRAMES >= expected_frames:
        return
    end, expected_end = last_ns / 1e9, (expected_frames - 1) / fps
    if (expected_end - end) * 1e9 > MAX_MISSING_END_NS:
        raise CameraError(
            N(
                "{path} was cut short: it ends at {end:.2f} s, and its header says {expected_end:.2f} s; copy it again",
                path=path,
                end=end,
                expected_end=expected_end,
            )
        )


def read_clip(path: Path, since_ns: int = 0, until_ns: int | None = None) -> list[BgrFrame]:
    """Read the frames of a recording from ``since_ns`` to ``until_ns`` (None: to its end), in ns from its beginning.

    Raises:
        CameraError: the file is not a video, was cut short before ``until_ns``, has no frame in that range, or more
            than ``device.system.input_files`` allows.
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
        is_too_long = last_ns - frames[0].exposed_ns > MAX_CLIP_NS or len(frames) > MAX_CLIP_FRAMES
        if is_too_long or size > MAX_CLIP_BYTES:
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


def write_clip(path: Path, images: Iterable[Pixels], fps: float) -> None:
    """Write RGB ``images`` of one size, at least one, as Motion JPEG in an AVI file. Each frame is compressed by
    itself, so that none shows anything of its neighbours; the file's rate is ``fps``, rounded. A failure leaves no file
    at ``path``, or the one that was there.

    Raises:
        OSError: It can't be written, for example because the disk is full.
    """
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    path.parent.mkdir(parents=True, exist_ok=True)
    count, writer = 0, None
    try:
        for image in images:
            if writer is None:
                size = image.shape[1], image.shape[0]
                fourcc = cv2.VideoWriter.fourcc(*"MJPG")
                writer = cv2.VideoWriter(str(part), cv2.CAP_OPENCV_MJPEG, fourcc, fps, size)
                writer.set(cv2.VIDEOWRITER_PROP_QUALITY, WRITTEN_JPEG_QUALITY)
            writer.write(cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
            count += 1
        if writer is not None:
            writer.release()
        _check_written(part, count)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _check_written(path: Path, frames: int) -> None:
    """Raise OSError unless a file has so many frames: OpenCV does not report a full disk."""
    try:
        written = sum(1 for _ in _decode(path))
    except CameraError:
        written = 0
    if written != frames:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


class ClipCamera(Camera):
    """Plays a recording as a camera: each ``start`` begins it again at the clock's current time."""

    dropped = 0

    def __init__(self, path: Path, clock: Clock) -> None:
        """Raises CameraError when ``path`` can't be read; see ``read_clip``."""
        self._frames = read_clip(path)
        self._clock = clock
        self._playing: list[BgrFrame] = []
        self.size: Size = self._frames[0].size
        self.length_ns = self._frames[-1].exposed_ns
        self.fps = (len(self._frames) - 1) / max(self.length_ns - self._frames[0].exposed_ns, 1) * 1e9

    @override
    def start(self) -> None:
        start_ns = self._clock.now_ns()
        self._playing = [replace(frame, exposed_ns=frame.exposed_ns + start_ns) for frame in self._frames]

    @override
    def stop(self) -> None:
        self._playing = []

    @override
    def latest(self) -> Frame:
        """Before the first frame it is that one, after the end the last."""
        now_ns = self._clock.now_ns()
        return (self.frames_between(0, now_ns) or self._playing[:1])[-1]

    @override
    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        if not self._playing:
            raise CameraError("the clip is not playing: start it first")
        until_ns = min(until_ns, self._clock.now_ns())
        return [frame for frame in self._playing if since_ns <= frame.exposed_ns <= until_ns]
