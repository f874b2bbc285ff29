"""Whole games of all kinds in a real window: xdotool clicks from the home page through set-up, sitting down, throws,
bets, claims and moves to the result, and back home. Skipped where Xvfb or xdotool is missing."""

import contextlib
import json
import queue
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest
from clicked_game import FASTER
from test_screen_xvfb import Server, server

from rules.catalogue import GAMES
from throwlock.journal.journal import JournalReader
from throwlock.journal.verify import verify
from ui.screen.core.focus import SETTLE_TIME_NS

__all__ = ["server"]
PATIENCE_S = 60.0
STILL_S = 0.8
"""After so long without a new page a click is made again: a touch that comes too soon after a new page is not one."""
SETTLED_S = 2 * SETTLE_TIME_NS / FASTER / 1e9
"""From when a touch on a new page counts, twice over."""
CLICKS = 600


@dataclass(frozen=True)
class Spot:
    """A target: its name for people, what a touch on it means, and its middle."""

    label: str
    press: str
    x: int
    y: int


@dataclass
class Seen:
    """What the window tells, read in a thread of its own."""

    lines: "queue.SimpleQueue[str | None]" = field(default_factory=queue.SimpleQueue)
    page: str = ""
    spots: tuple[Spot, ...] = ()

    def read(self, out: IO[str]) -> None:
        for line in out:
            self.lines.put(line)
        self.lines.put(None)

    def newest(self, patience_s: float) -> bool:
        """Take in what is new, once that stays for a moment; False when nothing came for so long."""
        line: str | None = ""
        with contextlib.suppress(queue.Empty):
            while line is not None:
                line = self.lines.get(timeout=SETTLED_S if line else patience_s)
        if line == "":
            return False
        assert line is not None, f"the window closed at {self.page}"
        if line.startswith("{"):
            told = json.loads(line)
            self.page, self.spots = told["page"], tuple(Spot(*spot) for spot in told["targets"])
        return True


def chosen(seen: Seen, title: str, chance: random.Random) -> Spot | None:
    """What people who want to play ``title`` click; None where there is only to wait."""

    def those(*kinds: str) -> list[Spot]:
        return [spot for spot in seen.spots if spot.press.startswith(kinds) and "None" not in spot.press]

    sure = {"SetUpPage": "ChosenGame", "PlanPage": "SeatingAnswer", "MatchResult": "'home'"}
    if seen.page in ("GameMenu", "GamesPage"):
        return next(spot for spot in seen.spots if spot.label.startswith(title))
    if seen.page in sure:
        return next(spot for spot in those("Reply(") if sure[seen.page] in spot.press)
    if seen.page in ("Reveal", "GameMessage"):  # what can be touched there is a dispute
        return None
    answers = those("Reply(", "Open(") or those("Visit(", "Propose(", "Put(") or those("Take(")
    return chance.choice(answers) if answers else None


@pytest.fixture
def told(server: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Seen]:
    """A box in a window on the server, with an empty home of its own."""
    command = [
        sys.executable,
        str(Path(__file__).parents[2] / "helpers" / "clicked_game.py"),
        request.param,
        str(tmp_path / "j"),
    ]
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    environment = {**server.environment, **homes, "SDL_AUDIODRIVER": "dummy", "PYTHONPATH": str(Path.cwd())}
    box = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    seen = Seen()
    assert box.stdout is not None
    reader = threading.Thread(target=seen.read, args=(box.stdout,))
    reader.start()
    try:
        yield seen
    finally:
        box.kill()
        box.wait(PATIENCE_S)
        reader.join()


@pytest.fixture
def mouse(server: Server) -> Iterator[IO[str]]:
    """xdotool, which does what is written to it line by line."""
    xdotool = subprocess.Popen(["xdotool", "-"], env=server.environment, stdin=subprocess.PIPE, text=True)
    assert xdotool.stdin is not None
    yield xdotool.stdin
    xdotool.kill()
    xdotool.wait(PATIENCE_S)


@pytest.mark.parametrize(("told", "name"), [(name, name) for name in GAMES], indirect=["told"], ids=list(GAMES))
def test_a_whole_game_is_clicked_from_home_to_its_result_and_back(
    told: Seen, name: str, mouse: IO[str], tmp_path: Path
) -> None:
    chance, title, pages = random.Random(name), GAMES[name].title, []
    assert told.newest(PATIENCE_S)
    for _ in range(CLICKS):
        if told.page != (pages or [""])[-1]:
            pages.append(told.page)
        if "MatchResult" in pages and told.page in ("GameMenu", "GamesPage"):
            break
        spot = chosen(told, title, chance)
        if spot is not None:
            print(f"mousemove {spot.x} {spot.y} click 1", file=mouse, flush=True)
        told.newest(STILL_S if spot is not None else PATIENCE_S)
    assert "MatchResult" in pages and pages[-1] != "MatchResult", pages
    with JournalReader(tmp_path / "j") as journal:
        assert verify(journal).problems == ()
        assert [event.kind for event in journal.events(1)][-1] == "ended"
