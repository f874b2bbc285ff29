"""Painters of setting a tournament up: the format, the players, their seeds, and the keyboards."""

from collections.abc import Callable
from dataclasses import replace

from pygame import Rect

from messages import N
from rules.tournaments.events import Format
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.keyboard import Key
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, MUTED, PANEL, RAISED
from ui.screen.drawing.widgets import draw_choice, draw_list_cells, draw_titled_bar, hand_row, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.new_tournament import strings
from ui.screen.pages.new_tournament.view import (
    DUEL_FORMATS,
    GROUP_SIZES,
    QUALIFIERS,
    ROUNDS,
    Draft,
    EntrantKeyboardPage,
    EntrantsPage,
    FormatPage,
    SeedsPage,
    TitleKeyboardPage,
)
from ui.screen.pages.seating.paint import draw_name_keys
from ui.text.tournaments import FORMAT_NAMES, FORMAT_SENTENCES

FormatNumber = tuple[str, int, range, Callable[[int], Draft]]
"""A number of a format: its label, its value, what can be chosen, and the draft with another value."""


@paints(FormatPage)
def draw_formats(canvas: Canvas, page: FormatPage) -> None:
    """Draw the formats, each with a sentence."""
    theme = canvas.theme
    body = draw_titled_bar(canvas, strings.WHICH_FORMAT, Reply("back"), note=page.view.game)
    across = 1 if theme.portrait else 2
    for cell, form in zip(layout.grid(body, len(DUEL_FORMATS), across, theme.gap), DUEL_FORMATS, strict=True):
        canvas.framed_panel(cell, RAISED)
        canvas.add_target(cell, page.choose(form), FORMAT_NAMES[form])
        inner, sign = layout.split_right(
            layout.inset(cell, theme.units(2), theme.units(1)), theme.units(3.4), theme.gap
        )
        canvas.icon(sign, "forward", ACCENT)
        name, about = layout.split_top(inner, line_height(theme.title), 0)
        canvas.text(name, FORMAT_NAMES[form], theme.title, align="left")
        canvas.text(about, FORMAT_SENTENCES[form], theme.small, MUTED, align="left", max_lines=3, vertical_align="left")


@paints(EntrantsPage)
def draw_entrants(canvas: Canvas, page: EntrantsPage) -> None:
    """Draw everybody who may play; a touch takes them in or out."""
    theme = canvas.theme
    back = FormatPage(page.view, page.draft) if page.view.table_size == 2 else Reply("back")
    note = strings.player_count(len(page.draft.names))
    body = draw_titled_bar(canvas, strings.WHO_PLAYS, back, note=note)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    write, go_on = hand_row(canvas, foot, [1, 1], theme.gap)
    canvas.button(write, strings.WRITE_NAME, EntrantKeyboardPage(page), icon="pencil")
    seeds = SeedsPage(page.view, page.draft)
    canvas.button(go_on, common_strings.GO_ON, seeds, icon="forward", main=page.can_draw, enabled=page.can_draw)
    if not page.names:
        canvas.text(body, strings.NOBODY_KNOWN, theme.title, MUTED, max_lines=4)
        return
    across, height = 2 if theme.portrait else 3, theme.touch_size
    chosen = {name.casefold() for name in page.draft.names}
    for cell, name in draw_list_cells(
        canvas, body, page, page.names, height, across=across, max_height=round(height * 1.15)
    ):
        draw_choice(canvas, cell, name, replace(page, draft=page.draft.toggle(name)), name.casefold() in chosen)


@paints(EntrantKeyboardPage)
def draw_entrant_keyboard(canvas: Canvas, page: EntrantKeyboardPage) -> None:
    """Draw the name of a player as far as it is typed, and the keys, with one for another player."""
    another = Key(strings.NEXT_PLAYER, page.next_name(), "plus")
    draw_name_keys(canvas, canvas.page, page, page.back, another)


