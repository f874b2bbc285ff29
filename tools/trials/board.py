"""Play whole board games with rendered pieces before the simulated camera, in various conditions, and compare the moves
read with those made.

``python -m tools.trials.board``; ``--docs measurements/2026-11/printed-cards.md`` writes the table into that page."""

import argparse
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from device.simulated.printed.objects import ObjectPose, RoomLight, TiltedCameraOptics
from device.simulated.printed.scene import PrintedCamera
from device.system.clock import SimulatedClock
from rules.board.match import GameHistory
from rules.board.moves import Move
from rules.board.notation import format_move
from rules.board.pieces import CAPTURE_TABLE
from rules.board.position import Position, starting_position
from throwlock.simulation.board_player import SimulatedBoardPlayer, Stacks, board_camera
from throwlock.tables.board_tracker import LOOK_NS, BoardTracker
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from ui.screen.pages.printed_board import BoardObservation

SECTION = "board"
MAX_LOOKS_AFTER_MOVE = 16
"""A move counts as not read after this many looks since the hand left."""
LOOK_STRIDE_UNDER_HAND = 3
"""While a hand is over the board, only one look in this many is taken: those images take longest to render."""
MAX_PLIES = 120
"""A game is stopped after this many plies."""
ILLEGAL_MOVE_RATE = 0.12
"""The share of plies before which somebody makes an illegal move."""
PUSH_RATE = 0.1
"""The share of plies before which somebody pushes the board."""


@dataclass
class BoardCount:
    """Counts over some plies."""

    plies: int = 0
    """Moves made."""
    right: int = 0
    """Moves read as they were made."""
    wrong: int = 0
    asked: int = 0
    """Moves asked about because several fit."""
    unread: int = 0
    """Moves that weren't read within the looks they are given."""
    illegal: int = 0
    """Illegal moves made."""
    played: int = 0
    """Illegal moves that were accepted."""
    pushed: int = 0
    """How often the board was pushed."""
    looks: list[int] = field(default_factory=list)
    """The looks that each move read took after the hand left."""


@dataclass(frozen=True)
class BoardConditions:
    """Light and camera of a game; blur and noise as ``TiltedCameraOptics`` has them."""

    name: str
    tilt_deg: float
    blur_px: float
    noise: float
    light_level: float
    light_gradient: float
    reflections: int = 0

    def camera(self, clock: SimulatedClock, seed: int) -> PrintedCamera:
        """Return a camera tilted to one of the four sides, by the seed."""
        rng = random.Random(seed)
        wide = 860 + 14 * self.tilt_deg
        across, down = ((self.tilt_deg, 0.0), (-self.tilt_deg, 0.0), (0.0, self.tilt_deg), (0.0, -self.tilt_deg))[
            seed % 4
        ]
        optics = TiltedCameraOptics((1280, 720), 900.0, wide, across, down, self.blur_px, self.noise)
        lamps = tuple(
            (rng.uniform(-200, 200), rng.uniform(-170, 170), rng.uniform(18, 45), rng.uniform(0.4, 1.0))
            for _ in range(self.reflections)
        )
        return board_camera(
            clock, seed, optics, RoomLight(self.light_level, self.light_gradient, -self.light_gradient, lamps)
        )


CONDITIONS = (
    BoardConditions("from above, even light", 0, 0.5, 2, 1.0, 0.05),
    BoardConditions("tilted 12°, a lamp on one side", 12, 0.6, 3, 0.8, 0.35),
    BoardConditions("dark, noisy, blurred", 5, 0.9, 7, 0.45, 0.2),
    BoardConditions("reflections of three lamps", 4, 0.6, 3, 0.9, 0.1, 3),
)


def choose_move(position: Position, rng: random.Random) -> Move:
    """Draw a legal move; captures, and moves that spread or build a stack, are preferred."""
    moves, x = position.legal_moves(), rng.random()
    captures = [move for move in moves if _captured_kind(position, move)]
    flags = [move for move in captures if _captured_kind(position, move) == "F"]
    spreads = [move for move in moves if move.spread]
    stacks = [move for move in moves if _piece_kinds(position, move) == ("P", "P") and not move.spread]
    rocks = [move for move in moves if _piece_kinds(position, move) == ("R", "R")]
    for share, some in ((0.25, flags), (0.35, captures), (0.5, spreads), (0.62, stacks), (0.7, rocks)):
        if some and x < share:
            return rng.choice(some)
    return rng.choice(moves)


def _piece_kinds(position: Position, move: Move) -> tuple[str, str]:
    return (position.pieces.piece_at(move.origin) or " ")[0], (position.pieces.piece_at(move.target) or " ")[0]


def _captured_kind(position: Position, move: Move) -> str:
    """Return the kind of the piece that a move captures on its target space; "" for none."""
    met = position.pieces.piece_at(move.target)
    if met is None or move.spread or met[-1] == str(position.to_move):
        return ""
    return met[0] if CAPTURE_TABLE[_piece_kinds(position, move)[0]][met[0]] == "takes" else ""


