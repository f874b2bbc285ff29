"""Does a piece of the box's work, which the arguments name, on an emulated Raspberry Pi, and calls ``getppid`` before
and after it: a plugin of QEMU then prints the instructions. The processes of models and decoders are not emulated."""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pygame

from tests.helpers.samples.common import COUNT_WORDS, players, table_image
from throwlock.bench.recorded_round import judge_recorded, load_round
from ui.screen.core.stage import Stage
from ui.screen.pages.countdown import Countdown
from vision.hands.detector import HandDetector
from vision.hands.litert import HandReader
from vision.hands.model import model_path
from vision.hands.model_process import ModelProcess
from vision.hands.model_worker import MediapipeWorker
from vision.lock.judge import DETECTION_CONFIDENCE, Judge
from vision.lock.zone_view import MAX_INPUT_PX

PI_CORES = 4
SEEN_AFTER_CUE_NS = 600_000_000
"""When the hand of the recorded round is read that a single call is counted for."""
SCREEN_SIZE = (800, 480)


def count(work: Callable[[], object]) -> None:
    """Do it twice, and count the second time: the first loads what it needs."""
    work()
    os.getppid()
    work()
    os.getppid()


def hand_image() -> Any:
    """Return the image (height, width, 3) of one seat."""
    recorded = load_round()
    frame = next(frame for frame in recorded.frames if frame.exposed_ns > recorded.cue_ns + SEEN_AFTER_CUE_NS)
    box = recorded.zones[1].box(frame.size)
    return frame.pixels(box, box.size_within(MAX_INPUT_PX))


class ImageWorker(MediapipeWorker):
    """The hand model in this process, for one image."""

    def __init__(self, image: Any) -> None:
        self._to_image, self._landmarkers, self._readers = None, [], {}
        self._image = image

    def read_image(self, height: int, width: int) -> Any:
        """Return the image."""
        return self._image


def detect() -> None:
    """Search a hand in an image."""
    image = hand_image()
    worker = ImageWorker(image)
    worker.load(str(model_path("full")), 1, DETECTION_CONFIDENCE)
    count(lambda: worker.detect(0, *image.shape[:2]))


def track() -> None:
    """Read a hand where it was."""
    image = hand_image()
    with HandDetector(confidence=DETECTION_CONFIDENCE) as detector:
        (hand,) = detector.detect(image)
    landmarks = hand.landmarks / (image.shape[1], image.shape[0])
    reader = HandReader(model_path("full"), 1)
    count(lambda: reader.track(image, landmarks))


def counting(name: str, call: Callable[..., Any], calls: Counter[str]) -> Callable[..., Any]:
    """Return a function that calls another, and counts the calls."""

    def call_counted(*arguments: Any) -> Any:
        calls[name] += 1
        return call(*arguments)

    return call_counted


def judge(seats: str) -> None:
    """Judge the recorded round; also print how often the model was called for what. The model is not counted."""
    recorded, calls = load_round().first_seats(int(seats)), Counter[str]()
    os.cpu_count = lambda: PI_CORES
    for name in ("detect", "track"):
        setattr(ModelProcess, name, counting(name, getattr(ModelProcess, name), calls))
    with Judge(len(recorded.zones)) as judge:
        count(lambda: (calls.clear(), judge_recorded(judge, recorded)))
    print(json.dumps(calls))


def page() -> None:
    """Draw the count over a live preview, all of it."""
    count(lambda: Stage().draw(pygame.Surface(SCREEN_SIZE, 0, 32), COUNTDOWN))


def frame() -> None:
    """Draw the next frame of that page."""
    stage, surface, seconds = Stage(), pygame.Surface(SCREEN_SIZE, 0, 32), iter(np.arange(0, 1, 1 / 60))
    count(lambda: stage.draw(surface, COUNTDOWN.at_time(float(next(seconds)))))


COUNTDOWN = Countdown(players(2), "Round 3", COUNT_WORDS, 1, beat_s=0.6, preview=table_image(2))

if __name__ == "__main__":
    sys.setswitchinterval(60)  # threads that wait for the interpreter wake up by the clock, and all is slow here
    sys.executable = os.environ["HELPER_PYTHON"]
    {work.__name__: work for work in (detect, track, judge, page, frame)}[sys.argv[1]](*sys.argv[2:])
