"""Folds the events of a match into the model that everything that shows it reads, as one viewer may see it::

    project(journal.events(12), SPECTATOR).rounds

Whoever follows a match keeps a ``MatchFold`` and adds one event at a time; only a correction replays the match.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from messages import N
from rules.catalogue import GAMES
from rules.engine import (
    Answers,
    Game,
    GameEvent,
    IllegalAnswerError,
    Play,
    Prompt,
    Seat,
    Value,
    by_seat,
    visible_events,
)
from rules.events import BetsOpened, Pairs, Scores, ThrowsDecided
from rules.record.judgement import Verdict
from rules.record.match import REFEREE, SPECTATOR, MatchState, MatchView, StepView, Viewer
from rules.record.round import (
    THROW_WORDS,
    DisputeView,
    PlayerLink,
    RoundView,
    SeatView,
    compare_throws,
    entered_seat,
    game_outcomes,
    judged_seat,
    shown_throws,
)
from rules.throws import Outcome, Throw
from throwlock.journal.events import (
    Answered,
    Corrected,
    DisputeRejected,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    Round,
    RoundJudged,
    RoundVoided,
)
from throwlock.journal.journal import Event, JournalError, match_started
from throwlock.replay.answers import EffectiveAnswers, take_answers
from throwlock.replay.config import config_from_events
from ui.text import verdicts


def project(
    events: Iterable[Event],
    viewer: Viewer = SPECTATOR,
    players: Sequence[PlayerLink] = (),
    game: Game | None = None,
) -> MatchView:
    """Return a match as ``viewer`` may see it, from all its events. ``players``, in seat order, and ``game`` are by
    default those of its first event. Raises JournalError if that does not start a match."""
    first, *rest = events
    fold = MatchFold(first, viewer, players, game)
    for event in rest:
        fold.add(event)
    return fold.view


class MatchFold:
    """A match that grows by one event at a time."""

    def __init__(
        self,
        first: Event,
        viewer: Viewer = SPECTATOR,
        players: Sequence[PlayerLink] = (),
        game: Game | None = None,
    ) -> None:
        """``first`` is the event that starts the match; the rest as for ``project``."""
        self._started = match_started([first])
        rules = GAMES.get(self._started.game)
        self._title = rules.title if rules else self._started.game
        self._says_outcomes = rules is not None and rules.says_outcomes
        self._viewer = viewer
        self._players = tuple(players) or _players_of(first, self._started)
        self._events = [first]
        self._game, self._config_problem = game, ""
        if game is None:
            try:
                self._game = config_from_events([first]).game
            except JournalError as error:
                self._config_problem = error.text
        self._answers: EffectiveAnswers = {}
        self._rounds: set[int] = set()
        self._asked_then: dict[int, Prompt | None] = {}
        """What each round was asked when it was thrown."""
        self._disputes: dict[int, tuple[DisputeView, ...]] = {}
        """The disputes of each round."""
        self._begin()

    def _begin(self) -> None:
        """Begin the game, as it was before any answer."""
        self.refusal = ""
        """Why the game refuses an answer of the journal; "" as long as it does not."""
        self._play = Play(self._game) if self._game else None
        self._scores: Mapping[Seat, int] = {}
        self._bets: dict[Seat, int] = {}
        self._fouls: dict[Seat, int] = {}
        self._events_by_answer: dict[int, tuple[GameEvent, ...]] = {}
        self._steps: list[StepView | RoundView] = []
        self._round_number = 0
        self._pairs: Sequence[Sequence[Seat]] = ()
        """The groups whose throws are compared, in a game of pairs."""
        self._undecided: list[int] = []
        """The steps that are rounds whose outcome the game has not said yet, in a game that does."""
        first, events = self._events[0], tuple(self._play.events) if self._play else ()
        self._note(events)
        self._steps.append(StepView(first.number, first.at, events=self._visible_events(events)))

    def add(self, event: Event) -> None:
        """Add the match's next event."""
        self._events.append(event)
        take_answers(self._answers, event)
        match event.body:
            case Corrected(round=number, seat=seat, previous=previous, to=to, text=text):
                dispute = DisputeView(event.number, event.at, False, seat, previous, to, text)
            case DisputeRejected(round=number, text=text):
                dispute = DisputeView(event.number, event.at, True, text=text)
            case _:
                self._take(event)
                return
        if number in self._rounds:
            self._disputes[number] = (*self._disputes.get(number, ()), dispute)
        self._begin()
        for earlier in self._events[1:]:
            self._take(earlier)

    @property
    def prompt(self) -> Prompt | None:
        """What the game asks now, as the viewer may see it."""
        return self._visible_prompt(self._play.prompt) if self._play else None

    @property
    def events_by_answer(self) -> Mapping[int, tuple[GameEvent, ...]]:
        """What the game made of the answers that count, as far as the viewer may see it, by their event's number."""
        return self._events_by_answer

    @property
    def view(self) -> MatchView:
        """The match so far."""
        first = self._events[0]
        return MatchView(
            number=first.number,
            at=first.at,
            game=self._game,
            title=self._title,
            players=self._players,
            state=match_state(self._events[-1]),
            steps=tuple(self._steps),
            scores=self._scores,
            fouls=dict(self._fouls),
            prompt=self.prompt,
            result=self._play.result if self._play else None,
            problem=self._problem,
        )

    @property
    def _problem(self) -> str:
        """Why the match can't be replayed."""
        if not self.refusal:
            return self._config_problem
        return N("match {number} can’t be replayed: {why}", number=self._events[0].number, why=self.refusal)

    def _take(self, event: Event) -> None:
        """Take an event in its turn, with the answers of it that count now."""
        match event.body:
            case Answered():
                if event.number in self._answers:
                    self._take_answers(event)
            case Corrected(round=number, text=text):
                if number not in self._rounds:  # answers were taken back
                    self._steps.append(StepView(event.number, event.at, text=text))
            case RoundJudged() | RoundVoided():
                self._take_round(event, event.body)
            case _:
                pass

    def _take_answers(self, event: Event) -> None:
        """Take the answers to a prompt, other than judged throws."""
        prompt = self._play.prompt if self._play else None
        answers = self._answers[event.number]
        bets, before = {**self._bets, **_bets_in_prompt(prompt)}, self._scores
        events = self._answer(event.number)
        if prompt is not None and self._play is not None:
            answers = prompt.check(answers)
        visible = self._visible_answers(prompt, answers)
        step = StepView(
            event.number,
            event.at,
            self._visible_prompt(prompt),
            visible,
            frozenset(answers.keys() - visible.keys()),
            self._visible_events(events),
        )
        drawn_for = self._round_awaiting_draws(prompt)
        if drawn_for is not None:
            self._steps[drawn_for] = self._with_draw(drawn_for, step.events)
            step = replace(step, events=())
        self._steps.append(replace(step, seats=self._entered_seats(step.events, bets, before)))
        self._decide(events)

    def _entered_seats(
        self, events: Sequence[GameEvent], bets: Mapping[Seat, int], before: Mapping[Seat, int]
    ) -> tuple[SeatView, ...]:
        """Return the seats whose entered throws visible events show; ``bets`` and scores are those ``before``."""
        throws, outcomes, bets = shown_throws(events), game_outcomes(events), {**bets, **_bets_opened(events)}
        if throws:
            self._bets = {}
        return tuple(
            replace(
                entered_seat(seat, self._players[seat - 1], throw),
                outcome=outcomes.get(seat),
                bet=bets.get(seat),
                score_before=before.get(seat),
                score_after=self._scores.get(seat),
            )
            for seat, throw in sorted(throws.items())
        )

    def _round_awaiting_draws(self, prompt: Prompt | None) -> int | None:
        """Return the index of the round for which the box draws throws, if that is what ``prompt`` asks."""
        if prompt is None or prompt.about.get("draws") != "a throw":
            return None
        for index in range(len(self._steps) - 1, 0, -1):
            step = self._steps[index]
            if isinstance(step, RoundView):
                return index
            if step.events or step.text:
                return None
        return None

    def _with_draw(self, index: int, events: tuple[GameEvent, ...]) -> RoundView:
        thrown = self._steps[index]
        assert isinstance(thrown, RoundView)
        events = (*thrown.events, *events)
        outcomes = game_outcomes(events)
        seats = tuple(
            replace(
                seat,
                outcome=outcomes.get(seat.seat),
                score_after=None if seat.score_after is None else self._scores.get(seat.seat),
            )
            for seat in thrown.seats
        )
        return replace(thrown, seats=seats, events=events)

    def _take_round(self, event: Event, thrown: Round) -> None:
        asked = self._play.prompt if self._play else None
        asked_then = self._asked_then.setdefault(event.number, asked)
        self._rounds.add(event.number)
        self._round_number += 1
        counts, answers = event.number in self._answers, self._answers.get(event.number, {})
        disputes = self._disputes.get(event.number, ())
        readings = read_round(thrown, disputes)
        for seat in readings.fouls:
            self._fouls[seat] = self._fouls.get(seat, 0) + 1
        bets, before = {**self._bets, **_bets_in_prompt(asked_then)}, self._scores
        throw_outcomes = self._compare(answers)
        events = self._answer(event.number) if counts else ()
        visible_events = self._visible_events(events)
        bets |= _bets_opened(visible_events)
        if counts:
            self._bets = {}
        is_made_void = any(dispute.seat is None and not dispute.is_rejected for dispute in disputes)
        is_dropped = not counts and isinstance(thrown, RoundJudged) and not is_made_void
        visible = self._visible_seats(asked_then, thrown)
        judgement, outcomes = thrown.judgement, game_outcomes(visible_events)
        seats = tuple(
            replace(
                judged := judged_seat(judgement, seat, self._players[seat - 1], is_foul=seat in readings.fouls),
                throws=judged.throws if seat not in readings.corrected else () if throw is None else (throw,),
                throw=throw,
                reading=readings.values[seat],
                is_corrected=seat in readings.corrected,
                is_unsettled=seat in readings.unsettled,
                outcome=outcomes.get(seat),
                throw_outcome=throw_outcomes.get(seat),
                bet=bets.get(seat),
                score_before=None if is_dropped else before.get(seat),
                score_after=None if is_dropped else self._scores.get(seat),
            )
            for seat in sorted(visible)
            for throw in [_as_throw(answers.get(seat))]
        )
        view = RoundView(
            event=event.number,
            number=self._round_number,
            at=event.at,
            game=self._title,
            players=self._players,
            kind=thrown.prompt,
            prompt=self._visible_prompt(asked_then),
            is_still_asked=_is_same(asked_then, asked),
            judgement=judgement,
            fouls=thrown.fouls,
            text=thrown.text,
            was_judged=isinstance(thrown, RoundJudged),
            is_void=not counts,
            is_dropped=is_dropped,
            answers=answers,
            seats=seats,
            disputes=disputes,
            events=visible_events,
        )
        self._steps.append(view if len(seats) == len(judgement.seats) else _without_hidden(view))
        if counts and self._says_outcomes:
            self._undecided.append(len(self._steps) - 1)
        self._decide(events)

    def _answer(self, number: int) -> tuple[GameEvent, ...]:
        """Give the game the answers of an event that count, and return what it made of them."""
        play, prompt, answers = self._play, self._play.prompt if self._play else None, self._answers[number]
        if play is None:
            return ()
        try:
            events = play.answer(answers)
        except IllegalAnswerError as error:
            self._play, self.refusal = None, error.text
            return ()
        if prompt is not None and prompt.kind == "bet":
            for seat, bet in self._visible_answers(prompt, prompt.check(answers)).items():
                self._bets[seat] = self._bets.get(seat, 0) + int(bet or 0)
        self._note(events)
        self._events_by_answer[number] = self._visible_events(events)
        return events

    def _note(self, events: Sequence[GameEvent]) -> None:
        for event in events:
            if isinstance(event, Scores):
                self._scores = event.scores
            elif isinstance(event, Pairs):
                self._pairs = event.pairs

    def _compare(self, answers: Answers) -> dict[Seat, Outcome]:
        """Return who won and lost a round that counts by the throws alone; {} in a game that says so itself."""
        if self._says_outcomes:
            return {}
        outcomes: dict[Seat, Outcome] = {}
        for group in self._pairs or (answers,):
            outcomes |= compare_throws({seat: answers[seat] for seat in group if seat in answers})
        return outcomes

    def _decide(self, events: Sequence[GameEvent]) -> None:
        """Give the rounds that are still undecided the outcomes that the game says, if it does in ``events``."""
        for event in (event for event in events if isinstance(event, ThrowsDecided)):
            for index in tuple(self._undecided):
                thrown = self._steps[index]
                assert isinstance(thrown, RoundView)
                if not (outcomes := event.outcomes_of(seat.seat for seat in thrown.seats)):
                    continue
                seats = tuple(replace(seat, throw_outcome=outcomes.get(seat.seat)) for seat in thrown.seats)
                self._steps[index] = replace(thrown, seats=seats)
                self._undecided.remove(index)

    def _visible_prompt(self, prompt: Prompt | None) -> Prompt | None:
        """Return a prompt as the viewer may see it; None if only the box is asked."""
        if prompt is None or self._viewer == REFEREE:
            return prompt
        asked = prompt.to_players()
        return asked.visible_to(self._viewer) if asked.seats else None

    def _visible_events(self, events: Sequence[GameEvent]) -> tuple[GameEvent, ...]:
        return tuple(events) if self._viewer == REFEREE else visible_events(events, self._viewer)

    def _visible_answers(self, prompt: Prompt | None, answers: Answers) -> dict[Seat, Value]:
        """Return the answers that the viewer may see; without a prompt nobody knows which are secret."""
        if self._viewer == REFEREE:
            return dict(answers)
        return {} if prompt is None else prompt.visible_answers(answers, self._viewer)

    def _visible_seats(self, prompt: Prompt | None, thrown: Round) -> Collection[Seat]:
        """Return the seats of a round that the viewer may see: what the camera saw of a secret throw is secret."""
        seats = thrown.judgement.seats.keys()
        if self._viewer == REFEREE:
            return seats
        if prompt is None:
            return seats if isinstance(thrown, RoundJudged) and not thrown.secret else seats & {self._viewer}
        return seats & prompt.visible_answers(dict.fromkeys(prompt.seats), self._viewer).keys()


