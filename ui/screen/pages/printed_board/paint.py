"""Painter of a printed board that a camera watches: the position, every difference that the camera sees with a mark of
its own, and what to do."""

from collections.abc import Callable

from pygame import Rect

from messages import N
from ui.screen.drawing import layout
from ui.screen.drawing.board_geometry import BoardLayout
from ui.screen.drawing.board_pieces import draw_piece
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_pause_button
from ui.screen.pages.answers import Reply
from ui.screen.pages.board.paint import (
    PIECE_WIDTH,
    draw_legend,
    draw_reconstruction_notice,
    draw_ring_mark,
    draw_sides,
    draw_spaces,
    draw_warning,
    split_page,
)
from ui.screen.pages.common.board_position import BoardPosition, position_from_facts
from ui.screen.pages.printed_board.view import CHOOSE_MOVE, ENTER_MOVE, BoardObservation, PrintedBoardQuestion


@paints(PrintedBoardQuestion)
def draw_printed_board(canvas: Canvas, page: PrintedBoardQuestion) -> None:
    """Draw the position and the camera's view of it, in words and marks."""
    theme = canvas.theme
    position = position_from_facts(page.prompt.about)
    place, rows, panel = split_page(canvas)
    if position is None:
        return
    draw_sides(canvas, draw_pause_button(canvas, rows), position, page.players)
    board = BoardLayout(position.board, place)
    draw_spaces(canvas, board, position, None)
    _draw_pieces(canvas, board, position, page.observation)
    _draw_marks(canvas, board, page.observation)
    if page.observation.is_ok:
        panel = draw_reconstruction_notice(canvas, panel)
    panel, foot = layout.split_bottom(panel, theme.touch_size, theme.gap)
    buttons = layout.columns(foot, [1, 1] if page.observation.is_ambiguous else [1], theme.gap)
    canvas.button(buttons[-1], N("Enter it here"), Reply(ENTER_MOVE), size=theme.body)
    if page.observation.is_ambiguous:
        canvas.button(buttons[0], N("Choose"), Reply(CHOOSE_MOVE), size=theme.body, main=True)
    marks: list[tuple[Callable[[Rect], None], str]] = []
    if page.observation.unexpected:
        there = N("should not be there")
        marks.append((lambda spot: draw_warning(canvas, layout.inset(spot, spot.w // 8)), there))
    if page.observation.missing:
        marks.append((lambda spot: draw_ring_mark(canvas, layout.inset(spot, spot.w // 8), FOUL), N("is missing")))
    if page.observation.unreadable:
        unread = N("can't be read")
        marks.append((lambda spot: _draw_unreadable_mark(canvas, layout.inset(spot, spot.w // 6)), unread))
    panel = draw_legend(canvas, panel, marks)
    title = N("The box is watching") if page.observation.is_ok else N("The box sees")
    icon_width = theme.units(6)
    height = max(icon_width, canvas.text_height(title, panel.w - icon_width - theme.gap))
    heading, panel = layout.split_top(panel, height, theme.gap)
    spot, heading = layout.split_left(heading, icon_width, theme.gap)
    canvas.icon(spot, "eye" if page.observation.is_ok else "doubt", ACCENT if page.observation.is_ok else FOUL)
    canvas.text(heading, title, theme.small, MUTED, align="left", max_lines=9)
    sentence = next(
        (one for one in page.observation.longer_sentences if canvas.text_height(one, panel.w) <= panel.h),
        page.observation.sentence,
    )
    canvas.text(panel, sentence, theme.title, TEXT, align="left", max_lines=12, vertical_align="left")


def _draw_pieces(canvas: Canvas, board: BoardLayout, position: BoardPosition, observation: BoardObservation) -> None:
    """Draw every piece of the position, or what the camera sees in its place."""
    seen = dict(observation.unexpected)
    for space, piece in {**position.pieces, **seen}.items():
        if space not in observation.missing:
            draw_piece(canvas, board.square_at(space, PIECE_WIDTH), seen.get(space, piece))


def _draw_marks(canvas: Canvas, board: BoardLayout, observation: BoardObservation) -> None:
    """Draw a triangle at what should not be there, a ring where a piece is missing, a struck-out eye where nothing can
    be read."""
    for space in observation.missing:
        draw_ring_mark(canvas, board.square_at(space, 0.8), FOUL)
    for space, _ in observation.unexpected:
        draw_ring_mark(canvas, board.square_at(space, 1.0), FOUL)
        place = board.square_at(space, 0.44)
        draw_warning(canvas, place.move(place.w * 2 // 3, -place.h * 2 // 3))
    for space in observation.unreadable:
        _draw_unreadable_mark(canvas, board.square_at(space, 0.5))


def _draw_unreadable_mark(canvas: Canvas, box: Rect) -> None:
    rim = max(1, box.w // 10)
    canvas.icon(box.inflate(2 * rim, 2 * rim), "square", PANEL)
    canvas.icon(box, "nothing", ACCENT)
