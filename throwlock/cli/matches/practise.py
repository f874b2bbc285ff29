"""``throwlock practise``: one person at a camera throws against the box."""

from contextlib import suppress

import click

from device.system.clock import MonotonicClock
from throwlock.cli.options import UsageError, live_camera_option, seed_option, window_options, zone_option
from throwlock.cli.window import no_screen_hint
from throwlock.launch_options import LaunchOptions
from throwlock.practice_runner import run_practice
from throwlock.settings.model import read_settings
from throwlock.settings.pages import apply_settings
from ui.screen.core.display import WindowClosedError
from ui.screen.core.window import Window


@click.command()
@live_camera_option
@zone_option("Zone of the hand in fractions of the frame.")
@window_options()
@seed_option("the simulated table")
def practise(camera: str | None, zones: tuple[str, ...], size: tuple[int, int], fullscreen: bool, seed: int) -> None:
    """Practise against the box, which commits to its throw before the count.

    Before every round the box seals its throw: it shows the SHA-256 hash as a QR code. After the round it shows the
    sealed text, so that anybody can check it. Nothing is saved.
    """
    settings = read_settings()
    apply_settings(settings)
    options = LaunchOptions.from_command(None, camera, zones=zones, settings=settings)
    if options.camera == "none":
        raise UsageError("practice needs a camera that sees your hand: name one with --camera")
    window = Window(size, fullscreen=fullscreen)
    with suppress(WindowClosedError), no_screen_hint("practice needs one"):
        score = window.run(lambda display: run_practice(options, display, MonotonicClock(), seed))
        click.echo(f"Won {score.won}, lost {score.lost}, tied {score.tied}; fouls {score.fouls}.")
