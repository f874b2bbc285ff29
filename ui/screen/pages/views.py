"""Every view a display can show."""

from ui.screen.pages.attract.view import AttractMode
from ui.screen.pages.calculator.view import Calculator
from ui.screen.pages.classroom.view import RollCall
from ui.screen.pages.common.view import Question
from ui.screen.pages.countdown.view import Countdown, Judging, Preparing
from ui.screen.pages.dispute.view import DisputedRound
from ui.screen.pages.group_question.view import GroupQuestion
from ui.screen.pages.history.view import HistoryList
from ui.screen.pages.home.view import GameMenu
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.network.view import NetworkSwitch
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.practice.view import CommitmentReveal, CommitmentView
from ui.screen.pages.printed_board.view import PrintedBoardQuestion
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.seating.view import SeatingView
from ui.screen.pages.settings.view import LanguageChoice, SettingsView
from ui.screen.pages.zones.view import ZoneDetection, ZoneEditor

View = (
    GameMenu
    | Question
    | GroupQuestion
    | PrintedBoardQuestion
    | Calculator
    | ZoneEditor
    | ZoneDetection
    | Countdown
    | Judging
    | Preparing
    | Reveal
    | GameMessage
    | MatchResult
    | AttractMode
    | Notice
    | DisputedRound
    | HistoryList
    | NetworkSwitch
    | SeatingView
    | SettingsView
    | LanguageChoice
    | CommitmentView
    | CommitmentReveal
    | RollCall
)
