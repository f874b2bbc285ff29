"""Something the game said."""

from dataclasses import dataclass

from rules.engine import GameEvent
from ui.screen.pages.common.view import Player, TimedView
from ui.screen.pages.scoreboard.view import Facts


@dataclass(frozen=True)
class GameMessage(TimedView):
    """Something the game said, with the scores after it, or with the board where its facts have a "position".
    ``lines`` are the sentences for people, newest last; ``facts`` what is so of the table. With ``seconds_left`` people
    may dispute the last rounds, as at a Reveal. Where all of it is ``known`` from the reveal before, there are no lines
    and the standing has the page."""

    players: tuple[Player, ...]
    event: GameEvent
    sentences: tuple[str, ...]
    facts: Facts = ()
    already_revealed: bool = False
