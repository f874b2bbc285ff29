"""A match told from its events: every round that was thrown, with what came of it, and what was said between. What was
sealed or secret is left out; what people corrected is told as it counts now."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Answers, Ask, IllegalAnswerError, Play, Say, Seat, Value
from rules.throws import Throw
from throwlock.journal.journal import Event, JournalError
from throwlock.match.config import Billing, billing_of
from throwlock.match.corrections import CORRECTION, DISPUTES, Course, course_in, readings_of
from ui.i18n.language import N, row
from ui.screen.pages.classroom.view import LEVEL, LOSING, WINNING, moves_of, stand_of
from ui.screen.pages.standing.view import of_say
from ui.text import verdicts
from ui.web.views import Correction, Mark, MoveRow, PlayerLink, RoundLine, SeatRound

VOID = "void"
"""In place of every verdict on a round that can't be judged."""
DROPPED = N("It no longer counts: a round before it was corrected.")
GIVEN_UP = N("Given up.")
OVER, GOING_ON, LEFT = "over", "going on", "given up"
"""The states of a match."""
COURSE = ("began", "answer", "void", *DISPUTES, "ended", "given up")
"""The events that a match goes on with; the last of them says its state."""
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError)
"""What reading an event raises that is not as this Throwlock writes it."""


@dataclass(frozen=True)
class Told:
    """A thrown round with the sentences of what came of it."""

    line: RoundLine
    sentences: tuple[str, ...]
    moves: tuple[MoveRow, ...] = ()


@dataclass(frozen=True)
class Story:
    """A match so far: ``course`` has its rounds and, between them, sentences of everything else that was said.
    ``scores`` are the last ones said; ``ending`` is None while it is going on."""

    billing: Billing
    course: tuple[Told | str, ...]
    scores: Mapping[Seat, int]
    ending: str | None

    @property
    def rounds(self) -> tuple[Told, ...]:
        """The rounds alone, in the order they were thrown."""
        return tuple(step for step in self.course if isinstance(step, Told))


def story_of(events: Sequence[Event], players: Sequence[PlayerLink], marks: Mapping[int, Mark]) -> Story:
    """The story of a match; ``players`` are its players in seat order, ``marks`` those of its rounds by event.
    Raises JournalError when its events can't be read or replayed."""
    billing = billing_of(events)
    try:
        return _Teller(billing, events, players, marks).story()
    except IllegalAnswerError as error:
        raise JournalError(f"match {events[0].number} can't be replayed: {error}") from error
    except UNREADABLE as error:
        raise JournalError(f"match {events[0].number} has an event that can't be read: {error!r}") from error


