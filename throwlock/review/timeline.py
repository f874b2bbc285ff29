"""A match as a timeline: every thrown round with its outcome, and the public sentences in between, as corrected. Sealed
and secret answers are left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Answers, GameEvent, IllegalAnswerError, Play, Prompt, Seat, Value
from rules.throws import Throw
from throwlock.journal.journal import CORRECTION, Event, JournalError
from throwlock.match.config import MatchConfig, config_from_events
from throwlock.match.corrections import DISPUTE_KINDS, EffectiveAnswers, effective_answers, readings_after
from ui.i18n.language import N, join
from ui.screen.pages.classroom.view import LOSS, TIE, WIN, count_throws, player_standing
from ui.screen.pages.scoreboard.view import event_facts
from ui.text import verdicts
from ui.web.views import DisputeLine, Mark, MoveRow, PlayerLink, RoundLine, SeatRound

VOID_VERDICT = "void"
"""Shown for every seat of a round that can't be judged."""
DROPPED_TEXT = N("It no longer counts: a round before it was corrected.")
ABANDONED_TEXT = N("Abandoned.")
FINISHED, IN_PROGRESS, ABANDONED = "finished", "in progress", "abandoned"
STATE_KINDS = ("started", "answer", "void", *DISPUTE_KINDS, "ended", "abandoned")
"""Kinds of events by whose last one a match's state is known."""
MALFORMED_EVENT_ERRORS = (KeyError, TypeError, ValueError, AttributeError)
"""Raised when an event is not in the form that this version writes."""


@dataclass(frozen=True)
class TimelineRound:
    """A thrown round and the sentences about its outcome."""

    line: RoundLine
    sentences: tuple[str, ...]
    moves: tuple[MoveRow, ...] = ()


@dataclass(frozen=True)
class MatchTimeline:
    """A match so far. ``entries`` are its rounds and, in between, the sentences of everything else; ``scores`` the
    latest ones; ``ending`` is None while it is in progress."""

    config: MatchConfig
    entries: tuple[TimelineRound | str, ...]
    scores: Mapping[Seat, int]
    ending: str | None

    @property
    def rounds(self) -> tuple[TimelineRound, ...]:
        """The rounds alone, in order."""
        return tuple(step for step in self.entries if isinstance(step, TimelineRound))


def build_timeline(events: Sequence[Event], players: Sequence[PlayerLink], marks: Mapping[int, Mark]) -> MatchTimeline:
    """Build the timeline of a match. ``players`` are in seat order, ``marks`` by event number. Raises JournalError when
    the events can't be read or replayed."""
    config = config_from_events(events)
    try:
        return _TimelineBuilder(config, events, players, marks).build()
    except IllegalAnswerError as error:
        raise JournalError(f"match {events[0].number} can't be replayed: {error}") from error
    except MALFORMED_EVENT_ERRORS as error:
        raise JournalError(f"match {events[0].number} has an event that can't be read: {error!r}") from error


