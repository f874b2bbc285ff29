"""The hand model with mediapipe's HandLandmarker in IMAGE mode; LiteRT reads hands whose place is known. A ModelProcess
runs this as a program: ``python -m device.system.sandbox vision.hands.model_worker REQUESTS RESPONSES MEMORY`` takes
three file descriptors. ``vision.hands.worker`` says what goes through them."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from vision.hands.litert import HandReader
from vision.hands.worker import EMBEDDING, HAND, Worker, main

UNUSED_MODULES = ("matplotlib", "matplotlib.pyplot", "sounddevice")
"""What mediapipe imports for drawing and sound and does not need here: half of the second that it takes to start, and
25 MB in each process."""


class MediapipeWorker(Worker):
    """The models that are loaded with mediapipe, and their readers."""

    def __init__(self, memory_fd: int) -> None:
        super().__init__(memory_fd)
        self._to_image: Callable[[Any], Any] | None = None
        self._landmarkers: list[tuple[str, Any]] = []
        self._readers: dict[str, HandReader] = {}

    @override
    def load_reader(self, path: str, threads: int) -> bytes:
        if path not in self._readers:
            self._readers[path] = HandReader(Path(path), threads)
            self._readers[path].track(np.zeros((64, 64, 3), np.uint8), np.eye(21, 2))
        return b""

    @override
    def load(self, path: str, hands: int, confidence: float) -> bytes:
        sys.modules.update({name: ModuleType(name) for name in UNUSED_MODULES})
        import mediapipe  # noqa: PLC0415 - half a second; what goes wrong here is answered
        from mediapipe.tasks.python import BaseOptions, vision  # noqa: PLC0415 - see above

        options = vision.HandLandmarkerOptions(
            base_options=BaseOptions(model_asset_path=path),
            running_mode=vision.RunningMode.IMAGE,
            num_hands=hands,
            min_hand_detection_confidence=confidence,
            min_hand_presence_confidence=confidence,
        )
        self._to_image = lambda pixels: mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=pixels)
        landmarker = vision.HandLandmarker.create_from_options(options)
        landmarker.detect(self._to_image(np.zeros((64, 64, 3), np.uint8)))  # the first image takes longest
        self._landmarkers.append((path, landmarker))
        return b""

    @override
    def detect(self, number: int, height: int, width: int) -> bytes:
        assert self._to_image is not None
        result = self._landmarkers[number][1].detect(self._to_image(self.read_image(height, width)))
        hands = [
            (
                [(point.x, point.y) for point in points],
                [(point.x, point.y, point.z) for point in world],
                side[0].category_name == "Right",
                side[0].score,
            )
            for points, world, side in zip(
                result.hand_landmarks, result.hand_world_landmarks, result.handedness, strict=True
            )
        ]
        return np.array(hands, HAND).tobytes()

    @override
    def track(self, number: int, height: int, width: int, landmarks: list[list[float]]) -> bytes:
        reader = self._readers[self._landmarkers[number][0]]
        hand: NDArray[np.void] = reader.track(self.read_image(height, width), np.array(landmarks))
        return hand.tobytes()

    @override
    def embed(self, number: int, height: int, width: int, landmarks: list[list[float]]) -> bytes:
        reader = self._readers[self._landmarkers[number][0]]
        return reader.embed(self.read_image(height, width), np.array(landmarks)).astype(EMBEDDING).tobytes()


if __name__ == "__main__":
    main(MediapipeWorker)
