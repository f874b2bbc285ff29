"""Painters of the pages that explain a game: the frame with its buttons, the picture, and the offer of the pages."""

import math
from functools import lru_cache

import pygame
from pygame import Rect

from rules.engine.explanation import BeatsScene, ClaimsScene, OutcomesScene
from ui.i18n.language import current_language, render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Alignment, Canvas, draw_page, paints
from ui.screen.drawing.forms import Form, HandFlip, lays_out
from ui.screen.drawing.icons import ring_icon
from ui.screen.drawing.nodes import TOUCH, Button, Drawing, Text
from ui.screen.drawing.text import widest_word
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, TEXT, handedness
from ui.screen.drawing.widgets import draw_match_title, hand_row, split_hand_side
from ui.screen.pages import how_to_play as how_to_play_page
from ui.screen.pages.attract import ATTRACT_SCENES, scene_at
from ui.screen.pages.attract_picture import draw_round_scene
from ui.screen.pages.common import BACK_ANSWER
from ui.screen.pages.how_to_play import (
    START_ANSWER,
    DrawnScene,
    FirstTimePage,
    HowToPlayPage,
    MatchScene,
    OwnScene,
    RoundScene,
    ThrowMethod,
)
from ui.screen.pages.how_to_play_scenes import (
    draw_beats,
    draw_claims,
    draw_moved_piece,
    draw_outcomes,
    draw_turned_cards,
)
from ui.screen.pages.how_to_play_shots import Shot, match_shots, own_shots
from ui.screen.views import Reply

ROUND_SCENES = tuple(scene for scene in ATTRACT_SCENES if scene.name != "won")
"""The scenes of a round: the count, the throws, the lock, a late hand."""
PICTURE_SHARES = (0.66, 0.62, 0.58, 0.54, 0.5, 0.46, 0.42, 0.38)
"""The shares of the width that the picture may have in landscape: the first that leaves the text its room."""
PAGES_PER_S = 12
"""How often a page within the picture is drawn anew while it moves: a whole page is expensive."""
TOUCH_SHARE = 0.55
"""The share of a shot in which the finger moves to what it touches."""


@paints(HowToPlayPage)
def draw_how_to_play(canvas: Canvas, page: HowToPlayPage) -> None:
    """Draw the picture with its text, a dot for each page, and the buttons that turn them."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    body, foot = layout.split_bottom(body, theme.touch_size, theme.gap)
    if not page.is_last:
        bar, skip = split_hand_side(canvas, bar, theme.units(30), theme.gap)
        canvas.button(skip, how_to_play_page.SKIP, page.then, leads_back=True)
    draw_match_title(canvas, bar, how_to_play_page.title(page.title))
    _draw_buttons(canvas, foot, page)
    stage, text = _split_text(canvas, body, page.page.text)
    align: Alignment = theme.pick("left", "centre")
    canvas.text(text, page.page.text, theme.units(7.4), align=align, max_lines=10, role="shared")

    def draw(canvas: Canvas, page: HowToPlayPage) -> None:
        _draw_scene(canvas, stage, page.page.scene, page.shown_s)

    canvas.add_moving_part(stage, ("shown_s",), draw)


def _split_text(canvas: Canvas, body: Rect, text: str) -> tuple[Rect, Rect]:
    """Return the places of the picture and of the text, which takes as little as it needs at its least size."""
    theme = canvas.theme
    if theme.portrait:
        height = max(theme.units(30), canvas.text_height(text, body.w, "shared", 10))
        return layout.split_bottom(body, height, theme.gap)
    for share in PICTURE_SHARES:
        stage, rect = layout.split_left(body, round(body.w * share), theme.gap * 2)
        widest = widest_word(render(text), theme.shared)
        if widest <= rect.w and canvas.text_height(text, rect.w, "shared", 10) <= body.h:
            break
    return stage, rect


def _draw_buttons(canvas: Canvas, foot: Rect, page: HowToPlayPage) -> None:
    theme = canvas.theme
    back, dots, forward = hand_row(canvas, foot, [3, 3, 4], theme.gap)
    earlier = page if page.number == 0 else page.turn(-1)
    canvas.button(back, how_to_play_page.BACK, earlier, icon="back", enabled=page.number > 0)
    if page.is_last:
        canvas.button(forward, page.done, page.then, main=True, size=theme.title, leads_back=True)
    else:
        canvas.button(forward, how_to_play_page.NEXT, page.turn(1), main=True, size=theme.title, icon="forward")
    side = min(theme.units(2.6), dots.w // (2 * len(page.pages)))
    row = layout.centre(dots, (2 * len(page.pages) - 1) * side, side)
    for number in range(len(page.pages)):
        rect = Rect(row.x + 2 * number * side, row.y, side, side)
        canvas.icon(rect, "circle", ACCENT if number == page.number else LINE)


def _draw_scene(canvas: Canvas, stage: Rect, scene: DrawnScene, shown_s: float) -> None:
    """Draw the picture ``shown_s`` seconds after its page was opened; it begins again after its end."""
    match scene:
        case BeatsScene(inverted):
            draw_beats(canvas, stage, shown_s, inverted=inverted)
        case OutcomesScene(outcomes):
            draw_outcomes(canvas, stage, outcomes, shown_s)
        case ClaimsScene():
            draw_claims(canvas, stage, scene, shown_s)
        case RoundScene(setting) if setting.method is ThrowMethod.CARDS:
            draw_turned_cards(canvas, stage, shown_s)
        case RoundScene(setting):
            draw_round_scene(canvas, stage, *scene_at(shown_s, ROUND_SCENES), setting.window_ms)
        case MatchScene():
            _draw_shots(canvas, stage, match_shots(scene), shown_s)
        case OwnScene():
            _draw_shots(canvas, stage, own_shots(scene), shown_s)


def _draw_shots(canvas: Canvas, stage: Rect, shots: tuple[Shot, ...], shown_s: float) -> None:
    """Draw the shot at a time on a small screen of the surface's shape."""
    left = shown_s % sum(shot.seconds for shot in shots)
    for shot in shots:
        if left < shot.seconds:
            break
        left -= shot.seconds
    edge = max(2, canvas.theme.units(0.5))
    whole = canvas.surface.get_size()
    scale = min((stage.w - 2 * edge) / whole[0], (stage.h - 2 * edge) / whole[1])
    rect = layout.centre(stage, max(1, round(whole[0] * scale)), max(1, round(whole[1] * scale)))
    pygame.draw.rect(canvas.surface, LINE, rect.inflate(2 * edge, 2 * edge), edge)
    moving = 0 < shot.view.animation_s < math.inf
    passed_s = int(left * PAGES_PER_S) / PAGES_PER_S if moving else 0.0
    page, touched = _draw_shot(shot, whole, rect.size, passed_s, current_language(), handedness())
    canvas.surface.blit(page, rect)
    if touched is not None:
        passed = left / shot.seconds
        draw_moved_piece(canvas, rect, shot.view, max(0.0, passed - TOUCH_SHARE) / (1 - TOUCH_SHARE))
        _draw_finger(canvas, rect, touched, passed)


