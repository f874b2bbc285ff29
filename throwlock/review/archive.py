"""The archive behind the review pages: lists and players from the journal's index, matches and rounds from its events.
Opened for every request, so that it is always current."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from rules.engine import Seat
from throwlock.journal.journal import Event, JournalError, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.review import export as exports
from throwlock.review.index import IndexQuery, ReviewIndex, cache_folder
from throwlock.review.players import PlayerDirectory
from throwlock.review.records import classroom_page, list_days, list_games, list_matches, list_players, player_page
from throwlock.review.timeline import MatchTimeline, TimelineRound, build_timeline
from ui.web.views import (
    Classroom,
    EvidenceFile,
    Mark,
    MatchFilter,
    MatchLine,
    MatchPage,
    NotFoundError,
    PlayerLine,
    PlayerPage,
    RoundLine,
    RoundPage,
)
from vision.strips import STRIP_OFFSETS_MS

ResultT = TypeVar("ResultT")
NO_SUCH_PLAYER = "There is no such player (any more)."
LOG_NOT_CLEARED = (
    "Somebody was reading the journal: the deleted data leaves its files when it is next closed or changed."
)


class ArchiveOpener:
    """Opens the archive of a journal, and keeps its index open between requests.

    opener = ArchiveOpener(Path("evening.journal"))
    with opener.open() as archive:
        print(archive.matches(MatchFilter()))
    """

    def __init__(self, path: Path, cache: Path | None = None) -> None:
        """``cache`` is the folder of the index, by default ``cache_folder()``."""
        self.path = path
        self._index = ReviewIndex(cache or cache_folder())

    @contextmanager
    def open(self) -> Iterator["JournalArchive"]:
        """Open the archive of the journal as it is now. Raises JournalError when it can't be read."""
        archive = JournalArchive(self.path, self._index)
        try:
            yield archive
        finally:
            archive.close()

    def close(self) -> None:
        """Close the index."""
        self._index.close()


