"""Painter of the reveal: everybody's throw at once, who beat whom, and the photo finish, in which the time from the
first hand to the lock passes again, slowly."""

import math
from collections.abc import Callable, Sequence

import pygame
from pygame import Rect

from device.camera.frames import Pixels
from rules.engine import Seat
from rules.record.round import PlayerLink, SeatView, entered_seat
from rules.throws import Outcome, Throw, to_throw
from ui.charts.timeline import ReferenceLine, SeatTime, TimeLine, linear_scale
from ui.i18n.language import render, t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.icons import icon
from ui.screen.drawing.text import line_height, text_width, widest_word
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, RAISED, TEXT, TextRole
from ui.screen.drawing.timeline import TimeLinePainter
from ui.screen.drawing.widgets import draw_card, draw_pause_button, draw_timer
from ui.screen.pages import classroom_picture
from ui.screen.pages import reveal as reveal_page
from ui.screen.pages.common import SLOW_MOTION_ANSWER, Player
from ui.screen.pages.fact_words import OUTCOME_ICONS
from ui.screen.pages.match_widgets import (
    cells_across,
    draw_dispute_button,
    draw_foul_count,
    draw_player_badge,
    draw_undo_buttons,
    undo_height,
)
from ui.screen.pages.reveal import OPENING_S, FaceDown, Reveal, SeatPictures
from ui.screen.pages.showdown_picture import CARD_SHAPE
from ui.screen.views import Reply
from ui.text import labels

PHOTO_FINISH_S = 1.3
"""The time the photo finish takes."""
VERDICT_COLOURS = {"good": TEXT, "foul": FOUL, "doubt": MUTED}
FINISH_WITHOUT_LABELS = 13
"""The height in units of the photo finish on a page of many cells, which have the times."""
MIN_LARGE_CELL_HEIGHT = 40
"""The least height in units of a cell with the word of its throw."""
MIN_NARROW_CELL_HEIGHT = 49
"""The same of a narrow cell, which has the word below the hand and the time below the verdict."""
_Images = list[tuple[Rect, Pixels | None]]
"""The pictures of a seat with their places; None is the card of an entered throw."""
ARROW_SIZE = 9
"""The side in units of the arrow from the winner to the loser."""
NARROW_CELL = 64
"""The width in units of a cell from which it isn't narrow."""


@paints(Reveal)
def draw_reveal(canvas: Canvas, view: Reveal) -> None:
    """Draw everybody's throw at once, its meaning, and the photo finish; for a class, without images."""
    if view.in_class:
        classroom_picture.draw_reveal(canvas, view)
        return
    theme, many = canvas.theme, len(view.seats) > 3
    page = _draw_header(canvas, view)
    across = cells_across(canvas, len(view.seats), 3)
    if view.is_judged:
        height = theme.pick(FINISH_WITHOUT_LABELS if many else 21, 24)
        narrow = page.w // across < theme.units(NARROW_CELL)
        least = theme.units(MIN_NARROW_CELL_HEIGHT if narrow else MIN_LARGE_CELL_HEIGHT)
        if page.h - theme.units(height) - theme.gap < least:
            height = FINISH_WITHOUT_LABELS  # a long sentence needs the room: the cells have the times
        page, finish = layout.split_bottom(page, theme.units(height), theme.gap)
        draw_photo_finish(canvas, finish, view)
    cells = _split_cells(canvas, page, len(view.seats))
    for cell, seat, player in zip(cells, view.seats, view.players, strict=True):
        _draw_seat(canvas, cell, seat, player, view.pictures.get(seat.seat), is_judged=view.is_judged)
    if len(cells) == 2:
        _draw_winner_arrow(canvas, cells[0], cells[1], view)


@paints(FaceDown)
def draw_face_down(canvas: Canvas, view: FaceDown) -> None:
    """Draw everybody's card from behind, about where the reveal has it."""
    theme = canvas.theme
    page = layout.split_top(canvas.page, theme.touch_size * theme.pick(1, 2), theme.gap * theme.pick(1, 2))[1]
    if view.can_undo and theme.portrait:
        page = layout.split_bottom(page, undo_height(theme), theme.gap)[0]
    for cell, player in zip(_split_cells(canvas, page, len(view.players)), view.players, strict=True):
        seat = entered_seat(player.seat, PlayerLink(None, player.name), None)
        _draw_seat(canvas, cell, seat, player, None, is_judged=False, face_down=True)


