"""Runs practice at a camera: opens the camera and finds the zone, then plays against the box."""

from collections.abc import Callable, Sequence

from device.camera.base import CameraError
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock, MonotonicClock
from throwlock.match.house_rules import HouseRules
from throwlock.match.practice import Commitment, PracticeJudge, PracticeSession, commit
from throwlock.settings.model import Settings
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup.cameras import open_camera
from throwlock.table_setup.sound import open_sound
from throwlock.table_setup.zone_setup import zones_for_match
from throwlock.table_setup.zone_store import load_zones
from throwlock.tables.hands import Table
from ui.i18n.error_messages import translate_error
from ui.i18n.language import capitalise
from ui.screen.core.display import Display
from ui.screen.pages.countdown.view import Preparing
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.practice.strings import TITLE, YOU
from ui.screen.pages.practice.view import PracticeScore
from vision.hands.model import ModelError
from vision.zones import ZoneError

SIMULATED_SEAT_COUNT = 2
"""Seats at a simulated table, which has at least two; the player's is the first."""


def run_practice(
    display: Display,
    camera: str,
    settings: Settings,
    clock: Clock,
    seed: int = 0,
    zones: Sequence[str] = (),
    draw: Callable[[], Commitment] = commit,
) -> PracticeScore:
    """Practise at the camera named ``camera`` until people stop, and return the score.

    If the zone is not known, it is set up first. At a simulated table a simulated player throws.

    Raises:
        CameraError: The camera does not run, or is a clip.
        ZoneError: ``zones`` are not zones.
        ModelError: There is no hand model.
        WindowClosedError: People closed the window.
    """
    if camera.startswith("clip:"):
        raise CameraError("a clip shows the same throw every time, so nobody can practise with it: use another camera")
    display.show(Preparing(TITLE))
    seats = SIMULATED_SEAT_COUNT if camera == "simulated" else 1
    device = open_camera(camera, clock, seats, seed)
    device.start()
    sound = open_sound(settings.sound, clock)
    try:
        zoning = load_zones(device, camera, 1, zones)
        zone = zones_for_match(display, device, camera, clock, zoning, (YOU,))[:1]
        with PracticeJudge(seats=1) as judge:
            player = SimulatedPlayers(seed, device) if isinstance(device, SimulatedTable) else None
            rules = HouseRules(**settings.rules.model_dump())
            table = Table(device, zone, judge, display, clock, rules, player, show_preview=True, sound=sound)
            return PracticeSession(table, draw).play()
    finally:
        device.stop()
        sound.stop()


def practise_from_home(display: Display, camera: str, settings: Settings, seed: int, zones: Sequence[str] = ()) -> None:
    """Practise from the home page; show any error on the screen. Raises WindowClosedError."""
    try:
        run_practice(display, camera, settings, MonotonicClock(), seed, zones[:1])
    except (CameraError, ZoneError, ModelError) as error:
        display.ask(Notice(TITLE, capitalise(translate_error(str(error)))))
