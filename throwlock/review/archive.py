"""What the review pages read: lists and players from the journal's index, a match and its rounds from its events.
Opened anew for every request, so that it shows what the box has kept a moment ago."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from rules.engine import Seat
from throwlock.journal.journal import Event, JournalError, JournalReader
from throwlock.journal.maintenance import Deleted, Keeper
from throwlock.review import export as exports
from throwlock.review.index import Index, Rows, cache_folder
from throwlock.review.players import People
from throwlock.review.records import classroom_of, days_in, games_in, lines_of, player_of, players_in
from throwlock.review.timeline import Story, Told, story_of
from ui.web.views import (
    Classroom,
    Mark,
    MatchFilter,
    MatchLine,
    MatchPage,
    NotFoundError,
    Picture,
    PlayerLine,
    PlayerPage,
    RoundLine,
    RoundPage,
)
from vision.strips import STRIP_MS

T = TypeVar("T")
NO_PLAYER = "There is no such player, or no longer."
NAMED_IN = "The name still stands in the first event of each match that an earlier Throwlock wrote: {}."
UNSETTLED = "Somebody was reading the journal: its files are rid of what was deleted when it is next closed or changed."


class Shelf:
    """A journal that pages are made from, with its index between requests.

    shelf = Shelf(Path("evening.journal"))
    with shelf.open() as archive:
        print(archive.matches(MatchFilter()))
    """

    def __init__(self, path: Path, cache: Path | None = None) -> None:
        """``cache`` is the folder of the index, the user's usual one if it is None."""
        self.path = path
        self._index = Index(cache or cache_folder())

    @contextmanager
    def open(self) -> Iterator["JournalArchive"]:
        """The journal as it stands now. Raises JournalError when it can't be read."""
        archive = JournalArchive(self.path, self._index)
        try:
            yield archive
        finally:
            archive.close()

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()


