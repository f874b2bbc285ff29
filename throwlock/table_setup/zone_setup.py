"""Setting up the zones: on the screen over the live image, or by holding out the hands once."""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Self

import cv2

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.frames import Frame, Size
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock, MonotonicClock
from device.system.periodic import ThreadTicker
from messages import N, capitalise, join
from throwlock.preparing import preparing_page
from throwlock.table_setup.cameras import open_camera, run_camera
from throwlock.table_setup.zone_store import TableZones, ZoneSource, ZoneStore, load_zones
from ui.screen.core.display import Display
from ui.screen.pages import zones as zones_page
from ui.screen.pages.notice import Notice
from ui.screen.pages.zones import ZoneArea, ZoneProblem, zone_problem_sentence
from vision.hands.augmentation import Detector, detect_in_frame, first_hand
from vision.hands.detector import HandDetector
from vision.hands.limits import HandLimit, bright_level, find_limit
from vision.hands.model import ModelError
from vision.lock.zone_view import MAX_INPUT_PX, MAX_THUMBNAIL_PX
from vision.zone_detection import MAX_HANDS_PER_TILE, ZONE_HAND_CONFIDENCE, detect_zones
from vision.zones import Zone, ZoneError, check_no_overlap, default_zones

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
        self,
        camera: Camera,
        names: Sequence[str] = (),
        make_detector: Callable[[], AbstractContextManager[Detector]] = HandDetector,
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


PREVIEW_PX = 640
"""The longer side of the live image."""
PREVIEW_INTERVAL_S = 0.02
"""Pause between two live images."""
FIRST_FRAME_TIMEOUT_S = 1.0
"""How long to wait for the first image, so that the page does not open without one."""
HOLD_OUT_S = 3
"""Countdown before hands are detected."""
DETECTION_TIME_NS = 600_000_000
DETECTION_FRAMES = 3
"""Frames analysed, spread over ``DETECTION_TIME_NS``."""
TITLE = N("Zones")
BACK_CHOICE, TRY_AGAIN_CHOICE = "back", "try again"
SEAT_CHOICES = tuple(map(str, range(2, 9)))


class LivePreview:
    """The camera's latest image, scaled down by a background thread, so that the screen never waits.

    with LivePreview(camera) as live:
        shot = live.latest()
    """

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._shot: zones_page.LiveImage | None = None
        self._error: CameraError | None = None
        self._newest_ns: int | None = None
        self._first_frame = threading.Event()

    def __enter__(self) -> Self:
        self._ticker = ThreadTicker(self._look, "live")
        self._first_frame.wait(FIRST_FRAME_TIMEOUT_S)
        return self

    def __exit__(self, *error: object) -> None:
        self._ticker.stop()

    def latest(self) -> zones_page.LiveImage | None:
        """Return the latest image; None before the first, and while the camera sends none."""
        return self._shot

    def check(self) -> None:
        """Raise CameraError if the camera sends no images now."""
        if self._error is not None:
            raise self._error

    def _look(self) -> float:
        try:
            frame = self._camera.latest()
        except CameraError as error:  # it may be the first frame that is late, or a cable that is plugged in again
            self._shot, self._error, self._newest_ns = None, error, None
        else:
            if frame.exposed_ns != self._newest_ns:
                self._newest_ns, self._error = frame.exposed_ns, None
                self._shot = zones_page.LiveImage(frame.pixels(None, preview_size(frame.size)))
                self._first_frame.set()
        return PREVIEW_INTERVAL_S


