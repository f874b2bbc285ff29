"""A match as a timeline: every thrown round with its outcome, and the public sentences in between, as corrected. Sealed
and secret answers are left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from messages import N, join
from rules.engine import Answers, GameEvent, IllegalAnswerError, Play, Prompt, Seat
from rules.record.review import ReviewMark
from rules.throws import to_throw
from throwlock.journal.events import Corrected, DisputeRejected, MatchAbandoned, MatchEnded, Round, RoundJudged
from throwlock.journal.journal import Event, JournalError
from throwlock.replay.answers import EffectiveAnswers, effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.corrections import corrections_of
from throwlock.tables.verdict_text import stored_text
from ui.screen.pages.classroom import ThrowCount, count_throws, player_standing
from ui.screen.pages.scoreboard import event_facts
from ui.text import verdicts
from ui.web.views import DisputeLine, PlayerLink, RoundLine, SeatRound

DROPPED_TEXT = N("It no longer counts: a round before it was corrected.")
ABANDONED_TEXT = N("Abandoned.")
FINISHED, IN_PROGRESS, ABANDONED = "finished", "in progress", "abandoned"


@dataclass(frozen=True)
class MatchTimeline:
    """A match so far. ``entries`` are its rounds, each before its outcome, and the sentences of everything else;
    ``scores`` the latest ones; ``ending`` is None while it is in progress."""

    config: MatchConfig
    entries: tuple[RoundLine | str, ...]
    scores: Mapping[Seat, int]
    ending: str | None

    @property
    def rounds(self) -> tuple[RoundLine, ...]:
        """The rounds alone, in order."""
        return tuple(step for step in self.entries if isinstance(step, RoundLine))


def build_timeline(
    events: Sequence[Event], players: Sequence[PlayerLink], marks: Mapping[int, ReviewMark], notes: Mapping[int, str]
) -> MatchTimeline:
    """Build the timeline of a match. ``players`` are in seat order, ``marks`` and ``notes`` by event number. Raises
    JournalError when the events can't be read or replayed."""
    config = config_from_events(events)
    try:
        return _TimelineBuilder(config, events, players, marks, notes).build()
    except IllegalAnswerError as error:
        raise JournalError(
            N("match {number} can't be replayed: {why}", number=events[0].number, why=error.text)
        ) from error


class _TimelineBuilder:
    """Replays a match's events once, in step with the game."""

    def __init__(
        self,
        config: MatchConfig,
        events: Sequence[Event],
        players: Sequence[PlayerLink],
        marks: Mapping[int, ReviewMark],
        notes: Mapping[int, str],
    ) -> None:
        self._config = config
        self._events = events
        self._players = players
        self._marks, self._notes = marks, notes
        self._names = {seat: player.name for seat, player in enumerate(players, 1)}
        self._counting_answers = effective_answers(events)
        self._prompts = prompts_by_event(config, events)
        self._play = Play(config.game)
        self._scores: dict[Seat, int] = {}
        self._bets: dict[Seat, int] = {}
        self._round_number = 0
        self._throw_counts: tuple[ThrowCount, ...] = ()

    def build(self) -> MatchTimeline:
        entries: list[RoundLine | str] = list(self._public_sentences(self._play.events))
        for event in self._events:
            if event.round:
                entries.append(self._build_round(event, event.round))
            elif event.number in self._counting_answers:
                for_throw = self._play.prompt is not None and self._play.prompt.about.get("draws") == "a throw"
                sentences = self._answer(self._counting_answers[event.number])
                if for_throw and entries and isinstance(entries[-1], RoundLine):
                    entries[-1] = self._add_draw(entries[-1], sentences)
                else:
                    entries += sentences
            elif isinstance(event.body, Corrected) and not self._is_of_round(event.body):
                entries.append(verdicts.fill_names(event.body.text, self._names))
        in_order: list[RoundLine | str] = []
        for entry in entries:
            in_order += [entry] if isinstance(entry, str) else [entry, *entry.outcome]
        return MatchTimeline(self._config, tuple(in_order), self._scores, self._ending_text())

    def _is_of_round(self, correction: Corrected) -> bool:
        """Whether a correction is about a thrown round; else answers were taken back."""
        return any(event.number == correction.round and event.round for event in self._events)

    def _add_draw(self, line: RoundLine, sentences: Sequence[str]) -> RoundLine:
        """Return a round with the outcome of the box's draw that followed it."""
        seats = tuple(
            one if one.score_after is None else replace(one, score_after=self._scores.get(one.seat))
            for one in line.seats
        )
        return replace(line, seats=seats, outcome=(*line.outcome, *sentences), throw_counts=self._throw_counts)

    def _ending_text(self) -> str | None:
        state = match_state(self._events)
        if state == FINISHED and self._play.result is not None:
            return verdicts.result_sentence(self._play.result, self._names)
        return ABANDONED_TEXT if state == ABANDONED else None

    def _answer(self, answers: Answers) -> tuple[str, ...]:
        """Give the game the answers that count and return its sentences."""
        prompt = self._play.prompt
        events = self._play.answer(answers)
        if prompt is not None and prompt.kind == "bet" and not prompt.secret and not prompt.opened_later:
            for seat, value in prompt.check(answers).items():
                self._bets[seat] = self._bets.get(seat, 0) + int(value or 0)
        return self._public_sentences(events)

    def _public_sentences(self, events: Sequence[GameEvent]) -> tuple[str, ...]:
        """Return the sentences of the public events; scores are stored instead."""
        public = [one for one in events if one.only is None]
        self._throw_counts = next((counts for one in public if (counts := throw_counts(one))), ())
        for one in public:
            scores = one.facts.get("scores")
            if one.kind == "score" and isinstance(scores, dict):
                self._scores = {int(seat): int(points) for seat, points in scores.items()}
        sentence_events = [one for one in public if one.kind not in verdicts.SCOREBOARD_KINDS]
        return tuple(line for one in sentence_events for line in verdicts.event_sentences(one, self._names))

    def _build_round(self, event: Event, thrown: Round) -> RoundLine:
        """Build a thrown round, whether it counts or not."""
        self._round_number += 1
        prompt = self._prompts.get(event.number)
        bets = {**self._bets, **_bets_in_prompt(prompt)}
        before = self._scores
        counts = event.number in self._counting_answers
        event_count = len(self._play.events)
        outcome = self._answer(self._counting_answers[event.number]) if counts else ()
        bets |= _bets_opened(self._play.events[event_count:])
        if counts:
            self._bets = {}
        corrections = list(corrections_of(self._events, event.number))
        was_made_void = any(one.seat is None for one in corrections)
        dropped = not counts and event.kind == RoundJudged.kind and not was_made_void
        sentence = stored_text(thrown, self._names)
        fouls = set(thrown.fouls) - {one.seat for one in corrections}
        counted = self._counting_answers.get(event.number, {})
        title, judgement = self._config.game.rules.title, thrown.judgement
        seats = tuple(
            SeatRound(
                seat=seat,
                player=self._players[seat - 1],
                record=record,
                verdict=judgement.displayed_verdict(seat),
                after_first_ms=judgement.after_first_ms(seat),
                foul=seat in fouls,
                throw=to_throw(counted.get(seat)),
                bet=bets.get(seat),
                score_before=None if dropped else before.get(seat),
                score_after=None if dropped else self._scores.get(seat),
            )
            for seat, record in sorted(judgement.seats.items())
        )
        return RoundLine(
            event=event.number,
            number=self._round_number,
            at=event.at,
            title=verdicts.headline(prompt, title) if prompt else title,
            judgement=judgement,
            seats=seats,
            sentence=join([sentence, DROPPED_TEXT]) if dropped else sentence,
            void=not counts,
            mark=self._marks.get(event.number),
            disputes=tuple(self._build_disputes(event.number)),
            outcome=outcome,
            throw_counts=self._throw_counts if counts else (),
            note=self._notes.get(event.number, ""),
        )

    def _build_disputes(self, round_: int) -> Iterator[DisputeLine]:
        for event in self._events:
            match event.body:
                case Corrected(round=number, seat=seat, previous=previous, to=to, text=text) if number == round_:
                    sentence = verdicts.fill_names(text, self._names)
                    yield DisputeLine(event.number, event.at, False, seat, previous, to, sentence)
                case DisputeRejected(round=number, text=text) if number == round_:
                    yield DisputeLine(event.number, event.at, True, sentence=verdicts.fill_names(text, self._names))


