"""Painter of the end of a match."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pygame import Rect

from messages import N
from ui.charts.proof_code import proof_text
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import AtLeast, Column, Either, Flip, Form, HandRow, Row
from ui.screen.drawing.nodes import GAP, TOUCH, Button, Drawing, Node, QrCode, Text
from ui.screen.drawing.theme import ACCENT, MUTED, SEAT_MARKS
from ui.screen.drawing.widgets import draw_timer
from ui.screen.pages import classroom_picture, slow_motion_picture
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.common import DISPUTE_ANSWER, TAKE_HOME_ANSWER, UNDO_ANSWER, Player, players_by_place, rank_players
from ui.screen.pages.guests import draw_guessers
from ui.screen.pages.match_widgets import MAX_NAMED_PLAYERS, proof_code
from ui.screen.pages.podium import STEPS, draw_lower_places, draw_podium, podium_is_shown
from ui.screen.pages.result import AWARDS_ANSWER, MatchResult
from ui.screen.pages.scoreboard import result_facts
from ui.screen.pages.scoreboard_picture import NO_PLACES, draw_scoreboard, draw_table_facts
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.pages.tournament import ToTournament
from ui.screen.views import Reply
from ui.text import labels

AWARDS = N("Awards")
TAKE_CLIP_HOME = N("Take the clip home")
CODE_HELP = N("Take a picture of this: it proves later that nothing in this match was changed.")
CROWN_RISE_S = 0.5
"""The time the winner's crown takes to rise."""
LOWER_PLACES_HEIGHT, LOWER_PLACE_HEIGHT = 17, 7
"""How high the row of the places below the podium is in landscape, and each of them in portrait, in units."""


@paints(MatchResult)
def draw_result(canvas: Canvas, view: MatchResult) -> None:
    """Draw the winner, how they won it, everybody in the order of their places, and the buttons."""
    if view.shows_code:
        _draw_code_page(canvas, view)
        return
    if len(view.players) > len(SEAT_MARKS):
        classroom_picture.draw_result(canvas, view, rank_players(view.players, view.result.winners))
        return
    many = len(view.players) > MAX_NAMED_PLAYERS  # their points need the room
    places = rank_players(view.players, view.result.winners)
    has_podium = podium_is_shown(view.players, places)
    crown = Drawing(partial(_draw_crown, view=view))
    sentence = Text(view.sentence, 10, lines=5, role="shared", fits=True)
    height = 17 if many else 22
    code = proof_code(view, (22, height))
    timer = None if view.seconds_left is None else Drawing(partial(_draw_timer, view=view), length=12)
    in_portrait = Column(Row(crown, code, length=height), AtLeast(sentence, 13))
    in_landscape = AtLeast(Row(replace(crown, length=16), sentence, code, timer), 22)
    moment = Drawing(partial(_draw_moment, view=view), share=(9, 2)) if view.deciding else None
    everybody = Drawing(partial(_draw_places, view=view, players=view.players), share=(7, 3))
    if has_podium:  # nobody is named twice
        lower = [player for player in view.players if places[player.seat] > len(STEPS)]
        length = (LOWER_PLACES_HEIGHT, LOWER_PLACE_HEIGHT * len(lower))
        below = Drawing(partial(draw_lower_places, players=lower, places=places), length=length) if lower else None
        body: Node = Column(Drawing(partial(_draw_moment, view=view)), below, gap=1)
    else:
        body = Flip(None if many else moment, everybody)
    Form(
        "",
        Either(in_landscape, in_portrait),
        body,
        None if timer is None else replace(timer, length=(0, TOUCH)),
        foot=_buttons(view) if canvas.interactive else (),
        foot_length=_foot_length(view),
    ).draw(canvas, draw_guessers(canvas, canvas.page, view.guessers))


