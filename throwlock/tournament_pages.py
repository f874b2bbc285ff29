"""Tournaments on the touchscreen: a list, a new one, and the page of one, read from the journal when one is opened."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from errors import ThrowlockError
from messages import N, capitalise, join, ngettext_lazy
from rules.catalogue import GAMES
from rules.engine import Game, IllegalSetupError
from rules.record.tournament import (
    MAX_TITLE_LENGTH,
    TournamentAbandoned,
    TournamentMatch,
    TournamentStarted,
)
from rules.tournaments.fixture import FixtureId, Format, TournamentError
from throwlock.journal.journal import NO_MATCH, Journal, JournalError, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.list_pages import ask_with_list
from throwlock.match.explanation import throw_setting
from throwlock.pads.table import PadTable
from throwlock.replay.ratings import Rating, rank_names, read_ratings
from throwlock.replay.tournaments import (
    TournamentRecord,
    append_to_tournament,
    check_tournament,
    enter_tournament,
    read_tournament,
)
from throwlock.session import create_folder
from throwlock.table_setup.player_names import known_names
from ui.i18n.language import format_datetime, render
from ui.screen.core.display import Display
from ui.screen.pages import tournament as tournament_page
from ui.screen.pages.history import HistoryAnswer, HistoryLine, HistoryList
from ui.screen.pages.home import ChosenGame, GameMenu
from ui.screen.pages.new_tournament import Draft, NewTournament
from ui.screen.pages.notice import Notice
from ui.screen.pages.tournament import GIVE_UP_ANSWER, LateEntry, PlayFixture, TournamentAction, TournamentView
from ui.screen.views import SET_UP_PATIENCE_S, Answer
from ui.text.tournaments import FORMAT_NAMES
from ui.web.strings import local_time

TITLE = N("Tournaments")
NONE_YET = N("No tournament has been held here yet.")
RATINGS_TITLE = N("Ratings")
ABOUT_RATINGS = N(
    "From all matches of two that ended here. After ± is how far a rating may be off; the order is by rating less that."
)
NO_RATINGS = N("No match of two has ended here yet.")
KNOWN_ERROR, UNCERTAIN_ERROR = 8.5, 12.5
"""The errors of ratings up to which a player is well known (after about 40 matches), or still uncertain (12)."""


@dataclass(frozen=True)
class ChosenFixture:
    """A match of a tournament that people want to play: its game, the players' names, and which it is."""

    game: Game
    names: tuple[str, ...]
    match: TournamentMatch