def _split_cells(canvas: Canvas, page: Rect, count: int) -> list[Rect]:
    """Return the cells of ``count`` seats. The arrow between two that are one above the other would cover their words:
    it has the gap between them."""
    gap = canvas.theme.units(ARROW_SIZE) if count == 2 and canvas.theme.portrait else canvas.theme.gap
    return layout.grid(page, count, cells_across(canvas, count, 3), gap)


def _draw_header(canvas: Canvas, view: Reveal) -> Rect:
    """Draw the sentence, which throw beat which, and the buttons of people who may dispute or undo; in portrait, and
    where it is long, the sentence is below the rest. Return the page between them."""
    theme = canvas.theme
    page = canvas.page
    bar = layout.split_top(page, theme.touch_size, 0)[0]
    y = bar.y
    if view.seconds_left is not None:
        bar = draw_pause_button(canvas, bar)
        if view.can_undo:
            bar, page = draw_undo_buttons(canvas, bar, page)
        bar = draw_dispute_button(canvas, bar) if view.can_dispute else bar
        if view.has_slow_motion:
            bar, rect = layout.split_right(bar, theme.touch_size, theme.gap)
            canvas.button(rect, reveal_page.SLOW_MOTION, Reply(SLOW_MOTION_ANSWER), icon="rewind", icon_only=True)
        bar = draw_timer(canvas, bar, view)
    if view.beaten_pairs and len(view.seats) > 2:  # the arrow between two cards says the same
        width = _beaten_pairs_width(theme.units(9), len(view.beaten_pairs))
        pairs, rest = layout.split_left(bar, min(bar.w, width), theme.gap * 2)
        _draw_beaten_pairs(canvas, theme.pick(pairs, bar), view)
        bar = rest
    below = y + (theme.touch_size + theme.gap if bar.w < canvas.page.w else 0)
    beside_bottom = y + canvas.text_height(view.sentence, bar.w, "shared")
    fits = widest_word(render(view.sentence), theme.min_text_size("shared")) <= bar.w
    if theme.portrait or not fits or below + canvas.text_height(view.sentence, canvas.page.w, "shared") < beside_bottom:
        bar = Rect(canvas.page.x, below, canvas.page.w, 0)
    bar.height = max(theme.touch_size, canvas.text_height(view.sentence, bar.w, "shared"))
    canvas.text(bar, view.sentence, theme.shared, max_lines=9, role="shared")
    return layout.split_top(page, bar.bottom - page.y, theme.gap)[1]


def _draw_seat(
    canvas: Canvas,
    cell: Rect,
    seat: SeatView,
    player: Player,
    pictures: SeatPictures | None,
    *,
    is_judged: bool,
    face_down: bool = False,
) -> None:
    """Draw one seat: name, crop, throw and, if it ``is_judged``, the verdict; side by side where the cell is wide, else
    the crop above the words. Without ``pictures`` the throw is on a card, which may lie ``face_down``. A small cell has
    no word for the throw, and its other words are read from close by."""
    theme = canvas.theme
    foul, won = is_judged and seat.is_foul, seat.has_won
    narrow = cell.w < theme.units(NARROW_CELL)
    least_height = MIN_NARROW_CELL_HEIGHT if narrow else MIN_LARGE_CELL_HEIGHT
    small = cell.h < theme.units(least_height) or cell.w < theme.units(44)
    narrow = narrow and not small
    edge = FOUL if foul else ACCENT if won else LINE
    inner = draw_card(canvas, cell, 1.2 if small else 1.8, 1 if small else 1.5, edge=edge, strong=foul or won)
    gap = theme.units(0.5 if small else 0.8)
    name, inner = layout.split_top(inner, theme.units(5 if small else 6.5), gap)
    size = theme.small if small else theme.body
    if seat.outcome not in (None, Outcome.LOST):
        name, icon_box = layout.split_right(name, name.h, theme.units(1))
        canvas.icon(icon_box, OUTCOME_ICONS[seat.outcome], ACCENT if won else MUTED)
    if not small:
        name = draw_foul_count(canvas, name, player, size)
    draw_player_badge(canvas, name, player, size)
    verdict_width = inner.w - theme.units(6.2)
    verdict_height = canvas.text_height(labels.seat_verdict(seat), verdict_width)
    foot_height = verdict_height if small else theme.units(15.5 if narrow else 10)
    inner, foot = layout.split_bottom(inner, foot_height, gap) if is_judged else (inner, Rect(inner.bottomleft, (0, 0)))
    if small:  # the name needs its line
        inner = draw_foul_count(canvas, inner, player, size)
    proof = pictures.proof if pictures else None
    cells = None if small or proof is None else _split_labelled(canvas, inner, seat)
    if is_judged:
        _draw_verdict(canvas, foot, seat, labelled=cells is not None, small=small, narrow=narrow)
    icon_box = line = Rect(0, 0, 0, 0)
    if pictures is None:
        card, line = _split_card(canvas, inner, small)
        images: _Images = [(card, None)]
    elif proof is not None:
        images = [*_draw_image_labels(canvas, inner, seat, (pictures.at_lock, proof), cells)]
    else:
        crop, icon_box, line = _split_throw(canvas, inner, small)
        images = [(crop, pictures.at_lock)]
    if face_down:
        _draw_back(canvas, images[0][0], seat.seat)
    else:
        canvas.add_moving_part(inner, ("shown_s",), _turning_card(seat, images, icon_box, line))


