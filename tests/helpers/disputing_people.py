"""People who dispute rounds at the table."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.catalogue import find_game
from rules.throws import BEATEN_BY, Throw
from tests.helpers.journal_events import json_body
from tests.helpers.table_matches import WatchingDisplay, match_config
from ui.screen.pages.common import DISPUTE_ANSWER
from ui.screen.pages.dispute import AgreedCorrection, DisputedRound
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.reveal import Reveal
from ui.text import verdicts

CORRECTION, DISPUTE_REJECTED = "corrected", "dispute_rejected"
Touch = Callable[[Any], Any]
CLASSIC = match_config(find_game("classic").set_up(2, {"best_of": 5}))


class People(WatchingDisplay):
    """A display that does as ``touch`` says, and lets everything else pass."""

    def __init__(self, path: Path, touch: Touch) -> None:
        super().__init__(path)
        self.touch = touch

    def ask(self, view: Any) -> Any:
        if isinstance(view, Reveal | GameMessage):
            self.show(view)
        else:
            self.shown.append(view)
            last = self.on_disk()[-1]
            if isinstance(view, Notice) and view.title == "Corrected":
                sentence = verdicts.fill_names(json_body(last)["text"], dict(enumerate(CLASSIC.names, 1)))
                assert (last.kind, sentence) == (CORRECTION, view.text), "kept before it is shown"
        return self.touch(view)

    def views(self, kind: type) -> list[Any]:
        return [view for view in self.shown if isinstance(view, kind)]


@dataclass
class AnswerOnce:
    """Somebody who disputes at the reveal of number ``at`` (from 0), and then answers with ``replies`` in turn."""

    at: int
    replies: list[Any]
    revealed: int = field(default=-1)

    def __call__(self, view: Any) -> Any:
        if isinstance(view, Reveal):
            self.revealed += 1
            return DISPUTE_ANSWER if self.revealed == self.at and self.replies else None
        if isinstance(view, DisputedRound):
            reply = self.replies.pop(0)
            return reply(view) if callable(reply) else reply
        return None


def make_the_other_win(view: DisputedRound) -> AgreedCorrection:
    """Reads the first seat's throw so that who lost the round wins it."""
    one, other = (Throw(str(seat.reading)) for seat in view.seats)
    beaten = {throw: lesser for lesser, throw in BEATEN_BY.items()}
    return AgreedCorrection(1, str(beaten[other] if one.beats(other) else BEATEN_BY[other]))
