"""An error or an event that people must know about."""

import math
from dataclasses import dataclass, replace
from typing import Self

from ui.screen.pages.views import UNTIMED_PATIENCE_S, Page


@dataclass(frozen=True)
class Notice(Page):
    """An error or an event that people must know about: what happened and how to fix it. Answered with one of
    ``choices``, or with None when its ``seconds_left``, if it has a limit, ran out. A notice ``in_match`` has the pause
    button."""

    title: str
    text: str
    choices: tuple[str, ...] = ("go on",)
    seconds_left: float | None = None
    is_idle: bool = False
    in_match: bool = False

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return UNTIMED_PATIENCE_S if self.in_match and self.seconds_left is None else None

    def with_seconds_left(self, seconds: float) -> Self:
        """See Page: in whole seconds."""
        return replace(self, seconds_left=math.ceil(seconds))
