"""A game's message."""

from dataclasses import dataclass

from rules.engine import GameEvent
from ui.screen.pages.common.view import Player, TimedView
from ui.screen.pages.scoreboard.view import Facts
from ui.screen.pages.views import ListPage


@dataclass(frozen=True)
class GameMessage(TimedView, ListPage):
    """A game's event, with the scores after it, or with the board where its facts have a "position". ``sentences`` are
    oldest first; ``facts`` are those of the table. If ``already_revealed`` there are no sentences and the scoreboard
    has the whole page. With ``seconds_left`` people who ``can_dispute`` may dispute the last rounds, as at a Reveal,
    and those who ``can_undo`` may take back the last answers: answered with DISPUTE_ANSWER, UNDO_ANSWER or
    GO_ON_ANSWER, or nothing once the time has run out. A class's standing is a list of pages."""

    players: tuple[Player, ...]
    event: GameEvent
    sentences: tuple[str, ...]
    facts: Facts = ()
    already_revealed: bool = False
    can_dispute: bool = True
    can_undo: bool = False