class BoardTrial:
    """A game in front of a simulated camera."""

    def __init__(self, conditions: BoardConditions, seed: int) -> None:
        self.count = BoardCount()
        self._rng = random.Random(seed)
        self._clock = SimulatedClock(1_000_000_000)
        self._camera = conditions.camera(self._clock, seed)
        self._history = GameHistory(starting_position())
        board = self._history.position.tables.board
        turn = self._rng.choice((0, 180)) + self._rng.uniform(-5, 5)
        self._board_pose = ObjectPose(self._rng.uniform(-8, 8), self._rng.uniform(-4, 8), turn_deg=turn)
        self._player = SimulatedBoardPlayer(self._camera, self._clock, board, self._choose, seed, self._board_pose)
        self._tracker = BoardTracker(board)
        self._camera.start()

    def _choose(self, before: Position, *_: object) -> Move:
        return choose_move(before, self._rng)

    def play(self, max_plies: int) -> BoardCount:
        """Play to the end, or for ``max_plies``."""
        self._player.set_up(self._history.position)
        while self._history.plies < max_plies and self._history.position.pieces.loser is None:
            before = self._history.position
            if not before.legal_moves():
                self._history.push(None)
                continue
            self._tracker.expect_move(before, "Ada")
            self._look_until_read(self._clock.now_ns(), MAX_LOOKS_AFTER_MOVE, until_settled=True)
            if self._rng.random() < PUSH_RATE:
                self._push_board()
            if self._rng.random() < ILLEGAL_MOVE_RATE:
                self._play_illegal_move(before)
            self._play_move(before, choose_move(before, self._rng))
        return self.count

    def _play_move(self, before: Position, move: Move) -> None:
        hand_gone_ns = self._player.make_move(before, move)
        sighting, looks = self._look_until_read(hand_gone_ns, MAX_LOOKS_AFTER_MOVE)
        self.count.plies += 1
        self._history.push(move)
        if sighting.move is not None:
            correct = sighting.move == format_move(move, before.tables.board)
            self.count.looks.append(looks)
            self.count.right += correct
            self.count.wrong += not correct
        elif sighting.is_ambiguous and move in self._tracker.fitting:
            self.count.asked += 1
            self._tracker.confirm(move)
        else:
            self.count.unread += 1

    def _play_illegal_move(self, before: Position) -> None:
        """Move any piece to an empty space where it may not go, and back again."""
        stacks = dict(self._player.stacks)
        hand_gone_ns = self._player.arrange(self._illegal_stacks(before))
        sighting, _ = self._look_until_read(hand_gone_ns, MAX_LOOKS_AFTER_MOVE // 2)
        self.count.illegal += 1
        self.count.played += sighting.move is not None
        self._look_until_read(self._player.arrange(stacks), MAX_LOOKS_AFTER_MOVE // 2, until_settled=True)

    def _illegal_stacks(self, before: Position) -> Stacks:
        """Return the stacks after moving a piece to an empty space where it may not go."""
        stacks = self._player.stacks
        origin = self._rng.choice(sorted(stacks))
        targets = {move.target for move in before.legal_moves_from(origin)}
        spaces = range(len(before.tables.board.space_names))
        empty = [space for space in spaces if space not in stacks and space not in targets]
        others = {space: pieces for space, pieces in stacks.items() if space != origin}
        return {**others, self._rng.choice(empty): stacks[origin]}

    def _push_board(self) -> None:
        """Push the board a little, with everything on it."""
        x, y = (self._rng.uniform(-12, 12) for _ in range(2))
        self._player.player.move_board(ObjectPose(x, y, turn_deg=self._board_pose.turn_deg + self._rng.uniform(-5, 5)))
        self.count.pushed += 1

    def _look_until_read(
        self, ends_ns: int, max_looks: int, until_settled: bool = False
    ) -> tuple[BoardObservation, int]:
        """Look until a move is read or several fit, at most ``max_looks`` times after the hand leaves at ``ends_ns``.

        With ``until_settled``, stop as soon as the tracker is ready and has nothing to report. Return the last sighting
        and the number of looks after the hand left."""
        looks = 0
        while True:
            step = LOOK_NS if self._clock.now_ns() >= ends_ns else LOOK_STRIDE_UNDER_HAND * LOOK_NS
            self._clock.wait_until(self._clock.now_ns() + step)
            sighting = self._tracker.look(self._camera.latest())
            if self._clock.now_ns() < ends_ns and sighting.move is None:
                continue
            looks += 1
            if (
                sighting.move is not None
                or sighting.is_ambiguous
                or looks >= max_looks
                or (until_settled and self._tracker.is_ready and sighting.is_ok)
            ):
                return sighting, looks


def result_table(counts: Sequence[tuple[str, int, BoardCount]]) -> str:
    """Return the table of counts by conditions (name, number of games, counts), and how long reading a move takes."""
    head = "conditions", "games", "moves", "read right", "wrong", "asked", "not read", "illegal", "accepted", "pushed"
    rows = [
        (name, games, c.plies, c.right, c.wrong, c.asked, c.unread, c.illegal, c.played, c.pushed)
        for name, games, c in counts
    ]
    text = markdown_table(head, rows)
    looks = [look for _, _, count in counts for look in count.looks]
    if looks:
        text += (
            f"\n\nFrom the hand's leaving to the move read: median {statistics.median(looks) * LOOK_NS / 1e9:.2f} s, "
            f"at most {max(looks) * LOOK_NS / 1e9:.2f} s, with a look every {LOOK_NS // 1_000_000} ms."
        )
    return text


def main() -> None:
    """Play games in all conditions and print the table, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.board", description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="games in each of the conditions (default 2)")
    parser.add_argument("--plies", type=int, default=MAX_PLIES, help=f"plies per game at most (default {MAX_PLIES})")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (default 0)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    counts = []
    for number, conditions in enumerate(CONDITIONS):
        total = BoardCount()
        for game in range(options.games):
            count = BoardTrial(conditions, options.seed + 100 * number + game).play(options.plies)
            print(f"{conditions.name}, game {game + 1}: {count}", file=sys.stderr, flush=True)
            for name in ("plies", "right", "wrong", "asked", "unread", "illegal", "played", "pushed"):
                setattr(total, name, getattr(total, name) + getattr(count, name))
            total.looks += count.looks
        counts.append((conditions.name, options.games, total))
    text = result_table(counts)
    publish(options.docs, {SECTION: text})


if __name__ == "__main__":
    main()
