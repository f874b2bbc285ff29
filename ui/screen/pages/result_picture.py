"""Painter of the end of a match."""

import math
from collections.abc import Sequence
from dataclasses import replace

from pygame import Rect

from messages import N
from rules.engine import Seat
from ui.charts.proof_code import proof_text, qr_modules
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED, SEAT_MARKS
from ui.screen.drawing.widgets import draw_modules, draw_timer, hand_row
from ui.screen.pages import classroom_picture
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.common import DISPUTE_ANSWER, UNDO_ANSWER, Player
from ui.screen.pages.match_widgets import MAX_NAMED_PLAYERS, draw_proof_code, draw_proof_qr_code
from ui.screen.pages.result import AWARDS_ANSWER, MatchResult
from ui.screen.pages.scoreboard import result_facts
from ui.screen.pages.scoreboard_picture import draw_scoreboard, draw_table_facts
from ui.screen.pages.tournament import ToTournament
from ui.screen.views import Reply
from ui.text import labels

AWARDS = N("Awards")
CROWN_RISE_S = 0.5
"""The time the winner's crown takes to rise."""


@paints(MatchResult)
def draw_result(canvas: Canvas, view: MatchResult) -> None:
    """Draw the winner, everybody in the order of their places, and the buttons."""
    if view.shows_code:
        _draw_code_page(canvas, view)
        return
    if len(view.players) > len(SEAT_MARKS):
        classroom_picture.draw_result(canvas, view, rank_players(view.players, view.result.winners))
        return
    theme = canvas.theme
    many = len(view.players) > MAX_NAMED_PLAYERS  # their points need the room
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * (1.1 if many else 1.5)), theme.gap)
    others = [(dispute_page.DISPUTE, DISPUTE_ANSWER)] if view.can_dispute else []
    others += [(labels.UNDO, UNDO_ANSWER)] if view.can_undo else []
    others += [(AWARDS, AWARDS_ANSWER)] if view.has_awards else []
    weights = [4 if theme.portrait else 3] * len(others)
    if theme.portrait and len(others) > 1:
        body, row = layout.split_bottom(body, theme.touch_size, theme.gap)
        cells, (home, again) = hand_row(canvas, row, weights, theme.gap), hand_row(canvas, foot, [1, 1], theme.gap)
    else:
        *cells, home, again = hand_row(canvas, foot, [*weights, 4, 4], theme.gap)
    if view.is_played_once:
        again = home.union(again)
    header = sign_height = theme.units(17 if many and theme.portrait else 22)
    if theme.portrait:
        header += theme.gap + max(theme.units(13), canvas.text_height(view.sentence, body.w, "shared"))
    top, body = layout.split_top(body, header, theme.gap)
    if theme.portrait:
        icon_box, sentence_box = layout.split_top(top, sign_height, theme.gap)
        icon_box = draw_proof_qr_code(canvas, icon_box, view)
    else:
        top = draw_proof_qr_code(canvas, draw_timer(canvas, top, view), view)
        icon_box, sentence_box = layout.split_left(top, theme.units(16), theme.gap)
        more = max(0, canvas.text_height(view.sentence, sentence_box.w, "shared") - sentence_box.h)
        sentence_box.height += more
        body = layout.split_top(body, more, 0)[1]
    _draw_crown(canvas, icon_box, view)
    canvas.text(sentence_box, view.sentence, theme.units(10), max_lines=5, role="shared")
    facts = result_facts(view.result)
    body = draw_table_facts(canvas, body, facts.table)
    if theme.portrait:
        body, clock = layout.split_bottom(body, theme.touch_size if view.seconds_left is not None else 0, theme.gap)
        draw_timer(canvas, layout.centre(clock, clock.h, clock.h), view)
    players = [replace(player, facts=facts.of_seat(player.seat)) for player in view.players]
    places = rank_players(players, view.result.winners)
    players.sort(key=lambda player: places[player.seat])
    draw_scoreboard(canvas, body, players, view.result.winners, places)
    _draw_next_step(canvas, view, home, again)
    for cell, (label, answer) in zip(cells, others, strict=True):
        canvas.button(cell, label, Reply(answer), size=theme.body)


def _draw_next_step(canvas: Canvas, view: MatchResult, home: Rect, again: Rect) -> None:
    size = canvas.theme.title
    if view.tournament:
        canvas.button(again, N("To the tournament"), Reply(ToTournament(view.tournament)), main=True, size=size)
    elif view.in_hall:
        canvas.button(again, labels.DONE, Reply("home"), main=True, size=size)
    else:
        canvas.button(again, labels.PLAY_AGAIN, Reply("again"), main=True, size=size)
        canvas.button(home, labels.OTHER_GAMES, Reply("home"), size=size)


def _draw_code_page(canvas: Canvas, view: MatchResult) -> None:
    """Draw the QR code of the proof code as large as the page, the code in letters, and a button that leads back."""
    theme = canvas.theme
    body, foot = layout.split_bottom(canvas.page, theme.touch_size, theme.gap)
    back = hand_row(canvas, foot, [1], theme.gap)[0]
    body = draw_proof_code(canvas, body, view.proof_code)
    draw_modules(canvas, body, qr_modules(proof_text(view.match_number, view.proof_code)))
    canvas.ignore_fields("shown_s", "seconds_left")
    canvas.button(back, labels.DONE, replace(view, shows_code=False), icon="back")


def rank_players(players: Sequence[Player], winners: Sequence[Seat]) -> dict[Seat, int]:
    """Return everybody's place: winners first, then by points; players on the same points share a place."""
    standing = {player.seat: (player.seat in winners, player.score or 0) for player in players}
    return {seat: 1 + sum(other > own for other in standing.values()) for seat, own in standing.items()}


def _draw_crown(canvas: Canvas, box: Rect, view: MatchResult) -> None:
    """Draw the winner's crown, which grows to its size with a slight overshoot; or a sign that nobody won."""
    name, colour = ("crown", ACCENT) if view.result.winners else ("nothing", MUTED)
    side = min(box.size)

    def draw(canvas: Canvas, current: MatchResult) -> None:
        passed = canvas.theme.animation_share(current.shown_s, CROWN_RISE_S)
        crown_side = round(side * (0.88 * (1 - (1 - passed) ** 3) + 0.3 * passed * math.sin(math.pi * passed)))
        if crown_side > 2:
            canvas.icon(layout.centre(box, crown_side, crown_side), name, colour)

    canvas.add_moving_part(box, ("shown_s",), draw)
