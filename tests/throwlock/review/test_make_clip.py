"""Clips as files: the instants drawn in them are the journal's, they are small, and every phone plays them."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from errors import NotFoundError
from rules.engine import ThrowPrompt
from tests.helpers.clip_rounds import FIRST_MS, LATE_MS, LOCK_MS, frame_level, frame_times, keep_frames, round_of
from tests.helpers.clip_rounds import late_round as make_late_round
from tests.helpers.history_people import strip_jpeg
from tests.helpers.journal_builder import JournalBuilder, P, R, S, make_hand
from tests.helpers.page_rules import drawn
from tests.helpers.samples.reveal import mixed_reveal
from tests.helpers.samples.round_clip import sample_clip, samples
from throwlock.journal.journal import Evidence
from throwlock.review.clip_maker import clip_sentence, clip_title
from throwlock.review.make_clip import (
    FRAMES_PER_S,
    MAX_CLIP_BYTES,
    ClipFormat,
    clip_frames,
    make_clip,
    picture_count,
    render_pictures,
    round_clip,
    write_clip,
)
from ui.i18n.language import LANGUAGES, set_language
from ui.screen.drawing.theme import ACCENT, TEXT, Colour, seat_mark
from ui.screen.pages.round_clip import RoundClip
from ui.screen.pages.slow_motion import LEAD_MS, SLOWDOWN_FACTOR, STOP_S
from ui.web.views import RoundPage

FPS = FRAMES_PER_S[ClipFormat.MP4]
FRAME_MS = 1e3 / FPS / SLOWDOWN_FACTOR
"""The time of the round that a picture of the clip stands for."""
TIMELINE_ROWS = slice(500, 640)
"""Where the timeline is in a clip of two hands."""
MARK_ROWS, LINE_ROWS = 12, 25
"""Rows of a mark, and of the lock and the time that runs."""
Picture = NDArray[np.int16]


@pytest.fixture(scope="module")
def late_round(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[JournalBuilder, int]]:
    box, event = make_late_round(tmp_path_factory.mktemp("box"))
    yield box, event
    box.close()


@pytest.fixture(scope="module")
def late_clip(late_round: tuple[JournalBuilder, int]) -> Path:
    """The MP4 of the round with a late hand."""
    return make(*late_round)


@pytest.fixture(scope="module")
def pictures(late_clip: Path) -> "list[Picture]":
    """Its pictures."""
    with av.open(str(late_clip)) as file:
        return [frame.to_ndarray(format="rgb24").astype(np.int16) for frame in file.decode(video=0)]


def page_of(box: JournalBuilder, event: int) -> RoundPage:
    with box.shelf.open() as archive:
        return archive.round(event)


def clip_of(box: JournalBuilder, event: int) -> RoundClip:
    with box.shelf.open() as archive:
        page = archive.round(event)
        return round_clip(page, clip_frames(archive, page))


def make(box: JournalBuilder, event: int, clip_format: ClipFormat = ClipFormat.MP4) -> Path:
    path = box.path.parent / f"clip.{clip_format}"
    shares: list[float] = []
    with box.shelf.open() as archive:
        make_clip(archive, event, clip_format, path, shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0
    return path


def columns(picture: Picture, colour: Colour, least_rows: int) -> NDArray[np.intp]:
    """Return the columns of the timeline in which at least so many pixels are of a colour."""
    near = np.abs(picture[TIMELINE_ROWS] - np.array(colour)).max(axis=2) < 40
    return np.flatnonzero(near.sum(axis=0) >= least_rows)


def middle(found: NDArray[np.intp]) -> float:
    assert found.size and np.ptp(found) < 40, found
    return float(found.mean())


@pytest.mark.slow
def test_the_instants_drawn_are_those_of_the_journal(
    late_round: tuple[JournalBuilder, int], pictures: list[Picture]
) -> None:
    """Read from the pictures: where the marks of both hands and the lock are, when each appears, and where the time
    runs."""
    last = pictures[-1]
    first_x, late_x = (middle(columns(last, seat_mark(seat).colour, MARK_ROWS)) for seat in (1, 2))
    lock_x = middle(columns(last, ACCENT, LINE_ROWS))
    shown_ms = {seat: one.after_first_ms or 0.0 for seat, one in enumerate(page_of(*late_round).line.seats, 1)}
    assert shown_ms[2] == pytest.approx(LATE_MS - FIRST_MS, abs=0.1)
    ms_per_pixel = (LOCK_MS - FIRST_MS - shown_ms[1]) / (lock_x - first_x)
    assert (late_x - first_x) * ms_per_pixel == pytest.approx(shown_ms[2] - shown_ms[1], abs=FRAME_MS)
    begun_s = LEAD_MS * SLOWDOWN_FACTOR / 1e3
    appears_s = {1: begun_s, 2: begun_s + (shown_ms[2] - shown_ms[1]) * SLOWDOWN_FACTOR / 1e3 + 2 * STOP_S}
    for seat, seconds in appears_s.items():
        number = next(n for n, one in enumerate(pictures) if columns(one, seat_mark(seat).colour, MARK_ROWS).size)
        assert number == pytest.approx(seconds * FPS, abs=1)
        cursor = columns(pictures[number], TEXT, LINE_ROWS)
        assert cursor.size, "the time stands still there"
        drawn_ms = shown_ms[1] + (middle(cursor) - first_x) * ms_per_pixel
        assert drawn_ms == pytest.approx(shown_ms[seat], abs=FRAME_MS)


def test_the_hands_are_those_of_the_nearest_frame(
    late_round: tuple[JournalBuilder, int], pictures: list[Picture]
) -> None:
    clip = clip_of(*late_round)
    assert len(pictures) == picture_count(clip, FPS)
    for number in range(0, len(pictures), 11):
        moment_ms = clip.moment_after(number / FPS) + FIRST_MS
        nearest = min(range(len(frame_times())), key=lambda n: abs(frame_times()[n] - moment_ms))
        assert int(np.median(pictures[number][300:380, 130:230])) == pytest.approx(frame_level(nearest), abs=4)


def test_the_verdict_comes_last(late_round: tuple[JournalBuilder, int], pictures: list[Picture]) -> None:
    below = [int((np.abs(one[640:] - np.array(TEXT)).max(axis=2) < 60).sum()) for one in pictures]
    shown = next(n for n, count in enumerate(below) if count > 500)
    assert shown == pytest.approx(clip_of(*late_round).animation_s * FPS, abs=1)
    assert max(below[:shown]) == 0 and min(below[shown:]) > 500


def test_browsers_and_phones_can_play_it(late_clip: Path) -> None:
    with av.open(str(late_clip)) as file:
        stream = file.streams.video[0]
        assert (stream.codec_context.name, stream.pix_fmt, stream.width) == ("h264", "yuv420p", 720)
        assert stream.codec_context.profile in ("High", "Main", "Baseline")
    data = late_clip.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "it plays while it is still loading"
    assert len(data) < MAX_CLIP_BYTES


def test_webp_is_animated_for_ever(late_round: tuple[JournalBuilder, int]) -> None:
    path = make(*late_round, ClipFormat.WEBP)
    with Image.open(path) as image:
        assert image.format == "WEBP" and image.size == (720, 720) and image.info["loop"] == 0
        assert image.n_frames > 20  # type: ignore[attr-defined]  # of animated formats
        shown_ms = []
        for number in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(number)
            image.load()
            shown_ms.append(image.info["duration"])
    length_s = clip_of(*late_round).length_s
    assert sum(shown_ms) / 1e3 == pytest.approx(length_s, abs=2 / FRAMES_PER_S[ClipFormat.WEBP])
    assert path.stat().st_size < MAX_CLIP_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("clip_format", ClipFormat)
def test_the_longest_clip_of_the_worst_pictures_is_small_enough(tmp_path: Path, clip_format: ClipFormat) -> None:
    """Eight hands, one early and one late, and nothing but noise, which no codec makes smaller."""
    rng, path = np.random.default_rng(0), tmp_path / f"clip.{clip_format}"
    noise = [rng.integers(0, 256, (240, 240, 3), np.uint8) for _ in range(200)]
    clip = sample_clip(mixed_reveal(8), 0.0)
    clip = replace(clip, hand_image=lambda seat, frame: noise[(31 * seat + frame) % len(noise)])
    fps = FRAMES_PER_S[clip_format]
    write_clip(
        path, clip_format, clip.size, picture_count(clip, fps), lambda: render_pictures(clip, fps), lambda share: None
    )
    assert clip.length_s > 10 and path.stat().st_size < MAX_CLIP_BYTES


def test_a_clip_that_can_not_be_written_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> Iterator[NDArray[np.uint8]]:
        yield np.zeros((720, 720, 3), np.uint8)
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError):
        write_clip(tmp_path / "clip.mp4", ClipFormat.MP4, (720, 720), 9, fail, lambda share: None)
    assert list(tmp_path.iterdir()) == []


def test_without_kept_frames_the_strips_make_a_clip(late_round: tuple[JournalBuilder, int]) -> None:
    box, kept = late_round
    body = next(event.body for event in box.journal.events() if event.number == kept)
    strips = [Evidence(f"strip-{seat}.jpg", "image/jpeg", strip_jpeg(9)) for seat in (1, 2)]
    bare = body.model_copy(update={"evidence": {}})
    with_strips = box.journal.append(box.match, bare, strips).number
    clip = clip_of(box, with_strips)
    assert len(clip.frame_times_ms) == 9 and clip.end_ms <= LOCK_MS - FIRST_MS + 200
    assert clip.at_time(1e3).has_shown(clip.seats[1]), "also where the strips end before the late hand"
    nothing = box.journal.append(box.match, bare).number
    with pytest.raises(NotFoundError, match="no pictures"):
        clip_of(box, nothing)


def test_kept_frames_with_a_wrong_bit_are_replaced_by_the_strips(tmp_path: Path) -> None:
    with closing(JournalBuilder(tmp_path / "evening.journal")) as box:
        box.add_round(R, P)
        body = box.journal.events()[-1].body
        strips = [Evidence(f"strip-{seat}.jpg", "image/jpeg", strip_jpeg(9)) for seat in (1, 2)]
        event = box.journal.append(box.match, body.model_copy(update={"evidence": {}}), strips).number
        keep_frames(box, event)
        assert len(clip_of(box, event).frame_times_ms) == len(frame_times())
        (file,) = Path(f"{box.path}.frames").iterdir()
        data = bytearray(file.read_bytes())
        data[data.index(b"PK\1\2") + 10] ^= 1  # the first file's kind of compression
        file.write_bytes(data)
        assert len(clip_of(box, event).frame_times_ms) == 9


def test_a_changed_hand_is_seen_to_change(tmp_path: Path) -> None:
    with closing(JournalBuilder(tmp_path / "evening.journal")) as box:
        event = round_of(box, R, make_hand(R, "changed", after_lock=S, shown_ms=40.0))
        clip = clip_of(box, event)
        assert clip.end_ms == clip.frame_times_ms[-1] > LOCK_MS - FIRST_MS + 200


def test_a_round_without_a_hand_is_the_time_before_the_lock(tmp_path: Path) -> None:
    with closing(JournalBuilder(tmp_path / "evening.journal")) as box:
        unseen = [make_hand(None, "unseen", shown_ms=None, uncertainty_ms=None) for _ in range(2)]
        clip = clip_of(box, round_of(box, *unseen))
        assert clip.seats[0].last_throw is None and clip.animation_s > 1 and clip.window_ms > 0


def test_a_corrected_throw_is_shown_as_everybody_agreed(tmp_path: Path) -> None:
    with closing(JournalBuilder(tmp_path / "evening.journal")) as box:
        event = round_of(box, R, S)
        assert clip_of(box, event).seats[0].last_throw == R
        box.correct(event, 1, P)
        page = page_of(box, event)
        clip = clip_of(box, event)
        assert clip.seats[0].last_throw == P and clip.seats[1].last_throw == S
        assert "Ada said so." in clip_sentence(page.line)


def test_a_clip_is_named_after_its_game_and_round(late_round: tuple[JournalBuilder, int]) -> None:
    page = page_of(*late_round)
    assert str(clip_of(*late_round).title) == "Classic, round 1"
    asked = ThrowPrompt({}, about={"phase": "primary game", "round": 1})
    named = replace(page, line=replace(page.line, prompt=asked))
    assert str(clip_title(named)) == "Classic · Primary game, round 1"


def test_a_clip_is_in_the_language_asked_for(late_round: tuple[JournalBuilder, int]) -> None:
    def rendered(language: str) -> NDArray[np.uint8]:
        set_language(language)
        clip = clip_of(*late_round)
        return list(render_pictures(clip, 2))[-1]

    english, german = rendered("en"), rendered("de")
    set_language("en")
    assert (english != german).any()


def test_no_sample_has_a_text_that_is_cut() -> None:
    for language in LANGUAGES:
        set_language(language)
        for name, clip in samples().items():
            canvas = drawn(clip, clip.size)
            assert [text.text for text in canvas.texts if not text.complete] == [], (name, language)
            assert not canvas.targets
