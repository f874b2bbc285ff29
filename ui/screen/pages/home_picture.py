"""Painters of the choice of a game and of its set-up."""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from pygame import Rect

from messages import N, capitalise, join
from rules.engine import Option, Rules
from ui.i18n.language import current_language
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, RAISED, SEAT_MARKS
from ui.screen.drawing.widgets import (
    draw_header,
    draw_list_page,
    draw_list_page_buttons,
    draw_titled_bar,
    hand_row,
    limit_height,
    split_hand_side,
)
from ui.screen.pages import home as home_page
from ui.screen.pages.hall import ChosenPairing
from ui.screen.pages.home import RESUME_ANSWER, ChosenGame, GameMenu, GamesPage, SetUpPage, max_seats, set_up_page
from ui.screen.pages.how_to_play import HOW_TO_PLAY
from ui.screen.pages.question import step_value
from ui.screen.views import Reply
from ui.text import game_words, labels

CHOOSE_GAME = N("Choose a game")
LANGUAGE_TOOL = "language"
"""The tool with a place of its own on the home page."""

TOOL_ICONS = MappingProxyType(
    {
        "practise": "aim",
        "class": "cards",
        "calculator": "sums",
        "zones": "frame",
        "tournament": "crown",
        "past matches": "clock",
        "awards": "star",
        "phones and review": "phone",
        "phones and review are on": "phone",
        "hall": "waves",
        "hall is on": "waves",
        "settings": "gear",
    }
)
"""The icon of each tool."""


