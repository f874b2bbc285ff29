"""Names of every script: which font draws them, in which order, and that they stay in their line."""

import unicodedata

import pygame
import pytest

from messages import N, join
from ui.fonts import FIRST_EMOJI, can_shape, is_plain, missing_letters, split_runs
from ui.screen.drawing.text import fit_text, line_height, render_line, text_width

SCRIPTS = {
    "سارة": "NotoSansArabic-Bold.ttf",
    "דנה": "NotoSansHebrew-Bold.ttf",
    "नेहा": "NotoSansDevanagari-Bold.ttf",
    "கவிதா": "NotoSansTamil-Bold.ttf",
    "ที่รัก": "NotoSansThai-Bold.ttf",
    "王小明": "NotoSansCJK-Bold.ttc",
    "さくら": "NotoSansCJK-Bold.ttc",
    "김민준": "NotoSansCJK-Bold.ttc",
    "Nguyễn": "NotoSans-Bold.ttf",
    "👩🏽\u200d🚀": "NotoColorEmoji.ttf",
    "🇩🇪": "NotoColorEmoji.ttf",
}
"""Names, and the font that has each."""
WHITE = (255, 255, 255)


@pytest.fixture(scope="module", autouse=True)
def _fonts() -> None:
    if missing_letters("".join(SCRIPTS)) or not can_shape():
        pytest.skip("this machine lacks fonts: Debian's fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji")


def ink(text: str, size: int = 40) -> pygame.Rect:
    return render_line(text, size, WHITE).get_bounding_rect()


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_has_its_font(name: str) -> None:
    (run,) = split_runs(name)
    assert run.font is not None and (run.text, run.font.path.name) == (name, SCRIPTS[name])
    line = render_line(name, 40, WHITE)
    assert line.get_size() == (text_width(name, 40), line_height(40)) and ink(name).w > 0


def test_the_main_font_draws_what_it_has() -> None:
    for text in ("Zoë", "Σοφία", "Ольга", "“Ready” – 2 × 3 …", "1\N{NO-BREAK SPACE}000"):
        assert is_plain(text.replace("\N{NO-BREAK SPACE}", " "))
        assert [run.font for run in split_runs(text)] == [None] and not missing_letters(text)


def test_common_text_is_in_the_main_font() -> None:
    letters = [chr(code) for code in range(0x20, 0x2200) if is_plain(chr(code)) and not chr(code).isspace()]
    assert len(letters) > 500
    for letter in letters:
        assert ink(letter) or letter in "\u00ad\u200b", f"U+{ord(letter):04X} is drawn"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Ready, דנה (2)?", ["Ready, ", "(", "2", ") ", "דנה", "?"]),
        ("\u2068שרה\u2069, \u2068דנה\u2069", ["שרה", ", ", "דנה"]),
        ("שרה דנה", ["דנה", " ", "שרה"]),
    ],
)
def test_leftward_names_in_a_line_that_runs_rightwards(text: str, seen: list[str]) -> None:
    assert [run.text for run in split_runs(text)] == seen


def test_leftward_names_keep_their_places_and_figures_in_a_list() -> None:
    scores = join([join([name, points]) for name, points in (("דנה", "10"), ("שרה", "9"), ("דנה Cohen", "8"))], ", ")
    line = N("{names} and {last}", names=scores, last="רות")
    assert "".join(run.text for run in split_runs(line)) == "דנה 10, שרה 9, דנה Cohen 8 and רות"


def test_a_decomposed_accent_is_one_letter() -> None:
    for name in ("Zoë", "Nguyễn"):
        assert split_runs(unicodedata.normalize("NFD", name)) == split_runs(name)


def test_a_chinese_character_beside_japanese_letters_is_japanese() -> None:
    fonts = {run.font for run in split_runs("田中さくら")}
    assert fonts == {run.font for run in split_runs("さくら")} != {run.font for run in split_runs("田中")}


def test_joined_letters_are_narrower_than_single_ones() -> None:
    assert text_width("سارة", 40) < sum(text_width(letter, 40) for letter in "سارة")


@pytest.mark.parametrize("text", ["ที่รัก กุ้ง", "Nguyễn Thị Hương", "बिल्ली", "Ready, Nguyễn?", "🦊 Fox"])
@pytest.mark.parametrize("size", [12, 40, 90])
def test_no_letter_leaves_its_line(text: str, size: int) -> None:
    line = render_line(text, size, WHITE)
    assert line.get_height() == line_height(size) and ink(text, size).w <= text_width(text, size)
    alone = [render_line(word, size, WHITE).get_bounding_rect() for word in text.split()]
    assert ink(text, size).h >= 0.7 * max(word.h for word in alone), "nothing is cut off"


def test_an_emoji_keeps_its_colours() -> None:
    assert ord("🦊") >= FIRST_EMOJI
    picture = pygame.surfarray.array3d(render_line("🦊", 40, WHITE))
    assert (picture.max(axis=2) - picture.min(axis=2)).max() > 100


def test_what_no_font_has_is_named_once() -> None:
    assert missing_letters("\ue000Ada\ue001\ue000\u2068") == "\ue000\ue001"
    assert ink("\ue000").w > 0, "a box is drawn"


def test_long_names_are_made_smaller_and_cut_between_letters() -> None:
    fitted = fit_text("王" * 30, 200, 60, 40, 20, 1)
    assert not fitted.complete and fitted.lines[0].endswith("…") and text_width(fitted.lines[0], 20) <= 200
    cut = fit_text("நி" * 30, 200, 60, 40, 20, 1).lines[0]
    assert cut.count("ந") == cut.count("ி"), "no letter loses its mark"