def throw_counts(event: GameEvent) -> tuple[ThrowCount, ...]:
    """Return the results by throw of a round of Battle; () for any other event."""
    facts = event_facts(event)
    return count_throws([player_standing(of_seat) for of_seat in facts.seats.values()], facts.table)


def match_state(events: Sequence[Event]) -> str:
    """Return a match's state; after a dispute at its end it is in progress until it ends again."""
    return {MatchEnded.kind: FINISHED, MatchAbandoned.kind: ABANDONED}.get(events[-1].kind, IN_PROGRESS)


def prompts_by_event(config: MatchConfig, events: Sequence[Event]) -> dict[int, Prompt]:
    """Return the prompt of every thrown round by event number, as it was then, whatever was corrected since."""
    asks: dict[int, Prompt] = {}
    cuts = [place for place, event in enumerate(events) if event.kind == Corrected.kind]
    for cut in (*cuts, len(events)):
        for number, prompt in _prompts_on_course(config, events[:cut]):
            asks.setdefault(number, prompt)
    return asks


def _prompts_on_course(config: MatchConfig, events: Sequence[Event]) -> Iterator[tuple[int, Prompt]]:
    """Yield the throw prompts in a replay of ``events``, by the number of the answering or void event."""
    answers_by_event: EffectiveAnswers = effective_answers(events)
    play = Play(config.game)
    for event in events:
        if event.round and play.prompt is not None and play.prompt.kind == "throw":
            yield event.number, play.prompt
        if event.number in answers_by_event:
            play.answer(answers_by_event[event.number])


def corrected_seats(events: Sequence[Event], number: int) -> set[Seat]:
    """Return the seats whose reading in the round of event ``number`` was corrected: theirs was no foul."""
    return {one.seat for one in corrections_of(events, number) if one.seat is not None}


def _bets_opened(events: Sequence[GameEvent]) -> dict[Seat, int]:
    """Return the bets that were opened with a round's throws."""
    opened = [event.facts["bets"] for event in events if event.kind == "bets"]
    return {int(seat): int(bet) for bets in opened if isinstance(bets, dict) for seat, bet in bets.items()}


def _bets_in_prompt(prompt: Prompt | None) -> dict[Seat, int]:
    """Return the bets in a throw prompt."""
    bets = prompt.about.get("bets") if prompt else None
    return {int(seat): int(bet) for seat, bet in bets.items()} if isinstance(bets, dict) else {}
