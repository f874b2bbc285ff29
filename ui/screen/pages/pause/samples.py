"""Samples of the pause."""

from dataclasses import replace

from ui.screen.pages.pause import strings
from ui.screen.pages.pause.view import PausePage
from ui.screen.pages.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    page = PausePage("Match 12 · RPS Redeux · Ann, Bartholomew", strings.HANDED_OVER_AGAIN)
    return {
        "pause": replace(page, note=strings.THROW_CANCELLED),
        "pause-undo": replace(page, can_undo=True),
        "pause-phones": replace(page, can_undo=True, can_join=True),
        "pause-leave": replace(page, confirms="leave"),
        "pause-restart": replace(page, confirms="restart"),
        "pause-practice": PausePage(note=strings.THROW_CANCELLED),
    }
