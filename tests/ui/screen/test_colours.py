"""Nothing is shown by colour alone: every page's texts and signs stand out for colour-blind eyes and in greys, and what
is meant for reading across the table can be read at two metres."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pygame
import pytest

from device.camera.frames import Size
from tests.helpers.page_rules import drawn
from tests.helpers.samples.common import players
from tests.helpers.samples.reveal import mixed_reveal
from tools.gallery import samples
from ui.screen.drawing.canvas import Canvas, PlacedText
from ui.screen.drawing.icons import icon
from ui.screen.drawing.text import render_line
from ui.screen.drawing.theme import (
    ACCENT,
    BACKGROUND,
    FOUL,
    HIGH_CONTRAST,
    LINE,
    PANEL,
    RAISED,
    SEAT_MARKS,
    Colour,
    set_high_contrast,
    shown_colour,
)
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.reveal import Reveal

Matrix = npt.NDArray[np.float64]
SIMULATED: dict[str, Matrix] = {
    "as it is": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
    "greys": np.array([[0.2126, 0.7152, 0.0722]] * 3),
}
"""Linear red, green and blue as colour-blind eyes see them: Machado, Oliveira and Fernandes, "A Physiologically-based
Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.0; greys are the luminance of ITU-R
BT.709."""
SAMPLES = samples()
LARGE_EM = 6.0
"""The type size in units from which a contrast of 3:1 is enough: WCAG 2.2's 14 points bold, 4.9 mm, on an 86 mm panel
of 100 units. The font is bold."""


def linear(colour: Colour) -> Matrix:
    """Light of each primary, from sRGB."""
    level = np.array(colour) / 255
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)


def contrast(one: Colour, other: Colour, seen: Matrix) -> float:
    """The contrast ratio of WCAG 2.2 between two colours as they are seen."""
    light = [float(SIMULATED["greys"][0] @ np.clip(seen @ linear(colour), 0, 1)) for colour in (one, other)]
    return (max(light) + 0.05) / (min(light) + 0.05)


def inked(canvas: Canvas, text: PlacedText) -> tuple[Colour, Colour] | None:
    """The colours of a text and of its background: of the pixels there, the most frequent, and the one farthest from
    it."""
    area = text.drawn.inflate(6, 6).clip(canvas.surface.get_rect())
    if not area.w or not area.h or not text.text.strip():
        return None
    pixels = pygame.surfarray.array3d(canvas.surface.subsurface(area)).reshape(-1, 3).astype(np.int32)
    numbers, counts = np.unique(pixels @ (1 << 16, 1 << 8, 1), return_counts=True)  # much quicker than rows of three
    colours = np.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], axis=1)
    ground = colours[counts.argmax()].astype(int)
    apart = np.abs(colours.astype(int) - ground).sum(axis=1)
    ink = colours[apart.argmax()]
    return (int(ink[0]), int(ink[1]), int(ink[2])), (int(ground[0]), int(ground[1]), int(ground[2]))


@pytest.mark.parametrize("name", SAMPLES)
def test_every_text_stands_out_for_every_eye(name: str) -> None:
    canvas = drawn(SAMPLES[name])
    for text in canvas.texts:
        found = inked(canvas, text)
        if found is None or LINE in found:  # what can't be touched now is dim, as WCAG allows
            continue
        wanted = 3.0 if text.size >= LARGE_EM * canvas.theme.units(100) / 100 else 4.5
        for eye, seen in SIMULATED.items():
            ratio = contrast(*found, seen)
            assert ratio >= wanted, f"{text.text!r} {found}: {ratio:.1f} with {eye}"


@pytest.fixture
def high_contrast() -> Iterator[None]:
    set_high_contrast(True)
    yield
    set_high_contrast(False)


@pytest.mark.usefixtures("high_contrast")
@pytest.mark.parametrize("name", SAMPLES)
def test_every_text_has_high_contrast_where_that_is_set(name: str) -> None:
    canvas = drawn(SAMPLES[name])
    for text in canvas.texts:
        found = inked(canvas, text)
        if found is None or HIGH_CONTRAST[LINE] in found:  # what can't be touched now
            continue
        wanted = 4.5 if text.size >= LARGE_EM * canvas.theme.units(100) / 100 else 7.0
        ratio = contrast(*found, SIMULATED["as it is"])
        assert ratio >= wanted, f"{text.text!r} {found}: {ratio:.1f}"


@pytest.mark.usefixtures("high_contrast")
def test_edges_and_signs_have_high_contrast_where_that_is_set() -> None:
    for ground in (BACKGROUND, PANEL, RAISED):
        for colour in (ACCENT, FOUL, LINE, *(mark.colour for mark in SEAT_MARKS)):
            assert contrast(shown_colour(colour), shown_colour(ground), SIMULATED["as it is"]) >= 4.5


@pytest.mark.parametrize("eye", SIMULATED)
def test_signs_and_edges_stand_out_for_every_eye(eye: str) -> None:
    """The main button, what is chosen or asked, a foul, every seat's mark: 3:1 and more compared with the
    background."""
    seen = SIMULATED[eye]
    for ground in (BACKGROUND, PANEL, RAISED):
        for colour in (ACCENT, FOUL, *(mark.colour for mark in SEAT_MARKS)):
            assert contrast(colour, ground, seen) >= 3, (colour, ground)
    assert contrast(ACCENT, LINE, seen) >= 3, "the edge of what is chosen, and of what is not"


def shape(name: str) -> npt.NDArray[np.bool_]:
    return pygame.surfarray.array_alpha(icon(name, 60, (255, 255, 255))) > 127


def test_every_seat_has_a_shape_of_its_own() -> None:
    shapes = {mark.shape: shape(mark.shape) for mark in SEAT_MARKS}
    assert len(shapes) == len(SEAT_MARKS)
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        common = (first & second).sum() / (first | second).sum()
        assert common < 0.85, f"{one} and {other} are alike: {common:.0%}"


def grey(view: Reveal | Countdown) -> npt.NDArray[np.float64]:
    canvas = drawn(view)
    pixels = pygame.surfarray.array3d(canvas.surface).astype(np.float64)
    light: npt.NDArray[np.float64] = pixels @ SIMULATED["greys"][0]
    return light


def test_a_foul_is_a_sign_and_a_word() -> None:
    """Without colours, a foul is a sign in a shape of its own, a word, and the sentence."""
    seen = mixed_reveal(2)
    words = {text.text for text in drawn(seen).texts}
    assert any("LATE" in word for word in words)
    common = (shape("foul") & shape("good")).sum() / (shape("foul") | shape("good")).sum()
    assert common < 0.9
    fair = replace(seen, seats=(seen.seats[0], replace(seen.seats[1], is_foul=False, verdict="on time")))
    changed = np.abs(grey(seen) - grey(fair)) >= 40
    assert changed.mean() > 0.002


PANELS: dict[Size, float] = {(800, 480): 86 / 480, (720, 1280): 90 / 720}
"""Millimetres per pixel on Raspberry Pi's Touch Display 1 and 2."""
TWO_METRES_MM = 4.85
"""The height in mm of a capital of 8.3 minutes of arc at two metres: the smallest that sight of 6/10 reads, where 6/6
reads 5 minutes."""


