"""Moves made by hand on the printed board and watched: a hand is waited out, wrong moves are told and not played, and a
whole game goes through the match into the journal with a picture of every move."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from device.camera.base import CameraError
from device.simulated.printed.objects import ObjectPose
from device.sound.base import NullSound
from device.system.clock import SimulatedClock
from rules.board.moves import Move
from rules.board.notation import parse_move, parse_position
from rules.board.position import Position, starting_position
from rules.catalogue import find_game
from rules.engine import Choices, Json, Prompt
from tests.helpers.board_scene import BOARD, BoardScene
from tests.helpers.journal_events import ANSWERS, json_body
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.match_runner import resume_or_begin
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import verify
from throwlock.simulation.board_player import SimulatedBoardPlayer, board_camera
from throwlock.simulation.players import SimulatedPlayers
from throwlock.sources import TableSetup, open_board_table
from throwlock.tables.board import (
    MOVE_PIECES,
    MOVES_BY_CAMERA,
    MOVES_BY_SCREEN,
    TOUCH_SCREEN,
    BoardTable,
    BoardTrackerThread,
)
from throwlock.tables.presence import NobodyThereError
from throwlock.tables.source import PeopleLeftError, RoundSource
from ui.screen.core.display import NullDisplay
from ui.screen.core.scene import COUNTDOWN_INTERVAL_S, WindowScene
from ui.screen.pages.common import Player
from ui.screen.pages.notice import HERE_ANSWER, Notice, Presence
from ui.screen.pages.printed_board import ENTER_MOVE, BoardObservation, PrintedBoardQuestion
from ui.screen.views import Answer, Dialogue, InteractiveView, NobodyAnswered


def move(text: str) -> Move:
    return parse_move(text, BOARD)


@pytest.mark.slow
def test_tracker_reports_set_up_and_illegal_moves() -> None:
    scene, here = BoardScene(), starting_position()
    scene.set_up()
    whole = dict(scene.hands.stacks)
    gone = BOARD.space_at[0, 3]
    scene.remove(gone)
    scene.tracker.expect_move(here, "Ada")
    now = scene.observe(4)
    assert (now.is_ok, now.missing, now.unexpected) == (False, (gone,), ())
    assert "c7: South’s Paper is missing." in now.sentence and not scene.tracker.is_ready
    scene.lay(whole)
    assert scene.observe(4).is_ok and scene.tracker.is_ready

    scene.hands.player.move_board(ObjectPose(-6, 4, turn_deg=-3))  # somebody pushes the board
    assert scene.observe(4).is_ok and scene.tracker.is_ready

    origin, target = BOARD.space_at[0, 3], BOARD.space_at[0, 1]  # a sheet goes one step
    there = {space: pieces for space, pieces in whole.items() if space != origin} | {target: whole[origin]}
    ends = scene.hands.arrange(there)
    scene.clock.wait_until(ends - 500_000_000)
    now = scene.observe(1)  # the hand is still there
    assert now.move is None
    scene.clock.wait_until(ends)
    now = scene.observe(5)
    assert now.move is None and not now.is_ok
    assert (now.missing, now.unexpected) == ((origin,), ((target, "P0"),))
    assert now.sentence.startswith("South’s Paper can’t move from c7 to e7. Put it back")
    scene.clock.wait_until(scene.hands.arrange(whole))
    assert scene.observe(5).is_ok

    seen = scene.move_by_hand(here, move("0,3>0,2"))
    assert seen.move == "0,3>0,2" and scene.tracker.frame is not None
    after = here.after_move(move("0,3>0,2"))
    scene.tracker.expect_move(after, "Ben")
    assert scene.tracker.is_ready  # what was seen last is where the next move begins


def test_ambiguous_move_is_asked_and_object_must_be_removed_first() -> None:
    here = parse_position("R0@0,0 P1@2,0 P1@-2,0 F0@0,4 F1@0,-4 to-move=0")
    scene = BoardScene()
    scene.set_up(here)
    scene.tracker.expect_move(here, "Ada")
    assert scene.observe(4).is_ok and scene.tracker.is_ready
    lost = move("0,0>2,0")
    now = scene.move_by_hand(here, lost)
    assert now.is_ambiguous and now.move is None
    assert set(scene.tracker.fitting) == {lost, move("0,0>-2,0")}
    scene.tracker.confirm(lost)
    scene.tracker.expect_move(here.after_move(lost), "Ben")
    assert scene.tracker.is_ready
    ends = scene.hands.player.carry_out((), scene.clock.now_ns())
    resting = replace(
        scene.camera.scene.hands[0], keyframes=((0, ObjectPose(0, 0, 8)), (ends * 1000, ObjectPose(0, 0, 8)))
    )
    scene.camera.set_scene(replace(scene.camera.scene, hands=(resting,)))
    now = scene.observe(6)
    assert now.move is None and not now.is_ok and now.sentence.startswith("Something is lying on")


GAME = ("0,3>0,2", "0,-4>0,-3", "-5,4>-5,5")
"""The last takes South's own Flag."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, BoardTable]]:
    """A whole game on the board."""
    file = tmp_path_factory.mktemp("board") / "one.journal"
    clock, game = SimulatedClock(1_000_000_000), find_game("board").set_up(2, {"start": "1"})
    camera, moves = board_camera(clock, 3), iter(GAME)

    def choose(before: Position, *_: object) -> Move:
        return move(next(moves))

    camera.start()
    hands = SimulatedBoardPlayer(camera, clock, BOARD, choose, 3)
    display, lines = NullDisplay(), list[str]()
    at_board = BoardTable(camera, clock, display, SimulatedPlayers(3), game.setup, lines.append, mover=hands.begin_turn)
    with Journal(file) as journal:
        number = resume_or_begin(journal, MatchConfig(game, ("Ada", "Ben"), HouseRules(), 3, "simulated"))
        Match(
            journal,
            number,
            RoundSource(SimulatedPlayers(3), (at_board,)),
            MatchOutput(display, clock, lines.append, Pace(0, 0)),
        ).play()
    yield file, at_board


