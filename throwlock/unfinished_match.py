"""The unfinished match of a journal: resumed, or given up for another."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from messages import N, capitalise, join, ngettext_lazy
from rules.engine import Game
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.replay.config import MatchConfig, config_from_events
from ui.screen.core.display import Display
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.notice import Notice

JOURNAL_TITLE = N("The journal")
"""The title of a notice that the journal can't be used."""
ChosenT = TypeVar("ChosenT")


@dataclass(frozen=True)
class PlainMatch:
    """A match that people want to play, of no tournament, or that they resume."""

    game: Game
    names: tuple[str, ...] | None = None
    """Who plays it, in seat order, "" for a seat without a name; None: people are asked."""


@dataclass(frozen=True)
class UnfinishedMatch:
    """A match that can be resumed."""

    number: int
    config: MatchConfig

    @property
    def names(self) -> str:
        """Its players' names, or their number if there are many."""
        if self.config.game.setup.seats > len(SEAT_MARKS):
            return ngettext_lazy("{count} player", "{count} players", self.config.game.setup.seats)
        return join(self.config.names, ", ")


def read_unfinished_match(options: LaunchOptions) -> UnfinishedMatch | None:
    """Return the journal's unfinished match; None if there is none. Raises JournalError."""
    if options.is_new_journal():
        return None
    with JournalReader(options.journal) as reader:
        number = reader.unfinished_match()
        return None if number is None else UnfinishedMatch(number, config_from_events(reader.events(number)))


def read_last_match(options: LaunchOptions) -> MatchConfig | None:
    """Return the configuration of the journal's newest match; None if there is none. Raises JournalError."""
    if options.is_new_journal():
        return None
    with JournalReader(options.journal) as reader:
        first = reader.event(max(reader.matches(), default=0))
        return None if first is None else config_from_events([first])


def unfinished_config(options: LaunchOptions) -> MatchConfig | None:
    """Return the configuration of the journal's unfinished match; None if there is none. Raises JournalError."""
    unfinished = read_unfinished_match(options)
    return None if unfinished is None else unfinished.config


def is_journal_unreadable(options: LaunchOptions) -> bool:
    """Whether the journal exists and can't be read."""
    try:
        read_unfinished_match(options)
    except JournalError:
        return options.journal.is_file()
    return False


def offer_unfinished(display: Display, journal: Path, unfinished: UnfinishedMatch) -> Game | None:
    """Offer to resume an unfinished match and return its game; give the match up if people don't want it."""
    game, names = N(unfinished.config.game.rules.title), unfinished.names
    text = N("{game} with {names} was interrupted. Resume it?", game=game, names=names)
    if display.ask(Notice(N("Unfinished match"), text, ("go on", "give it up"), is_idle=True)) == "go on":
        return unfinished.config.game
    _give_up(display, journal, unfinished.number)
    return None


def replace_unfinished(
    display: Display, journal: Path, unfinished: UnfinishedMatch, chosen: ChosenT
) -> ChosenT | PlainMatch | None:
    """Return what to play if people choose a game while another match is unfinished: ``chosen``, once they have given
    up that match; or that match. None if they go back."""
    game = N(unfinished.config.game.rules.title)
    text = N("{game} with {names} can be resumed. A new match gives it up.", game=game, names=unfinished.names)
    match display.ask(Notice(N("A match is not over"), text, ("go on with it", "give it up", "back"))):
        case "go on with it":
            return PlainMatch(unfinished.config.game)
        case "give it up" if _give_up(display, journal, unfinished.number):
            return chosen
    return None


def _give_up(display: Display, journal: Path, number: int) -> bool:
    """Journal that a match was given up. Return False if that failed, which is shown."""
    try:
        with Journal(journal) as opened:
            opened.append(number, MatchAbandoned())
    except JournalError as error:
        display.ask(Notice(JOURNAL_TITLE, capitalise(error.text)))
        return False
    return True