def _split_card(canvas: Canvas, inner: Rect, small: bool) -> tuple[Rect, Rect]:
    """Return the places of the card of an entered throw, and of its name, which a small cell has no room for."""
    theme = canvas.theme
    if inner.w > inner.h * theme.pick(2.3, 1.9) and not small:
        face, line = layout.columns(inner, [2, 3], theme.gap)
    else:
        face, line = layout.split_bottom(inner, 0 if small else theme.units(12), 0 if small else theme.units(0.8))
    height = min(face.h, round(face.w * CARD_SHAPE))
    return layout.centre(face, round(height / CARD_SHAPE), height), line


def _turning_card(seat: SeatView, images: _Images, icon_box: Rect, line: Rect) -> Callable[[Canvas, Reveal], None]:
    """Return what draws a seat's ``images``, and the throw's icon and name, which turn over together with
    everybody's."""
    icon, colour = (str(seat.last_throw), TEXT) if seat.last_throw else ("nothing", MUTED)

    def draw(canvas: Canvas, current: Reveal) -> None:
        passed = canvas.theme.animation_share(current.shown_s, OPENING_S)
        share = abs(math.cos(math.pi * passed))
        for rect, image in images:
            card = layout.centre(rect, round(rect.w * share), rect.h)
            if passed < 0.5:
                _draw_back(canvas, card, seat.seat)
            elif image is None:
                _draw_face(canvas, card, seat.last_throw)
            else:
                canvas.image(card, image, PANEL)
        if passed < 0.5:
            return
        if side := round(min(icon_box.size) * share):
            canvas.icon(layout.centre(icon_box, side, side), icon, colour)
        if line.h:
            size = canvas.theme.units(13)
            canvas.text(line, reveal_page.throw_label(seat.last_throw), size, colour, role="shared")

    return draw


