"""What a match, or practice, has open while it runs: opened in order, and closed in reverse whatever happens."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from device.camera.base import Camera
from device.sound.base import NullSound, Sound
from device.system.clock import Clock
from messages import N
from throwlock.journal.journal import Journal, JournalError
from throwlock.journal.recovery import NOTICE_TITLE
from throwlock.journal.space import make_room
from throwlock.launch_options import LaunchOptions
from throwlock.match.clip_sharing import ClipSharing
from throwlock.match.pause import PadDisplay, PausableDisplay, PauseSettings
from throwlock.nonessential import nonessential
from throwlock.pads.table import PadTable
from throwlock.replay.config import MatchConfig
from throwlock.settings.model import default_settings_path
from throwlock.sources import (
    CHEAT_THROW_INDEX,
    LATER_CHEAT_THROW_INDEX,
    TableSetup,
    hand_judge,
    is_class,
    open_camera_and_players,
    open_source,
)
from throwlock.table_setup.seat_io import HardwareAlerts
from throwlock.table_setup.sound import SafeSound, open_sound
from throwlock.table_setup.zone_setup import zones_for_match
from throwlock.table_setup.zone_store import TableZones, ZoneSource, load_zones
from throwlock.tables.source import RoundSource
from throwlock.tv.second_screen import SecondScreen
from ui.screen.core.display import Display
from ui.screen.pages.notice import Notice
from ui.text.verdicts import display_name
from vision.zones import Zone, default_zones

AssignSeats = Callable[[MatchConfig, Sequence[Zone]], MatchConfig]
"""Asks people who sits where, given the zones of all seats. Raises PeopleLeftError if they go back."""


@dataclass(frozen=True)
class Services:
    """What lives beside the matches, as long as the command runs."""

    alerts: HardwareAlerts = field(default_factory=HardwareAlerts)
    """Faults of buttons and lights that are still to be shown."""
    pads: PadTable = field(default_factory=PadTable)
    """The phones that answer for seats."""
    second_screen: SecondScreen = field(default_factory=SecondScreen)
    """What second screens show."""
    clips: ClipSharing = field(default_factory=ClipSharing)
    """What shares clips of rounds."""


@dataclass(frozen=True)
class Session:
    """Everything that is open."""

    config: MatchConfig
    display: PausableDisplay
    clock: Clock
    sound: Sound
    source: RoundSource
    camera: Camera | None
    """None where nothing is watched."""
    journal: Journal | None
    """None in practice."""


@contextmanager
def open_session(
    options: LaunchOptions,
    config: MatchConfig,
    open_display: Callable[[], Display],
    clock: Clock,
    assign_seats: AssignSeats | None = None,
    services: Services | None = None,
    *,
    journaled: bool = True,
) -> Iterator[Session]:
    """Open camera, sound, zones, hand model, display, journal and, from all of them, the source of the rounds.

    Whatever may be missing is opened before the screens and the journal, so an error leaves nothing written. Practice
    is not ``journaled``.

    Raises:
        CameraError, ZoneError, ModelError, JournalError: Something can't be opened.
        PeopleLeftError: People went back from assigning seats.
    """
    services = services or Services()
    with ExitStack() as opened:
        plays = options.people_answer and not options.demo
        cheat_throw = LATER_CHEAT_THROW_INDEX if plays else CHEAT_THROW_INDEX
        camera, players = open_camera_and_players(
            options, config, clock, click.echo, cheat_throw if journaled else None
        )
        if camera:
            opened.callback(camera.stop)
            camera.start()
        sound: Sound = NullSound()
        with nonessential("there is no sound"):
            sound = SafeSound(open_sound(options.settings.sound, clock, config.house_rules.beat_ms))
        opened.callback(sound.stop)
        zoning = TableZones(default_zones(config.game.setup.seats), ZoneSource.DEFAULT)
        has_zones = camera is not None and not is_class(options, config)
        if camera and has_zones:
            zoning = load_zones(camera, config.camera, config.game.setup.seats, options.zones)
            for zone in zoning.zones:
                zone.box(camera.size)
        judge = hand_judge(options, config)
        if judge:
            opened.enter_context(judge)
        if journaled and options.folder_to_create:
            create_folder(options.folder_to_create)
        pads = services.pads if journaled and options.people_answer else None
        screen = open_display()
        settings = PauseSettings(sound, options.settings, default_settings_path()) if options.people_answer else None
        display = PausableDisplay(screen if pads is None else PadDisplay(screen, pads), pads, settings)
        if journaled and (lost := make_room(options.journal)):
            display.ask(Notice(NOTICE_TITLE, lost, ("go on",)))
        services.alerts.show(display)
        if zoning.error:
            click.echo(zoning.error)
        if assign_seats:
            config = assign_seats(config, zoning.zones)
        zones = zoning.zones
        if camera and has_zones and not options.headless:
            zones = zones_for_match(display, camera, config.camera, clock, zoning, config.names)
        journal = opened.enter_context(Journal(options.journal)) if journaled else None
        if pads is not None:
            names = [display_name(seat, name) for seat, name in enumerate(config.names, 1)]
            has_rounds = not config.game.rules.has_board
            pads.open(names, in_class=is_class(options, config), has_rounds=has_rounds)
            opened.callback(pads.close)
        setup = TableSetup(
            options, config, camera, zones, display, clock, sound, judge, players, against_box=not journaled
        )
        source = open_source(setup)
        opened.callback(source.close)
        yield Session(config, display, clock, sound, source, camera, journal)


def create_folder(folder: Path) -> None:
    """Create a folder and those above it. Raises JournalError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(
            N("{folder} can’t be created ({why})", folder=folder.absolute(), why=error.strerror),
            terminal_hint=": give --journal",
        ) from error