class _TimelineBuilder:
    """Replays a match's events once, in step with the game."""

    def __init__(
        self, config: MatchConfig, events: Sequence[Event], players: Sequence[PlayerLink], marks: Mapping[int, Mark]
    ) -> None:
        self._config = config
        self._events = events
        self._players = players
        self._marks = marks
        self._names = {seat: player.name for seat, player in enumerate(players, 1)}
        self._counting_answers = effective_answers(events)
        self._prompts = prompts_by_event(config, events)
        self._disputes = disputes_by_round(events)
        self._play = Play(config.game)
        self._scores: dict[Seat, int] = {}
        self._bets: dict[Seat, int] = {}
        self._round_number = 0
        self._moves: tuple[MoveRow, ...] = ()

    def build(self) -> MatchTimeline:
        entries: list[TimelineRound | str] = list(self._public_sentences(self._play.events))
        for event in self._events:
            if "judgement" in event.body:
                entries.append(self._build_round(event))
            elif event.number in self._counting_answers:
                for_throw = self._play.prompt is not None and self._play.prompt.about.get("draws") == "a throw"
                sentences = self._answer(self._counting_answers[event.number])
                if for_throw and entries and isinstance(entries[-1], TimelineRound):
                    entries[-1] = self._add_sentences(entries[-1], sentences)
                else:
                    entries += sentences
        return MatchTimeline(self._config, tuple(entries), self._scores, self._ending_text())

    def _add_sentences(self, round_: TimelineRound, sentences: Sequence[str]) -> TimelineRound:
        """Return a round with the outcome of the box's draw that followed it."""
        seats = tuple(
            one if one.score_after is None else replace(one, score_after=self._scores.get(one.seat))
            for one in round_.line.seats
        )
        return TimelineRound(replace(round_.line, seats=seats), (*round_.sentences, *sentences), self._moves)

    def _ending_text(self) -> str | None:
        state = match_state(self._events)
        if state == FINISHED and self._play.result is not None:
            return verdicts.result_sentence(self._play.result, self._names)
        return ABANDONED_TEXT if state == ABANDONED else None

    def _answer(self, answers: Answers) -> tuple[str, ...]:
        """Give the game the answers that count and return its sentences."""
        prompt = self._play.prompt
        events = self._play.answer(answers)
        if prompt is not None and prompt.kind == "bet" and not prompt.secret:
            for seat, value in prompt.check(answers).items():
                self._bets[seat] = self._bets.get(seat, 0) + int(value or 0)
        return self._public_sentences(events)

    def _public_sentences(self, events: Sequence[GameEvent]) -> tuple[str, ...]:
        """Return the sentences of the public events; scores are stored instead."""
        public = [one for one in events if one.only is None]
        self._moves = next((moves for one in public if (moves := move_rows(one))), ())
        for one in public:
            scores = one.facts.get("scores")
            if one.kind == "score" and isinstance(scores, dict):
                self._scores = {int(seat): int(points) for seat, points in scores.items()}
        sentence_events = [one for one in public if one.kind not in verdicts.SCOREBOARD_KINDS]
        return tuple(line for one in sentence_events for line in verdicts.event_sentences(one, self._names))

    def _build_round(self, event: Event) -> TimelineRound:
        """Build a thrown round, whether it counts or not."""
        self._round_number += 1
        prompt = self._prompts.get(event.number)
        bets = {**self._bets, **_bets_in_prompt(prompt)}
        before = self._scores
        counts = event.number in self._counting_answers
        sentences = self._answer(self._counting_answers[event.number]) if counts else ()
        if counts:
            self._bets = {}
        dropped = not counts and event.kind == "answer" and not self._was_made_void(event)
        body, sentence = event.body, verdicts.fill_names(event.body["text"], self._names)
        seats = tuple(
            self._build_seat(event, int(seat), one, bets.get(int(seat)), None if dropped else before)
            for seat, one in sorted(body["judgement"]["seats"].items(), key=lambda item: int(item[0]))
        )
        trouble = body["judgement"].get("void_reason")
        line = RoundLine(
            event=event.number,
            number=self._round_number,
            at=event.at,
            title=verdicts.headline(prompt, self._title) if prompt else self._title,
            seats=seats,
            sentence=join([sentence, DROPPED_TEXT]) if dropped else sentence,
            void=not counts,
            void_reason=None if trouble is None else str(trouble["kind"]),
            mark=self._marks.get(event.number),
            disputes=tuple(self._build_dispute(one) for one in self._disputes.get(event.number, ())),
        )
        return TimelineRound(line, sentences, self._moves if counts else ())

    def _build_dispute(self, event: Event) -> DisputeLine:
        body = event.body
        sentence = verdicts.fill_names(body["text"], self._names)
        if event.kind != CORRECTION:
            return DisputeLine(event.number, event.at, True, sentence=sentence)
        return DisputeLine(event.number, event.at, False, body["seat"], body["from"], body["to"], sentence)

    @property
    def _title(self) -> str:
        return self._config.game.rules.title

    def _was_made_void(self, event: Event) -> bool:
        return any(one.kind == CORRECTION and one.body["seat"] is None for one in self._disputes.get(event.number, ()))

    def _build_seat(
        self, event: Event, seat: Seat, one: Mapping[str, Any], bet: Value, before: Mapping[Seat, int] | None
    ) -> SeatRound:
        """Build one seat of a round. ``before`` are the scores before it; None where a correction dropped the round."""
        judgement = event.body["judgement"]
        corrected = event.number in self._disputes and seat in corrected_seats(self._disputes[event.number])
        counted = self._counting_answers.get(event.number, {}).get(seat)
        late = one["verdict"] == "late"
        return SeatRound(
            seat=seat,
            player=self._players[seat - 1],
            verdict=displayed_verdict(judgement, one),
            foul=seat in event.body.get("fouls", ()) and not corrected,
            throw=_throw(counted),
            at_lock=_throw(one["at_lock"]),
            after_lock=_throw(one["throw"] if late else one["after_lock"]),
            shown_ms=one["shown_ms"],
            uncertainty_ms=one["uncertainty_ms"],
            after_first_ms=after_first_ms(judgement, one),
            bet=bet,
            score_before=None if before is None else before.get(seat),
            score_after=None if before is None else self._scores.get(seat),
            inferences=int(one.get("inferences", 0)),
        )