class JournalArchive:
    """The archive of one journal; see ``ui.web.views.Archive``. Every method may raise JournalError."""

    def __init__(self, path: Path, index: ReviewIndex) -> None:
        self._path = path
        self._index = index
        self._read()

    def _read(self) -> None:
        self._journal = JournalReader(self._path)
        self._players = PlayerDirectory(self._journal)
        self._marks = {event: Mark(mark) for event, mark in self._journal.marks().items() if mark in list(Mark)}

    def close(self) -> None:
        """Close the journal. May be called twice."""
        self._journal.close()

    @contextmanager
    def _query_index(self) -> Iterator[IndexQuery]:
        with self._index.query(self._journal, self._players) as rows:
            yield rows

    def matches(self, match_filter: MatchFilter) -> Sequence[MatchLine]:
        """See Archive."""
        with self._query_index() as rows:
            return list_matches(rows, match_filter, self._players, self._marks, self._journal.has_pictures)

    def days(self) -> Sequence[tuple[str, int]]:
        """See Archive."""
        with self._query_index() as rows:
            return list_days(rows)

    def games(self) -> Sequence[tuple[str, str, int]]:
        """See Archive."""
        with self._query_index() as rows:
            return list_games(rows)

    def players(self) -> Sequence[PlayerLine]:
        """See Archive."""
        with self._query_index() as rows:
            return list_players(rows, self._players)

    def player(self, key: str) -> PlayerPage:
        """See Archive."""
        if key not in self._players.names:
            raise NotFoundError(NO_SUCH_PLAYER)
        with self._query_index() as rows:
            newest = list_matches(rows, MatchFilter(player=key), self._players, self._marks, self._journal.has_pictures)
            return player_page(rows, key, self._players, newest)

    def match(self, number: int) -> MatchPage:
        """See Archive."""
        line, events = self._match_line(number), self._journal.events(number)
        timeline = self._timeline(events)
        setup, house = timeline.config.game.setup, timeline.config.house_rules
        return MatchPage(
            line=line,
            house_rules=house.model_dump(mode="json"),
            options=dict(setup.options),
            camera=timeline.config.camera,
            scores=timeline.scores,
            entries=tuple(_flatten(timeline)),
            ending=timeline.ending,
        )

    def round(self, event: int) -> RoundPage:
        """See Archive."""
        thrown, timeline = self._read_round(event)
        rounds = timeline.rounds
        place = next(place for place, round_ in enumerate(rounds) if round_.line.event == event)
        return self._round_page(self._match_line(thrown.match), rounds, place, thrown)

    def rounds(self, match: int) -> Iterator[RoundPage]:
        """Yield all thrown rounds of a match; see ``round``."""
        line, events = self._match_line(match), self._journal.events(match)
        rounds = self._timeline(events).rounds
        thrown = [event for event in events if "judgement" in event.body]
        for place, event in enumerate(thrown):
            yield self._round_page(line, rounds, place, event)

    def _round_page(self, match: MatchLine, rounds: Sequence[TimelineRound], index: int, event: Event) -> RoundPage:
        judgement = event.body["judgement"]
        return RoundPage(
            match=match,
            line=rounds[index].line,
            first_ms=judgement["first_shown_ms"],
            lock_ms=judgement["lock_ms"],
            lock_frame_ms=judgement["lock_frame_ms"],
            window_ms=judgement["window_ms"],
            zones=_zones(judgement),
            pictures=tuple(
                EvidenceFile(row.name, row.media_type, row.data is not None)
                for row in self._journal.evidence_rows(event.number)
            ),
            strip_times_ms=tuple(map(float, STRIP_OFFSETS_MS)),
            sentences=rounds[index].sentences,
            previous=rounds[index - 1].line.event if index else None,
            next=rounds[index + 1].line.event if index + 1 < len(rounds) else None,
            moves=rounds[index].moves,
        )

    def picture(self, event: int, name: str) -> tuple[str, bytes]:
        """See Archive."""
        for row in self._journal.evidence_rows(event):
            if row.name == name and row.data is not None:
                return row.media_type, row.data
            if row.name == name:
                raise NotFoundError("This picture was deleted.")
        raise NotFoundError("There is no such picture.")

    def classroom(self, day: str | None = None, match: int | None = None) -> Classroom:
        """See Archive."""
        if match is not None:
            self._match_line(match)
        with self._query_index() as rows:
            return classroom_page(rows, day, match, self._players, self._example_rounds)

    def mark(self, event: int, mark: Mark | None) -> None:
        """See Archive."""
        self._change(lambda maintenance: maintenance.mark(event, mark))

    def delete_pictures(self, match: int) -> int:
        """See Archive."""
        return self._change(lambda maintenance: maintenance.delete_pictures(match)).evidence_count

    def forget(self, key: str) -> str:
        """See Archive."""
        if key not in self._players.names:
            raise NotFoundError(NO_SUCH_PLAYER)
        result = self._change(lambda maintenance: maintenance.forget(key))
        with self._query_index():  # removes them from the index too
            return "" if result.log_cleared else LOG_NOT_CLEARED

    def _change(self, change: Callable[[JournalMaintenance], ResultT]) -> ResultT:
        """Change the journal with the reader closed: an open one would keep deleted data in the files."""
        self.close()
        try:
            return change(JournalMaintenance(self._path))
        finally:
            self._read()

    def export(self, match: int, form: str, pictures: bool = True) -> tuple[str, str, bytes]:
        """See Archive; ``pictures`` is whether to include them."""
        return exports.export_match(self._journal, self, match, form, pictures)

    def _example_rounds(self, events: Sequence[int]) -> tuple[RoundLine, ...]:
        """Return the rounds thrown in ``events``, except for matches that this version can't replay."""
        rounds_by_match: dict[int, tuple[TimelineRound, ...]] = {}
        found = []
        for event in events:
            match = self._match_of_event(event)
            if match not in rounds_by_match:
                rounds_by_match[match] = ()
                with suppress(JournalError):
                    rounds_by_match[match] = self._timeline(self._journal.events(match)).rounds
            found += [round_.line for round_ in rounds_by_match[match] if round_.line.event == event]
        return tuple(found)

    def _match_line(self, number: int) -> MatchLine:
        """Return a match as listed. Raises NotFoundError."""
        with self._query_index() as rows:
            one_match = MatchFilter(after=number + 1, limit=1)
            lines = list_matches(rows, one_match, self._players, self._marks, self._journal.has_pictures)
        if not lines or lines[0].number != number:
            raise NotFoundError(f"There is no match {number} in this journal.")
        return lines[0]

    def _match_of_event(self, event: int) -> int:
        found = self._journal.event(event)
        if found is None:
            raise NotFoundError(f"There is no round {event} in this journal.")
        return found.match

    def _read_round(self, event: int) -> tuple[Event, MatchTimeline]:
        """Return a thrown round's event and its match. Raises NotFoundError."""
        events = self._journal.events(self._match_of_event(event))
        thrown = next(one for one in events if one.number == event)
        if "judgement" not in thrown.body:
            raise NotFoundError(f"Event {event} of this journal is not a thrown round.")
        return thrown, self._timeline(events)

    def _timeline(self, events: Sequence[Event]) -> MatchTimeline:
        return build_timeline(events, self._players.links(events[0]), self._marks)


def _flatten(timeline: MatchTimeline) -> Iterator[RoundLine | str]:
    """Yield a match's rounds and sentences in order, each round before its outcome."""
    for step in timeline.entries:
        if isinstance(step, TimelineRound):
            yield step.line
            yield from step.sentences
        else:
            yield step


def _zones(judgement: Mapping[str, Any]) -> dict[Seat, tuple[float, float, float, float]]:
    """Return the zones of the seats; a player missing from a class's image has none."""
    return {
        int(seat): (zone[0], zone[1], zone[2], zone[3])
        for seat, one in judgement["seats"].items()
        if (zone := one.get("zone")) and zone[2]
    }
