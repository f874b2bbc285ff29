"""A display that writes what it shows as PNG files: for a box without a screen, for tests and for the README. It needs
no video driver."""

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pygame

from device.camera.frames import Pixels, Size
from ui.screen.core.display import unanswered
from ui.screen.core.page_stack import Asking, Page, first_page
from ui.screen.drawing.registry import paint
from ui.screen.pages.ask.view import HandOverPage, entry
from ui.screen.pages.views import Answer, Cadence, View

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280))
"""Raspberry Pi's Touch Display 1, and Touch Display 2 standing."""


class Pictures:
    """Writes each view as ``003-reveal-800x480.png``, numbered in the order shown, into ``directory`` (made if it is
    missing), once for each of ``sizes``. Of a count one picture a beat is written, not what a window would animate
    between.

    ``answer`` answers what people would; without it ``ask`` raises NoInputError where people must, the question written
    all the same.
    """

    def __init__(
        self,
        directory: Path,
        sizes: Sequence[Size] = SIZES,
        answer: Callable[[Asking], Answer] | None = None,
    ) -> None:
        self.directory = directory
        self.written: list[Path] = []
        self._sizes = tuple(sizes)
        self._answer = answer
        self._count = 0
        self._beat: tuple[str, int] | None = None
        directory.mkdir(parents=True, exist_ok=True)

    def show(self, view: View) -> None:
        """See Display. Raises OSError when the disk is full or the directory can't be written."""
        beat = (view.title, view.beat) if isinstance(view, Cadence) else None
        if beat is not None and beat == self._beat:
            return
        self._beat = beat
        self._write(type(view).__name__.lower(), view)

    def ask(self, view: Asking) -> Answer:
        """See Display. A sealed question gives two pictures: the hand-over and the entry."""
        self._beat = None
        page = first_page(view)
        name = type(view).__name__.lower()
        if isinstance(page, HandOverPage):
            self._write(f"{name}-sealed", page)
            page = entry(page.view)
        self._write(name, page)
        if self._answer is None:
            unanswered(view)
            return None
        return self._answer(view)

    def _write(self, name: str, view: View | Page) -> None:
        self._count += 1
        for width, height in self._sizes:
            path = self.directory / f"{self._count:03}-{name}-{width}x{height}.png"
            save(picture(view, (width, height)), path)
            self.written.append(path)


def picture(view: View | Page, size: Size) -> Pixels:
    """``view`` as a picture ``size`` pixels wide and high."""
    surface = pygame.Surface(size, 0, 32)
    paint(surface, view)
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def save(pixels: Pixels, path: Path) -> None:
    """Write ``pixels`` as PNG; the file is there whole or not at all. Raises OSError."""
    packed, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 6])
    if not packed:
        raise OSError(f"{path} can't be packed as PNG: {pixels.shape}")
    half = path.with_suffix(".part")
    try:
        half.write_bytes(data.tobytes())
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise
