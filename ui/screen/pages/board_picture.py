"""Painters of the board: a question for a move, entered by touching a piece and its destination, and a message about a
position. Spaces are narrower than a finger (12 rows on a small panel), so a first touch enlarges the board there, and a
move is confirmed before it is made."""

import math
from collections.abc import Callable, Mapping, Sequence

from pygame import Rect

from messages import N, join
from rules.board.board import Side, Space
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.icons import ring_icon
from ui.screen.drawing.text import line_height, widest_word
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, TEXT, Colour, TextRole
from ui.screen.drawing.widgets import (
    draw_arrow,
    draw_pause_button,
    hand_row,
    pause_corner,
    split_hand_side,
    split_pause_corner,
)
from ui.screen.pages import board as board_page
from ui.screen.pages import question as question_page
from ui.screen.pages.board_drawing import BoardGeometry, draw_piece, draw_plate
from ui.screen.pages.board_position import BoardMove, BoardPosition, move_costs
from ui.screen.pages.common import GO_ON_ANSWER, UNDO_ANSWER, Player
from ui.screen.pages.match_widgets import draw_clock
from ui.screen.pages.message import GameMessage
from ui.screen.pages.question import BoardPage, Question
from ui.screen.views import Reply
from ui.text import game_words, labels

SIDE_COLOURS: tuple[Colour, Colour] = ((47, 60, 76), (38, 47, 68))
"""South's half of the board, and North's."""
LAST_MOVE_COLOUR: Colour = (76, 92, 112)
"""The spaces of the last move."""
SELECTED_COLOUR: Colour = (104, 84, 36)
"""The space of the selected piece."""
COMPASS_DIRECTIONS = ("NW", "NE", "W", "E", "SW", "SE")
"""The directions as they lie on the board, two to a row."""
PIECE_WIDTH = 0.9
"""The width of a piece, in widths of a space."""


@paints(BoardPage)
def draw_move_question(canvas: Canvas, page: BoardPage) -> None:
    """Draw the board, the selected piece with everywhere it may go, the proposed move, and the button that makes it. A
    touch on a board with spaces smaller than a finger enlarges it there."""
    board_rect, rows, panel = split_page(canvas)
    whole = BoardGeometry(page.position.board, board_rect)
    least_width = canvas.theme.touch_size * 2 / math.sqrt(3)  # rows are as far apart as a target is high
    enlarges = whole.space_width < least_width
    board = whole
    if enlarges and page.enlarged_at is not None:
        board = whole.enlarge(page.enlarged_at, least_width)
    draw_sides(canvas, split_pause_corner(canvas, rows), page.position, page.view.players, page.view)
    _draw_question(canvas, panel, page, enlarges)
    _draw_board(canvas, board_rect, board, page)
    draw_pause_button(canvas, rows)

    def is_in_reach(board: BoardGeometry, space: Space) -> bool:
        rect = board.touch_rect(space)
        return board_rect.contains(rect) and not rect.colliderect(pause_corner(canvas))

    def after_touch(space: Space) -> BoardPage:
        """Return the page after a touch on a space; with the destinations of a piece in view, if there is room."""
        after = page.touch(space)
        if board is whole or after.selected in (None, page.selected) or after.move is not None:
            return after
        spaces = {move.landing_spaces[-1] for move in after.selected_moves if not move.spread} | {space}
        for layout_then, focus in ((board, page.enlarged_at), (whole.enlarge(space, least_width), space)):
            if all(is_in_reach(layout_then, space) for space in spaces):
                return after.enlarge(focus)
        return after.enlarge(None)

    pages = [(space, after_touch(space)) for space in range(len(page.position.board.coordinates))]
    for space, after in sorted(pages, key=lambda pair: pair[1].selected is None):
        label = board_page.space_label(page.position.board.space_names[space], page.position.pieces.get(space))
        if enlarges and board is whole:
            canvas.add_target(board.touch_rect(space), page.enlarge(space), label, area=board_rect, button_press=after)
        elif not enlarges or is_in_reach(board, space):
            canvas.add_target(board.touch_rect(space), after, label, area=board_rect)