@paints(SeedsPage)
def draw_seeds(canvas: Canvas, page: SeedsPage) -> None:
    """Draw the players in the order of their seeds, and the last choices."""
    theme, draft = canvas.theme, page.draft
    body = draw_titled_bar(canvas, FORMAT_NAMES[draft.format], EntrantsPage(page.view, draft))
    numbers = _numbers(page)
    orders = [(strings.SHUFFLE, "shuffled"), *([(strings.BY_RATING, "ranked")] if page.view.can_rank else [])]
    side_rows = 2 + len(numbers)
    row = theme.touch_size
    if theme.portrait:
        body, side = layout.split_bottom(body, (side_rows + 1) * (row + theme.gap), theme.gap)
    else:
        body, side = split_hand_side(canvas, body, theme.units(62), theme.gap * 2)
    side, start = layout.split_bottom(side, round(row * 1.3), theme.gap)
    canvas.button(start, strings.START, Reply(replace(draft, is_to_be="started")), main=True, size=theme.title)
    title, side = layout.split_top(side, row, theme.gap)
    canvas.button(title, draft.title, TitleKeyboardPage(page, text=draft.title), icon="pencil", size=theme.small)
    order, side = layout.split_top(side, row, theme.gap)
    for cell, (label, wanted) in zip(layout.columns(order, [1] * len(orders), theme.gap), orders, strict=True):
        canvas.button(cell, label, Reply(replace(draft, is_to_be=wanted)), size=theme.small)  # type: ignore[arg-type]
    for number in numbers:
        line, side = layout.split_top(side, row, theme.gap)
        _draw_number(canvas, line, page, number)
    help_text: str = strings.SEED_HELP
    if page.moving is not None:
        help_text = N(strings.MOVE_HELP, name=draft.names[page.moving])
    height = canvas.text_height(help_text, body.w, max_lines=3)
    line, body = layout.split_top(body, height, theme.gap)
    canvas.text(line, help_text, theme.small, MUTED, align="left", max_lines=3)
    for cell, player in draw_list_cells(canvas, body, page, range(len(draft.names)), row):
        name = strings.seed_label(player + 1, draft.names[player])
        draw_choice(canvas, cell, name, page.select(player), player == page.moving)


def _numbers(page: SeedsPage) -> list[FormatNumber]:
    """Return the numbers of the format."""
    draft = page.draft
    match draft.format:
        case Format.SWISS | Format.TABLES:
            return [(strings.ROUNDS, draft.shown_rounds, ROUNDS, lambda n: replace(draft, rounds=n))]
        case Format.GROUPS:
            return [
                (strings.GROUP_SIZE, draft.group_size, GROUP_SIZES, lambda n: replace(draft, group_size=n)),
                (strings.QUALIFIERS, draft.qualifiers, QUALIFIERS, lambda n: replace(draft, qualifiers=n)),
            ]
    return []


def _draw_number(canvas: Canvas, line: Rect, page: SeedsPage, number: FormatNumber) -> None:
    """Draw a number of the format between the buttons that change it."""
    theme, (label, value, choices, change) = canvas.theme, number
    canvas.panel(line, PANEL)
    text, control = layout.split_right(line, 2 * theme.touch_size + theme.units(7), theme.units(1))
    canvas.text(layout.inset(text, theme.units(1), 0), label, theme.small, align="left", max_lines=2)
    fewer, count, more = layout.columns(control, [theme.touch_size, theme.units(7), theme.touch_size], 0)
    canvas.text(count, str(value), theme.title)
    for cell, by, icon, name in ((fewer, -1, "minus", common_strings.FEWER), (more, 1, "plus", common_strings.MORE)):
        changed = replace(page, draft=change(value + by))
        canvas.button(cell, name, changed, icon=icon, icon_only=True, enabled=value + by in choices, repeats=True)


@paints(TitleKeyboardPage)
def draw_title_keyboard(canvas: Canvas, page: TitleKeyboardPage) -> None:
    """Draw the title as far as it is typed, and the keys."""
    draw_name_keys(canvas, canvas.page, page, page.back)
