"""Matches of every game that are played the same way every time, by a script: fouls, void rounds, corrections, undone
answers, secrets, a class, a printed board, a tournament. Each writes a journal and is noted on every live surface."""

import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from device.system.clock import SimulatedClock
from rules.board.notation import parse_move
from rules.catalogue import find_game
from rules.classroom import with_class_options
from rules.engine import Value
from rules.record.round import FoulRule
from rules.record.tournament import TournamentStarted
from rules.tournaments.fixture import Format
from tests.helpers.board_scene import BOARD
from tests.helpers.disputing_people import make_the_other_win
from tests.helpers.surfaces import LiveSurfaces
from tests.helpers.table_matches import FakeCamera, Killed, PerfectJudge
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Event, Journal
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.replay.config import MatchConfig
from throwlock.replay.tournaments import newest_tournament
from throwlock.simulation.board_player import SimulatedBoardPlayer, board_camera
from throwlock.simulation.classroom import SimulatedClass
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.board import BoardTable
from throwlock.tables.classroom import ClassTable
from throwlock.tables.hands import HandTable
from throwlock.tables.source import RoundSource
from ui.screen.pages.classroom import SHOUT_ANSWER, RollCall
from ui.screen.pages.common import DISPUTE_ANSWER, UNDO_ANSWER
from ui.screen.pages.dispute import AgreedCorrection, DisputedRound
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import HERE_ANSWER, Presence
from ui.screen.pages.question import SEEN_REPLY
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Answer, InteractiveView
from vision.zones import default_zones

NAMES = ("Ada", "Ben", "Chidi", "Dora")
START = datetime(2026, 11, 20, 19, tzinfo=UTC)
BOARD_MOVES = ("0,3>0,2", "0,-4>0,-3", "-5,4>-5,5")
"""The last takes South's own Flag."""


@dataclass(frozen=True)
class Script:
    """A match: its game and options, and what people do at it."""

    game: str
    seats: int = 2
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 3
    house: HouseRules = field(default_factory=HouseRules)
    table: str = "hands"
    """What reads the throws: "hands", "screen", "class" or "board"."""
    disputes: Mapping[int, Any] = field(default_factory=dict)
    """What people answer to a dispute, or how they correct it, by the number of the reveal (from 0)."""
    undone: tuple[int, ...] = ()
    """The numbers of the messages (from 0) at which people take back what they entered."""
    kill_at: int = 0
    """The event after which the process is killed; 0: none."""
    is_slow: bool = False
    """Whether it takes too long to be played in a test: only its journal is looked at."""
    tournament: bool = False
    language: str = "en"


SCRIPTS: dict[str, Script] = {
    "classic": Script("classic", options={"best_of": 5}, disputes={1: make_the_other_win, 3: "stands"}),
    "classic_forfeit": Script(
        "classic", 3, {"best_of": 5}, seed=8, house=HouseRules(on_foul=FoulRule.FORFEIT),
        disputes={2: AgreedCorrection(None)},
    ),
    "classic_entered": Script("classic", options={"best_of": 3}, table="screen", undone=(1,)),
    "redeux": Script("redeux", 3, {"risk": "always", "tied_bets": "stand"}, seed=5, kill_at=16),
    "redeux_german": Script("redeux", 2, {"tied_bets": "ask", "goal": 30}, disputes={2: "stands"}, language="de"),
    "redeux_cards": Script(
        "redeux", 2, {"play_with": "cards", "risk": "always", "goal": 30, "tied_bets": "stand"}, seed=5
    ),
    "battle": Script("battle", 3, {"rounds": 3}, seed=4),
    "future": Script("future", 3, seed=5, kill_at=40),
    "tr": Script("tr", seed=5),
    "board": Script("board", seed=5),
    "board_printed": Script("board", 2, {"start": "1"}, table="board", is_slow=True),
    "class": Script("battle", 6, {"rounds": 2}, table="class"),
    "interrupted": Script("redeux", 2, {"risk": "always", "goal": 40, "tied_bets": "stand"}, kill_at=9),
    "tournament": Script("classic", 2, {"best_of": 1}, tournament=True),
}  # fmt: skip
"""The matches by the name of their journal."""


class ScriptedPeople:
    """People who answer whatever is asked of them, always the same."""

    def __init__(self, script: Script, players: SimulatedPlayers) -> None:
        self._script, self._players = script, players
        self._disputes = dict(script.disputes)
        self._asked = self._reveals = self._messages = 0

    def __call__(self, view: InteractiveView) -> Answer:
        answer: Answer = None
        match view:
            case Reveal():
                self._reveals += 1
                answer = DISPUTE_ANSWER if self._reveals - 1 in self._disputes else None
            case DisputedRound():
                settled = self._disputes.pop(self._reveals - 1, "stands")
                answer = settled(view) if callable(settled) else settled
            case GameMessage():
                self._messages += 1
                answer = UNDO_ANSWER if view.can_undo and self._messages - 1 in self._script.undone else None
            case GroupQuestion() if view.only_tells:
                answer = dict.fromkeys(view.prompt.seats, SEEN_REPLY)
            case GroupQuestion():
                self._asked += 1
                answer = self._players.answer(view.prompt, view.players, self._asked)
            case RollCall():
                answer = SHOUT_ANSWER
            case Presence():
                answer = HERE_ANSWER
        return answer


