"""Whole matches at a table where everything is real but the eyes: a judge that knows what everybody does, a journal
whose process is killed, and a display that looks at the disk."""

import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from device.camera.frames import BgrFrame, Frame
from device.simulated.table.animation import Performance
from device.simulated.table.disturbances import Disturbance
from device.sound.base import NullSound, Sound
from device.system.clock import SimulatedClock
from messages import join
from rules.catalogue import find_game
from rules.engine import Game, Seat, Value, replay
from rules.events import ThrowsShown
from rules.record.judgement import Verdict
from rules.record.match import REFEREE
from rules.record.round import PlayerLink
from rules.throws import Throw
from tests.helpers.journal_events import json_body
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Body, decode_body
from throwlock.journal.journal import NO_MATCH, Event, Evidence, Journal, JournalReader, match_started
from throwlock.match.frame_keeper import FrameKeeper
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.match_runner import resume_or_begin
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.project import project
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.hands import HandTable
from throwlock.tables.source import RoundSource
from ui.screen.pages.message import GameMessage
from ui.screen.pages.reveal import Reveal
from ui.text.rounds import written_text
from ui.text.verdicts import event_sentences, fill_names, page_sentences
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import Judgement
from vision.lock.reasons import HandCause
from vision.lock.verdict import SeatVerdict, search_end_ns
from vision.zones import Zone, default_zones

FIXED_BATTLE: dict[str, Value] = {
    "rounds": 10, "changes": False, "blitz": False, "classic": False, "inverted": False, "count": False
}  # fmt: skip
"""A Battle in which only throws are asked for."""
NAMES = ("Ada", "Ben", "Chidi", "Dora")
MS = 1_000_000
BLANK = np.zeros((36, 64, 3), np.uint8)


class FakeCamera:
    """A camera whose ring has five small pictures of nothing, spread over the time that is asked for."""

    size = (64, 36)
    fps = 60.0
    dropped = 0

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def lock_exposure(self) -> None: ...

    def unlock_exposure(self) -> None: ...

    def latest(self) -> Frame:
        return BgrFrame(0, 10**18, 0, self.size, BLANK)

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        step = (until_ns - since_ns) // 4
        return [BgrFrame(n, since_ns + n * step, 0, self.size, BLANK) for n in range(5)]


@dataclass
class PerfectJudge:
    """A judge that knows every performance and judges by the definitions of the design."""

    performances: dict[Seat, Performance] = field(default_factory=dict)
    rounds: int = 0
    unread_rounds: int = 0
    """How many of the first rounds the second seat's hand is not read in."""

    def perform(self, seat: Seat, performance: Performance) -> None:
        """As the simulated table's."""
        self.performances[seat] = performance

    def disturb(self, disturbance: Disturbance) -> None:
        """As the simulated table's, which nobody who is judged here needs."""
        raise NotImplementedError

    @property
    def progress(self) -> float:
        return 0.0

    def judge_live(
        self,
        frames_until: Callable[[int], Sequence[Frame]],
        zones: Sequence[Zone],
        cue_ns: int,
        window_ns: int = 150 * MS,
        box_shown_ns: int | None = None,
        on_seen: Callable[[Collection[int]], None] | None = None,
        on_read: Callable[[], None] | None = None,
    ) -> Judgement:
        frames = frames_until(search_end_ns(cue_ns, window_ns))
        self.rounds += 1
        hands = [one for seat, one in sorted(self.performances.items()) if one.cue_ns == cue_ns]
        assert len(hands) == len(zones)
        shown = [None if hand.hidden else hand.cue_ns + hand.after_cue_ns for hand in hands]
        first_ns = min((when for when in shown if when is not None), default=None)
        lock_ns = (cue_ns if first_ns is None else first_ns) + window_ns
        seats = []
        for number, (hand, when, zone) in enumerate(zip(hands, shown, zones, strict=True), 1):
            late = when is not None and when > lock_ns
            throw = None if hand.hidden or hand.half_open else Throw(hand.throw)
            at_lock = Throw.ROCK if late else throw  # a hand still closed is a fist
            verdict = (
                Verdict.UNSEEN if when is None else Verdict.LATE if late else Verdict.UNCLEAR if hand.half_open
                else Verdict.CHANGED if hand.changes_to else Verdict.ON_TIME
            )  # fmt: skip
            then = Throw(hand.changes_to) if hand.changes_to else None
            at = None if when is None else TimeEstimate(when, 4 * MS)
            seats.append(SeatVerdict(number, verdict, throw, at_lock, at, zone.box((64, 36)), 7, then))
        if self.rounds <= self.unread_rounds:
            seats[1] = SeatVerdict(2, Verdict.UNREAD, None, None, None, seats[1].crop, cause=HandCause.UNREADABLE)
        return Judgement(cue_ns, first_ns, lock_ns, window_ns, frames[2], tuple(seats))


class Killed(BaseException):
    """The process was killed."""


class KillableJournal(Journal):
    """A journal whose process is killed as soon as it has written event ``kill_at``."""

    kill_at = 10**9

    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        event = super().append(match, body, evidence)
        if event.number >= self.kill_at:
            raise Killed
        return event


