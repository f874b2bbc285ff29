"""Samples of the attract page: one of each scene."""

from ui.screen.pages.attract import ATTRACT_SCENES, AttractMode
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    return {
        f"attract-{scene.name}": AttractMode(at)
        for scene, at in zip(ATTRACT_SCENES, (1.0, 5.5, 9.0, 14.0, 17.0), strict=True)
    }
