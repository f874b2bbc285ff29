"""Clips of rounds to take home from the touchscreen: a QR code, while the network is on."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

from errors import ThrowlockError
from messages import capitalise
from throwlock.nonessential import nonessential
from ui.screen.core.display import Display
from ui.screen.pages import take_home as take_home_page
from ui.screen.pages.common import SWITCH_ON_ANSWER
from ui.screen.pages.notice import Notice
from ui.screen.pages.take_home import TakeHomePage, TakeHomeStatus

logger = logging.getLogger(__name__)


class ClipNetwork(Protocol):
    """What makes clips and puts them on the network: ``throwlock.web``, which a match can't import, or a fake."""

    @property
    def is_on(self) -> bool:
        """Whether phones can reach the box."""

    def switch_on(self) -> ThrowlockError | None:
        """Put the box on the network. Return what went wrong, if anything."""

    def share_clip(self, event: int) -> Callable[[], TakeHomeStatus]:
        """Have the clip of a round made, and return what returns where it is now. Raises ThrowlockError."""

    def hold_clips(self) -> AbstractContextManager[None]:
        """Make no clip while the context lasts."""


class ClipSharing:
    """What shares the clips of a session's rounds; ``network`` is None where nothing does."""

    def __init__(self) -> None:
        self.network: ClipNetwork | None = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Make no clip while the context lasts: a round is counted and judged. Whatever fails in that is logged."""
        held = ExitStack()
        if self.network is not None:
            with nonessential("clips can't be held"):
                held.enter_context(self.network.hold_clips())
        try:
            yield
        finally:
            with nonessential("clips can't be made again"):
                held.close()

    def open(self, display: Display, event: int) -> None:
        """Show where the clip of a round is, until people go on; they may switch the network on. Raises
        PauseRequestedError, WindowClosedError."""
        status: Callable[[], TakeHomeStatus] | None = None
        while self.network is not None:
            if status is None and self.network.is_on:
                status = _share(self.network, event)
            current = status or (lambda: TakeHomeStatus(None))
            if display.ask(TakeHomePage(current, current())) != SWITCH_ON_ANSWER:
                return
            error = self.network.switch_on()
            if error is not None:
                display.ask(Notice(take_home_page.TITLE, capitalise(error.text), ("back",)))


def _share(network: ClipNetwork, event: int) -> Callable[[], TakeHomeStatus]:
    """Return what returns where a clip is, or why there is none, whatever went wrong."""
    share: Callable[[], TakeHomeStatus] | None = None
    failed: TakeHomeStatus | None = None

    def status() -> TakeHomeStatus:
        nonlocal share, failed
        if failed is None:
            try:
                share = share or network.share_clip(event)
                return share()
            except Exception as error:
                logger.warning("a clip can't be shared: %r", error)
                failed = TakeHomeStatus(None, error=error.text if isinstance(error, ThrowlockError) else str(error))
        return failed

    status()  # the clip is made from now on
    return status
