"""``throwlock practise``, and the same from the screen's first page: one person at a camera throws against the box."""

import click

from device.system.clock import SteadyClock
from throwlock.cli.options import UsageError, camera_option
from throwlock.practice_runner import practise_at
from throwlock.settings.model import read, usual_place
from throwlock.table_setup.cameras import usual_camera
from ui.screen.core.display import NoScreenError, WindowClosedError
from ui.screen.core.window import Window


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
    from throwlock.cli.options import read_size  # noqa: PLC0415 - which has the screen's first page, which has this
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
