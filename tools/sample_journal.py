"""Big journals of plausible matches without a camera: answers by chance through the real rules, verdicts and times made
up, evidence of a few bytes. For the tests and ``make bench``; nothing in them was ever seen."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rules.catalogue import GAMES
from rules.engine import Answers, Game, Play, Prompt, Seat, Value
from rules.throws import Throw
from throwlock.journal.file import transaction
from throwlock.journal.journal import STARTED, Event, Evidence, Journal
from throwlock.journal.player_names import assign_player_keys
from throwlock.match.config import MatchConfig
from throwlock.match.corrections import (
    CORRECTION,
    DISPUTE_REJECTED,
    CorrectionError,
    answers_to_json,
    effective_answers,
    plan_correction,
)
from throwlock.match.house_rules import FoulRule, HouseRules
from throwlock.match.random_answers import draw_answer
from ui.text import verdicts

KINDS: Sequence[tuple[str, tuple[int, ...], Mapping[str, Value], int]] = (
    ("classic", (2,), {"best_of": 3}, 8),
    ("classic", (3, 4), {}, 4),
    ("redeux", (2,), {"risk": "always", "goal": 20}, 3),
    ("future", (3,), {"cards": "table"}, 1),
    ("battle", (4, 6), {"rounds": 3}, 1),
    ("tr", (2,), {}, 2),
    ("board", (2,), {"quiet": 10}, 1),
)
"""Games, how many sit, options, how often beside the others."""
VERDICTS = {"on time": 90, "late": 4, "changed": 2, "early": 1, "unclear": 1, "unseen": 1, "two hands": 1}
"""How many of a hundred hands come to a verdict."""
PLAYERS = 60
START, AFTERNOON = datetime(2026, 1, 5, 14, tzinfo=UTC), range(14, 17)
"""When the first match begins, and the hours in which there are any."""
MOST = 400
"""Answers after which a match is given up."""
PICTURE = b"\xff\xd8 a picture \xff\xd9"


class EveryFewSeconds:
    """The time of an event: four seconds after the one before, in the afternoon."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> str:
        """Return the next time stamp, ISO 8601 in UTC."""
        self.now += timedelta(seconds=4)
        if self.now.hour >= AFTERNOON.stop:
            self.now = (self.now + timedelta(days=1)).replace(hour=AFTERNOON.start)
        return self.now.isoformat(timespec="milliseconds")


class SampleJournal(Journal):
    """A journal that is written in one transaction, thousands of events a second."""

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """All that is begun and appended meanwhile is on the disk at the end, or nothing."""
        with transaction(self._db):
            yield

    def start_match(self, body: Mapping[str, Any]) -> int:
        """See Journal."""
        return self._insert(None, STARTED, {**body, "players": assign_player_keys(self._db, body["players"])}, ()).match

    def append(self, match: int, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence] = ()) -> Event:
        """See Journal."""
        return self._insert(match, kind, body, evidence)


def fill(path: Path, matches: int, seed: int = 0) -> None:
    """Make a journal of so many matches at ``path``. The same seed makes the same ones, but for the players' keys."""
    with SampleJournal(path, EveryFewSeconds()) as journal, journal.at_once():
        dice = random.Random(seed)
        for _ in range(matches):
            SampleMatch(journal, dice).play()


