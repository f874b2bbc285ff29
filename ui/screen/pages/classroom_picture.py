"""Painters of a class, to be read from the back of the room: the roll call, everybody's throw, and the result of a
round or a match, with a cell for each player in the order of their numbers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pygame import Rect

from rules.battle.events import RoundPlayed
from rules.engine import Seat
from rules.throws import Outcome
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import fit_text, line_height
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.widgets import (
    draw_card,
    draw_list_page_buttons,
    draw_match_title,
    draw_pause_button,
    hand_row,
    split_hand_side,
)
from ui.screen.pages import classroom as classroom_page
from ui.screen.pages import fact_words
from ui.screen.pages.classroom import (
    HOME_ANSWER,
    SHOUT_ANSWER,
    PlayerStanding,
    RollCall,
    ThrowCount,
    count_throws,
    player_standing,
)
from ui.screen.pages.common import GO_ON_ANSWER, Player
from ui.screen.pages.dispute import DisputedRound
from ui.screen.pages.match_widgets import draw_proof_qr_code
from ui.screen.pages.message import GameMessage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.scoreboard import event_facts, merge_facts
from ui.screen.views import ListPage, Reply
from ui.text import game_words, labels

Icon = tuple[str, Colour]
"""The name of an icon and its colour."""
Symbol = Icon | str
"""A symbol that a legend explains: an icon or a text."""
OUTCOME_ICONS: Mapping[Outcome, Icon] = {
    outcome: (icon, ACCENT if outcome is Outcome.WON else MUTED) for outcome, icon in fact_words.OUTCOME_ICONS.items()
}
"""The icon of each outcome."""

MIN_SHOWN_STREAK = 3
"""The shortest streak, won or lost, that is shown next to the score: it earns a bonus."""
INLINE_ASPECT_RATIO = 2.4
"""A cell at least this many times as wide as high has its figure next to its number."""
CellSizes = tuple[tuple[int, int], tuple[int, int]]
"""The smallest cells in units, width and height, without and with names."""
ROUND_CELLS: CellSizes = ((16, 12), (24, 17))
MATCH_CELLS: CellSizes = ((15, 10), (20, 14))
"""The smallest cells of the results of a round and of a match: more players than fit are on further pages."""
STEPS = {1: 1.0, 2: 0.8, 3: 0.6}
"""The steps of the podium by place, and their heights as a share of the highest."""
STEP_ORDER = (2, 1, 3)
"""The places from left to right."""
MAX_NAMES_ON_STEP = 6
"""Players named on a step; of more, one fewer, and the number of the others."""


@dataclass(frozen=True)
class GridCell:
    """One player's cell in the grid: number and name, up to two icons, a figure, a streak; where it is too flat for two
    lines, only number and figure."""

    seat: Seat
    name: str
    icons: tuple[Icon, ...] = ()
    figure: str = ""
    strong: bool = False
    """Whether it has an edge."""
    out: bool = False
    """Whether the player is out, so that it has no background."""
    missing: bool = False
    """Whether the card or throw is missing, so that it has an edge and no background."""
    streak: str = ""


@paints(RollCall)
def draw_roll_call(canvas: Canvas, view: RollCall) -> None:
    """Draw everybody's number, ticked off once their card was seen, the number of cards seen, and the missing players'
    names."""
    theme, seen = canvas.theme, view.attendance.seen
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 1.4), theme.gap)
    count = classroom_page.seen_text(view)
    instruction, colour = (view.rethrow_reason, FOUL) if view.rethrow_reason else (classroom_page.HOLD_CARD_UP, MUTED)
    line, body = layout.split_top(body, theme.touch_size if theme.portrait else theme.units(15), theme.gap)
    line = draw_pause_button(canvas, line)
    if theme.portrait:
        line_below, body = layout.split_top(body, canvas.text_height(instruction, body.w), theme.gap)
    rest, spot = layout.split_right(line, canvas.text_width(count, theme.big, line.w, line.h), theme.gap)
    canvas.text(spot, count, theme.big, TEXT if view.missing else ACCENT, align="right", role="shared")
    canvas.text(line_below if theme.portrait else rest, instruction, theme.body, colour, align="left", max_lines=3)
    notes = [text for text in (classroom_page.missing_text(view), classroom_page.problems_text(view)) if text]
    heights = [canvas.text_height(text, body.w, max_lines=3) for text in notes]
    body, below = layout.split_bottom(body, max(theme.units(11), sum(heights)), theme.gap)
    cells = [
        GridCell(seat, name, (("good", TEXT) if seat in seen else ("eye", MUTED),), missing=seat not in seen)
        for seat, name in enumerate(view.players, 1)
    ]
    draw_grid(canvas, body, cells)
    if problems := classroom_page.problems_text(view):
        below, spot = layout.split_bottom(below, heights[-1], 0)
        canvas.text(spot, problems, theme.small, FOUL, align="left", max_lines=3)
    colour = MUTED if view.missing else ACCENT
    canvas.text(below, classroom_page.missing_text(view), theme.title, colour, align="left", max_lines=3)
    leave, shout = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(leave, classroom_page.LEAVE, Reply(HOME_ANSWER), icon="back")
    canvas.button(shout, classroom_page.ALL_READY, Reply(SHOUT_ANSWER), main=True, size=theme.title, icon="burst")


def draw_reveal(canvas: Canvas, view: Reveal) -> None:
    """Draw everybody's throw, or a sign of doubt where there is none."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, theme.units(26 if theme.portrait else 16), theme.gap)
    title = _draw_go_on_button(canvas, bar, view.seconds_left)
    canvas.text(title, classroom_page.thrown_text(view), theme.title, max_lines=5)
    canvas.ignore_fields("shown_s", "seconds_left")
    cells = [_throw_cell(seat.player, seat.throw, seat.outcome) for seat in view.seats]
    draw_grid(canvas, draw_legend(canvas, body, _outcome_legend(cells)), cells)


