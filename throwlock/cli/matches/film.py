"""``throwlock film``: films agreed throws, has them labelled, and compares what the box reads."""

from contextlib import suppress
from pathlib import Path

import click

from device.system.clock import MonotonicClock
from throwlock.cli.options import UsageError, live_camera_option, seed_option, window_options, zone_option
from throwlock.cli.window import no_screen_hint
from throwlock.film_runner import FOLDER_NAME, run_filming
from throwlock.journal.file import default_journal_path
from throwlock.launch_options import LaunchOptions
from throwlock.settings.model import read_settings
from throwlock.settings.pages import apply_settings
from throwlock.table_setup.cameras import NO_CAMERA
from ui.screen.core.display import WindowClosedError
from ui.screen.core.window import Window


@click.command()
@live_camera_option
@zone_option("Zone of a seat in fractions of the frame. Repeat it for each seat.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help=f"Where the clips are kept.  [default: {FOLDER_NAME} next to the journal]",
)
@window_options()
@seed_option("the simulated table")
def film(
    camera: str | None, zones: tuple[str, ...], folder: Path | None, size: tuple[int, int], fullscreen: bool, seed: int
) -> None:
    """Film agreed throws with the players' consent, mark when each hand showed, and see how right the box is.

    About ten minutes for two players, all by touch. The clips, marks and a report are kept in a folder that can be
    given to the project. Nothing is sent. Run it again to go on.
    """
    settings = read_settings()
    apply_settings(settings)
    options = LaunchOptions.from_command(None, camera, zones=zones, settings=settings)
    if options.camera == NO_CAMERA:
        raise UsageError("filming needs a camera that sees your hands: name one with --camera")
    root = (folder or default_journal_path().parent / FOLDER_NAME).absolute()
    window = Window(size, fullscreen=fullscreen)
    with suppress(WindowClosedError), no_screen_hint("filming needs one"):
        window.run(lambda display: run_filming(options, display, MonotonicClock(), root, seed))
    click.echo(f"Filmed throws are in {root}." if root.is_dir() else "Nothing was filmed.")