class SampleMatch:
    """One match, played by chance. Those who play most are the first of the players."""

    def __init__(self, journal: Journal, dice: random.Random, game: Game | None = None) -> None:
        """Begin it: any game, unless one is given."""
        self._journal, self._dice = journal, dice
        game = game or self._any_game()
        sitting: dict[int, None] = {}
        while len(sitting) < game.setup.seats:
            sitting.setdefault(dice.choices(range(1, PLAYERS + 1), [1 / (one + 5) for one in range(PLAYERS)])[0])
        self._house = HouseRules(on_foul=dice.choices(list(FoulRule), [8, 1, 1])[0])
        billing = MatchConfig(game, tuple(f"Pupil {one}" for one in sitting), self._house, camera="simulated")
        self.number = journal.start_match(billing.event_body())
        self._game, self._play = game, Play(game)
        self._events = journal.events(self.number)
        self.over = False

    def _any_game(self) -> Game:
        name, seats, options, _ = self._dice.choices(KINDS, [kind[-1] for kind in KINDS])[0]
        return GAMES[name].set_up(self._dice.choice(seats), options)

    def play(self, answers: int = MOST) -> None:
        """Play on to the end, or for so many ``answers``. One in a hundred is given up instead."""
        leave = self._dice.randrange(1, 10) if self._dice.random() < 0.01 else answers
        for _ in range(min(leave, answers)):
            if self._play.prompt is None:
                break
            self._step(self._play.prompt)
            if self._dice.random() < 0.01:
                self._dispute()
        if self._play.result is not None:
            self._keep("ended", dict(self._play.result.as_json()))
            self.over = True
        elif leave < answers or answers == MOST:
            self._keep("abandoned", {})
            self.over = True

    def _keep(self, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence] = ()) -> None:
        self._events.append(self._journal.append(self.number, kind, body, evidence))

    def _step(self, ask: Prompt) -> None:
        """One answer, or a throw that was void."""
        drawn = {seat: draw_answer(options, self._dice) for seat, options in ask.seats.items()}
        if ask.kind != "throw":
            self._keep(
                "answer",
                {"prompt": ask.kind, "answers": answers_to_json(drawn), **({"secret": True} if ask.secret else {})},
            )
            self._play.answer(drawn)
            return
        judgement = _judgement(drawn, self._dice)
        fouls = (
            []
            if judgement["void_reason"]
            else [seat for seat in drawn if _seat(judgement, seat)["verdict"] != "on time"]
        )
        answers = self._ruled(ask, judgement, fouls)
        said = [_accused(seat, judgement) for seat in fouls]
        counts = verdicts.LOCK_IMAGE_STANDS if self._house.on_foul is FoulRule.STAND else verdicts.THROW_FORFEITED
        end = [] if answers and not fouls else [verdicts.ROUND_REPLAYED if answers is None else counts]
        trouble = [verdicts.void_sentence("covered", 0.0)] if judgement["void_reason"] else []
        sentence = " ".join([*trouble, *said, *end]) or verdicts.ALL_ON_TIME
        thrown = {"prompt": ask.kind, "judgement": judgement, "fouls": fouls, "text": sentence}
        pictures = [Evidence(f"{name}.jpg", "image/jpeg", PICTURE) for name in ("lock", *(f"strip-{s}" for s in drawn))]
        if answers is None:
            self._keep("void", thrown, pictures)
        else:
            self._keep("answer", {**thrown, "answers": answers_to_json(answers)}, pictures)
            self._play.answer(answers)

    def _ruled(self, ask: Prompt, judgement: Mapping[str, Any], fouls: Sequence[Seat]) -> Answers | None:
        """What counts of a throw by the house rule on fouls; None where it is void."""
        if judgement["void_reason"] or (fouls and self._house.on_foul is FoulRule.REPLAY):
            return None
        given = {seat: _seat(judgement, seat)["at_lock"] for seat in ask.seats}
        if self._house.on_foul is FoulRule.FORFEIT:
            given |= dict.fromkeys(fouls)
        missing = any(value is None for value in given.values())
        return (
            None if all(value is None for value in given.values()) or (missing and not ask.allow_no_answer) else given
        )

    def _dispute(self) -> None:
        """The table looks again at one of the last rounds: a hand is read anew, or the verdict stands."""
        thrown = [event for event in self._events if "judgement" in event.body][-3:]
        if not thrown:
            return
        number, seat = self._dice.choice(thrown).number, self._dice.randrange(1, self._game.setup.seats + 1)
        title = self._game.rules.title
        if self._dice.random() < 0.3:
            self._keep(DISPUTE_REJECTED, {"round": number, "text": verdicts.dispute_rejected_sentence(title)})
            return
        try:
            made = plan_correction(self._game, self._events, number, seat, self._dice.choice(list(Throw)).value)
        except CorrectionError:
            return
        sentence = verdicts.correction_sentence(
            title, f"{{{seat}}}", made.previous, made.to, made.answers is None, len(made.dropped)
        )
        self._keep(CORRECTION, {**made.event_body(), "by": "the table", "text": sentence})
        self._play = Play(self._game)
        for answers in effective_answers(self._events).values():
            self._play.answer(answers)


def _judgement(throws: Mapping[Seat, Value], dice: random.Random) -> dict[str, Any]:
    """What a camera might have made of a throw: times in ms after the cue."""
    troubled = dice.random() < 0.01
    first = round(dice.gauss(20, 25), 1)
    seats = {str(seat): _verdict(str(throw), first, dice) for seat, throw in throws.items()}
    if timely := [one for one in seats.values() if one["verdict"] == "on time"]:
        dice.choice(timely)["shown_ms"] = first
    lock = max(0.0, round(first + 150, 1))
    return {
        "first_shown_ms": first,
        "lock_ms": lock,
        "window_ms": 150.0,
        "lock_frame_ms": round(lock + dice.uniform(-8, 8), 1),
        "void_reason": {"kind": "covered", "seat": None, "measured": 0.0} if troubled else None,
        "seats": seats,
    }


def _verdict(throw: str, first: float, dice: random.Random) -> dict[str, Any]:
    """One hand's verdict; a cheat shows what beats rock where it has waited."""
    verdict = dice.choices(list(VERDICTS), list(VERDICTS.values()))[0]
    late, blind = verdict == "late", verdict in ("unclear", "unseen", "two hands")
    shown = {"late": dice.uniform(160, 600), "early": dice.uniform(-500, -200)}.get(verdict, abs(dice.gauss(0, 35)))
    return {
        "verdict": verdict,
        "throw": None if blind else throw,
        "at_lock": None if blind else "rock" if late else throw,
        "shown_ms": None if blind else round(first + shown, 1),
        "uncertainty_ms": None if blind else round(dice.uniform(3, 9), 1),
        "after_lock": dice.choice(list(Throw)).value if verdict == "changed" else None,
        "cause": None,
        "entered_zone": None,
        "inferences": dice.randrange(20, 90),
        "zone": [0.1, 0.2, 0.3, 0.5],
    }


def _seat(judgement: Mapping[str, Any], seat: Seat) -> Mapping[str, Any]:
    found: Mapping[str, Any] = judgement["seats"][str(seat)]
    return found


def _accused(seat: Seat, judgement: Mapping[str, Any]) -> str:
    one = _seat(judgement, seat)
    after = (one["shown_ms"] or 0.0) - judgement["first_shown_ms"]
    early = -(one["shown_ms"] or 0.0)
    return verdicts.foul_sentence(one["verdict"], f"{{{seat}}}", after, early, one["throw"], one["after_lock"])
