"""Nothing that is sealed or secret is sent to a hall, not even its hash, until it is opened or its match is over."""

import itertools
import json
import random
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rules.catalogue import GAMES
from rules.engine import Answers, Choices, Game, IntRange, Play, Prompt, Seat, Value
from tests.helpers.hall_broker import BOX as BOX_ID
from tests.helpers.hall_broker import HallCopy
from tests.helpers.journal_events import NAMES, STARTED, round_body
from tests.helpers.random_games import random_answers
from throwlock.hall.homie import BoxFacts
from throwlock.hall.journal_stream import JournalStream
from throwlock.hall.link import HallLink
from throwlock.hall.membership import Membership
from throwlock.hall.protocol import TOPIC_PREFIX, EventBatch, Hello, decode, encode, topic
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, Body, Corrected, MatchAbandoned, MatchEnded, record_result
from throwlock.journal.journal import Journal, JournalReader
from throwlock.replay.config import MatchConfig
from throwlock.replay.corrections import plan_undo
from throwlock.replay.public_log import view_game

MAX_QUESTIONS = 50
OVER = "public", "the match is over"
MEMBERSHIP = Membership(hall="A hall", host="127.0.0.1", ca="", box=BOX_ID, password="-")


@dataclass
class Network:
    """A connection that is always there, with a hub at its end. ``log`` has what was published."""

    receive: Callable[[str, bytes], None]
    log: list[tuple[str, str]]
    copy: HallCopy
    answers: list[bytes] = field(default_factory=list)
    is_ready: bool = True
    is_sending: bool = False

    def turn(self, wait_s: float, now_s: float) -> None:
        waiting, self.answers = self.answers, []
        for answer in waiting:
            self.receive(topic(BOX_ID, "stored"), answer)

    def publish(self, name: str, payload: bytes | str, *, retain: bool = False) -> None:
        self.log.append(("sent", f"{name} {payload!r}"))
        if name.startswith(TOPIC_PREFIX):
            message = decode(name.rpartition("/")[2], payload if isinstance(payload, bytes) else payload.encode())
            assert isinstance(message, Hello | EventBatch)
            self.answers.append(encode(self.copy.take(message)))

    def close(self, last_state: str) -> None:
        raise AssertionError("it stays open")

    drop = close


