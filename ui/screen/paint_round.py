"""Painters of a round: the count, the look at the hands, the reveal with its photo finish."""

import math

from pygame import Rect

from device.frames import Pixels
from ui.screen import layout, words
from ui.screen.canvas import Canvas
from ui.screen.icons import DRAWINGS, ring
from ui.screen.pieces import badge, dispute_button, fouls, head, strip, strip_height
from ui.screen.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, ON_ACCENT, PANEL, RAISED, TEXT, Colour, mark
from ui.screen.views import Cadence, Judging, Reveal, SeatReveal


def cadence(canvas: Canvas, view: Cadence) -> None:
    """The word spoken now, as large as it goes; below it a marker a beat, and a ring that closes on the next one. On
    the last word the whole screen turns to the accent, the live picture too: seen from the corner of an eye, on every
    side alike."""
    theme = canvas.theme
    go = view.beat >= len(view.words) - 1
    preview = None if go else view.preview
    ground, ink = (ACCENT, ON_ACCENT) if go else (BACKGROUND, TEXT)
    canvas.surface.fill(ground)
    page = canvas.page
    if go:
        title, page = layout.top(page, theme.units(7.5), theme.gap)
        canvas.text(title, view.title, theme.body, ink, side="left")
    else:
        page = head(canvas, page, view.title)
    page, foot = layout.bottom(page, strip_height(canvas, view.players), theme.gap)
    strip(canvas, foot, view.players)
    if view.again is not None:
        line, page = layout.top(page, theme.units(8), theme.gap)
        canvas.panel(line, PANEL)
        sign, words_box = layout.left(layout.inside(line, theme.units(2), theme.units(1)), theme.units(6), theme.gap)
        canvas.icon(sign, "foul", FOUL)
        canvas.text(words_box, view.again, theme.body, side="left")
    if theme.portrait:
        page = _with_picture(canvas, page, preview)
        word, beats = layout.rows(page, [3, 2], theme.gap)
    else:
        word, beats = layout.rows(page, [5, 4], theme.gap)
        word = _with_picture(canvas, word, preview)
    canvas.unseen("phase", "preview")
    ready = view.beat < 0
    spoken = words.READY if ready else view.words[min(view.beat, len(view.words) - 1)]
    canvas.text(word, spoken, theme.units(20) if ready else theme.huge, MUTED if ready else ink)
    _markers(canvas, beats, view, ink, ground)