def draw_past_throws(canvas: Canvas, box: Rect, view: DisputedRound) -> None:
    """Draw everybody's throw in a past round."""
    readings = [(seat.player, seat.reading if isinstance(seat.reading, str) else None) for seat in view.seats]
    cells = [_throw_cell(player, reading) for player, reading in readings]
    draw_grid(canvas, draw_legend(canvas, box, _outcome_legend(cells)), cells)


def _throw_cell(player: Player, throw: str | None, outcome: Outcome | None = None) -> GridCell:
    icon = ("doubt", FOUL) if throw is None else (str(throw), TEXT)
    return GridCell(player.seat, player.name, (icon, *_outcome_icon(outcome)), missing=throw is None)


def draw_message(canvas: Canvas, view: GameMessage) -> None:
    """Draw an event's title and everybody's standing, the highest scores first; of a round also the counts of each
    throw."""
    theme = canvas.theme
    canvas.ignore_fields("shown_s", "seconds_left")
    new_facts = event_facts(view.event)
    standings = [player_standing(merge_facts(player.facts, new_facts.of_seat(player.seat))) for player in view.players]
    counts = count_throws(standings, merge_facts(view.facts, new_facts.table))
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    if isinstance(view.event, RoundPlayed):
        title = classroom_page.round_title(view.event.round)
    else:
        title = game_words.event_heading(view.event)
    draw_match_title(canvas, _draw_go_on_button(canvas, bar, view.seconds_left), title)
    # The first of the sentences, unless it names half the class.
    sentence = next((line for line in view.sentences if len(line) <= 100), None)
    cells = [_standing_cell(*of) for of in zip(view.players, standings, strict=True)]
    ranked = sorted(zip(view.players, cells, strict=True), key=lambda one: _rank_key(one[0]))
    legend = _outcome_legend(cells)
    if any(player.score is not None for player in view.players):
        legend.append((classroom_page.signed_score(3), classroom_page.POINTS))
    if any(cell.streak for cell in cells):
        legend.append((f"×{MIN_SHOWN_STREAK}", classroom_page.STREAK))
    if counts:
        legend.append((("beats", ACCENT), classroom_page.BEATS))
    body = draw_legend(canvas, body, legend)
    if counts:
        if theme.portrait:
            table, body = layout.split_top(body, theme.units(36), theme.gap)
        else:
            table, body = layout.split_left(body, round(body.w * 0.31), theme.gap)
        draw_throw_counts(canvas, table, counts)
    elif sentence is not None:
        spot, body = layout.split_top(body, theme.units(12), theme.gap)
        canvas.text(spot, sentence, theme.title, max_lines=2)
    _draw_list(canvas, body, [cell for _, cell in ranked], view, ROUND_CELLS)


