"""What the second screen's pages need of the application."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from ui.web.tv.scene import SceneMessage

TV_LOGIN_PATH, TV_PATH = "/tv", "/watch"
"""Where a second screen logs in, and its pages."""


class TvHost(Protocol):
    """What is shown now. May be called from any thread."""

    @property
    def is_open(self) -> bool:
        """Whether second screens are served."""

    def now_ms(self) -> float:
        """Return the box's monotonic time in ms."""

    def newest(self) -> SceneMessage:
        """Return what is shown now. It has another number only if it differs from the last."""

    def watch(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        """Call ``wake``, in any thread, whenever there may be something new, as long as the context lasts. Raises
        TooManyScreensError."""

    def picture(self, number: int, name: str) -> bytes | None:
        """Return a picture of message ``number`` as JPEG; None if it is not, or no longer, there."""


class TooManyScreensError(Exception):
    """There are as many second screens as can be served."""