@paints(GamesPage)
def draw_games(canvas: Canvas, page: GamesPage) -> None:
    """Draw a card for each game: its title, its number of players, a line about it."""
    theme = canvas.theme
    body = _draw_header(canvas, page)
    count = len(page.view.games)
    across, down = (1, 4 if count <= 4 else 6) if theme.portrait else (1, 3) if count <= 3 else (2, 3)
    per_page = across * down
    tools = [name for name in page.view.tools if name != LANGUAGE_TOOL]
    body = _draw_tools(canvas, body, tools, dense=len(_banners(page.view)) > 1)
    if count > per_page:
        body, turn = layout.split_bottom(body, theme.touch_size, theme.gap)
        per_page -= 0 if theme.portrait else across  # their text must stay legible
        draw_list_page_buttons(canvas, turn, page, page.list_page, -(-count // per_page))
    games = page.view.games[page.list_page * per_page : (page.list_page + 1) * per_page]
    cells = layout.grid(body, per_page, across, theme.gap)
    described = all(_description_fits(canvas, cell, game) for cell, game in zip(cells, games, strict=False))
    for cell, game in zip(cells, games, strict=False):
        canvas.framed_panel(cell, PANEL)
        canvas.add_target(cell, set_up_page(page.view, game), game.title)
        inner, icon_box = layout.split_right(_card_inside(canvas, cell), theme.units(3.4), theme.gap)
        canvas.icon(icon_box, "forward", ACCENT)
        facts = home_page.short_facts(game, max_seats(game, page.view.seat_limit))
        if not described:
            inner = layout.centre(inner, inner.w, _title_height(canvas, inner) + line_height(theme.small))
        title, inner = layout.split_top(inner, _title_height(canvas, inner), 0)
        facts_box, detail = layout.split_top(inner, line_height(theme.small), 0)
        canvas.text(title, game.title, theme.title, align="left")
        canvas.text(facts_box, facts, theme.small, align="left")
        if described:
            canvas.text(detail, _description(game), theme.small, MUTED, align="left", max_lines=4)


def _card_inside(canvas: Canvas, cell: Rect) -> Rect:
    return layout.inset(cell, canvas.theme.units(2), canvas.theme.units(0.8))


def _description(game: Rules) -> str:
    return capitalise(N(game.description))


def _description_fits(canvas: Canvas, cell: Rect, game: Rules) -> bool:
    """Return whether a game's card has room for its description below title and facts."""
    theme, inner = canvas.theme, _card_inside(canvas, cell)
    width = inner.w - theme.units(3.4) - theme.gap
    text_height = line_height(theme.small) + canvas.text_height(_description(game), width)
    return _title_height(canvas, inner) + text_height <= inner.h


def _title_height(canvas: Canvas, inner: Rect) -> int:
    return min(canvas.theme.units(8), inner.h - line_height(canvas.theme.small))


def _draw_header(canvas: Canvas, page: GamesPage) -> Rect:
    """Draw the instruction and, if languages can be chosen, the globe with the current one's code: whoever can't read
    this page finds it by its icon. A match of the hall, and an unfinished one, take the instruction's place. Returns
    the page below."""
    theme = canvas.theme
    if page.view.can_go_back:
        return draw_titled_bar(canvas, CHOOSE_GAME, Reply("back"))
    banners = _banners(page.view)
    if LANGUAGE_TOOL not in page.view.tools and not banners:
        return draw_header(canvas, canvas.page, CHOOSE_GAME)
    stacked = theme.portrait and len(banners) > 1
    height = round(theme.touch_size * (1.0 if stacked else 1.1))
    bar, body = layout.split_top(canvas.page, 2 * height + theme.gap if stacked else height, theme.gap)
    if LANGUAGE_TOOL in page.view.tools:
        bar, globe = split_hand_side(canvas, bar, height if banners else theme.units(24), theme.gap)
        language, narrow = current_language().upper(), bool(banners)
        canvas.button(globe, language, Reply(LANGUAGE_TOOL), icon="globe", icon_only=narrow)
    if not banners:
        draw_header(canvas, layout.centre(bar, bar.w, theme.units(7.5)), CHOOSE_GAME)
        return body
    weights = [1] * len(banners)
    cells = layout.rows(bar, weights, theme.gap) if stacked else hand_row(canvas, bar, weights, theme.gap)
    for cell, (label, reply) in zip(cells, banners, strict=True):
        canvas.button(cell, label, reply, main=reply == banners[-1][1], icon="forward")
    return body


def _banners(view: GameMenu) -> list[tuple[str, Reply]]:
    banners = [(view.unfinished, Reply(RESUME_ANSWER))] if view.unfinished else []
    if view.offer is not None:
        banners.append((view.offer.players, Reply(ChosenPairing(view.offer.id))))
    return banners


def _draw_tools(canvas: Canvas, body: Rect, tools: Sequence[str], *, dense: bool) -> Rect:
    """Draw the tools that the box has besides games: an icon with a word each, ``dense`` below two banners. Returns the
    page above them."""
    theme = canvas.theme
    if not tools:
        return body
    down = -(-len(tools) // (3 if theme.portrait else 4))  # their names need the width
    across = max(2, -(-len(tools) // down))
    height = round(theme.touch_size * ((1.28 if dense else 1.4) if theme.portrait else 1.04))
    body, foot = layout.split_bottom(body, down * height + (down - 1) * theme.gap, theme.gap)
    for cell, name in zip(layout.grid(foot, across * down, across, theme.gap), tools, strict=False):
        canvas.framed_panel(cell, RAISED)
        label = game_words.value_text(name)
        canvas.add_target(cell, Reply(name), label)
        inner = layout.inset(cell, theme.units(1.2), theme.units(0.2))
        if theme.portrait:
            icon_box, line = layout.split_top(inner, inner.h - 2 * line_height(theme.small), 0)
        else:
            icon_box, line = layout.split_left(inner, theme.units(5), theme.gap)
        canvas.icon(icon_box, TOOL_ICONS.get(name, "forward"), ACCENT)
        canvas.text(line, label, theme.small, max_lines=2, align="centre" if theme.portrait else "left")
    return body


@paints(SetUpPage)
def draw_set_up(canvas: Canvas, page: SetUpPage) -> None:
    """Draw one game: the number of players, its options, and the button that starts it."""
    theme = canvas.theme
    whole = canvas.page
    bar, body = layout.split_top(whole, round(theme.touch_size * 1.1), theme.gap)
    if len(page.view.games) > 1 or page.view.tools or page.view.can_go_back:
        back, bar = layout.split_left(bar, theme.units(30), theme.gap * 2)
        games = GamesPage(page.view) if len(page.view.games) > 1 or page.view.tools else Reply("back")
        canvas.button(back, labels.GAMES, games, icon="back", leads_back=True)
    turn_box = None
    if not theme.portrait:
        bar, turn_box = split_hand_side(canvas, bar, round(bar.w * 0.5), theme.gap)
    canvas.text(bar, page.game.title, theme.title, align="left")
    if theme.portrait:
        about, body = layout.split_top(body, theme.units(25), theme.gap)
        body, start = layout.split_bottom(body, round(theme.touch_size * 1.6), theme.gap)
        seats, options = layout.split_top(body, theme.units(36), theme.gap)
    else:
        options, aside = split_hand_side(canvas, body, round(body.w * 0.38), theme.gap * 2)
        about, aside = layout.split_top(aside, theme.units(30), theme.gap)
        seats, start = layout.split_bottom(aside, round(theme.touch_size * 1.5), theme.gap)
    explanation = page.explanation
    if explanation is not None:
        explain, start = layout.columns(start, [2, 3], theme.gap)
        canvas.button(explain, HOW_TO_PLAY, explanation)
    problem = page.problem
    if problem is None and (facts := home_page.time_and_age(page.game)):
        about, foot = layout.split_bottom(about, line_height(theme.small), 0)
        canvas.text(foot, facts, theme.small, align="left")
    canvas.text(
        about,
        capitalise(N(page.game.description)) if problem is None else capitalise(join([problem, "."], "")),
        theme.small,
        MUTED if problem is None else FOUL,
        align="left",
        max_lines=6,
        vertical_align="top",
    )
    _draw_player_count(canvas, seats, page)
    chosen = ChosenGame(page.game.name, page.seats, dict(page.options))
    canvas.button(
        start,
        home_page.start_label(page.view),
        Reply(chosen),
        main=problem is None,
        size=theme.title,
        enabled=problem is None,
    )
    _draw_options(canvas, options, page, turn_box)


def _draw_player_count(canvas: Canvas, box: Rect, page: SetUpPage) -> None:
    theme = canvas.theme
    canvas.panel(box, PANEL)
    inner = layout.inset(box, theme.units(2), theme.units(0.8))
    label, inner = layout.split_top(inner, line_height(theme.small), theme.units(0.5))
    canvas.text(label, home_page.players_label(page.view), theme.body, MUTED)
    inner, marks = layout.split_bottom(inner, theme.units(6), theme.units(0.8))
    fewer, count, more = layout.columns(inner, [4, 5, 4], theme.gap)
    least, most = page.game.min_players, max_seats(page.game, page.view.seat_limit)
    for cell, icon, name, seats in (
        (fewer, "minus", labels.FEWER, page.seats - 1),
        (more, "plus", labels.MORE, page.seats + 1),
    ):
        rect, changed, enabled = limit_height(canvas, cell), replace(page, seats=seats), least <= seats <= most
        canvas.button(rect, name, changed, icon=icon, icon_only=True, enabled=enabled, repeats=True)
    canvas.text(count, str(page.seats), theme.units(16))
    if page.seats > len(SEAT_MARKS):
        return
    side, gap = min(marks.h, marks.w // 9), theme.units(1)
    start = marks.centerx - (page.seats * (side + gap) - gap) // 2
    for seat in range(1, page.seats + 1):
        canvas.seat_mark(Rect(start + (seat - 1) * (side + gap), marks.y, side, marks.h), seat)


def _draw_options(canvas: Canvas, box: Rect, page: SetUpPage, turn_box: Rect | None) -> None:
    theme = canvas.theme
    box, options, _ = draw_list_page(canvas, box, page, page.game.options, theme.units(25), turn_box=turn_box)
    count = min(len(page.game.options), max(1, len(options)))
    height = min(theme.units(30), (box.h - (count - 1) * theme.gap) // max(1, count))
    for option in options:
        row, box = layout.split_top(box, height, theme.gap)
        _draw_option(canvas, row, page, option)


def _draw_option(canvas: Canvas, row: Rect, page: SetUpPage, option: Option) -> None:
    theme, value, text = canvas.theme, page.options[option.name], page.game.text
    canvas.panel(row, PANEL)
    inner = layout.inset(row, theme.units(2), theme.units(0.8))
    text_box, control = layout.split_right(inner, 2 * theme.touch_size + theme.units(4), theme.gap)
    name, about = layout.split_top(text_box, theme.units(5.6), 0)
    canvas.text(name, home_page.option_name(option, text), theme.body, align="left")
    canvas.text(
        about, home_page.option_about(option), theme.small, MUTED, align="left", max_lines=5, vertical_align="top"
    )
    value_label = home_page.option_value(option, value, text)
    if (
        step_value(option.allowed, value, 1) == value == step_value(option.allowed, value, -1)
    ):  # there is nothing to choose
        canvas.text(control, value_label, theme.body, max_lines=2)
        return
    value_box, buttons = layout.split_bottom(control, min(control.h // 2, round(theme.touch_size * 1.2)), 0)
    buttons.y, buttons.h = buttons.bottom - max(buttons.h, theme.touch_size), max(buttons.h, theme.touch_size)
    value_box.h = buttons.y - value_box.y
    canvas.text(value_box, value_label, theme.body, max_lines=2)
    before, after = layout.columns(buttons, [1, 1], theme.units(1))
    for cell, by, icon in ((before, -1, "back"), (after, 1, "forward")):
        new_value = step_value(option.allowed, value, by)
        label, changed = home_page.option_change(option, new_value, text), page.with_option(option.name, new_value)
        enabled = new_value != value
        canvas.button(cell, label, changed, icon=icon, icon_only=True, enabled=enabled, repeats=True)
