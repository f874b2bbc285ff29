"""Runs filming at a camera: opens the table when there is something to film, and the judge when it is compared."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.camera.base import CameraError
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock, MonotonicClock
from messages import N, capitalise
from throwlock.filming.schedule import SimulatedActors
from throwlock.filming.session import FilmingSession, FilmingTable
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.match.pause import PausableDisplay
from throwlock.table_setup.cameras import CameraKind, open_camera, run_camera
from throwlock.table_setup.sound import open_sound
from throwlock.table_setup.zone_setup import zones_for_match
from throwlock.table_setup.zone_store import load_zones
from throwlock.tables.camera_table import CameraTable
from throwlock.tables.source import ThrowListener
from ui.screen.core.display import Display
from ui.screen.pages.filming import TITLE
from ui.screen.pages.notice import Notice
from ui.text.verdicts import default_name
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge

FOLDER_NAME = "filmed-throws"
"""The folder of all that is filmed, next to the journal."""
MAX_BEAT_MS = 800
"""The slowest count that is filmed: a late throw, one beat after the cue, must fit into the camera's four seconds."""


def run_filming(options: LaunchOptions, display: Display, clock: Clock, root: Path, seed: int = 0) -> None:
    """Film agreed throws at the camera of ``options`` until people leave, in folders in ``root``. At a simulated table,
    simulated players throw what was agreed.

    Raises:
        CameraError: The camera is a clip.
        WindowClosedError: People closed the window.
    """
    if CameraKind.of(options.camera) is CameraKind.CLIP:
        raise CameraError(N("a clip can’t be filmed: use a camera"))
    pausable = PausableDisplay(display)
    rules = HouseRules(**options.settings.rules.model_dump())
    rules = rules.model_copy(update={"beat_ms": min(rules.beat_ms, MAX_BEAT_MS)})

    @contextmanager
    def open_table(seats: int) -> Iterator[FilmingTable]:
        camera = open_camera(
            options.camera, clock, max(2, seats) if options.camera == CameraKind.SIMULATED else seats, seed
        )
        with run_camera(camera):
            zoning = load_zones(camera, options.camera, seats, options.zones)
            names = tuple(default_name(seat) for seat in range(1, seats + 1))
            zones = zones_for_match(pausable, camera, options.camera, clock, zoning, names)
            actors = SimulatedActors(camera) if isinstance(camera, SimulatedTable) else None
            sound = open_sound(options.settings.sound.model_copy(update={"music": 0}), clock, rules.beat_ms)
            try:
                yield FilmingTable(
                    CameraTable(
                        camera=camera,
                        zones=zones[:seats],
                        display=pausable,
                        clock=clock,
                        house_rules=rules,
                        listener=actors or ThrowListener(),
                        show_preview=True,
                        sound=sound,
                    ),
                    actors,
                )
            finally:
                sound.stop()

    def open_judge(seats: int) -> Judge:
        return Judge(seats, JUDGE_NICE_LEVEL)

    FilmingSession(pausable, clock, root, options.camera, open_table, open_judge, rules.window_ms).run()


def film_from_home(options: LaunchOptions, display: Display, seed: int) -> None:
    """Film from the settings, next to the journal of ``options``; show any error on the screen. Raises
    WindowClosedError."""
    try:
        run_filming(options, display, MonotonicClock(), options.journal.absolute().parent / FOLDER_NAME, seed)
    except CameraError as error:
        display.ask(Notice(TITLE, capitalise(error.text)))
