"""People set up their zones: on the screen over the live picture, or by holding their hands out once."""

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.frames import Size
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock, MonotonicClock
from throwlock.table_setup.cameras import open_camera
from throwlock.table_setup.zone_store import TableZones, ZoneSource, ZoneStore, load_zones
from ui.i18n.error_messages import translate_error
from ui.i18n.language import N, capitalise, join
from ui.screen.core.display import Display
from ui.screen.pages.countdown.view import Preparing
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.zones import view as page
from ui.text import zones as advice
from vision.hands.detector import HandDetector
from vision.zone_detection import MAX_HANDS_PER_TILE, ZONE_HAND_CONFIDENCE, detect_zones
from vision.zones import Zone, ZoneError, check_no_overlap, default_zones

PREVIEW_PX = 640
"""The longer side of the live picture."""
PREVIEW_INTERVAL_S = 0.02
"""Between two live pictures, beside the time that one takes."""
FIRST_FRAME_TIMEOUT_S = 1.0
"""How long the first picture is waited for, so that a page does not open without one."""
HOLD_OUT_S = 3
"""Seconds that people have to hold their hands out."""
DETECTION_TIME_NS = 600_000_000
"""How long the hands are looked at."""
DETECTION_FRAMES = 3
"""Pictures of the hands that are looked at, over that time."""
TITLE = N("Zones")
SEAT_CHOICES = tuple(map(str, range(2, 9)))