def _draw_back(canvas: Canvas, card: Rect, seat: Seat) -> None:
    """Draw the back of a card that turns over."""
    if card.w:
        canvas.panel(card, RAISED)
        canvas.seat_mark(layout.centre(card, card.w // 2, card.h // 2), seat)


def _draw_face(canvas: Canvas, card: Rect, throw: Throw | None) -> None:
    """Draw the face of a card that turns over."""
    if card.w:
        canvas.panel(card, TEXT if throw else PANEL, edge=MUTED, width=max(1, canvas.theme.units(0.4)))
        side = round(min(card.w * 0.84, card.h * 0.6))
        canvas.icon(layout.centre(card, side, side), str(throw or "nothing"), BACKGROUND if throw else MUTED)


def _split_throw(canvas: Canvas, inner: Rect, small: bool) -> tuple[Rect, Rect, Rect]:
    """Return the places of the crop, of the throw's icon, and of its name, which a small cell has no room for."""
    theme = canvas.theme
    if inner.w > inner.h * theme.pick(2.3, 1.9) and not small:
        crop, throw_box = layout.split_left(inner, inner.h, theme.gap)
        word_height = max(throw_box.h * 3 // 7, line_height(theme.shared))
        icon_box, line = layout.split_bottom(throw_box, word_height, theme.units(0.5))
    else:
        inner, line = layout.split_bottom(inner, 0 if small else theme.units(12), 0 if small else theme.units(0.8))
        side = min(inner.h, (inner.w - theme.gap) // 2)
        crop, icon_box = layout.columns(layout.centre(inner, 2 * side + theme.gap * 2, side), [1, 1], theme.gap)
    return layout.centre(crop, min(crop.size), min(crop.size)), icon_box, line


def _shown_throws(seat: SeatView) -> list[tuple[Throw | None, str]]:
    """Return what a hand showed at the lock and at another time, each with when, in order of time."""
    shown = [
        (to_throw(seat.record.at_lock), t(reveal_page.LOCK_IMAGE)),
        (reveal_page.proof_throw(seat), reveal_page.proof_time(seat)),
    ]
    return shown[::-1] if reveal_page.is_proof_earlier(seat) else shown


def _split_labelled(canvas: Canvas, inner: Rect, seat: SeatView) -> tuple[Rect, Rect] | None:
    """Return the places of two images with the words below them; None where the words have no room."""
    theme = canvas.theme
    first, second = (
        max(text_width(reveal_page.throw_label(throw), theme.shared), text_width(time_text, theme.small))
        for throw, time_text in _shown_throws(seat)
    )
    spare = inner.w - theme.gap - first - second
    return None if spare < 0 else layout.split_left(inner, first + spare // 2, theme.gap)


def _draw_image_labels(
    canvas: Canvas, inner: Rect, seat: SeatView, crops: tuple[Pixels, Pixels], cells: Sequence[Rect] | None
) -> list[tuple[Rect, Pixels]]:
    """Draw what a hand showed at the lock and at another time, and when, in order of time; without labelled ``cells``
    only an icon of each throw. Return the images with their places; ``crops`` are of the lock frame and of the other
    one."""
    theme = canvas.theme
    if reveal_page.is_proof_earlier(seat):
        crops = crops[::-1]
    images = []
    places = cells or layout.columns(inner, [1, 1], theme.gap)
    for cell, image, (throw, time_text) in zip(places, crops, _shown_throws(seat), strict=True):
        colour = TEXT if throw else MUTED
        if cells is None:
            rect, icon_box = layout.split_right(cell, min(cell.h, cell.w // 3), theme.units(0.5))
            canvas.icon(
                layout.centre(icon_box, min(icon_box.size), min(icon_box.size)),
                str(throw) if throw else "nothing",
                colour,
            )
        else:
            rect, label = layout.split_bottom(cell, line_height(theme.small), 0)
            rect, line = layout.split_bottom(rect, line_height(theme.shared), theme.units(0.5))
            canvas.text(line, reveal_page.throw_label(throw), theme.title, colour, role="shared")
            canvas.text(label, time_text, theme.small, MUTED)
        images.append((layout.centre(rect, min(rect.size), min(rect.size)), image))
    return images


def _draw_verdict(canvas: Canvas, box: Rect, seat: SeatView, *, labelled: bool, small: bool, narrow: bool) -> None:
    """Draw the verdict and the time after the first hand: next to it, or below it in a ``narrow`` cell. In a ``small``
    one both replace the icon, or the word the time, where they don't fit; a hand that was on time has only the time.
    Where ``labelled`` images say when they were taken, the time isn't said again."""
    theme, icon = canvas.theme, labels.verdict_icon(seat)
    on_time, colour = icon == "good", VERDICT_COLOURS[icon]
    time_text = labels.shown_time(seat.timed_ms, seat.early_ms, short=box.w < theme.units(60))
    if labelled and reveal_page.proof_time(seat) != t(reveal_page.AFTERWARDS):
        time_text = ""  # below that image
    if narrow and time_text:
        box, time_box = layout.split_bottom(box, line_height(theme.small), 0)
        canvas.text(time_box, time_text, theme.small, MUTED, align="right")
    verdict, gap = t(labels.seat_verdict(seat)), theme.units(0.6 if small else 1.2)
    both = text_width(verdict, theme.small) + gap + text_width(time_text, theme.small)
    shape, line = layout.split_left(box, min(box.h, theme.units(5 if small or narrow else 7.5)), gap)
    if small and time_text and not on_time and line.w < both <= box.w:
        line = box
    else:
        canvas.icon(layout.inset(shape, theme.units(0.3)), icon, colour)
    if time_text and not narrow and (on_time or not small or both <= line.w):
        size = theme.body if box.w > theme.units(60) else theme.small
        width = canvas.text_width(time_text, size, line.w if small else line.w // 2, line.h)
        line, time_box = layout.split_right(line, width, gap)
        canvas.text(time_box, time_text, size, MUTED, align="right")
    if small and on_time:
        return
    role: TextRole = "personal" if small else "shared"
    canvas.text(line, verdict, theme.body, colour, align="left", max_lines=2 if small else 1, role=role)


def _beaten_pairs_width(height: int, pairs: int) -> int:
    return round(height * (2.9 * pairs + 0.5 * (pairs - 1)))


def _draw_beaten_pairs(canvas: Canvas, box: Rect, view: Reveal) -> None:
    """Draw which throw beat which: the winner, an arrow, the loser."""
    count = len(view.beaten_pairs)
    height = min(box.h, round(box.w / (3.4 * count)))
    line = layout.centre(box, _beaten_pairs_width(height, count), height)
    for winner, loser in view.beaten_pairs:
        for name, width, gap, colour in ((winner, 1, 0.1, TEXT), ("beats", 0.7, 0.1, ACCENT), (loser, 1, 0.5, MUTED)):
            rect, line = layout.split_left(line, round(height * width), round(height * gap))
            canvas.icon(rect, name, colour)


def _draw_winner_arrow(canvas: Canvas, first: Rect, second: Rect, view: Reveal) -> None:
    """Draw an arrow between two players from the winner to the loser, or the sign of a tie."""
    ends = [seat.outcome for seat in view.seats]
    if None in ends:
        return
    side = canvas.theme.units(ARROW_SIZE)
    rect = Rect(0, 0, side, side)
    rect.center = first.union(second).center
    canvas.icon(rect.inflate(side // 4, side // 4), "circle", BACKGROUND)
    if ends == [Outcome.TIED] * 2:
        canvas.icon(rect, "level", MUTED)
        return
    angle = (0 if ends[0] is Outcome.WON else 180) - (90 if first.x == second.x else 0)
    canvas.surface.blit(pygame.transform.rotate(icon("beats", side, ACCENT), angle), rect)


def draw_photo_finish(canvas: Canvas, box: Rect, view: Reveal) -> None:
    """Draw the photo finish. At first, time passes on it and every mark appears in its turn."""
    finish = PhotoFinish(canvas, box, view.seats, view.window_ms)

    def draw(canvas: Canvas, current: Reveal) -> None:
        since_opened_s = None if current.shown_s is None else current.shown_s - OPENING_S
        passed = canvas.theme.animation_share(since_opened_s, PHOTO_FINISH_S)
        finish.draw(canvas, None if passed == 1.0 else finish.start_ms + passed * (finish.end_ms - finish.start_ms))

    canvas.add_moving_part(layout.inset(box, canvas.theme.units(0.5)), ("shown_s",), draw)


class PhotoFinish:
    """A timeline in ``box`` from the first hand to the lock, at ``window_ms``, and a little beyond, with each seat's
    mark where its hand showed, and its time in ms; that of an early hand is before the call, which has a line then."""

    def __init__(self, canvas: Canvas, box: Rect, seats: Sequence[SeatView], window_ms: float) -> None:
        window = max(1.0, window_ms)
        shown = [SeatTime(seat.seat, seat.timed_ms, seat.interval_ms) for seat in seats]
        times = [seat.ms for seat in shown if seat.ms is not None]
        self.start_ms = max(-window, min([0.0, *times]))
        self.end_ms = min(2.5 * window, max([1.3 * window, *(1.08 * at for at in times)]))
        lock = ReferenceLine("lock", window, labels.lock_label(window_ms))
        cue = [
            ReferenceLine("first", seat.timed_ms + seat.early_ms, t(labels.CUE_LABEL))
            for seat in seats
            if seat.timed_ms is not None and seat.early_ms is not None
        ]
        line = TimeLine(linear_scale(self.start_ms, self.end_ms, 0.06, 0.94), tuple(shown), (*cue[:1], lock))
        early = {seat.timed_ms: seat.early_ms for seat in seats}

        def label(ms: float) -> str:
            return labels.shown_time(ms, early[ms], short=True)

        has_labels = box.h > canvas.theme.units(FINISH_WITHOUT_LABELS)
        self._painter = TimeLinePainter(canvas, box, line, label if has_labels else None)

    def draw(self, canvas: Canvas, until_ms: float | None) -> None:
        """Draw the marks of the hands that showed until a time, and a line there; all without one."""
        if until_ms is None:
            self._painter.draw_seats(canvas)
            return
        self._painter.draw_seats(canvas, until_ms)
        self._painter.draw_cursor(canvas, until_ms)
