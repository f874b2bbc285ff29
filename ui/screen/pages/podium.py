"""The podium at the end of a match: the three best places as steps, with everybody who shares a place on its step."""

from collections.abc import Callable, Mapping, Sequence

from pygame import Rect

from rules.engine import Seat
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, SEAT_MARKS, TEXT, TextRole
from ui.screen.pages import classroom as classroom_page
from ui.screen.pages.common import Player, player_title
from ui.text.labels import plain_number

STEPS = {1: 1.0, 2: 0.8, 3: 0.6}
"""The steps by place, and their heights as a share of the highest."""
STEP_ORDER = (2, 1, 3)
"""The places from left to right."""
STEPS_SHARE, STEPS_SHARE_WITH_HANDS = 0.46, 0.28
"""How high the highest step is, as a share of the podium, also with the players' hands above their names."""
MIN_HEIGHT_WITH_HANDS = 38
"""The least height of a podium with hands, in units."""
MIN_NAME_WIDTH = 36
"""The least width of names side by side on a step, in units."""
MAX_NAMES_ON_STEP = 6
"""Players named on a step; of more, one fewer, and the number of the others."""


def podium(players: Sequence[Player], places: Mapping[Seat, int]) -> list[tuple[int, list[Player]]]:
    """Return the steps from left to right, each with its place and players, in the order of ``players``. A place that
    nobody has, as the second one of two winners, has no step."""
    steps = [(place, [player for player in players if places[player.seat] == place]) for place in STEP_ORDER]
    return [(place, on_step) for place, on_step in steps if on_step]


def step_score(on_step: Sequence[Player]) -> int | None:
    """Return the points of everybody on a step; None if they differ, as those of the winners of several pairs may, or
    there are none."""
    return on_step[0].score if len({player.score for player in on_step}) == 1 else None


def name_on_step(title: str, player: Player, on_step: Sequence[Player]) -> str:
    """Return the ``title`` of a player on a step, with their points if not everybody there has as many."""
    if player.score is None or step_score(on_step) is not None:
        return title
    return f"{title} · {plain_number(player.score)}"


def podium_is_shown(players: Sequence[Player], places: Mapping[Seat, int]) -> bool:
    """Whether there is a podium: with more than two players, scores in numbers, and room for everybody's name."""
    return (
        len(players) > 2
        and all(player.stars is None for player in players)
        and all(len(on_step) <= MAX_NAMES_ON_STEP for _, on_step in podium(players, places))
    )


