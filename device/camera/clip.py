"""A video file as a camera, so that a recorded throw is judged like one at the table."""

import errno
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import cv2
from typing_extensions import override

from device.camera.base import Camera, CameraError
from device.camera.frames import BgrFrame, Frame, Pixels, Size
from device.media.decoder import MediaError, shared_decoder
from device.media.timeline import Piece, Timeline
from device.system.clock import Clock
from messages import LazyText, N

WRITTEN_JPEG_QUALITY = 90
"""JPEG quality of the frames of a recording that is written."""


class ClipError(CameraError):
    """A recording can't be read.

    Attributes:
        reason: Why, as ``device.media.decoder.REASONS`` has it; "" where its file can't be opened.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class SpeedSource(StrEnum):
    """Who says at which speed a recording was made."""

    FILE = "file"
    """The file's tag."""
    EDITS = "edits"
    """The file's edits: parts are shown at another speed."""
    GIVEN = "given"
    """Whoever reads it."""


@dataclass(frozen=True)
class Recording:
    """A part of a recording."""

    frames: Sequence[BgrFrame]
    """At least one, in order of time; exposed when they were recorded, in ns from the beginning."""
    timeline: Timeline
    """When a player shows what was recorded when."""
    recorded_fps: float
    """Frames a second that were recorded; 0 of a recording of one frame."""
    shown_fps: float
    """Frames a second that a player shows, where the recording is shown at one speed; 0 of one frame."""
    speed_source: SpeedSource | None
    """Who says that the two differ; None where they are the same."""

    @property
    def speed_note(self) -> LazyText | None:
        """What is said of a recording that is not shown at the speed at which it was recorded; None of any other."""
        if self.speed_source is None:
            return None
        if self.speed_source is SpeedSource.EDITS:
            return N("A part of the recording is shown at another speed; times between hands are those of the throw.")
        return N(
            "The recording was made at {recorded} frames a second and is shown at {shown}; times between hands are "
            "those of the throw.",
            recorded=f"{self.recorded_fps:.4g}",
            shown=f"{self.shown_fps:.4g}",
        )


def read_clip(
    path: Path,
    since_ns: int = 0,
    until_ns: int | None = None,
    cue_ns: int = 0,
    recorded_fps: float | None = None,
) -> Recording:
    """Read a part of a recording.

    Args:
        path: Its file.
        since_ns: The beginning of the part after ``cue_ns``, in ns at the recorded speed.
        until_ns: Its end; None: the recording's.
        cue_ns: A time at which players show it, in ns.
        recorded_fps: The rate at which it was recorded; by default as the file says.

    Raises:
        ClipError: The file is not a video, can't be decoded, has no frame in that part, or more than
            ``device.system.input_files`` allows, or does not say when its frames were recorded.
    """
    options = {"cue_ns": cue_ns, "since_ns": since_ns, "until_ns": until_ns, "recorded_fps": recorded_fps}
    try:
        images, facts = shared_decoder().decode(path, "video", options)
    except FileNotFoundError:
        raise ClipError(N("{path}: no such file; name a video, for example throw.mp4", path=path)) from None
    except OSError as error:
        raise ClipError(N("{path} can’t be read ({why})", path=path, why=error.strerror)) from error
    except MediaError as error:
        raise ClipError(error.text, error.reason) from error
    frames = []
    for image in images:
        number, exposed_ns = image.details
        frames.append(BgrFrame(number, exposed_ns, 0, (image.bgr.shape[1], image.bgr.shape[0]), image.bgr))
    source = SpeedSource(facts["source"]) if facts["source"] else None
    timeline = Timeline([Piece(**piece) for piece in facts["pieces"]])
    return Recording(frames, timeline, facts["recorded_fps"], facts["stored_fps"], source)


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
        written = len(read_clip(path).frames)
    except CameraError:
        written = 0
    if written != frames:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


class ClipCamera(Camera):
    """Plays a recording as a camera: each ``start`` begins it again at the clock's current time."""

    dropped = 0

    def __init__(self, path: Path, clock: Clock) -> None:
        """Raises CameraError when ``path`` can't be read; see ``read_clip``."""
        recording = read_clip(path)
        self._frames = recording.frames
        self.speed_note = recording.speed_note
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
