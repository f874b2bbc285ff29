"""The archive behind the review pages: lists and players from the journal's index, matches and rounds from its events.
Opened for every request, so that it is always current."""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

from errors import NotFoundError, RefusedError
from messages import LazyText, N, capitalise
from rules.engine import Seat, Value
from rules.record.event import ReviewMark
from rules.record.judgement import STRIP_OFFSETS_MS
from rules.record.match import SPECTATOR, MatchView
from rules.record.round import PlayerLink, RoundView
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import Event, JournalError, JournalReader, match_started
from throwlock.journal.kept_frames import KeptFrames, StoredFrames, delete_clips
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.player_names import is_default_name
from throwlock.replay.project import project
from throwlock.replay.tournaments import newest_tournament
from throwlock.review import correction
from throwlock.review import export as exports
from throwlock.review.entries import PlayerDirectory
from throwlock.review.index import IndexQuery, ReviewIndex, cache_folder
from throwlock.review.parquet import Cell, round_rows, write_parquet
from throwlock.review.personal_data import forget_elsewhere
from throwlock.review.records import (
    classroom_page,
    evening_awards,
    evening_matches,
    list_days,
    list_games,
    list_matches,
    list_players,
    player_page,
)
from throwlock.table_setup.class_names import MAX_NAME_LENGTH, ClassListError, ClassLists
from throwlock.table_setup.name_lists import parse_form_names
from ui.charts.statistics import Evening
from ui.i18n.language import current_language
from ui.text.tournaments import TournamentSummary
from ui.web.charts.charts import clear_kept_charts
from ui.web.views import Classroom, EvidenceFile, MatchFilter, MatchLine, MatchPage, PlayerLine, PlayerPage, RoundPage

ResultT = TypeVar("ResultT")
MAX_VIEWS = 32
"""Views of matches kept: a page of the class shows rounds of several, and its match is read again for every round."""
NO_SUCH_PLAYER = N("There is no such player (any more).")
LOG_NOT_CLEARED = N(
    "Somebody was reading the journal: the deleted data leaves its files when it is next closed or changed."
)


@dataclass(frozen=True)
class _MatchSource:
    last_hash: str
    """Of its last event: with the same hash all events are the same."""
    players: tuple[PlayerLink, ...]
    events: Sequence[Event] = field(compare=False)


@lru_cache(MAX_VIEWS)
def _project(source: _MatchSource) -> MatchView:
    return project(source.events, SPECTATOR, source.players)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise a ClassListError as a RefusedError, without the folders of this machine."""
    try:
        yield
    except ClassListError as error:
        raise RefusedError(f"{without_folders(capitalise(str(error)))}.") from error


FOLDER_PATTERN = re.compile(r"(?<![\w.])(?:/[^/\s:]+)*/(?=[^/\s:])")
"""The folders in a file's full path."""


def without_folders(text: str) -> str:
    """Return a sentence without the folders of the full paths in it."""
    return FOLDER_PATTERN.sub("", text)


class FigureCache:
    """Figures computed from a whole journal, kept for further requests until the journal's ``state`` changes."""

    def __init__(self) -> None:
        self._kept: tuple[object, dict[object, object]] = (None, {})  # one attribute: threads share it

    def get(self, state: object, key: object, compute: Callable[[], ResultT]) -> ResultT:
        """Return what ``compute`` returned for ``key``, and call it if the journal's state is a new one."""
        kept_state, figures = self._kept
        if state != kept_state:
            self._kept = state, (figures := {})
        if key not in figures:
            figures[key] = compute()
        return cast(ResultT, figures[key])

    def clear(self) -> None:
        """Drop all figures."""
        self._kept = (None, {})


class ArchiveOpener:
    """Opens the archive of a journal, and keeps its index open between requests.

    opener = ArchiveOpener(Path("evening.journal"))
    with opener.open() as archive:
        print(archive.matches(MatchFilter()))
    """

    def __init__(self, path: Path, cache: Path | None = None) -> None:
        """``cache`` is the folder of the index, by default ``cache_folder()``."""
        self.path = path
        self.cache = cache or cache_folder()
        shutil.rmtree(self.cache / "clips", ignore_errors=True)  # Throwlock 0.1 kept clips there, with names
        self._index = ReviewIndex(self.cache)
        self._figures = FigureCache()

    @contextmanager
    def open(self) -> Iterator["JournalArchive"]:
        """Open the archive of the journal as it is now. Raises JournalError when it can't be read."""
        archive = JournalArchive(self.path, self._index, self._figures)
        try:
            yield archive
        finally:
            archive.close()

    def close(self) -> None:
        """Close the index."""
        self._index.close()


