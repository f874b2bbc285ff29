"""What FFmpeg leaves out of a file: whether an AVI or Y4M file says its rate, and much of an MP4 or MOV file. The
edit list of these says which parts of the stored pictures are shown, when, and how fast: FFmpeg shows wrongly
Apple's slow motion, which is an edit at another speed, and nothing of an edit that lasts to the end. Their
items are tags, and FFmpeg skips the numbers of some types."""

import re
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

MAX_BOX_BYTES = 64 * 2**20
"""Bytes of a ``moov`` box that is read: an hour at 240 frames a second has 20 MiB."""
MAX_BOXES = 100_000
"""Boxes of a file that are looked at: a fragmented recording has two a second."""

HEAD_BYTES = 4096
"""Where the headers of an AVI or Y4M file are."""
Y4M_RATE = re.compile(rb" F(\d{1,9}):(\d{1,9})(?= |$)")
AVI_PICTURES = re.compile(rb"strh.{4}vids.{16}(.{4})(.{4})", re.DOTALL)
"""The scale and the rate of a track of pictures, after its size, codec, flags, priority, language and initial frames
(AVIStreamHeader in Microsoft's AVI RIFF File Reference)."""
AVI_FRAME_TIME = re.compile(rb"avih.{4}(.{4})", re.DOTALL)
"""Microseconds per picture, which FFmpeg takes where the track says no rate."""

DAMAGED = (struct.error, KeyError, IndexError, ArithmeticError, ValueError)
"""What reading a box raises where it is missing or damaged."""


NOTHING = memoryview(b"")
TEXTS, FLOATS = (0, 1), {23: ">f", 24: ">d"}
SIGNED_NUMBERS, UNSIGNED_NUMBERS = (21, 65, 66, 67, 74), (22, 75, 76, 77, 78)
"""Types of an item's value, by Apple's table of well-known types. Texts are UTF-8."""
RATE = re.compile(r"\s*(\d{1,9}(?:[.,]\d{1,9})?)(?:/(\d{1,9}))?\s*(?:fps|p|hz)?[\s\0]*", re.IGNORECASE)


ReadAt = Callable[[int, int], bytes]
"""Reads a file: from a position on, up to so many bytes."""


@dataclass(frozen=True)
class Edit:
    """A part of the stored pictures that is shown."""

    shown_ns: int
    """When it begins, from the beginning of the file."""
    shown_for_ns: int
    """How long it is shown; 0: to the end of the stored pictures."""
    stored_ns: int
    """When it begins in the stored pictures' own time."""
    rate: float
    """How fast it is shown: 0.125 in slow motion, 0 for a still."""


def read_edits(read_at: ReadAt, track: int) -> list[Edit]:
    """Return the edits of the track with the number ``track``, in the order in which they are shown, without empty
    ones and, beside others, those of no time; none where the file has none, or is damaged there."""
    try:
        movie = _find_movie(read_at)
        scale = _time_scale(dict(_boxes(movie))[b"mvhd"])
        boxes = _find_track(movie, track)
        entries = dict(_boxes(boxes[b"edts"]))[b"elst"]
        own_scale = _time_scale(dict(_boxes(boxes[b"mdia"]))[b"mdhd"])
        edits = list(_edits(entries, scale, own_scale))
        return [edit for edit in edits if edit.shown_for_ns] or edits[:1]
    except DAMAGED:
        return []


def read_codec(read_at: ReadAt, track: int) -> str:
    """Return the four characters by which a track names its codec, such as "av01"; "" where it does not."""
    try:
        boxes = _find_track(_find_movie(read_at), track)
        for kind in (b"mdia", b"minf", b"stbl"):
            boxes = dict(_boxes(boxes[kind]))
        return bytes(boxes[b"stsd"][12:16]).decode("ascii")
    except DAMAGED:
        return ""


def states_rate(read_at: ReadAt, form: str) -> bool:
    """Whether a file of FFmpeg's format ``form`` says at which rate its pictures follow one another, if it has one rate
    for all of them: where an AVI or Y4M file does not, FFmpeg makes up 25 a second."""
    if form not in ("avi", "yuv4mpegpipe"):
        return True
    head = read_at(0, HEAD_BYTES)
    if form == "yuv4mpegpipe":
        rate = Y4M_RATE.search(head.partition(b"\n")[0])
        return rate is not None and int(rate[1]) > 0 < int(rate[2])
    pictures, frame_time = AVI_PICTURES.search(head), AVI_FRAME_TIME.search(head)
    if pictures is None:
        return True
    return all(map(any, pictures.groups())) or (frame_time is not None and any(frame_time[1]))


