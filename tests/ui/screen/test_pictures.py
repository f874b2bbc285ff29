"""The screens against stored pictures, with a tolerance for another version of the font library. After a change that
is meant: THROWLOCK_NEW_PICTURES=1 pytest tests/ui/screen/test_pictures.py, look at what is new, and commit it."""

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera.frames import Pixels, Size
from rules.throws import Throw
from tests.helpers.samples.common import players
from tests.helpers.samples.question import bet_question
from tests.helpers.samples.reveal import mixed_reveal
from tests.helpers.samples.round_clip import samples as clip_samples
from tools import gallery
from tools.gallery import samples
from ui.screen.core.display import NoInputError, NullDisplay
from ui.screen.core.png_display import PANEL_SIZES, PngDisplay, render_image, save_png
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.notice import Notice

STORED = Path(__file__).parent / "pictures"
NEW = os.environ.get("THROWLOCK_NEW_PICTURES") == "1"
SHOWN = (
    "home-games",
    "home-tools",
    "home-set-up",
    "hall-matches",
    "new-tournament-groups",
    "tournament-8",
    "tournament-standings",
    "seating-names",
    "seating-letters",
    "pause",
    "phones-2",
    "guests-3",
    "second-screen-watched",
    "slow-motion-late-2",
    "take-home",
    "settings",
    "player-habits",
    "awards",
    "box-camera",
    "box-wifi-wrong",
    "filming-take",
    "labelling-done",
    "question-bet",
    "question-claim",
    "board-stack",
    "printed-board-illegal",
    "calculator-full",
    "countdown-2",
    "judging-3",
    "dispute-2",
    "reveal-8",
    "message-facts-2",
    "result-8",
    "result-decided-3",
    "group-sealed-2",
    "attract-late",
    "first-time",
    "how-to-play-classic-1",
    "notice",
    "history-match",
    "practice-open",
    "network-help",
    "network-on",
    "presence",
    "showdown-compared-3",
    "classroom-roll-call-30",
    "classroom-reveal-63",
    "classroom-result-30",
)
"""A page of each kind; the rules hold for all (test_painters, test_sizes)."""
STORED_ALL = [(name, size) for name in SHOWN for size in PANEL_SIZES]
SAMPLES = samples()
MEAN_LEVELS = 1.0
"""How far two pictures may differ on average, of 255 levels."""
CHANGED_LEVELS, CHANGED_SHARE = 96, 0.0005
"""A pixel that differs by so many levels has changed; this share may (edges of letters that fell elsewhere)."""


