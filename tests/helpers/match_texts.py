"""What a match's page says, in order."""

from collections.abc import Sequence

from rules.record.match import MatchView
from rules.record.round import RoundView
from throwlock.journal.journal import Event
from throwlock.replay.project import project
from ui.web.strings import group_by_round


def course(view: MatchView) -> list[RoundView | str]:
    """Return a match's rounds, each before the sentences of its outcome, and the sentences between rounds."""
    return [entry for line, said in group_by_round(view) for entry in ([line] if line else []) + [*map(str, said)]]


def sentences(events: Sequence[Event]) -> list[str]:
    """Return all sentences about a match that everybody may see."""
    return [entry for entry in course(project(events)) if isinstance(entry, str)]
