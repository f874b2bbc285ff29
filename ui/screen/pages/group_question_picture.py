"""Painter of a question that several seats answer together: the question, a panel for each seat, the time left, and who
has yet to answer. Of a private answer it draws only whether it is in."""

from functools import partial

from pygame import Rect

from messages import N
from rules.engine import Seat, Value
from rules.engine.scoreboard import FactForm
from rules.throws import Throw
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import Column, Either, Grid, Row, hint
from ui.screen.drawing.nodes import TOUCH, Button, Drawing, Node, Text, note
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, RAISED, TEXT, Colour, TextRole
from ui.screen.drawing.widgets import draw_pause_button
from ui.screen.pages import group_question as group_question_page
from ui.screen.pages import question as question_page
from ui.screen.pages.board_picture import draw_watched_board
from ui.screen.pages.board_position import BoardPosition, position_from_facts
from ui.screen.pages.common import Player, player_title
from ui.screen.pages.draft_buttons import button_help
from ui.screen.pages.fact_words import fact_label
from ui.screen.pages.group_question import GroupQuestionPage
from ui.screen.pages.match_widgets import cell_role, claims_strip, draw_clock, draw_score, score_width
from ui.screen.pages.pause import GO_ON
from ui.screen.pages.question import BoardPage
from ui.screen.views import Reply
from ui.text import game_words

STATE_ICONS = {"asked": "aim", "on phone": "phone", "entering": "pencil", "in": "good", "out of time": "clock"}
"""The icon next to each state's word."""


