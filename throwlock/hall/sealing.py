"""How far a journal may be sent: up to the first answer that is still sealed or secret. Not even its hash may go, since
whoever has the hash finds the answer by trying all there are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.engine import GameEvent, Seat
from rules.record.match import REFEREE
from throwlock.journal.events import (
    Answered,
    Corrected,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    RoundJudged,
    RoundVoided,
)
from throwlock.journal.journal import NO_MATCH, Event
from throwlock.replay.project import MatchFold


@dataclass(frozen=True)
class _HeldAnswers:
    """Answers of an event that are not open yet."""

    seats: frozenset[Seat]
    """Whose answers they are."""
    opened_by: str
    """Which kind of a game's event opens them; "" if only the end of the match does."""


class SealTracker:
    """Follows a journal's events, and knows the first one that can't be sent yet.

    An answer is held until an event of the game opens it, or its match has ended, was abandoned, or another has begun,
    since nobody can go on with it then. The answers of a match that can't be replayed are all held."""

    def __init__(self) -> None:
        self._match: tuple[Event, Event] | None = None
        """The first and the last event of the match that was begun last."""
        self._fold: MatchFold | None = None
        self._held: dict[int, _HeldAnswers] = {}

    @property
    def first_held(self) -> int | None:
        """The number of the first event that can't be sent yet; None if all can."""
        return min(self._held, default=None)

    @property
    def match(self) -> str:
        """Number and game of the match that is being played, "12 classic"; "" if none is."""
        started = self._match[0].body if self._match else None
        if not self._match or not isinstance(started, MatchStarted):
            return ""
        is_over = isinstance(self._match[1].body, MatchEnded | MatchAbandoned)
        return "" if is_over else f"{self._match[0].match} {started.game}"

    def follow(self, event: Event) -> None:
        """Take the journal's next event."""
        if event.match == NO_MATCH:
            return
        if event.number == event.match:
            self._match, self._held, self._fold = (event, event), {}, MatchFold(event, REFEREE)
        elif self._match and self._fold and event.match == self._match[0].match:  # or else another has begun since
            self._match = self._match[0], event
            self._follow_match(event, self._fold)

    def _follow_match(self, event: Event, fold: MatchFold) -> None:
        prompt = fold.prompt
        fold.add(event)
        match event.body:
            case MatchEnded() | MatchAbandoned():
                self._held = {}
            case Answered(answers=answers) | RoundJudged(answers=answers):
                if prompt is None or prompt.opened_by is not None:
                    self._hold(event.number, answers, (prompt.opened_by or "") if prompt else "")
                self._open(fold.events_by_answer.get(event.number, ()), event.number)
            case RoundVoided(judgement=judgement):
                if prompt is None or prompt.is_secret:
                    self._hold(event.number, judgement.seats, "")
            case Corrected(round=number, dropped=dropped):
                for taken_back in {number, *dropped} & self._held.keys():
                    self._held[taken_back] = replace(self._held[taken_back], opened_by="")
                for answered, events in fold.events_by_answer.items():
                    self._open(events, answered)

    def _hold(self, number: int, seats: Mapping[Seat, object], opened_by: str) -> None:
        if seats:
            self._held[number] = _HeldAnswers(frozenset(seats), opened_by)

    def _open(self, events: Iterable[GameEvent], until: int) -> None:
        """Open the answers up to event ``until`` that events of the game open: those of the seats that an event has
        under its own name, if it has any seats there."""
        for event in events:
            if event.only is not None:
                continue
            by_seat = event.values.get(event.kind)
            opened = frozenset(by_seat) if isinstance(by_seat, Mapping) else None
            for number, held in list(self._held.items()):
                if number > until or held.opened_by != event.kind:
                    continue
                left = held.seats - opened if opened is not None else frozenset()
                self._held[number] = replace(held, seats=left)
                if not left:
                    del self._held[number]
