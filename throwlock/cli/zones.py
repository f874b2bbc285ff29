"""``throwlock zones``: the zones in use, set up on the screen or from hands held out, and forgotten."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import click

from device.camera.base import Camera
from device.camera.frames import Size
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock, JumpingClock, SteadyClock
from throwlock.cli.options import UsageError, camera_option, read_size, seats_option
from throwlock.table_setup.cameras import open_camera, usual_camera
from throwlock.table_setup.zone_setup import COUNT, found_from_hands, set_up_zones, tell_simulated
from throwlock.table_setup.zone_store import KeptZones, Source, zones_for
from ui.screen.core.display import NoScreenError, WindowClosedError
from ui.screen.core.window import Window
from ui.text import zones as advice
from vision.zones import Zone

MOST = 8
"""Seats there are marks for on the screen."""


class _Box(NamedTuple):
    """A running camera, what ``--camera`` calls it, its clock, and how many sit before it."""

    camera: Camera
    name: str
    clock: Clock
    seats: int

    def keep(self, zones: Sequence[Zone]) -> None:
        """Keep zones, and say where. Raises ZoneError."""
        if isinstance(self.camera, SimulatedTable):
            click.echo("Not kept: a simulated table has its own zones.")
            return
        kept = KeptZones()
        kept.keep(self.name, self.camera.size, zones)
        click.echo(f"Kept in {kept.path}.")


@click.command()
@seats_option
@camera_option
@click.option("--hands", is_flag=True, help="Find them: everybody holds out one open hand, once.")
@click.option("--save", is_flag=True, help="With --hands: keep them for the next match.")
@click.option("--window", is_flag=True, help="Set them up on the screen, over the live picture.")
@click.option("--reset", is_flag=True, help="Forget those that are kept.")
@click.option("--size", default="800x480", show_default=True, metavar="WxH", help="Of the window.")
@click.option("--fullscreen", is_flag=True, help="The whole screen.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of simulated tables.")
def zones(
    seats: int,
    camera: str | None,
    hands: bool,
    save: bool,
    window: bool,
    reset: bool,
    size: str,
    fullscreen: bool,
    seed: int,
) -> None:
    """Where each seat's hand is looked for: the zones in use, one line a seat as --zone takes it."""
    camera = camera or usual_camera()
    if hands + window + reset > 1:
        raise UsageError("give only one of --hands, --window and --reset")
    if save and not hands:
        raise UsageError("--save goes with --hands; --window keeps what is done there")
    if not 1 <= seats <= MOST:
        raise UsageError(f"zones are for 1 to {MOST} seats, not {seats}")
    wide_high = read_size(size)
    clock = SteadyClock() if window or camera != "simulated" else JumpingClock()
    with _running(camera, clock, seats, seed) as box:
        if reset:
            there = KeptZones().forget(camera, seats, box.camera.size)
            click.echo(f"Forgotten: the zones of {camera} for {seats} seats." if there else "There were none.")
        elif hands:
            _from_hands(box, save)
        elif window:
            _in_window(box, wide_high, fullscreen)
        else:
            _in_use(box)


@contextmanager
def _running(name: str, clock: Clock, seats: int, seed: int) -> Iterator[_Box]:
    camera = open_camera(name, clock, seats, seed)
    camera.start()
    try:
        yield _Box(camera, name, clock, seats)
    finally:
        camera.stop()


def _in_use(box: _Box) -> None:
    zoning = zones_for(box.camera, box.name, box.seats)
    if zoning.fault:
        raise UsageError(zoning.fault)
    where = f" ({KeptZones().path})" if zoning.source is Source.KEPT else ""
    click.echo(f"{box.name}, {box.seats} seats: {zoning.source}{where}")
    _listed(zoning.zones)


def _listed(found: Sequence[Zone]) -> None:
    for seat, zone in enumerate(found, 1):
        click.echo(f"seat {seat}: --zone {','.join(f'{part:.4f}' for part in zone)}")


def _from_hands(box: _Box, save: bool) -> None:
    click.echo(f"{advice.HOLD_OUT}; the box looks in {COUNT} seconds.")
    tell_simulated(box.camera, box.clock)
    box.clock.wait_until(box.clock.now_ns() + COUNT * 1_000_000_000)
    found = found_from_hands(box.camera, box.clock, box.seats)
    _listed(found)
    if save:
        box.keep(found)


def _in_window(box: _Box, size: Size, fullscreen: bool) -> None:
    zoning = zones_for(box.camera, box.name, box.seats)
    try:
        chosen = Window(size, fullscreen=fullscreen).run(
            lambda window: set_up_zones(window, box.camera, box.clock, zoning.zones, said=zoning.fault or "")
        )
    except WindowClosedError:
        chosen = None
    except NoScreenError as error:
        raise UsageError(f"{str(error).partition(': play')[0]}: give --hands instead of --window") from error
    if chosen is None:
        click.echo("Left as it was.")
        return
    _listed(chosen)
    box.keep(chosen)
