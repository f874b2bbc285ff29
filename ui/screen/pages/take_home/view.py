"""The QR code of a round's clip, which a phone in the same network opens. Pure: no surface, no clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from ui.screen.pages.views import UNTIMED_PATIENCE_S, Page


@dataclass(frozen=True)
class TakeHomeStatus:
    """Where a clip is: its ``url`` (None: the network is off; "": there is none), how much of it is made, and what went
    wrong, if anything did."""

    url: str | None
    share: float = 0.0
    error: str = ""


@dataclass(frozen=True)
class TakeHomePage(Page):
    """The QR code of a clip, or how to put the box on the network. ``current`` returns the status now. Answered with
    GO_ON_ANSWER or SWITCH_ON_ANSWER."""

    current: Callable[[], TakeHomeStatus]
    status: TakeHomeStatus

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return UNTIMED_PATIENCE_S

    def at_time(self, seconds: float) -> Self:
        """See View."""
        del seconds
        return replace(self, status=self.current())
