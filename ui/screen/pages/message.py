"""A game's message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.engine import GameEvent, GameText, Json
from rules.text import SHARED_TEXT
from ui.i18n.language import t
from ui.screen.pages.common import Player
from ui.screen.pages.scoreboard import Facts
from ui.screen.views import ListPage, TimedView
from ui.text.game_words import code_word, event_heading, format_fact, seat_label


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


def fact_lines(event: GameEvent) -> tuple[str, ...]:
    """Return the sentences for an event that comes without any: its facts, one a line."""
    lines = [
        f"{code_word(name, event.text)}: {_fact_text(fact, event.text)}"
        for name, fact in event.facts.items()
        if name not in ("scores", "position")
    ]
    return tuple(lines) or (event_heading(event),)


def _fact_text(fact: Json, text: GameText) -> str:
    if fact is None or isinstance(fact, bool):
        return t(SHARED_TEXT.words[{None: "none", True: "yes", False: "no"}[fact]])
    if isinstance(fact, Mapping):
        return ", ".join(
            f"{seat_label(int(name)) if name.isdecimal() else code_word(name, text)} {_fact_text(part, text)}"
            for name, part in fact.items()
        )
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return ", ".join(_fact_text(part, text) for part in fact) or t(SHARED_TEXT.words["none"])
    return format_fact(fact)
