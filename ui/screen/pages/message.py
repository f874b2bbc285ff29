"""A game's message."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine import GameEvent, Seat
from rules.throws import Outcome
from ui.screen.pages.common import Player
from ui.screen.pages.guests import Guesser
from ui.screen.pages.scoreboard import Facts
from ui.screen.views import ListPage, TimedView


@dataclass(frozen=True)
class GameMessage(TimedView, ListPage):
    """A game's event, with the scores after it, or with the board where its facts have a "position". While its time
    runs, people may dispute the last rounds, as at a Reveal, or take back the last answers: answered with
    DISPUTE_ANSWER, UNDO_ANSWER or GO_ON_ANSWER, or nothing once the time has run out. A class's standing is a list of
    pages."""

    players: tuple[Player, ...]
    event: GameEvent
    sentences: tuple[str, ...]
    """Oldest first."""
    facts: Facts = ()
    """Those of the table."""
    already_revealed: bool = False
    """Whether people know the event already: there are no sentences, and the scoreboard has the whole page."""
    can_dispute: bool = True
    """Whether people may dispute the last rounds."""
    can_undo: bool = False
    """Whether people may take back the last answers."""
    outcomes: Mapping[Seat, Outcome] = field(default_factory=dict)
    """What became of the throws that it is about; the sentences say so."""
    guessers: tuple[Guesser, ...] = ()
    """The best guessers of the audience, on a second screen."""
