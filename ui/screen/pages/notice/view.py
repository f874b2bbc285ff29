"""An error or an event that people must know about."""

from dataclasses import dataclass

from ui.screen.pages.views import Page


@dataclass(frozen=True)
class Notice(Page):
    """An error or an event that people must know about: what happened and how to fix it. Answered with one of
    ``choices``."""

    title: str
    text: str
    choices: tuple[str, ...] = ("go on",)
