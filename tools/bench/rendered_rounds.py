"""Rendered rounds in a folder, so that a benchmark can render them beforehand: that takes most of its time, and needs
no quiet machine."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import BgrFrame
from throwlock.bench.recorded_round import RecordedRound
from tools.bench.verdict import render_round

Image = NDArray[Any]

FAST_PNG = [cv2.IMWRITE_PNG_COMPRESSION, 1]


def load_or_render(
    folder: Path | None, seed: int, fps: int, seats: int, throws: Sequence[str], late_ms: float | None
) -> RecordedRound:
    """Return a round as ``render_round`` does, from ``folder`` if it is there, and put it there otherwise. The folder
    is for this version of the renderer: delete it when that changes."""
    if folder is None:
        return render_round(seed, fps, seats, throws, late_ms)
    path = folder / f"{seats}-{fps}-{'-'.join(throws)}-{late_ms}-{seed}.pickle"
    if not path.exists():
        recorded = render_round(seed, fps, seats, throws, late_ms)
        folder.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".part").write_bytes(pickle.dumps(_change_images(recorded, _compress)))
        path.with_suffix(".part").rename(path)
        return recorded
    kept: RecordedRound = pickle.loads(path.read_bytes())
    return _change_images(kept, lambda png: np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR)))


def _compress(bgr: Image) -> Image:
    return cv2.imencode(".png", bgr, FAST_PNG)[1]


def _change_images(recorded: RecordedRound, change: Callable[[Image], Image]) -> RecordedRound:
    frames = [replace(frame, bgr=change(frame.bgr)) for frame in recorded.frames if isinstance(frame, BgrFrame)]
    return replace(recorded, frames=frames)
