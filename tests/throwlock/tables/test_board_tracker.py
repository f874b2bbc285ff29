"""Moves made by hand on the printed board and watched: a hand is waited out, wrong moves are told and not played, and a
whole game goes through the match into the journal with a picture of every move."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from board_room import BOARD, Room

from device.camera.base import Camera, CameraError
from device.simulated.printed.things import Pose
from device.system.clock import JumpingClock
from rules.board.moves import Move
from rules.board.notation import read_move, read_position
from rules.board.position import Position, start
from rules.catalogue import find
from rules.engine import Ask, Choices, Json
from throwlock.cli.main import run_command
from throwlock.journal.journal import Journal, JournalReader
from throwlock.journal.verify import verify
from throwlock.match.config import Billing
from throwlock.match.house_rules import House
from throwlock.match.match import Match, Pace, take_up
from throwlock.simulation.board_player import BoardHands, board_camera
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.board import AtBoard, Looking
from throwlock.tables.board_answers import CAMERA, SCREEN, TOUCH, WATCH, answerers_for
from throwlock.tables.board_tracker import BoardWatch
from throwlock.tables.no_camera import Unwatched
from ui.screen.core.display import Silent
from ui.screen.core.page_stack import Dialogue
from ui.screen.core.scene import COUNT_S, Scene
from ui.screen.pages.board.printed_view import ENTER, Sighting
from ui.screen.pages.views import Notice, Player, Watching


def move(text: str) -> Move:
    return read_move(text, BOARD)


def test_wrong_set_ups_and_illegal_moves_are_told_and_a_hand_is_waited_out() -> None:
    room, here = Room(), start()
    room.set_up()
    whole = dict(room.hands.stacks)
    gone = BOARD.number[0, 3]
    room.without(gone)
    room.watch.begin(here, "Ada")
    now = room.looks(4)
    assert (now.is_well, now.gone, now.tops) == (False, (gone,), ())
    assert "c7: South’s Paper is missing." in now.told and not room.watch.is_ready
    room.lay(whole)
    assert room.looks(4).is_well and room.watch.is_ready

    room.hands.player.shift(Pose(-6, 4, turn=-3))  # somebody pushes the board
    assert room.looks(4).is_well and room.watch.is_ready

    origin, target = BOARD.number[0, 3], BOARD.number[0, 1]  # a sheet goes one step
    there = {space: pieces for space, pieces in whole.items() if space != origin} | {target: whole[origin]}
    ends = room.hands.put(there)
    room.clock.wait_until(ends - 500_000_000)
    now = room.looks(1)  # the hand is still there
    assert now.move is None
    room.clock.wait_until(ends)
    now = room.looks(5)
    assert now.move is None and not now.is_well
    assert (now.gone, now.tops) == ((origin,), ((target, "P0"),))
    assert now.told.startswith("South’s Paper may not go from c7 to e7. Put it back")
    room.clock.wait_until(room.hands.put(whole))
    assert room.looks(5).is_well

    seen = room.moved(here, move("0,3>0,2"))
    assert seen.move == "0,3>0,2" and room.watch.frame is not None
    after = here.after(move("0,3>0,2"))
    room.watch.begin(after, "Ben")
    assert room.watch.is_ready  # what was seen last is where the next move begins


def test_a_move_that_may_be_one_of_two_is_asked_and_a_resting_thing_is_taken_away_first() -> None:
    here = read_position("R0@0,0 P1@2,0 P1@-2,0 F0@0,4 F1@0,-4 to-move=0")
    room = Room()
    room.set_up(here)
    room.watch.begin(here, "Ada")
    assert room.looks(4).is_well and room.watch.is_ready
    lost = move("0,0>2,0")
    now = room.moved(here, lost)
    assert now.several and now.move is None
    assert set(room.watch.fitting) == {lost, move("0,0>-2,0")}
    room.watch.agree(lost)
    room.watch.begin(here.after(lost), "Ben")
    assert room.watch.is_ready
    ends = room.hands.player.act((), room.clock.now_ns())
    resting = replace(room.camera.scene.reaches[0], keys=((0, Pose(0, 0, 8)), (ends * 1000, Pose(0, 0, 8))))
    room.camera.change(replace(room.camera.scene, reaches=(resting,)))
    now = room.looks(6)
    assert now.move is None and not now.is_well and now.told.startswith("Something lies on")


GAME = ("0,3>0,2", "0,-4>0,-3", "-5,4>-5,5")
"""The last takes South's own Flag."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, AtBoard]]:
    """A whole game on the board."""
    file = tmp_path_factory.mktemp("board") / "one.journal"
    clock, game = JumpingClock(1_000_000_000), find("board").set_up(2, {"start": "1"})
    camera, moves = board_camera(clock, 3), iter(GAME)

    def choose(before: Position, *_: object) -> Move:
        return move(next(moves))

    camera.start()
    hands = BoardHands(camera, clock, BOARD, choose, 3)
    display, lines = Silent(), list[str]()
    at_board = AtBoard(camera, clock, display, SimulatedPlayers(3), game.setup, lines.append, mover=hands)
    with Journal(file) as journal:
        number = take_up(journal, Billing(game, ("Ada", "Ben"), House(), 3, "simulated"))
        Match(journal, number, Unwatched(display, clock, House()), at_board, lines.append, Pace(0, 0)).play()
    yield file, at_board