def _rank_key(player: Player) -> tuple[int, bool, str, Seat]:
    """Sort by points, then by name; players without a name come last, by number."""
    name = classroom_page.own_name(player.seat, player.name)
    return -(player.score or 0), name is None, (name or "").casefold(), player.seat


def _standing_cell(player: Player, standing: PlayerStanding) -> GridCell:
    thrown = ((standing.throw.value, TEXT),) if standing.throw else ()
    figure = "" if player.score is None else classroom_page.signed_score(player.score)
    streak = ""
    if abs(standing.streak) >= MIN_SHOWN_STREAK:
        streak = f"×{labels.plain_number(standing.streak)}"
    icons = (*thrown, *_outcome_icon(standing.outcome))
    out = standing.health == 0
    return GridCell(player.seat, player.name, icons, figure, standing.outcome is Outcome.WON, out, streak=streak)


def _outcome_icon(outcome: Outcome | None) -> tuple[Icon, ...]:
    return () if outcome is None else (OUTCOME_ICONS[outcome],)


def draw_result(canvas: Canvas, view: MatchResult, places: Mapping[Seat, int]) -> None:
    """Draw the winners, the podium or, on further pages, everybody in the order of their places, and the buttons."""
    theme = canvas.theme
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 1.4), theme.gap)
    top, body = layout.split_top(body, theme.units(26 if theme.portrait else 15), theme.gap)
    sign, text = layout.split_left(top, theme.units(13), theme.gap)
    canvas.ignore_fields("shown_s", "seconds_left")
    sentence, best = view.sentence, view.result.winners
    canvas.icon(sign, "crown" if best else "nothing", ACCENT)
    if len(best) > 4:
        sentence = classroom_page.winners_text(len(best), view.result.scores[best[0]])
    text = draw_proof_qr_code(canvas, text, view)
    canvas.text(text, sentence, theme.title, max_lines=5)
    ranked = sorted(view.players, key=lambda player: (places[player.seat], *_rank_key(player)))
    if theme.portrait:
        body, turn = layout.split_bottom(body, theme.touch_size, theme.gap)
        home, again = hand_row(canvas, foot, [1, 1], theme.gap)
    else:
        home, turn, again = hand_row(canvas, foot, [4, 5, 4], theme.gap)
    if view.list_page == 0:
        _draw_podium(canvas, body, ranked, places)
        canvas.button(turn, classroom_page.ALL_RESULTS, view.with_list_page(1), icon="forward")
    else:
        cells = []
        for player in ranked:
            icons = (("crown", ACCENT),) if player.seat in best else ()
            figure = "" if player.score is None else classroom_page.signed_score(player.score)
            cells.append(GridCell(player.seat, player.name, icons, figure, player.seat in best))
        legend: list[tuple[Symbol, str]] = [(classroom_page.signed_score(3), classroom_page.POINTS)]
        if best:
            legend.insert(0, (("crown", ACCENT), classroom_page.MATCH_WON))
        any_named = any(classroom_page.own_name(cell.seat, cell.name) for cell in cells)
        body = draw_legend(canvas, body, legend)
        _draw_list(canvas, body, cells, view, MATCH_CELLS, turn, 1.7 if any_named else 2.8)
    canvas.button(home, labels.OTHER_GAMES, Reply("home"), icon="back")
    canvas.button(again, labels.PLAY_AGAIN, Reply("again"), main=True, size=theme.title)


