"""A fake hand model, run in the sandbox as the real one. The model's file is a script: each line is an operation and
what goes wrong in it, once, such as ``detect abort``; what is not scripted works."""

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from vision.hands.worker import EMBEDDING, HAND, Worker, main


def raise_error(kind: type[Exception]) -> None:
    raise kind("this is\nwhy")


FAULTS: dict[str, Callable[[], object]] = {
    "abort": os.abort,
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "illegal": lambda: os.kill(os.getpid(), signal.SIGILL),
    "exit": lambda: os._exit(3),
    "hang": signal.pause,
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    **{kind.__name__: partial(raise_error, kind) for kind in (ImportError, OSError, RuntimeError)},
}


class FaultyWorker(Worker):
    """Finds one hand in every image: its landmarks are the model's number of hands and the image's first pixel."""

    def __init__(self, memory_fd: int) -> None:
        super().__init__(memory_fd)
        self._models: list[tuple[Path, int]] = []

    def load_reader(self, path: str, threads: int) -> bytes:
        self._act("reader", Path(path))
        return b""

    def load(self, path: str, hands: int, confidence: float) -> bytes:
        self._act("load", Path(path))
        self._models.append((Path(path), hands))
        return b""

    def detect(self, number: int, height: int, width: int) -> bytes:
        script, hands = self._models[number]
        self._act("detect", script)
        image = self.read_image(height, width)
        landmarks = [(hands, value) for value in (*image[0, 0], *image[-1, -1], image.sum() / 3)] * 3
        return np.array([(landmarks, np.full((21, 3), 0.1), True, 0.5)], HAND).tobytes()

    def track(self, number: int, height: int, width: int, landmarks: list[list[float]]) -> bytes:
        """Find the hand where it was; none in the image's corner."""
        hands = np.frombuffer(self.detect(number, height, width), HAND).copy()
        hands["landmarks"] = np.array(landmarks)
        return hands[: int(any(landmarks[0]))].tobytes()

    def embed(self, number: int, height: int, width: int, landmarks: list[list[float]]) -> bytes:
        """Return the landmarks themselves."""
        self._act("embed", self._models[number][0])
        return np.array(landmarks, EMBEDDING).tobytes()

    def _act(self, operation: str, script: Path) -> None:
        first, *rest = script.read_text().splitlines() or [""]
        if first.startswith(operation):
            script.write_text("\n".join(rest))
            FAULTS[first.split()[1]]()


if __name__ == "__main__":
    main(FaultyWorker)