def half(pixels: Pixels) -> Pixels:
    """Half as wide and high: what the stored pictures are, small and forgiving of single pixels."""
    size = (pixels.shape[1] // 2, pixels.shape[0] // 2)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def alike(one: Pixels, other: Pixels) -> bool:
    if one.shape != other.shape:
        return False
    apart = np.abs(one.astype(int) - other.astype(int)).max(axis=2)
    return bool(apart.mean() <= MEAN_LEVELS and (apart >= CHANGED_LEVELS).mean() <= CHANGED_SHARE)


def read(path: Path) -> Pixels:
    stored = cv2.imread(str(path))
    assert stored is not None, f"{path} is missing or no picture: see how to make it at the top of this file"
    return np.asarray(cv2.cvtColor(stored, cv2.COLOR_BGR2RGB), dtype=np.uint8)


@pytest.mark.parametrize(("name", "size"), STORED_ALL, ids=[f"{name}-{size[0]}x{size[1]}" for name, size in STORED_ALL])
def test_a_screen_looks_as_stored(name: str, size: Size) -> None:
    path = STORED / f"{name}-{size[0]}x{size[1]}.png"
    drawn = half(render_image(SAMPLES[name], size))
    if NEW:
        STORED.mkdir(parents=True, exist_ok=True)
        save_png(drawn, path)
    stored = read(path)
    if not alike(stored, drawn):
        beside = Path(tempfile.mkdtemp(prefix="throwlock-screen-")) / path.name
        save_png(np.hstack([stored, drawn]) if stored.shape == drawn.shape else drawn, beside)
        pytest.fail(f"{name} looks different: stored (left) and drawn (right) are in {beside}")


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_another_word_is_another_picture(size: Size) -> None:
    """The tolerance does not hide what matters: another throw's word, another score, a foul."""

    def shown(view: object) -> Pixels:
        return half(render_image(view, size))  # type: ignore[arg-type]  # any view or page

    words = [shown(Countdown(players(8), "Round 3", ("ROCK", word), 1)) for word in ("SHOOT", "SHOUT")]
    assert not alike(*words)
    seen = mixed_reveal(8)
    on_time, late, *others = seen.seats
    changes = ({"verdict": "changed"}, {"is_foul": False}, {"after_first_ms": 218.0})
    differing = [(on_time, replace(late, **change)) for change in changes]
    for pair in (*differing, (replace(on_time, throws=(Throw.ROCK,)), late)):
        assert not alike(shown(seen), shown(replace(seen, seats=(*pair, *others)))), pair
    one, other = (Notice("Fault", text) for text in ("The camera is gone.", "The disk is full now."))
    assert not alike(shown(one), shown(other))
    assert alike(shown(one), shown(one))


def test_pictures_are_numbered_as_shown_and_a_beat_is_written_once(tmp_path: Path) -> None:
    display = PngDisplay(tmp_path / "screens", ((800, 480),), answer=lambda view: 5)
    count = Countdown(players(2), "Round 1", ("ROCK", "SHOOT"), 0)
    display.show(count)
    display.show(Countdown(players(2), "Round 1", ("ROCK", "SHOOT"), 0, 0.5))
    display.show(Countdown(players(2), "Round 1", ("ROCK", "SHOOT"), 1))
    assert display.ask(bet_question(2)) == 5
    display.show(count)
    names = sorted(path.name for path in (tmp_path / "screens").iterdir())
    assert names == [
        "001-countdown-800x480.png",
        "002-countdown-800x480.png",
        "003-question-sealed-800x480.png",
        "004-question-800x480.png",
        "005-countdown-800x480.png",
    ]
    assert [path.name for path in display.paths] == names
    assert read(display.paths[0]).shape == (480, 800, 3)


def test_the_gallery_has_every_sample_at_every_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a few samples: that each of them can be drawn at each size is seen with the painters."""
    few = {name: SAMPLES[name] for name in ("home", "board", "notice")}
    monkeypatch.setattr(gallery, "samples", lambda: few)
    gallery.main(tmp_path)
    written = {path.name for path in tmp_path.iterdir()}
    pages = {f"{name}-{width}x{height}.png" for name in few for width, height in (*PANEL_SIZES, gallery.LARGE)}
    assert written == pages | {f"{name}.png" for name in clip_samples()}


def test_the_gallery_s_help_writes_nothing(tmp_path: Path) -> None:
    helped = subprocess.run(
        [sys.executable, "-m", "tools.gallery", "--help"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(Path.cwd())}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert helped.stdout.startswith("usage: python -m tools.gallery") and not list(tmp_path.iterdir())


def test_a_screen_nobody_touches_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoInputError, match="has no input"):
        NullDisplay().ask(Notice("Hello", "All is well."))
    display = PngDisplay(tmp_path, ((800, 480),))
    with pytest.raises(NoInputError, match="Notice"):
        display.ask(Notice("Hello", "All is well."))
    assert len(display.paths) == 1
    NullDisplay().show(Notice("Hello", "All is well."))


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(OSError, match=r"taken\.png"):
        save_png(np.zeros((4, 4, 3), np.uint8), tmp_path / "taken.png")
    assert [path.name for path in tmp_path.iterdir()] == ["taken.png"]