def test_a_whole_game_is_played_with_the_pieces_and_every_move_has_its_picture(played: tuple[Path, AtBoard]) -> None:
    file, at_board = played
    assert at_board.asked == 0
    with JournalReader(file) as journal:
        moves = [event for event in journal.events() if event.kind == "answer"]
        assert [next(iter(event.body["answers"].values())) for event in moves] == list(GAME)
        assert all(list(event.body["evidence"]) == ["board.jpg"] for event in moves)
        assert journal.events()[-1].body["result"]["reason"] == "flag"
        assert not verify(journal).faults


def watching(told: list[Sighting]) -> Watching:
    about: dict[str, Json] = {"position": "R0@0,0 to-move=0", "south": 1, "north": 2}
    ask = Ask("move", {1: Choices(("0,0>0,1",))}, about=about)
    return Watching((Player(1, "Ada"),), ask, 1, told[0], lambda: told[-1])


def test_the_page_follows_what_is_seen_and_goes_when_a_move_is() -> None:
    told = [Sighting("first")]
    scene = Scene(watching(told), 0, Dialogue(watching(told)))
    assert scene.due(10) is None and scene.rest_s(10) == COUNT_S
    told.append(Sighting("second", several=True))
    assert scene.due(20) is None
    page = scene.moment(20)
    assert isinstance(page, Watching) and page.now.told == "second"
    told.append(Sighting("", move="0,0>0,1"))
    reply = scene.due(30)
    assert reply is not None and reply.value == "0,0>0,1"


class Told:
    """A watch that says one thing after the other, and then that its camera has stopped."""

    def __init__(self, *sightings: Sighting) -> None:
        self.sightings = list(sightings)

    def look(self, frame: object) -> Sighting:
        if not self.sightings:
            raise CameraError("the camera has stopped: check its cable")
        return self.sightings.pop(0)


class Blank:
    def latest(self) -> None: ...


def test_a_screen_is_told_what_is_seen_and_people_go_on_when_the_camera_stops() -> None:
    made = Sighting("", move="0,0>0,1")
    with Looking(cast(Camera, Blank()), cast(BoardWatch, Told(made))) as looking:
        looking._thread.join()
        assert looking.newest(Sighting("before")) == made
        looking.check()
    with Looking(cast(Camera, Blank()), cast(BoardWatch, Told())) as looking:
        looking._thread.join()
        assert looking.newest(Sighting("before")).move == ENTER
        with pytest.raises(CameraError, match="cable"):
            looking.check()


def test_a_game_on_the_board_is_exported_and_shown(played: tuple[Path, AtBoard], tmp_path: Path) -> None:
    file, _ = played
    for form in ("json", "html", "csv"):
        out = tmp_path / form
        assert run_command(["export", "1", "--journal", str(file), "--format", form, "--out", str(out)]) == 0
    copy = tmp_path / "copy.journal"
    assert run_command(["import", str(tmp_path / "json"), "--journal", str(copy)]) == 0
    assert run_command(["verify", str(copy)]) == 0


def test_where_the_board_is_seen_it_is_offered(played: tuple[Path, AtBoard]) -> None:
    room, game = Room(), find("board").set_up(2)
    room.set_up()
    room.picture()
    billing, rest = Billing(game, ("Ada", "Ben"), House(), 0, "usb:0"), SimulatedPlayers(0)
    asked: list[Notice] = []

    class Says(Silent):
        def ask(self, view: object) -> str:
            assert isinstance(view, Notice)
            asked.append(view)
            return says[len(asked) - 1]

    says = [TOUCH, WATCH]

    def who(how: str | None, live: bool = True) -> object:
        return answerers_for(how, billing, room.camera, room.clock, Says(), rest, print, live)

    assert who(None, live=False) is rest and who(SCREEN) is rest and not asked
    assert who(None) is rest and isinstance(who(None), AtBoard) and len(asked) == 2
    assert isinstance(who(CAMERA), AtBoard) and len(asked) == 2
    room.camera.change(replace(room.camera.scene, things=()))
    room.picture()
    assert who(None) is rest and len(asked) == 2
