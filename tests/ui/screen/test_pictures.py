"""The screens against stored pictures, with a tolerance for another version of the font library. After a change that
is meant: THROWLOCK_NEW_PICTURES=1 pytest tests/ui/screen/test_pictures.py, look at what is new, and commit it."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera.frames import Pixels, Size
from rules.throws import Throw
from tools.gallery import gallery
from tools.gallery.gallery import bet, players, reveal, samples
from ui.screen.core.display import NoInputError, Silent
from ui.screen.core.png_display import SIZES, Pictures, picture, save
from ui.screen.pages.views import Cadence, Notice

STORED = Path(__file__).parent / "pictures"
NEW = os.environ.get("THROWLOCK_NEW_PICTURES") == "1"
ROOMS = tuple(
    f"room-{page}-{count}"
    for page in ("roll", "roll-few", "count", "reveal", "told", "past", "ended")
    for count in (30, 63)
)
"""The pages of a class."""
SHOWN = (
    "choosing",
    "choosing-tools",
    "set-up",
    "sitting",
    "sitting-moving",
    "sitting-names",
    "sitting-letters",
    "settings",
    "settings-house",
    "languages",
    "bet-sealed",
    "bet-entry",
    "throw",
    "claim",
    "act",
    "chips",
    "card",
    "wish",
    "hundred",
    "board",
    "board-rock",
    "board-stack",
    "board-theirs",
    "board-takes",
    "board-costs",
    "board-spread",
    "board-told",
    "watching",
    "watching-illegal",
    "watching-several",
    "watching-unread",
    "watching-worst",
    "calculator-full",
    "calculator-keys",
    "cadence-2",
    "cadence-again-8",
    "cadence-go-8",
    "judging-3",
    "waiting",
    "dispute-2",
    "dispute-8",
    "dispute-hand",
    "dispute-agree",
    "cadence-fouls-8",
    "reveal-2",
    "reveal-8",
    "reveal-touch-2",
    "reveal-touch-8",
    "told-touch-3",
    "told-2",
    "ended-8",
    "reveal-won-2",
    "reveal-won-8",
    "reveal-opens-2",
    "reveal-passes-8",
    "cadence-stakes-2",
    "cadence-stakes-8",
    "told-standing-2",
    "told-standing-8",
    "told-known-2",
    "ended-standing-2",
    "ended-standing-8",
    "hint-bets",
    "hint-claim",
    "cards-dealt",
    "attract-count",
    "attract-show",
    "attract-lock",
    "attract-late",
    "attract-won",
    "notice",
    "question",
    "fault-camera",
    "fault-journal",
    "past-matches",
    "past-match",
    "past-round-2",
    "practise-seal",
    "practise-open",
    "network-off",
    "network-on",
    "gather-sealed-2",
    "gather-handed-over",
    "gather-own",
    "gather-open-3",
    "gather-sealed-8",
    "gather-held-2",
    "gather-wish-8",
    "gather-cards-2",
    "gather-cards-8",
    "reveal-cards-8",
    *ROOMS,
)
LARGE: Size = (1280, 720)
"""A larger screen, of which the pages that matter most are stored too."""
SHOWN_LARGE = (
    "choosing-tools",
    "set-up",
    "sitting",
    "sitting-letters",
    "settings-house",
    "bet-entry",
    "board",
    "watching-illegal",
    "cadence-2",
    "reveal-2",
    "reveal-8",
    "reveal-won-2",
    "reveal-won-8",
    "told-2",
    "told-standing-2",
    "told-standing-8",
    "ended-8",
    "ended-standing-8",
    "dispute-2",
    "notice",
    "gather-sealed-2",
    *ROOMS,
)
STORED_ALL = [*((name, size) for name in SHOWN for size in SIZES), *((name, LARGE) for name in SHOWN_LARGE)]
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
    drawn = half(picture(SAMPLES[name], size))
    if NEW:
        STORED.mkdir(parents=True, exist_ok=True)
        save(drawn, path)
    stored = read(path)
    if not alike(stored, drawn):
        beside = Path(tempfile.mkdtemp(prefix="throwlock-screen-")) / path.name
        save(np.hstack([stored, drawn]) if stored.shape == drawn.shape else drawn, beside)
        pytest.fail(f"{name} looks different: stored (left) and drawn (right) are in {beside}")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_another_word_is_another_picture(size: Size) -> None:
    """The tolerance does not hide what matters: another throw's word, another score, a foul."""

    def shown(view: object) -> Pixels:
        return half(picture(view, size))  # type: ignore[arg-type]  # any view or page

    words = [shown(Cadence(players(8), "Round 3", ("ROCK", word), 1)) for word in ("SHOOT", "SHOUT")]
    assert not alike(*words)
    seen = reveal(8)
    for change in ({"verdict": "changed"}, {"foul": False}, {"throw": Throw.ROCK}, {"after_first_ms": 218.0}):
        seats = (seen.seats[0], replace(seen.seats[1], **change), *seen.seats[2:])
        assert not alike(shown(seen), shown(replace(seen, seats=seats))), change
    one, other = (Notice("Fault", text) for text in ("The camera is gone.", "The disk is full now."))
    assert not alike(shown(one), shown(other))
    assert alike(shown(one), shown(one))


def test_pictures_are_numbered_as_shown_and_a_beat_is_written_once(tmp_path: Path) -> None:
    display = Pictures(tmp_path / "screens", ((800, 480),), answer=lambda view: 5)
    count = Cadence(players(2), "Round 1", ("ROCK", "SHOOT"), 0)
    display.show(count)
    display.show(Cadence(players(2), "Round 1", ("ROCK", "SHOOT"), 0, 0.5))
    display.show(Cadence(players(2), "Round 1", ("ROCK", "SHOOT"), 1))
    assert display.ask(bet(2)) == 5
    display.show(count)
    names = sorted(path.name for path in (tmp_path / "screens").iterdir())
    assert names == [
        "001-cadence-800x480.png",
        "002-cadence-800x480.png",
        "003-question-sealed-800x480.png",
        "004-question-800x480.png",
        "005-cadence-800x480.png",
    ]
    assert [path.name for path in display.written] == names
    assert read(display.written[0]).shape == (480, 800, 3)


def test_the_gallery_has_every_sample_at_every_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a few samples: that each of them can be drawn at each size is seen with the painters."""
    few = {name: SAMPLES[name] for name in ("choosing", "board", "notice")}
    monkeypatch.setattr(gallery, "samples", lambda: few)
    gallery.main(tmp_path)
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {f"{name}-{width}x{height}.png" for name in few for width, height in (*SIZES, LARGE)}


def test_a_screen_nobody_touches_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoInputError, match="nobody can touch"):
        Silent().ask(Notice("Hello", "All is well."))
    display = Pictures(tmp_path, ((800, 480),))
    with pytest.raises(NoInputError, match="notice"):
        display.ask(Notice("Hello", "All is well."))
    assert len(display.written) == 1
    Silent().show(Notice("Hello", "All is well."))


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(OSError, match=r"taken\.png"):
        save(np.zeros((4, 4, 3), np.uint8), tmp_path / "taken.png")
    assert [path.name for path in tmp_path.iterdir()] == ["taken.png"]