def _buttons(view: MatchResult) -> Node:
    """Return the buttons: first those that stay at this match, then those that lead on, the main one last."""
    further, steps = _further_buttons(view), _next_steps(view)

    def lay_out(rows: int) -> Node:
        if not rows:
            return HandRow(*further, *steps)
        across = -(-len(further) // rows)
        parts = [further[first : first + across] for first in range(0, len(further), across)]
        return Column(*(HandRow(*part, length=TOUCH) for part in parts), HandRow(*steps))

    return Either(*map(lay_out, _further_rows(view)))


def _foot_length(view: MatchResult) -> tuple[float, float]:
    """Return how high the buttons are, in landscape and in portrait."""
    height = (1.1 if len(view.players) > MAX_NAMED_PLAYERS else 1.5) * TOUCH
    landscape, portrait = _further_rows(view)
    return height + landscape * (TOUCH + GAP), height + portrait * (TOUCH + GAP)


def _further_rows(view: MatchResult) -> tuple[int, int]:
    """Return how many rows the buttons that stay at this match have, in landscape and in portrait; 0: they are in the
    row of those that lead on."""
    count = len(_further_buttons(view))
    return int(count > 3), -(-count // 3) if count > 1 else 0


def _further_buttons(view: MatchResult) -> list[Button]:
    """Return the buttons that stay at this match."""
    offers = (
        (view.can_take_home, TAKE_CLIP_HOME, TAKE_HOME_ANSWER),
        (view.can_dispute, dispute_page.DISPUTE, DISPUTE_ANSWER),
        (view.can_undo, labels.UNDO, UNDO_ANSWER),
        (view.has_awards, AWARDS, AWARDS_ANSWER),
    )
    return [
        Button(label, Reply(answer), size="body", share=(3, 4)) for is_offered, label, answer in offers if is_offered
    ]


def _draw_moment(canvas: Canvas, box: Rect, view: MatchResult) -> None:
    """Draw the hands of the round that decided the match, of more than two players on a podium."""
    motion = view.deciding
    if len(view.players) > 2:
        places = rank_players(view.players, view.result.winners)
        players = players_by_place(view.players, view.result.winners)
        draw_podium(canvas, box, players, places, draw_hand=None if motion is None else partial(_draw_hand, motion))
        return
    assert motion is not None  # or there is nothing to show of two players
    cells = layout.columns(box, [1] * len(motion.seats), canvas.theme.gap)
    for cell, seat, player in zip(cells, motion.seats, motion.players, strict=True):
        slow_motion_picture.draw_hand(canvas, cell, seat, player, partial(_motion, canvas))


def _draw_hand(motion: SlowMotion, canvas: Canvas, rect: Rect, player: Player) -> None:
    """Draw the hand of a player, or a sign that they didn't throw."""
    if player.seat not in {seat.seat for seat in motion.seats}:
        side = canvas.theme.units(9)
        canvas.icon(layout.split_bottom(rect, min(rect.h, side), 0)[1], "nothing", MUTED)
        return

    def draw(canvas: Canvas, page: MatchResult) -> None:
        current = _motion(canvas, page)
        canvas.image(rect, current.hand_image(player.seat, current.frame))

    canvas.add_moving_part(rect, ("frame",), draw)


def _motion(canvas: Canvas, page: MatchResult) -> SlowMotion:
    """Return the deciding round as it is shown now: at its end where motion is reduced."""
    assert page.deciding is not None
    return page.deciding.as_part() if canvas.theme.reduced_motion else page.deciding


def _draw_timer(canvas: Canvas, box: Rect, view: MatchResult) -> None:
    side = min(box.size)
    draw_timer(canvas, layout.centre(box, side, side), view)


def _draw_places(canvas: Canvas, box: Rect, view: MatchResult, players: Sequence[Player]) -> None:
    """Draw the facts of the table, and ``players`` in the order of their places."""
    facts, places = result_facts(view.result), rank_players(view.players, view.result.winners)
    ranked = players_by_place(players, view.result.winners)
    shown = [replace(player, facts=facts.of_seat(player.seat)) for player in ranked]
    draw_scoreboard(
        canvas,
        draw_table_facts(canvas, box, facts.table),
        shown,
        view.result.winners,
        places if all(player.stars is None for player in players) else NO_PLACES,
        drops_facts=True,
    )


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
        Text(CODE_HELP, fits=True),
        Text(t("Proof code {code}", code=view.proof_code), "small", MUTED, lines=1, fits=True),
        foot=(Button(labels.DONE, replace(view, shows_code=False), "back", size="body"),),
        foot_length=TOUCH,
        gap=0,
    ).draw(canvas, canvas.page)


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
