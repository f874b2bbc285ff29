"""Painters of a class, to be read from the back of the room: the roll call, everybody's throw, and the result of a
round or a match, with a cell for each player in the order of their numbers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pygame import Rect

from rules.engine import Seat
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.text import fit_text, line_height
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.widgets import draw_header, hand_row, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.classroom import strings
from ui.screen.pages.classroom.view import (
    GO_ON_ANSWER,
    HOME_ANSWER,
    LOSS,
    SHOUT_ANSWER,
    TIE,
    WIN,
    PlayerStanding,
    RollCall,
    ThrowCount,
    count_throws,
    player_standing,
)
from ui.screen.pages.common import game_words
from ui.screen.pages.common.view import Player
from ui.screen.pages.dispute.view import DisputedRound
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.result import strings as result_strings
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.scoreboard.view import event_facts, merge_facts

OUTCOME_ICONS: Mapping[str | None, tuple[str, Colour]] = {
    WIN: ("crown", ACCENT),
    TIE: ("level", MUTED),
    LOSS: ("minus", MUTED),
}
"""The icon of each outcome, and its colour."""

MIN_SHOWN_STREAK = 3
"""The shortest streak, won or lost, that is shown next to the score: it earns a bonus."""
INLINE_ASPECT_RATIO = 2.4
"""A cell at least this many times as wide as high has its figure next to its number."""


@dataclass(frozen=True)
class GridCell:
    """One player's cell in the grid: number and name, up to two icons with their colours, a figure. A ``strong`` cell
    has an edge, a ``flat`` one no background."""

    seat: Seat
    name: str
    icons: tuple[tuple[str, Colour], ...] = ()
    figure: str = ""
    strong: bool = False
    flat: bool = False


def draw_roll_call(canvas: Canvas, view: RollCall) -> None:
    """Draw everybody's number, ticked off once their card was seen, the number of cards seen, and the missing players'
    names."""
    theme = canvas.theme
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 1.4), theme.gap)
    count = strings.seen_text(view)
    line, body = layout.split_top(body, theme.units(11), theme.gap)
    width = canvas.text_width(count, theme.big, line.w * 3 // 5, line.h)
    rest, spot = layout.split_right(line, width, theme.gap)
    canvas.text(spot, count, theme.big, ACCENT if not view.missing else TEXT, align="right")
    instruction = view.rethrow_reason or strings.HOLD_CARD_UP
    canvas.text(rest, instruction, theme.body, FOUL if view.rethrow_reason else MUTED, align="left", max_lines=3)
    body, below = layout.split_bottom(body, theme.units(11 if not theme.portrait else 16), theme.gap)
    cells = [
        GridCell(
            seat,
            name,
            (("good", TEXT),) if seat in view.attendance.seen else (("eye", MUTED),),
            strong=seat not in view.attendance.seen,
            flat=seat not in view.attendance.seen,
        )
        for seat, name in enumerate(view.players, 1)
    ]
    draw_grid(canvas, body, cells)
    problems = strings.problems_text(view)
    if problems:
        below, spot = layout.split_bottom(below, below.h // 3, theme.units(0.5))
        canvas.text(spot, problems, theme.body, FOUL, align="left", min_size=theme.units(2.4))
    canvas.text(
        below, strings.missing_text(view), theme.title, MUTED if view.missing else ACCENT, align="left", max_lines=3,
        min_size=theme.units(2.4),
    )  # fmt: skip
    leave, shout = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(leave, strings.LEAVE, Reply(HOME_ANSWER), icon="back")
    canvas.button(shout, strings.ALL_READY, Reply(SHOUT_ANSWER), main=True, size=theme.title, icon="burst")


def draw_reveal(canvas: Canvas, view: Reveal) -> None:
    """Draw everybody's throw, or a sign of doubt where there is none."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, theme.units(13 if not theme.portrait else 20), theme.gap)
    canvas.text(
        _draw_go_on_button(canvas, bar, view.seconds_left),
        strings.thrown_text(view),
        theme.title,
        max_lines=4,
        min_size=theme.units(2.2),
    )
    canvas.ignore_fields("shown_s", "seconds_left")
    cells = [
        GridCell(
            seat.player.seat,
            seat.player.name,
            ((str(seat.throw), TEXT) if seat.throw else ("doubt", FOUL), *_outcome_icon(seat.outcome)),
            strong=seat.throw is None,
            flat=seat.throw is None,
        )
        for seat in view.seats
    ]
    draw_grid(canvas, body, cells)


def draw_past_throws(canvas: Canvas, box: Rect, view: DisputedRound) -> None:
    """Draw everybody's throw in a past round."""
    cells = []
    for seat in view.seats:
        is_read = isinstance(seat.reading, str)
        icon = (str(seat.reading), TEXT) if is_read else ("doubt", FOUL)
        cells.append(GridCell(seat.player.seat, seat.player.name, (icon,), strong=not is_read, flat=not is_read))
    draw_grid(canvas, box, cells)


