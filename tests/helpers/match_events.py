"""Matches as lists of events, without a disk: random ones of any game, with judged and void rounds, corrections,
disputes and answers taken back."""

import random
from dataclasses import dataclass, field
from typing import Any

from rules.engine import BOX, Answers, Game, Prompt, replay
from rules.record.judgement import Verdict
from rules.record.match import REFEREE, MatchView
from rules.throws import Throw
from tests.helpers.journal_events import round_body, seat_record
from tests.helpers.random_games import random_answers
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, Body, MatchEnded, decode_body, encode_body, record_result
from throwlock.journal.journal import Event
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig
from throwlock.replay.corrections import (
    CorrectionError,
    allowed_readings,
    correction_event,
    disputable_rounds,
    disputed_round,
    plan_undo,
    rejection_event,
)
from throwlock.replay.project import project

NAMES = ("Ada", "Ben", "Chidi", "Dora", "Emil", "Fay", "Gus", "Hana")


@dataclass
class EventList:
    """A match's events as the journal would have them."""

    game: Game
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        seats = self.game.setup.seats
        names = (*NAMES, *(f"Player {seat}" for seat in range(len(NAMES) + 1, seats + 1)))[:seats]
        self.write(MatchConfig(self.game, names, HouseRules()).start_event(), names)

    def write(self, body: Body, names: tuple[str, ...] = ()) -> Event:
        """Write an event, as the journal would read it again."""
        number = len(self.events) + 1
        read = decode_body(body.kind, encode_body(body))
        self.events.append(Event(number, 1, f"2026-11-05T20:{number // 60:02}:{number % 60:02}", read, "", "", names))
        return self.events[-1]

    @property
    def view(self) -> MatchView:
        """The match as the referee sees it."""
        return project(self.events, REFEREE, game=self.game)

    @property
    def prompt(self) -> Prompt | None:
        """What the game asks after the answers that count."""
        return replay(self.game, effective_answers(self.events).values()).prompt

    def answer(self, answers: Answers) -> Event:
        """Answer the prompt."""
        assert self.prompt is not None
        return self.write(Answered(prompt=self.prompt.kind, answers=dict(answers), secret=self.prompt.is_secret))


def random_events(game: Game, dice: random.Random, length: int) -> list[Event]:
    """Return the events of a random match: at most ``length`` after its start."""
    match = EventList(game)
    while len(match.events) <= length:
        prompt = match.prompt
        if prompt is None:
            if not isinstance(match.events[-1].body, MatchEnded):
                result = replay(game, effective_answers(match.events).values()).result
                assert result is not None
                match.write(MatchEnded(result=record_result(result)))
            if dice.random() < 0.5 or not _dispute(match, dice):
                break
        elif dice.random() < 0.2 and _dispute(match, dice):
            pass
        elif prompt.kind == "throw" and BOX not in prompt.seats and dice.random() < 0.8:
            match.write(random_round(prompt, random_answers(prompt, dice), dice))
        else:
            match.answer(random_answers(prompt, dice))
    return match.events


def random_round(prompt: Prompt, answers: Answers, dice: random.Random) -> Body:
    """Return a judged round with ``answers``, or a void one."""
    words = [*Verdict]
    counts, seats, fouls = dice.random() < 0.7, dict[int, Any](), list[int]()
    for seat, answer in answers.items():
        verdict = "on time" if dice.random() < 0.6 else dice.choice(words)
        shown = None if answer is None else dice.uniform(-300, 600)
        throw, later = None if answer is None else str(answer), dice.choice([None, *map(str, Throw)])
        times = {"shown_ms": shown, "uncertainty_ms": None if shown is None else 4.0}
        seats[seat] = seat_record(verdict, throw, after_lock=later, **times)
        if verdict not in ("on time", "too close to call", "not read"):
            fouls.append(seat)
    shown_ms = [record["shown_ms"] for record in seats.values() if record["shown_ms"] is not None]
    return round_body(seats, answers if counts else None, fouls, first_shown_ms=min(shown_ms, default=None))


def _dispute(match: EventList, dice: random.Random) -> bool:
    """Correct or dispute one of the last rounds, or take answers back; return whether that was possible."""
    view = match.view
    try:
        if dice.random() < 0.3:
            match.write(plan_undo(match.events).model_copy(update={"text": "Taken back."}))
            return True
        number = dice.choice([line.event for line in disputable_rounds(view, 3)] or [0])
        prompt = disputed_round(view, number).prompt
        assert prompt is not None
        if dice.random() < 0.3:
            match.write(rejection_event(view, number))
            return True
        seat = dice.choice([*prompt.seats, None])
        reading = None if seat is None else dice.choice(allowed_readings(prompt, seat) or (None,))
        match.write(correction_event(view, number, seat, reading))
    except CorrectionError:
        return False
    return True
