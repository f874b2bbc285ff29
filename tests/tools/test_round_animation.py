"""The moving picture of the README."""

from pathlib import Path

import cv2
import pytest

from tools.docs.round_animation import (
    FRAMES_PER_SECOND,
    IMAGE_SIZE,
    MAX_FILE_BYTES,
    record_rounds,
    render_frames,
    write_animation,
)
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.reveal import Reveal
from vision.hands.model import ModelError, model_path

ROOT = Path(__file__).parents[2]


def test_the_picture_in_the_readme_moves_and_is_small() -> None:
    path = ROOT / "docs/pictures/round.webp"
    read, animation = cv2.imreadanimation(str(path))
    assert read and len(animation.frames) > 5 * FRAMES_PER_SECOND
    assert path.stat().st_size <= MAX_FILE_BYTES


@pytest.mark.slow
def test_it_shows_counts_with_live_pictures_and_a_late_throw(tmp_path: Path) -> None:
    try:
        model_path("full")
    except ModelError as error:
        pytest.skip(str(error))
    shown = record_rounds(seed=11)
    views = [view for _, view in shown]
    assert any(isinstance(view, Countdown) and view.preview is not None for view in views)
    reveals = [view for view in views[:-1] if isinstance(view, Reveal)]
    assert [any(seat.foul for seat in reveal.seats) for reveal in reveals] == [False, True]
    first_ns = shown[0][0]
    frames = render_frames([(shown_ns, view) for shown_ns, view in shown if shown_ns <= first_ns + 2_000_000_000])
    assert frames[0].shape == (IMAGE_SIZE[1], IMAGE_SIZE[0], 3)
    write_animation(frames, tmp_path / "round.webp")
    assert cv2.imreadanimation(str(tmp_path / "round.webp"))[0]
