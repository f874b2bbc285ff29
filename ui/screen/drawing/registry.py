"""The painter of every view and page."""

from collections.abc import Callable, Mapping
from typing import Any

import pygame

from ui.screen.core.page_stack import Page, first_page
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages.attract import paint as attract_paint
from ui.screen.pages.attract.view import AttractMode
from ui.screen.pages.board import paint as board_paint
from ui.screen.pages.board.view import BoardPage
from ui.screen.pages.calculator import paint as calculator_paint
from ui.screen.pages.calculator.view import Calculator, CalculatorPage, KeypadPage
from ui.screen.pages.classroom import paint as classroom_paint
from ui.screen.pages.classroom.view import RollCall
from ui.screen.pages.common.view import Question
from ui.screen.pages.countdown import paint as countdown_paint
from ui.screen.pages.countdown.view import Countdown, Judging, Preparing
from ui.screen.pages.dispute import paint as dispute_paint
from ui.screen.pages.dispute.view import AgreePage, DisputedRound, DisputePage, HandPage
from ui.screen.pages.group_question import paint as group_question_paint
from ui.screen.pages.group_question.view import GroupQuestion, GroupQuestionPage
from ui.screen.pages.history import paint as history_paint
from ui.screen.pages.history.view import HistoryList
from ui.screen.pages.home import paint as home_paint
from ui.screen.pages.home.view import GameMenu, GamesPage, SetUpPage
from ui.screen.pages.message import paint as message_paint
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.network import paint as network_paint
from ui.screen.pages.network.view import NetworkSwitch
from ui.screen.pages.notice import paint as notice_paint
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.practice import paint as practice_paint
from ui.screen.pages.practice.view import CommitmentReveal, CommitmentView
from ui.screen.pages.printed_board import paint as printed_board_paint
from ui.screen.pages.printed_board.view import PrintedBoardQuestion
from ui.screen.pages.question import paint as question_paint
from ui.screen.pages.question.view import EntryPage, HandOverPage
from ui.screen.pages.result import paint as result_paint
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.reveal import paint as reveal_paint
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.seating import paint as seating_paint
from ui.screen.pages.seating.view import KeyboardPage, NamePage, PlanPage, SeatingView
from ui.screen.pages.settings import paint as settings_paint
from ui.screen.pages.settings.view import LanguageChoice, SettingsPage, SettingsView
from ui.screen.pages.views import View
from ui.screen.pages.zones import paint as zones_paint
from ui.screen.pages.zones.view import ZoneDetection, ZoneEditor, ZonesPage

VIEWS_WITH_PAGES = (
    GameMenu | Question | GroupQuestion | Calculator | ZoneEditor | DisputedRound | SeatingView | SettingsView
)
"""The views that have pages of their own."""
PAINTERS: Mapping[type, Callable[[Canvas, Any], None]] = {
    GamesPage: home_paint.draw_games,
    SetUpPage: home_paint.draw_set_up,
    HandOverPage: question_paint.draw_hand_over,
    EntryPage: question_paint.draw_entry,
    BoardPage: board_paint.draw_move_question,
    GroupQuestionPage: group_question_paint.draw_group_question,
    PrintedBoardQuestion: printed_board_paint.draw_printed_board,
    CalculatorPage: calculator_paint.draw_calculator,
    KeypadPage: calculator_paint.draw_keypad,
    ZonesPage: zones_paint.draw_zones,
    ZoneDetection: zones_paint.draw_zone_detection,
    DisputePage: history_paint.draw_round,
    HandPage: dispute_paint.draw_hand,
    AgreePage: dispute_paint.draw_agreement,
    PlanPage: seating_paint.draw_plan,
    NamePage: seating_paint.draw_names,
    KeyboardPage: seating_paint.draw_keyboard,
    SettingsPage: settings_paint.draw_settings,
    LanguageChoice: settings_paint.draw_languages,
    HistoryList: history_paint.draw_list,
    NetworkSwitch: network_paint.draw_network_switch,
    CommitmentView: practice_paint.draw_commitment,
    CommitmentReveal: practice_paint.draw_commitment_reveal,
    RollCall: classroom_paint.draw_roll_call,
    Countdown: countdown_paint.draw_countdown_page,
    Judging: countdown_paint.draw_judging,
    Preparing: countdown_paint.draw_preparing,
    Reveal: reveal_paint.draw_reveal,
    GameMessage: message_paint.draw_message,
    MatchResult: result_paint.draw_result,
    AttractMode: attract_paint.draw_attract,
    Notice: notice_paint.draw_notice,
}
"""The painters of views without pages, and of pages."""


def paint(surface: pygame.Surface, view: View | Page) -> list[Target]:
    """Draw ``view`` on all of ``surface``, with its first page if it has pages. Return what can be touched. The same
    view always gives the same pixels; no display is needed."""
    return draw(surface, view).targets


def draw(surface: pygame.Surface, view: View | Page) -> Canvas:
    """As ``paint``, but return the canvas, with all targets and texts."""
    page = page_to_draw(view)
    canvas = draw_still(surface, page)
    for part in canvas.moving_parts:
        part.paint(canvas, page)
    return canvas


def page_to_draw(view: View | Page) -> View | Page:
    """Return what is drawn for ``view``: the first page of a view with pages."""
    page = first_page(view) if isinstance(view, VIEWS_WITH_PAGES) else view
    return page.own_page if isinstance(page, GroupQuestionPage) and page.own_page is not None else page


def draw_still(surface: pygame.Surface, page: View | Page) -> Canvas:
    """Draw ``page`` without its moving parts."""
    canvas = Canvas(surface)
    PAINTERS[type(page)](canvas, page)
    return canvas
