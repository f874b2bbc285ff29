"""Making a clip of a round: a function, and a program for a process of its own, ``python -m throwlock.review.make_clip
JOURNAL EVENT LANGUAGE FORMAT FILE``. That prints the share that is done, a number a line, or why there is none."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import numpy as np
import pygame

from device.camera.frames import Pixels, Size
from device.system.output_files import atomic_write
from device.system.processes import use_idle_time_only
from errors import NotFoundError, ThrowlockError
from throwlock.review.archive import ArchiveOpener, JournalArchive
from throwlock.review.clip_maker import NO_PICTURES, clip_sentence, clip_title
from throwlock.tables.round_frames import RoundFrames, frames_from_kept, frames_from_strips
from ui.i18n.language import set_language
from ui.screen.core.stage import Stage
from ui.screen.pages.common import Player
from ui.screen.pages.round_clip import RoundClip
from ui.web.views import RoundPage

MAX_CLIP_BYTES = 3_000_000
"""The largest clip: messengers send it without making it smaller."""
SIZE_MARGIN = 0.8
"""The share of the largest size that the data rate is limited to: the rate is kept on average only."""
PEAK_RATE_S = 2
"""Seconds over which x264 may exceed that rate."""

PROGRESS_STEPS = 100


class ClipFormat(StrEnum):
    """A file format of clips, and its suffix."""

    MP4 = "mp4"
    WEBP = "webp"


FRAMES_PER_S = {ClipFormat.MP4: 30, ClipFormat.WEBP: 15}
"""At an eighth of its speed a camera of 120 frames a second gives 15 new pictures a second; in between only the time
runs on, which an MP4 has for next to nothing."""
X264_OPTIONS = {"preset": "veryfast", "crf": "23", "threads": "1"}
"""One thread: the rest of the box is for whoever plays."""
BT709, LIMITED_RANGE = 1, 1  # FFmpeg's AVCOL_SPC_BT709, AVCOL_RANGE_MPEG
WEBP_EFFORT = "1"
"""Of 0 to 6; more takes longer than the clip."""
WEBP_QUALITIES = (70, 45, 20, 5)
"""Qualities to try until an animated WebP is small enough: it can't be given a rate."""


def write_clip(
    path: Path,
    clip_format: ClipFormat,
    size: Size,
    count: int,
    pictures: Callable[[], Iterable[Pixels]],
    on_progress: Callable[[float], object],
) -> None:
    """Write a clip of ``count`` pictures of ``size``, R, G, B, at ``FRAMES_PER_S``; ``pictures`` is called for each
    attempt. ``on_progress`` gets the share that is done. Raises OSError; ``path`` then has no file."""
    with atomic_write(path) as part:
        for quality in WEBP_QUALITIES if clip_format is ClipFormat.WEBP else (0,):
            _encode(part, clip_format, size, count, pictures(), on_progress, quality)
            if part.stat().st_size <= MAX_CLIP_BYTES:
                break


def _encode(
    path: Path,
    clip_format: ClipFormat,
    size: Size,
    count: int,
    pictures: Iterable[Pixels],
    on_progress: Callable[[float], object],
    quality: int,
) -> None:
    import av  # noqa: PLC0415  loads FFmpeg, which nothing else needs
    from av.video.reformatter import Colorspace  # noqa: PLC0415

    fps = FRAMES_PER_S[clip_format]
    is_mp4 = clip_format is ClipFormat.MP4
    file_options = {"movflags": "+faststart"} if is_mp4 else {"loop": "0"}
    with av.open(str(path), "w", format=str(clip_format), options=file_options) as file:
        stream = file.add_stream("libx264" if is_mp4 else "libwebp_anim", rate=fps)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        if is_mp4:
            rate = MAX_CLIP_BYTES * 8 * SIZE_MARGIN * fps / count
            context.options = X264_OPTIONS | {"maxrate": f"{rate:.0f}", "bufsize": f"{rate * PEAK_RATE_S:.0f}"}
            context.colorspace = context.color_primaries = context.color_trc = BT709
            context.color_range = LIMITED_RANGE
        else:
            context.options = {"quality": str(quality), "compression_level": WEBP_EFFORT}
        frame, shown = None, None
        for number, picture in enumerate(pictures):
            if frame is None or picture is not shown:
                rgb, shown = av.VideoFrame.from_ndarray(picture, "rgb24"), picture
                colours = Colorspace.ITU709 if is_mp4 else Colorspace.DEFAULT
                frame = rgb.reformat(format="yuv420p", dst_colorspace=colours)
            frame.pts, frame.time_base = number, Fraction(1, fps)
            file.mux(stream.encode(frame))
            on_progress((number + 1) / count)
        file.mux(stream.encode(None))


