"""Every page of the screen with sample data as PNG images, at both panels' sizes and a larger one:
``python -m tools.gallery DIR``."""

import argparse
import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from rules.catalogue import GAMES
from rules.classroom import CLASS_RULES
from tests.helpers import samples as sample_modules
from tests.helpers.samples.round_clip import samples as clip_samples
from ui.screen.core.png_display import PANEL_SIZES, render_image, save_png
from ui.screen.pages.how_to_play import ThrowSetting, explain_class, explain_game
from ui.screen.views import Reply, View

EXPLANATION_S = 2.4
"""When the scenes of explanations are drawn, in seconds after the page was opened."""
LARGE = (1280, 720)
"""A larger screen than the two panels."""


@cache
def samples() -> Mapping[str, View]:
    """Return the samples of every page, by name."""
    found: dict[str, View] = {}
    for module in pkgutil.iter_modules(sample_modules.__path__, f"{sample_modules.__name__}."):
        if not module.name.endswith((".common", ".round_clip")):
            found |= importlib.import_module(module.name).samples()
    return MappingProxyType(found | explanations())


def explanations() -> dict[str, View]:
    """Return the pages that explain each game to two players, or to three, with hands; and Battle to a class."""
    start = Reply("start")
    games = {
        name: explain_game(rules.set_up(min(3, rules.max_players)), ThrowSetting(), start)
        for name, rules in GAMES.items()
    }
    games["class"] = explain_class(CLASS_RULES.set_up(30), start)
    return {
        f"how-to-play-{name}-{number + 1}": replace(page, number=number, shown_s=EXPLANATION_S)
        for name, page in games.items()
        if page is not None
        for number in range(len(page.pages))
    }


def main(directory: Path) -> None:
    """Write every sample at every size into ``directory``, and clips, which are no pages of a screen, at their own."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, view in samples().items():
        for width, height in (*PANEL_SIZES, LARGE):
            save_png(render_image(view, (width, height)), directory / f"{name}-{width}x{height}.png")
    for name, clip in clip_samples().items():
        save_png(render_image(clip, clip.size), directory / f"{name}.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.gallery", description=str(__doc__).partition(":")[0] + ".")
    parser.add_argument("directory", metavar="DIR", type=Path, help="where the images are written; created if missing")
    main(parser.parse_args().directory)