class _Teller:
    """Goes through a match's events once, the game beside them."""

    def __init__(
        self, billing: Billing, events: Sequence[Event], players: Sequence[PlayerLink], marks: Mapping[int, Mark]
    ) -> None:
        self._billing = billing
        self._events = events
        self._players = players
        self._marks = marks
        self._names = {seat: player.name for seat, player in enumerate(players, 1)}
        self._course = course_in(events)
        self._asks = asks_in(billing, events)
        self._disputes = disputes_in(events)
        self._play = Play(billing.game)
        self._scores: dict[Seat, int] = {}
        self._staked: dict[Seat, int] = {}
        self._thrown = 0
        self._moves: tuple[MoveRow, ...] = ()

    def story(self) -> Story:
        steps: list[Told | str] = list(self._tell(self._play.said))
        for event in self._events:
            if "judgement" in event.body:
                steps.append(self._round(event))
            elif event.number in self._course:
                for_throw = self._play.asked is not None and self._play.asked.about.get("draws") == "a throw"
                sentences = self._answered(self._course[event.number])
                if for_throw and steps and isinstance(steps[-1], Told):
                    steps[-1] = self._with_more(steps[-1], sentences)
                else:
                    steps += sentences
        return Story(self._billing, tuple(steps), self._scores, self._ending())

    def _with_more(self, told: Told, sentences: Sequence[str]) -> Told:
        """A round with what it came to once the box had drawn what it wanted for it."""
        seats = tuple(
            one if one.after is None else replace(one, after=self._scores.get(one.seat)) for one in told.line.seats
        )
        return Told(replace(told.line, seats=seats), (*told.sentences, *sentences), self._moves)

    def _ending(self) -> str | None:
        state = state_of(self._events)
        if state == OVER and self._play.result is not None:
            return verdicts.told_result(self._play.result, self._names)
        return GIVEN_UP if state == LEFT else None

    def _answered(self, answers: Answers) -> tuple[str, ...]:
        """What the game says to the answers that count."""
        ask = self._play.asked
        said = self._play.answer(answers)
        if ask is not None and ask.kind == "bet" and not ask.secret:
            for seat, value in ask.check(answers).items():
                self._staked[seat] = self._staked.get(seat, 0) + int(value or 0)
        return self._tell(said)

    def _tell(self, said: Sequence[Say]) -> tuple[str, ...]:
        """What everybody was told, in sentences. The points are noted, not told."""
        public = [one for one in said if one.only is None]
        self._moves = next((moves for one in public if (moves := moves_in(one))), ())
        for one in public:
            scores = one.facts.get("scores")
            if one.kind == "score" and isinstance(scores, dict):
                self._scores = {int(seat): int(points) for seat, points in scores.items()}
        told = [one for one in public if one.kind not in verdicts.BESIDE]
        return tuple(line for one in told for line in verdicts.tell(one, self._names))

    def _round(self, event: Event) -> Told:
        """A thrown round, whether it counts or not."""
        self._thrown += 1
        ask = self._asks.get(event.number)
        bets = {**self._staked, **_bets_about(ask)}
        before = self._scores
        counts = event.number in self._course
        sentences = self._answered(self._course[event.number]) if counts else ()
        if counts:
            self._staked = {}
        dropped = not counts and event.kind == "answer" and not self._made_void(event)
        body, sentence = event.body, verdicts.named(event.body["sentence"], self._names)
        seats = tuple(
            self._seat(event, int(seat), one, bets.get(int(seat)), None if dropped else before)
            for seat, one in sorted(body["judgement"]["seats"].items(), key=lambda item: int(item[0]))
        )
        trouble = body["judgement"].get("trouble")
        line = RoundLine(
            event=event.number,
            number=self._thrown,
            at=event.at,
            title=verdicts.headline(ask, self._title) if ask else self._title,
            seats=seats,
            sentence=row([sentence, DROPPED]) if dropped else sentence,
            void=not counts,
            trouble=None if trouble is None else str(trouble["kind"]),
            mark=self._marks.get(event.number),
            disputes=tuple(self._correction(one) for one in self._disputes.get(event.number, ())),
        )
        return Told(line, sentences, self._moves if counts else ())

    def _correction(self, event: Event) -> Correction:
        body = event.body
        sentence = verdicts.named(body["sentence"], self._names)
        if event.kind != CORRECTION:
            return Correction(event.number, event.at, True, sentence=sentence)
        return Correction(event.number, event.at, False, body["seat"], body["from"], body["to"], sentence)

    @property
    def _title(self) -> str:
        return self._billing.game.rules.title

    def _made_void(self, event: Event) -> bool:
        return any(one.kind == CORRECTION and one.body["seat"] is None for one in self._disputes.get(event.number, ()))

    def _seat(
        self, event: Event, seat: Seat, one: Mapping[str, Any], bet: Value, before: Mapping[Seat, int] | None
    ) -> SeatRound:
        """One seat of a round; ``before`` are the scores before it, None where the match has taken another course."""
        judgement = event.body["judgement"]
        corrected = event.number in self._disputes and seat in corrected_in(self._disputes[event.number])
        counted = self._course.get(event.number, {}).get(seat)
        late = one["verdict"] == "late"
        return SeatRound(
            seat=seat,
            player=self._players[seat - 1],
            verdict=verdict_in(judgement, one),
            foul=seat in event.body.get("fouls", ()) and not corrected,
            throw=_throw(counted),
            at_lock=_throw(one["at_lock"]),
            then=_throw(one["throw"] if late else one["then"]),
            shown_ms=one["shown_ms"],
            plus_minus_ms=one["plus_minus_ms"],
            after_first_ms=after_first_ms(judgement, one),
            bet=bet,
            before=None if before is None else before.get(seat),
            after=None if before is None else self._scores.get(seat),
            inferences=int(one.get("inferences", 0)),
        )