@paints(GroupQuestionPage)
def draw_group_question(canvas: Canvas, page: GroupQuestionPage) -> None:
    """Draw everybody's page."""
    theme = canvas.theme
    canvas.ignore_fields("left_s", "shown_s")
    position = position_from_facts(page.view.prompt.about)
    if position is not None and all(page.seat_state(seat) == "on phone" for seat in page.waiting):
        _draw_watched_board(canvas, page, position)
        return
    question_width = canvas.page.w - theme.touch_size - theme.gap - theme.units(20) * (page.clock_s is not None)
    height = canvas.text_height(question_page.question_text(page.view.prompt), question_width, "shared")
    height += _about_height(canvas, page, question_width)
    top, body = layout.split_top(canvas.page, max(theme.units(16), height), theme.gap)
    _draw_question(canvas, top, page)
    seats, players = sorted(page.view.prompt.seats), {player.seat: player for player in page.view.players}
    panels = [
        Drawing(partial(_draw_seat, page=page, player=players.get(seat, Player(seat, game_words.seat_label(seat)))))
        for seat in seats
    ]
    count = len(seats)
    across = (count if count <= 4 else -(-count // 2), 1 if count <= 3 else 2)
    foot = _footer(page, seat_buttons=theme.seat_buttons)
    if page.view.prompt.is_optional:
        foot = Button(GO_ON, page.timeout_reply(), "forward", main=True, length=1.4 * TOUCH)
    Column(
        hint(page.view.hint) if page.view.hint else None,
        claims_strip(canvas, page.view.players, question_page.public_throws(page.view.prompt)),
        Grid(panels, across),
        foot,
    ).draw(canvas, body)


def _draw_watched_board(canvas: Canvas, page: GroupQuestionPage, position: BoardPosition) -> None:
    """Draw the board, the time left, whom the box waits for, and buttons to answer here instead of on a phone."""
    theme, prompt = canvas.theme, page.view.prompt
    panel = draw_watched_board(canvas, position, page.view.players)
    if page.clock_s is not None:
        clock, panel = layout.split_top(panel, theme.units(16), theme.gap)
        draw_clock(canvas, clock, prompt.seconds or page.view.seconds or 0.0)
    Column(
        Text(group_question_page.waiting_text(page), "title", align="left", fits=True),
        *(
            Button(
                group_question_page.state_label(page, seat), page.open_seat(seat), STATE_ICONS["on phone"], length=TOUCH
            )
            for seat in page.waiting
        ),
    ).draw(canvas, panel)


def _about_height(canvas: Canvas, page: GroupQuestionPage, width: int) -> int:
    """Return the height of the question's context, if it has any."""
    about = question_page.about_text(page.view.prompt)
    return canvas.text_height(about, width, max_lines=2) if about else 0


def _draw_question(canvas: Canvas, box: Rect, page: GroupQuestionPage) -> None:
    """Draw the question, its context and the time left."""
    theme = canvas.theme
    prompt = page.view.prompt
    box = draw_pause_button(canvas, box)
    if page.clock_s is not None:
        box, clock = layout.split_right(box, theme.units(16), theme.gap * 2)
        draw_clock(canvas, clock, prompt.seconds or page.view.seconds or 0.0)
    about = question_page.about_text(prompt)
    if about:
        line, box = layout.split_top(box, _about_height(canvas, page, box.w), 0)
        canvas.text(line, about, theme.body, MUTED, align="left", max_lines=2)
    canvas.text(box, question_page.question_text(prompt), theme.units(8.5), align="left", max_lines=4, role="shared")


def _footer(page: GroupQuestionPage, *, seat_buttons: bool) -> Node:
    """Return who has yet to answer, large, and the rules of time, buttons and answers."""
    rules = (
        group_question_page.time_rule(page),
        button_help(page.view) if seat_buttons else "",
        group_question_page.answer_rules(page, seat_lights=seat_buttons),
    )
    waiting: Node = Text(group_question_page.waiting_text(page), "small", align="left", role="shared", fits=True)
    together = [
        Button(N("All: {answer}", answer=question_page.answer_text(page.view.prompt, value)), Reply(value))
        for value in page.answers_of_all
    ]
    if together:
        buttons = Row(*together, share=1.5, length=(None, TOUCH))
        waiting = Either(Row(waiting, buttons, length=TOUCH), Column(buttons, waiting))
    return Column(waiting, *(note(rule) for rule in rules if rule), gap=0)


def _draw_seat(canvas: Canvas, cell: Rect, page: GroupQuestionPage, player: Player) -> None:
    """Draw one seat: its player, its draft or answer if that is open, and its state."""
    theme = canvas.theme
    state = page.seat_state(player.seat)
    waiting = player.seat in page.waiting
    edge = theme.units(0.8 if waiting else 0.3)
    canvas.panel(cell, RAISED if waiting else PANEL, edge=ACCENT if waiting else LINE, width=edge)
    if waiting:
        canvas.add_target(cell, page.open_seat(player.seat), player.name)
    role = cell_role(len(page.view.prompt.seats))
    inner = layout.inset(cell, theme.units(1.4), theme.units(0.8))
    name, inner = layout.split_top(inner, theme.units(7 if role == "shared" else 5), theme.units(0.5))
    shape, name = layout.split_left(name, min(name.h, theme.title), theme.units(1.2))
    canvas.seat_mark(shape, player.seat)
    canvas.text(name, player_title(player), theme.title, align="left")
    state_text = group_question_page.state_label(page, player.seat)
    value = None if page.view.prompt.is_private else _visible_value(page, player.seat)
    state_icon = STATE_ICONS[state] if value is not None and state != "asked" else None
    size, high = max(theme.body, theme.min_text_size(role)), 2 * line_height(theme.small)
    points_width = score_width(canvas, player, size, inner.w // 2, high)
    beside = (points_width + theme.gap if points_width else 0) + (theme.units(6.2) if state_icon else 0)
    if role == "personal" and canvas.text_height(state_text, inner.w - beside) < high:
        high = line_height(theme.body)
    inner, line = layout.split_bottom(inner, high, theme.units(0.5))
    lack = page.live.notes.get(player.seat) if waiting else None
    if lack is not None:  # what the camera lacks; there is no draft
        canvas.text(inner.union(line), lack, theme.title, max_lines=4)
        return
    if points_width:
        line, points = layout.split_right(line, points_width, theme.gap)
        draw_score(canvas, points, player, size, MUTED, align="right", role=role)
    absent = next((fact for fact in player.facts if fact.shown.form is FactForm.ABSENCE), None)
    if value is not None:
        _draw_value(canvas, inner, page, value, TEXT if not waiting else MUTED, role)
    elif absent is not None:
        canvas.text(inner, fact_label(absent), theme.title, MUTED, max_lines=2)
    else:
        side = min(inner.h, theme.units(14))
        canvas.icon(layout.centre(inner, side, side), STATE_ICONS[state], MUTED if waiting else TEXT)
    if state_icon:
        icon_box, line = layout.split_left(line, theme.units(5), theme.units(1.2))
        canvas.icon(icon_box, state_icon, MUTED if waiting else TEXT)
    canvas.text(line, state_text, theme.body, align="left", max_lines=2)


def _visible_value(page: GroupQuestionPage, seat: Seat) -> Value:
    """Return a seat's answer, or its draft so far."""
    if seat in page.answers:
        return page.answers[seat]
    draft = page.drafts[seat]
    if isinstance(draft, BoardPage):
        return draft.proposed
    return draft.value


def _draw_value(
    canvas: Canvas, box: Rect, page: GroupQuestionPage, value: Value, colour: Colour, role: TextRole
) -> None:
    text = question_page.answer_text(page.view.prompt, value)
    if value in list(Throw):
        icon_box, box = layout.rows(box, [3, 2], 0)
        canvas.icon(icon_box, str(value), colour)
    canvas.text(box, text, canvas.theme.big, colour, max_lines=2, role=role)
