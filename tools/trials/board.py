"""Whole games of the board game played by moving rendered pieces before a simulated camera, each watched in another
light from another side, and held against what was really moved: ``python -m tools.trials.board --docs
docs/cards.md``."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.things import Pose
from device.system.clock import JumpingClock
from rules.board.history import Course
from rules.board.moves import Move
from rules.board.notation import write_move
from rules.board.pieces import ARRIVING
from rules.board.position import Position, start
from throwlock.simulation.board_player import BoardHands, Stacks, board_camera
from throwlock.tables.board_tracker import LOOK_NS, BoardWatch
from tools.docs.generated_sections import write_into
from ui.screen.pages.board.printed_view import Sighting

MARKS = ("<!-- board: begin -->", "<!-- board: end -->")
PATIENCE = 16
"""Looks after the hand has left until a move counts as not read."""
HURRY = 3
"""While a hand is over the board only one of so many looks is taken: they cost the most to draw."""
LONGEST = 120
"""Plies after which a game is broken off."""
LIFTED = 0.12
"""Share of the plies before which somebody makes a move that is none."""
PUSHED = 0.1
"""Share of the plies before which somebody pushes the board."""


@dataclass
class Count:
    """What came of some plies: moves made, read right, read wrong; those of which several fitted and people were asked,
    and those never read; moves that are none, and those of them that were played; looks without a hand until a move was
    read."""

    plies: int = 0
    right: int = 0
    wrong: int = 0
    asked: int = 0
    unread: int = 0
    illegal: int = 0
    played: int = 0
    pushed: int = 0
    looks: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Room:
    """How a game is seen."""

    name: str
    tilt: float
    blur: float
    noise: float
    level: float
    uneven: float
    glare: int = 0

    def camera(self, clock: JumpingClock, seed: int) -> PrintedCamera:
        """A camera over the table, from one side or the other."""
        chance = random.Random(seed)
        wide = 860 + 14 * self.tilt
        across, down = ((self.tilt, 0.0), (-self.tilt, 0.0), (0.0, self.tilt), (0.0, -self.tilt))[seed % 4]
        optics = Optics((1280, 720), 900.0, wide, across, down, self.blur, self.noise)
        lamps = tuple(
            (chance.uniform(-200, 200), chance.uniform(-170, 170), chance.uniform(18, 45), chance.uniform(0.4, 1.0))
            for _ in range(self.glare)
        )
        return board_camera(clock, seed, optics, Light(self.level, self.uneven, -self.uneven, lamps))


ROOMS = (
    Room("from above, even light", 0, 0.5, 2, 1.0, 0.05),
    Room("tilted 12°, a lamp at one side", 12, 0.6, 3, 0.8, 0.35),
    Room("dark, noisy, blurred", 5, 0.9, 7, 0.45, 0.2),
    Room("three lamps reflected", 4, 0.6, 3, 0.9, 0.1, 3),
)


def chosen(position: Position, chance: random.Random) -> Move:
    """A legal move: often one that takes something, spreads a stack or makes one, else any."""
    moves, x = position.moves(), chance.random()
    takes = [move for move in moves if _taken(position, move)]
    flags = [move for move in takes if _taken(position, move) == "F"]
    spreads = [move for move in moves if move.spread]
    stacks = [move for move in moves if _kinds(position, move) == ("P", "P") and not move.spread]
    rocks = [move for move in moves if _kinds(position, move) == ("R", "R")]
    for share, some in ((0.25, flags), (0.35, takes), (0.5, spreads), (0.62, stacks), (0.7, rocks)):
        if some and x < share:
            return chance.choice(some)
    return chance.choice(moves)


def _kinds(position: Position, move: Move) -> tuple[str, str]:
    return (position.pieces.at(move.origin) or " ")[0], (position.pieces.at(move.target) or " ")[0]


def _taken(position: Position, move: Move) -> str:
    """The kind of the other side's piece that a move takes on the space it goes to; "" for none."""
    met = position.pieces.at(move.target)
    if met is None or move.spread or met[-1] == str(position.to_move):
        return ""
    return met[0] if ARRIVING[_kinds(position, move)[0]][met[0]] == "takes" else ""