def match_state(last: Event) -> MatchState:
    """Return the state of a match whose newest event is ``last``."""
    match last.body:
        case MatchEnded():
            return MatchState.FINISHED
        case MatchAbandoned():
            return MatchState.ABANDONED
    return MatchState.IN_PROGRESS


@dataclass(frozen=True)
class RoundReadings:
    """How a round is read after its disputes."""

    values: Mapping[Seat, Value]
    """The reading of each seat, as it counts or would count."""
    unsettled: frozenset[Seat]
    """The seats that make the round void, through a foul, the camera or a close time, until people agree on them."""
    corrected: frozenset[Seat]
    """The seats whose reading people agreed on."""
    fouls: frozenset[Seat]
    """The seats that fouled, without those that were corrected."""


def read_round(thrown: Round, disputes: Iterable[DisputeView]) -> RoundReadings:
    """Return how a round is read after its disputes."""
    judged = thrown.judgement.seats
    if isinstance(thrown, RoundJudged):
        values, unsettled = dict(thrown.answers), set[Seat]()
    else:
        values = {seat: record.reading for seat, record in judged.items()}
        can_judge = thrown.judgement.void_reason is None
        undecided = {
            seat
            for seat, record in judged.items()
            # where a card was not read, every seat is settled: old journals hold corrections that do so
            if can_judge and record.verdict.is_undecided and (record.verdict is Verdict.TOO_CLOSE or record.cause)
        }
        unsettled = {*thrown.fouls, *undecided} or set(values)
    corrected = set[Seat]()
    for dispute in disputes:
        if dispute.is_rejected:
            continue
        if dispute.seat is None:
            unsettled = set(values)
        else:
            values[dispute.seat] = dispute.to
            corrected.add(dispute.seat)
            unsettled.discard(dispute.seat)
    fouls = frozenset(thrown.fouls) - corrected
    return RoundReadings(values, frozenset(unsettled), frozenset(corrected), fouls)


