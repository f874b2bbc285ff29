"""Decodes recordings with PyAV and pictures with OpenCV. A MediaDecoder runs this as a program: ``python -m
device.system.sandbox device.media.worker REQUESTS RESPONSES MEMORY`` takes two file descriptors, and how many bytes of
memory it may use. It has no network, and opens no file: it asks for the bytes of the one that is decoded.

A request is a line of JSON: ``["video", size, options]`` or ``["picture", size]``, with the file's size in bytes. What
is sent back begins with one byte: ``READ``, then JSON ``[position, count]``, is answered with those bytes of the file;
``IMAGE``, then a line of JSON and a line feed, holds an image, blue, green, red; ``DONE``, then JSON, ends an answer,
and so does ``FAILED``, then JSON ``[reason, details]``. Nothing is unpickled, on either side."""

import math
import os
import pkgutil
import resource
import statistics
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from json import dumps, loads
from multiprocessing.connection import Connection
from typing import Any, cast

import av
import av.error
import cv2
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation
from av.video.stream import VideoStream
from numpy.typing import NDArray

from device.camera.frames import silence_opencv
from device.media.edits import Edit, read_codec, read_edits, read_item_rate, read_rate, states_rate
from device.media.timeline import Piece, Timeline, edited_timeline
from device.system.input_files import (
    MAX_CLIP_BYTES,
    MAX_CLIP_FRAME_PIXELS,
    MAX_CLIP_FRAMES,
    MAX_CLIP_SIDE,
    MIN_CLIP_SIDE,
)
from device.system.sandbox import forbid_files

READ, IMAGE, DONE, FAILED = b"r", b"i", b"d", b"e"
BUFFER_BYTES = 2**18
"""Bytes of a file that are read at once."""
NO_TIMESTAMPS = 0x0080
"""AVFMT_NOTIMESTAMPS of FFmpeg's avformat.h: the file holds pictures only, and FFmpeg makes up their times."""
PICTURES_ONLY = "_pipe"
"""How FFmpeg's names of formats end that are nothing but pictures in a row, 25 a second by its own reckoning."""
RATE_SAMPLE = 600
"""Pictures that the stored rate is measured on."""
SCAN_MARGIN_NS = 2_000_000_000
"""How far beyond its end a part of a recording is looked through: pictures are stored out of order."""
SEEK_MARGIN_NS = 500_000_000
"""How long before its beginning decoding starts at the latest: the first pictures of some files need earlier ones."""
MAX_RATE_RATIO = 1.5
"""How far the stored rate may be from that of the recording without being slow motion: in the dark, phones store fewer
pictures than they say."""
MIN_SLOW_MOTION_FPS = 33
"""Rates up to that are ordinary: a phone that says 30 and stores 15 may have filmed in the dark."""
MIN_TAGGED_FPS = 1e-6
"""A picture in eleven days: less is nonsense, and its times would have no end."""
CAPTURE_RATE_TAG = "com.android.capture.fps"
TAG_OPTIONS: dict[str, Any] = {"metadata_errors": "replace"} if av.__version__ < "19" else {}
"""Tags in other encodings than UTF-8 end nothing: PyAV 19 keeps them as they are."""
DECODING_THREADS = 2
"""Each decoding thread keeps pictures of its own."""


class DecodingError(Exception):
    """A file can't be decoded: the reason, one of ``device.media.decoder.REASONS``, and its details."""

    def __init__(self, reason: str, **details: object) -> None:
        super().__init__(reason)
        self.reason, self.details = reason, details


class RemoteFile:
    """The file that is decoded, which the other process reads."""

    def __init__(self, requests: Connection, responses: Connection, size: int) -> None:
        self._requests, self._responses = requests, responses
        self._size, self._position = size, 0

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a position, and return it."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def read(self, count: int = -1) -> bytes:
        """Return up to ``count`` bytes from the position on; all that there are if it is negative."""
        content = self.read_at(self._position, count if count >= 0 else self._size)
        self._position += len(content)
        return content

    def read_at(self, position: int, count: int) -> bytes:
        """Return up to ``count`` bytes from a position on."""
        count = min(count, max(0, self._size - position))
        if count == 0:
            return b""
        self._responses.send_bytes(READ + dumps([position, count]).encode())
        return self._requests.recv_bytes()


