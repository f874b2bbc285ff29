"""Samples of the question whether anybody is there."""

from ui.screen.pages.notice import NO_ANSWER, NO_HAND, Presence
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    return {"presence": Presence(text=NO_ANSWER), "presence-hands": Presence(text=NO_HAND)}
