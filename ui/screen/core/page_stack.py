"""The pages of a view that people answer, and the presses that lead from one page to the next. Pure: no surface, no
clock."""

from dataclasses import dataclass, field, replace

from ui.screen.pages.answers import Reply
from ui.screen.pages.attract.view import AttractMode
from ui.screen.pages.board.view import BoardPage, BoardPress
from ui.screen.pages.calculator.view import (
    Calculator,
    CalculatorPage,
    CalculatorPress,
    KeypadPage,
    calculator_page,
    next_calculator,
)
from ui.screen.pages.classroom.view import RollCall
from ui.screen.pages.common.view import Question, ShowListPage
from ui.screen.pages.dispute import view as dispute_view
from ui.screen.pages.dispute.view import AgreePage, DisputedRound, DisputePage, DisputePages, DisputePress, HandPage
from ui.screen.pages.group_question.view import (
    GroupQuestion,
    GroupQuestionPage,
    OpenSeatPage,
    next_group_page,
    open_group_question,
)
from ui.screen.pages.history.view import HistoryList
from ui.screen.pages.home.view import GameMenu, GamesPage, HomePress, SetUpPage, next_home, set_up_page
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.network.view import NetworkSwitch
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.practice.view import CommitmentReveal, CommitmentView
from ui.screen.pages.printed_board.view import PrintedBoardQuestion
from ui.screen.pages.question.view import EntryPage, EntryPress, HandOverPage, new_draft, next_entry
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.seating import view as seating_view
from ui.screen.pages.seating.view import (
    KeyboardPage,
    NamePage,
    PlanPage,
    SeatingPage,
    SeatingView,
    SeatPress,
    next_seating,
)
from ui.screen.pages.settings.view import AdjustSetting, LanguageChoice, SettingsPage, SettingsView, next_setting
from ui.screen.pages.zones.view import ZoneEditor, ZonePress, ZonesPage, next_zones, zones_page

InteractiveView = (
    GameMenu
    | Question
    | GroupQuestion
    | PrintedBoardQuestion
    | Calculator
    | ZoneEditor
    | Reveal
    | GameMessage
    | DisputedRound
    | MatchResult
    | AttractMode
    | Notice
    | HistoryList
    | NetworkSwitch
    | SeatingView
    | SettingsView
    | LanguageChoice
    | CommitmentView
    | CommitmentReveal
    | RollCall
)
"""A view that people answer."""


Press = (
    Reply
    | HomePress
    | EntryPress
    | BoardPress
    | ShowListPage
    | OpenSeatPage
    | CalculatorPress
    | ZonePress
    | SeatPress
    | AdjustSetting
    | DisputePress
)


Page = (
    GamesPage
    | ZonesPage
    | SetUpPage
    | HandOverPage
    | EntryPage
    | BoardPage
    | GroupQuestionPage
    | PrintedBoardQuestion
    | CalculatorPage
    | KeypadPage
    | DisputePages
    | Reveal
    | GameMessage
    | MatchResult
    | AttractMode
    | Notice
    | HistoryList
    | NetworkSwitch
    | SeatingPage
    | SettingsPage
    | LanguageChoice
    | CommitmentView
    | CommitmentReveal
    | RollCall
)


def first_page(view: InteractiveView) -> Page:
    """Return the page ``view`` opens with."""
    page: Page
    match view:
        case GameMenu(games=(only,), tools=()):
            page = set_up_page(view, only)
        case GameMenu():
            page = GamesPage(view)
        case Question():
            page = HandOverPage(view) if view.prompt.sealed or view.prompt.secret else new_draft(view)
        case GroupQuestion():
            page = open_group_question(view)
        case Calculator():
            page = calculator_page(view)
        case DisputedRound():
            page = dispute_view.dispute_page(view)
        case ZoneEditor():
            page = zones_page(view)
        case SeatingView():
            page = seating_view.plan_page(view)
        case SettingsView():
            page = SettingsPage(view)
        case _:
            page = view
    return page


def next_page(page: Page, press: Press) -> Page | Reply:
    """Return the page ``press`` leads to, or the reply that it is. A press without a meaning on ``page`` changes
    nothing."""
    after: Page = page
    match page:
        case GroupQuestionPage():
            return next_group_page(page, press)
        case _ if isinstance(press, Reply):
            return press
        case GamesPage() | SetUpPage():
            after = next_home(page, press)
        case HandOverPage() | EntryPage() | BoardPage():
            return next_entry(page, press)
        case CalculatorPage() | KeypadPage():
            after = next_calculator(page, press)
        case ZonesPage():
            after = next_zones(page, press)
        case NamePage() | SettingsPage() if isinstance(press, ShowListPage):
            after = replace(page, list_page=press.list_page)
        case PlanPage() | NamePage() | KeyboardPage():
            after = next_seating(page, press)
        case SettingsPage():
            after = next_setting(page, press)
        case DisputePage() | HandPage() | AgreePage():
            after = dispute_view.next_dispute(page, press)
    return after


@dataclass
class Dialogue:
    """A view that waits for an answer, and its current page."""

    view: InteractiveView
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.page = first_page(self.view)

    def press(self, press: Press) -> Reply | None:
        """Take a press. Return the reply if it was one."""
        return self.go_to(next_page(self.page, press))

    def go_to(self, page: Page | Reply) -> Reply | None:
        """Go to a page, or return the reply if it is one."""
        if isinstance(page, Reply):
            return page
        self.page = page
        return None

    def set_seconds_left(self, seconds: float) -> None:
        """Set the time left to answer a question."""
        if isinstance(self.page, GroupQuestionPage):
            self.page = self.page.with_seconds_left(seconds)
        elif isinstance(self.page, HandOverPage | EntryPage | BoardPage):
            self.page = replace(self.page, view=replace(self.page.view, seconds_left=seconds))

    def poll_camera(self) -> Reply | None:
        """Update the page with the camera's answers. Return the reply once they complete it."""
        if isinstance(self.page, PrintedBoardQuestion) and self.page.poll_camera is not None:
            seen = self.page.poll_camera()
            return self.go_to(Reply(seen.move) if seen.move is not None else replace(self.page, observation=seen))
        if not isinstance(self.page, GroupQuestionPage) or self.page.view.poll_camera is None:
            return None
        return self.go_to(self.page.with_camera_answers(self.page.view.poll_camera()))

    def timeout_reply(self) -> Reply:
        """Return the reply for when time has run out."""
        return self.page.timeout_reply() if isinstance(self.page, GroupQuestionPage) else Reply(None)

    @property
    def page_key(self) -> object:
        """Identifies the page to people: right after it changes, a touch may be meant for the page before."""
        return self.page.page_key if isinstance(self.page, GroupQuestionPage) else type(self.page)