class KilledJournal(Journal):
    """A journal whose process is killed once ``kill_at`` events are written."""

    kill_at = 0

    def append(self, *event: Any, **more: Any) -> Event:
        written = super().append(*event, **more)
        if written.number == self.kill_at:
            raise Killed
        return written


@contextmanager
def repeatable() -> Iterator[None]:
    """Draw the same salts and keys every time."""
    dice = Random(0)
    with (
        patch.object(secrets, "token_hex", lambda size=32: dice.randbytes(size).hex()),
        patch.object(uuid, "uuid4", lambda: uuid.UUID(int=dice.getrandbits(128))),
    ):
        yield


def ticking_clock() -> Callable[[], str]:
    """Return a clock that is a second later at every look."""
    now = START

    def look() -> str:
        nonlocal now
        now += timedelta(seconds=1)
        return now.isoformat(timespec="milliseconds")

    return look


def open_table(
    script: Script, people: LiveSurfaces, clock: SimulatedClock, players: SimulatedPlayers, judge: PerfectJudge
) -> RoundSource:
    """Return what reads the answers of a match."""
    display, answers, seats = people.display, ScreenAnswers(people.display), script.seats
    if script.table == "class":
        students = SimulatedClass(clock, seats, script.seed)
        students.camera.start()
        class_table = ClassTable(
            camera=students.camera, display=display, clock=clock, house_rules=script.house, listener=students,
            people_answer=True,
        )  # fmt: skip
        return RoundSource(answers, (class_table,))
    if script.table == "board":
        camera, moves = board_camera(clock, 3), iter(BOARD_MOVES)
        camera.start()
        hands = SimulatedBoardPlayer(camera, clock, BOARD, lambda *_: parse_move(next(moves), BOARD), 3)
        game = find_game(script.game).set_up(seats, script.options)
        board = BoardTable(camera, clock, display, answers, game.setup, lambda line: None, mover=hands.begin_turn)
        return RoundSource(answers, (board,))
    if script.table == "screen":
        return RoundSource(answers)
    hand_table = HandTable(
        camera=FakeCamera(), zones=default_zones(seats), judge=judge, display=display, clock=clock,
        house_rules=script.house, listener=players,
    )  # fmt: skip
    return RoundSource(answers, (hand_table,))


def play(script: Script, path: Path) -> dict[str, list[str]]:
    """Play a script into the journal at ``path``. Return what each live surface said."""
    lines: dict[str, list[str]] = {}
    with repeatable(), KilledJournal(path, ticking_clock()) as journal:
        journal.kill_at = script.kill_at
        for config in matches(script, journal):
            number = journal.start_match(config.start_event(), config.names)
            for surface, said in play_match(script, journal, number, config).items():
                lines.setdefault(surface, []).extend(said)
    return lines


def matches(script: Script, journal: Journal) -> Iterator[MatchConfig]:
    """Yield the matches of a script, one after the other."""
    rules, names = find_game(script.game), tuple(f"Player {seat}" for seat in range(1, 41))
    names = names if script.table == "class" else NAMES
    if not script.tournament:
        options = with_class_options(script.options) if script.table == "class" else script.options
        game = rules.set_up(script.seats, options)
        yield MatchConfig(game, names[: script.seats], script.house, script.seed, "simulated")
        return
    body = TournamentStarted(game=script.game, options=dict(script.options), format=Format.KNOCKOUT, title="Cup")
    journal.start_tournament(body, NAMES[:3])
    while (record := newest_tournament(journal)) is not None and record.state.ready:
        fixture = record.state.ready[0]
        present = tuple(record.name(player) for player in fixture.present)
        seed = script.seed + len(record.matches)
        config = MatchConfig(record.game(fixture), present, script.house, seed, "simulated")
        yield replace(config, tournament=record.match_of(fixture))


def play_match(script: Script, journal: Journal, number: int, config: MatchConfig) -> dict[str, list[str]]:
    """Play, or resume, a match of a journal, and return what each live surface said."""
    judge, clock = PerfectJudge(), SimulatedClock(1_000_000_000)
    players = SimulatedPlayers(config.seed, judge, cheat_throw=1)
    in_class = script.table == "class"
    surfaces = LiveSurfaces(config.names, ScriptedPeople(script, players), in_class, script.game != "board")
    table = open_table(script, surfaces, clock, players, judge)
    output = MatchOutput(
        surfaces.display, clock, surfaces.announce, Pace(), surfaces, in_class, script.table == "screen"
    )
    match = Match(journal, number, table, output)
    with suppress(Killed):
        match.play()
    return surfaces.lines
