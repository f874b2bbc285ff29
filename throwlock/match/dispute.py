"""The evidence of a disputed round: its frames, from memory for the last rounds and from the journal's strips for
earlier ones, with the times the round was judged by."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from device.camera.frames import BgrFrame, Frame, Pixels
from rules.engine import Game, Seat, Value
from rules.throws import Throw
from throwlock.journal.journal import Event, Evidence
from throwlock.match.corrections import allowed_readings, disputed_ask, effective_answers, readings_after
from ui.screen.pages.common.view import Player
from ui.screen.pages.dispute.view import DisputedRound, DisputedSeat
from ui.text import verdicts
from vision.evidence import encode_jpeg, resize_to_fit
from vision.lock.judge import Judgement
from vision.lock.verdict import HOLD_AFTER_LOCK_NS, Verdict
from vision.strips import STRIP_OFFSETS_MS

MAX_DISPUTABLE_ROUNDS = 5
"""How many of the last rounds can be disputed."""
ROUNDS_IN_MEMORY = 3
"""How many of the last rounds keep every frame around the lock in memory."""
FRAME_CROP_PX = 240
"""Longest side of a frame's crop in pixels."""
CROP_JPEG_QUALITY = 75
"""JPEG quality of a crop."""
FRAME_MARGIN_NS = 200_000_000
"""Time kept before the first and after the last event of a round."""
CACHED_IMAGES = 64
"""How many decoded images are cached."""
UNREADABLE_IMAGE: Pixels = np.zeros((3, 4, 3), np.uint8)
"""Shown instead of evidence that can't be read."""
VOID_VERDICT = "void"
"""The verdict on a seat that did not cause its round to be void."""
POSSIBLE_READINGS: tuple[Value, ...] = (*(str(throw) for throw in Throw), None)
"""The possible readings of a throw; None is no throw."""


@dataclass(frozen=True, eq=False)
class RoundFrames:
    """The frames of a round: their times in ms after the cue, in order, and ``image(seat, index)``. ``size_bytes`` is
    the size of the JPEGs in memory."""

    times_ms: tuple[float, ...]
    image: Callable[[Seat, int], Pixels]
    size_bytes: int = 0


def collect_frames(judgement: Judgement, frames: Sequence[Frame]) -> RoundFrames:
    """Collect each seat's crop of the frames around the events of a round. Frames that are rendered on
    demand are kept as they are."""
    times_ns = [judgement.cue_ns, judgement.lock_ns, *(seat.shown.time_ns for seat in judgement.seats if seat.shown)]
    if any(seat.verdict is Verdict.CHANGED for seat in judgement.seats):
        times_ns.append(judgement.lock_ns + HOLD_AFTER_LOCK_NS)
    since, until = min(times_ns) - FRAME_MARGIN_NS, max(times_ns) + FRAME_MARGIN_NS
    nearby = [frame for frame in frames if since <= frame.exposed_ns <= until]
    jpegs = {
        (seat.seat, number): encode_jpeg(resize_to_fit(frame, seat.crop, FRAME_CROP_PX), CROP_JPEG_QUALITY)
        for seat in judgement.seats
        for number, frame in enumerate(nearby)
        if isinstance(frame, BgrFrame)
    }
    boxes = {seat.seat: seat.crop for seat in judgement.seats}

    @lru_cache(maxsize=CACHED_IMAGES)
    def image(seat: Seat, number: int) -> Pixels:
        data = jpegs.get((seat, number))
        return resize_to_fit(nearby[number], boxes[seat], FRAME_CROP_PX) if data is None else decode_jpeg(data)

    return RoundFrames(
        tuple((frame.exposed_ns - judgement.cue_ns) / 1e6 for frame in nearby),
        image,
        sum(len(data) for data in jpegs.values()),
    )


def collect_frames_async(judgement: Judgement, frames: Sequence[Frame]) -> Future[RoundFrames]:
    """Run ``collect_frames`` in a thread of its own, so nobody waits; it releases the frames when it is done."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="round-frames")
    frames_future = pool.submit(collect_frames, judgement, frames)
    pool.shutdown(wait=False)
    return frames_future


def frames_from_journal(thrown: Event, evidence: Sequence[Evidence]) -> RoundFrames:
    """Return the frames of a round that the journal has: the exposures of its strips, or none without strips."""
    judged = thrown.body["judgement"]
    strips = {piece.name: piece.data for piece in evidence}
    return frames_from_strips([int(seat) for seat in judged["seats"]], float(judged["lock_ms"]), strips)


def frames_from_strips(seats: Sequence[Seat], lock_ms: float, strips: Mapping[str, bytes]) -> RoundFrames:
    """Return the exposures of every seat's strip; none if a seat's strip is missing.

    Args:
        seats: The seats.
        lock_ms: The lock's time in ms after the cue.
        strips: The JPEG files by name.
    """

    @lru_cache(maxsize=CACHED_IMAGES)
    def images(seat: Seat) -> list[Pixels]:
        return np.array_split(decode_jpeg(strips[f"strip-{seat}.jpg"]), len(STRIP_OFFSETS_MS), axis=1)

    if any(f"strip-{seat}.jpg" not in strips for seat in seats):
        return RoundFrames((), lambda seat, number: UNREADABLE_IMAGE)
    times = tuple(lock_ms + after for after in STRIP_OFFSETS_MS)
    return RoundFrames(times, lambda seat, number: images(seat)[number])


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

    def of(self, thrown: Event) -> RoundFrames:
        """Return the frames of a round, as many as are left."""
        frames = self._frames.get(thrown.number)
        return frames.result() if frames else frames_from_journal(thrown, self._evidence(thrown.number))

    @property
    def size_bytes(self) -> int:
        """The size of all JPEGs in memory."""
        return sum(frames.result().size_bytes for frames in self._frames.values())


def dispute_view(
    game: Game, events: Sequence[Event], thrown: Event, frames: RoundFrames, players: Sequence[Player], title: str
) -> DisputedRound:
    """Return the page for disputing the round of event ``thrown``. Raises CorrectionError if the match has changed so
    that the round is no longer part of it."""
    prompt = disputed_ask(game, events, thrown.number)
    readings = readings_after(events, thrown.number)
    judgement: Mapping[str, Any] = thrown.body["judgement"]
    fouls = thrown.body.get("fouls", ())
    seats = tuple(
        DisputedSeat(
            player,
            VOID_VERDICT if player.seat in readings.unsettled and player.seat not in fouls else judged["verdict"],
            readings.values[player.seat],
            player.seat in readings.unsettled,
            judged["shown_ms"],
            judged["uncertainty_ms"] or 0.0,
            allowed_readings(prompt, player.seat, POSSIBLE_READINGS),
        )
        for player in players
        if (judged := judgement["seats"].get(str(player.seat)))
    )
    return DisputedRound(
        title,
        verdicts.fill_names(thrown.body["text"], {player.seat: player.name for player in players}),
        seats,
        judgement["first_shown_ms"],
        judgement["lock_ms"],
        frames.times_ms,
        frames.image,
        is_void=thrown.number not in effective_answers(events),
    )


def decode_jpeg(data: bytes) -> Pixels:
    """Decode a JPEG to an RGB image; UNREADABLE_IMAGE if it can't be read."""
    bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return UNREADABLE_IMAGE if bgr is None else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)