@dataclass
class VideoOptions:
    """The part of a recording that is wanted."""

    cue_ns: int
    """What ``since_ns`` and ``until_ns`` count from: a time at which a player shows it."""
    since_ns: int
    """In ns at the recorded speed."""
    until_ns: int | None
    """The same; None: to the end."""
    recorded_fps: float | None
    """The rate at which it was recorded, if somebody says it."""


@dataclass
class Scan:
    """What a recording's packets say, before any is decoded."""

    times_ns: list[int] = field(default_factory=list)
    """The pictures' times, sorted, without those that aren't shown."""
    key_times_ns: list[int] = field(default_factory=list)
    """Those at which decoding can start."""
    packets: int = 0
    """How many pictures there are, at most."""
    fps: float = 0.0
    """The stored rate; 0 if there are fewer than two pictures."""
    has_all_times: bool = True
    """Whether each picture has a time, and each its own."""
    is_even: bool = False
    """Whether no picture is left out: they are to be decoded at even times."""


class Video:
    """A recording that is open. Its times are those at which it is stored, from the beginning of the file."""

    def __init__(self, file: RemoteFile) -> None:
        self._file = file
        file.seek(0)
        self.edits: list[Edit] = []
        with closing(open_container(file)) as container:
            self.format = container.format.name
            has_no_times = container.format.flags & NO_TIMESTAMPS or self.format.endswith(PICTURES_ONLY)
            stream = choose_stream(container, file)
            self.has_times = not has_no_times and states_rate(file.read_at, self.format)
            is_reordered = self.format == "avi" and stream.codec_context.has_b_frames
            self.constant_fps = float(stream.average_rate or 0) if is_reordered else 0.0
            """Its rate where the file has only one for all pictures, and FFmpeg makes up the time of each; else 0."""
            self.aspect = stream.sample_aspect_ratio or Fraction(1)
            tags = {key.lower(): value for key, value in {**container.metadata, **stream.metadata}.items()}
            self.tagged_fps: float | None = None
            """The rate at which it was recorded, as the file says; None where it does not."""
            with suppress(ValueError):
                self.tagged_fps = read_rate(tags.get(CAPTURE_RATE_TAG, ""))
            start = container.start_time or 0
            if self.format.startswith("mov"):
                start = min(start, 0)
                self.tagged_fps = self.tagged_fps or read_item_rate(file.read_at, stream.id, CAPTURE_RATE_TAG)
                edits = read_edits(file.read_at, stream.id)
                if len(edits) > 1 or any(abs(edit.rate - 1) > 0.001 or not edit.shown_for_ns for edit in edits):
                    self.edits = edits
            self._origin_ns = 0 if self.edits else start * 1000

    @property
    def timeline(self) -> Timeline:
        """The timeline of its times, if they are those at which it was recorded."""
        edited = edited_timeline(self.edits)
        return edited if edited.pieces else Timeline([Piece(0, 0, 1.0)])

    def open(self) -> tuple[InputContainer, VideoStream]:
        """Open it anew, at its beginning. Raises DecodingError."""
        self._file.seek(0)
        container = open_container(self._file, {"ignore_editlist": "1"} if self.edits else {})
        return container, choose_stream(container, self._file)

    def time_ns(self, pts: int, base: Fraction | None) -> int:
        """Return a time in ns from one of the file's."""
        us = math.floor(pts * (base or 1) * 10**6 + Fraction(1, 2))  # as FFmpeg rounds the beginning
        return us * 1000 - self._origin_ns

    def pts(self, time_ns: int, base: Fraction) -> int:
        """Return the file's time of a time in ns."""
        return math.floor(Fraction(time_ns + self._origin_ns, 10**9) / base)

    def scan(self, until_ns: "float | None" = None) -> Scan:
        """Read the times of its packets, until ``until_ns`` or, if None, of the first ``RATE_SAMPLE``. Raises
        DecodingError."""
        found, decoded_at = Scan(), []
        container, stream = self.open()
        with closing(container):
            try:
                for packet in container.demux(stream):
                    if packet.size == 0 or packet.is_discard:
                        continue
                    found.packets += 1
                    decoded_at.append(packet.dts or 0)
                    if packet.pts is None:
                        found.has_all_times = False
                        continue
                    time_ns = self.time_ns(packet.pts, packet.time_base)
                    found.times_ns.append(time_ns)
                    if packet.is_keyframe:
                        found.key_times_ns.append(time_ns)
                    if until_ns is None and len(found.times_ns) >= RATE_SAMPLE:
                        break
                    if until_ns is not None and time_ns > until_ns + SCAN_MARGIN_NS:
                        break
            except av.error.FFmpegError:
                pass  # cut short: what there is counts
        found.is_even = len({after - before for before, after in pairwise(decoded_at)}) == 1
        found.times_ns.sort()
        steps = [after - before for before, after in pairwise(found.times_ns)]
        found.has_all_times = found.has_all_times and all(steps)
        if sum(steps) > 0:
            mean, median = sum(steps) / len(steps), statistics.median(steps)
            found.fps = 1e9 / (mean if abs(mean - median) < median / 10 or not median else median)
        return found


