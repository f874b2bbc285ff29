"""Small recordings made with PyAV, and changes to the boxes of an MP4 file."""

import struct
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

SIZE = (160, 120)
CODECS = {".mp4": "libx264", ".mkv": "libx264", ".ts": "libx264", ".webm": "libvpx", ".avi": "mpeg4", ".mov": "libx264"}
SOUND_CODECS = {".webm": "libopus", ".mkv": "aac", ".ts": "aac", ".mp4": "aac"}
LEVELS = 8
"""Each picture is this much brighter than the one before."""
MS = Fraction(1, 1000)
SOUND_RATE = 48_000


def write_recording(
    path: Path,
    times_ms: Iterable[int],
    *,
    sound_ms: tuple[int, int] | None = None,
    codec: str = "",
    tags: dict[str, str] | None = None,
    options: dict[str, str] | None = None,
    size: tuple[int, int] = SIZE,
) -> Path:
    """Write pictures that are shown at these times, and sound from one time to another. The first picture is dark, each
    one brighter than the one before."""
    with av.open(str(path), "w", options={"movflags": "use_metadata_tags"} if path.suffix == ".mp4" else {}) as file:
        file.metadata.update(tags or {})
        times = list(times_ms)
        video = file.add_stream(codec or CODECS[path.suffix], rate=30, options=options or {}) if times else None
        sound = file.add_stream(SOUND_CODECS[path.suffix], rate=SOUND_RATE) if sound_ms else None
        if isinstance(video, VideoStream):
            video.width, video.height = size
            video.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
            base = Fraction(1, 30) if path.suffix == ".avi" else MS  # AVI has a rate, and no times
            video.time_base = video.codec_context.time_base = base
        if isinstance(sound, AudioStream) and sound_ms is not None:
            sound.layout = "mono"
            for frame in _silence(*sound_ms):
                file.mux(sound.encode(frame))
            file.mux(sound.encode(None))
        if isinstance(video, VideoStream):
            for number, time_ms in enumerate(times):
                level = LEVELS * (number + 1) % 256
                picture = av.VideoFrame.from_ndarray(np.full((size[1], size[0], 3), level, np.uint8), "bgr24")
                picture.pts, picture.time_base = round(time_ms * MS / base), base
                file.mux(video.encode(picture))
            file.mux(video.encode(None))
    return path


def _silence(since_ms: int, until_ms: int) -> Iterable[av.AudioFrame]:
    for start in range(since_ms * SOUND_RATE // 1000, until_ms * SOUND_RATE // 1000, 960):
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 960), np.float32), "fltp", "mono")
        frame.sample_rate, frame.pts, frame.time_base = SOUND_RATE, start, Fraction(1, SOUND_RATE)
        yield frame


def box(kind: bytes, content: bytes) -> bytes:
    """Return a box of an MP4 file."""
    return struct.pack(">I4s", 8 + len(content), kind) + content


def split_boxes(content: bytes) -> list[tuple[bytes, bytes]]:
    """Return the kinds and contents of boxes that follow one another. Raises ValueError, struct.error if they are
    damaged."""
    boxes = []
    while content:
        size, kind = struct.unpack_from(">I4s", content)
        if size < 8:
            raise ValueError("a box is shorter than its head")
        boxes.append((kind, content[8:size]))
        content = content[size:]
    return boxes


def change_track(path: Path, edits: Sequence[tuple[int, int, float]] | None = None, matrix: Sequence[int] = ()) -> Path:
    """Give the first track of an MP4 file an edit list, each entry with its duration and its beginning in the stored
    pictures' time in ms (-1: empty) and its rate; or a display matrix (a, b, c, d)."""
    boxes = dict(split_boxes(path.read_bytes()))
    movie = split_boxes(boxes[b"moov"])
    number = next(index for index, (kind, _) in enumerate(movie) if kind == b"trak")
    track = dict(split_boxes(movie[number][1]))
    scale = struct.unpack_from(">I", dict(movie)[b"mvhd"], 12)[0]
    own_scale = struct.unpack_from(">I", dict(split_boxes(track[b"mdia"]))[b"mdhd"], 12)[0]
    if edits is not None:
        track.pop(b"edts", None)
        entries = b"".join(
            struct.pack(
                ">IiI",
                duration * scale // 1000,
                start if start < 0 else start * own_scale // 1000,
                round(rate * 65536),
            )
            for duration, start, rate in edits
        )
        if entries:
            track = {b"tkhd": track.pop(b"tkhd")} | {
                b"edts": box(b"elst", struct.pack(">II", 0, len(edits)) + entries),
                **track,
            }
    if matrix:
        a, b, c, d = (part * 65536 for part in matrix)
        head = track[b"tkhd"]
        track[b"tkhd"] = head[:40] + struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30) + head[76:]
    movie[number] = b"trak", b"".join(box(*each) for each in track.items())
    boxes[b"moov"] = b"".join(box(*each) for each in movie)
    path.write_bytes(b"".join(box(*each) for each in boxes.items()))
    return path


def add_item(path: Path, key: str, kind: int, value: bytes, *, in_track: bool = False) -> Path:
    """Give an MP4 file, or its first track, an item of QuickTime's metadata: its type is Apple's number ``kind``. Other
    metadata is lost."""
    name, data = key.encode(), struct.pack(">II", kind, 0) + value
    meta = box(
        b"meta",
        box(b"hdlr", bytes(8) + b"mdta" + bytes(13))
        + box(b"keys", struct.pack(">II", 0, 1) + box(b"mdta", name))
        + box(b"ilst", struct.pack(">II", 24 + len(value), 1) + box(b"data", data)),
    )
    boxes = dict(split_boxes(path.read_bytes()))
    movie = [each for each in split_boxes(boxes[b"moov"]) if each[0] != b"udta"]
    content = b"".join(box(kind, content + meta * (in_track and kind == b"trak")) for kind, content in movie)
    boxes[b"moov"] = content if in_track else content + meta
    path.write_bytes(b"".join(box(*each) for each in boxes.items()))
    return path