def _draw_board(canvas: Canvas, board_rect: Rect, board: BoardGeometry, page: BoardPage) -> None:
    inner = Canvas(canvas.surface.subsurface(board_rect.clip(canvas.surface.get_rect())))
    board = BoardGeometry(board.board, board.box.move(-board_rect.x, -board_rect.y))
    draw_spaces(inner, board, page.position, page.selected)
    _draw_pieces(inner, board, page.position)
    if page.move is None:
        _draw_destinations(inner, board, page)
    else:
        _draw_proposed_move(inner, board, page.position, page.move)


def draw_message(canvas: Canvas, view: GameMessage, position: BoardPosition) -> None:
    """Draw the board with the last move, and the event's sentences."""
    theme = canvas.theme
    canvas.ignore_fields("seconds_left", "shown_s")
    rect, rows, panel = split_page(canvas)
    board = BoardGeometry(position.board, rect)
    if view.seconds_left is not None:
        rows = draw_pause_button(canvas, rows)
    draw_sides(canvas, rows, position, view.players)
    if view.seconds_left is not None and view.can_undo:
        panel, foot = layout.split_bottom(panel, theme.touch_size, theme.gap)
        if theme.portrait:
            undo, go_on = hand_row(canvas, foot, [1, 1], theme.gap)
        else:
            go_on = foot
            panel, undo = layout.split_bottom(panel, theme.touch_size, theme.gap)
        canvas.button(undo, labels.UNDO, Reply(UNDO_ANSWER))
        canvas.button(go_on, labels.GO_ON, Reply(GO_ON_ANSWER), main=True)
    notice = view.event.values.get("notice")
    if notice is not None:  # said in short, and once in a match
        height = canvas.text_height(board_page.RECONSTRUCTION_NOTICE, panel.w)
        panel, line = layout.split_bottom(panel, height, theme.units(1))
        canvas.text(line, board_page.RECONSTRUCTION_NOTICE, theme.small, MUTED, max_lines=3)
    lines = [line for line in view.sentences if line != notice]
    heading, panel = layout.split_top(panel, line_height(theme.body), 0)
    canvas.text(heading, game_words.event_heading(view.event), theme.body, MUTED, align="left")
    if len(lines) > 1:
        room = panel.h - canvas.text_height(lines[-1], panel.w, "shared") - theme.gap
        earlier = list(lines[-4:-1])
        while earlier and canvas.text_height(join(earlier, "\n"), panel.w) > room:
            del earlier[0]
        if earlier:
            above, text = layout.split_top(panel, room, 0)[0], join(earlier, "\n")
            ink = canvas.text(above, text, theme.small, MUTED, align="left", max_lines=7, vertical_align="top")
            panel = layout.split_bottom(panel, panel.bottom - max(ink.bottom, panel.y) - theme.gap, 0)[1]
    if lines:
        fits = canvas.text_height(lines[-1], panel.w, "shared") <= panel.h
        role: TextRole = "shared" if fits else "personal"  # both players sit close by
        canvas.text(panel, lines[-1], theme.shared, align="left", max_lines=7, vertical_align="top", role=role)
    draw_spaces(canvas, board, position, None)
    _draw_pieces(canvas, board, position)


def draw_watched_board(canvas: Canvas, position: BoardPosition, players: Sequence[Player]) -> Rect:
    """Draw the board with the last move while somebody answers off the screen, the sides, and the pause button. Return
    the place of the panel."""
    rect, rows, panel = split_page(canvas)
    board = BoardGeometry(position.board, rect)
    draw_sides(canvas, draw_pause_button(canvas, rows), position, players)
    draw_spaces(canvas, board, position, None)
    _draw_pieces(canvas, board, position)
    return panel


