"""The one way from a view to a picture: ``paint`` finds the painter of a view or page and tells what can be
touched."""

from collections.abc import Callable, Mapping
from typing import Any

import pygame

from ui.screen import (
    paint_ask,
    paint_attract,
    paint_board,
    paint_calculator,
    paint_dispute,
    paint_gather,
    paint_past,
    paint_practise,
    paint_reveal,
    paint_room,
    paint_round,
    paint_seating,
    paint_settings,
    paint_story,
    paint_watching,
    paint_zones,
)
from ui.screen.canvas import Canvas, Target
from ui.screen.dialogue import CalculatorPage, GamesPage, KeysPage, Page, SetUpPage, first_page
from ui.screen.disputing import AgreePage, DisputePage, HandPage
from ui.screen.entering import BoardPage, EntryPage, HandOverPage
from ui.screen.gathering import GatherPage
from ui.screen.past import Network, Past
from ui.screen.practise import Opened, Sealed
from ui.screen.room import RollCall
from ui.screen.seating import LettersPage, NamePage, PlanPage, Sitting
from ui.screen.setting import Languages, Settings, SettingsPage
from ui.screen.views import (
    Attract,
    Cadence,
    Calculating,
    Choosing,
    Disputing,
    Ended,
    Gather,
    Judging,
    Notice,
    Question,
    Reveal,
    Told,
    View,
    Waiting,
    Watching,
)
from ui.screen.zones import HoldingOut, ZonesPage, Zoning

PAGED = Choosing | Question | Gather | Calculating | Zoning | Disputing | Sitting | Settings
"""The views that people answer on pages of their own."""
PAINTERS: Mapping[type, Callable[[Canvas, Any], None]] = {
    GamesPage: paint_ask.games,
    SetUpPage: paint_ask.set_up,
    HandOverPage: paint_ask.hand_over,
    EntryPage: paint_ask.entry,
    BoardPage: paint_board.move,
    GatherPage: paint_gather.gather,
    Watching: paint_watching.watching,
    CalculatorPage: paint_calculator.calculator,
    KeysPage: paint_calculator.keys,
    ZonesPage: paint_zones.zones,
    HoldingOut: paint_zones.holding_out,
    DisputePage: paint_past.round_page,
    HandPage: paint_dispute.hand,
    AgreePage: paint_dispute.agree,
    PlanPage: paint_seating.plan,
    NamePage: paint_seating.names,
    LettersPage: paint_seating.letters,
    SettingsPage: paint_settings.settings,
    Languages: paint_settings.languages,
    Past: paint_past.listed,
    Network: paint_past.network,
    Sealed: paint_practise.sealed,
    Opened: paint_practise.opened,
    RollCall: paint_room.roll_call,
    Cadence: paint_round.cadence,
    Judging: paint_round.judging,
    Waiting: paint_round.waiting,
    Reveal: paint_reveal.reveal,
    Told: paint_story.told,
    Ended: paint_story.ended,
    Attract: paint_attract.attract,
    Notice: paint_story.notice,
}
"""The painter of each view that is shown as it is, and of each page of one that people answer."""


def paint(surface: pygame.Surface, view: View | Page) -> list[Target]:
    """Draw ``view`` over all of ``surface``; a view people answer is drawn with its first page. Pure but for the
    surface: the same view gives the same picture. Needs no display."""
    return draw(surface, view).targets


def draw(surface: pygame.Surface, view: View | Page) -> Canvas:
    """As ``paint``, but returns the canvas, which knows every text as well."""
    page = page_of(view)
    canvas = still(surface, page)
    for piece in canvas.pieces:
        piece.paint(canvas, page)
    return canvas


def page_of(view: View | Page) -> View | Page:
    """What of ``view`` is drawn: the first page of one that people answer."""
    page = first_page(view) if isinstance(view, PAGED) else view
    return page.own if isinstance(page, GatherPage) and page.own is not None else page


def still(surface: pygame.Surface, page: View | Page) -> Canvas:
    """Draw what of ``page`` does not move; the canvas' pieces are yet to be drawn."""
    canvas = Canvas(surface)
    PAINTERS[type(page)](canvas, page)
    return canvas