def _draw_go_on_button(canvas: Canvas, bar: Rect, seconds_left: float | None) -> Rect:
    """Draw the button that goes on, on the touching hand's side of ``bar``, and the pause button, if the page waits for
    people. Returns the rest of the bar."""
    if seconds_left is None:
        return bar
    theme = canvas.theme
    rest, spot = split_hand_side(canvas, draw_pause_button(canvas, bar), theme.units(30), theme.gap * 2)
    spot.height = theme.touch_size
    canvas.button(spot, labels.GO_ON, Reply(GO_ON_ANSWER), main=True, icon="forward")
    return rest


def draw_throw_counts(canvas: Canvas, box: Rect, counts: Sequence[ThrowCount]) -> None:
    """Draw a card for each throw: how many threw it, what it beats, and how many of its players won, tied and lost."""
    theme = canvas.theme
    cut = layout.columns if theme.portrait else layout.rows
    for cell, line in zip(cut(box, [1] * len(counts), theme.gap), counts, strict=True):
        upper, lower = layout.rows(draw_card(canvas, cell, 1.4, 1.2), [3, 2], theme.units(0.6))
        if theme.portrait:
            sign, count = layout.columns(upper, [1, 1], theme.units(1))
            beats, lower = layout.rows(lower, [1, 1], theme.units(0.4))
        else:
            sign, count, beats = layout.columns(upper, [4, 4, 5], theme.units(1))
        canvas.icon(sign, line.throw)
        canvas.text(count, str(line.count), theme.units(12))
        # An arrow to the throws that this one beats, or a sign if it beats none.
        icons = [("beats", ACCENT), *((throw, MUTED) for throw in line.beats)] if line.beats else [("nothing", MUTED)]
        height = min(beats.h, theme.units(5.5))
        row = layout.centre(beats, height * len(icons), height)
        for spot, icon in zip(layout.columns(row, [1] * len(icons), 2), icons, strict=True):
            canvas.icon(spot, *icon)
        spots = layout.columns(lower, [1, 1, 1], theme.units(0.6))
        for spot, (outcome, outcome_icon) in zip(spots, OUTCOME_ICONS.items(), strict=True):
            shape, number = layout.columns(spot, [2, 3], theme.units(0.6))
            canvas.icon(layout.centre(shape, theme.units(4.4), theme.units(4.4)), *outcome_icon)
            colour = ACCENT if outcome is Outcome.WON else TEXT
            canvas.text(number, str(line.outcomes[outcome]), theme.title, colour, align="left")


