"""Asks whether anybody is there when nobody answers or throws. The match is paused meanwhile; if nobody says so, it is
left and can be resumed."""

import logging
from dataclasses import replace

from errors import ThrowlockError
from messages import N
from rules.engine import Seat, Value
from ui.screen.core.display import Display
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.presence import HERE_ANSWER, Presence
from ui.screen.views import UNTIMED_PATIENCE_S, Answer, InteractiveView, NobodyAnswered, answers_by_seat
from ui.text.presence import NO_ANSWER

logger = logging.getLogger(__name__)

PATIENCE_S = 60.0
"""Seconds without a touch until the box asks whether anybody is there, at a question with a time limit."""
LEAVE_AFTER_S = 1800.0
"""Seconds after which a match is left if nobody is there."""


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
    return {seat: answers.get(seat) for seat in view.prompt.seats if seat in answers or not view.prompt.optional}
