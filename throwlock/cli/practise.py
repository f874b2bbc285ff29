"""``throwlock practise``, and the same from the screen's first page: one person at a camera throws against the box."""

from collections.abc import Callable, Sequence

import click

from device.camera.base import CameraError
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock, SteadyClock
from throwlock.cli.main import UsageError, camera_option
from throwlock.match.answers import SimulatedPlayers
from throwlock.match.house_rules import House
from throwlock.match.practice import BoxToo, Commitment, Practise, commit
from throwlock.settings.model import Settings, read, usual_place
from throwlock.table_setup import sound as hearing
from throwlock.table_setup.cameras import open_camera, usual_camera
from throwlock.table_setup.zone_setup import before_match
from throwlock.table_setup.zone_store import zones_for
from throwlock.tables.hands import Table
from ui.i18n.error_messages import told
from ui.i18n.language import capital
from ui.screen.core.display import Display, NoScreenError, WindowClosedError
from ui.screen.core.window import Window
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


@click.command()
@camera_option
@click.option("--zone", "zones", multiple=True, metavar="X,Y,W,H", help="Where the hand is, in fractions of the frame.")
@click.option("--size", default="800x480", show_default=True, metavar="WxH", help="Of the window.")
@click.option("--fullscreen", is_flag=True, help="The whole screen.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of a simulated table.")
def practise(camera: str | None, zones: tuple[str, ...], size: str, fullscreen: bool, seed: int) -> None:
    """Throw against the box, whose throw is fixed before the count.

    The box shows a seal of its throw (a SHA-256) before every round, and what is under it afterwards: that can be
    checked by hand. Nothing is kept.
    """
    from throwlock.cli.play import read_size  # noqa: PLC0415 - which has the screen's first page, which has this
    from throwlock.settings.pages import apply  # noqa: PLC0415

    settings = read(usual_place())
    apply(settings)
    window = Window(read_size(size), fullscreen=fullscreen)
    try:
        score = window.run(
            lambda display: practise_at(display, camera or usual_camera(), settings, SteadyClock(), seed, zones)
        )
    except WindowClosedError:
        return
    except NoScreenError as error:
        raise UsageError(f"{str(error).partition(': play')[0]}: practising needs one") from error
    click.echo(f"Won {score.won}, lost {score.lost}, tied {score.tied}; fouls {score.fouls}.")
