"""Painter of the page on which a camera watches the printed board: the position as the box knows it, what it sees
otherwise, each marked by a sign of its own, and what to do."""

from pygame import Rect

from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.board_geometry import BoardLayout, BoardPosition, position_from_facts
from ui.screen.drawing.board_pieces import draw_piece
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, TEXT
from ui.screen.pages.answers import Reply
from ui.screen.pages.board.paint import (
    PIECE_WIDTH,
    draw_reconstruction_notice,
    draw_ring_mark,
    draw_sides,
    draw_spaces,
    draw_warning,
    split_page,
)
from ui.screen.pages.printed_board.view import CHOOSE_MOVE, ENTER_MOVE, BoardObservation, PrintedBoardQuestion


def draw_printed_board(canvas: Canvas, page: PrintedBoardQuestion) -> None:
    """The board as the box knows it and what it sees of it, in words and by signs."""
    theme = canvas.theme
    on = position_from_facts(page.prompt.about)
    place, rows, panel = split_page(canvas)
    if on is None:
        return
    draw_sides(canvas, rows, on, page.players)
    ground = BoardLayout(on.board, place)
    draw_spaces(canvas, ground, on, None)
    _draw_pieces(canvas, ground, on, page.observation)
    _draw_marks(canvas, ground, page.observation)
    panel = draw_reconstruction_notice(canvas, panel)
    panel, foot = layout.split_bottom(panel, theme.touch_size, theme.gap)
    buttons = layout.columns(foot, [1, 1] if page.observation.is_ambiguous else [1], theme.gap)
    canvas.button(buttons[-1], t("Enter it here"), Reply(ENTER_MOVE), size=theme.body)
    if page.observation.is_ambiguous:
        canvas.button(buttons[0], t("Choose"), Reply(CHOOSE_MOVE), size=theme.body, main=True)
    signs = _marks_shown(page.observation)
    panel, legend = layout.split_bottom(panel, len(signs) * theme.units(6), theme.gap if signs else 0)
    _draw_legend(canvas, legend, signs)
    spot, panel = layout.split_top(panel, theme.units(8), theme.units(1))
    spot, heading = layout.split_left(spot, spot.h, theme.gap)
    canvas.icon(spot, "eye" if page.observation.is_ok else "doubt", ACCENT if page.observation.is_ok else FOUL)
    title = t("The box watches") if page.observation.is_ok else t("The box sees")
    canvas.text(heading, title, theme.body, MUTED, align="left")
    canvas.text(panel, page.observation.sentence, theme.title, TEXT, align="left", max_lines=9, vertical_align="left")


def _draw_pieces(canvas: Canvas, ground: BoardLayout, on: BoardPosition, now: BoardObservation) -> None:
    """Every piece as the position has it; where something else is seen, that."""
    seen = dict(now.unexpected)
    for space, piece in {**on.pieces, **seen}.items():
        if space not in now.missing:
            draw_piece(canvas, ground.square_at(space, PIECE_WIDTH), seen.get(space, piece))


def _draw_marks(canvas: Canvas, ground: BoardLayout, now: BoardObservation) -> None:
    """A triangle at what should not be there, a ring where a piece is missing, an eye struck out where nothing can be
    read."""
    for space in now.missing:
        draw_ring_mark(canvas, ground.square_at(space, 0.8), FOUL)
    for space, _ in now.unexpected:
        draw_ring_mark(canvas, ground.square_at(space, 1.0), FOUL)
        place = ground.square_at(space, 0.44)
        draw_warning(canvas, place.move(place.w * 2 // 3, -place.h * 2 // 3))
    for space in now.unreadable:
        _draw_unreadable_mark(canvas, ground.square_at(space, 0.5))


def _draw_unreadable_mark(canvas: Canvas, box: Rect) -> None:
    rim = max(1, box.w // 10)
    canvas.icon(box.inflate(2 * rim, 2 * rim), "square", PANEL)
    canvas.icon(box, "nothing", ACCENT)


def _marks_shown(now: BoardObservation) -> list[str]:
    """Which signs are on the board."""
    return [
        name
        for name, there in (("there", now.unexpected), ("missing", now.missing), ("unread", now.unreadable))
        if there
    ]


def _draw_legend(canvas: Canvas, box: Rect, signs: list[str]) -> None:
    """What the signs mean that are on the board."""
    theme = canvas.theme
    meanings = {"there": t("should not be there"), "missing": t("is missing"), "unread": t("can't be read")}
    for name, line in zip(signs, layout.rows(box, [1] * len(signs), theme.units(0.6)), strict=True):
        spot, told = layout.split_left(line, line.h, theme.gap)
        if name == "there":
            draw_warning(canvas, layout.inset(spot, spot.w // 8))
        elif name == "missing":
            draw_ring_mark(canvas, layout.inset(spot, spot.w // 8), FOUL)
        else:
            _draw_unreadable_mark(canvas, layout.inset(spot, spot.w // 6))
        canvas.text(told, meanings[name], theme.small, MUTED, align="left")
