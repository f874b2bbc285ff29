"""``throwlock zones``: print, set up or delete the seats' zones."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import click

from device.camera.base import Camera
from device.system.clock import Clock, MonotonicClock
from throwlock.cli.options import UsageError, camera_option, seats_option, seed_option, window_options
from throwlock.cli.window import no_screen_hint
from throwlock.table_setup.cameras import CameraKind, clock_for_camera, default_camera, open_camera, run_camera
from throwlock.table_setup.zone_setup import HOLD_OUT_S, find_zones_from_hands, hold_out_simulated_hands, set_up_zones
from throwlock.table_setup.zone_store import ZoneSource, ZoneStore, load_zones
from ui.screen.core.display import WindowClosedError
from ui.screen.core.window import Window
from ui.screen.pages import zones as advice
from vision.zones import Zone

MAX_SEATS = 8
"""The screen has marks for this many seats."""


class _RunningCamera(NamedTuple):
    """A running camera, its name as in ``--camera``, its clock and its number of seats."""

    camera: Camera
    name: str
    clock: Clock
    seats: int

    def save(self, zones: Sequence[Zone]) -> None:
        """Save zones and print where. Raises ZoneError."""
        if self.name == CameraKind.SIMULATED:
            click.echo("Not saved: a simulated table has its own zones.")
            return
        store = ZoneStore()
        store.save(self.name, self.camera.size, zones)
        click.echo(f"Saved in {store.path}.")


@click.command()
@seats_option
@camera_option
@click.option("--hands", is_flag=True, help="Detect the zones: each player holds out one open hand.")
@click.option("--save", is_flag=True, help="With --hands: save the zones.")
@click.option("--window", is_flag=True, help="Set up the zones on the screen, over the live image.")
@click.option("--reset", is_flag=True, help="Delete the saved zones.")
@window_options()
@seed_option("simulated tables")
def zones(
    seats: int,
    camera: str | None,
    hands: bool,
    save: bool,
    window: bool,
    reset: bool,
    seed: int,
    **window_values: Any,
) -> None:
    """Print the seats' zones, one line per seat in the format of --zone, or set them up."""
    camera = camera or default_camera()
    if hands + window + reset > 1:
        raise UsageError("give only one of --hands, --window and --reset")
    if save and not hands:
        raise UsageError("--save goes with --hands; --window saves by itself")
    if not 1 <= seats <= MAX_SEATS:
        raise UsageError(f"zones are for 1 to {MAX_SEATS} seats, not {seats}")
    clock = MonotonicClock() if window else clock_for_camera(camera)
    with run_camera(open_camera(camera, clock, seats, seed)) as open_one:
        running = _RunningCamera(open_one, camera, clock, seats)
        if reset:
            deleted = ZoneStore().forget(camera, seats, running.camera.size)
            click.echo(f"Deleted the zones of {camera} for {seats} seats." if deleted else "There were none.")
        elif hands:
            _find_from_hands(running, save)
        elif window:
            _set_up_in_window(running, Window(**window_values))
        else:
            _print_zones_in_use(running)


def _print_zones_in_use(running: _RunningCamera) -> None:
    zoning = load_zones(running.camera, running.name, running.seats)
    if zoning.error:
        raise UsageError(zoning.error)
    where = f" ({ZoneStore().path})" if zoning.source is ZoneSource.SAVED else ""
    click.echo(f"{running.name}, {running.seats} seats: {zoning.source}{where}")
    _print_zones(zoning.zones)


def _print_zones(zones: Sequence[Zone]) -> None:
    for seat, zone in enumerate(zones, 1):
        click.echo(f"seat {seat}: --zone {','.join(f'{part:.4f}' for part in zone)}")


def _find_from_hands(running: _RunningCamera, save: bool) -> None:
    click.echo(f"{advice.HOLD_HANDS_OUT}; the zones are detected in {HOLD_OUT_S} seconds.")
    hold_out_simulated_hands(running.camera, running.clock)
    running.clock.wait_until(running.clock.now_ns() + HOLD_OUT_S * 1_000_000_000)
    zones = find_zones_from_hands(running.camera, running.clock, running.seats)
    _print_zones(zones)
    if save:
        running.save(zones)


def _set_up_in_window(running: _RunningCamera, window: Window) -> None:
    zoning = load_zones(running.camera, running.name, running.seats)
    chosen = None
    with suppress(WindowClosedError), no_screen_hint("give --hands instead of --window"):
        chosen = window.run(
            lambda window: set_up_zones(window, running.camera, running.clock, zoning.zones, message=zoning.error or "")
        )
    if chosen is None:
        click.echo("Nothing changed.")
        return
    _print_zones(chosen)
    running.save(chosen)