def _draw_podium(canvas: Canvas, box: Rect, ranked: Sequence[Player], places: Mapping[Seat, int]) -> None:
    """Draw the three best places as steps, with everybody who shares a place on its step; a place that nobody has, as
    the second one of two winners, has no step."""
    theme = canvas.theme
    for place, column in zip(STEP_ORDER, layout.columns(box, [1, 1, 1], theme.gap), strict=True):
        players = [player for player in ranked if places[player.seat] == place]
        if not players:
            continue
        upper, step = layout.split_bottom(column, round(box.h * 0.46 * STEPS[place]), theme.units(0.6))
        canvas.panel(step, PANEL, edge=ACCENT if place == 1 else LINE, width=theme.units(0.6 if place == 1 else 0.2))
        number, score = layout.rows(layout.inset(step, theme.units(1)), [3, 2], 0)
        canvas.text(number, str(place), theme.big, ACCENT if place == 1 else TEXT)
        if players[0].score is not None:
            canvas.text(
                score, classroom_page.points_text(players[0].score), theme.body, MUTED, min_size=theme.units(2.9)
            )
        names = [classroom_page.podium_name(player.seat, player.name) for player in players]
        if len(names) > MAX_NAMES_ON_STEP:
            shown = MAX_NAMES_ON_STEP - 1
            names = [*names[:shown], classroom_page.more_text(len(names) - shown)]
        height = min(theme.units(8), upper.h // (len(names) + (place == 1)))
        upper, lines = layout.split_bottom(upper, height * len(names), theme.units(0.6))
        for line, name in zip(layout.rows(lines, [1] * len(names), 0), names, strict=True):
            canvas.text(line, name, theme.title, min_size=theme.units(2.9))
        if place == 1:
            canvas.icon(layout.split_bottom(upper, min(upper.h, theme.units(9)), 0)[1], "crown", ACCENT)


def draw_legend(canvas: Canvas, box: Rect, entries: Sequence[tuple[Symbol, str]]) -> Rect:
    """Draw what each symbol of a page means, in as many lines as needed at the bottom of ``box``. Return the rest of
    the box."""
    theme, widths = canvas.theme, []
    height, gap = line_height(theme.body), theme.units(1)
    for symbol, word in entries:
        sign = canvas.text_width(symbol, theme.body, box.w, height) if isinstance(symbol, str) else theme.units(4)
        widths.append((sign, canvas.text_width(word, theme.body, box.w, height)))
    lines: list[list[int]] = []
    free = 0
    for number, (sign, word_width) in enumerate(widths):
        needed = sign + gap + word_width
        if not lines or needed > free:
            lines.append([])
            free = box.w
        lines[-1].append(number)
        free -= needed + 2 * theme.gap
    rest, place = layout.split_bottom(box, height * len(lines), theme.gap if lines else 0)
    for line, numbers in zip(layout.rows(place, [1] * len(lines), 0), lines, strict=True):
        x = line.x
        for number in numbers:
            (symbol, word), (sign, word_width) = entries[number], widths[number]
            spot = Rect(x, line.y, sign, line.h)
            if isinstance(symbol, str):
                canvas.text(spot, symbol, theme.body, align="left")
            else:
                canvas.icon(layout.centre(spot, sign, sign), *symbol)
            canvas.text(Rect(spot.right + gap, line.y, word_width, line.h), word, theme.body, MUTED, align="left")
            x += sign + gap + word_width + 2 * theme.gap
    return rest


def _outcome_legend(cells: Sequence[GridCell]) -> list[tuple[Symbol, str]]:
    """Return the meaning of the icons that cells have."""
    used = {icon for cell in cells for icon in cell.icons}
    known: list[tuple[Icon, str]] = [
        (OUTCOME_ICONS[outcome], word) for outcome, word in classroom_page.OUTCOMES.items()
    ]
    known.append((("doubt", FOUL), classroom_page.NO_THROW))
    return [(icon, word) for icon, word in known if icon in used]


def _draw_list(
    canvas: Canvas,
    box: Rect,
    cells: Sequence[GridCell],
    page: ListPage,
    smallest: CellSizes,
    turn: Rect | None = None,
    aspect_ratio: float = 1.7,
) -> None:
    """Draw the cells of a page of a list, none under the ``smallest`` size; if there are several pages, also buttons
    that turn them. With a place for these, ``turn``, the list begins on the second page."""
    theme = canvas.theme
    named = any(classroom_page.own_name(cell.seat, cell.name) for cell in cells)
    width, height = map(theme.units, smallest[named])
    gap = theme.units(0.7)

    def capacity(box: Rect) -> int:
        return max(1, (box.w + gap) // (width + gap)) * max(1, (box.h + gap) // (height + gap))

    first_page = 0 if turn is None else 1
    if turn is None and len(cells) > capacity(box):
        box, turn = layout.split_bottom(box, theme.touch_size, theme.gap)
    pages = -(-len(cells) // capacity(box))
    if turn is not None:
        draw_list_page_buttons(canvas, turn, page, page.list_page, first_page + pages)
    count = -(-len(cells) // pages)
    first = (page.list_page - first_page) * count
    draw_grid(canvas, box, cells[first : first + count], aspect_ratio, count)


def columns_for(width: int, height: int, count: int, aspect_ratio: float) -> int:
    """Return the number of columns with which ``count`` cells are largest in a box, each about ``aspect_ratio`` times
    as wide as high."""

    def size(columns: int) -> float:
        return min(width / columns / aspect_ratio, height / math.ceil(count / columns))

    return max(range(1, count + 1), key=size)


def draw_grid(
    canvas: Canvas, box: Rect, cells: Sequence[GridCell], aspect_ratio: float = 1.7, count: int | None = None
) -> None:
    """Draw a cell for everybody, about ``aspect_ratio`` times as wide as high, the last row from the left, so that
    numbers line up in columns; ``count`` is how many there is room for. Names are shown only if all of them fit."""
    count = count or len(cells)
    theme, columns = canvas.theme, columns_for(box.w, box.h, count, aspect_ratio)
    rows = layout.rows(box, [1] * -(-count // columns), theme.units(0.7))
    places = [place for row in rows for place in layout.columns(row, [1] * columns, theme.units(0.7))]
    names = [classroom_page.own_name(cell.seat, cell.name) for cell in cells]
    inner = layout.inset(places[0], theme.units(0.8), theme.units(0.6))
    least = theme.small
    name_height = max(inner.h * 3 // 10, line_height(least))
    figures_below = any(cell.figure for cell in cells) and inner.w < INLINE_ASPECT_RATIO * (inner.h - name_height)
    rows_above = 2 if figures_below else 1
    fits = name_height + rows_above * line_height(least) <= inner.h and all(
        fit_text(name, inner.w, name_height, theme.body, least, 1).complete for name in names if name
    )
    for place, cell, name in zip(places, cells, names, strict=False):
        _draw_cell(canvas, place, cell, name, name_height if fits and any(names) else 0)


def _draw_cell(canvas: Canvas, place: Rect, cell: GridCell, name: str | None, name_height: int) -> None:
    """Draw number and icons side by side, with the name and the figure below them, if any."""
    theme, strong = canvas.theme, cell.strong or cell.missing
    background = BACKGROUND if cell.out or cell.missing else PANEL
    canvas.panel(place, background, edge=ACCENT if strong else LINE, width=theme.units(0.6 if strong else 0.2))
    upper = layout.inset(place, theme.units(0.8), theme.units(0.6))
    if name_height:
        upper, spot = layout.split_bottom(upper, name_height, 0)
        if name:
            canvas.text(spot, name, theme.body, MUTED)
    flat = bool(cell.figure) and upper.h < 2 * line_height(theme.small)
    count = 0 if flat else len(cell.icons)
    if cell.figure:
        inline = flat or (upper.w >= INLINE_ASPECT_RATIO * upper.h and count < 2)
        upper, spot = layout.columns(upper, [1, 1], theme.gap) if inline else layout.rows(upper, [1, 1], 1)
        colour = ACCENT if strong else TEXT
        figure = cell.figure if flat or not cell.streak else f"{cell.figure} {cell.streak}"
        canvas.text(spot, figure, theme.units(9), colour, align="right" if inline else "centre")
    number = upper
    if count:
        side = min(upper.h, upper.w // (count + 2))
        number, signs = layout.split_right(upper, side * count + count - 1, theme.units(0.5))
        for spot, icon in zip(layout.columns(signs, [1] * count, 1), cell.icons, strict=True):
            canvas.icon(layout.centre(spot, round(side * 0.9), round(side * 0.9)), *icon)
    canvas.text(number, str(cell.seat), theme.units(12), MUTED if count or flat else TEXT)