def open_container(file: RemoteFile, options: dict[str, str] | None = None) -> InputContainer:
    """Open a recording. Raises DecodingError."""
    try:
        container: InputContainer = av.open(file, "r", options=options or {}, buffer_size=BUFFER_BYTES, **TAG_OPTIONS)
        return container
    except av.error.FFmpegError as error:
        raise DecodingError("no video") from error


def choose_stream(container: InputContainer, file: RemoteFile) -> VideoStream:
    """Return a recording's picture track, ready to be decoded. Raises DecodingError."""
    stream = container.streams.best("video")
    if not isinstance(stream, VideoStream):
        kinds = {each.type for each in container.streams}
        raise DecodingError("sound only" if "audio" in kinds else "no video")
    context = stream.codec_context
    if context is None:  # PyAV does not say which codec it can't decode
        raise DecodingError("codec", codec=read_codec(file.read_at, stream.id) or container.format.name)
    if context.width * context.height > MAX_CLIP_FRAME_PIXELS:
        raise DecodingError("size", size=f"{context.width}×{context.height}")
    context.thread_count = DECODING_THREADS
    context.thread_type = "AUTO"
    context.options = {"max_pixels": str(MAX_CLIP_FRAME_PIXELS)}
    return stream


def find_speed(video: Video, given_fps: float | None, stored_fps: float) -> tuple[float, str]:
    """Return at which share of the stored time a recording was made, 0.25 for 60 frames a second that are stored as 15,
    and who says it: "given", "file" or, at 1, "". Raises DecodingError if the file does not say it clearly."""
    if stored_fps <= 0:
        return 1.0, ""
    if given_fps is not None:
        return stored_fps / given_fps, "given"
    tagged_fps = video.tagged_fps
    if tagged_fps is None or not MIN_TAGGED_FPS < tagged_fps < 100_000:
        return 1.0, ""
    ratio = tagged_fps / stored_fps
    if 1 / MAX_RATE_RATIO < ratio < MAX_RATE_RATIO:
        return 1.0, ""
    if ratio > 1 and tagged_fps < MIN_SLOW_MOTION_FPS:
        raise DecodingError("speed", tagged=tagged_fps, stored=stored_fps)
    return 1 / ratio, "file"