def split_page(canvas: Canvas) -> tuple[Rect, Rect, Rect]:
    """Return the places of the board, of the sides and of the panel. The board has hardly a margin."""
    theme = canvas.theme
    whole = layout.inset(canvas.surface.get_rect(), theme.units(0.8))
    if theme.portrait:
        rows, whole = layout.split_top(layout.inset(whole, theme.units(1.6)), theme.units(12.5), theme.gap)
        width = canvas.surface.get_width() - 2 * theme.units(0.8)
        height = min(round(width / 1.17), whole.h - theme.units(62))
        rect, panel = layout.split_top(whole, height, theme.gap)
        return rect.inflate(2 * theme.units(1.6), 0), rows, panel
    width = max(whole.w - round(whole.h * 1.18), theme.units(46)) - theme.gap
    rect, rest = split_hand_side(canvas, whole, width, theme.gap)
    rest = layout.inset(rest, theme.units(1), theme.units(1.5))
    rows, panel = layout.split_top(rest, theme.units(22), theme.gap)
    return rect, rows, panel


def draw_sides(
    canvas: Canvas, box: Rect, position: BoardPosition, players: Sequence[Player], question: Question | None = None
) -> None:
    """Draw which player has which side, with a frame around who is asked, and the time left for ``question``. Without a
    question the frame is around whose turn it is."""
    theme = canvas.theme
    names = {player.seat: player for player in players}
    asked = position.seats[position.to_move] if question is None else question.seat
    cut = theme.pick(layout.rows, layout.columns)
    for side, cell in zip((1, 0), cut(box, [1, 1], theme.units(1)), strict=True):
        seat = position.seats[side]
        canvas.framed_panel(cell, PANEL, marked=seat == asked)
        inner = layout.inset(cell, theme.units(1.2), theme.units(0.2))
        rect, inner = layout.split_left(inner, theme.units(6), theme.units(1))
        rect = layout.centre(rect, rect.w, rect.w)
        draw_plate(canvas, rect, side)
        mark, inner = _split_corner(canvas, inner)
        canvas.seat_mark(mark, seat)
        if seat == asked and question is not None and question.seconds_left is not None:
            inner, clock = layout.split_right(inner, inner.h, theme.gap)
            draw_clock(canvas, clock, question.whole_s)
        upper, lower = layout.rows(inner, [1, 1], 0)
        name = names[seat].name if seat in names else game_words.seat_label(seat)
        canvas.text(upper, name, theme.body, TEXT if seat == asked else MUTED, align="left")
        canvas.text(lower, board_page.SIDE_NAMES[side], theme.small, MUTED, align="left")


def _split_corner(canvas: Canvas, inner: Rect) -> tuple[Rect, Rect]:
    """Return a small square at the right, and the rest to its left."""
    rest, rect = layout.split_right(inner, min(inner.h, canvas.theme.units(4)), canvas.theme.units(1))
    return rect, rest


