"""Clips as files: MP4 with H.264 as every browser and phone plays it, and animated WebP, both with PyAV."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from device.camera.frames import Pixels, Size

MAX_CLIP_BYTES = 3_000_000
"""The largest clip: messengers send it without making it smaller."""
SIZE_MARGIN = 0.8
"""The share of the largest size that the data rate is limited to: the rate is kept on average only."""
PEAK_RATE_S = 2
"""Seconds over which x264 may exceed that rate."""


class ClipFormat(StrEnum):
    """A file format of clips, and its suffix."""

    MP4 = "mp4"
    WEBP = "webp"


MEDIA_TYPES = {ClipFormat.MP4: "video/mp4", ClipFormat.WEBP: "image/webp"}
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
    partial = path.with_name(path.name + ".part")
    try:
        for quality in WEBP_QUALITIES if clip_format is ClipFormat.WEBP else (0,):
            _encode(partial, clip_format, size, count, pictures(), on_progress, quality)
            if partial.stat().st_size <= MAX_CLIP_BYTES:
                break
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


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
