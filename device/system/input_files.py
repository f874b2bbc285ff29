"""Files from elsewhere: pictures, recordings, matches, settings, names. Only regular files are read, and only up to a
size; docs/command-line.md has the limits."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from messages import N

MAX_PICTURE_BYTES = 256 * 2**20
"""Bytes of a picture's file: 100 megapixels as PNG."""
MAX_PICTURE_PIXELS = 120_000_000
"""Pixels of a picture, each of which takes 6 bytes while it is decoded: telephones take up to 12,000×9,000 unless they
are asked for more."""
MAX_PICTURE_ASPECT = 100
"""How many times as long as its shorter side a picture's longer side may be: panoramas reach 10."""
MAX_CLIP_FRAME_PIXELS = 7680 * 4320
"""Pixels of a recording's frame: 8K."""
MAX_CLIP_BYTES = 1_000_000_000
"""Bytes of the decoded frames that are read."""
MAX_CLIP_FRAMES = 10_000
"""Frames that are read: 40 s at 250 fps."""
MAX_CLIP_SIDE, MIN_CLIP_SIDE = 1280, 640
"""The longer side of the frames that are read, in pixels: larger ones are scaled down to the first, and further, up to
the second, until all fit: 6 s of 1280×720 at 60 fps, 24 s of 640×360."""
MAX_DECODER_BYTES = 3 * 2**29
"""Memory of the process that decodes recordings and pictures: enough for the largest of both."""
MAX_MATCH_BYTES = 256 * 2**20
"""Bytes of a match's file."""
MAX_MATCH_VALUES = 2_000_000
"""Values, names included, in a match's JSON; each takes up to 100 bytes in memory. A round has about 180."""
MAX_MATCH_NESTING = 20
"""Levels of a match's JSON. Matches nest 8 levels deep: a seat's zone."""
MAX_MATCH_DIGITS = 30
"""Digits of a number in a match's JSON."""
MAX_TEXT_BYTES = 64 * 2**10
"""Bytes of a text file: settings, zones. All settings with their descriptions take 3 KiB."""
MAX_NAMES_BYTES = 2**20
"""Bytes of a list of names. Ten thousand names are read: then whoever has too many is told how many there may be."""
MAX_ENGINE_LINE_BYTES = 4 * 2**20
"""Bytes of a line that the engine reads: answers of eight seats take less than 1 KiB."""


def read_input_file(path: Path, max_bytes: int) -> bytes:
    """Return the content of a regular file of up to ``max_bytes``. Never waits for a writer, as opening a pipe would.

    Raises:
        OSError: It is missing, can't be read, is not a regular file or is larger. ``strerror`` says which.
    """
    with open_input_file(path) as file:
        content = file.read(max_bytes + 1) if os.fstat(file.fileno()).st_size <= max_bytes else None
    if content is None or len(content) > max_bytes:  # the file may have grown
        size = f"{max_bytes >> 20} MiB" if max_bytes >= 2**20 else f"{max_bytes >> 10} KiB"
        raise OSError(errno.EFBIG, N("larger than {size}", size=size), str(path))
    return content


def open_input_file(path: Path) -> BinaryIO:
    """Open a regular file of any size. Raises OSError."""
    file = open(path, "rb", opener=_open_without_waiting)  # noqa: SIM115 - for whoever asks
    try:
        _check_mode(path, os.fstat(file.fileno()).st_mode)
    except BaseException:
        file.close()
        raise
    return file


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _check_mode(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, N("a pipe or device, not a file"), str(path))