def moves_in(say: Say) -> tuple[MoveRow, ...]:
    """The moves table of a round of Battle; nothing where something else is said."""
    here = of_say(say)
    stands = [stand_of(facts) for facts in here.seats.values()]
    return tuple(
        MoveRow(line.move, line.count, line.beats, line.ends[WINNING], line.ends[LEVEL], line.ends[LOSING])
        for line in moves_of(stands, here.table)
    )


def state_of(events: Sequence[Event]) -> str:
    """Whether a match is over, going on or given up; after a dispute at its end it goes on until it ends again."""
    last = next((event.kind for event in reversed(events) if event.kind in COURSE), "")
    return {"ended": OVER, "given up": LEFT}.get(last, GOING_ON)


def asks_in(billing: Billing, events: Sequence[Event]) -> dict[int, Ask]:
    """What every thrown round was thrown for, by event number: as the game asked it then, whatever was corrected
    since."""
    asks: dict[int, Ask] = {}
    cuts = [place for place, event in enumerate(events) if event.kind == CORRECTION]
    for cut in (*cuts, len(events)):
        for number, ask in _asked(billing, events[:cut]):
            asks.setdefault(number, ask)
    return asks


def _asked(billing: Billing, events: Sequence[Event]) -> Iterator[tuple[int, Ask]]:
    """The throws asked on the course that ``events`` come to, by the number of the event that answered or was void."""
    course: Course = course_in(events)
    play = Play(billing.game)
    for event in events:
        if "judgement" in event.body and play.asked is not None and play.asked.kind == "throw":
            yield event.number, play.asked
        if event.number in course:
            play.answer(course[event.number])


def disputes_in(events: Sequence[Event]) -> dict[int, list[Event]]:
    """The corrections and upheld verdicts of each round, in the order they were made."""
    found: dict[int, list[Event]] = {}
    for event in events:
        if event.kind in DISPUTES:
            found.setdefault(int(event.body["round"]), []).append(event)
    return found


def corrected_in(disputes: Sequence[Event]) -> set[Seat]:
    """The seats whose reading was corrected: theirs was no foul."""
    return {one.body["seat"] for one in disputes if one.kind == CORRECTION and one.body["seat"] is not None}


def readings(thrown: Event, disputes: Sequence[Event]) -> Mapping[Seat, Value]:
    """What each seat of a round is read as, whether the round counts or not; ``disputes`` are its own."""
    return readings_of([thrown, *disputes], thrown.number).values


def verdict_in(judgement: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """The verdict on a seat of a judged round as people read it: none where the round was troubled, or another's hand
    hid what the seat threw."""
    void = judgement.get("trouble") is not None or (one["verdict"] == "on time" and one["at_lock"] is None)
    return VOID if void else str(one["verdict"])


def after_first_ms(judgement: Mapping[str, Any], one: Mapping[str, Any]) -> float | None:
    """When a seat showed, in ms after the first hand; None where either was not timed or there is no verdict on it."""
    shown, first = one["shown_ms"], judgement["first_ms"]
    timed = shown is not None and first is not None and verdict_in(judgement, one) != VOID
    return round(shown - first, 1) if timed else None


def _bets_about(ask: Ask | None) -> dict[Seat, int]:
    """The bets that a throw was asked for with."""
    bets = ask.about.get("bets") if ask else None
    return {int(seat): int(bet) for seat, bet in bets.items()} if isinstance(bets, dict) else {}


def _throw(value: Value) -> Throw | None:
    return None if value is None else Throw(str(value))
