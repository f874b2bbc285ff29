"""A display that writes PNG files: for a box without a screen, for tests and for the README. Needs no video driver."""

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pygame
from typing_extensions import override

from device.camera.frames import Pixels, Size
from device.system.output_files import atomic_write
from ui.screen.core.display import Display, require_no_answer
from ui.screen.core.registry import paint
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.question import HandOverPage, new_draft
from ui.screen.views import Answer, InteractiveView, View

PANEL_SIZES: tuple[Size, ...] = ((800, 480), (720, 1280))
"""Raspberry Pi's Touch Display 1, and Touch Display 2 in portrait."""


class PngDisplay(Display):
    """Writes each view into ``directory``, created if missing, as ``003-reveal-800x480.png``: numbered in the order
    shown, once for each of ``sizes``. A count is written once a beat, without the animation in between.

    ``answer`` answers in place of people; without it ``ask`` writes the question and raises NoInputError, unless the
    view needs no answer.
    """

    def __init__(
        self,
        directory: Path,
        sizes: Sequence[Size] = PANEL_SIZES,
        answer: Callable[[InteractiveView], Answer] | None = None,
    ) -> None:
        self.directory = directory
        self.paths: list[Path] = []
        self._sizes = tuple(sizes)
        self._answer = answer
        self._count = 0
        self._beat: tuple[str, int] | None = None
        directory.mkdir(parents=True, exist_ok=True)

    @override
    def show(self, view: View) -> None:
        """Raises OSError when the disk is full or the directory can't be written."""
        beat = (view.title, view.beat) if isinstance(view, Countdown) else None
        if beat is not None and beat == self._beat:
            return
        self._beat = beat
        self._write(type(view).__name__.lower(), view)

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """A sealed question gives two files: the hand-over and the entry."""
        self._beat = None
        page = view.first_page()
        name = type(view).__name__.lower()
        if isinstance(page, HandOverPage):
            self._write(f"{name}-sealed", page)
            page = new_draft(page.view)
        self._write(name, page)
        if self._answer is None:
            require_no_answer(view)
            return None
        return self._answer(view)

    def _write(self, name: str, view: View) -> None:
        self._count += 1
        for width, height in self._sizes:
            path = self.directory / f"{self._count:03}-{name}-{width}x{height}.png"
            save_png(render_image(view, (width, height)), path)
            self.paths.append(path)


def render_image(view: View, size: Size) -> Pixels:
    """Return ``view`` as RGB pixels, shape (height, width, 3), for ``size`` (width, height) in pixels."""
    surface = pygame.Surface(size, 0, 32)
    paint(surface, view)
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def save_png(pixels: Pixels, path: Path) -> None:
    """Write ``pixels`` as a PNG file. Raises OSError."""
    encoded, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 6])
    if not encoded:
        raise OSError(f"{path} can't be encoded as PNG: {pixels.shape}")
    with atomic_write(path) as part:
        part.write_bytes(data.tobytes())
