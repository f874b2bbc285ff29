"""Painters of a round: the countdown, and the waits before and after it."""

import math
from dataclasses import replace

from pygame import Rect

from device.camera.frames import Pixels
from messages import LazyText, N
from rules.text import THROW_WORDS
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.icons import ring_icon
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, MUTED, ON_ACCENT, RAISED, SEAT_MARKS, TEXT, Colour
from ui.screen.drawing.widgets import draw_hint, draw_match_header, split_pause_corner
from ui.screen.pages import classroom as classroom_page
from ui.screen.pages.common import player_title
from ui.screen.pages.countdown import GET_READY, Countdown, Judging, Preparing
from ui.screen.pages.fact_chips import draw_facts
from ui.screen.pages.match_widgets import draw_player_strip, player_strip_height

OPENING_RING_SHARE = 0.2
"""The share of a beat in which a ring leaves the marker of its word."""
DOT_CYCLE_S = 1.2
"""The time in which the three dots of a page that waits light up one after the other."""


@paints(Countdown)
def draw_countdown_page(canvas: Canvas, view: Countdown) -> None:
    """Draw the current word as large as it fits; below it a marker for each beat, with a ring that leaves it on the
    beat and one that closes on the next. On the last word the whole screen turns to the accent colour, without the live
    image, so that it is noticed out of the corner of an eye, on every side alike."""
    theme = canvas.theme
    is_last = view.beat >= len(view.words) - 1
    preview = None if is_last else view.preview
    background, ink = (ACCENT, ON_ACCENT) if is_last else (BACKGROUND, TEXT)
    canvas.fill(background)
    page = canvas.page
    if is_last:  # no pause from the cue on: hands are shown by then
        title, page = layout.split_top(page, theme.touch_size, theme.gap)
        canvas.text(split_pause_corner(canvas, title), view.title, theme.body, ink, align="left")
        page = layout.split_bottom(page, page.h - _stakes_height(canvas, view), 0)[1]
    else:
        page = draw_match_header(canvas, view.title)
        page = _draw_stakes(canvas, page, view)
    names_all = theme.pick(view.hint is None, True)
    strip_height = player_strip_height(canvas, view.players, names_all=names_all)
    page, foot = layout.split_bottom(page, strip_height, theme.gap)
    # a tick takes the place of the points
    players = [replace(player, score=None) if player.seat in view.seen else player for player in view.players]
    draw_player_strip(canvas, foot, players, dict.fromkeys(view.seen, "good"), waiting=view.throwing)
    has_stars = any(player.stars for player in view.players)  # children are not blamed
    sign = ("again", ACCENT) if has_stars else ("foul", FOUL)
    page = draw_hint(canvas, page, view.rethrow_reason, *sign, role="shared")
    page = draw_hint(canvas, page, view.hint, role="shared")
    if theme.portrait:
        page = _draw_preview(canvas, page, preview)
        word, beats = layout.rows(page, [3, 2], theme.gap)
    else:
        word, beats = layout.rows(page, [5, 4], theme.gap)
        word = _draw_preview(canvas, word, preview)
    canvas.ignore_fields("phase", "preview")
    ready = view.beat < 0
    text = GET_READY if ready else view.words[min(view.beat, len(view.words) - 1)]
    canvas.text(word, text, theme.units(20) if ready else theme.huge, MUTED if ready else ink, role="shared")
    _draw_beat_markers(canvas, beats, view, ink, background)


def _not_all_throw(view: Countdown) -> bool:
    return bool(view.throwing) and len(view.throwing) < len(view.players) <= len(SEAT_MARKS)


def _stakes_height(canvas: Canvas, view: Countdown) -> int:
    """Return the height of the stakes' lines with the gap below them; 0 if there are none."""
    parts = (bool(view.facts), _not_all_throw(view))
    lines = canvas.theme.pick(any(parts), sum(parts))
    return lines * line_height(canvas.theme.shared) + canvas.theme.gap if lines else 0


