"""The one way from a view to a picture: ``paint`` finds the painter of a view or page and tells what can be
touched."""

from collections.abc import Callable, Mapping
from typing import Any

import pygame

from ui.screen.core.page_stack import CalculatorPage, GamesPage, KeysPage, Page, SetUpPage, first_page
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages.ask import group_paint
from ui.screen.pages.ask import paint as ask_paint
from ui.screen.pages.ask.group_view import GatherPage
from ui.screen.pages.ask.view import BoardPage, EntryPage, HandOverPage
from ui.screen.pages.board import paint as board_paint
from ui.screen.pages.board import printed_paint
from ui.screen.pages.calculator import paint as calculator_paint
from ui.screen.pages.classroom import paint as classroom_paint
from ui.screen.pages.classroom.view import RollCall
from ui.screen.pages.count import paint as count_paint
from ui.screen.pages.dispute import paint as dispute_paint
from ui.screen.pages.dispute.view import AgreePage, DisputePage, HandPage
from ui.screen.pages.history import paint as history_paint
from ui.screen.pages.history.view import Network, Past
from ui.screen.pages.home import paint as home_paint
from ui.screen.pages.practice import paint as practice_paint
from ui.screen.pages.practice.view import Opened, Sealed
from ui.screen.pages.reveal import events_paint
from ui.screen.pages.reveal import paint as reveal_paint
from ui.screen.pages.seating import paint as seating_paint
from ui.screen.pages.seating.view import LettersPage, NamePage, PlanPage, Sitting
from ui.screen.pages.settings import paint as settings_paint
from ui.screen.pages.settings.view import Languages, Settings, SettingsPage
from ui.screen.pages.views import (
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
from ui.screen.pages.zones import paint as zones_paint
from ui.screen.pages.zones.view import HoldingOut, ZonesPage, Zoning

PAGED = Choosing | Question | Gather | Calculating | Zoning | Disputing | Sitting | Settings
"""The views that people answer on pages of their own."""
PAINTERS: Mapping[type, Callable[[Canvas, Any], None]] = {
    GamesPage: ask_paint.games,
    SetUpPage: ask_paint.set_up,
    HandOverPage: ask_paint.hand_over,
    EntryPage: ask_paint.entry,
    BoardPage: board_paint.move,
    GatherPage: group_paint.gather,
    Watching: printed_paint.watching,
    CalculatorPage: calculator_paint.calculator,
    KeysPage: calculator_paint.keys,
    ZonesPage: zones_paint.zones,
    HoldingOut: zones_paint.holding_out,
    DisputePage: history_paint.round_page,
    HandPage: dispute_paint.hand,
    AgreePage: dispute_paint.agree,
    PlanPage: seating_paint.plan,
    NamePage: seating_paint.names,
    LettersPage: seating_paint.letters,
    SettingsPage: settings_paint.settings,
    Languages: settings_paint.languages,
    Past: history_paint.listed,
    Network: history_paint.network,
    Sealed: practice_paint.sealed,
    Opened: practice_paint.opened,
    RollCall: classroom_paint.roll_call,
    Cadence: count_paint.cadence,
    Judging: count_paint.judging,
    Waiting: count_paint.waiting,
    Reveal: reveal_paint.reveal,
    Told: events_paint.told,
    Ended: events_paint.ended,
    Attract: home_paint.attract,
    Notice: events_paint.notice,
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
