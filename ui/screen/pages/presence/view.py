"""The question whether anybody is there. Pure: no surface, no clock."""

from dataclasses import dataclass

from messages import N
from ui.screen.pages.notice.view import Notice

HERE_ANSWER, LEAVE_ANSWER = "go on", "stop"


@dataclass(frozen=True)
class Presence(Notice):
    """Asks whether anybody is there; the match is paused meanwhile. ``text`` says why it asks. Answered with
    HERE_ANSWER or LEAVE_ANSWER, or with None when its ``seconds_left`` ran out."""

    title: str = N("Is anybody there?")
    text: str = ""
    choices: tuple[str, ...] = (HERE_ANSWER, LEAVE_ANSWER)