class JournalArchive:
    """The archive of one journal, where the review pages have their data from. Every method may raise JournalError and
    NotFoundError."""

    def __init__(self, path: Path, index: ReviewIndex, figures: FigureCache) -> None:
        self._path = path
        self._index = index
        self._figures = figures
        self._class_lists = ClassLists(path)
        self._read()

    def _read(self) -> None:
        self._journal = JournalReader(self._path)
        self._players = PlayerDirectory(self._journal)
        self._marks = {
            event: ReviewMark(mark) for event, mark in self._journal.marks().items() if mark in list(ReviewMark)
        }
        self._notes = self._journal.notes()

    def close(self) -> None:
        """Close the journal. May be called twice."""
        self._journal.close()

    def _query_index(self) -> AbstractContextManager[IndexQuery]:
        return self._index.query(self._journal, self._players)

    def matches(self, match_filter: MatchFilter) -> Sequence[MatchLine]:
        """Return the matches of a filter, newest first."""
        with self._query_index() as rows:
            return list_matches(rows, match_filter, self._players, self._marks, self._notes, self._journal.has_pictures)

    def days(self) -> Sequence[tuple[str, int]]:
        """Return days with their number of matches, newest first."""
        with self._query_index() as rows:
            return list_days(rows)

    def games(self) -> Sequence[tuple[str, str, int]]:
        """Return the games played as name, title and number of matches."""
        with self._query_index() as rows:
            return list_games(rows)

    def players(self) -> Sequence[PlayerLine]:
        """Return all players with a name of their own, those who played last first."""
        with self._query_index() as rows:
            return [line for line in list_players(rows, self._players) if not is_default_name(line.player.name)]

    def player(self, key: str) -> PlayerPage:
        """Return one player."""
        if key not in self._players.names:
            raise NotFoundError(NO_SUCH_PLAYER)
        return self._cached(("player", key), lambda: self._player(key))

    def _player(self, key: str) -> PlayerPage:
        newest = self.matches(MatchFilter(player=key))
        with self._query_index() as rows:
            return player_page(rows, key, self._players, newest)

    def evening(self) -> Evening:
        """Return the newest evening and its awards."""
        return self._cached("evening", self._evening)

    def _evening(self) -> Evening:
        with self._query_index() as rows:
            return evening_awards(rows, evening_matches(rows), self._players, self._journal.events)

    def _cached(self, key: object, compute: Callable[[], ResultT]) -> ResultT:
        """Return figures of the journal as it is now, from earlier requests where they still hold."""
        return self._figures.get(self.state(), key, compute)

    def state(self) -> object:
        """Return what all pages follow from: they have changed only if it is another."""
        players, marks, notes = self._players.names.items(), self._marks.items(), self._notes.items()
        return self._journal.number_and_hash(), tuple(players), tuple(marks), tuple(notes), current_language()

    def match(self, number: int) -> MatchPage:
        """Return one match."""
        line, events = self._match_line(number), self._journal.events(number)
        started, view = match_started(events), self._view(events)
        assert view.game is not None  # or else it can't be replayed
        return MatchPage(
            line=line,
            house_rules=started.house_rules.model_dump(mode="json"),
            options=dict(view.game.setup.options),
            camera=started.camera,
            view=view,
            proof_code=proof_code(events[-1].hash),
            marks=self._marks,
            notes=self._notes,
        )

    def round(self, event: int) -> RoundPage:
        """Return the round thrown in event ``event``."""
        thrown = self._event(event)
        if thrown.round is None:
            raise NotFoundError(N("Event {event} of this journal is not a thrown round.", event=event))
        rounds = self._view(self._journal.events(thrown.match)).rounds
        index = [line.event for line in rounds].index(event)
        page = self._round_page(self._match_line(thrown.match), rounds, index)
        return replace(page, correction=correction.find_correction(self._journal, event))

    def rounds(self, match: int) -> Iterator[RoundPage]:
        """Return all thrown rounds of a match."""
        line, rounds = self._match_line(match), self._view(self._journal.events(match)).rounds
        return (self._round_page(line, rounds, index) for index in range(len(rounds)))

    def _round_page(self, match: MatchLine, rounds: Sequence[RoundView], index: int) -> RoundPage:
        return RoundPage(
            match=match,
            line=rounds[index],
            pictures=tuple(
                EvidenceFile(row.name, row.media_type, row.data is not None)
                for row in self._journal.evidence_rows(rounds[index].event)
            ),
            strip_times_ms=tuple(map(float, STRIP_OFFSETS_MS)),
            previous=rounds[index - 1].event if index else None,
            next=rounds[index + 1].event if index + 1 < len(rounds) else None,
            has_kept_frames=self.has_kept_frames(rounds[index].event),
            mark=self._marks.get(rounds[index].event),
            note=self._notes.get(rounds[index].event, ""),
        )

    def picture(self, event: int, name: str) -> tuple[str, bytes]:
        """Return media type and bytes of a piece of evidence."""
        for row in self._journal.evidence_rows(event):
            if row.name == name and row.data is not None:
                return row.media_type, row.data
            if row.name == name:
                raise NotFoundError(N("This image was deleted."))
        raise NotFoundError(N("There is no such image."))

    @property
    def origin(self) -> str:
        """What the journal's files in the cache are named after."""
        return self._journal.origin_hash()[:16]

    def kept_frames(self, event: int) -> StoredFrames | None:
        """Return the frames of a round that are kept for clips, if any. Raises NotFoundError."""
        return KeptFrames(self._path).load(event, self._event(event).hash)

    def has_kept_frames(self, event: int) -> bool:
        """Return whether frames of a round are kept for clips. Raises NotFoundError."""
        return KeptFrames(self._path).has(event, self._event(event).hash)

    def classroom(self, day: str | None = None, match: int | None = None) -> Classroom:
        """Return the classroom figures for a day, a match, or all matches."""
        if match is not None:
            self._match_line(match)
        return self._cached(("classroom", day, match), lambda: self._classroom(day, match))

    def _classroom(self, day: str | None, match: int | None) -> Classroom:
        with self._query_index() as rows:
            return classroom_page(rows, day, match, self._players, self._example_rounds)

    def mark(self, event: int, mark: ReviewMark | None) -> None:
        """Set or (None) remove a round's mark."""
        self._change(lambda maintenance: maintenance.mark(event, mark))

    def write_note(self, event: int, note: str) -> None:
        """Write, replace or ("") delete the note of a round, or of the match that starts with ``event``. May raise
        RefusedError."""
        self._change(lambda maintenance: maintenance.write_note(event, note))

    def correct(self, event: int, seat: Seat | None, reading: Value = None) -> None:
        """Correct a round to what people agreed on: the reading of ``seat`` (None: no throw); without a seat, the round
        is void. May raise RefusedError."""
        self._change(lambda maintenance: correction.correct_round(maintenance.path, event, seat, reading))

    def reject_dispute(self, event: int) -> None:
        """Note that a round was disputed and its verdict counts. May raise RefusedError."""
        self._change(lambda maintenance: correction.reject_dispute(maintenance.path, event))

    def class_lists(self) -> Mapping[str, tuple[str, ...]]:
        """Return the students' names by class. May raise RefusedError."""
        with _refusing():
            return self._class_lists.read()

    def save_class(self, name: str, names: str, old_name: str = "") -> None:
        """Keep the list of a class, a name on each line, in place of that of ``old_name``. May raise RefusedError, also
        when another class has that name."""
        with _refusing():
            self._class_lists.save(name, parse_form_names(names, longest=MAX_NAME_LENGTH), replacing=old_name)

    def delete_class(self, name: str) -> None:
        """Delete the list of a class. May raise RefusedError."""
        with _refusing():
            self._class_lists.delete(name)

    def delete_pictures(self, match: int) -> int:
        """Delete a match's images for good and return their number."""
        count = self._change(lambda maintenance: maintenance.delete_pictures(match)).evidence_count
        self._delete_clips()
        return count

    def forget(self, key: str) -> Sequence[LazyText]:
        """Delete a player's name and the images of their matches for good, wherever the box keeps them. Return a
        sentence on each thing that is left."""
        if key not in self._players.names:
            raise NotFoundError(NO_SUCH_PLAYER)
        remaining = forget_elsewhere(self._path, self._players.names[key])
        result = self._change(lambda maintenance: maintenance.forget(key))
        self._delete_clips()  # those that were made meanwhile
        with self._query_index():  # removes them from the index too
            return remaining if result.log_cleared else [LOG_NOT_CLEARED, *remaining]

    def _change(self, change: Callable[[JournalMaintenance], ResultT]) -> ResultT:
        """Change the journal with the reader closed: an open one would keep deleted data in the files."""
        self.close()
        _project.cache_clear()  # a forgotten player's name is in views, figures and charts
        self._figures.clear()
        clear_kept_charts()
        try:
            return change(JournalMaintenance(self._path))
        finally:
            self._read()

    def _delete_clips(self) -> None:
        """Delete the clips of the journal: those that may still be made are made again. Raises JournalError."""
        try:
            delete_clips(self._path)
        except OSError as error:
            raise JournalError(N("the clips next to {path} can’t be deleted", path=self._path)) from error

    def export(self, match: int, form: str, pictures: bool = True) -> tuple[str, str, bytes]:
        """Return file name, media type and bytes of a match as "json", "csv", "xlsx" or "html"; ``pictures`` is
        whether to include them."""
        page, name = self.match(match), f"throwlock-match-{match}.{form}"
        if form == "xlsx":
            return name, exports.MEDIA_TYPES[form], exports.match_to_xlsx(page)
        if form == "json":
            text = exports.match_to_json(self._journal, match, pictures)
        elif form == "csv":
            text = exports.match_to_csv(page)
        elif form == "html":
            text = exports.match_to_html(page, list(self.rounds(match)), self.picture if pictures else None)
        else:
            raise NotFoundError(
                N("Match {match} can’t be written as {export_format}.", match=match, export_format=form)
            )
        return name, exports.MEDIA_TYPES[form], text.encode()

    def tournament(self) -> TournamentSummary | None:
        """Return the tournament that is going on, or the one after which nothing was played; None if there is none."""
        record = newest_tournament(self._journal)
        if record is None or record.abandoned:
            return None
        newest = self.matches(MatchFilter(limit=1))
        is_last = not newest or newest[0].number <= max(record.matches.values(), default=record.number)
        return record.summary() if record.is_open or is_last else None

    def match_numbers(self) -> list[int]:
        """Return the numbers of all matches, in the order they started."""
        return self._journal.matches()

    def export_table(self, file: Path, matches: Iterable[int], with_names: bool = True) -> tuple[int, list[int]]:
        """Write the rounds of ``matches``, taken one at a time, to a Parquet file. Return the number of rows, and the
        matches that are left out since this version can't replay them. Raises ParquetError, NotFoundError."""
        left_out: list[int] = []
        return write_parquet(file, self._table_rows(matches, with_names, left_out)), left_out

    def _table_rows(
        self, matches: Iterable[int], with_names: bool, left_out: list[int]
    ) -> Iterator[Mapping[str, Cell]]:
        """Yield the rows of ``matches``, one match at a time, and note in ``left_out`` those that can't be replayed."""
        for number in matches:
            events = self._journal.events(number)
            if not events:
                raise NotFoundError(N("There is no match {number} in this journal.", number=number))
            try:
                view = self._view(events)
            except JournalError:
                left_out.append(number)
                continue
            yield from round_rows(events, view, with_names)

    def _example_rounds(self, events: Sequence[int]) -> tuple[RoundView, ...]:
        """Return the rounds thrown in ``events``, newest first, except for matches that this version can't replay."""
        rounds = []
        for match in {self._event(event).match for event in events}:
            with suppress(JournalError):
                rounds += [line for line in self._view(self._journal.events(match)).rounds if line.event in events]
        return tuple(sorted(rounds, key=lambda line: line.event, reverse=True))

    def _match_line(self, number: int) -> MatchLine:
        """Return a match as listed. Raises NotFoundError."""
        lines = self.matches(MatchFilter(after=number + 1, limit=1))
        if not lines or lines[0].number != number:
            raise NotFoundError(N("There is no match {number} in this journal.", number=number))
        return lines[0]

    def _event(self, number: int) -> Event:
        """Return an event. Raises NotFoundError."""
        event = self._journal.event(number)
        if event is None:
            raise NotFoundError(N("There is no round {number} in this journal.", number=number))
        return event

    def _view(self, events: Sequence[Event]) -> MatchView:
        """Return a match as everybody may see it. Raises JournalError if it can't be replayed."""
        view = _project(_MatchSource(events[-1].hash, self._players.links(events[0]), events))
        if view.problem:
            raise JournalError(view.problem)
        return view