def preview_size(size: Size) -> Size:
    """Return the size of the live image for frames of ``size``, in pixels."""
    scale = min(1.0, PREVIEW_PX / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def zones_error(zones: Sequence[zones_page.ZoneArea], size: Size) -> str | None:
    """Return why zones can't be used with frames of ``size``; None if they can."""
    try:
        read = [Zone(*zone).validate() for zone in zones]
        for zone in read:
            zone.box(size)
        check_no_overlap(read)
    except ZoneError as error:
        return error.text
    return None


def find_zones_from_hands(
    camera: Camera, clock: Clock, seats: int, detector: HandDetector | None = None
) -> tuple[Zone, ...]:
    """Find the zones of the hands held out during the last ``DETECTION_TIME_NS``.

    Raises:
        ZoneError: The hands don't give a zone for each seat; the message is for the players.
        CameraError: The camera sends no images.
        ModelError: Without a ``detector``, the hand model can't be loaded.
    """
    now_ns = clock.now_ns()
    frames = camera.frames_between(now_ns - DETECTION_TIME_NS, now_ns)
    if not frames:
        raise CameraError(N("the camera has sent no image for a while: check its cable and start again"))
    last = len(frames) - 1
    frame_sample = [frames[round(number * last / (DETECTION_FRAMES - 1))] for number in range(DETECTION_FRAMES)]
    if detector is not None:
        return detect_zones(frame_sample, detector, seats)
    with HandDetector(hands=MAX_HANDS_PER_TILE, confidence=ZONE_HAND_CONFIDENCE) as own_detector:
        return detect_zones(frame_sample, own_detector, seats)


def hold_out_simulated_hands(camera: Camera, clock: Clock) -> None:
    """Let the players of a simulated table hold out their hands."""
    if isinstance(camera, SimulatedTable):
        beat_ns = 300_000_000
        held = Performance("paper", clock.now_ns() + 5 * beat_ns, beat_ns, hold_ns=12_000_000_000)
        for seat in range(1, len(camera.people) + 1):
            camera.perform(seat, held)


def set_up_zones(
    display: Display, camera: Camera, clock: Clock, zones: Sequence[Zone], names: Sequence[str] = (), message: str = ""
) -> tuple[Zone, ...] | None:
    """Let the players set up their zones on the screen, starting from ``zones``. Returns the new ones, None on cancel.

    Raises:
        CameraError: The camera stopped.
        WindowClosedError: The window was closed.
        ModelError: The hand model can't be loaded.
    """
    current: tuple[zones_page.ZoneArea, ...] = tuple(zones)
    even_zones: tuple[zones_page.ZoneArea, ...] = default_zones(len(current))
    aspect = camera.size[0] / camera.size[1]

    def check(areas: Sequence[zones_page.ZoneArea]) -> str | None:
        return zones_error(areas, camera.size)

    with LivePreview(camera) as live, HandWatch(camera, names) as watch:
        while True:
            answer = display.ask(
                zones_page.ZoneEditor(
                    current, live.latest, check, even_zones, aspect, tuple(names), message, watch.find_advice
                )
            )
            live.check()
            if not isinstance(answer, zones_page.ZonesAnswer) or answer.action == "leave":
                return None
            if answer.action == "done":
                return tuple(Zone(*area) for area in answer.zones)
            current = answer.zones
            try:
                current = _hold_out(display, camera, clock, len(current), live)
                message = zones_page.hands_found_sentence(len(current))
            except ZoneError as error:
                message = join([error.text, "."], "")


def _hold_out(display: Display, camera: Camera, clock: Clock, seats: int, live: LivePreview) -> tuple[Zone, ...]:
    """Count down, then find the hands held out. Raises ZoneError, CameraError, ModelError, WindowClosedError."""
    aspect = camera.size[0] / camera.size[1]
    hold_out_simulated_hands(camera, clock)
    for left in range(HOLD_OUT_S, 0, -1):
        display.show(zones_page.ZoneDetection(zones_page.HOLD_HANDS_OUT, live.latest, aspect, left))
        clock.wait_until(clock.now_ns() + 1_000_000_000)
    display.show(zones_page.ZoneDetection(zones_page.KEEP_STILL, live.latest, aspect))
    return find_zones_from_hands(camera, clock, seats)


def zones_for_match(
    display: Display, camera: Camera, name: str, clock: Clock, zoning: TableZones, names: Sequence[str]
) -> tuple[Zone, ...]:
    """Return the zones for a match; without saved ones for this camera, let the players set them up and save them."""
    if zoning.source is ZoneSource.DEFAULT and not isinstance(camera, ClipCamera):
        return _set_up_and_save(display, camera, name, clock, zoning, names)
    return zoning.zones


def set_up_from_home(display: Display, name: str, seed: int) -> None:
    """Set up and save the zones of the camera called ``name`` from the home page, for the number of seats that the
    players enter, unless they go back; a simulated table's are not saved. Any error is shown on the screen, and people
    may try again. Raises WindowClosedError."""
    chosen = display.ask(Notice(TITLE, N("How many will sit at the table?"), (*SEAT_CHOICES, BACK_CHOICE)))
    if chosen == BACK_CHOICE:
        return
    seats = int(str(chosen))
    clock = MonotonicClock()
    while True:
        display.show(preparing_page(TITLE))
        try:
            with run_camera(open_camera(name, clock, seats, seed)) as camera:
                _set_up_and_save(display, camera, name, clock, load_zones(camera, name, seats))
            return
        except (CameraError, ZoneError, ModelError) as error:
            if display.ask(Notice(TITLE, capitalise(error.text), (TRY_AGAIN_CHOICE, BACK_CHOICE))) != TRY_AGAIN_CHOICE:
                return


def _set_up_and_save(
    display: Display, camera: Camera, name: str, clock: Clock, zoning: TableZones, names: Sequence[str] = ()
) -> tuple[Zone, ...]:
    """Let the players set up their zones, and save them unless they are a simulated table's."""
    chosen = set_up_zones(display, camera, clock, zoning.zones, names, zoning.error or "")
    if chosen is not None and zoning.source is not ZoneSource.SIMULATED:
        ZoneStore().save(name, camera.size, chosen)
    return chosen or zoning.zones