def scaled_size(size: tuple[int, int], aspect: Fraction, frames: int) -> tuple[int, int]:
    """Return the width and height at which so many pictures of ``size`` are kept, with square pixels instead of those
    of ``aspect``. Raises DecodingError if they don't fit."""
    width, height = size[0] * (float(aspect) if Fraction(1, 4) <= aspect <= 4 else 1.0), float(size[1])
    longest = max(width, height)
    fitting = longest * math.sqrt(MAX_CLIP_BYTES / (3 * width * height * max(1, frames)))
    if fitting < min(longest, MIN_CLIP_SIDE) or frames > MAX_CLIP_FRAMES:
        raise DecodingError("too long")
    scale = min(1.0, MAX_CLIP_SIDE / longest, fitting / longest)
    return max(1, round(width * scale)), max(1, round(height * scale))


def display_matrix(frame: VideoFrame) -> NDArray[np.int32] | None:
    """Return the display matrix of a picture; None without one. Ask one picture of a recording only: PyAV's side data
    and their picture hold each other, and keep its memory until Python collects its garbage."""
    data = frame.side_data.get("DISPLAYMATRIX")
    return None if data is None else np.frombuffer(bytes(cast(bytes, data)), "<i4")[:9]


def display(frame: VideoFrame, size: tuple[int, int], matrix: NDArray[np.int32] | None) -> NDArray[np.uint8]:
    """Return a picture at ``size``, then turned and mirrored as FFmpeg shows it."""
    interpolation = Interpolation.AREA if size[0] < frame.width else Interpolation.BICUBIC
    pixels = frame.reformat(*size, format="bgr24", interpolation=interpolation, threads=1).to_ndarray()
    image = np.asarray(pixels, np.uint8)
    return np.ascontiguousarray(image if matrix is None else turn(image, matrix))