@pytest.mark.slow
def test_whole_game_with_pieces_has_evidence_of_every_move(
    played: tuple[Path, BoardTable],
) -> None:
    file, _ = played
    with JournalReader(file) as journal:
        moves = [event for event in journal.events() if event.kind in ANSWERS]
        assert [next(iter(json_body(event)["answers"].values())) for event in moves] == list(GAME)
        assert all(list(json_body(event)["evidence"]) == ["board.jpg"] for event in moves)
        assert json_body(journal.events()[-1])["result"]["reason"] == "flag"
        assert not verify(journal).problems


def watching(observations: list[BoardObservation]) -> PrintedBoardQuestion:
    about: dict[str, Json] = {"position": "R0@0,0 to-move=0", "south": 1, "north": 2}
    ask = Prompt("move", {1: Choices(("0,0>0,1",))}, about=about)
    return PrintedBoardQuestion((Player(1, "Ada"),), ask, 1, observations[0], lambda: observations[-1])


def test_page_follows_sightings_and_closes_at_a_move() -> None:
    observations = [BoardObservation("first")]
    scene = WindowScene(watching(observations), 0, Dialogue(watching(observations)))
    assert scene.automatic_reply(10) is None and scene.unchanged_s(10) == COUNTDOWN_INTERVAL_S
    observations.append(BoardObservation("second", is_ambiguous=True))
    assert scene.automatic_reply(20) is None
    page = scene.page_at(20)
    assert isinstance(page, PrintedBoardQuestion) and page.observation.sentence == "second"
    observations.append(BoardObservation("", move="0,0>0,1"))
    reply = scene.automatic_reply(30)
    assert reply is not None and reply.value == "0,0>0,1"


