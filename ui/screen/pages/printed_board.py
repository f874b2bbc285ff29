"""The camera's view of a printed board, and the answers other than a move."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pygame import Rect
from typing_extensions import override

from messages import N
from rules.board.board import Space
from rules.engine import Prompt, Seat
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_pause_button
from ui.screen.pages.board_drawing import BoardGeometry, draw_piece
from ui.screen.pages.board_picture import (
    PIECE_WIDTH,
    draw_legend,
    draw_ring_mark,
    draw_sides,
    draw_spaces,
    draw_warning,
    split_page,
)
from ui.screen.pages.board_position import BoardPosition, position_from_facts
from ui.screen.pages.common import Player
from ui.screen.views import Reply, UntimedPage

ENTER_MOVE = "enter"
"""The answer of people who enter the move on the screen."""

CHOOSE_MOVE = "choose"
"""The answer of people who choose which of several moves it was."""


@dataclass(frozen=True)
class BoardObservation:
    """The camera's view of the board now."""

    sentence: str
    """Explains it."""
    is_ok: bool = True
    """Whether nothing is wrong."""
    unexpected: tuple[tuple[Space, str], ...] = ()
    """Pieces where they should not be (R0: the uppermost)."""
    missing: tuple[Space, ...] = ()
    """The spaces whose piece is not there."""
    unreadable: tuple[Space, ...] = ()
    """The spaces that can't be read."""
    move: str | None = None
    """The move that was made, which answers the prompt; None if none was."""
    is_ambiguous: bool = False
    """Whether people choose which move it was."""
    longer_sentences: tuple[str, ...] = ()
    """Sentences that name more of the spaces, the longest first, for where there is room."""


@dataclass(frozen=True)
class PrintedBoardQuestion(UntimedPage):
    """A question for a move that a camera over a printed board answers as well. Answered with the move, with
    ENTER_MOVE, or with CHOOSE_MOVE while several moves fit."""

    players: tuple[Player, ...]
    prompt: Prompt
    seat: Seat
    observation: BoardObservation
    """What the camera sees."""
    poll_camera: Callable[[], BoardObservation] | None = field(default=None, compare=False)
    """Returns what the camera sees now."""

    @property
    @override
    def is_polled(self) -> bool:
        return self.poll_camera is not None

    @override
    def poll(self) -> "PrintedBoardQuestion | Reply":
        seen = self.observation if self.poll_camera is None else self.poll_camera()
        return Reply(seen.move) if seen.move is not None else replace(self, observation=seen)


@paints(PrintedBoardQuestion)
def draw_printed_board(canvas: Canvas, page: PrintedBoardQuestion) -> None:
    """Draw the position and the camera's view of it, in words and marks."""
    theme = canvas.theme
    position = position_from_facts(page.prompt.about)
    rect, rows, panel = split_page(canvas)
    if position is None:
        return
    draw_sides(canvas, draw_pause_button(canvas, rows), position, page.players)
    board = BoardGeometry(position.board, rect)
    draw_spaces(canvas, board, position, None)
    _draw_pieces(canvas, board, position, page.observation)
    _draw_marks(canvas, board, page.observation)
    panel, foot = layout.split_bottom(panel, theme.touch_size, theme.gap)
    buttons = layout.columns(foot, [1, 1] if page.observation.is_ambiguous else [1], theme.gap)
    canvas.button(buttons[-1], N("Enter it here"), Reply(ENTER_MOVE), size=theme.body)
    if page.observation.is_ambiguous:
        canvas.button(buttons[0], N("Choose"), Reply(CHOOSE_MOVE), size=theme.body, main=True)
    marks: list[tuple[Callable[[Rect], None], str]] = []
    if page.observation.unexpected:
        meaning = N("should not be there")
        marks.append((lambda rect: draw_warning(canvas, layout.inset(rect, rect.w // 8)), meaning))
    if page.observation.missing:
        marks.append((lambda rect: draw_ring_mark(canvas, layout.inset(rect, rect.w // 8), FOUL), N("is missing")))
    if page.observation.unreadable:
        unread = N("can’t be read")
        marks.append((lambda rect: _draw_unreadable_mark(canvas, layout.inset(rect, rect.w // 6)), unread))
    panel = draw_legend(canvas, panel, marks)
    title = N("The box is watching") if page.observation.is_ok else N("The box sees")
    icon_width = theme.units(6)
    height = max(icon_width, canvas.text_height(title, panel.w - icon_width - theme.gap))
    heading, panel = layout.split_top(panel, height, theme.gap)
    icon_rect, heading = layout.split_left(heading, icon_width, theme.gap)
    canvas.icon(icon_rect, "eye" if page.observation.is_ok else "doubt", ACCENT if page.observation.is_ok else FOUL)
    canvas.text(heading, title, theme.small, MUTED, align="left", max_lines=9)
    sentence = next(
        (text for text in page.observation.longer_sentences if canvas.text_height(text, panel.w) <= panel.h),
        page.observation.sentence,
    )
    canvas.text(panel, sentence, theme.title, TEXT, align="left", max_lines=12, vertical_align="top")


def _draw_pieces(canvas: Canvas, board: BoardGeometry, position: BoardPosition, observation: BoardObservation) -> None:
    """Draw every piece of the position, or what the camera sees in its place."""
    seen = dict(observation.unexpected)
    for space, piece in {**position.pieces, **seen}.items():
        if space not in observation.missing:
            draw_piece(canvas, board.square_at(space, PIECE_WIDTH), seen.get(space, piece))


def _draw_marks(canvas: Canvas, board: BoardGeometry, observation: BoardObservation) -> None:
    """Draw a triangle at what should not be there, a ring where a piece is missing, a struck-out eye where nothing can
    be read."""
    for space in observation.missing:
        draw_ring_mark(canvas, board.square_at(space, 0.8), FOUL)
    for space, _ in observation.unexpected:
        draw_ring_mark(canvas, board.square_at(space, 1.0), FOUL)
        rect = board.square_at(space, 0.44)
        draw_warning(canvas, rect.move(rect.w * 2 // 3, -rect.h * 2 // 3))
    for space in observation.unreadable:
        _draw_unreadable_mark(canvas, board.square_at(space, 0.5))


def _draw_unreadable_mark(canvas: Canvas, box: Rect) -> None:
    rim = max(1, box.w // 10)
    canvas.icon(box.inflate(2 * rim, 2 * rim), "square", PANEL)
    canvas.icon(box, "nothing", ACCENT)