class Game:
    """One game before one camera."""

    def __init__(self, room: Room, seed: int) -> None:
        self.count = Count()
        self._chance = random.Random(seed)
        self._clock = JumpingClock(1_000_000_000)
        self._camera = room.camera(self._clock, seed)
        self._course = Course(start())
        board = self._course.position.reach.board
        turn = self._chance.choice((0, 180)) + self._chance.uniform(-5, 5)
        self._lies = Pose(self._chance.uniform(-8, 8), self._chance.uniform(-4, 8), turn=turn)
        self._hands = BoardHands(self._camera, self._clock, board, self._choose, seed, self._lies)
        self._watch = BoardWatch(board)
        self._camera.start()

    def _choose(self, before: Position, *_: object) -> Move:
        return chosen(before, self._chance)

    def play(self, longest: int) -> Count:
        """Play to the end, or for so many plies."""
        self._hands.show(self._course.position)
        while self._course.plies < longest and self._course.position.pieces.loser is None:
            before = self._course.position
            if not before.moves():
                self._course.goes_on(None)
                continue
            self._watch.begin(before, "Ada")
            self._looks(self._clock.now_ns(), PATIENCE, until_settled=True)
            if self._chance.random() < PUSHED:
                self._push()
            if self._chance.random() < LIFTED:
                self._wrongly(before)
            self._rightly(before, chosen(before, self._chance))
        return self.count

    def _rightly(self, before: Position, move: Move) -> None:
        ends = self._hands.move(before, move)
        now, looks = self._looks(ends, PATIENCE)
        self.count.plies += 1
        self._course.goes_on(move)
        if now.move is not None:
            self.count.looks.append(looks)
            self.count.right += now.move == write_move(move, before.reach.board)
            self.count.wrong += now.move != write_move(move, before.reach.board)
        elif now.several and move in self._watch.fitting:
            self.count.asked += 1
            self._watch.agree(move)
        else:
            self.count.unread += 1

    def _wrongly(self, before: Position) -> None:
        """A move that is none: any piece on any space that it may not go to, and back again."""
        there = self._illegal(before)
        if there is None:
            return
        stacks = dict(self._hands.stacks)
        now, _ = self._looks(self._hands.put(there), PATIENCE // 2)
        self.count.illegal += 1
        self.count.played += now.move is not None
        self._looks(self._hands.put(stacks), PATIENCE // 2, until_settled=True)

    def _illegal(self, before: Position) -> Stacks | None:
        """Where everything is after a piece was moved to an empty space where no move takes it."""
        stacks = self._hands.stacks
        origin = self._chance.choice(sorted(stacks))
        goals = {move.target for move in before.moves_from(origin)}
        empty = [space for space in range(len(before.reach.board.names)) if space not in stacks and space not in goals]
        there = {space: pieces for space, pieces in stacks.items() if space != origin}
        return {**there, self._chance.choice(empty): stacks[origin]}

    def _push(self) -> None:
        """The board is pushed a little, with all that stands on it."""
        x, y = (self._chance.uniform(-12, 12) for _ in range(2))
        self._hands.player.shift(Pose(x, y, turn=self._lies.turn + self._chance.uniform(-5, 5)))
        self.count.pushed += 1

    def _looks(self, ends_ns: int, most: int, until_settled: bool = False) -> tuple[Sighting, int]:
        """Look on until a move is seen or people are asked, or so often after the hand has left at ``ends_ns``; or only
        until nothing is to be said."""
        quiet = 0
        while True:
            step = LOOK_NS if self._clock.now_ns() >= ends_ns else HURRY * LOOK_NS
            self._clock.wait_until(self._clock.now_ns() + step)
            now = self._watch.look(self._camera.latest())
            if self._clock.now_ns() < ends_ns and now.move is None:
                continue
            quiet += 1
            if (
                now.move is not None
                or now.several
                or quiet >= most
                or (until_settled and self._watch.is_ready and now.is_well)
            ):
                return now, quiet


def table(counts: Sequence[tuple[str, int, Count]]) -> str:
    """The figures as rows of the document."""
    lines = [
        "| room | games | moves | read right | wrong | asked | not read | moves that are none | played | pushed |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, games, count in counts:
        cells = (games, count.plies, count.right, count.wrong, count.asked, count.unread, count.illegal, count.played)
        lines.append(f"| {name} | {' | '.join(map(str, (*cells, count.pushed)))} |")
    looks = sorted(look for _, _, count in counts for look in count.looks)
    if looks:
        middle, late = looks[len(looks) // 2], looks[-1]
        lines.append("")
        lines.append(
            f"From the hand's leaving to the move read: {middle * LOOK_NS / 1e9:.2f} s in the middle, at most "
            f"{late * LOOK_NS / 1e9:.2f} s, by looks {LOOK_NS // 1_000_000} ms apart."
        )
    return "\n".join(lines)


@click.command()
@click.option("--games", default=2, show_default=True, help="Games in each room.")
@click.option("--plies", default=LONGEST, show_default=True, help="A game is broken off after so many.")
@click.option("--seed", default=0, show_default=True, help="Of the first game.")
@click.option("--docs", type=click.Path(path_type=Path), help="The document whose table is to be written.")
def main(games: int, plies: int, seed: int, docs: Path | None) -> None:
    """Play games in every room and print what came of them."""
    counts = []
    for number, room in enumerate(ROOMS):
        whole = Count()
        for game in range(games):
            count = Game(room, seed + 100 * number + game).play(plies)
            click.echo(f"{room.name}, game {game + 1}: {count}", err=True)
            for name in ("plies", "right", "wrong", "asked", "unread", "illegal", "played", "pushed"):
                setattr(whole, name, getattr(whole, name) + getattr(count, name))
            whole.looks += count.looks
        counts.append((room.name, games, whole))
    made = table(counts)
    click.echo(made)
    if docs is not None:
        write_into(docs, made, *MARKS)


if __name__ == "__main__":
    main()