class WatchingDisplay:
    """A display that looks at the disk, over a connection of its own, before it shows anything."""

    def __init__(self, path: Path, answer: str = "stop") -> None:
        self.path = path
        self.answer = answer
        self.shown: list[Any] = []
        self.lines: list[str] = []

    def on_disk(self) -> list[Event]:
        db = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        rows = db.execute(
            "SELECT number, match, at, kind, body, previous_hash, hash FROM event ORDER BY number"
        ).fetchall()
        db.close()
        rows = [row for row in rows if row[1] == rows[-1][1]]  # the match that is played
        return [
            Event(number, match, at, decode_body(kind, body), before, own, NAMES)
            for number, match, at, kind, body, before, own in rows
        ]

    @staticmethod
    def wrong(round_: Event) -> bool:
        """Whether the journal has a foul or a trouble of a round."""
        return round_.kind == "round_voided" or bool(json_body(round_)["fouls"])

    @staticmethod
    def messages_of(events: Sequence[Event]) -> list[str]:
        """What the game says to the newest answer on the disk, in sentences."""
        config, answers = config_from_events(list(events)), list(effective_answers(events).values())
        said = replay(config.game, answers).events[len(replay(config.game, answers[:-1]).events) :]
        names = dict(enumerate(NAMES, 1))
        thrown = [event for event in said if isinstance(event, ThrowsShown)]
        lines = [line for one in said for line in event_sentences(one, names)]
        return ["Everyone was on time.", str(join(page_sentences(thrown, names))), *lines]

    def show(self, view: Any) -> None:
        events = self.on_disk()
        if isinstance(view, Reveal):
            if events[-1].round and self.wrong(events[-1]):
                sentence = fill_names(json_body(events[-1])["text"], dict(enumerate(NAMES, 1)))
                assert written_text(view.sentence) == sentence
            else:
                assert view.sentence in self.messages_of(events)
            players = tuple(PlayerLink(None, name) for name in NAMES[: match_started(events).seats])
            written = project(events, REFEREE, players).steps[-1].seats
            assert [replace(seat, player=players[seat.seat - 1]) for seat in view.seats] == [*written]
        if isinstance(view, GameMessage):
            config, answers = config_from_events(events), list(effective_answers(events).values())
            before = replay(config.game, answers[:-1]).events if answers else ()
            said = replay(config.game, answers).events
            assert view.event in said[len(before) :], "messages follow from what is on the disk"
            assert {player.seat: player.score or 0 for player in view.players} == scores(said, config)
        self.shown.append(view)

    def ask(self, view: Any) -> Any:
        if isinstance(view, Reveal | GameMessage):  # people let it pass
            self.show(view)
            return None
        self.shown.append(view)
        return self.answer

    def announce(self, line: str) -> None:
        if line.startswith(("Score", "Ada has", "Ben has")):
            assert self.on_disk()[-1].kind != "round_voided"
        self.lines.append(line)


def make_match(
    journal: Journal,
    config: MatchConfig,
    *,
    new: bool = False,
    display: WatchingDisplay | None = None,
    plans: Callable[[PerfectJudge], None] | None = None,
    pace: Pace | None = None,
    sound: Sound | None = None,
    frame_keeper: FrameKeeper | None = None,
    **more: Any,
) -> tuple[Match, WatchingDisplay]:
    judge, clock, screen = PerfectJudge(), SimulatedClock(), display or WatchingDisplay(journal.path)
    players = SimulatedPlayers(config.seed, judge, cheat_throw=1)
    if plans:
        plans(judge)
    zones = default_zones(config.game.setup.seats)
    table = HandTable(
        camera=FakeCamera(), zones=zones, judge=judge, display=screen, clock=clock, house_rules=config.house_rules,
        listener=players,
    )  # fmt: skip
    number = resume_or_begin(journal, config, new=new)
    output = MatchOutput(screen, clock, screen.announce, pace or Pace(), sound or NullSound(), **more)
    return Match(journal, number, RoundSource(players, (table,)), output, frame_keeper), screen


def match_config(game: Game, seed: int = 3, house: HouseRules | None = None) -> MatchConfig:
    return MatchConfig(game, NAMES[: game.setup.seats], house or HouseRules(), seed, "simulated")


def history(path: Path) -> list[tuple[str, Any]]:
    """Kinds and bodies of all events of matches; "started" with names, as players have other keys in each journal."""
    with JournalReader(path) as journal:
        return [
            (event.kind, {**json_body(event), "players": event.names} if event.names else json_body(event))
            for event in journal.events()
            if event.match != NO_MATCH
        ]


def images(path: Path) -> list[bytes | None]:
    """The images of all events, None for a deleted one."""
    with JournalReader(path) as journal:
        return [row.data for row in journal.evidence_rows()]


def play(path: Path, config: MatchConfig, last: int = 10**9, **more: Any) -> WatchingDisplay:
    with KillableJournal(path) as journal:
        journal.kill_at = last
        match, display = make_match(journal, config, **more)
        match.play()
    return display


GAMES = {
    "classic": find_game("classic").set_up(2, {"best_of": 5}),
    "classic for four": find_game("classic").set_up(4),
    "redeux": find_game("redeux").set_up(2, {"risk": "always", "tied_bets": "stand"}),
    "redeux, asked": find_game("redeux").set_up(2, {"tied_bets": "ask", "goal": 40}),
    "redeux for three": find_game("redeux").set_up(3, {"risk": "never"}),
    "redeux for four": find_game("redeux").set_up(4, {"risk": "always", "goal": 40, "tied_bets": "stand"}),
}


def scores(said: Sequence[Any], config: MatchConfig) -> dict[Seat, int]:
    newest = dict.fromkeys(range(1, config.game.setup.seats + 1), 0)
    for one in said:
        if one.kind == "score":
            newest = {int(seat): points for seat, points in one.facts["scores"].items()}
    return newest