def test_an_untouched_board_makes_no_move(tmp_path: Path) -> None:
    """The first time somebody comes back and moves, the second time nobody does."""
    clock, game = SimulatedClock(1_000_000_000), find_game("board").set_up(2, {"start": "1"})
    camera = board_camera(clock, 3)
    camera.start()
    clock.wait_until(2_000_000_000)
    answers: list[Answer] = [HERE_ANSWER, "0,3>0,2", None]
    asked: list[InteractiveView] = []

    class Absent(NullDisplay):
        """Shows each question for a move twice, the first time to nobody."""

        def ask(self, view: InteractiveView) -> Answer:
            again = view in asked
            asked.append(view)
            if isinstance(view, PrintedBoardQuestion) and not again:
                return NobodyAnswered(view)
            return answers.pop(0) if isinstance(view, PrintedBoardQuestion | Presence) else "go on"

    display = Absent()
    table = BoardTable(camera, clock, display, SimulatedPlayers(3), game.setup, lambda _: None, live=True)
    with Journal(tmp_path / "one.journal") as journal:
        number = resume_or_begin(journal, MatchConfig(game, ("Ada", "Ben"), HouseRules(), 3, "simulated"))
        match = Match(
            journal,
            number,
            RoundSource(SimulatedPlayers(3), (table,)),
            MatchOutput(display, clock, lambda _: None, Pace(0, 0), people_answer=True),
        )
        with pytest.raises(NobodyThereError):
            match.play()
        moves = [json_body(event)["answers"] for event in journal.events() if event.kind in ANSWERS]
        assert journal.unfinished_match() == number and not verify(journal).problems
    camera.stop()
    assert [list(move.values()) for move in moves] == [["0,3>0,2"]]


def test_thread_passes_sightings_on_and_reports_a_stopped_camera() -> None:
    made = BoardObservation("", move="0,0>0,1")

    def stopped_camera() -> BoardObservation:
        raise CameraError("the camera has stopped: check its cable")

    with BoardTrackerThread(lambda: made) as thread:
        assert thread.look() is None
        assert thread.newest(BoardObservation("before")) == made
        thread.check()
    with BoardTrackerThread(stopped_camera) as thread:
        assert thread.look() is None
        assert thread.newest(BoardObservation("before")).move == ENTER_MOVE
        with pytest.raises(CameraError, match="cable"):
            thread.check()


@pytest.mark.slow
def test_a_game_on_the_board_is_exported_and_shown(played: tuple[Path, BoardTable], tmp_path: Path) -> None:
    file, _ = played
    for form in ("json", "html", "csv"):
        out = tmp_path / form
        assert run_command(["export", "1", "--journal", str(file), "--format", form, "--out", str(out)]) == 0
    copy = tmp_path / "copy.journal"
    assert run_command(["import", str(tmp_path / "json"), "--journal", str(copy)]) == 0
    assert run_command(["verify", str(copy)]) == 0


def test_visible_board_is_offered(played: tuple[Path, BoardTable]) -> None:
    scene, game = BoardScene(), find_game("board").set_up(2)
    scene.set_up()
    scene.photograph()
    config, rest = MatchConfig(game, ("Ada", "Ben"), HouseRules(), 0, "usb:0"), SimulatedPlayers(0)
    asked: list[Notice] = []

    class AnsweringDisplay(NullDisplay):
        def ask(self, view: object) -> str:
            assert isinstance(view, Notice)
            asked.append(view)
            return says[len(asked) - 1]

    says = [TOUCH_SCREEN, MOVE_PIECES]

    def answer_source(how: str | None, live: bool = True) -> object:
        options = LaunchOptions(Path("unused.journal"), "usb:0", board=how, headless=not live)
        setup = TableSetup(options, config, scene.camera, (), AnsweringDisplay(), scene.clock, NullSound(), None, None)
        return open_board_table(setup, scene.camera, rest)

    assert answer_source(None, live=False) is None and answer_source(MOVES_BY_SCREEN) is None and not asked
    assert answer_source(None) is None and isinstance(answer_source(None), BoardTable) and len(asked) == 2
    assert isinstance(answer_source(MOVES_BY_CAMERA), BoardTable) and len(asked) == 2
    says.append("back")
    with pytest.raises(PeopleLeftError):
        answer_source(None)
    asked.pop()
    scene.camera.set_scene(replace(scene.camera.scene, objects=()))
    scene.photograph()
    assert answer_source(None) is None and len(asked) == 2
