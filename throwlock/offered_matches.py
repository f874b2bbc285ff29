"""What the home page offers to play: the games, the last match again, a random game, the running tournament."""

import random
from collections.abc import Sequence

from messages import N, join, ngettext_lazy
from rules.catalogue import GAMES
from rules.engine import IllegalSetupError, Rules
from rules.tournaments.fixture import TournamentError
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.replay.config import MatchConfig
from throwlock.replay.tournaments import newest_tournament
from throwlock.seating import turn_seats
from throwlock.table_setup import player_names
from throwlock.unfinished_match import PlainMatch, read_last_match
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.home import RunningTournament
from ui.text.verdicts import display_name

MOST_NAMES_OFFERED = 2
"""Of more players of the last match, the home page gives the number."""


def offered_games(options: LaunchOptions) -> tuple[Rules, ...]:
    """Return the games that are offered: in children's mode those whose points are shown as stars."""
    for_children = options.settings.screen.children
    return tuple(rules for rules in GAMES.values() if not for_children or rules.winning_score is not None)


def match_again(options: LaunchOptions, *, turned: bool = False) -> PlainMatch | None:
    """Return the newest match, everybody one seat further on if ``turned``; None if it can't be played again."""
    last = _last_match(options)
    if last is None:
        return None
    names = player_names.last_names(options.journal)
    return PlainMatch(last.game, turn_seats(names) if turned else names)


def last_match_text(options: LaunchOptions) -> str:
    """Return what offers the newest match again; "" if it can't be."""
    last = _last_match(options)
    if last is None:
        return ""
    names = join([display_name(seat, name) for seat, name in enumerate(last.names, 1)], ", ")
    if len(last.names) > MOST_NAMES_OFFERED:
        names = ngettext_lazy("{count} player", "{count} players", len(last.names))
    return N("Again: {game} ({names})", game=N(last.game.rules.title), names=names)


def _last_match(options: LaunchOptions) -> MatchConfig | None:
    """Return the newest match, if it can be played again at the table."""
    try:
        last = read_last_match(options)
    except JournalError:
        return None  # reported before the next match is written
    if last is None or last.game.rules not in offered_games(options) or last.game.setup.seats > len(SEAT_MARKS):
        return None
    return last


def random_match(options: LaunchOptions, names: Sequence[str]) -> PlainMatch:
    """Return a match of a random game for players with ``names``, by seat; for two if there are none."""
    seats = len(names) or 2
    fitting = [rules for rules in offered_games(options) if rules.min_players <= seats <= rules.max_players]
    return PlainMatch(random.choice(fitting).set_up(seats), tuple(names) or None)


def running_tournament(options: LaunchOptions) -> RunningTournament | None:
    """Return the newest tournament if it goes on."""
    try:
        if options.is_new_journal():
            return None
        with JournalReader(options.journal) as reader:
            record = newest_tournament(reader)
    except (JournalError, TournamentError, IllegalSetupError):
        return None  # said on its own page
    return RunningTournament(record.number, record.title) if record is not None and record.is_open else None