def _draw_stakes(canvas: Canvas, page: Rect, view: Countdown) -> Rect:
    """Draw what is at stake, and who throws if not everybody does. Returns the rest of ``page``."""
    height = _stakes_height(canvas, view)
    if not height:
        return page
    theme = canvas.theme
    line, page = layout.split_top(page, height - theme.gap, theme.gap)
    if _not_all_throw(view):
        if line.h > line_height(theme.shared):
            throwing, line = layout.split_top(line, line_height(theme.shared), 0)
            _draw_throwing(canvas, throwing, view)
        else:
            line = _draw_throwing(canvas, line, view)
    draw_facts(canvas, line, view.facts, theme.shared, role="shared")
    return page


def _draw_throwing(canvas: Canvas, line: Rect, view: Countdown) -> Rect:
    """Draw who throws at the right of ``line``: marks, with names if they fit. Return the rest of the line."""
    theme, side = canvas.theme, min(line.h, canvas.theme.units(6))
    label_width = canvas.text_width(t("Throwing:"), theme.body, line.w // 2, line.h)
    names = {player.seat: player_title(player) for player in view.players}
    name_widths = [text_width(names[seat], theme.shared) + theme.gap for seat in view.throwing]
    free = line.w * (theme.pick(2, 3) if view.facts else 3) // 3 - label_width - theme.gap
    if len(view.throwing) * side + sum(name_widths) > free:
        name_widths = [0] * len(view.throwing)
    for seat, name_width in reversed(list(zip(view.throwing, name_widths, strict=True))):
        line, cell = layout.split_right(line, side + name_width, 0)
        mark, name = layout.split_left(cell, side, 0)
        canvas.seat_mark(layout.inset(mark, theme.units(0.4)), seat)
        if name_width:
            name = layout.inset(name, theme.gap // 4, 0)
            canvas.text(name, names[seat], theme.shared, align="left", role="shared")
    line, rect = layout.split_right(line, label_width + theme.gap, theme.gap)
    canvas.text(Rect(rect.x, rect.y, label_width, rect.h), t("Throwing:"), theme.body, MUTED, align="right")
    return line


def _draw_preview(canvas: Canvas, page: Rect, preview: Pixels | None) -> Rect:
    """Draw the live image at the top (portrait) or at the right. Returns the rest of ``page``."""
    if preview is None:
        return page
    theme = canvas.theme
    aspect = preview.shape[1] / max(1, preview.shape[0])
    if theme.portrait:
        image_box, page = layout.split_top(page, min(round(page.w / aspect), page.h * 2 // 5), theme.gap)
    else:
        page, image_box = layout.split_right(page, min(round(page.h * aspect), round(page.w * 0.36)), theme.gap * 2)
        image_box = layout.centre(image_box, image_box.w, round(image_box.w / aspect))

    def draw_image(canvas: Canvas, current: Countdown | Judging) -> None:
        if current.preview is not None:
            canvas.image(image_box, current.preview)

    canvas.add_moving_part(image_box, ["preview"], draw_image)
    return page


def _draw_beat_markers(canvas: Canvas, box: Rect, view: Countdown, ink: Colour, background: Colour) -> None:
    count = len(view.words)
    cells = layout.columns(box, [1] * count, 0)
    width = min(cells[0].w, box.h)
    radius = width * 0.27
    for beat, (cell, word) in enumerate(zip(cells, view.words, strict=True)):
        side = round(2 * radius)
        disc = Rect(cell.centerx - side // 2, cell.centery - side // 2, side, side)
        passed = beat <= view.beat
        canvas.icon(disc, "circle", ink if passed else RAISED)
        icon = _word_icon(word) or ("burst" if beat == count - 1 else None)
        icon_ink = background if passed else MUTED
        if icon is not None:
            canvas.icon(layout.inset(disc, round(side * 0.22)), icon, icon_ink)
        else:
            canvas.text(
                layout.inset(disc, round(side * 0.2)),
                str(beat + 1),
                canvas.theme.big,
                icon_ink,
                min_size=4,
                role="mark",
            )
        if beat == view.beat + 1:
            _draw_closing_ring(canvas, disc.center, radius)
        elif beat == view.beat and not canvas.theme.reduced_motion:
            _draw_opening_ring(canvas, disc.center, radius, ink)


def _word_icon(word: str) -> str | None:
    icons = {t(name).casefold(): str(throw) for throw, name in THROW_WORDS.items()}
    return icons.get(t(word).casefold() if isinstance(word, LazyText) else word.casefold())


def _draw_closing_ring(canvas: Canvas, centre: tuple[int, int], radius: float) -> None:
    """Draw the ring that closes on the marker at ``centre`` during a beat."""
    width = canvas.theme.units(0.9)

    def draw(canvas: Canvas, current: Countdown) -> None:
        closing = radius * (1.0 + 0.8 * (1 - max(0.0, min(1.0, current.phase))))
        line = ring_icon(closing + width, width, ACCENT)
        canvas.surface.blit(line, line.get_rect(center=centre))

    side = 2 * math.ceil(1.8 * radius + width) + 4
    box = Rect(0, 0, side, side)
    box.center = centre
    canvas.add_moving_part(box, ["phase"], draw)


def _draw_opening_ring(canvas: Canvas, centre: tuple[int, int], radius: float, ink: Colour) -> None:
    """Draw the ring that leaves the marker at ``centre`` when its word begins, as if it had been struck."""
    width = canvas.theme.units(0.6)

    def draw(canvas: Canvas, current: Countdown) -> None:
        passed = current.phase / OPENING_RING_SHARE
        if 0 <= passed < 1:
            line = ring_icon(radius * (1 + 0.5 * passed * (2 - passed)) + width, width, ink)
            canvas.surface.blit(line, line.get_rect(center=centre))

    side = 2 * math.ceil(1.5 * radius + width) + 4
    box = Rect(0, 0, side, side)
    box.center = centre
    canvas.add_moving_part(box, ["phase"], draw)


def _draw_progress(canvas: Canvas, bar: Rect) -> None:
    canvas.panel(bar, RAISED)

    def draw(canvas: Canvas, current: Judging) -> None:
        if width := round(current.done * bar.w):
            canvas.panel(Rect(bar.x, bar.y, max(width, bar.h), bar.h), ACCENT)

    canvas.add_moving_part(bar, ["done"], draw)


@paints(Preparing)
def draw_preparing(canvas: Canvas, view: Preparing) -> None:
    """Draw what the box prepares, and three moving dots to show that it has not stopped."""
    theme = canvas.theme
    above, dots, below = layout.rows(canvas.page, [5, 2, 4], theme.gap)
    canvas.text(above, view.heading, theme.units(14), max_lines=2, vertical_align="bottom", role="shared")
    canvas.text(below, view.title, theme.title, MUTED, max_lines=3, vertical_align="top", role="shared")
    side = min(dots.h, theme.units(6))
    rect = layout.centre(dots, 5 * side, side)

    def draw(canvas: Canvas, current: Preparing) -> None:
        for number in range(3):
            step = round(4 + 4 * math.cos(2 * math.pi * (current.shown_s / DOT_CYCLE_S - number / 3)))
            red, green, blue = (a + (b - a) * step // 8 for a, b in zip(RAISED, ACCENT, strict=True))
            canvas.icon(Rect(rect.x + 2 * number * side, rect.y, side, side), "circle", (red, green, blue))

    canvas.add_moving_part(rect, ["shown_s"], draw)


def judging_text(view: Judging) -> str:
    """What the box looks at."""
    return classroom_page.READING_CARDS if len(view.players) > len(SEAT_MARKS) else N("Looking at your hands")


@paints(Judging)
def draw_judging(canvas: Canvas, view: Judging) -> None:
    """Draw the wait while the box reads the hands."""
    theme = canvas.theme
    page, foot = layout.split_bottom(canvas.page, player_strip_height(canvas, view.players), theme.gap)
    draw_player_strip(canvas, foot, view.players)
    page = _draw_preview(canvas, page, view.preview)
    icon_box, title, detail = layout.rows(page, [4, 4, 3], theme.gap)
    if view.progress is not None:
        bar, detail = layout.split_top(detail, theme.units(2), theme.gap * 2)
        _draw_progress(canvas, layout.centre(bar, min(bar.w, theme.units(80)), bar.h))
    canvas.icon(
        Rect(
            icon_box.x, icon_box.bottom - min(icon_box.h, theme.units(20)), icon_box.w, min(icon_box.h, theme.units(20))
        ),
        "eye",
        ACCENT,
    )
    canvas.text(title, judging_text(view), theme.big, max_lines=2, role="shared")
    canvas.text(
        detail, N("Everyone’s throw is read from the same image"), theme.body, MUTED, max_lines=3, vertical_align="top"
    )
