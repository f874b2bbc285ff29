"""Painter of the end of a match."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pygame import Rect

from messages import N
from rules.engine import Seat
from ui.charts.proof_code import proof_text
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import AtLeast, Column, Either, Form, HandRow, Row
from ui.screen.drawing.nodes import GAP, TOUCH, Button, Drawing, QrCode, Text
from ui.screen.drawing.theme import ACCENT, MUTED, SEAT_MARKS
from ui.screen.drawing.widgets import draw_timer
from ui.screen.pages import classroom_picture
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.common import DISPUTE_ANSWER, UNDO_ANSWER, Player
from ui.screen.pages.match_widgets import MAX_NAMED_PLAYERS
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
    many = len(view.players) > MAX_NAMED_PLAYERS  # their points need the room
    crown = Drawing(partial(_draw_crown, view=view))
    sentence = Text(view.sentence, 10, lines=5, role="shared", fits=True)
    height = 17 if many else 22
    code = None
    if view.proof_code:
        label = t("Proof code {code}", code=view.proof_code)
        code = QrCode(proof_text(view.match_number, view.proof_code), replace(view, shows_code=True), label)
    timer = None if view.seconds_left is None else Drawing(partial(_draw_timer, view=view), length=12)
    in_portrait = Column(Row(crown, code and replace(code, length=height), length=height), AtLeast(sentence, 13))
    in_landscape = AtLeast(Row(replace(crown, length=16), sentence, code and replace(code, length=22), timer), 22)
    others = [(dispute_page.DISPUTE, DISPUTE_ANSWER)] if view.can_dispute else []
    others += [(labels.UNDO, UNDO_ANSWER)] if view.can_undo else []
    others += [(AWARDS, AWARDS_ANSWER)] if view.has_awards else []
    more = [Button(label, Reply(answer), size="body", share=(3, 4)) for label, answer in others]
    steps, foot = _next_steps(view), (1.1 if many else 1.5) * TOUCH
    in_two_rows = Column(HandRow(*more, length=TOUCH), HandRow(*steps))
    Form(
        "",
        Either(in_landscape, in_portrait),
        Drawing(partial(_draw_places, view=view)),
        None if timer is None else replace(timer, length=(0, TOUCH)),
        foot=Either(HandRow(*more, *steps), in_two_rows if len(more) > 1 else HandRow(*more, *steps)),
        foot_length=(foot, foot + (TOUCH + GAP if len(more) > 1 else 0)),
    ).draw(canvas, canvas.page)


def _draw_timer(canvas: Canvas, box: Rect, view: MatchResult) -> None:
    side = min(box.size)
    draw_timer(canvas, layout.centre(box, side, side), view)


def _draw_places(canvas: Canvas, box: Rect, view: MatchResult) -> None:
    """Draw the facts of the table, and everybody in the order of their places."""
    facts = result_facts(view.result)
    players = [replace(player, facts=facts.of_seat(player.seat)) for player in view.players]
    places = rank_players(players, view.result.winners)
    players.sort(key=lambda player: places[player.seat])
    draw_scoreboard(canvas, draw_table_facts(canvas, box, facts.table), players, view.result.winners, places)


def _next_steps(view: MatchResult) -> list[Button]:
    """Return the buttons that lead on, the main one last."""
    if view.tournament:
        return [Button(N("To the tournament"), Reply(ToTournament(view.tournament)), main=True, share=8)]
    if view.in_hall:
        return [Button(labels.DONE, Reply("home"), main=True, share=8)]
    home = Button(labels.OTHER_GAMES, Reply("home"), share=4)
    return [home, Button(labels.PLAY_AGAIN, Reply("again"), main=True, share=4)]


def _draw_code_page(canvas: Canvas, view: MatchResult) -> None:
    """Draw the QR code of the proof code as large as the page, the code in letters, and a button that leads back."""
    canvas.ignore_fields("shown_s", "seconds_left")
    Form(
        "",
        QrCode(proof_text(view.match_number, view.proof_code)),
        Text(t("Proof code {code}", code=view.proof_code), "small", MUTED, lines=1, fits=True),
        foot=(Button(labels.DONE, replace(view, shows_code=False), "back", size="body"),),
        foot_length=TOUCH,
        gap=0,
    ).draw(canvas, canvas.page)


def rank_players(players: Sequence[Player], winners: Sequence[Seat]) -> dict[Seat, int]:
    """Return everybody's place: winners first, then by points; players on the same points share a place."""
    standing = {player.seat: (player.seat in winners, player.score or 0) for player in players}
    return {seat: 1 + sum(better > own for better in standing.values()) for seat, own in standing.items()}


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