class TournamentPages:
    """Shows tournaments of the journal on ``display``. New ones are offered to those who are here with a phone of the
    ``pads`` first."""

    def __init__(
        self,
        display: Display,
        options: LaunchOptions,
        rng: random.Random | None = None,
        pads: PadTable | None = None,
    ) -> None:
        """``rng`` draws seeds: by default the operating system's, which nobody can predict."""
        self._pads = pads or PadTable()
        self._display, self._options = display, options
        self._rng = rng or random.SystemRandom()

    def open(self, number: int | None = None) -> ChosenFixture | None:
        """Show the list, or at first tournament ``number``, until people want to play a match of one. Return that
        match; None if they go back to the home page."""
        page = 0
        while True:
            try:
                if number is not None and (chosen := self._show_tournament(number)) is not None:
                    return chosen
            except (JournalError, TournamentError, IllegalSetupError) as error:
                self._show_error(error)
            number = None
            self._pads.show_tournament(None)
            try:
                answer, page = self._show_list(page)
            except JournalError as error:
                self._show_error(error)
                return None
            match answer:
                case int():
                    number = answer
                case HistoryAnswer.NEW:
                    number = self._set_up_or_explain()
                case HistoryAnswer.RATINGS:
                    self._show_ratings()
                case _:
                    return None

    def _show_ratings(self) -> None:
        """Show everybody's rating, page by page."""
        lines = tuple(rating_item(rank, rating) for rank, rating in enumerate(self._read_ratings(), 1))
        about = ABOUT_RATINGS if lines else ""
        view = HistoryList(RATINGS_TITLE, lines, (HistoryAnswer.BACK,), summary=about, empty_text=NO_RATINGS)
        ask_with_list(self._display, view)

    def _read_ratings(self) -> tuple[Rating, ...]:
        if self._options.is_new_journal():
            return ()
        with JournalReader(self._options.journal) as reader:
            return read_ratings(reader)

    def _set_up_or_explain(self) -> int | None:
        try:
            return self._set_up()
        except (JournalError, TournamentError, IllegalSetupError) as error:
            self._show_error(error)
            return None

    def _show_error(self, error: ThrowlockError) -> None:
        self._display.ask(Notice(TITLE, capitalise(error.text), (HistoryAnswer.BACK,)))

    def _show_list(self, page: int) -> tuple[Answer, int]:
        """Show the tournaments, newest first; those that go on before the others. Return the answer, and on which page
        it was given."""
        records: list[TournamentRecord] = []
        if not self._options.is_new_journal():
            with JournalReader(self._options.journal) as reader:
                records = [read_tournament(reader, number) for number in reversed(reader.tournaments())]
        records.sort(key=lambda record: not record.is_open)
        lines = tuple(map(list_item, records))
        tools = HistoryAnswer.HOME, HistoryAnswer.NEW, HistoryAnswer.RATINGS
        return ask_with_list(self._display, HistoryList(TITLE, lines, tools, empty_text=NONE_YET), page)

    def _set_up(self) -> int | None:
        """Set a tournament up and begin it. Return its number; None if people go back."""
        chosen, entered = self._choose_game(), tuple[str, ...]()
        while chosen is not None:
            draft = self._ask_draft(chosen, entered)
            if draft is None:
                return None
            if draft.is_to_be == "started":
                return self._start(chosen, draft)
            chosen, entered = self._choose_game(chosen), draft.names
        return None

    def _choose_game(self, opened: ChosenGame | None = None) -> ChosenGame | None:
        """Return the game that people choose, at first in the set-up ``opened``; None if they go back."""
        menu = GameMenu(
            tuple(GAMES.values()),
            idle_timeout_s=SET_UP_PATIENCE_S,
            can_go_back=True,
            throwing=throw_setting(self._options.camera, self._options.house_rules),
            for_tournament=True,
            opened=opened,
        )
        chosen = self._display.ask(menu)
        return chosen if isinstance(chosen, ChosenGame) else None

    def _ask_draft(self, chosen: ChosenGame, entered: tuple[str, ...]) -> Draft | None:
        """Return the tournament of a game as people want it, at first with the players ``entered``: to be started, or
        of another game. None if nobody answers."""
        rules, ratings = GAMES[chosen.game], self._read_ratings()
        view = NewTournament(
            N(rules.title),
            chosen.seats,
            rules.min_players if chosen.seats > 2 else 2,
            known_names(self._options.journal),
            entered=entered,
            can_rank=bool(ratings),
            title=suggest_title(rules.title, datetime.now().astimezone()),
            here=tuple(guest.name for guest in self._pads.guests),
        )
        while True:
            draft = self._display.ask(view)
            if not isinstance(draft, Draft):
                return None
            if draft.is_to_be in ("started", "of another game"):
                return draft
            names = rank_names(draft.names, ratings)
            if draft.is_to_be == "shuffled":
                self._rng.shuffle(names)
            view = replace(view, draft=replace(draft, names=tuple(names)))

    def _start(self, chosen: ChosenGame, draft: Draft) -> int:
        body = TournamentStarted(
            title=draft.title,
            game=chosen.game,
            options=dict(chosen.options),
            format=draft.format,
            rounds=draft.rounds,
            group_size=draft.group_size,
            qualifiers=draft.qualifiers,
            table_size=chosen.seats if draft.format is Format.TABLES else 2,
        )
        check_tournament(body, len(draft.names))
        if self._options.folder_to_create:
            create_folder(self._options.folder_to_create)
        with Journal(self._options.journal) as journal:
            return journal.start_tournament(body, draft.names)

    def _show_tournament(self, number: int) -> ChosenFixture | None:
        """Show a tournament and do what people want. Return the match that they want to play here; None if they go
        back to the list."""
        while True:
            with JournalReader(self._options.journal) as reader:
                record = read_tournament(reader, number)
            view = tournament_view(record)
            self._pads.show_tournament(view)
            answer = self._display.ask(view)
            try:
                match answer:
                    case PlayFixture(chosen):
                        fixture = record.state.fixture(chosen)
                        names = tuple(record.name(player) for player in fixture.present)
                        return ChosenFixture(record.game(fixture), names, record.match_of(fixture))
                    case TournamentAction(event):
                        with Journal(self._options.journal) as journal:
                            append_to_tournament(journal, read_tournament(journal, number), event)
                    case LateEntry(name):
                        with Journal(self._options.journal) as journal:
                            enter_tournament(journal, read_tournament(journal, number), name)
                    case str() if answer == GIVE_UP_ANSWER:
                        with Journal(self._options.journal) as journal:
                            journal.append(NO_MATCH, TournamentAbandoned(tournament=number))
                    case _:
                        return None
            except (JournalError, TournamentError, IllegalSetupError) as error:
                self._show_error(error)


