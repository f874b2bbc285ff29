"""A real window on an X server: Xvfb shows it, xdotool clicks through a bet, and the frame buffer must equal what the
painters draw. Skipped where Xvfb or xdotool is missing."""

import subprocess
import sys
from dataclasses import replace

from tests.helpers.samples.question import bet_question
from tests.helpers.waiting import LIMIT_S
from tests.helpers.x_server import XServer, server
from ui.screen.pages.question import EntryPage, Question, new_draft
from ui.screen.views import Reply

__all__ = ["server"]  # the fixture
BET_PROGRAM = """
from dataclasses import replace
from device.system.clock import MonotonicClock
from ui.screen.core.window import Window
from tests.helpers.samples.question import bet_question


class FastClock(MonotonicClock):
    def now_ns(self):  # a thousand times faster, so that no click comes too soon after a new page
        return super().now_ns() * 1000


question = replace(bet_question(2), seconds_left=None)
print(Window((800, 480), clock=FastClock()).run(lambda display: display.ask(question)))
"""


def test_a_bet_is_entered_by_clicks_in_a_real_window(server: XServer) -> None:
    question = bet_question(2)
    question = Question(question.players, question.prompt, question.seat)
    zero = new_draft(question)
    assert isinstance(zero, EntryPage)
    most, less = replace(zero, value=95), replace(zero, value=90)
    command = [sys.executable, "-c", BET_PROGRAM]
    window = subprocess.Popen(command, env=server.environment, stdout=subprocess.PIPE, text=True)
    try:
        server.wait_for(question)
        server.click(question, new_draft(question))
        server.wait_for(zero)
        server.click(zero, most)
        server.wait_for(most)
        server.click(most, less)
        server.wait_for(less)
        server.click(less, Reply(90))
        printed, _ = window.communicate(timeout=LIMIT_S)
    finally:
        window.kill()
        window.wait(LIMIT_S)
    assert window.returncode == 0
    assert printed.splitlines()[-1] == "90"