class JournalArchive:
    """The archive of one journal; see ``ui.web.views.Archive``. Every method raises JournalError where the journal
    can't be read, or changed."""

    def __init__(self, path: Path, index: Index) -> None:
        self._path = path
        self._index = index
        self._read()

    def _read(self) -> None:
        self._journal = JournalReader(self._path)
        self._people = People(self._journal)
        self._marks = {event: Mark(mark) for event, mark in self._journal.marks().items() if mark in list(Mark)}

    def close(self) -> None:
        """Let go of the journal. May be called twice."""
        self._journal.close()

    @contextmanager
    def _rows(self) -> Iterator[Rows]:
        with self._index.of(self._journal, self._people) as rows:
            yield rows

    def matches(self, wanted: MatchFilter) -> Sequence[MatchLine]:
        """See Archive."""
        with self._rows() as rows:
            return lines_of(rows, wanted, self._people, self._marks, self._journal.has_pictures)

    def days(self) -> Sequence[tuple[str, int]]:
        """See Archive."""
        with self._rows() as rows:
            return days_in(rows)

    def games(self) -> Sequence[tuple[str, str, int]]:
        """See Archive."""
        with self._rows() as rows:
            return games_in(rows)

    def players(self) -> Sequence[PlayerLine]:
        """See Archive."""
        with self._rows() as rows:
            return players_in(rows, self._people)

    def player(self, key: str) -> PlayerPage:
        """See Archive."""
        if key not in self._people.names:
            raise NotFoundError(NO_PLAYER)
        with self._rows() as rows:
            newest = lines_of(rows, MatchFilter(player=key), self._people, self._marks, self._journal.has_pictures)
            return player_of(rows, key, self._people, newest)

    def match(self, number: int) -> MatchPage:
        """See Archive."""
        line, events = self._line(number), self._journal.events(number)
        story = self._story(events)
        setup, house = story.billing.game.setup, story.billing.house
        return MatchPage(
            line=line,
            house=house.model_dump(mode="json"),
            options=dict(setup.options),
            camera=story.billing.camera,
            scores=story.scores,
            course=tuple(_flat(story)),
            ending=story.ending,
        )

    def round(self, event: int) -> RoundPage:
        """See Archive."""
        thrown, story = self._thrown(event)
        rounds = story.rounds
        place = next(place for place, told in enumerate(rounds) if told.line.event == event)
        return self._round_page(self._line(thrown.match), rounds, place, thrown)

    def rounds(self, match: int) -> Iterator[RoundPage]:
        """All thrown rounds of a match, as ``round`` gives them one by one."""
        line, events = self._line(match), self._journal.events(match)
        rounds = self._story(events).rounds
        thrown = [event for event in events if "judgement" in event.body]
        for place, event in enumerate(thrown):
            yield self._round_page(line, rounds, place, event)

    def _round_page(self, match: MatchLine, rounds: Sequence[Told], place: int, thrown: Event) -> RoundPage:
        judgement = thrown.body["judgement"]
        return RoundPage(
            match=match,
            line=rounds[place].line,
            first_ms=judgement["first_ms"],
            lock_ms=judgement["lock_ms"],
            lock_frame_ms=judgement["lock_frame_ms"],
            window_ms=judgement["window_ms"],
            zones=_zones(judgement),
            pictures=tuple(
                Picture(row.name, row.media_type, row.data is not None)
                for row in self._journal.evidence_rows(thrown.number)
            ),
            frames_ms=tuple(map(float, STRIP_MS)),
            told=rounds[place].sentences,
            previous=rounds[place - 1].line.event if place else None,
            next=rounds[place + 1].line.event if place + 1 < len(rounds) else None,
            moves=rounds[place].moves,
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
            self._line(match)
        with self._rows() as rows:
            return classroom_of(rows, day, match, self._people, self._examples)

    def mark(self, event: int, mark: Mark | None) -> None:
        """See Archive."""
        self._changed(lambda keeper: keeper.mark(event, mark))

    def delete_pictures(self, match: int) -> int:
        """See Archive."""
        return self._changed(lambda keeper: keeper.delete_pictures(match)).pieces

    def forget(self, key: str) -> str:
        """See Archive."""
        if key not in self._people.names:
            raise NotFoundError(NO_PLAYER)
        done = self._changed(lambda keeper: keeper.forget(key))
        with self._rows():  # out of the index too
            return _left(done)

    def _changed(self, change: Callable[[Keeper], T]) -> T:
        """Change the journal, with nobody here reading what it was: that would keep it in its files."""
        self.close()
        try:
            return change(Keeper(self._path))
        finally:
            self._read()

    def export(self, match: int, form: str, pictures: bool = True) -> tuple[str, str, bytes]:
        """See Archive; without ``pictures`` there are none in it."""
        return exports.exported(self._journal, self, match, form, pictures)

    def _examples(self, events: Sequence[int]) -> tuple[RoundLine, ...]:
        """The rounds thrown in ``events``, but for matches that this Throwlock can't replay."""
        stories: dict[int, tuple[Told, ...]] = {}
        found = []
        for event in events:
            match = self._match_of(event)
            if match not in stories:
                stories[match] = ()
                with suppress(JournalError):
                    stories[match] = self._story(self._journal.events(match)).rounds
            found += [told.line for told in stories[match] if told.line.event == event]
        return tuple(found)

    def _line(self, number: int) -> MatchLine:
        """One match as it stands in a list. Raises NotFoundError."""
        with self._rows() as rows:
            wanted = MatchFilter(after=number + 1, most=1)
            lines = lines_of(rows, wanted, self._people, self._marks, self._journal.has_pictures)
        if not lines or lines[0].number != number:
            raise NotFoundError(f"There is no match {number} in this journal.")
        return lines[0]

    def _match_of(self, event: int) -> int:
        found = self._journal.event(event)
        if found is None:
            raise NotFoundError(f"There is no round {event} in this journal.")
        return found.match

    def _thrown(self, event: int) -> tuple[Event, Story]:
        """A thrown round and its match. Raises NotFoundError."""
        events = self._journal.events(self._match_of(event))
        thrown = next(one for one in events if one.number == event)
        if "judgement" not in thrown.body:
            raise NotFoundError(f"Event {event} of this journal is no round that was thrown.")
        return thrown, self._story(events)

    def _story(self, events: Sequence[Event]) -> Story:
        return story_of(events, self._people.of(events[0]), self._marks)


def _left(done: Deleted) -> str:
    """What could not be deleted with a player, in a sentence or two; nothing where all is gone."""
    named = "" if len(done.named_in) < 1 else NAMED_IN.format(", ".join(map(str, done.named_in)))
    return " ".join(one for one in (named, "" if done.settled else UNSETTLED) if one)


def _flat(story: Story) -> Iterator[RoundLine | str]:
    """The course of a match, the sentences of what came of a round after it."""
    for step in story.course:
        if isinstance(step, Told):
            yield step.line
            yield from step.sentences
        else:
            yield step


def _zones(judgement: Mapping[str, Any]) -> dict[Seat, tuple[float, float, float, float]]:
    """The zones of the seats, where the event has them: not in the first journals, nor of who was not in the picture of
    a class."""
    return {
        int(seat): (zone[0], zone[1], zone[2], zone[3])
        for seat, one in judgement["seats"].items()
        if (zone := one.get("zone")) and zone[2]
    }