@dataclass
class Table:
    """A journal into which matches are played by random answers, and its link. ``changed`` is the number of a question
    of a match, a seat and another answer of it. ``log`` has what everybody knows and what is sent, in order."""

    path: Path
    seed: int
    changed: tuple[int, Seat, Value] | None = None
    log: list[tuple[str, str]] = field(default_factory=list)
    copy: HallCopy = field(default_factory=HallCopy)
    questions: list[tuple[Prompt, dict[Seat, Value]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.link = HallLink(
            MEMBERSHIP, self.path, BoxFacts,
            connect=lambda membership, receive, now_s: Network(receive, self.log, self.copy),  # type: ignore[arg-type,return-value]
            now_s=lambda: 0.0,
        )  # fmt: skip

    def send(self) -> None:
        for _ in range(3):
            self.link.turn()

    def play(self, game: Game, *, questions: int = MAX_QUESTIONS, ends: bool = True) -> None:
        """Play a match, or its first ``questions``, and then give it up if it ``ends``."""
        names = ("Ada", "Ben", "Cy", "Dot")[: game.setup.seats]
        at = itertools.count()
        with Journal(self.path, lambda: f"2026-05-01T12:00:00.{next(at):06d}+00:00") as journal:
            config = MatchConfig(game, names, HouseRules(), 7, "none")
            number = journal.start_match(config.start_event(), names)
            play, given = Play(game), list[Answers]()
            self.send()
            while (prompt := play.prompt) is not None and len(given) < questions:
                answers = dict(random_answers(prompt, random.Random(f"{self.seed}/{len(given)}")))
                if self.changed is not None and self.changed[0] == len(given):
                    answers[self.changed[1]] = self.changed[2]
                self.questions.append((prompt, answers))
                given.append(answers)
                play.answer(answers)
                self.log.append(("public", json.dumps(view_game(game, given), default=str)))
                journal.append(number, Answered(prompt=prompt.kind, answers=answers, secret=prompt.is_secret))
                self.send()
            if play.result is not None:
                journal.append(number, MatchEnded(result=record_result(play.result)))
            elif ends:
                journal.append(number, MatchAbandoned())
            if play.result is not None or ends:
                self.log.append(OVER)
            self.send()

    @property
    def stored(self) -> int:
        """How many events the hub has."""
        return sum(map(len, self.copy.journals.values()))

    @property
    def written(self) -> int:
        """How many events the journal has."""
        with JournalReader(self.path) as reader:
            return reader.number_and_hash()[0]


@pytest.fixture(autouse=True)
def same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals and players have the same ids in every run: what is sent differs only by what is answered."""
    monkeypatch.setattr(uuid, "uuid4", lambda: uuid.UUID(int=1))
    monkeypatch.setattr(secrets, "token_hex", lambda size=32: "ab" * size)


def others(prompt: Prompt, answers: dict[Seat, Value]) -> list[tuple[Seat, Value]]:
    """Return other answers to a question that nobody else may see when all are in."""
    found = []
    for seat, allowed in prompt.seats.items() if prompt.opened_by is not None else ():
        assert isinstance(allowed, Choices | IntRange)
        values = allowed.values if isinstance(allowed, Choices) else (allowed.start, allowed.stop)
        same = (answers[seat], prompt.default if answers[seat] is None else answers[seat])
        found += [(seat, value) for value in values if value not in same][:1]
    return found


GAMES_WITH_SECRETS = [
    pytest.param(GAMES["redeux"].set_up(2, {"risk": "always"}), id="Redeux with a Risk Round"),
    pytest.param(GAMES["redeux"].set_up(4, {"risk": "always", "boxes": 2}), id="Redeux of two pairs"),
    pytest.param(GAMES["future"].set_up(4), id="Future RPS"),
    pytest.param(GAMES["battle"].set_up(4), id="Battle"),
]


@pytest.mark.parametrize("game", GAMES_WITH_SECRETS)
@pytest.mark.slow
def test_no_byte_that_is_sent_depends_on_what_is_sealed(game: Game, tmp_path: Path) -> None:
    compared = told = 0
    for seed in (3,):
        one = Table(tmp_path / f"{seed}.journal", seed)
        one.play(game)
        changes = [
            (number, seat, value)
            for number, (prompt, answers) in enumerate(one.questions)
            for seat, value in others(prompt, answers)
        ]
        for change in random.Random(seed).sample(changes, min(6, len(changes))):
            compared += 1
            other = Table(tmp_path / f"{seed}-{compared}.journal", seed, change)
            other.play(game)
            pairs = enumerate(zip(one.log, other.log, strict=False))
            first = next((index for index, (mine, its) in pairs if mine != its), len(one.log))
            if OVER not in one.log[:first]:
                assert "sent" not in (one.log[first][0], other.log[first][0])
            told += any(kind == "sent" for kind, _ in one.log[first:])
        assert one.stored == one.written, "in the end everything is sent"
    assert compared > 4 and told > 1, "the comparison finds what is told"


def test_bets_go_as_soon_as_the_game_opens_them(tmp_path: Path) -> None:
    table = Table(tmp_path / "one.journal", 3)
    table.play(GAMES["redeux"].set_up(2, {"risk": "always"}), ends=False)
    assert any(prompt.opened_by for prompt, _ in table.questions)
    assert table.stored > table.written - 8, "only what is still sealed waits"
    batches = [text for kind, text in table.log if kind == "sent" and "/events" in text]
    assert len(batches) > 10


def test_a_battle_is_sent_as_it_is_played(tmp_path: Path) -> None:
    table = Table(tmp_path / "one.journal", 3)
    table.play(GAMES["battle"].set_up(4), ends=False)
    assert any(prompt.is_secret for prompt, _ in table.questions) and table.stored > table.written - 5


def test_dealt_cards_stay_sealed_until_the_match_ends(tmp_path: Path) -> None:
    table = Table(tmp_path / "one.journal", 3)
    game = GAMES["future"].set_up(4)
    table.play(game, questions=30, ends=False)
    assert table.stored < 5 < table.written and table.link.status.is_holding
    again = JournalStream(table.path)
    again.refresh()
    assert again.newest == table.link.newest, "a box that starts again holds the same"
    first = table.written
    table.play(game, questions=30, ends=False)
    assert first <= table.stored < table.written


def test_a_bet_that_was_taken_back_is_never_opened(tmp_path: Path) -> None:
    table = Table(tmp_path / "one.journal", 3)
    game = GAMES["redeux"].set_up(2, {"risk": "always"})
    with Journal(table.path) as journal:
        names = ("Ada", "Ben")
        number = journal.start_match(MatchConfig(game, names, HouseRules(), 7, "none").start_event(), names)
        play = Play(game)
        rng = random.Random(1)
        while play.prompt is not None and not play.prompt.opened_by:
            answers = dict(random_answers(play.prompt, rng))
            journal.append(number, Answered(prompt=play.prompt.kind, answers=answers))
            play.answer(answers)
        assert play.prompt is not None
        before = journal.number_and_hash()[0]
        first, second = (dict.fromkeys(play.prompt.seats, bet) for bet in (0, 5))
        journal.append(number, Answered(prompt="bet", answers={**first}))
        table.send()
        journal.append(number, plan_undo(journal.events(number)))
        journal.append(number, Answered(prompt="bet", answers={**second}))
        play.answer(second)
        while play.prompt is not None and not any(event.kind == "bets" for event in play.events):
            answers = {1: "rock", 2: "paper"}
            journal.append(number, Answered(prompt=play.prompt.kind, answers=answers))
            play.answer(answers)
        table.send()
        assert table.stored == before
        journal.append(number, MatchAbandoned())
        table.send()
        assert table.stored == table.written
    with JournalReader(table.path) as reader:
        assert any(isinstance(event.body, Corrected) for event in reader.events())


def test_correction_opens_no_later_bet(tmp_path: Path) -> None:
    table = Table(tmp_path / "one.journal", 3)
    game = GAMES["redeux"].set_up(2, {"risk": "always"})
    with Journal(table.path) as journal:
        names = ("Ada", "Ben")
        number = journal.start_match(MatchConfig(game, names, HouseRules(), 7, "none").start_event(), names)
        play, bets = Play(game), 0
        while play.prompt is not None and bets < 2:
            answers: dict[Seat, Value] = {seat: ("rock", "paper")[seat % 2] for seat in play.prompt.seats}
            if play.prompt.kind != "throw":
                answers = dict(random_answers(play.prompt, random.Random(1)))
            bets += bool(play.prompt.opened_by)
            newest = journal.append(number, Answered(prompt=play.prompt.kind, answers=answers)).number
            play.answer(answers)
        assert sum(event.kind == "bets" for event in play.events) == 1
        table.send()
        assert table.stored == newest - 1
        thrown = journal.events(number)[1].body
        assert isinstance(thrown, Answered)
        same = thrown.answers
        journal.append(
            number,
            Corrected(
                round=number + 1, seat=1, previous=same[1], to=same[1], answers=same, dropped=(), text="The same."
            ),
        )
        table.send()
        assert table.stored == newest - 1, "the bets of the first Risk Round are open, and not those of the second"


@pytest.mark.parametrize(
    "body",
    [Answered(prompt="throw", answers={1: "rock"}), round_body(fouls=(1,))],
    ids=["answered", "void"],
)
def test_of_a_match_that_can_not_be_replayed_every_answer_waits(body: Body, tmp_path: Path) -> None:
    table = Table(tmp_path / "one.journal", 3)
    with Journal(table.path) as journal:
        number = journal.start_match(STARTED.model_copy(update={"rules_version": 99}), NAMES)
        journal.append(number, body)
        table.send()
        assert table.stored == 1
        journal.append(number, MatchAbandoned())
        table.send()
        assert table.stored == 3
