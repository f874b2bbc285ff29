"""Making a clip of a round: a function, and a program for a process of its own, ``python -m throwlock.review.clips.make
JOURNAL EVENT LANGUAGE FORMAT FILE``. That prints the share that is done, a number a line, or why there is none."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from device.camera.frames import Pixels
from device.system.processes import use_idle_time_only
from errors import ThrowlockError
from throwlock.review.archive import ArchiveOpener, JournalArchive
from throwlock.review.clips.encode import FRAMES_PER_S, ClipFormat, write_clip
from throwlock.review.clips.render import clip_frames, picture_count, render_pictures, round_clip
from ui.i18n.language import set_language

PROGRESS_STEPS = 100


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
