"""Painter of a game's message."""

from dataclasses import replace

from messages import join
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.drawing.widgets import draw_header, draw_match_title, draw_pause_button, draw_timer
from ui.screen.pages import board_picture, classroom_picture
from ui.screen.pages.board_position import position_from_facts
from ui.screen.pages.common import players_by_place
from ui.screen.pages.guests import draw_guessers
from ui.screen.pages.match_widgets import draw_dispute_button, draw_undo_buttons
from ui.screen.pages.message import GameMessage
from ui.screen.pages.scoreboard import event_facts, merge_facts
from ui.screen.pages.scoreboard_picture import draw_scoreboard, draw_table_facts
from ui.text import game_words


def message_title(view: GameMessage) -> str:
    """What the page is about: the event, or the scores after it."""
    return game_words.kind_heading("score" if view.already_revealed else view.event.kind, view.event.text)


@paints(GameMessage)
def draw_message(canvas: Canvas, view: GameMessage) -> None:
    """Draw the event's sentences above the scoreboard, or next to the board if they are about a position."""
    position = position_from_facts(view.event.values)
    if position is not None:
        board_picture.draw_message(canvas, view, position)
        return
    if len(view.players) > len(SEAT_MARKS):
        classroom_picture.draw_message(canvas, view)
        return
    theme = canvas.theme
    title = message_title(view)
    if view.seconds_left is None:
        body = draw_header(canvas, draw_guessers(canvas, canvas.page, view.guessers), title)
    else:
        bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
        bar = draw_pause_button(canvas, bar)
        if view.can_undo:
            bar, body = draw_undo_buttons(canvas, bar, body)
        bar = draw_dispute_button(canvas, bar) if view.can_dispute else bar
        draw_match_title(canvas, draw_timer(canvas, bar, view), title)
    canvas.ignore_fields("shown_s")
    new_facts = event_facts(view.event)
    players = [
        replace(player, facts=merge_facts(player.facts, new_facts.of_seat(player.seat)))
        for player in players_by_place(view.players)
    ]
    table_facts = merge_facts(view.facts, new_facts.table)
    if view.already_revealed:
        draw_scoreboard(canvas, draw_table_facts(canvas, body, table_facts), players)
        return
    lines = view.sentences or (game_words.event_heading(view.event),)
    text = join(lines, "\n")
    height = canvas.text_height(text, body.w, "shared")
    if height <= (body.h - 2 * line_height(theme.shared)) * 3 // 5:  # or else the sentences need their room
        body = draw_table_facts(canvas, body, table_facts)
    if not any(player.facts for player in players):
        height = max(height, body.h * 2 // 5)
    upper, lower = layout.split_top(body, min(height, body.h * 3 // 4), theme.gap)
    size = theme.big if len(lines) == 1 else theme.shared
    canvas.text(upper, text, size, max_lines=12, role="shared")
    draw_scoreboard(canvas, lower, players, drops_facts=True)
