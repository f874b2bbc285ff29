"""The frames of a round, with the times it was judged by: kept in memory for the last rounds, and read from the files
kept for clips, or the journal's strips, for earlier ones."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from device.camera.frames import Frame, Pixels
from device.media.decoder import MediaError, shared_decoder
from rules.engine import Seat
from rules.record.judgement import STRIP_OFFSETS_MS, JudgementRecord
from throwlock.journal.journal import Evidence
from throwlock.journal.kept_frames import StoredFrames
from throwlock.nonessential import nonessential
from vision.evidence import encode_jpeg, resize_to_fit
from vision.image_header import ImageError, check_image_header
from vision.lock.judgement import Judgement
from vision.lock.verdict import HOLD_AFTER_LOCK_NS

FRAME_CROP_PX = 240
"""Longest side of a frame's crop in pixels."""
CROP_JPEG_QUALITY = 75
"""JPEG quality of a crop."""
FRAME_MARGIN_NS = 200_000_000
"""Time kept before the first and after the last event of a round."""
CLIP_LEAD_MS, CLIP_TAIL_MS = 120.0, 60.0
"""What is kept for a clip before the first and after the last event of a round: what it shows, and a frame more."""
ROUNDS_IN_MEMORY = 3
"""How many of the last rounds keep every frame around the lock in memory."""
CACHED_IMAGES = 64
"""How many decoded images are cached."""
UNREADABLE_IMAGE: Pixels = np.zeros((3, 4, 3), np.uint8)
"""Shown instead of evidence that can't be read."""


@dataclass(frozen=True, eq=False)
class RoundFrames:
    """The frames of a round."""

    times_ms: tuple[float, ...]
    """After the cue, in order."""
    image: Callable[[Seat, int], Pixels]
    """Returns a seat's image by the index of its frame."""
    jpegs: Mapping[tuple[Seat, int], bytes] = field(default_factory=dict)
    """The images in memory, by seat and index."""

    @property
    def size_bytes(self) -> int:
        """The size of the JPEGs in memory."""
        return sum(map(len, self.jpegs.values()))


def collect_frames(judgement: Judgement, frames: Sequence[Frame]) -> RoundFrames:
    """Collect each seat's crop of the frames around the events of a round. Frames that are rendered on
    demand are kept as they are."""
    times_ns = [judgement.cue_ns, judgement.lock_ns, *(seat.shown.time_ns for seat in judgement.seats if seat.shown)]
    if any(seat.changed_to for seat in judgement.seats):
        times_ns.append(judgement.lock_ns + HOLD_AFTER_LOCK_NS)
    since, until = min(times_ns) - FRAME_MARGIN_NS, max(times_ns) + FRAME_MARGIN_NS
    nearby = [frame for frame in frames if since <= frame.exposed_ns <= until]
    jpegs = {
        (seat.seat, number): encode_jpeg(resize_to_fit(frame, seat.crop, FRAME_CROP_PX), CROP_JPEG_QUALITY)
        for seat in judgement.seats
        for number, frame in enumerate(nearby)
        if frame.in_memory
    }
    boxes = {seat.seat: seat.crop for seat in judgement.seats}

    @lru_cache(maxsize=CACHED_IMAGES)
    def image(seat: Seat, number: int) -> Pixels:
        data = jpegs.get((seat, number))
        return resize_to_fit(nearby[number], boxes[seat], FRAME_CROP_PX) if data is None else decode_jpeg(data)

    return RoundFrames(
        tuple((frame.exposed_ns - judgement.cue_ns) / 1e6 for frame in nearby),
        image,
        jpegs,
    )


