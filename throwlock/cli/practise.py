"""``throwlock practise``: one person at a camera throws against the box."""

import click

from device.system.clock import MonotonicClock
from throwlock.cli.options import UsageError, camera_option, seed_option, window_options
from throwlock.practice_runner import run_practice
from throwlock.settings.model import default_settings_path, read_settings
from throwlock.settings.pages import apply_settings
from throwlock.table_setup.cameras import default_camera
from ui.screen.core.display import NoScreenError, WindowClosedError
from ui.screen.core.window import Window


@click.command()
@camera_option
@click.option("--zone", "zones", multiple=True, metavar="X,Y,W,H", help="Zone of the hand in fractions of the frame.")
@window_options()
@seed_option("the simulated table")
def practise(camera: str | None, zones: tuple[str, ...], size: tuple[int, int], fullscreen: bool, seed: int) -> None:
    """Practise against the box, which commits to its throw before the count.

    Before every round the box shows a seal (a SHA-256) of its throw, and after it the sealed text, so anybody can check
    it. Nothing is saved.
    """
    settings = read_settings(default_settings_path())
    apply_settings(settings)
    window = Window(size, fullscreen=fullscreen)
    try:
        score = window.run(
            lambda display: run_practice(display, camera or default_camera(), settings, MonotonicClock(), seed, zones)
        )
    except WindowClosedError:
        return
    except NoScreenError as error:
        raise UsageError(f"{str(error).partition(': play')[0]}: practice needs one") from error
    click.echo(f"Won {score.won}, lost {score.lost}, tied {score.tied}; fouls {score.fouls}.")