def suggest_title(game: str, now: datetime) -> str:
    """Return a title in the screen's language: the game and the day."""
    day = render(format_datetime(now, with_time=False))
    return f"{render(N(game))}, {day}"[:MAX_TITLE_LENGTH]


def list_item(record: TournamentRecord) -> HistoryLine:
    """Return a tournament's list item: its title, format and players, and what comes next or who has won."""
    count = ngettext_lazy("{count} player", "{count} players", len(record.names))
    facts = join([N(record.rules.title), FORMAT_NAMES[record.started.format], count], " · ")
    day = render(format_datetime(local_time(record.at), with_time=False))
    note = "" if day in record.title else day  # a suggested title has it
    return HistoryLine(record.title, join([facts, _state_text(record)], " · "), note, record.number)


def rating_item(rank: int, rating: Rating) -> HistoryLine:
    """Return a rating's list item: the name, the rating with its error, and what that is from."""
    known = N("well known") if rating.error <= KNOWN_ERROR else N("still uncertain")
    known = N("hardly known yet") if rating.error > UNCERTAIN_ERROR else known
    count = ngettext_lazy("{count} match", "{count} matches", rating.matches)
    note = f"{rating.strength:.0f} ± {rating.error:.0f}"
    return HistoryLine(join([f"{rank}. ", rating.name], ""), join([count, known], " · "), note)


def _state_text(record: TournamentRecord) -> str:
    if record.abandoned:
        return N("given up")
    if record.is_open:
        ready = record.state.ready
        return N("next: {players}", players=record.summary().against(ready[0])) if ready else N("waiting for players")
    return N("won by {names}", names=record.summary().champion_names)


def tournament_view(record: TournamentRecord) -> TournamentView:
    """Return the page of a tournament."""
    can_enter = record.is_open and record.state.can_enter
    return TournamentView(record.number, record.summary(), can_enter, fixture_notes(record))


def fixture_notes(record: TournamentRecord) -> Mapping[FixtureId, str]:
    """Return what people should know of the fixtures that can be played: that a match was interrupted, given up or
    drawn."""
    notes: dict[FixtureId, str] = {}
    for fixture in record.state.ready:
        if fixture.id == record.interrupted:
            notes[fixture.id] = tournament_page.INTERRUPTED
        elif fixture.started:
            notes[fixture.id] = tournament_page.MATCH_GIVEN_UP
        elif fixture.id in record.matches:
            notes[fixture.id] = tournament_page.DRAWN_AGAIN
    return notes
