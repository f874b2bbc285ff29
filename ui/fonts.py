"""The letters of every script: which font has them, and in which order they are drawn.

Screen and paper have a font of their own for Latin, Greek and Cyrillic. What it lacks is split into runs of one font
and one direction, with the fonts that the system has: those of Debian's packages ``fonts-noto-core``,
``fonts-noto-cjk`` and ``fonts-noto-color-emoji``. Pillow, with libraqm, shapes a run: it joins Arabic letters and puts
marks in their place."""

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from messages import JOINERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.ImageFont import FreeTypeFont

MAIN_FONT_FILE = Path(pygame.__file__).with_name(pygame.font.get_default_font())
"""FreeSans Bold, which comes with pygame, with Latin, Greek and Cyrillic letters: every machine draws the same."""
FONT_PACKAGES = ("fonts-noto-core", "fonts-noto-cjk", "fonts-noto-color-emoji", "libfribidi0")
"""Debian's packages with fonts of all scripts, and the library that libraqm needs; the installer brings them."""
MAIN_SCRIPTS = ("Latn", "Grek", "Cyrl", "Zyyy")
"""The scripts that it draws, and what all scripts share: digits, punctuation, arrows."""
FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
    Path("/Library/Fonts"),
    Path("/System/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)
EMOJI_FONT = "NotoColorEmoji.ttf"
EMOJI_SIZE = 109
"""The only size of the pictures in the emoji font, in pixels to the em."""
FIRST_EMOJI = 0x1F000
"""From here on a symbol is an emoji."""
CJK_FONT = "NotoSansCJK-Bold.ttc"
CJK_FACES = {"Hira": 0, "Kana": 0, "Hang": 1, "Hani": 2, "Bopo": 3}
"""The face of each script in that font: the same character is drawn differently in Japan, Korea and China."""
OTHER_FONTS = (
    "NotoSans-Bold.ttf",
    "NotoSansSymbols-Bold.ttf",
    "NotoSansSymbols2-Regular.ttf",
    "NotoSansMath-Regular.ttf",
    "DejaVuSans-Bold.ttf",
    "DejaVuSans.ttf",
    "DroidSansFallbackFull.ttf",
    "Arial Unicode.ttf",
    "msyh.ttc",
    "seguiemj.ttf",
    "segoeui.ttf",
)
"""Fonts of many scripts, the better ones first; the last ones of other systems than Debian."""
ZERO_WIDTH_JOINER, EMOJI_SELECTOR = "\N{ZERO WIDTH JOINER}", "\N{VARIATION SELECTOR-16}"
SPACES = {0xA0: " ", 0x202F: " "}
"""No-break spaces, which the main font lacks."""
COMMON_TEXT = re.compile("[\n -~¡-ſ‘-”–—…→]*")
"""What the main font has for certain, so that its tables are read only where other letters are to be drawn."""


@dataclass(frozen=True)
class Font:
    """A font's file and the face in it."""

    path: Path
    face: int = 0


@dataclass(frozen=True)
class Run:
    """A part of a line in one font and one direction."""

    text: str
    font: Font | None
    """None: the main font, or no font has these letters."""
    level: int = 0
    """Its level in the bidirectional algorithm: odd ones are read from right to left."""


@dataclass(frozen=True, eq=False)
class DrawnRun:
    """A run as pixels."""

    pixels: "NDArray[np.uint8]"
    """Shape (height, width): how much ink, from 0 to 255; of emoji (height, width, 4): red, green, blue, alpha."""
    x: int
    """The left edge of the pixels, from where the run begins."""
    y: int
    """Their upper edge, from the baseline; negative above it."""
    advance: int
    """Where the next run begins."""

    def to_rgba(self, colour: tuple[int, int, int]) -> bytes:
        """Return the pixels as red, green, blue and alpha, the ink in ``colour``."""
        import numpy as np  # noqa: PLC0415 - the splash, which is drawn before anything else, needs none of this

        if self.pixels.ndim == 2:
            return np.dstack([np.full((*self.pixels.shape, 3), colour, np.uint8), self.pixels]).tobytes()
        return self.pixels.tobytes()

    @property
    def height(self) -> int:
        """The pixels that it is high."""
        return int(self.pixels.shape[0])

    @property
    def width(self) -> int:
        """The pixels that it takes in a line: its advance, and what stands out at either side."""
        return max(1, self.advance, max(0, self.x) + int(self.pixels.shape[1]))


def is_plain(text: str) -> bool:
    """Return whether the main font draws ``text`` as it is: it has every letter, and they run from left to right."""
    return COMMON_TEXT.fullmatch(text) is not None or main_letters().issuperset(map(ord, text.translate(SPACES)))


def missing_letters(text: str) -> str:
    """Return the letters of ``text`` that no font of this machine has, each once: a box is drawn for them."""
    text = unicodedata.normalize("NFC", text.translate(SPACES))
    clusters = [cluster for cluster in _clusters(text) if unicodedata.category(cluster[0]) != "Cf"]
    return "".join(
        dict.fromkeys(cluster for cluster in clusters if not is_plain(cluster) and _font_of(cluster, "") is None)
    )


@lru_cache(maxsize=1024)
def split_runs(text: str) -> tuple[Run, ...]:
    """Return the runs of a line in the order in which they are drawn, from left to right. The line itself is one that
    runs from left to right, as in all languages of the box, with names in it that may not."""
    text = text.translate(SPACES)
    if is_plain(text):
        return (Run(text, None),)
    text = unicodedata.normalize("NFC", text)
    levels = _levels(text)
    runs: list[Run] = []
    start = 0
    for word in re.split("( )", text):
        for cluster in _clusters(word):
            # A word is in one font, though the main one may have some of its letters.
            run = Run(cluster, None if is_plain(word) else _font_of(cluster, text), levels[start])
            start += len(cluster)
            if unicodedata.category(cluster[0]) == "Cf":  # it only directs
                continue
            if runs and (runs[-1].font, runs[-1].level) == (run.font, run.level):
                runs[-1] = replace(run, text=runs[-1].text + cluster)
            else:
                runs.append(run)
    return tuple(_mirrored(run) if run.font is None else run for run in _in_visual_order(runs)) or (Run("", None),)


@lru_cache(maxsize=1024)
def draw_run(run: Run, size: int) -> DrawnRun:
    """Draw a run of a font other than the main one, ``size`` pixels to the em."""
    assert run.font is not None
    import numpy as np  # noqa: PLC0415 - only names in other scripts need these
    from PIL import Image, ImageDraw  # noqa: PLC0415

    is_emoji = run.font.path.name == EMOJI_FONT
    face = _open_font(run.font, EMOJI_SIZE if is_emoji else size)
    is_leftward = run.level % 2 == 1
    text, direction = run.text, ("rtl" if is_leftward else "ltr") if can_shape() else None
    if is_leftward and not can_shape():
        text = text[::-1]
    left, top, right, bottom = face.getbbox(text, anchor="ls", direction=direction)
    width, height = max(1, int(right - left)), max(1, int(bottom - top))
    image = Image.new("RGBA" if is_emoji else "L", (width, height))
    draw, at = ImageDraw.Draw(image), (-left, -top)
    advance = face.getlength(text, direction=direction)
    if not is_emoji:
        draw.text(at, text, 255, face, anchor="ls", direction=direction)
        return DrawnRun(np.array(image), int(left), int(top), round(advance))
    draw.text(at, text, "black", face, anchor="ls", direction=direction, embedded_color=True)
    scale = size / EMOJI_SIZE
    image = image.resize((max(1, round(width * scale)), max(1, round(height * scale))), Image.Resampling.LANCZOS)
    return DrawnRun(np.array(image), round(left * scale), round(top * scale), round(advance * scale))


@cache
def can_shape() -> bool:
    """Return whether Pillow can shape letters. It needs the library fribidi; without it they stand alone."""
    from PIL import features  # noqa: PLC0415 - only names in other scripts need it

    return bool(features.check("raqm"))


@cache
def main_letters() -> frozenset[int]:
    """Return the code points that the main font draws: not those of scripts of which it has a few letters only, or
    which must be shaped."""
    from fontTools import unicodedata as scripts  # noqa: PLC0415 - its tables are large

    letters = _letters(Font(MAIN_FONT_FILE))
    return frozenset(letter for letter in letters if scripts.script(chr(letter)) in MAIN_SCRIPTS)


def drop_letter(text: str) -> str:
    """Return ``text`` without its last letter and the marks of that."""
    end = len(text) - 1
    while end > 0 and (_extends(text[end]) or text[end - 1] == ZERO_WIDTH_JOINER):
        end -= 1
    return text[: max(0, end)]


def _clusters(text: str) -> Iterator[str]:
    """Yield what must be drawn by one font: a letter with its marks, an emoji of several characters."""
    cluster = ""
    for letter in text:
        flag = _is_flag_letter(letter) and len(cluster) == 1 and _is_flag_letter(cluster)
        if cluster and (_extends(letter) or cluster[-1] == ZERO_WIDTH_JOINER or flag):
            cluster += letter
        else:
            if cluster:
                yield cluster
            cluster = letter
    if cluster:
        yield cluster


def _extends(letter: str) -> bool:
    """Return whether a character belongs to the one before it: a mark, a joiner, the colour of a skin, a flag's tag."""
    is_mark = unicodedata.category(letter).startswith("M") or letter in JOINERS
    return is_mark or "\U0001f3fb" <= letter <= "\U0001f3ff" or "\U000e0020" <= letter <= "\U000e007f"


def _is_flag_letter(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _font_of(cluster: str, text: str) -> Font | None:
    """Return the font that has a cluster of ``text``; None for the main one, and where none has it."""
    if is_plain(cluster) and not cluster.isalpha():
        return None
    drawn = [ord(letter) for letter in cluster if unicodedata.category(letter) != "Cf" and letter != EMOJI_SELECTOR]
    fonts = (font for name, face in _candidates(cluster, text) if (font := _find(name, face)) is not None)
    return next((font for font in fonts if _letters(font).issuperset(drawn)), None)


def _candidates(cluster: str, text: str) -> Iterator[tuple[str, int]]:
    """Yield the names and faces of fonts that may have a cluster, the best first."""
    from fontTools import unicodedata as scripts  # noqa: PLC0415 - its tables are large

    if EMOJI_SELECTOR in cluster or ord(cluster[0]) >= FIRST_EMOJI:
        yield EMOJI_FONT, 0
    script = scripts.script(cluster[0])
    if script in CJK_FACES:
        # A Chinese character beside Japanese or Korean ones is one of theirs.
        beside = (CJK_FACES[used] for used in map(scripts.script, text) if used in CJK_FACES and used != "Hani")
        yield CJK_FONT, next(beside, CJK_FACES[script])
    name = scripts.script_name(script).replace(" ", "").replace("_", "")
    yield f"NotoSans{name}-Bold.ttf", 0
    yield f"NotoSans{name}-Regular.ttf", 0
    yield f"NotoSerif{name}-Bold.ttf", 0
    yield f"NotoSerif{name}-Regular.ttf", 0
    for font in OTHER_FONTS:
        yield font, 0
    yield CJK_FONT, CJK_FACES["Hani"]
    yield EMOJI_FONT, 0


@cache
def _files() -> dict[str, Path]:
    """Return the path of each font file of this machine by its name."""
    walks = (os.walk(folder) for folder in FONT_FOLDERS)
    return {name: Path(folder, name) for walk in walks for folder, _, names in walk for name in names}


def _find(name: str, face: int) -> Font | None:
    path = _files().get(name)
    return None if path is None else Font(path, face)


@cache
def _letters(font: Font) -> frozenset[int]:
    from fontTools.ttLib import TTFont, TTLibError  # noqa: PLC0415 - slow to import

    try:
        with TTFont(font.path, fontNumber=font.face, lazy=True) as table:
            return frozenset(table.getBestCmap() or ())
    except (OSError, TTLibError):  # a damaged file of the system is one that has no letters
        return frozenset()


@lru_cache(maxsize=64)
def _open_font(font: Font, size: int) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - only names in other scripts need it

    return ImageFont.truetype(font.path, size, font.face)


def _levels(text: str) -> list[int]:
    """Return each letter's level in the bidirectional algorithm, in a line that runs from left to right."""
    if not any(unicodedata.bidirectional(letter) in ("R", "AL", "RLI", "FSI") for letter in text):
        return [0] * len(text)
    from fpdf.bidi import BidiParagraph  # noqa: PLC0415 - only names in scripts that run leftwards need it
    from fpdf.enums import TextDirection  # noqa: PLC0415

    paragraph = BidiParagraph(text, TextDirection.LTR, preserve_bn_chars=True)
    return [letter.embedding_level for letter in paragraph.get_characters_with_embedding_level()]


def _in_visual_order(runs: list[Run]) -> list[Run]:
    """Order runs as Unicode Standard Annex 9, rule L2, orders letters: from the highest level on, what is at least at a
    level is turned round."""
    for level in range(max((run.level for run in runs), default=0), 0, -1):
        start = 0
        while start < len(runs):
            end = start
            while end < len(runs) and runs[end].level >= level:
                end += 1
            runs[start:end] = runs[start:end][::-1]
            start = max(end, start + 1)
    return runs


def _mirrored(run: Run) -> Run:
    """Return a run of the main font as it is drawn: turned round where it runs leftwards, with its brackets."""
    if run.level % 2 == 0:
        return run
    brackets = str.maketrans("()[]{}<>«»", ")(][}{><»«")
    return replace(run, text=run.text[::-1].translate(brackets))
