"""What keeps the hands in the zones from being read, found while people set the zones up."""

import threading
from collections.abc import Callable, Sequence
from typing import Self

import cv2

from device.camera.base import Camera, CameraError
from device.camera.frames import Frame
from messages import N
from ui.screen.pages.zones import ZoneArea, ZoneProblem, zone_problem_sentence
from vision.hands.augmentation import Detector, detect_in_frame, first_hand
from vision.hands.detector import HandDetector
from vision.hands.limits import HandLimit, bright_level, find_limit
from vision.hands.model import ModelError
from vision.lock.zone_view import MAX_INPUT_PX, MAX_THUMBNAIL_PX
from vision.zones import Zone, ZoneError

LOOK_INTERVAL_S = 0.5
"""Pause between two looks at all zones: the page stays fluent on a Pi too."""
PROBLEMS: dict[HandLimit, ZoneProblem] = {HandLimit.SMALL: "far", HandLimit.DARK: "dark"}


class HandWatch:
    """Looks at the hands in the zones in a background thread, as long as it is entered::

        with HandWatch(camera, names) as watch:
            sentence = watch.find_advice(zones)

    Without a hand model it finds nothing.
    """

    def __init__(
        self, camera: Camera, names: Sequence[str] = (), make_detector: Callable[[], HandDetector] = HandDetector
    ) -> None:
        self._camera, self._names, self._make_detector = camera, names, make_detector
        self._zones: Sequence[ZoneArea] = ()
        self._advice: str | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hands", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def find_advice(self, zones: Sequence[ZoneArea]) -> str | None:
        """Return what the last look found, and look at these zones next."""
        self._zones = zones
        return self._advice

    def _run(self) -> None:
        if self._stop.wait(LOOK_INTERVAL_S):
            return
        try:
            with self._make_detector() as detector:
                while not self._stop.wait(LOOK_INTERVAL_S):
                    self._look(detector)
        except ModelError:
            self._advice = None  # whatever needs the hand model says so

    def _look(self, detector: Detector) -> None:
        try:
            frame = self._camera.latest()
        except CameraError:
            self._advice = None  # the page says that there is no image
        else:
            self._advice = advise(frame, self._zones, self._names, detector)


def advise(frame: Frame, zones: Sequence[ZoneArea], names: Sequence[str], detector: Detector) -> str | None:
    """Return what would make the first hand that can't be read surely easier to read; None where nothing would."""
    for number, area in enumerate(zones):
        try:
            box = Zone(*area).box(frame.size)
        except ZoneError:
            continue
        grey = cv2.cvtColor(frame.pixels(box, box.size_within(MAX_THUMBNAIL_PX)), cv2.COLOR_RGB2GRAY)
        hand = first_hand(detect_in_frame(detector, frame, box, MAX_INPUT_PX))
        length_px = None if hand is None else float(max(hand.box.w, hand.box.h))
        if (limit := find_limit(length_px, bright_level(grey))) is not None:
            name = names[number] if number < len(names) else N("Seat {seat}", seat=number + 1)
            return zone_problem_sentence(name, PROBLEMS[limit], length_px or 0.0)
    return None
