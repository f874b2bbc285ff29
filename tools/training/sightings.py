"""What the hand model finds in pictures, kept on the disk: it is dear (some 0.2 s a picture for all the looks), and
training and tables need it again and again."""

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from device.camera.frames import Pixels
from vision.hands.augmented_looks import LOOKS, Look, finds
from vision.hands.detector import Hand, HandFinder
from vision.hands.stills import LEAST

HANDS = 4
"""How many hands are looked for at most, as ``throwlock recognise`` does."""
KEPT = Path("~/.cache/throwlock/sightings")
"""Where sightings are kept."""


class Sightings:
    """The hands each look finds in a picture, from the disk where they were found before.

    Sightings of other looks are kept apart, so that none is ever used for another's.
    """

    def __init__(self, folder: Path = KEPT, looks: Sequence[Look] = LOOKS) -> None:
        ways = hashlib.sha256(f"full {LEAST} {HANDS} {looks}".encode()).hexdigest()[:12]
        self.folder = folder.expanduser() / ways
        self.looks = looks
        self._finder: HandFinder | None = None

    def __call__(self, name: str, picture: Callable[[], Pixels]) -> list[list[Hand]]:
        """For each look the hands found in the picture called ``name`` (a path without its ending), in pixels of the
        picture. Raises ModelError when the hand model can't be had."""
        path = self.folder / f"{name}.npz"
        if path.exists():
            return _read(path, len(self.looks))
        if self._finder is None:
            self._finder = HandFinder("full", HANDS, LEAST)
        found = list(finds(self._finder, picture(), self.looks))
        _write(path, found)
        return found

    def close(self) -> None:
        """Lets go of the model."""
        if self._finder is not None:
            self._finder.close()


def _write(path: Path, found: Sequence[Sequence[Hand]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    hands = [(look, hand) for look, these in enumerate(found) for hand in these]
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        np.savez(
            file,
            look=np.array([look for look, _ in hands], np.int16),
            landmarks=np.array([hand.landmarks for _, hand in hands], np.float32).reshape(-1, 21, 2),
            world=np.array([hand.world for _, hand in hands], np.float32).reshape(-1, 21, 3),
            right=np.array([hand.right for _, hand in hands], np.bool_),
            score=np.array([hand.score for _, hand in hands], np.float32),
        )
    part.replace(path)


def _read(path: Path, looks: int) -> list[list[Hand]]:
    found: list[list[Hand]] = [[] for _ in range(looks)]
    with np.load(path) as kept:
        rows = zip(kept["look"], kept["landmarks"], kept["world"], kept["right"], kept["score"], strict=True)
        for look, landmarks, world, right, score in rows:
            hand = Hand(landmarks.astype(float), world.astype(float), bool(right), float(score))
            found[int(look)].append(hand)
    return found