def collect_frames_async(judgement: Judgement, frames: Sequence[Frame]) -> Future[RoundFrames]:
    """Run ``collect_frames`` in a thread of its own, so nobody waits; it releases the frames when it is done. Never
    fails: the Future has the error."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="round-frames")
    try:
        return pool.submit(collect_frames, judgement, frames)
    except RuntimeError as error:  # the system has no thread left
        failed: Future[RoundFrames] = Future()
        failed.set_exception(error)
        return failed
    finally:
        pool.shutdown(wait=False)


def frames_to_keep(frames: RoundFrames, record: JudgementRecord) -> StoredFrames:
    """Return the frames that a round's clip shows, to be kept as files. Those rendered on demand are rendered."""
    times = [record.lock_ms, *(seat.shown_ms for seat in record.seats.values() if seat.shown_ms is not None)]
    if any(seat.after_lock for seat in record.seats.values()):
        times.append(record.lock_ms + HOLD_AFTER_LOCK_NS / 1e6)
    since, until = min(times) - CLIP_LEAD_MS, max(times) + CLIP_TAIL_MS
    if record.first_shown_ms is None:
        since -= record.window_ms
    numbers = [number for number, at in enumerate(frames.times_ms) if since <= at <= until]
    return StoredFrames(
        tuple(frames.times_ms[number] for number in numbers),
        {
            (seat, kept): frames.jpegs.get((seat, number)) or encode_jpeg(frames.image(seat, number), CROP_JPEG_QUALITY)
            for seat in record.seats
            for kept, number in enumerate(numbers)
        },
    )


def frames_from_kept(stored: StoredFrames) -> RoundFrames:
    """Return the frames that were kept of a round."""

    @lru_cache(maxsize=CACHED_IMAGES)
    def image(seat: Seat, number: int) -> Pixels:
        data = stored.jpegs.get((seat, number))
        return UNREADABLE_IMAGE if data is None else decode_jpeg(data)

    return RoundFrames(stored.times_ms, image, stored.jpegs)


def frames_from_strips(seats: Sequence[Seat], lock_ms: float, strips: Mapping[str, bytes]) -> RoundFrames:
    """Return the exposures of every seat's strip; none if a seat's strip is missing.

    Args:
        seats: The seats.
        lock_ms: The lock's time in ms after the cue.
        strips: The JPEG files by name.
    """

    @lru_cache(maxsize=CACHED_IMAGES)
    def images(seat: Seat) -> list[Pixels]:
        return np.array_split(decode_foreign_jpeg(strips[f"strip-{seat}.jpg"]), len(STRIP_OFFSETS_MS), axis=1)

    if any(f"strip-{seat}.jpg" not in strips for seat in seats):
        return RoundFrames((), lambda seat, number: UNREADABLE_IMAGE)
    times = tuple(lock_ms + after for after in STRIP_OFFSETS_MS)
    return RoundFrames(times, lambda seat, number: images(seat)[number])


def frames_from_journal(judgement: JudgementRecord, evidence: Sequence[Evidence]) -> RoundFrames:
    """Return the frames of a round that the journal has: the exposures of its strips, or none without strips."""
    strips = {piece.name: piece.data for piece in evidence}
    return frames_from_strips(list(judgement.seats), judgement.lock_ms, strips)


class RecentRoundFrames:
    """The frames of a match's last rounds."""

    def __init__(self, evidence: Callable[[int], Sequence[Evidence]]) -> None:
        self._evidence = evidence
        self._frames: dict[int, Future[RoundFrames]] = {}

    def keep(self, number: int, frames: Future[RoundFrames]) -> None:
        """Keep the frames of the round of event ``number``, and drop those of old rounds."""
        self._frames[number] = frames
        for old in list(self._frames)[:-ROUNDS_IN_MEMORY]:
            del self._frames[old]

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Change the events' numbers, by old number; others stay."""
        self._frames = {numbers.get(old, old): frames for old, frames in self._frames.items()}

    def of(self, number: int, judgement: JudgementRecord) -> RoundFrames:
        """Return the frames of the round of event ``number``, as many as are left."""
        if number in self._frames:
            with nonessential(f"the frames of round {number} can't be shown"):
                return self._frames[number].result()
        return frames_from_journal(judgement, self._evidence(number))

    @property
    def size_bytes(self) -> int:
        """The size of all JPEGs in memory."""
        return sum(frames.result().size_bytes for frames in self._frames.values())


def decode_jpeg(data: bytes) -> Pixels:
    """Decode a JPEG that this box has made to an RGB image; UNREADABLE_IMAGE if it can't be read."""
    bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    return UNREADABLE_IMAGE if bgr is None else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def decode_foreign_jpeg(data: bytes) -> Pixels:
    """Decode a JPEG of a match that may be imported, in a process that can reach nothing, to an RGB image;
    UNREADABLE_IMAGE if it can't be read."""
    try:
        check_image_header(data, "evidence")
        bgr = shared_decoder().decode_picture("evidence", data).bgr
    except (ImageError, MediaError):
        return UNREADABLE_IMAGE
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)
