"""Samples of the question whether anybody is there."""

from ui.screen.pages.presence import Presence
from ui.screen.views import View
from ui.text.presence import NO_ANSWER, NO_HAND


def samples() -> dict[str, View]:
    """Return the samples by name."""
    return {"presence": Presence(text=NO_ANSWER), "presence-hands": Presence(text=NO_HAND)}