def _with_picture(canvas: Canvas, page: Rect, preview: Pixels | None) -> Rect:
    """The live picture above (portrait) or at the right; returns what is left of ``page``."""
    if preview is None:
        return page
    theme = canvas.theme
    aspect = preview.shape[1] / max(1, preview.shape[0])
    if theme.portrait:
        picture, page = layout.top(page, min(round(page.w / aspect), page.h * 2 // 5), theme.gap)
    else:
        page, picture = layout.right(page, min(round(page.h * aspect), round(page.w * 0.36)), theme.gap * 2)
        picture = layout.middle(picture, picture.w, round(picture.w / aspect))

    def live(canvas: Canvas, now: Cadence | Judging) -> None:
        if now.preview is not None:
            canvas.picture(picture, now.preview)

    canvas.moving(picture, ["preview"], live)
    return page


def _markers(canvas: Canvas, box: Rect, view: Cadence, ink: Colour, ground: Colour) -> None:
    count = len(view.words)
    cells = layout.columns(box, [1] * count, 0)
    wide = min(cells[0].w, box.h)
    radius = wide * 0.27
    for beat, (cell, word) in enumerate(zip(cells, view.words, strict=True)):
        side = round(2 * radius)
        disc = Rect(cell.centerx - side // 2, cell.centery - side // 2, side, side)
        passed = beat <= view.beat
        canvas.icon(disc, "circle", ink if passed else RAISED)
        name = word.casefold()
        drawing = name if name in DRAWINGS else "burst" if beat == count - 1 else None
        sign_ink = ground if passed else MUTED
        if drawing is not None:
            canvas.icon(layout.inside(disc, round(side * 0.22)), drawing, sign_ink)
        else:
            canvas.text(layout.inside(disc, round(side * 0.2)), str(beat + 1), canvas.theme.big, sign_ink)
        if beat == view.beat + 1:
            _closing(canvas, disc.center, radius)


def _closing(canvas: Canvas, at: tuple[int, int], radius: float) -> None:
    """The ring that closes on the marker at ``at`` while a beat passes."""
    width = canvas.theme.units(0.9)

    def draw(canvas: Canvas, now: Cadence) -> None:
        closing = radius * (1.0 + 0.8 * (1 - max(0.0, min(1.0, now.phase))))
        line = ring(closing + width, width, ACCENT)
        canvas.surface.blit(line, line.get_rect(center=at))

    side = 2 * math.ceil(1.8 * radius + width) + 4
    box = Rect(0, 0, side, side)
    box.center = at
    canvas.moving(box, ["phase"], draw)


def judging(canvas: Canvas, view: Judging) -> None:
    """Calm: the box is looking."""
    theme = canvas.theme
    page, foot = layout.bottom(canvas.page, strip_height(canvas, view.players), theme.gap)
    strip(canvas, foot, view.players)
    page = _with_picture(canvas, page, view.preview)
    sign, title, detail = layout.rows(page, [5, 4, 3], theme.gap)
    canvas.icon(
        Rect(sign.x, sign.bottom - min(sign.h, theme.units(20)), sign.w, min(sign.h, theme.units(20))), "eye", ACCENT
    )
    canvas.text(title, words.LOOKING, theme.big, lines=2)
    canvas.text(detail, words.LOOKING_DETAIL, theme.body, MUTED, lines=3, at="left")


def reveal(canvas: Canvas, view: Reveal) -> None:
    """Everybody's throw at once, what it means, and the photo finish."""
    theme = canvas.theme
    count = len(view.seats)
    sentence, page = layout.top(canvas.page, theme.units(9 if not theme.portrait else 13), theme.gap)
    if view.seconds_left is not None:
        sentence = dispute_button(canvas, sentence)
    canvas.text(sentence, view.sentence, theme.title, lines=2 if theme.portrait else 1)
    page, finish = layout.bottom(page, theme.units(13 if not theme.portrait else 15), theme.gap)
    photo_finish(canvas, finish, view)
    across = _across(theme.portrait, count)
    for cell, seat in zip(layout.grid(page, count, across, theme.gap), view.seats, strict=True):
        _seat(canvas, cell, seat)


def _across(portrait: bool, count: int) -> int:
    if portrait:
        return 1 if count <= 3 else 2
    return count if count <= 3 else -(-count // 2)


def _seat(canvas: Canvas, cell: Rect, seat: SeatReveal) -> None:
    """One seat: name, crop, throw, verdict. Side by side where the cell is wide, else the crop above the words."""
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=FOUL if seat.foul else LINE, width=theme.units(0.9 if seat.foul else 0.3))
    small = cell.h < theme.units(40)
    inner = layout.inside(cell, theme.units(1.8), theme.units(1.2 if small else 1.5))
    gap = theme.units(0.5 if small else 0.8)
    name, inner = layout.top(inner, theme.units(4.6 if small else 6.5), gap)
    size = theme.small if small else theme.body
    badge(canvas, fouls(canvas, name, seat.player, size), seat.player, size)
    inner, foot = layout.bottom(inner, theme.units(5 if small else 7.5), gap)
    _verdict(canvas, foot, seat)
    colour = TEXT if seat.throw is not None else MUTED
    word = str(seat.throw).upper() if seat.throw is not None else words.NO_THROW
    drawing = str(seat.throw) if seat.throw is not None else "nothing"
    if inner.w > inner.h * 1.9 and not small:
        crop, told = layout.left(inner, inner.h, theme.gap)
        sign, line = layout.rows(told, [3, 2], theme.units(0.5))
    else:
        inner, line = layout.bottom(inner, theme.units(6.8 if small else 12), gap)
        side = min(inner.h, (inner.w - theme.gap) // 2)
        pair = layout.middle(inner, 2 * side + theme.gap * 2, side)
        crop, sign = layout.columns(pair, [1, 1], theme.gap)
    canvas.picture(layout.middle(crop, min(crop.size), min(crop.size)), seat.crop, PANEL)
    canvas.icon(sign, drawing, colour)
    canvas.text(line, word, theme.title if small else theme.units(13), colour)


def _verdict(canvas: Canvas, box: Rect, seat: SeatReveal) -> None:
    theme = canvas.theme
    sign = "foul" if seat.foul else "good" if seat.verdict == "on time" else "doubt"
    colour = FOUL if seat.foul else TEXT if seat.verdict == "on time" else MUTED
    size = theme.body
    shape, line = layout.left(box, box.h, theme.units(1.2))
    canvas.icon(layout.inside(shape, theme.units(0.3)), sign, colour)
    told = words.after_first(seat.after_first_ms)
    if told:
        lesser = size if box.w > theme.units(60) else theme.small if box.w > theme.units(42) else theme.least
        line, after = layout.right(line, canvas.width(told, lesser, line.w // 2, line.h), theme.units(1.2))
        canvas.text(after, told, lesser, MUTED, side="right")
    canvas.text(line, words.verdict(seat.verdict), size, colour, side="left")


def photo_finish(canvas: Canvas, box: Rect, view: Reveal) -> None:
    """A time line from the first hand to the lock and a little beyond, with each seat's mark where its hand showed."""
    theme = canvas.theme
    shown = [(s.after_first_ms, s.player.seat) for s in view.seats if s.after_first_ms is not None]
    canvas.panel(box, PANEL)
    inner = layout.inside(box, theme.units(2.5), theme.units(0.8))
    lane, scale = layout.rows(inner, [4, 5], 0)
    window = max(1.0, view.window_ms)
    early = max(-window, min([0.0, *(at for at, _ in shown)]))
    late = min(2.5 * window, max([1.3 * window, *(1.08 * at for at, _ in shown)]))
    side = min(lane.h, theme.units(5))
    run = layout.inside(lane, side, 0)

    def x(at: float) -> int:
        return run.x + round((min(late, max(early, at)) - early) / (late - early) * run.w)

    thick = max(2, theme.units(0.4))
    canvas.surface.fill(LINE, Rect(run.x - side // 2, lane.bottom, run.w + side, thick))
    canvas.surface.fill(TEXT, Rect(x(0) - thick // 2, lane.bottom - side // 2, thick, side // 2 + scale.h // 6))
    canvas.surface.fill(ACCENT, Rect(x(window) - thick, lane.y, 2 * thick, lane.h + scale.h // 6))
    for at, seat in sorted(shown, reverse=True):
        place = Rect(x(at) - side // 2, lane.bottom - side, side, side)
        rim = theme.units(0.6)
        canvas.icon(place.inflate(2 * rim, 2 * rim), mark(seat).shape, PANEL)
        canvas.icon(place, mark(seat).shape, mark(seat).colour)
    below = layout.bottom(scale, scale.h - max(2, scale.h // 6), 0)[1]
    labels = [(window, words.lock(view.window_ms), ACCENT), *([(0.0, words.FIRST, MUTED)] if shown else [])]
    for at, label, colour in labels:
        took = canvas.width(label, theme.small, below.w // 3, below.h)
        canvas.text(_under(below, x(at), took), label, theme.small, colour)


def _under(box: Rect, centre: int, width: int) -> Rect:
    return Rect(0, box.y, width, box.h).move(max(box.x, min(box.right - width, centre - width // 2)), 0)
