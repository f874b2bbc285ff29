"""Samples of setting a tournament up."""

from dataclasses import replace

from rules.tournaments.fixture import Format
from tests.helpers.samples.common import NAMES
from tests.helpers.samples.tournament import players
from ui.screen.pages.new_tournament import (
    Draft,
    EntrantKeyboardPage,
    EntrantsPage,
    NewTournament,
    SeedsPage,
    TitleKeyboardPage,
)
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    view = NewTournament("RPS Redeux", known_names=players(30), can_rank=True)
    draft = Draft(Format.KNOCKOUT, NAMES[:5], "RPS Redeux, 23 November")
    entrants = EntrantsPage(view, draft)
    groups = SeedsPage(view, replace(draft, format=Format.GROUPS, names=players(24)))
    tables = NewTournament("RPS Redeux", table_size=4, min_players=3)
    return {
        "new-tournament-formats": view,
        "new-tournament-players": entrants,
        "new-tournament-here": EntrantsPage(replace(view, here=NAMES[:3]), draft),
        "new-tournament-nobody-known": tables,
        "new-tournament-name": EntrantKeyboardPage(entrants).with_text("Zoë"),
        "new-tournament-seeds": SeedsPage(view, draft),
        "new-tournament-groups": groups,
        "new-tournament-moving": groups.select(3),
        "new-tournament-swiss": SeedsPage(replace(view, can_rank=False), replace(draft, format=Format.SWISS)),
        "new-tournament-title": TitleKeyboardPage(groups, text=draft.title),
    }
