"""Practice at a camera."""

from collections.abc import Callable, Sequence

from device.camera.base import CameraError
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock, SteadyClock
from throwlock.match.house_rules import House
from throwlock.match.practice import BoxToo, Commitment, Practise, commit
from throwlock.settings.model import Settings
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup import sound as hearing
from throwlock.table_setup.cameras import open_camera
from throwlock.table_setup.zone_setup import before_match
from throwlock.table_setup.zone_store import zones_for
from throwlock.tables.hands import Table
from ui.i18n.error_messages import told
from ui.i18n.language import capital
from ui.screen.core.display import Display
from ui.screen.pages.practice.strings import TITLE, YOU
from ui.screen.pages.practice.view import Score
from ui.screen.pages.views import Notice, Waiting
from vision.hands.model import ModelError
from vision.zones import ZoneError

SIMULATED_SEATS = 2
"""A simulated table has no fewer; the person's is the first."""


def practise_at(
    display: Display,
    camera: str,
    settings: Settings,
    clock: Clock,
    seed: int = 0,
    zones: Sequence[str] = (),
    draw: Callable[[], Commitment] = commit,
) -> Score:
    """Practise before the camera called ``camera`` until people stop; whose zone is not known they set it up first.
    Before a simulated table a simulated person throws. Returns the score. Raises CameraError, ZoneError, ModelError,
    Closed."""
    if camera.startswith("clip:"):
        raise CameraError("a clip throws the same every time, so nobody can practise with it: use another camera")
    display.show(Waiting(TITLE))
    seats = SIMULATED_SEATS if camera == "simulated" else 1
    opened = open_camera(camera, clock, seats, seed)
    opened.start()
    sound = hearing.opened(settings.sound, clock)
    try:
        zoning = zones_for(opened, camera, 1, zones)
        place = before_match(display, opened, camera, clock, zoning, (YOU,))[:1]
        with BoxToo(seats=1) as judge:
            performers = SimulatedPlayers(seed, opened) if isinstance(opened, SimulatedTable) else None
            house = House(**settings.house.model_dump())
            table = Table(opened, place, judge, display, clock, house, performers, live=True, sound=sound)
            return Practise(table, draw).play()
    finally:
        opened.stop()
        sound.stop()


def practise_from_home(display: Display, camera: str, settings: Settings, seed: int, zones: Sequence[str] = ()) -> None:
    """Practise between two matches. What is wrong is said on the screen. Raises WindowClosedError."""
    try:
        practise_at(display, camera, settings, SteadyClock(), seed, zones[:1])
    except (CameraError, ZoneError, ModelError) as fault:
        display.ask(Notice(TITLE, capital(told(str(fault)))))
