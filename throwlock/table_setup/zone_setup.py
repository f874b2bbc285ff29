"""People set up their zones: on the screen over the live picture, or by holding their hands out once."""

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.frames import Size
from device.simulated.table.animation import Performance
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock, SteadyClock
from throwlock.table_setup.cameras import open_camera
from throwlock.table_setup.zone_store import KeptZones, Source, Zoning, zones_for
from ui.i18n.error_messages import told
from ui.i18n.language import N, capital, row
from ui.screen.core.display import Display
from ui.screen.pages.views import Notice, Waiting
from ui.screen.pages.zones import view as page
from ui.text import zones as advice
from vision.hands.detector import HandFinder
from vision.zone_detection import CONFIDENCE, MOST_HANDS, zones_of_hands
from vision.zones import Zone, ZoneError, check_apart, spread

LIVE_PX = 640
"""The longer side of the live picture."""
LIVE_S = 0.02
"""Between two live pictures, beside the time that one takes."""
FIRST_S = 1.0
"""How long the first picture is waited for, so that a page does not open without one."""
COUNT = 3
"""Seconds that people have to hold their hands out."""
LOOKED_NS = 600_000_000
"""How long the hands are looked at."""
FRAMES = 3
"""Pictures of the hands that are looked at, over that time."""
TITLE = N("Zones")
SEATS = tuple(map(str, range(2, 9)))


class Live:
    """The newest picture of a camera, small, taken in a thread of its own: a screen asks for it and never waits.

    with Live(camera) as live:
        shot = live.newest()
    """

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._shot: page.Shot | None = None
        self._fault: CameraError | None = None
        self._stop, self._began = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._take, name="live", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._began.wait(FIRST_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def newest(self) -> page.Shot | None:
        """The newest picture; None before the first, and when the camera has stopped."""
        return self._shot

    def check(self) -> None:
        """Raises CameraError when the camera has stopped."""
        if self._fault is not None:
            raise self._fault

    def _take(self) -> None:
        last = None
        try:
            while not self._stop.is_set():
                frame = self._camera.latest()
                if frame.exposed_ns != last:
                    last = frame.exposed_ns
                    self._shot = page.Shot(frame.pixels(None, small(frame.size)))
                    self._began.set()
                self._stop.wait(LIVE_S)
        except CameraError as fault:
            self._shot, self._fault = None, fault
            self._began.set()


def small(size: Size) -> Size:
    """The size of the live picture of frames of ``size``."""
    scale = min(1.0, LIVE_PX / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def wrong_with(zones: Sequence[page.Area], size: Size) -> str | None:
    """Why zones of a picture of ``size`` can't be used, in words; None where they can."""
    try:
        read = [Zone(*zone).checked() for zone in zones]
        for zone in read:
            zone.box(size)
        check_apart(read)
    except ZoneError as fault:
        return told(str(fault))
    return None


def found_from_hands(camera: Camera, clock: Clock, seats: int, finder: HandFinder | None = None) -> tuple[Zone, ...]:
    """The zones of the hands that have been held out before the camera for the last LOOKED_NS. Raises ZoneError, in
    words for the people; CameraError; and without a ``finder`` ModelError."""
    now_ns = clock.now_ns()
    frames = camera.ring(now_ns - LOOKED_NS, now_ns)
    if not frames:
        raise CameraError("the camera has given no picture for a while: check its cable and start again")
    some = [frames[round(number * (len(frames) - 1) / (FRAMES - 1))] for number in range(FRAMES)]
    if finder is not None:
        return zones_of_hands(some, finder, seats)
    with HandFinder(hands=MOST_HANDS, confidence=CONFIDENCE) as own:
        return zones_of_hands(some, own, seats)


def tell_simulated(camera: Camera, clock: Clock) -> None:
    """Let the players of a simulated table hold out their hands: nobody else could."""
    if isinstance(camera, SimulatedTable):
        beat_ns = 300_000_000
        held = Performance("paper", clock.now_ns() + 5 * beat_ns, beat_ns, hold_ns=12_000_000_000)
        for seat in range(1, len(camera.people) + 1):
            camera.perform(seat, held)


def set_up_zones(
    display: Display, camera: Camera, clock: Clock, zones: Sequence[Zone], names: Sequence[str] = (), said: str = ""
) -> tuple[Zone, ...] | None:
    """Let people set up their zones on the screen, beginning with ``zones``. Returns them when they are done, None when
    they leave it as it was. Raises CameraError when the camera stops, WindowClosedError with the window, ModelError."""
    now: tuple[page.Area, ...] = tuple(zones)
    even: tuple[page.Area, ...] = spread(len(now))
    aspect = camera.size[0] / camera.size[1]

    def check(areas: Sequence[page.Area]) -> str | None:
        return wrong_with(areas, camera.size)

    with Live(camera) as live:
        while True:
            answer = display.ask(page.Zoning(now, live.newest, check, even, aspect, tuple(names), said))
            live.check()
            if not isinstance(answer, page.Zoned) or answer.wish == "leave":
                return None
            if answer.wish == "done":
                return tuple(Zone(*area) for area in answer.zones)
            now = answer.zones
            try:
                now = _hold_out(display, camera, clock, len(now), live)
                said = advice.found(len(now))
            except ZoneError as fault:
                said = row([told(str(fault)), "."], "")


def _hold_out(display: Display, camera: Camera, clock: Clock, seats: int, live: Live) -> tuple[Zone, ...]:
    """Count, and find the hands that are held out then. Raises ZoneError, CameraError, ModelError,
    WindowClosedError."""
    aspect = camera.size[0] / camera.size[1]
    tell_simulated(camera, clock)
    for left in range(COUNT, 0, -1):
        display.show(page.HoldingOut(advice.HOLD_OUT, live.newest, aspect, left))
        clock.wait_until(clock.now_ns() + 1_000_000_000)
    display.show(page.HoldingOut(advice.KEEP_STILL, live.newest, aspect))
    return found_from_hands(camera, clock, seats)


def before_match(
    display: Display, camera: Camera, name: str, clock: Clock, zoning: Zoning, names: Sequence[str]
) -> tuple[Zone, ...]:
    """The zones for a match in a window: people set them up where nobody has for this camera, and they are kept."""
    if zoning.source is not Source.SPREAD or isinstance(camera, SimulatedTable | ClipCamera):
        return zoning.zones
    chosen = set_up_zones(display, camera, clock, zoning.zones, names, told(zoning.fault or ""))
    if chosen is None:
        return zoning.zones
    KeptZones().keep(name, camera.size, chosen)
    return chosen


def set_up_from_home(display: Display, name: str, seed: int) -> None:
    """Set up the zones before the camera called ``name`` between two matches, for as many as people say will sit there,
    and keep them; a simulated table's are not kept. What is wrong with the camera or the file is said on the screen.
    Raises WindowClosedError, ModelError."""
    seats = int(str(display.ask(Notice(TITLE, N("How many will sit at the table?"), SEATS))))
    display.show(Waiting(TITLE))
    clock = SteadyClock()
    try:
        camera = open_camera(name, clock, seats, seed)
        camera.start()
        try:
            zoning = zones_for(camera, name, seats)
            chosen = set_up_zones(display, camera, clock, zoning.zones, said=told(zoning.fault or ""))
            if chosen is not None and not isinstance(camera, SimulatedTable):
                KeptZones().keep(name, camera.size, chosen)
        finally:
            camera.stop()
    except (CameraError, ZoneError) as fault:
        display.ask(Notice(TITLE, capital(told(str(fault)))))
