"""Generates large journals of plausible matches without a camera: random answers through the real rules, invented
verdicts and times, tiny evidence. For the tests and ``make bench``."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from typing_extensions import override

from rules.catalogue import GAMES
from rules.engine import Game, Prompt, Seat, Value
from rules.record.judgement import JudgementRecord, SeatRecord, VoidReasonRecord
from rules.record.match import REFEREE
from rules.record.round import FoulRule
from rules.throws import WINDOW_MS, Throw
from throwlock.house_rules import HouseRules
from throwlock.journal.events import (
    Answered,
    Body,
    DisputeRejected,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    RoundJudged,
    RoundVoided,
    record_result,
)
from throwlock.journal.file import transaction
from throwlock.journal.journal import Event, Evidence, Journal
from throwlock.journal.player_names import assign_player_keys
from throwlock.replay.config import MatchConfig
from throwlock.replay.corrections import CorrectionError, plan_correction
from throwlock.replay.project import MatchFold
from throwlock.tables.foul_policy import apply_foul_rule, fouling_seats
from ui.text import verdicts

GAME_MIX: Sequence[tuple[str, tuple[int, ...], Mapping[str, Value], int]] = (
    ("classic", (2,), {"best_of": 3}, 8),
    ("classic", (3, 4), {}, 4),
    ("redeux", (2,), {"risk": "always", "goal": 20}, 3),
    ("future", (3,), {"cards": "table"}, 1),
    ("battle", (4, 6), {"rounds": 3}, 1),
    ("tr", (2,), {}, 2),
    ("board", (2,), {"quiet": 10}, 1),
)
"""Games, numbers of seats, options, relative frequency."""
VERDICT_PERCENT = {"on time": 90, "late": 4, "changed": 2, "early": 1, "unclear": 1, "unseen": 1, "two hands": 1}
"""Percentage of hands with each verdict."""
PLAYER_COUNT = 60
FIRST_START, PLAY_HOURS = datetime(2026, 1, 5, 14, tzinfo=UTC), range(14, 17)
"""Start of the first match, and the hours of play."""
MAX_ANSWERS = 400
"""A longer match is abandoned."""
TINY_JPEG = b"\xff\xd8 a picture \xff\xd9"


class SampleClock:
    """A clock for events: four seconds apart, in the afternoons only."""

    def __init__(self) -> None:
        self.now = FIRST_START

    def __call__(self) -> str:
        """Return the next time stamp, ISO 8601 in UTC."""
        self.now += timedelta(seconds=4)
        if self.now.hour >= PLAY_HOURS.stop:
            self.now = (self.now + timedelta(days=1)).replace(hour=PLAY_HOURS.start)
        return self.now.isoformat(timespec="milliseconds")


class SampleJournal(Journal):
    """A journal written in one transaction, thousands of events a second."""

    @contextmanager
    def in_one_transaction(self) -> Iterator[None]:
        """Write everything in the block in one transaction."""
        with transaction(self._db):
            yield

    @override
    def start_match(self, body: MatchStarted, names: Sequence[str | None]) -> int:
        keys = assign_player_keys(self._db, names)
        return self._insert(None, body.model_copy(update={"players": keys})).match

    @override
    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        return self._insert(match, body, evidence)


def write_sample_journal(path: Path, matches: int, seed: int = 0) -> None:
    """Create a journal of ``matches`` matches at ``path``, reproducible by ``seed`` except for the players' keys."""
    with SampleJournal(path, SampleClock()) as journal, journal.in_one_transaction():
        rng = random.Random(seed)
        for _ in range(matches):
            SampleMatch(journal, rng).play()