def clip_frames(archive: JournalArchive, page: RoundPage) -> RoundFrames:
    """Return the frames of a round: those kept for clips, or else the exposures of its strips. Raises NotFoundError
    without either."""
    event = page.line.event
    stored = archive.kept_frames(event)
    if stored is not None and stored.times_ms and stored.seats == {seat.seat for seat in page.line.seats}:
        return frames_from_kept(stored)
    strips = {
        picture.name: archive.picture(event, picture.name)[1]
        for picture in page.pictures
        if picture.exists and picture.name.startswith("strip-")
    }
    frames = frames_from_strips([seat.seat for seat in page.line.seats], page.line.judgement.lock_ms, strips)
    if not frames.times_ms:
        raise NotFoundError(NO_PICTURES)
    return frames


def round_clip(page: RoundPage, frames: RoundFrames) -> RoundClip:
    """Return the clip of a round, at its beginning. Without a hand that showed, it is the time before the lock."""
    judgement, seats = page.line.judgement, page.line.seats
    zero_ms = judgement.lock_ms - judgement.lock_after_first_ms
    clip = RoundClip(
        seats,
        tuple(Player(seat.seat, seat.player.name) for seat in seats),
        judgement.lock_after_first_ms,
        tuple(at - zero_ms for at in frames.times_ms),
        frames.image,
        title=clip_title(page),
        sentence=clip_sentence(page.line),
    )
    return clip.at_time(0.0)


def render_pictures(clip: RoundClip, fps: int) -> Iterator[Pixels]:
    """Yield the pictures of a clip, R, G, B of shape (height, width, 3): the same object as long as nothing moves."""
    surface, stage = pygame.Surface(clip.size, 0, 32), Stage()
    shown: RoundClip | None = None
    picture: Pixels = np.zeros((1, 1, 3), np.uint8)
    for number in range(picture_count(clip, fps)):
        now = replace(clip.at_time(number / fps), shown_s=None)
        if shown is None or (now.moment_ms, now.frame, now.is_over) != (shown.moment_ms, shown.frame, shown.is_over):
            stage.draw(surface, now)
            picture = np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))
            shown = now
        yield picture


def picture_count(clip: RoundClip, fps: int) -> int:
    """Return how many pictures a clip has."""
    return round(clip.length_s * fps)


def make_clip(
    archive: JournalArchive, event: int, clip_format: ClipFormat, path: Path, on_progress: Callable[[float], object]
) -> None:
    """Write the clip of the round thrown in ``event`` to ``path``, in the screen's language. ``on_progress`` gets the
    share that is done.

    Raises:
        NotFoundError: There is no such round, or no picture of it.
        JournalError: The journal can't be read.
        OSError: The file can't be written.
    """
    page = archive.round(event)
    clip, fps = round_clip(page, clip_frames(archive, page)), FRAMES_PER_S[clip_format]

    def pictures() -> Iterator[Pixels]:
        return render_pictures(clip, fps)

    write_clip(path, clip_format, clip.size, picture_count(clip, fps), pictures, on_progress)


def main(journal: str, event: str, language: str, clip_format: str, path: str) -> int:
    """Make a clip, and return the exit status."""
    use_idle_time_only()
    set_language(language)
    last = -1

    def print_progress(share: float) -> None:
        nonlocal last
        if (step := int(share * PROGRESS_STEPS)) > last:
            last = step
            print(step / PROGRESS_STEPS, flush=True)

    try:
        with closing(ArchiveOpener(Path(journal))) as opener, opener.open() as archive:
            make_clip(archive, int(event), ClipFormat(clip_format), Path(path), print_progress)
    except (ThrowlockError, OSError) as error:
        print(error, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
