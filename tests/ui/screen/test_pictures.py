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
from tools import gallery
from tools.gallery import samples
from ui.screen.core.display import NoInputError, NullDisplay
from ui.screen.core.png_display import PANEL_SIZES, PngDisplay, render_image, save_png
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.notice import Notice

STORED = Path(__file__).parent / "pictures"
NEW = os.environ.get("THROWLOCK_NEW_PICTURES") == "1"
ROOMS = tuple(
    f"classroom-{page}-{count}"
    for page in ("roll-call", "roll-call-few", "countdown", "reveal", "message", "history", "result", "result-list")
    for count in (30, 63)
)
"""The pages of a class."""
SHOWN = (
    "classroom-message-last",
    "classroom-podium-ties",
    "history-classes",
    "home",
    "home-tools",
    "home-unfinished",
    "home-hall",
    "home-hall-unfinished",
    "hall-off",
    "hall-matches",
    "hall-unreachable",
    "result-hall",
    "home-set-up-tournament",
    "new-tournament-formats",
    "new-tournament-players",
    "new-tournament-groups",
    "tournament-8",
    "tournament-64",
    "tournament-swiss",
    "tournament-over",
    "tournament-match-won",
    "tournament-standings",
    "tournament-points",
    "result-tournament",
    "seating-fixed",
    "home-set-up",
    "pause",
    "pause-undo",
    "pause-endless",
    "pause-phones",
    "phones-off",
    "phones-2",
    "phones-8",
    "phones-class",
    "phones-second-screen",
    "second-screen-watched",
    "pause-leave",
    "pause-restart",
    "message-undo-2",
    "slow-motion-late-2",
    "slow-motion-take-home-2",
    "take-home",
    "take-home-off",
    "slow-motion-8",
    "seating",
    "seating-moving",
    "seating-names",
    "seating-letters",
    "settings",
    "settings-sound",
    "settings-rules",
    "player-throws",
    "player-habits",
    "player-opponents",
    "awards",
    "awards-none",
    "result-awards",
    "languages",
    "box",
    "box-camera",
    "filming",
    "filming-begun",
    "filming-consent",
    "filming-agree",
    "filming-take",
    "filming-take-late",
    "filming-report",
    "labelling-begun",
    "labelling-done",
    "box-wifi-wrong",
    "box-password",
    "box-cities",
    "box-shut-down",
    "question-hand-over",
    "question-bet",
    "question-throw",
    "question-claim",
    "question-act",
    "question-chips",
    "question-card",
    "question-wish",
    "question-hundred",
    "board",
    "board-rock",
    "board-stack",
    "board-theirs",
    "board-takes",
    "board-costs",
    "board-spread",
    "board-message",
    "printed-board",
    "printed-board-illegal",
    "printed-board-several",
    "printed-board-unread",
    "printed-board-worst",
    "calculator-full",
    "calculator-keys",
    "countdown-2",
    "countdown-again-8",
    "countdown-go-8",
    "judging-3",
    "waiting",
    "dispute-2",
    "dispute-8",
    "dispute-hand",
    "dispute-too-close",
    "dispute-agree",
    "countdown-fouls-8",
    "reveal-2",
    "reveal-8",
    "reveal-dispute-2",
    "reveal-dispute-8",
    "message-dispute-3",
    "message-2",
    "result-8",
    "result-code",
    "reveal-won-2",
    "reveal-won-8",
    "reveal-turns-2",
    "reveal-opens-2",
    "reveal-passes-8",
    "countdown-stakes-2",
    "countdown-stakes-8",
    "message-facts-2",
    "message-facts-8",
    "message-known-2",
    "result-facts-2",
    "result-facts-8",
    "group-hint-bets",
    "group-hint-claim",
    "question-cards-dealt",
    "attract-count",
    "attract-show",
    "attract-lock",
    "attract-late",
    "attract-won",
    "first-time",
    "how-to-play-classic-1",
    "how-to-play-classic-2",
    "how-to-play-late",
    "how-to-play-throw-cards",
    "how-to-play-redeux-4",
    "how-to-play-future-4",
    "how-to-play-board-3",
    "notice",
    "notice-question",
    "notice-keep",
    "notice-camera",
    "notice-journal",
    "history-matches",
    "history-match",
    "history-round-2",
    "practice-seal",
    "practice-open",
    "network-off",
    "network-on",
    "group-sealed-2",
    "group-handed-over",
    "group-own",
    "group-open-3",
    "group-sealed-8",
    "group-phones-4",
    "group-held-2",
    "group-wish-8",
    "group-changes-8",
    "group-changes-own",
    "group-time-up",
    "group-time-told",
    "presence",
    "presence-hands",
    "group-cards-2",
    "group-cards-8",
    "reveal-cards-8",
    "reveal-too-close-2",
    "showdown-down-2",
    "showdown-bluff-3",
    "showdown-compared-3",
    "showdown-moving-6",
    "showdown-won-2",
    "showdown-unshown",
    *ROOMS,
)
LARGE: Size = (1280, 720)
"""A larger screen, of which the pages that matter most are stored too."""
SHOWN_LARGE = (
    "home-tools",
    "home-set-up",
    "seating",
    "seating-letters",
    "settings-rules",
    "player-throws",
    "player-habits",
    "player-opponents",
    "awards",
    "awards-none",
    "result-awards",
    "question-bet",
    "board",
    "printed-board-illegal",
    "countdown-2",
    "reveal-2",
    "reveal-8",
    "reveal-won-2",
    "reveal-won-8",
    "message-2",
    "message-facts-2",
    "message-facts-8",
    "result-8",
    "result-facts-8",
    "dispute-2",
    "notice",
    "group-sealed-2",
    *ROOMS,
)
STORED_ALL = [*((name, size) for name in SHOWN for size in PANEL_SIZES), *((name, LARGE) for name in SHOWN_LARGE)]
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
    for change in ({"verdict": "changed"}, {"foul": False}, {"throws": (Throw.ROCK,)}, {"after_first_ms": 218.0}):
        seats = (seen.seats[0], replace(seen.seats[1], **change), *seen.seats[2:])
        assert not alike(shown(seen), shown(replace(seen, seats=seats))), change
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
    pages = {f"{name}-{width}x{height}.png" for name in few for width, height in (*PANEL_SIZES, LARGE)}
    assert written == pages | {f"{name}.png" for name in gallery.clip_samples()}


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