class SampleMatch:
    """One match, played at random. Low-numbered players play most."""

    def __init__(self, journal: Journal, rng: random.Random, game: Game | None = None) -> None:
        """Start the match, of a random game by default."""
        self._journal, self._rng = journal, rng
        game = game or self._any_game()
        seated: dict[int, None] = {}
        while len(seated) < game.setup.seats:
            seated.setdefault(
                rng.choices(range(1, PLAYER_COUNT + 1), [1 / (one + 5) for one in range(PLAYER_COUNT)])[0]
            )
        self._house = HouseRules(on_foul=rng.choices(list(FoulRule), [8, 1, 1])[0])
        config = MatchConfig(game, tuple(f"Pupil {one}" for one in seated), self._house, camera="simulated")
        self.number = journal.start_match(config.start_event(), config.names)
        self._events = journal.events(self.number)
        self._fold = MatchFold(self._events[0], REFEREE)
        self.is_over = False

    def _any_game(self) -> Game:
        name, seats, options, _ = self._rng.choices(GAME_MIX, [kind[-1] for kind in GAME_MIX])[0]
        return GAMES[name].set_up(self._rng.choice(seats), options)

    def play(self, answers: int = MAX_ANSWERS) -> None:
        """Play to the end, or for ``answers`` answers. One in a hundred is abandoned early."""
        leave = self._rng.randrange(1, 10) if self._rng.random() < 0.01 else answers
        for _ in range(min(leave, answers)):
            if self._fold.prompt is None:
                break
            self._step(self._fold.prompt)
            if self._rng.random() < 0.01:
                self._dispute()
        result = self._fold.view.result
        if result is not None:
            self._append(MatchEnded(result=record_result(result)))
            self.is_over = True
        elif leave < answers or answers == MAX_ANSWERS:
            self._append(MatchAbandoned())
            self.is_over = True

    def _append(self, body: Body, evidence: Sequence[Evidence] = ()) -> None:
        self._events.append(self._journal.append(self.number, body, evidence))
        self._fold.add(self._events[-1])

    def _step(self, prompt: Prompt) -> None:
        """Write one answer or void round."""
        asked = {} if prompt.is_optional else prompt.seats  # nobody comes or goes
        drawn = {seat: options.draw(self._rng) for seat, options in asked.items()}
        if prompt.kind != "throw":
            self._append(Answered(prompt=prompt.kind, answers=drawn, secret=prompt.is_secret))
            return
        judgement = _judgement(drawn, self._rng)
        fouls = fouling_seats(judgement, prompt)
        answers = apply_foul_rule(judgement, self._house.on_foul, prompt)
        foul_sentences = [
            verdicts.foul_sentence(judgement, seat, verdicts.seat_placeholders(judgement.seats)) for seat in fouls
        ]
        counts = verdicts.LOCK_IMAGE_STANDS if self._house.on_foul is FoulRule.STAND else verdicts.THROW_FORFEITED
        end = [] if answers and not fouls else [verdicts.ROUND_REPLAYED if answers is None else counts]
        trouble = [verdicts.void_sentence("covered", 0.0)] if judgement.void_reason else []
        sentence = " ".join([*trouble, *foul_sentences, *end]) or verdicts.ALL_ON_TIME
        pictures = [
            Evidence(f"{name}.jpg", "image/jpeg", TINY_JPEG) for name in ("lock", *(f"strip-{s}" for s in drawn))
        ]
        kind = prompt.kind
        if answers is None:
            self._append(RoundVoided(prompt=kind, judgement=judgement, fouls=fouls, text=sentence), pictures)
        else:
            body = RoundJudged(prompt=kind, judgement=judgement, fouls=fouls, text=sentence, answers=dict(answers))
            self._append(body, pictures)

    def _dispute(self) -> None:
        """Dispute one of the last rounds: correct a reading or reject the dispute."""
        thrown = [event for event in self._events if event.round][-3:]
        if not thrown:
            return
        number, seat = self._rng.choice(thrown).number, self._rng.randrange(1, len(self._fold.view.players) + 1)
        title = self._fold.view.title
        if self._rng.random() < 0.3:
            self._append(DisputeRejected(round=number, text=verdicts.dispute_rejected_sentence(title)))
            return
        try:
            made = plan_correction(self._fold.view, number, seat, self._rng.choice(list(Throw)).value)
        except CorrectionError:
            return
        sentence = verdicts.correction_sentence(
            title, f"{{{seat}}}", made.previous, made.to, made.answers is None, len(made.dropped)
        )
        self._append(made.model_copy(update={"text": sentence}))


def _judgement(throws: Mapping[Seat, Value], rng: random.Random) -> JudgementRecord:
    unjudged = rng.random() < 0.01
    first = round(rng.gauss(20, 25), 1)
    seats = {seat: _seat_verdict(str(throw), first, rng) for seat, throw in throws.items()}
    if timely := [one for one in seats.values() if one["verdict"] == "on time"]:
        rng.choice(timely)["shown_ms"] = first
    lock = max(0.0, round(first + WINDOW_MS, 1))
    return JudgementRecord(
        first_shown_ms=first,
        lock_ms=lock,
        window_ms=float(WINDOW_MS),
        lock_frame_ms=round(lock + rng.uniform(-8, 8), 1),
        void_reason=VoidReasonRecord(kind="covered", seat=None, measured=0.0) if unjudged else None,
        seats={seat: SeatRecord.model_validate(one) for seat, one in seats.items()},
    )


def _seat_verdict(throw: str, first: float, rng: random.Random) -> dict[str, Any]:
    """Return the fields of a plausible verdict on one hand; late hands show rock at the lock."""
    verdict = rng.choices(list(VERDICT_PERCENT), list(VERDICT_PERCENT.values()))[0]
    late, unread = verdict == "late", verdict in ("unclear", "unseen", "two hands")
    shown = {"late": rng.uniform(160, 600), "early": rng.uniform(-500, -200)}.get(verdict, abs(rng.gauss(0, 35)))
    return {
        "verdict": verdict,
        "throw": None if unread else throw,
        "at_lock": None if unread else "rock" if late else throw,
        "shown_ms": None if unread else round(first + shown, 1),
        "uncertainty_ms": None if unread else round(rng.uniform(3, 9), 1),
        "after_lock": rng.choice(list(Throw)).value if verdict == "changed" else None,
        "cause": None,
        "entered_zone": None,
        "inferences": rng.randrange(20, 90),
        "zone": (0.1, 0.2, 0.3, 0.5),
    }
