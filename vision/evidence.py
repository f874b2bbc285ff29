"""What is kept of a round so that people can look at it again: the lock frame, each seat's crop of it and a strip of
its hand around the lock, and the time line as a drawing."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from device.camera.frames import Box, Frame, Pixels
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict
from vision.strips import STRIP_MS

LOCK_PX = 960
"""Longest side of the lock frame as kept."""
CROP_PX = 320
"""Longest side of a seat's crop."""
STRIP_PX = 120
"""Height of a strip."""


def scaled(frame: Frame, box: Box | None, longest: int) -> Pixels:
    """A part of a frame with its longer side at most ``longest`` pixels."""
    wide, high = (box.w, box.h) if box else frame.size
    scale = min(1.0, longest / max(wide, high))
    return frame.pixels(box, (max(1, round(wide * scale)), max(1, round(high * scale))))


def crop_of(frame: Frame, box: Box) -> Pixels:
    """A seat's crop as it is shown and kept."""
    return scaled(frame, box, CROP_PX)


def jpeg(picture: Pixels, quality: int = 85) -> bytes:
    """An R, G, B picture as JPEG."""
    done, data = cv2.imencode(".jpg", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} can't be written as JPEG")
    return data.tobytes()


def evidence_of(judgement: Judgement, frames: Sequence[Frame]) -> Iterator[tuple[str, str, bytes]]:
    """Name, media type and bytes of everything kept: ``lock.jpg``, ``timeline.svg``, and ``seat-N.jpg`` and
    ``strip-N.jpg`` for each seat; of a troubled round also ``before.jpg``, the first frame, to compare with;
    and ``foul-N.jpg`` for a card that was lifted before the cue."""
    yield "lock.jpg", "image/jpeg", jpeg(scaled(judgement.lock_frame, None, LOCK_PX))
    if judgement.trouble is not None:
        yield "before.jpg", "image/jpeg", jpeg(scaled(frames[0], None, LOCK_PX))
    yield "timeline.svg", "image/svg+xml", timeline(judgement).encode()
    for seat in judgement.seats:
        yield f"seat-{seat.seat}.jpg", "image/jpeg", jpeg(crop_of(judgement.lock_frame, seat.crop))
        yield f"strip-{seat.seat}.jpg", "image/jpeg", jpeg(strip(judgement, frames, seat), 75)
        if seat.proof is not None:
            yield f"foul-{seat.seat}.jpg", "image/jpeg", jpeg(crop_of(seat.proof, seat.crop))


def strip(judgement: Judgement, frames: Sequence[Frame], seat: SeatVerdict) -> Pixels:
    """A seat's hand around the lock, left to right in time; the lock frame has a white edge."""
    pictures = []
    for after_ms in STRIP_MS:
        when = judgement.lock_ns + after_ms * 1_000_000
        frame = min(frames, key=lambda frame: abs(frame.exposed_ns - when))
        wide = max(1, round(STRIP_PX * seat.crop.w / seat.crop.h))
        picture = frame.pixels(seat.crop, (wide, STRIP_PX)).copy()
        if after_ms == 0:
            cv2.rectangle(picture, (0, 0), (wide - 1, STRIP_PX - 1), (255, 255, 255), 3)
        pictures.append(picture)
    return np.hstack(pictures)


def timeline(judgement: Judgement) -> str:
    """The round's time line as SVG: a row per seat with the instant its throw was shown and how sure that is, the cue,
    and the lock. Seats have numbers, not names: what is kept holds no name."""
    times = [s.shown.when_ns for s in judgement.seats if s.shown]
    start = min([judgement.cue_ns, judgement.lock_ns, *times]) - 50_000_000
    end = max([judgement.cue_ns, judgement.lock_ns, *times]) + 50_000_000
    left, wide, row = 120, 640, 36
    high = row * (len(judgement.seats) + 1) + 24

    def x(when_ns: int) -> float:
        return round(left + (when_ns - start) / (end - start) * wide, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 20} {high}" '
        'font-family="sans-serif" font-size="14">',
        f'<rect width="{left + wide + 20}" height="{high}" fill="white"/>',
    ]
    for when, name in ((judgement.cue_ns, "cue"), (judgement.lock_ns, "lock")):
        dashes = ' stroke-dasharray="4 4"' if name == "cue" else ""
        parts.append(f'<line x1="{x(when)}" y1="20" x2="{x(when)}" y2="{high - 8}" stroke="black"{dashes}/>')
        parts.append(f'<text x="{x(when)}" y="14" text-anchor="middle">{name}</text>')
    for number, seat in enumerate(judgement.seats):
        y = 24 + row * (number + 0.6)
        parts.append(f'<text x="4" y="{y + 5:.0f}">Seat {seat.seat}</text>')
        parts.append(f'<line x1="{left}" y1="{y:.0f}" x2="{left + wide}" y2="{y:.0f}" stroke="#bbb"/>')
        if seat.shown is None:
            parts.append(f'<text x="{left + 8}" y="{y - 4:.0f}">{seat.verdict}</text>')
            continue
        at = x(seat.shown.when_ns)
        sure = seat.shown.plus_minus_ns / (end - start) * wide
        after = judgement.after_first_ms(seat.shown.when_ns)
        parts.append(
            f'<rect x="{at - sure:.1f}" y="{y - 4:.0f}" width="{2 * sure:.1f}" height="8" fill="#888"/>'
            f'<line x1="{at}" y1="{y - 12:.0f}" x2="{at}" y2="{y + 12:.0f}" stroke="black" stroke-width="3"/>'
            f'<text x="{at + 6}" y="{y - 6:.0f}">{seat.throw or "no throw"} {after:+.0f} ms, {seat.verdict}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