def draw_message(canvas: Canvas, view: GameMessage) -> None:
    """Draw an event's title and everybody's standing; of a round also the counts of each throw."""
    theme = canvas.theme
    canvas.ignore_fields("shown_s", "seconds_left")
    new_facts = event_facts(view.event)
    facts = merge_facts(view.facts, new_facts.table)
    standings = [player_standing(merge_facts(player.facts, new_facts.of_seat(player.seat))) for player in view.players]
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    title = (
        strings.round_title(view.event.facts["round"])
        if view.event.kind == "round"
        else game_words.event_heading(view.event)
    )
    draw_header(canvas, _draw_go_on_button(canvas, bar, view.seconds_left), title)
    lines = count_throws(standings, facts)
    if lines:
        if theme.portrait:
            table, body = layout.split_top(body, theme.units(36), theme.gap)
        else:
            table, body = layout.split_left(body, round(body.w * 0.31), theme.gap)
        draw_throw_counts(canvas, table, lines)
    elif (text := _first_short_sentence(view)) is not None:
        spot, body = layout.split_top(body, theme.units(12), theme.gap)
        canvas.text(spot, text, theme.title, max_lines=2, min_size=theme.units(2.4))
    draw_grid(
        canvas,
        body,
        [_standing_cell(player, standing) for player, standing in zip(view.players, standings, strict=True)],
    )


def _first_short_sentence(view: GameMessage) -> str | None:
    """Return the first of the sentences, unless it names half the class."""
    return next((line for line in view.sentences if len(line) <= 100), None)


def _standing_cell(player: Player, standing: PlayerStanding) -> GridCell:
    thrown = ((standing.throw.value, TEXT),) if standing.throw else ()
    figure = "" if player.score is None else strings.signed_score(player.score)
    if abs(standing.streak) >= MIN_SHOWN_STREAK:
        figure += f" ×{strings.plain_number(standing.streak)}"
    won, out = standing.outcome == WIN, standing.health == 0
    return GridCell(player.seat, player.name, (*thrown, *_outcome_icon(standing.outcome)), figure, won, out)


def _outcome_icon(outcome: str | None) -> tuple[tuple[str, Colour], ...]:
    return (OUTCOME_ICONS[outcome],) if outcome in OUTCOME_ICONS else ()


def draw_result(canvas: Canvas, view: MatchResult, places: Mapping[Seat, int]) -> None:
    """Draw the winners, everybody in the order of their places, and the buttons."""
    theme = canvas.theme
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 1.4), theme.gap)
    top, body = layout.split_top(body, theme.units(13), theme.gap)
    sign, text = layout.split_left(top, theme.units(13), theme.gap)
    canvas.ignore_fields("shown_s", "seconds_left")
    canvas.icon(sign, "crown" if view.result.winners else "nothing", ACCENT)
    sentence, best = view.sentence, view.result.winners
    if len(best) > 4:
        sentence = strings.winners_text(len(best), view.result.scores[best[0]])
    canvas.text(text, sentence, theme.title, max_lines=3, min_size=theme.units(2.4))
    players = sorted(view.players, key=lambda player: (places[player.seat], player.seat))
    cells = [
        GridCell(
            player.seat,
            player.name,
            (("crown", ACCENT),) if player.seat in best else (),
            "" if player.score is None else strings.signed_score(player.score),
            player.seat in best,
        )
        for player in players
    ]
    any_named = any(strings.own_name(player.seat, player.name) for player in players)
    draw_grid(canvas, body, cells, aspect_ratio=1.7 if any_named else 2.8)
    home, again = hand_row(canvas, foot, [1, 1], theme.gap)
    canvas.button(home, result_strings.OTHER_GAMES, Reply("home"), icon="back")
    canvas.button(again, result_strings.PLAY_AGAIN, Reply("again"), main=True, size=theme.title)


def _draw_go_on_button(canvas: Canvas, bar: Rect, seconds_left: float | None) -> Rect:
    """Draw the button that goes on, on the touching hand's side of ``bar``, if the page waits for people. Returns the
    rest of the bar."""
    if seconds_left is None:
        return bar
    theme = canvas.theme
    rest, spot = split_hand_side(canvas, bar, theme.units(30), theme.gap * 2)
    spot.height = theme.touch_size
    canvas.button(spot, strings.GO_ON, Reply(GO_ON_ANSWER), main=True, icon="forward")
    return rest


def draw_throw_counts(canvas: Canvas, box: Rect, counts: Sequence[ThrowCount]) -> None:
    """Draw a card for each throw: how many threw it, what it beats, and how many of its players won, tied and lost."""
    theme = canvas.theme
    cut = layout.columns if theme.portrait else layout.rows
    for cell, line in zip(cut(box, [1] * len(counts), theme.gap), counts, strict=True):
        canvas.panel(cell, PANEL)
        inner = layout.inset(cell, theme.units(1.4), theme.units(1.2))
        upper, lower = layout.rows(inner, [3, 2], theme.units(0.6))
        if theme.portrait:
            sign, count = layout.columns(upper, [1, 1], theme.units(1))
            beats, outcome_row = layout.rows(lower, [1, 1], theme.units(0.4))
        else:
            sign, count, beats = layout.columns(upper, [4, 4, 5], theme.units(1))
            outcome_row = lower
        canvas.icon(sign, line.throw)
        canvas.text(count, str(line.count), theme.units(12))
        _draw_beaten_throws(canvas, beats, line)
        for spot, outcome in zip(
            layout.columns(outcome_row, [1, 1, 1], theme.units(0.6)), (WIN, TIE, LOSS), strict=True
        ):
            icon, colour = OUTCOME_ICONS[outcome]
            shape, number = layout.columns(spot, [2, 3], theme.units(0.6))
            canvas.icon(layout.centre(shape, theme.units(4.4), theme.units(4.4)), icon, colour)
            canvas.text(
                number, str(line.outcomes[outcome]), theme.title, colour if outcome == WIN else TEXT, align="left"
            )


