"""Players and the awards of the evening on the touchscreen, read from the journal when they are opened."""

from itertools import pairwise
from pathlib import Path

from errors import NotFoundError
from messages import N, capitalise, join, ngettext_lazy
from throwlock.journal.file import is_new
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.list_pages import ask_with_list
from throwlock.review.archive import ArchiveOpener
from throwlock.review.statistics.awards import MIN_OFFERED_MATCHES, choose_awards, is_same_evening
from ui.charts.statistics import Evening
from ui.i18n.language import format_datetime
from ui.screen.core.display import Display
from ui.screen.pages import awards as awards_page
from ui.screen.pages.awards import AWARDS_TITLE, PLAYERS_LABEL, AwardsPage, evening_summary
from ui.screen.pages.history import HistoryAnswer, HistoryLine, HistoryList
from ui.screen.pages.notice import Notice
from ui.screen.pages.player import Opponent, PlayerFigures
from ui.web.strings import local_time
from ui.web.views import PlayerLine, PlayerPage

NOBODY_YET = N("Nobody has played yet.")


def open_awards(display: Display, journal: Path) -> None:
    """Show the awards of the evening of ``journal``, and any error, until people go back. Raises WindowClosedError."""
    archive = ArchiveOpener(journal)
    try:
        StatisticsPages(display, archive).show_awards()
    except (NotFoundError, JournalError) as error:
        display.ask(Notice(AWARDS_TITLE, capitalise(error.text), (awards_page.BACK,)))
    finally:
        archive.close()


def offers_awards(journal: Path) -> bool:
    """Return whether the evening has had enough matches for awards to be offered after one: a look at the starts of the
    last few matches, as quick in a large journal."""
    try:
        with JournalReader(journal) as reader:
            started = [reader.event(number) for number in reader.matches()[-MIN_OFFERED_MATCHES:]]
    except JournalError:
        return False  # reported when the next match is written
    times = [event.at for event in started if event is not None]
    return len(times) == MIN_OFFERED_MATCHES and all(is_same_evening(*pair) for pair in pairwise(times))


class StatisticsPages:
    """Shows players and awards on ``display``. Every method may raise JournalError and WindowClosedError."""

    def __init__(self, display: Display, archive: ArchiveOpener) -> None:
        self._display = display
        self._archive = archive

    def show_awards(self) -> None:
        """Show the awards of the evening; a button leads to the players."""
        while True:
            evening = self._read_evening()
            began = format_datetime(local_time(evening.began_at), "") if evening.began_at else ""
            page = AwardsPage(evening_summary(evening.matches, began), evening.awards)
            if self._display.ask(page) != awards_page.PLAYERS:
                return
            self.show_players()

    def _read_evening(self) -> Evening:
        if is_new(self._archive.path):
            return Evening(0, "", choose_awards(()))
        with self._archive.open() as archive:
            return archive.evening()

    def show_players(self) -> None:
        """Show the list of players, those who played last first; each line leads to a player's page."""
        page = 0
        while True:
            lines = self._read_players()
            items = tuple(player_list_item(line, number) for number, line in enumerate(lines))
            view = HistoryList(PLAYERS_LABEL, items, (HistoryAnswer.BACK,), empty_text=NOBODY_YET)
            answer, page = ask_with_list(self._display, view, page)
            if not isinstance(answer, int):
                return
            self._show_player(str(lines[answer].player.key))

    def _read_players(self) -> list[PlayerLine]:
        if is_new(self._archive.path):
            return []
        with self._archive.open() as archive:
            return list(archive.players())

    def _show_player(self, key: str) -> None:
        with self._archive.open() as archive:
            page = archive.player(key)
        self._display.ask(player_figures(page))


def player_list_item(line: PlayerLine, number: int) -> HistoryLine:
    """Return a player's list item, answered with ``number``: name, record, last match."""
    last = format_datetime(local_time(line.last_played), with_time=False) if line.last_played else ""
    return HistoryLine(line.player.name, player_record(line), last, number)


def player_record(line: PlayerLine) -> str:
    """Return a player's record in a line."""
    matches = ngettext_lazy("{won} of {count} match won", "{won} of {count} matches won", line.matches, won=line.won)
    rounds = ngettext_lazy("{count} round", "{count} rounds", line.rounds)
    fouls = ngettext_lazy("{count} foul", "{count} fouls", line.fouls)
    return join([matches, rounds, fouls], ", ")


def player_figures(page: PlayerPage) -> PlayerFigures:
    """Return a player's page."""
    opponents = tuple(
        Opponent(record.player.name, record.won, record.lost, record.rounds_won, record.rounds_lost, record.rounds_tied)
        for record in page.head_to_head
    )
    return PlayerFigures(page.line.player.name, player_record(page.line), page.statistics, opponents)
