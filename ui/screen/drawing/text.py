"""Text that always fits: it is wrapped and made smaller until it fits its box, and truncated only at its smallest size.
The font is pygame's own, so that every machine draws the same; letters that it lacks are drawn in fonts of the system
(``ui.fonts``)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import pygame
from pygame import freetype

from ui.fonts import Run, draw_run, drop_letter, split_runs
from ui.screen.drawing.theme import Colour

ELLIPSIS = "…"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
"""A space at which no line ends. The font has none: it is drawn as an ordinary space."""
BOUND_SPACES = re.compile(r" (?=[;:?!»–×·])|(?<=[«×]) ")
"""Spaces, as in French, before a mark that must not begin a line, or after one that must not end it."""
NUMBERED_NAME = re.compile(r"\b[^\W\d_a-z]\w+ \d+\b")
"""A name with the number that belongs to it: “Player 2”, “Round 3”."""


@dataclass(frozen=True)
class FittedText:
    """A text that fits: its lines, the font size in pixels, and whether it is complete."""

    lines: tuple[str, ...]
    size: int
    complete: bool


@lru_cache(maxsize=1)
def _font() -> freetype.Font:
    # pygame.font kerns this font badly ("read y"); freetype without kerning spaces it evenly.
    freetype.init()
    font = freetype.Font(None)
    font.pad = True
    return font


@lru_cache(maxsize=4096)
def text_width(text: str, size: int) -> int:
    """Return how many pixels wide ``text`` is at ``size`` pixels to the em."""
    shaped_size, _ = _place_shaped(text, size)
    return sum(_run_width(run, size, shaped_size) for run in split_runs(text))


def widest_word(text: str, size: int) -> int:
    """Return how many pixels wide the widest word of ``text`` is at ``size`` pixels to the em. A space that doesn't
    break, as before a French exclamation mark, is within a word."""
    return max(text_width(word, size) for word in text.replace("\n", " ").split(" "))


def _run_width(run: Run, size: int, shaped_size: int) -> int:
    return _font().get_rect(run.text, size=size).width if run.font is None else draw_run(run, shaped_size).width


def _place_shaped(text: str, size: int) -> tuple[int, int]:
    """Return the size of the letters of a line that the main font lacks, and the row of their baseline (0: there are
    none). Those of some scripts are higher than a line: they are smaller, or lower or higher where no other letters are
    beside them."""
    runs = split_runs(text)
    shaped = [draw_run(run, size) for run in runs if run.font is not None]
    if not shaped:
        return size, 0
    height, baseline = line_height(size), round(_font().get_sized_ascender(size))
    above = max(1, *(-run.y for run in shaped))
    below = max(1, *(run.y + run.height for run in shaped))
    if any(run.font is None and not run.text.isspace() for run in runs):
        fitting = min(size, size * baseline // above, size * (height - baseline) // below)
        return max(1, fitting), baseline
    fitting = max(1, min(size, size * height // (above + below)))
    above, below = -(-above * fitting // size), -(-below * fitting // size)
    return fitting, max(above, min(baseline, height - below))


@lru_cache(maxsize=128)
def line_height(size: int) -> int:
    """Return how many pixels high a line is at ``size`` pixels to the em."""
    return _font().get_rect("Ég", size=size).height


@lru_cache(maxsize=128)
def capital_offset(size: int) -> int:
    """Return how many pixels to move a line down so that its capitals are centred: then the text looks centred."""
    font = _font()
    capital = font.get_metrics("H", size=size)[0][3]
    return round(line_height(size) / 2 - (font.get_sized_ascender(size) - capital / 2))


@lru_cache(maxsize=1024)
def render_line(text: str, size: int, colour: Colour) -> pygame.Surface:
    """Return one line of anti-aliased text on a transparent ground."""
    runs = split_runs(text)
    if [run.font for run in runs] == [None]:
        return _font().render(runs[0].text, colour, size=size)[0]
    shaped_size, baseline = _place_shaped(text, size)
    line = pygame.Surface((text_width(text, size), line_height(size)), pygame.SRCALPHA)
    x = 0
    for run in runs:
        if run.font is None:
            line.blit(_font().render(run.text, colour, size=size)[0], (x, 0))
        else:
            drawn = draw_run(run, shaped_size)
            image = pygame.image.frombuffer(drawn.to_rgba(colour), (drawn.pixels.shape[1], drawn.height), "RGBA")
            line.blit(image, (x + max(0, drawn.x), max(0, baseline + drawn.y)))
        x += _run_width(run, size, shaped_size)
    return line


@lru_cache(maxsize=4096)
def fit_text(text: str, max_width: int, max_height: int, max_size: int, min_size: int, max_lines: int) -> FittedText:
    """Fit ``text`` into at most ``max_lines`` lines within ``max_width`` by ``max_height`` pixels: at ``max_size`` if
    possible, else smaller down to ``min_size``. There a word wider than a line is broken if all of it fits that way, or
    the text is truncated with an ellipsis."""
    max_size, min_size = max(1, max_size), max(1, min_size)  # a window may be smaller than a letter
    start = max_size
    if max_lines == 1 and text.strip():  # a line's size follows from its width
        start = min(
            max_size,
            1 + max_size * max_width // text_width(text.strip(), max_size),
            1 + max_size * max_height // line_height(max_size),
        )
    for smaller in range(start, min(max_size, min_size) - 1, -1):
        line_count = min(max_lines, max_height // line_height(smaller))
        wrapped = wrap_text(text, max_width, smaller)
        if len(wrapped) <= line_count and all(text_width(line, smaller) <= max_width for line in wrapped):
            return FittedText(_balance(text, max_width, smaller, wrapped), smaller, True)
    smallest = min(max_size, min_size)
    line_count = max(1, min(max_lines, max_height // line_height(smallest)))
    wrapped = wrap_text(text, max_width, smallest)
    broken = wrap_text(_break_words(text, max_width, smallest), max_width, smallest)
    if len(broken) <= line_count and all(text_width(line, smallest) <= max_width for line in broken):
        return FittedText(tuple(broken), smallest, True)
    lines = wrapped[:line_count]
    if len(wrapped) > line_count:
        lines[-1] = " ".join(wrapped[line_count - 1 :] if line_count > 1 else text.split())
    truncated = [_truncate(line, max_width, smallest) for line in lines]
    return FittedText(tuple(truncated), smallest, truncated == lines)


def wrap_text(text: str, max_width: int, size: int) -> list[str]:
    """Return the lines of ``text``, none longer than ``max_width`` pixels at ``size`` pixels to the em, except a single
    word."""
    wrapped: list[str] = []

    def bind_fitting(name: re.Match[str]) -> str:
        return name[0].replace(" ", NO_BREAK_SPACE) if text_width(name[0], size) <= max_width else name[0]

    for paragraph in text.strip().split("\n"):
        line = ""
        bound = BOUND_SPACES.sub(NO_BREAK_SPACE, NUMBERED_NAME.sub(bind_fitting, paragraph))
        for word in _split_paths(bound.split(" "), max_width, size):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) > max_width:
                wrapped.append(line)
                line = word
            else:
                line = longer
        wrapped.append(line)
    return wrapped


def _split_paths(words: Iterable[str], max_width: int, size: int) -> Iterator[str]:
    """Yield the words; of a path or a hyphenated word wider than a line, one part after the other, each as long as it
    fits."""
    for word in filter(None, words):
        if not {"/", "-"} & set(word) or text_width(word, size) <= max_width:
            yield word
            continue
        part = ""
        for name in re.findall(r"[^/-]*[/-]|[^/-]+", word):
            if part and text_width(part + name, size) > max_width:
                yield part
                part = ""
            part += name
        yield part


def _break_words(text: str, max_width: int, size: int) -> str:
    """Return ``text`` with a space in words wider than a line, after as many of their letters as a line has."""
    parts = []
    for word in text.split(" "):
        rest = word
        while text_width(rest, size) > max_width:
            part = rest
            while part and text_width(part, size) > max_width:
                part = drop_letter(part)
            if not part:
                break
            parts.append(part)
            rest = rest[len(part) :]
        parts.append(rest)
    return " ".join(parts)


def _balance(text: str, max_width: int, size: int, wrapped: list[str]) -> tuple[str, ...]:
    """Wrap to the same number of lines of similar length, so that no word stands alone in the last."""
    narrow = max_width // 2 if len(wrapped) > 1 else max_width
    while narrow < max_width:
        narrower = wrap_text(text, narrow, size)
        if len(narrower) == len(wrapped) and all(text_width(line, size) <= max_width for line in narrower):
            return tuple(narrower)
        narrow += max(1, max_width // 24)
    return tuple(wrapped)


def _truncate(line: str, max_width: int, size: int) -> str:
    if text_width(line, size) <= max_width:
        return line
    while line and text_width(line.rstrip() + ELLIPSIS, size) > max_width:
        line = drop_letter(line)
    return line.rstrip() + ELLIPSIS