@lru_cache(maxsize=4)
def _draw_shot(
    shot: Shot, whole: tuple[int, int], size: tuple[int, int], passed_s: float, language: str, hand: str
) -> tuple[pygame.Surface, tuple[float, float] | None]:
    """Return the page of a shot as it is on a screen of the size ``whole``, scaled to ``size``, and where it is
    touched, as shares of its width and height. On a board that a touch would enlarge first, that step is left out."""
    del language, hand  # they change what is drawn
    surface = pygame.Surface(whole, 0, 32)
    view = shot.view.at_time(passed_s) if passed_s else shot.view
    drawn = draw_page(surface, view.page_to_draw)
    touches = (target.rect for target in drawn.targets if shot.touch in (target.press, target.button_press))
    target = None if shot.touch is None else next(touches, None)
    touched = None if target is None else (target.centerx / whole[0], target.centery / whole[1])
    return pygame.transform.smoothscale(surface, size), touched


def _draw_finger(canvas: Canvas, page_rect: Rect, touched: tuple[float, float], passed: float) -> None:
    """Draw a fingertip that comes from the lower edge of the page at ``page_rect`` and touches it at ``touched``."""
    share = min(1.0, passed / TOUCH_SHARE)
    share = 1 - (1 - share) ** 2
    end = page_rect.x + page_rect.w * touched[0], page_rect.y + page_rect.h * touched[1]
    start = end[0] + page_rect.w * 0.12, page_rect.bottom
    at = round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)
    radius = canvas.theme.units(3)
    rect = Rect(0, 0, 2 * radius, 2 * radius)
    rect.center = at
    canvas.icon(layout.inset(rect, radius // 3), "circle", TEXT)
    ripple = ring_icon(radius * (1 + max(0.0, passed - TOUCH_SHARE)), max(2.0, radius * 0.2), ACCENT)
    canvas.surface.blit(ripple, ripple.get_rect(center=at))


@lays_out(FirstTimePage)
def lay_out_first_time(page: FirstTimePage) -> Form:
    """Return the offer, and the button that begins the match without it."""
    return Form(
        page.explanation.title,
        Drawing(lambda canvas, box: draw_beats(canvas, box, 0.0, inverted=False, names=False), share=5),
        Text(how_to_play_page.FIRST_TIME, 12, lines=1, share=2),
        Text(how_to_play_page.FIRST_TIME_TEXT, "title", MUTED, lines=2, share=2),
        foot=HandFlip(
            Button(how_to_play_page.START, Reply(START_ANSWER)),
            Button(how_to_play_page.HOW_TO_PLAY, page.explanation, main=True),
        ),
        foot_length=(1.8 * TOUCH, 3.4 * TOUCH),
        back=Reply(BACK_ANSWER),
    )
