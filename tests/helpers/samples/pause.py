"""Samples of the pause."""

from dataclasses import replace
from functools import partial

from ui.screen.pages import pause as pause_page
from ui.screen.pages.how_to_play import WITH_HANDS, explain_practice
from ui.screen.pages.pause import PausePage
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    match = "RPS Redeux · Ann, Bartholomew"
    page = PausePage(match, pause_page.HANDED_OVER_AGAIN, explain=partial(explain_practice, WITH_HANDS))
    page = replace(page, volume=80, has_languages=True)
    return {
        "pause": replace(page, note=pause_page.THROW_CANCELLED),
        "pause-undo": replace(page, can_undo=True),
        "pause-endless": replace(page, can_undo=True, can_change=True, can_end_game=True),
        "pause-endless-phones": replace(
            page,
            match="RPS Redeux · Maximilian, Bartholomew, Friederike, Dolores",
            can_undo=True,
            can_change=True,
            can_end_game=True,
            can_join=True,
        ),
        "pause-phones": replace(page, can_undo=True, can_join=True),
        "pause-leave": replace(page, confirms="leave"),
        "pause-leave-tournament": replace(page, confirms="leave", in_tournament=True),
        "pause-restart": replace(page, confirms="restart"),
        "pause-muted": replace(page, volume=0),
        "pause-practice": replace(page, volume=None, match="", note=pause_page.THROW_CANCELLED),
    }
