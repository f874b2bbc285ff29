"""The question whether anybody is there. Pure: no surface, no clock."""

from dataclasses import dataclass

from messages import N
from ui.screen.drawing.forms import Form, lays_out
from ui.screen.drawing.nodes import TOUCH, Button, Icon, Text
from ui.screen.drawing.theme import MUTED
from ui.screen.pages.notice import Notice
from ui.screen.views import Reply

HERE_ANSWER, LEAVE_ANSWER = "go on", "stop"


@dataclass(frozen=True)
class Presence(Notice):
    """Asks whether anybody is there; the match is paused meanwhile. Answered with HERE_ANSWER or LEAVE_ANSWER, or with
    None when its time ran out."""

    title: str = N("Is anybody there?")
    text: str = ""
    """Why it asks."""
    choices: tuple[str, ...] = (HERE_ANSWER, LEAVE_ANSWER)


@lays_out(Presence, undrawn=("seconds_left",))
def lay_out_presence(view: Presence) -> Form:
    """Return the question, why it is asked, and its two answers. The time until it is given up is not shown."""
    paused = N("The match is paused. Nothing is played for you.")
    return Form(
        "",
        Icon("doubt", side=20, share=3),
        Text(view.title, 12, lines=2, role="shared", share=5),
        Text(view.text, "title", MUTED, lines=4, role="shared", share=8),
        Text(paused, "title", lines=4, role="shared", share=8),
        foot=(
            Button(N("Home: resume later"), Reply(LEAVE_ANSWER), leads_back=True, share=2),
            Button(N("We are here"), Reply(HERE_ANSWER), main=True, share=3),
        ),
        foot_length=1.6 * TOUCH,
    )