class LivePreview:
    """The newest picture of a camera, small, taken in a thread of its own: a screen asks for it and never waits.

    with Live(camera) as live:
        shot = live.newest()
    """

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._shot: page.LiveImage | None = None
        self._fault: CameraError | None = None
        self._stop, self._first_frame = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._first_frame.wait(FIRST_FRAME_TIMEOUT_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def latest(self) -> page.LiveImage | None:
        """The newest picture; None before the first, and when the camera has stopped."""
        return self._shot

    def check(self) -> None:
        """Raises CameraError when the camera has stopped."""
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        last = None
        try:
            while not self._stop.is_set():
                frame = self._camera.latest()
                if frame.exposed_ns != last:
                    last = frame.exposed_ns
                    self._shot = page.LiveImage(frame.pixels(None, preview_size(frame.size)))
                    self._first_frame.set()
                self._stop.wait(PREVIEW_INTERVAL_S)
        except CameraError as fault:
            self._shot, self._fault = None, fault
            self._first_frame.set()


def preview_size(size: Size) -> Size:
    """The size of the live picture of frames of ``size``."""
    scale = min(1.0, PREVIEW_PX / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def zones_error(zones: Sequence[page.ZoneArea], size: Size) -> str | None:
    """Why zones of a picture of ``size`` can't be used, in words; None where they can."""
    try:
        read = [Zone(*zone).validate() for zone in zones]
        for zone in read:
            zone.box(size)
        check_no_overlap(read)
    except ZoneError as fault:
        return translate_error(str(fault))
    return None


def find_zones_from_hands(
    camera: Camera, clock: Clock, seats: int, finder: HandDetector | None = None
) -> tuple[Zone, ...]:
    """The zones of the hands that have been held out before the camera for the last LOOKED_NS. Raises ZoneError, in
    words for the people; CameraError; and without a ``finder`` ModelError."""
    now_ns = clock.now_ns()
    frames = camera.frames_between(now_ns - DETECTION_TIME_NS, now_ns)
    if not frames:
        raise CameraError("the camera has sent no image for a while: check its cable and start again")
    some = [frames[round(number * (len(frames) - 1) / (DETECTION_FRAMES - 1))] for number in range(DETECTION_FRAMES)]
    if finder is not None:
        return detect_zones(some, finder, seats)
    with HandDetector(hands=MAX_HANDS_PER_TILE, confidence=ZONE_HAND_CONFIDENCE) as own:
        return detect_zones(some, own, seats)


def hold_out_simulated_hands(camera: Camera, clock: Clock) -> None:
    """Let the players of a simulated table hold out their hands: nobody else could."""
    if isinstance(camera, SimulatedTable):
        beat_ns = 300_000_000
        held = Performance("paper", clock.now_ns() + 5 * beat_ns, beat_ns, hold_ns=12_000_000_000)
        for seat in range(1, len(camera.people) + 1):
            camera.perform(seat, held)


def set_up_zones(
    display: Display, camera: Camera, clock: Clock, zones: Sequence[Zone], names: Sequence[str] = (), message: str = ""
) -> tuple[Zone, ...] | None:
    """Let people set up their zones on the screen, beginning with ``zones``. Returns them when they are done, None when
    they leave it as it was. Raises CameraError when the camera stops, WindowClosedError with the window, ModelError."""
    now: tuple[page.ZoneArea, ...] = tuple(zones)
    even: tuple[page.ZoneArea, ...] = default_zones(len(now))
    aspect = camera.size[0] / camera.size[1]

    def check(areas: Sequence[page.ZoneArea]) -> str | None:
        return zones_error(areas, camera.size)

    with LivePreview(camera) as live:
        while True:
            answer = display.ask(page.ZoneEditor(now, live.latest, check, even, aspect, tuple(names), message))
            live.check()
            if not isinstance(answer, page.ZonesAnswer) or answer.action == "leave":
                return None
            if answer.action == "done":
                return tuple(Zone(*area) for area in answer.zones)
            now = answer.zones
            try:
                now = _hold_out(display, camera, clock, len(now), live)
                message = advice.hands_found_sentence(len(now))
            except ZoneError as fault:
                message = join([translate_error(str(fault)), "."], "")


def _hold_out(display: Display, camera: Camera, clock: Clock, seats: int, live: LivePreview) -> tuple[Zone, ...]:
    """Count, and find the hands that are held out then. Raises ZoneError, CameraError, ModelError,
    WindowClosedError."""
    aspect = camera.size[0] / camera.size[1]
    hold_out_simulated_hands(camera, clock)
    for left in range(HOLD_OUT_S, 0, -1):
        display.show(page.ZoneDetection(advice.HOLD_HANDS_OUT, live.latest, aspect, left))
        clock.wait_until(clock.now_ns() + 1_000_000_000)
    display.show(page.ZoneDetection(advice.KEEP_STILL, live.latest, aspect))
    return find_zones_from_hands(camera, clock, seats)


def zones_for_match(
    display: Display, camera: Camera, name: str, clock: Clock, zoning: TableZones, names: Sequence[str]
) -> tuple[Zone, ...]:
    """The zones for a match in a window: people set them up where nobody has for this camera, and they are kept."""
    if zoning.source is not ZoneSource.DEFAULT or isinstance(camera, SimulatedTable | ClipCamera):
        return zoning.zones
    chosen = set_up_zones(display, camera, clock, zoning.zones, names, translate_error(zoning.error or ""))
    if chosen is None:
        return zoning.zones
    ZoneStore().save(name, camera.size, chosen)
    return chosen


def set_up_from_home(display: Display, name: str, seed: int) -> None:
    """Set up the zones before the camera called ``name`` between two matches, for as many as people say will sit there,
    and keep them; a simulated table's are not kept. What is wrong with the camera or the file is said on the screen.
    Raises WindowClosedError, ModelError."""
    seats = int(str(display.ask(Notice(TITLE, N("How many will sit at the table?"), SEAT_CHOICES))))
    display.show(Preparing(TITLE))
    clock = MonotonicClock()
    try:
        camera = open_camera(name, clock, seats, seed)
        camera.start()
        try:
            zoning = load_zones(camera, name, seats)
            chosen = set_up_zones(display, camera, clock, zoning.zones, message=translate_error(zoning.error or ""))
            if chosen is not None and not isinstance(camera, SimulatedTable):
                ZoneStore().save(name, camera.size, chosen)
        finally:
            camera.stop()
    except (CameraError, ZoneError) as fault:
        display.ask(Notice(TITLE, capitalise(translate_error(str(fault)))))