def draw_podium(
    canvas: Canvas,
    box: Rect,
    players: Sequence[Player],
    places: Mapping[Seat, int],
    name: Callable[[Player], str] = player_title,
    draw_hand: Callable[[Canvas, Rect, Player], object] | None = None,
    *,
    seated: bool = True,
) -> None:
    """Draw the steps, with the names on them; where the podium is high enough, ``draw_hand`` draws a player's hand
    above the name. Players who are not ``seated``, as those of a tournament, have no marks."""
    theme = canvas.theme
    if box.h < theme.units(MIN_HEIGHT_WITH_HANDS):
        draw_hand = None
    share = STEPS_SHARE if draw_hand is None else STEPS_SHARE_WITH_HANDS
    steps, gap = podium(players, places), theme.units(0.6)
    for (place, on_step), column in zip(steps, layout.columns(box, [1] * len(steps), theme.units(1)), strict=True):
        upper, step = layout.split_bottom(column, round(box.h * share * STEPS[place]), gap)
        marked = on_step if seated and len(players) <= len(SEAT_MARKS) else []
        _draw_step(canvas, step, place, step_score(on_step), [player.seat for player in marked])
        named = on_step if len(on_step) <= MAX_NAMES_ON_STEP else on_step[: MAX_NAMES_ON_STEP - 1]
        names = [name_on_step(name(player), player, on_step) for player in named]
        if len(named) < len(on_step):
            names.append(classroom_page.more_text(len(on_step) - len(named)))
        most_rows = max(1, upper.h // line_height(theme.small))
        across = max(1, min(-(-len(names) // most_rows), column.w // theme.units(MIN_NAME_WIDTH)))
        rows = -(-len(names) // across)
        height = min(theme.units(8), upper.h // rows)
        upper, lines = layout.split_bottom(upper, height * rows, gap)
        cells = [cell for row in layout.rows(lines, [1] * rows, 0) for cell in layout.columns(row, [1] * across, gap)]
        for rect, text in zip(cells, names, strict=False):
            canvas.text(rect, text, theme.title, max_lines=2)
        if draw_hand is not None and upper.h > theme.units(8):
            cells = layout.columns(upper, [1] * len(on_step[:MAX_NAMES_ON_STEP]), gap)
            for cell, player in zip(cells, on_step, strict=False):
                side = min(cell.size)
                draw_hand(canvas, layout.split_bottom(layout.centre(cell, side, cell.h), side, 0)[1], player)
        elif place == 1 and upper.h >= theme.units(4):
            canvas.icon(layout.split_bottom(upper, min(upper.h, theme.units(9)), 0)[1], "crown", ACCENT)


def draw_lower_places(canvas: Canvas, box: Rect, players: Sequence[Player], places: Mapping[Seat, int]) -> None:
    """Draw the ``players`` below the podium with place, points and name, the best first: in a row in landscape, in a
    column in portrait."""
    theme = canvas.theme
    cells = theme.pick(layout.columns, layout.rows)(box, [1] * len(players), theme.units(0.8))
    for cell, player in zip(cells, sorted(players, key=lambda player: places[player.seat]), strict=True):
        canvas.framed_panel(cell, PANEL)
        inner = layout.inset(cell, theme.units(0.7), theme.units(0.7))
        line, name = theme.pick(layout.rows(inner, [2, 3], 0), [inner, inner])
        size, gap = min(theme.title, line.h), theme.units(1.2)
        place = t("{place}.", place=places[player.seat])
        rect, line = layout.split_left(line, canvas.text_width(place, size, line.w // 3, line.h), gap)
        canvas.text(rect, place, size, MUTED)
        if player.score is not None:
            points = plain_number(player.score)
            line, rect = layout.split_right(line, canvas.text_width(points, size, line.w // 3, line.h), gap)
            canvas.text(rect, points, size, TEXT)
        mark, rest = layout.split_left(line, size, gap)
        canvas.seat_mark(mark, player.seat)
        canvas.text(theme.pick(name, rest), player_title(player), size, align="left", max_lines=2)


def _draw_step(canvas: Canvas, step: Rect, place: int, score: int | None, marks: Sequence[Seat]) -> None:
    """Draw a step with its place, the ``marks`` of those on it and the points, as large as fits: below the place, or on
    a low step beside it."""
    theme, first = canvas.theme, place == 1
    canvas.panel(step, PANEL, edge=ACCENT if first else LINE, width=theme.units(0.6 if first else 0.2))
    inner = layout.inset(step, theme.units(1), theme.units(0.8))
    points, points_height = None, line_height(theme.shared)
    if score is not None and inner.h >= theme.units(8) + points_height:
        inner, points = layout.split_bottom(inner, max(points_height, inner.h * 3 // 5), 0)
    side = min(theme.units(5), inner.h, inner.w // (len(marks) + 5))
    for at, seat in enumerate(marks):
        canvas.seat_mark(Rect(inner.x + at * side, inner.y + (inner.h - side) // 2, side, side), seat)
    if points is None:
        inner = layout.split_left(inner, len(marks) * side, 0)[1]
        if score is not None:
            inner, points = layout.columns(inner, [1, 2], 0)
    elif marks:
        inner = layout.inset(inner, len(marks) * side, 0)
    canvas.text(inner, t("{place}.", place=place), theme.big, ACCENT if first else MUTED)
    if score is not None and points is not None:
        role: TextRole = "shared" if points.h >= points_height else "personal"
        canvas.text(points, plain_number(score), theme.units(14), ACCENT if first else TEXT, role=role)
