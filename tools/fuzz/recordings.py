"""Fuzzes the reading of recordings, as ``throwlock judge`` and ``--camera clip:`` read them. An input is a video file;
of an MP4 file the boxes are changed, each with what it says of times, sizes and speeds."""

import math
import random
import struct
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from device.camera.clip import ClipCamera, ClipError, read_clip
from device.system.clock import SimulatedClock
from tests.helpers.recordings import add_item, box, change_track, split_boxes, write_recording
from tools.fuzz.target import MutateBytes, Target, check_message, require, temporary_folder

TIMES_MS = range(0, 600, 40)
PARENTS = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"udta", b"meta", b"ilst")
ODD_NUMBERS = (0, 1, 2, 255, 1000, 2**15, 2**16, 2**24, 2**31 - 1, 2**31, 2**32 - 1)
CUE_NS = 300_000_000
CRASHES = ("ended", "silent")
"""The reasons of a decoder that did not answer: its sandbox holds, and yet it is a fault."""


def seeds() -> Iterator[bytes]:
    """Yield recordings in every container, with sound, without even times, in slow motion, edited and turned."""
    with temporary_folder() as name:
        folder = Path(name)
        for suffix in (".mp4", ".mov", ".mkv", ".webm", ".avi", ".ts"):
            yield write_recording(folder / f"plain{suffix}", TIMES_MS).read_bytes()
        uneven = [time * time // 600 + time for time in TIMES_MS]
        yield write_recording(folder / "uneven.mp4", uneven, sound_ms=(0, 700)).read_bytes()
        slow = {"com.android.capture.fps": "100.0"}
        path = write_recording(folder / "slow.mp4", TIMES_MS, tags=slow)
        yield path.read_bytes()
        yield change_track(path, [(200, -1, 1), (300, 80, 1)]).read_bytes()
        yield change_track(path, [(0, 80, 1)]).read_bytes()
        yield add_item(path, "com.android.capture.fps", 24, struct.pack(">d", 100), in_track=True).read_bytes()
        yield change_track(path, [(200, 0, 1), (400, 200, 0.5)], (0, 1, -1, 0)).read_bytes()


def mutate(data: bytes, rng: random.Random, mutate_bytes: MutateBytes) -> bytes:
    """Change a box or two of an MP4 file; cut any file short, or change its bytes."""
    if rng.random() < 0.1:
        return data[: rng.randrange(len(data) + 1)]
    if data[4:8] == b"ftyp" and rng.random() < 0.85:
        with suppress(struct.error, ValueError, IndexError):
            for _ in range(rng.choice((1, 1, 2, 3))):
                data = _change_boxes(data, rng, mutate_bytes)
            return data
    at = rng.randrange(len(data) + 1)
    return data[:at] + mutate_bytes(data[at : at + 200]) + data[at + 200 :]


def _change_boxes(content: bytes, rng: random.Random, mutate_bytes: MutateBytes) -> bytes:
    """Change one of some boxes that follow one another, or one inside of it. Raises struct.error, ValueError,
    IndexError."""
    boxes = split_boxes(content)
    number = rng.choice([index for index, (kind, _) in enumerate(boxes) if kind != b"mdat" or rng.random() < 0.1])
    kind, inside = boxes[number]
    if kind in PARENTS and rng.random() < 0.9:
        boxes[number] = kind, _change_boxes(inside, rng, mutate_bytes)
    else:
        match rng.randrange(10):
            case 0:
                del boxes[number]
            case 1:
                boxes.insert(rng.randrange(len(boxes) + 1), boxes[number])
            case 2:
                other = rng.randrange(len(boxes))
                boxes[number], boxes[other] = boxes[other], boxes[number]
            case 3:
                boxes[number] = kind, mutate_bytes(inside)
            case _:
                at = rng.randrange(max(1, len(inside) // 4)) * 4
                value = struct.pack(">I", rng.choice((*ODD_NUMBERS, rng.getrandbits(32))))
                boxes[number] = kind, inside[:at] + value + inside[at + 4 :]
    return b"".join(box(*each) for each in boxes)


def check(data: bytes) -> None:
    """Read a recording as a whole, around a cue, at a given rate, and play it."""
    with temporary_folder() as name:
        path = Path(name) / "recording"
        path.write_bytes(data)
        _check_part(path)
        _check_part(path, since_ns=-CUE_NS // 2, until_ns=CUE_NS, cue_ns=CUE_NS)
        _check_part(path, recorded_fps=60.0)
        with suppress(ClipError):
            camera = ClipCamera(path, SimulatedClock())
            camera.start()
            camera.latest()
            require(math.isfinite(camera.fps), "a rate that is none")


def _check_part(path: Path, **part: Any) -> None:
    """Read a part, as ``read_clip`` takes it: it is refused with one line, or its pictures have one size and times that
    rise."""
    try:
        recording = read_clip(path, **part)
    except ClipError as error:
        check_message(error)
        require(error.reason not in CRASHES, f"the decoder ended: {error}")
        return
    frames = recording.frames
    require(len({frame.size for frame in frames}) == 1, "pictures of several sizes")
    require(all(a.exposed_ns < b.exposed_ns for a, b in pairwise(frames)), "times that do not rise")
    for rate in (recording.recorded_fps, recording.shown_fps):
        require(math.isfinite(rate) and (rate > 0 or len(frames) == 1), f"a rate that is none: {rate}")
    for frame in frames:
        recording.timeline.shown_ns(frame.exposed_ns)
    recording.timeline.recorded_ns(CUE_NS)
    str(recording.speed_note)


TARGET = Target("recordings", seeds, mutate, check, max_bytes=100_000, max_cpu_s=10)
