"""Make the moving picture of the README: ``python -m tools.docs.round_animation docs/pictures/round.webp``.

It plays the first rounds of a match at the simulated table, with the real judge, until a late throw was caught, and
renders what the screen shows as an animated WebP file.
"""

import argparse
import tempfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from typing_extensions import override

from device.camera.frames import Pixels, Size
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Journal
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.match_runner import resume_or_begin
from throwlock.seating import new_match_config
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.hands import HandTable
from throwlock.tables.source import RoundSource
from ui.screen.core.display import Display
from ui.screen.core.png_display import render_image
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Answer, InteractiveView, View
from vision.lock.judge import Judge
from vision.zones import Zone

SCREEN_SIZE: Size = (800, 480)
"""The panel whose screen is shown, in pixels."""
IMAGE_SIZE: Size = (640, 384)
"""Size of the animation in pixels."""
FRAMES_PER_SECOND = 10
WEBP_QUALITY = 60
REVEAL_S = 3.5
"""Seconds each reveal is shown."""
ROUNDS = 2
"""An ordinary round, and one with a late throw."""
MAX_FILE_BYTES = 2_000_000


class _EnoughRounds(Exception):  # noqa: N818 - ends the match, and is no error
    """Raised once all rounds of the animation were shown."""


class RecordingDisplay(Display):
    """Keeps every view with the time at which it was shown, in ns of ``clock``; ends the match after ROUNDS reveals."""

    def __init__(self, clock: SimulatedClock) -> None:
        self.shown: list[tuple[int, View]] = []
        self._clock = clock

    @override
    def show(self, view: View) -> None:
        if sum(isinstance(earlier, Reveal) for _, earlier in self.shown) == ROUNDS and not isinstance(view, Reveal):
            raise _EnoughRounds
        self.shown.append((self._clock.now_ns(), view))

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """Nobody answers."""
        if isinstance(view, Reveal):
            self.show(view)
            self._clock.wait_until(self._clock.now_ns() + round(REVEAL_S * 1e9))
        return None


def record_rounds(seed: int) -> list[tuple[int, View]]:
    """Play rounds at the simulated table; return what the screen showed, with times in ns."""
    clock = SimulatedClock()
    camera = SimulatedTable(clock, 2, seed)
    players = SimulatedPlayers(seed, camera, scenarios=("late",))
    display = RecordingDisplay(clock)
    rules = HouseRules()
    config = new_match_config(find_game("classic").set_up(2, {"best_of": 5}), (), rules, seed, "simulated")
    camera.start()
    zones = tuple(Zone(*zone) for zone in camera.zones)
    with Judge(2) as judge, tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal") as journal:
        table = HandTable(
            camera=camera, zones=zones, display=display, clock=clock, house_rules=rules, listener=players,
            show_preview=True, judge=judge,
        )  # fmt: skip
        number = resume_or_begin(journal, config)
        match = Match(
            journal,
            number,
            RoundSource(players, (table,)),
            MatchOutput(display, clock, lambda line: None, Pace(REVEAL_S)),
        )
        with suppress(_EnoughRounds):
            match.play()
        display.shown.append((clock.now_ns(), display.shown[-1][1]))
    return display.shown


def render_frames(shown: list[tuple[int, View]]) -> list[Pixels]:
    """Render what the screen showed at FRAMES_PER_SECOND, from the first view to the last."""
    frames = []
    for (shown_ns, view), (until_ns, _) in pairwise(shown):
        seconds = (until_ns - shown_ns) / 1e9
        for number in range(round(seconds * FRAMES_PER_SECOND)):
            moment = view.at_time(number / FRAMES_PER_SECOND)
            image = render_image(moment, SCREEN_SIZE)
            frames.append(np.asarray(cv2.resize(image, IMAGE_SIZE, interpolation=cv2.INTER_AREA), dtype=np.uint8))
    return frames


def write_animation(frames: list[Pixels], path: Path) -> None:
    """Write an animated WebP that repeats for ever. Raises ValueError if it is larger than MAX_FILE_BYTES."""
    animation = cv2.Animation()
    animation.frames = [cv2.cvtColor(frame, cv2.COLOR_RGB2BGR) for frame in frames]
    animation.durations = [1000 // FRAMES_PER_SECOND] * len(frames)
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    if path.stat().st_size > MAX_FILE_BYTES:
        raise ValueError(f"{path} has {path.stat().st_size:,} bytes, more than {MAX_FILE_BYTES:,}")


def main(path: Path) -> None:
    """Make the animation."""
    frames = render_frames(record_rounds(seed=11))
    write_animation(frames, path)
    print(f"{path}: {len(frames)} frames, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.docs.round_animation", description=__doc__)
    parser.add_argument("path", metavar="FILE", type=Path, help="the WebP file to write")
    main(parser.parse_args().path)