def _draw_beaten_throws(canvas: Canvas, box: Rect, line: ThrowCount) -> None:
    """Draw an arrow to the throws that one beats, or a sign if it beats none."""
    theme = canvas.theme
    height = min(box.h, theme.units(5.5))
    if not line.beats:
        canvas.icon(layout.centre(box, height, height), "nothing", MUTED)
        return
    row = layout.centre(box, min(box.w, height * (1 + len(line.beats))), height)
    arrow, *others = layout.columns(row, [1] * (1 + len(line.beats)), 2)
    canvas.icon(arrow, "beats", ACCENT)
    for spot, other in zip(others, line.beats, strict=True):
        canvas.icon(spot, other, MUTED)


def columns_for(width: int, height: int, count: int, aspect_ratio: float) -> int:
    """Return the number of columns with which ``count`` cells are largest in a box, each about ``aspect_ratio`` times
    as wide as high."""

    def size(columns: int) -> float:
        return min(width / columns / aspect_ratio, height / math.ceil(count / columns))

    return max(range(1, count + 1), key=size)


def draw_grid(canvas: Canvas, box: Rect, cells: Sequence[GridCell], aspect_ratio: float = 1.7) -> None:
    """Draw a cell for everybody, about ``aspect_ratio`` times as wide as high. Names are shown only if all of them
    fit."""
    gap = canvas.theme.units(0.7)
    places = _cell_rects(box, len(cells), columns_for(box.w, box.h, len(cells), aspect_ratio), gap)
    inner = _cell_inside(canvas, places[0])
    height = inner.h * 3 // 10
    names = [strings.own_name(cell.seat, cell.name) for cell in cells]
    size, least = canvas.theme.body, canvas.theme.units(2.2)
    show_names = any(names) and height >= line_height(least) and all(
        fit_text(name, inner.w, height, size, least, 1).complete for name in names if name
    )  # fmt: skip
    for place, cell in zip(places, cells, strict=True):
        _draw_cell(canvas, place, cell, height if show_names else 0)


def _cell_rects(box: Rect, count: int, columns: int, gap: int) -> list[Rect]:
    """Return the places row by row, the last row from the left, so that numbers line up in columns."""
    down = -(-count // columns)
    rows = layout.rows(box, [1] * down, gap)
    return [place for row in rows for place in layout.columns(row, [1] * columns, gap)][:count]


def _cell_inside(canvas: Canvas, place: Rect) -> Rect:
    return layout.inset(place, canvas.theme.units(0.8), canvas.theme.units(0.6))


def _draw_cell(canvas: Canvas, place: Rect, cell: GridCell, name_height: int) -> None:
    """Draw number and icons side by side, with the name and the figure below them, if any."""
    theme = canvas.theme
    background = BACKGROUND if cell.flat else PANEL
    canvas.panel(
        place, background, edge=ACCENT if cell.strong else LINE, width=theme.units(0.6 if cell.strong else 0.2)
    )
    inner = _cell_inside(canvas, place)
    name = strings.own_name(cell.seat, cell.name)
    if name_height:
        inner, spot = layout.split_bottom(inner, name_height, 0)
        if name:
            canvas.text(spot, name, theme.body, MUTED, min_size=theme.units(2.2))
    upper = inner
    if cell.figure:
        inline = inner.w >= INLINE_ASPECT_RATIO * inner.h and len(cell.icons) < 2
        upper, spot = layout.columns(inner, [1, 1], theme.gap) if inline else layout.rows(inner, [1, 1], 1)
        colour = ACCENT if cell.strong else TEXT
        canvas.text(
            spot, cell.figure, theme.units(9), colour, align="right" if inline else "centre", min_size=theme.units(2.2)
        )
    count = len(cell.icons)
    side = min(upper.h, upper.w // (count + 2) if count else upper.h)
    number, signs = (
        layout.split_right(upper, side * count + max(0, count - 1), theme.units(0.5)) if count else (upper, upper)
    )
    canvas.text(number, str(cell.seat), theme.units(12), MUTED if count else TEXT, min_size=theme.units(2.2))
    for spot, (icon, colour) in zip(layout.columns(signs, [1] * count, 1) if count else (), cell.icons, strict=True):
        canvas.icon(layout.centre(spot, round(side * 0.9), round(side * 0.9)), icon, colour)
