"""Asks whether anybody is there when nobody answers or throws. The match is paused meanwhile; if nobody says so, it is
left and can be resumed."""

import logging
from dataclasses import replace

from errors import ThrowlockError
from messages import N, ngettext_lazy
from rules.engine import Seat, Value
from rules.record.judgement import Verdict
from throwlock.tables.source import ThrownRound
from ui.screen.core.display import Display
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.notice import HERE_ANSWER, NO_ANSWER, NO_HAND, Presence
from ui.screen.views import UNTIMED_PATIENCE_S, Answer, InteractiveView, NobodyAnswered, answers_by_seat

logger = logging.getLogger(__name__)

PATIENCE_S = 60.0
"""Seconds without a touch until the box asks whether anybody is there, at a question with a time limit."""
LEAVE_AFTER_S = 1800.0
"""Seconds after which a match is left if nobody is there."""

MAX_UNSEEN_ROUNDS = 5
"""After this many rounds in a row with a missing hand or a failed camera, the box asks whether people are there."""
MAX_UNREAD_ROUNDS = 3
"""After this many rounds in a row with a hand or card that can't be read, people agree on what it shows."""
MAX_EMPTY_ROUNDS = 2
"""After this many rounds in a row without any hand it asks so as well."""


class NobodyThereError(ThrowlockError):
    """Nobody is there, or people chose to stop. The journal has everything so far; the match can be resumed."""


def ask_if_anybody_there(display: Display, reason: str) -> None:
    """Ask on the screen whether anybody is there, and return once somebody says so. Raises NobodyThereError."""
    logger.info("asking whether anybody is there")
    if display.ask(Presence(text=reason, seconds_left=LEAVE_AFTER_S)) != HERE_ANSWER:
        raise NobodyThereError(N("stopped: nobody is there; start again with the same journal to resume"))


def ask_page(display: Display, view: InteractiveView) -> Answer:
    """Ask people of a match, and return their answer. While nobody touches anything, ask whether anybody is there, and
    then go on with the same page. Raises NobodyThereError."""
    while True:
        match display.ask(view):
            case NobodyAnswered(page=view):
                ask_if_anybody_there(display, NO_ANSWER)
            case answer:
                return answer


def ask_group(display: Display, view: GroupQuestion) -> dict[Seat, Value]:
    """Ask all seats of a question, and return their answers in its order; None for a seat whose time ran out, and
    nothing for one that left an optional question. While nobody touches anything, no answer is made up.

    Raises:
        NobodyThereError: Nobody is there.
    """
    patience_s = UNTIMED_PATIENCE_S if view.seconds is None else PATIENCE_S
    view = replace(view, patience_s=patience_s)
    while True:
        match display.ask(view):
            case NobodyAnswered(page=GroupQuestionPage(answers=locked)):
                ask_if_anybody_there(display, NO_ANSWER)
                view = replace(view, locked=locked, hint=None)
            case answer:
                answers = answers_by_seat(answer)
                break
    return {seat: answers.get(seat) for seat in view.prompt.seats if seat in answers or not view.prompt.is_optional}


class MissedRounds:
    """Counts the rounds in a row in which hands were missing, or the camera failed."""

    def __init__(self) -> None:
        self._unseen = self._empty = self._unread = 0

    def reset(self) -> None:
        """Count from the beginning: a round counts."""
        self._unseen = self._empty = self._unread = 0

    def is_never_read(self, thrown: ThrownRound) -> bool:
        """Count a void round, and return whether in as many as ``MAX_UNREAD_ROUNDS`` in a row somebody's hand was there
        and not read: then people enter the throw. Counting begins anew after that."""
        unread = any(seat.verdict is Verdict.UNREAD for seat in thrown.record.seats.values())
        self._unread = (self._unread + 1) % MAX_UNREAD_ROUNDS if unread else 0
        return unread and not self._unread

    def ask(self, display: Display, thrown: ThrownRound) -> None:
        """Count a void round, and ask people whether to continue after too many. Raises NobodyThereError."""
        if thrown.staged:
            return
        unseen = any(seat.verdict == Verdict.UNSEEN for seat in thrown.record.seats.values())
        self._unseen = self._unseen + 1 if unseen or thrown.record.void_reason is not None else 0
        self._empty = self._empty + 1 if thrown.is_empty else 0
        if self._unseen < MAX_UNSEEN_ROUNDS and self._empty < MAX_EMPTY_ROUNDS:
            return
        text = ngettext_lazy(
            "A hand was not seen for {count} round. Is every hand in its zone, and the camera’s view clear?",
            "A hand was not seen for {count} rounds in a row. Is every hand in its zone, and the camera’s view clear?",
            MAX_UNSEEN_ROUNDS,
        )
        ask_if_anybody_there(display, NO_HAND if self._empty >= MAX_EMPTY_ROUNDS else text)
        self.reset()