def capital(size: int) -> int:
    """Return the height in pixels of a capital of type of ``size``."""
    return render_line("H", size, (255, 255, 255)).get_bounding_rect().height


def across_the_table() -> Iterator[tuple[str, str]]:
    """The texts to read across the table (the count, throws, scores, the winner, a code): a page, and a part of a text
    on it. A verdict of eight is recognised by its sign and edge there; its word is smaller, and so is the sentence."""
    for count in (2, 3, 8):
        yield f"countdown-{count}", "SCISSORS"
        yield f"countdown-go-{count}", "SHOOT"
        yield f"result-{count}", "Bartholomew wins"
    yield from (("reveal-won-2", word) for word in ("PAPER", "ROCK", "On time"))
    for count in (2, 3):
        for player in players(count):
            yield f"message-{count}", str(player.score)
            yield f"result-{count}", str(player.score)
    yield "network-on", "CDFG-HJKM"


@pytest.mark.parametrize("size", PANELS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_matters_is_read_at_two_metres(size: Size) -> None:
    small = []
    for name, part in across_the_table():
        canvas = drawn(SAMPLES[name], size)
        found = [text for text in canvas.texts if part in text.text]
        assert found, f"{part} is not on {name}"
        tallest = max(capital(text.size) for text in found) * PANELS[size]
        if tallest < TWO_METRES_MM:
            small.append(f"{name}: {part!r} {tallest:.1f} mm")
    assert not small, "\n".join(small)