def _players_of(first: Event, started: MatchStarted) -> tuple[PlayerLink, ...]:
    """Return the players in seat order, as the first event has them."""
    keys = started.player_keys or (None,) * started.seats
    names = first.names or tuple(map(verdicts.default_name, range(1, len(keys) + 1)))
    return tuple(PlayerLink(key, name) for key, name in zip(keys, names, strict=True))


def _as_throw(answer: Value) -> Throw | None:
    """Return an answer as a throw; None for no throw, and for a move on a board."""
    return Throw(str(answer)) if answer in THROW_WORDS else None


def _is_same(asked_then: Prompt | None, asked_now: Prompt | None) -> bool:
    """Whether a round was asked what the game, as corrected, asks now."""
    if asked_then is None or asked_now is None:
        return False
    return asked_then is asked_now or asked_then.as_json() == asked_now.as_json()


def _without_hidden(view: RoundView) -> RoundView:
    """Return a round without anything of the seats that are not among its own."""
    shown = {seat.seat for seat in view.seats}
    judged = {seat: record for seat, record in view.judgement.seats.items() if seat in shown}
    return replace(
        view,
        judgement=view.judgement.model_copy(update={"seats": judged}),
        fouls=tuple(seat for seat in view.fouls if seat in shown),
        text="",
        answers={seat: answer for seat, answer in view.answers.items() if seat in shown},
        disputes=tuple(dispute for dispute in view.disputes if dispute.seat is None or dispute.seat in shown),
    )


def _bets_opened(events: Sequence[GameEvent]) -> dict[Seat, int]:
    return {seat: bet for event in events if isinstance(event, BetsOpened) for seat, bet in event.bets.items()}


def _bets_in_prompt(prompt: Prompt | None) -> dict[Seat, int]:
    return by_seat(prompt.about.get("bets")) if prompt else {}
