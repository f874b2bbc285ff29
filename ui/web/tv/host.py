"""What the second screen's pages need of the application."""

from typing import Protocol

from ui.web.events import LiveSource
from ui.web.tv.scene import SceneMessage

TV_LOGIN_PATH, TV_PATH = "/tv", "/watch"
"""Where a second screen logs in, and its pages."""


class TvHost(LiveSource[SceneMessage], Protocol):
    """What is shown now. May be called from any thread."""

    def now_ms(self) -> float:
        """Return the box's monotonic time in ms."""

    def picture(self, number: int, name: str) -> bytes | None:
        """Return a picture of message ``number`` as JPEG; None if it is not, or no longer, there."""
