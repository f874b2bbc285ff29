"""Evidence of a round for people to look at later: the lock frame, each seat's crop of it and a strip of its hand
around the lock, and a drawing of the timeline."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from device.camera.frames import Box, Frame, Pixels
from rules.record.judgement import STRIP_OFFSETS_MS, Verdict
from vision.lock.judgement import Judgement
from vision.lock.verdict import SeatVerdict

MAX_LOCK_FRAME_PX = 960
"""Longest side of the saved lock frame."""
MAX_CROP_PX = 320
"""Longest side of a seat's crop."""
STRIP_HEIGHT_PX = 120
"""Height of a strip."""


def resize_to_fit(frame: Frame, box: Box | None, max_px: int) -> Pixels:
    """Return a part of a frame, scaled so that its longer side has at most ``max_px`` pixels."""
    return frame.pixels(box, (box or Box(0, 0, *frame.size)).size_within(max_px))


def seat_crop(frame: Frame, box: Box) -> Pixels:
    """Return a seat's crop as it is shown and saved."""
    return resize_to_fit(frame, box, MAX_CROP_PX)


def encode_jpeg(image: Pixels, quality: int = 85) -> bytes:
    """Encode an R, G, B image as JPEG. Raises ValueError if it can't be encoded."""
    done, data = cv2.imencode(".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"an image of shape {image.shape} can't be written as JPEG")
    return data.tobytes()


def render_evidence(judgement: Judgement, frames: Sequence[Frame]) -> Iterator[tuple[str, str, bytes]]:
    """Yield name, media type and bytes of each piece of evidence: ``lock.jpg``, ``timeline.svg``, and ``seat-N.jpg``
    and ``strip-N.jpg`` for each seat; of a void round also ``before.jpg``, the first frame, for comparison; and
    ``foul-N.jpg`` for a foul that the lock frame does not show: another throw than that at the lock, a lifted card."""
    yield "lock.jpg", "image/jpeg", encode_jpeg(resize_to_fit(judgement.lock_frame, None, MAX_LOCK_FRAME_PX))
    if judgement.void_reason is not None:
        yield "before.jpg", "image/jpeg", encode_jpeg(resize_to_fit(frames[0], None, MAX_LOCK_FRAME_PX))
    yield "timeline.svg", "image/svg+xml", render_timeline(judgement).encode()
    for seat in judgement.seats:
        yield f"seat-{seat.seat}.jpg", "image/jpeg", encode_jpeg(seat_crop(judgement.lock_frame, seat.crop))
        yield f"strip-{seat.seat}.jpg", "image/jpeg", encode_jpeg(render_strip(judgement, frames, seat), 75)
        if seat.proof_frame is not None:
            yield f"foul-{seat.seat}.jpg", "image/jpeg", encode_jpeg(seat_crop(seat.proof_frame, seat.crop))


def render_strip(judgement: Judgement, frames: Sequence[Frame], seat: SeatVerdict) -> Pixels:
    """Return a seat's hand around the lock, left to right in time; the lock frame has a white edge."""
    images = []
    for after_ms in STRIP_OFFSETS_MS:
        time_ns = judgement.lock_ns + after_ms * 1_000_000
        frame = min(frames, key=lambda frame: abs(frame.exposed_ns - time_ns))
        width = max(1, round(STRIP_HEIGHT_PX * seat.crop.w / seat.crop.h))
        image = frame.pixels(seat.crop, (width, STRIP_HEIGHT_PX)).copy()
        if after_ms == 0:
            cv2.rectangle(image, (0, 0), (width - 1, STRIP_HEIGHT_PX - 1), (255, 255, 255), 3)
        images.append(image)
    return np.hstack(images)


def render_timeline(judgement: Judgement) -> str:
    """Return the round's timeline as SVG: a row per seat with the time its throw was shown and its uncertainty, the
    cue, and the lock. Seats have numbers, not names: evidence holds no names."""
    times_ns = [s.shown.time_ns for s in judgement.seats if s.shown]
    start_ns = min([judgement.cue_ns, judgement.lock_ns, *times_ns]) - 50_000_000
    end_ns = max([judgement.cue_ns, judgement.lock_ns, *times_ns]) + 50_000_000
    left, width, row_height = 120, 640, 36
    height = row_height * (len(judgement.seats) + 1) + 24

    def x(time_ns: int) -> float:
        return round(left + (time_ns - start_ns) / (end_ns - start_ns) * width, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 20} {height}" '
        'font-family="sans-serif" font-size="14">',
        f'<rect width="{left + width + 20}" height="{height}" fill="white"/>',
    ]
    for time_ns, name in ((judgement.cue_ns, "cue"), (judgement.lock_ns, "lock")):
        dashes = ' stroke-dasharray="4 4"' if name == "cue" else ""
        parts.append(f'<line x1="{x(time_ns)}" y1="20" x2="{x(time_ns)}" y2="{height - 8}" stroke="black"{dashes}/>')
        parts.append(f'<text x="{x(time_ns)}" y="14" text-anchor="middle">{name}</text>')
    for number, seat in enumerate(judgement.seats):
        y = 24 + row_height * (number + 0.6)
        parts.append(f'<text x="4" y="{y + 5:.0f}">Seat {seat.seat}</text>')
        parts.append(f'<line x1="{left}" y1="{y:.0f}" x2="{left + width}" y2="{y:.0f}" stroke="#bbb"/>')
        if seat.shown is None:
            parts.append(f'<text x="{left + 8}" y="{y - 4:.0f}">{seat.verdict}</text>')
            continue
        shown_x = x(seat.shown.time_ns)
        sigma = seat.shown.sigma_ns / (end_ns - start_ns) * width
        when = f"{judgement.ms_after_first(seat.shown.time_ns):+.0f} ms"
        if seat.verdict is Verdict.EARLY:
            when = f"{-judgement.ms_after_cue(seat.shown.time_ns):.0f} ms before the cue"
        label = f"{seat.throw or 'no throw'} {when}, {seat.verdict}"
        parts.append(
            f'<rect x="{shown_x - sigma:.1f}" y="{y - 4:.0f}" width="{2 * sigma:.1f}" height="8" fill="#888"/>'
            f'<line x1="{shown_x}" y1="{y - 12:.0f}" x2="{shown_x}" y2="{y + 12:.0f}" stroke="black" stroke-width="3"/>'
            f'<text x="{shown_x + 6}" y="{y - 6:.0f}">{label}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