def read_item_rate(read_at: ReadAt, track: int, key: str) -> float | None:
    """Return the rate that the item ``key``, such as "com.android.capture.fps", of the file or of a track says; None
    where neither says one."""
    try:
        movie = _find_movie(read_at)
        track_boxes = _find_track(movie, track)
    except DAMAGED:
        return None
    for boxes in (dict(_boxes(movie)), track_boxes):
        for box in (boxes.get(b"meta"), dict(_boxes(boxes.get(b"udta", NOTHING))).get(b"meta")):
            with suppress(*DAMAGED):
                if box is not None:
                    return _item_rate(box, key)
    return None


def _item_rate(box: memoryview, key: str) -> float:
    """Return the rate that an item of a ``meta`` box says. Raises one of DAMAGED where it is missing or says none."""
    has_flags = box[:4] == bytes(4)  # MP4 has them, QuickTime does not
    boxes = dict(_boxes(box[4:] if has_flags else box))
    keys = [bytes(name) for _, name in _boxes(boxes[b"keys"][8:])]
    items = {int.from_bytes(number): item for number, item in _boxes(boxes[b"ilst"])}
    data = dict(_boxes(items[1 + keys.index(key.encode())]))[b"data"]
    kind, value = int.from_bytes(data[:4]), bytes(data[8:])
    if kind in TEXTS:
        return read_rate(value.decode("utf-8", "replace"))
    if kind in FLOATS:
        return float(struct.unpack(FLOATS[kind], value)[0])
    if kind in SIGNED_NUMBERS or kind in UNSIGNED_NUMBERS:
        return float(int.from_bytes(value, signed=kind in SIGNED_NUMBERS))
    raise ValueError(f"an item of type {kind} is no number")


def read_rate(text: str) -> float:
    """Return the rate that a text says: 240 of "240 fps", 29.97 of "29,97" and of "2997/100". Raises ValueError."""
    match = RATE.fullmatch(text)
    if match is None or not (divisor := int(match[2] or 1)):
        raise ValueError(f"{text!r} is no rate")
    return float(match[1].replace(",", ".")) / divisor


def _find_track(movie: memoryview, number: int) -> dict[bytes, memoryview]:
    """Return the boxes of a track. Raises KeyError where there is none of this number."""
    for kind, body in _boxes(movie):
        if kind == b"trak":
            boxes = dict(_boxes(body))
            if struct.unpack_from(">I", boxes[b"tkhd"], 20 if boxes[b"tkhd"][0] else 12)[0] == number:
                return boxes
    raise KeyError(number)


def _find_movie(read_at: ReadAt) -> memoryview:
    """Return what is in the file's ``moov`` box. Raises ValueError where it has none."""
    position = 0
    for _ in range(MAX_BOXES):
        header = read_at(position, 16)
        size, kind = struct.unpack_from(">I4s", header)
        start = 8
        if size == 1:
            size, start = struct.unpack_from(">Q", header, 8)[0], 16
        if kind == b"moov":
            if size > MAX_BOX_BYTES:
                break
            return memoryview(read_at(position + start, size - start))
        if size < start:
            break
        position += size
    raise ValueError("no moov box")


def _boxes(content: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    position = 0
    while position + 8 <= len(content):
        size, kind = struct.unpack_from(">I4s", content, position)
        if size < 8:
            return
        yield kind, content[position + 8 : position + size]
        position += size


def _time_scale(header: memoryview) -> int:
    """Return the units a second of an ``mvhd`` or ``mdhd`` box."""
    return int(struct.unpack_from(">I", header, 20 if header[0] else 12)[0])


def _edits(entries: memoryview, scale: int, own_scale: int) -> Iterator[Edit]:
    is_long, count = bool(entries[0]), struct.unpack_from(">I", entries, 4)[0]
    layout = ">QqI" if is_long else ">IiI"
    shown_ns = 0
    for number in range(count):
        duration, stored, rate = struct.unpack_from(layout, entries, 8 + number * struct.calcsize(layout))
        shown_for_ns = duration * 10**9 // scale
        if stored >= 0:
            yield Edit(shown_ns, shown_for_ns, stored * 10**9 // own_scale, rate / 65536)
        shown_ns += shown_for_ns