def move_rows(say: GameEvent) -> tuple[MoveRow, ...]:
    """Return the table of moves of a round of Battle; () for any other event."""
    here = event_facts(say)
    stands = [player_standing(facts) for facts in here.seats.values()]
    return tuple(
        MoveRow(line.throw, line.count, line.beats, line.outcomes[WIN], line.outcomes[TIE], line.outcomes[LOSS])
        for line in count_throws(stands, here.table)
    )


def match_state(events: Sequence[Event]) -> str:
    """Return a match's state; after a dispute at its end it is in progress until it ends again."""
    last = next((event.kind for event in reversed(events) if event.kind in STATE_KINDS), "")
    return {"ended": FINISHED, "abandoned": ABANDONED}.get(last, IN_PROGRESS)


def prompts_by_event(config: MatchConfig, events: Sequence[Event]) -> dict[int, Prompt]:
    """Return the prompt of every thrown round by event number, as it was then, whatever was corrected since."""
    asks: dict[int, Prompt] = {}
    cuts = [place for place, event in enumerate(events) if event.kind == CORRECTION]
    for cut in (*cuts, len(events)):
        for number, prompt in _prompts_on_course(config, events[:cut]):
            asks.setdefault(number, prompt)
    return asks


def _prompts_on_course(config: MatchConfig, events: Sequence[Event]) -> Iterator[tuple[int, Prompt]]:
    """Yield the throw prompts in a replay of ``events``, by the number of the answering or void event."""
    answers_by_event: EffectiveAnswers = effective_answers(events)
    play = Play(config.game)
    for event in events:
        if "judgement" in event.body and play.prompt is not None and play.prompt.kind == "throw":
            yield event.number, play.prompt
        if event.number in answers_by_event:
            play.answer(answers_by_event[event.number])


def disputes_by_round(events: Sequence[Event]) -> dict[int, list[Event]]:
    """Return the corrections and rejected disputes of each round, in order."""
    found: dict[int, list[Event]] = {}
    for event in events:
        if event.kind in DISPUTE_KINDS:
            found.setdefault(int(event.body["round"]), []).append(event)
    return found


def corrected_seats(disputes: Sequence[Event]) -> set[Seat]:
    """Return the seats whose reading was corrected: theirs was no foul."""
    return {one.body["seat"] for one in disputes if one.kind == CORRECTION and one.body["seat"] is not None}


def seat_readings(thrown: Event, disputes: Sequence[Event]) -> Mapping[Seat, Value]:
    """Return the reading of each seat of a round, whether it counts or not; ``disputes`` are its own."""
    return readings_after([thrown, *disputes], thrown.number).values


def displayed_verdict(judgement: Mapping[str, Any], seat: Mapping[str, Any]) -> str:
    """Return the verdict on a seat for display: "void" when the round could not be judged, or another hand hid the
    seat's throw."""
    void = judgement.get("void_reason") is not None or (seat["verdict"] == "on time" and seat["at_lock"] is None)
    return VOID_VERDICT if void else str(seat["verdict"])


def after_first_ms(judgement: Mapping[str, Any], seat: Mapping[str, Any]) -> float | None:
    """Return when a seat showed in ms after the first hand; None when either was not timed or the seat has no
    verdict."""
    shown, first = seat["shown_ms"], judgement["first_shown_ms"]
    timed = shown is not None and first is not None and displayed_verdict(judgement, seat) != VOID_VERDICT
    return round(shown - first, 1) if timed else None


def _bets_in_prompt(prompt: Prompt | None) -> dict[Seat, int]:
    """Return the bets in a throw prompt."""
    bets = prompt.about.get("bets") if prompt else None
    return {int(seat): int(bet) for seat, bet in bets.items()} if isinstance(bets, dict) else {}


def _throw(value: Value) -> Throw | None:
    return None if value is None else Throw(str(value))