def _draw_question(canvas: Canvas, panel: Rect, page: BoardPage, enlarges: bool) -> None:
    theme = canvas.theme
    height = round(theme.touch_size * theme.pick(1.0, 1.3))
    panel, foot = layout.split_bottom(panel, height, theme.units(1))
    proposed, ready, press = page.move, page.proposed is not None, Reply(page.proposed or "")
    if enlarges and page.enlarged_at is not None:
        whole, foot = layout.split_left(foot, theme.touch_size, theme.gap)
        canvas.button(whole, board_page.WHOLE_BOARD, page.enlarge(None), icon="frame", icon_only=True)
    canvas.button(foot, board_page.CONFIRM_MOVE, press, main=ready, size=theme.units(6), enabled=ready)
    if page.selected is None and page.others:
        answers = [(question_page.answer_text(page.view.prompt, answer), answer) for answer in page.others]
        panel, cells = _split_answers(canvas, panel, [label for label, _ in answers])
        for cell, (label, answer) in zip(cells, answers, strict=True):
            canvas.button(cell, label, page.propose_other(answer), size=theme.small)
    spreads = {move.spread: move for move in page.selected_moves if move.spread is not None}
    if spreads:
        panel, below = layout.split_bottom(panel, 3 * theme.touch_size + 2 * theme.units(1), theme.units(0.4))
        _draw_compass(canvas, below, page, spreads)
    elif page.selected_moves and proposed is None:
        marks = (
            (lambda rect: canvas.icon(layout.inset(rect, rect.w // 4), "circle", ACCENT), N("goes there")),
            (
                lambda rect: draw_ring_mark(canvas, layout.inset(rect, theme.units(0.5)), ACCENT),
                N("hits what is there"),
            ),
            (lambda rect: draw_warning(canvas, rect), N("costs you something")),
        )
        panel = draw_legend(canvas, panel, marks)
    title = board_page.page_title(page)
    role: TextRole = "shared" if page.selected is None or proposed is not None else "personal"
    title_box, about = layout.split_top(panel, canvas.text_height(title, panel.w, role), 0)
    canvas.text(title_box, title, theme.body, align="left", max_lines=4, role=role)
    if proposed is None:
        needs_enlarging = enlarges and page.enlarged_at is None
        hint = board_page.page_hint(page, needs_enlarging=needs_enlarging)
        if not page.moves and canvas.text_height(hint, about.w) > about.h:
            return  # the frame around who is asked says the same
        canvas.text(about, hint, theme.small, MUTED, align="left", max_lines=6, vertical_align="top")
        return
    own, others = move_costs(page.position, proposed)
    if own:
        text = board_page.own_losses(own)
        line, about = layout.split_top(about, canvas.text_height(text, about.w - theme.units(6)), theme.units(0.5))
        icon_box, line = layout.split_left(line, theme.units(5), theme.units(1))
        canvas.icon(icon_box, "doubt", FOUL)
        canvas.text(line, text, theme.small, FOUL, align="left", max_lines=3)
    if others or not own:
        canvas.text(
            about, board_page.captures(others), theme.small, TEXT, align="left", max_lines=4, vertical_align="top"
        )


def _split_answers(canvas: Canvas, panel: Rect, texts: Sequence[str]) -> tuple[Rect, list[Rect]]:
    """Return the panel above the buttons of answers, and their places: beside each other, or one below the other where
    the longest word is wider than a button."""
    theme, count = canvas.theme, len(texts)
    above, row = layout.split_bottom(panel, theme.touch_size, theme.units(1))
    cells = layout.columns(row, [1] * count, theme.gap)
    widest = max(widest_word(text, theme.small) for text in texts)
    if widest <= min(cell.w for cell in cells) - 2 * theme.units(1.2):
        return above, cells
    above, column = layout.split_bottom(panel, count * theme.touch_size + (count - 1) * theme.units(1), theme.units(1))
    return above, layout.rows(column, [1] * count, theme.units(1))


def _draw_compass(canvas: Canvas, box: Rect, page: BoardPage, spreads: Mapping[str, BoardMove]) -> None:
    """Draw a button for each direction to spread the stack in, as they lie on the board."""
    theme = canvas.theme
    cells = layout.grid(box, len(COMPASS_DIRECTIONS), 2, theme.units(1))
    for cell, name in zip(cells, COMPASS_DIRECTIONS, strict=True):
        move = spreads.get(name)
        chosen, after = move is not None and move == page.move, page if move is None else page.propose(move)
        label, enabled = board_page.spread_label(name), move is not None
        canvas.button(cell, label, after, icon=f"to-{name}", icon_only=True, enabled=enabled, main=chosen)
        if move is not None and move_costs(page.position, move)[0]:
            side = theme.units(5)
            draw_warning(canvas, Rect(cell.right - theme.units(6), cell.y + theme.units(1), side, side))


def draw_legend(canvas: Canvas, panel: Rect, marks: Sequence[tuple[Callable[[Rect], object], str]]) -> Rect:
    """Draw the legend of marks on the board at the bottom of ``panel``: each mark, by its function, and its meaning.
    Return the panel above it."""
    theme = canvas.theme
    side = line_height(theme.small)
    for draw_mark, meaning in reversed(marks):
        height = canvas.text_height(meaning, panel.w - side - theme.units(1))
        panel, line = layout.split_bottom(panel, height, 0)
        rect, text_box = layout.split_left(line, side, theme.units(1))
        draw_mark(layout.centre(rect, side, side))
        canvas.text(text_box, meaning, theme.small, MUTED, align="left", max_lines=3)
    return panel


def draw_spaces(canvas: Canvas, board: BoardGeometry, position: BoardPosition, selected: Space | None) -> None:
    """Draw the empty board, with the path of the last move."""
    last = {position.last.origin, *position.last.landing_spaces} if position.last else set()
    for space, (_, r) in enumerate(position.board.coordinates):
        side: Side = 0 if r >= 0 else 1
        colour = SELECTED_COLOUR if space == selected else LAST_MOVE_COLOUR if space in last else SIDE_COLOURS[side]
        canvas.icon(board.square_at(space, 2 / math.sqrt(3) * 0.97), "hexagon", colour)
    if position.last is not None:
        _draw_arrow(canvas, board, position.last, MUTED, 0.12)


def _draw_pieces(canvas: Canvas, board: BoardGeometry, position: BoardPosition) -> None:
    for space, piece in position.pieces.items():
        draw_piece(canvas, board.square_at(space, PIECE_WIDTH), piece)


def _draw_destinations(canvas: Canvas, board: BoardGeometry, page: BoardPage) -> None:
    """Mark everywhere the selected piece may go: a dot on an empty space, a ring around what it would hit, and a
    warning where that costs its own side something."""
    for move in page.selected_moves:
        space = move.landing_spaces[-1]
        if move.spread:
            continue
        warns = bool(move_costs(page.position, move)[0])
        if space not in page.position.pieces:
            canvas.icon(board.square_at(space, 0.34), "circle", ACCENT)
        else:
            draw_ring_mark(canvas, board.square_at(space, 0.98), FOUL if warns else ACCENT)
        if warns:
            rect = board.square_at(space, 0.44)
            draw_warning(canvas, rect.move(rect.w * 2 // 3, -rect.h * 2 // 3))


def _draw_proposed_move(canvas: Canvas, board: BoardGeometry, position: BoardPosition, move: BoardMove) -> None:
    own, _ = move_costs(position, move)
    colour = FOUL if own else ACCENT
    _draw_arrow(canvas, board, move, colour, 0.2 if move.spread is None else 0.12, 0.15)
    for space in move.landing_spaces:
        draw_ring_mark(canvas, board.square_at(space, 1.0), colour)


def draw_ring_mark(canvas: Canvas, box: Rect, colour: Colour) -> None:
    """Draw a ring in ``box``."""
    line = ring_icon(box.w / 2, max(2.0, box.w * 0.085), colour)
    canvas.surface.blit(line, line.get_rect(center=box.center))


def draw_warning(canvas: Canvas, box: Rect) -> None:
    """Draw a triangle with an exclamation mark, with a dark rim."""
    rim = max(1, box.w // 8)
    canvas.icon(box.inflate(2 * rim, 2 * rim), "triangle", PANEL)
    canvas.icon(box, "doubt", FOUL)


def _draw_arrow(
    canvas: Canvas, board: BoardGeometry, move: BoardMove, colour: Colour, thickness: float, clear: float = 0.0
) -> None:
    """Draw an arrow from the middle of a move's origin, or ``clear`` of it, to just before the middle of its
    destination; ``thickness`` is its width. Both are in widths of a space."""
    (ax, ay), (bx, by) = board.centre(move.origin), board.centre(move.landing_spaces[-1])
    length, half = math.dist((ax, ay), (bx, by)), thickness * board.space_width / 2
    start, end = clear * board.space_width, length - 0.36 * board.space_width
    draw_arrow(canvas, ((ax, ay), (bx, by)), (start, end), half, 2.4, colour)