def turn(image: NDArray[np.uint8], matrix: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return an image turned and mirrored by a display matrix, as FFmpeg does: what lies ``x`` to the right and ``y``
    down is shown ``a x + c y`` to the right and ``b x + d y`` down. Another angle than quarter turns leaves the size,
    and black corners."""
    a, b, c, d = (float(matrix[index]) for index in (0, 1, 3, 4))
    widths = math.hypot(a, c), math.hypot(b, d)
    if not all(widths):
        return image
    degrees = round(math.degrees(math.atan2(b / widths[1], a / widths[0]))) % 360
    if degrees % 90:
        height, width = image.shape[:2]
        rotation = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1)
        return np.asarray(cv2.warpAffine(image, rotation, (width, height)), np.uint8)
    right, down = a, d
    if degrees % 180:
        image, right, down = image.swapaxes(0, 1), c, b
    return image[:: -1 if down < 0 else 1, :: -1 if right < 0 else 1]


def decode_from(video: Video, since_ns: int, scan: Scan) -> Iterator[tuple[int | None, VideoFrame | None]]:
    """Yield the pictures of a recording with their times, from the last at which decoding can start before
    ``since_ns``, and None for each packet that can't be decoded. Raises DecodingError."""
    container, stream = video.open()
    with closing(container):
        start_ns = max((key for key in scan.key_times_ns if key <= since_ns - SEEK_MARGIN_NS), default=None)
        is_seeking = start_ns is not None and scan.has_all_times and start_ns > min(scan.key_times_ns)
        if is_seeking:
            assert start_ns is not None and stream.time_base is not None
            container.seek(video.pts(start_ns, stream.time_base), stream=stream)
        for time_ns, frame in _decode(video, container, stream):
            if is_seeking and time_ns is not None and frame is not None and time_ns > since_ns > scan.times_ns[0]:
                break  # it has no index, or a wrong one
            is_seeking = is_seeking and frame is None
            yield time_ns, frame
        else:
            return
    container, stream = video.open()
    with closing(container):
        yield from _decode(video, container, stream)


def _decode(
    video: Video, container: InputContainer, stream: VideoStream
) -> Iterator[tuple[int | None, VideoFrame | None]]:
    packets = container.demux(stream)
    time_ns = None
    while True:
        try:
            packet = next(packets, None)
            if packet is None:
                return
            if packet.pts is not None:
                time_ns = video.time_ns(packet.pts, packet.time_base)
            if packet.is_corrupt:
                yield time_ns, None
                continue
            frames = packet.decode()
        except MemoryError:
            raise DecodingError("memory") from None
        except av.error.EOFError:
            return
        except av.error.FFmpegError:
            yield time_ns, None
            if packet is None:
                return
            continue
        for frame in frames:
            assert isinstance(frame, VideoFrame)
            time_ns = None if frame.pts is None else video.time_ns(frame.pts, frame.time_base)
            yield time_ns, None if frame.is_corrupt else frame


class Part:
    """The part of a recording that is wanted. Raises DecodingError."""

    def __init__(self, video: Video, options: VideoOptions) -> None:
        self._video = video
        sample = video.scan()
        self._stored_fps = video.constant_fps or sample.fps
        self._share, self._source = find_speed(video, options.recorded_fps, self._stored_fps)
        self._timeline = video.timeline.at_rate(self._share)
        cue_ns = self._timeline.recorded_ns(options.cue_ns)
        self._since_ns = cue_ns + options.since_ns
        self._until_ns = math.inf if options.until_ns is None else cue_ns + options.until_ns
        self._scan = video.scan(self._until_ns / self._share)
        is_timed = video.has_times and self._scan.has_all_times and not video.constant_fps
        constant_fps = video.constant_fps / self._share if self._scan.is_even else 0.0
        counted_fps = options.recorded_fps or constant_fps or None
        self._counted_fps = None if is_timed else counted_fps
        """The rate by which pictures without a time of their own are counted."""
        is_unknown = video.constant_fps or (not video.has_times and self._scan.packets > 1)
        if self._counted_fps is None and is_unknown:
            raise DecodingError("no times")
        if self._counted_fps and self._scan.packets > 1:  # each may be stored at the same time
            self._stored_fps = self._stored_fps or self._counted_fps
        step_ns = round(self._share * 1e9 / self._stored_fps) if self._stored_fps else 0
        joint_ns = self._timeline.joint(self._since_ns, self._until_ns, 3 * step_ns // 2)
        if joint_ns is not None:
            raise DecodingError("cut", at=joint_ns / 1e9)

    def expected_frames(self) -> int:
        """Return how many pictures it has, by its packets."""
        if self._counted_fps is not None:
            return self._scan.packets
        times_ns = self._scan.times_ns
        first = bisect_left(times_ns, self._since_ns / self._share)
        return bisect_right(times_ns, self._until_ns / self._share) - first

    def frames(self) -> Iterator[tuple[int, int, VideoFrame]]:
        """Yield its pictures, with their numbers and when they were recorded. Raises DecodingError."""
        last_ns, end_ns, has_frames = -math.inf, -1, False
        damage_ns = math.inf
        start_ns = -1 if self._counted_fps is not None else round(self._since_ns / self._share)
        for count, (stored_ns, frame) in enumerate(decode_from(self._video, start_ns, self._scan)):
            if frame is None:
                damage_ns = min(damage_ns, -math.inf if stored_ns is None else stored_ns)
                continue
            number, time_ns = self._place(count, stored_ns)
            exposed_ns = round(time_ns * self._share)
            if exposed_ns > self._until_ns:
                break
            end_ns = max(end_ns, exposed_ns)
            if frame.key_frame and damage_ns < time_ns and exposed_ns <= self._since_ns:
                damage_ns = math.inf
            if exposed_ns < self._since_ns or not self._timeline.has(exposed_ns):
                continue
            if damage_ns < time_ns:
                raise DecodingError("damaged", at=self._shown_s(round(max(damage_ns, 0) * self._share)))
            if exposed_ns <= last_ns:
                raise DecodingError("no times")
            yield number, exposed_ns, frame
            last_ns, has_frames = exposed_ns, True
        if end_ns < 0:
            raise DecodingError("no pictures")
        if not has_frames:
            raise DecodingError("ends", end=self._shown_s(end_ns), start=self._shown_s(self._since_ns))

    def _place(self, count: int, stored_ns: int | None) -> tuple[int, int]:
        """Return the number of a picture and its stored time: it is the ``count``-th that was decoded."""
        if self._counted_fps is not None:
            return count, round(count * 1e9 / self._counted_fps / self._share)
        if stored_ns is None:
            raise DecodingError("no times")
        return bisect_left(self._scan.times_ns, stored_ns), stored_ns

    def _shown_s(self, recorded_ns: int) -> float:
        return self._timeline.shown_ns(recorded_ns) / 1e9

    def facts(self) -> dict[str, Any]:
        """Return what is known besides the pictures."""
        return {
            "pieces": [asdict(piece) for piece in self._timeline.pieces],
            "stored_fps": self._stored_fps,
            "recorded_fps": self._stored_fps / self._share,
            "source": self._source or ("" if all(p.is_real_time for p in self._video.timeline.pieces) else "edits"),
        }


class MediaWorker:
    """Decodes the files that it is asked for."""

    def __init__(self, requests: Connection, responses: Connection) -> None:
        self._requests, self._responses = requests, responses

    def answer(self, request: bytes) -> None:
        """Send all that answers a request."""
        try:
            kind, size, *rest = loads(request)
            file = RemoteFile(self._requests, self._responses, size)
            is_video = kind == "video"
            done = self._decode_video(file, VideoOptions(**rest[0])) if is_video else self._decode_picture(file)
        except DecodingError as error:
            self._responses.send_bytes(FAILED + dumps([error.reason, error.details]).encode())
        except MemoryError:
            self._responses.send_bytes(FAILED + dumps(["memory", {}]).encode())
        except (av.error.FFmpegError, ValueError, OverflowError) as error:
            self._responses.send_bytes(FAILED + dumps(["decoder", {"why": " ".join(str(error).split())}]).encode())
        else:
            self._responses.send_bytes(DONE + dumps(done).encode())

    def _send_image(self, image: NDArray[np.uint8], *details: object) -> None:
        header = dumps([image.shape[1], image.shape[0], *details]).encode()
        self._responses.send_bytes(b"".join((IMAGE, header, b"\n", image.data)))

    def _decode_video(self, file: RemoteFile, options: VideoOptions) -> dict[str, Any]:
        """Send the pictures of the part of a recording that is wanted."""
        video = Video(file)
        part = Part(video, options)
        size, matrix = None, None
        for sent, (number, exposed_ns, frame) in enumerate(part.frames()):
            if size is None:
                matrix = display_matrix(frame)
                size = scaled_size((frame.width, frame.height), video.aspect, part.expected_frames())
            if sent > MAX_CLIP_BYTES // (3 * size[0] * size[1]):
                raise DecodingError("too long")
            self._send_image(display(frame, size, matrix), number, exposed_ns)
        return part.facts()

    def _decode_picture(self, file: RemoteFile) -> dict[str, Any]:
        """Send a picture, turned upright as its EXIF data says."""
        try:
            image = cv2.imdecode(np.frombuffer(file.read(), np.uint8), cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise DecodingError("picture", why=str(error.err)) from error
        if image is None:
            raise DecodingError("damaged picture")
        self._send_image(np.ascontiguousarray(image, np.uint8))
        return {}


def main() -> None:
    """Answer requests until their pipe is closed, at the latest when the other process ends."""
    requests_fd, responses_fd, memory_bytes = map(int, sys.argv[1:])
    requests, responses = Connection(requests_fd, writable=False), Connection(responses_fd, readable=False)
    silence_opencv()
    av.logging.set_level(None)
    for module in pkgutil.walk_packages(av.__path__, "av."):  # PyAV imports parts of itself when they are needed
        if not module.name.endswith("__main__"):
            import_module(module.name)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        forbid_files()
    worker = MediaWorker(requests, responses)
    try:
        while True:
            worker.answer(requests.recv_bytes())
    except (EOFError, BrokenPipeError):
        os._exit(0)


if __name__ == "__main__":
    main()
