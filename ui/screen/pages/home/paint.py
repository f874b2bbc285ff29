"""Painter of how a round goes, for people who pass by: drawn hands, the count, the line of time with the lock, the
verdict, and that a touch plays."""

import math

import pygame
from pygame import Rect

from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.icons import icon
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, ON_ACCENT, ON_FOUL, PANEL, TEXT, Colour, mark
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.home.view import LATE_MS, SCENES, SECOND_MS, WINDOW_MS, Scene, scene_at
from ui.screen.pages.views import Attract
from ui.text.verdicts import COUNT

SEATS = (1, 2)
THROWS = (Throw.SCISSORS, Throw.PAPER)
CHEATED = (Throw.PAPER, Throw.SCISSORS)
"""What is thrown when the second seat waits to see the first one's hand."""
SLOWLY = 0.7
"""The share of a scene with the line of time in which time passes on it."""


def attract(canvas: Canvas, view: Attract) -> None:
    """The scene of the moment; all of the screen is one target."""
    del view
    theme = canvas.theme
    whole = canvas.surface.get_rect()
    canvas.target(whole, Reply("home"), t("Touch to play"))
    page, foot = layout.bottom(canvas.page, round(theme.touch * 1.3), theme.gap)
    canvas.panel(foot, ACCENT)
    canvas.text(foot, t("Touch to play"), theme.title, ON_ACCENT)

    def draw(canvas: Canvas, now: Attract) -> None:
        scene, passed = scene_at(now.shown_s)
        _scene(canvas, page, scene, passed)

    canvas.moving(page, ("shown_s",), draw)


def _scene(canvas: Canvas, page: Rect, scene: Scene, passed: float) -> None:
    theme = canvas.theme
    page, dots = layout.bottom(page, theme.units(4), theme.gap)
    _dots(canvas, dots, scene)
    page, sentence = layout.bottom(page, theme.units(20 if not theme.portrait else 34), theme.gap)
    canvas.text(sentence, scene.sentence, theme.units(8.4), lines=3 if theme.portrait else 2)
    upper, stage = layout.rows(page, [1, 3] if not theme.portrait else [1, 4], theme.gap)
    if scene.name == "count":
        _count(canvas, upper, stage, passed)
    elif scene.name == "show":
        canvas.text(upper, COUNT[-1], theme.units(18), ACCENT)
        _hands(canvas, stage, THROWS if passed > 0.2 else (Throw.ROCK, Throw.ROCK), TEXT)
    elif scene.name == "won":
        canvas.icon(layout.middle(upper, upper.h, upper.h), "crown", ACCENT)
        one, other = _hands(canvas, stage, THROWS, TEXT)
        _beats(canvas, one, other, min(1.0, passed * 3))
    else:
        second_ms = SECOND_MS if scene.name == "lock" else LATE_MS
        reached = min(1.0, passed / SLOWLY) * 1.7 * WINDOW_MS
        _line(canvas, upper, reached, second_ms)
        throws = CHEATED if scene.name == "late" else THROWS
        here = (throws[0] if reached > 0 else Throw.ROCK, throws[1] if reached >= second_ms else Throw.ROCK)
        cells = _hands(canvas, stage, here, TEXT)
        if scene.name == "late" and reached >= second_ms:
            _late(canvas, cells[1])


def _late(canvas: Canvas, cell: Rect) -> None:
    """That a hand came late: a sign, a word, an edge."""
    theme = canvas.theme
    label = layout.bottom(cell, theme.units(8), 0)[1]
    canvas.panel(label, FOUL)
    sign, word = layout.left(layout.inside(label, theme.units(2), theme.units(1)), theme.units(6), theme.gap)
    canvas.icon(sign, "foul", ON_FOUL)
    canvas.text(word, strings.verdict("late"), theme.title, ON_FOUL, side="left")


def _dots(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """Which of the scenes this is."""
    side = min(box.h, canvas.theme.units(2.4))
    row = layout.middle(box, (2 * len(SCENES) - 1) * side, side)
    for number, other in enumerate(SCENES):
        canvas.icon(Rect(row.x + 2 * number * side, row.y, side, side), "circle", ACCENT if other is scene else LINE)


def _count(canvas: Canvas, upper: Rect, stage: Rect, passed: float) -> None:
    """The words one after the other, the fists coming down on each."""
    beat = passed * len(COUNT)
    number = min(len(COUNT) - 1, int(beat))
    last = number == len(COUNT) - 1
    canvas.text(upper, COUNT[number], canvas.theme.units(18), ACCENT if last else TEXT)
    up = abs(math.sin(math.pi * (beat - number))) if not last else 0.0
    _hands(canvas, stage, (Throw.ROCK, Throw.ROCK), TEXT, up)


def _hands(
    canvas: Canvas, stage: Rect, throws: tuple[Throw, Throw], colour: Colour, up: float = 0.0
) -> tuple[Rect, Rect]:
    """Both hands in their zones, lifted by the share ``up``. Returns the zones."""
    theme = canvas.theme
    cells = layout.columns(stage, [1, 1], theme.gap * 6)
    for seat, cell, throw in zip(SEATS, cells, throws, strict=True):
        canvas.panel(cell, PANEL, edge=LINE, width=theme.units(0.3))
        spot = Rect(cell.x + theme.gap, cell.y + theme.gap, theme.units(6), theme.units(6))
        canvas.icon(spot, mark(seat).shape, mark(seat).colour)
        side = min(cell.w, cell.h) * 3 // 4
        place = layout.middle(cell, side, side).move(0, -round(up * cell.h * 0.12))
        canvas.icon(place, throw, colour)
    return cells[0], cells[1]


def _beats(canvas: Canvas, one: Rect, other: Rect, share: float) -> None:
    """An arrow from the first hand to the second, as far grown as ``share``."""
    side = round(canvas.theme.units(15) * share)
    if side < 2:
        return
    place = Rect(0, 0, side, side)
    place.center = one.union(other).center
    canvas.icon(place.inflate(side // 4, side // 4), "circle", BACKGROUND)
    canvas.surface.blit(pygame.transform.smoothscale(icon("beats", canvas.theme.units(15), ACCENT), place.size), place)


def _line(canvas: Canvas, box: Rect, reached_ms: float, second_ms: float) -> None:
    """The line of time: the marks of the hands that have come, and the lock."""
    theme = canvas.theme
    canvas.panel(box, PANEL)
    inner = layout.inside(box, theme.units(6), theme.units(1))
    lane, below = layout.rows(inner, [1, 1], 0)
    side, thick = min(lane.h, theme.units(7)), max(2, theme.units(0.4))

    def x(at: float) -> int:
        return lane.x + round(lane.w * at / (1.7 * WINDOW_MS))

    canvas.surface.fill(LINE, Rect(lane.x, lane.bottom, lane.w, thick))
    canvas.surface.fill(ACCENT, Rect(x(WINDOW_MS) - thick, lane.y, 2 * thick, lane.h + thick))
    place = Rect(0, below.y, theme.units(50), below.h)
    place.centerx = x(WINDOW_MS)
    canvas.text(place.clip(box), strings.lock(WINDOW_MS), theme.body, ACCENT)
    for seat, at in zip(SEATS, (0.0, second_ms), strict=True):
        if at <= reached_ms:
            spot = Rect(x(at) - side // 2, lane.bottom - side, side, side)
            canvas.icon(spot, mark(seat).shape, mark(seat).colour)
    canvas.surface.fill(MUTED, Rect(x(min(reached_ms, 1.7 * WINDOW_MS)), lane.y, 2, lane.h))
