"""Painters of the settings, one section at a time, and of the choice of a language, each under its own name."""

from pygame import Rect

from messages import N, capitalise
from rules.engine import IntRange
from ui.i18n.language import LANGUAGES
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_choice, draw_header, draw_list_page, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.settings import strings
from ui.screen.pages.settings.view import LanguageChoice, Setting, SettingsPage, SettingsView, next_number


@paints(SettingsPage)
def draw_settings(canvas: Canvas, page: SettingsPage) -> None:
    """Draw the sections in a row, the settings of one of them, and where they are stored."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, N("Settings")) if theme.portrait else canvas.page
    names = [strings.SECTION_NAMES.get(section, section) for section in view.sections]
    down = -(-len(names) // 2) if theme.portrait else 1
    bar, body = layout.split_top(body, down * theme.touch_size + (down - 1) * theme.gap, theme.gap)
    if theme.portrait:
        cells = layout.grid(bar, len(names), 2, theme.gap)
    else:  # many sections: long names need more of the row
        widths = [canvas.text_width(name, theme.small, bar.w // 4, bar.h) + theme.units(6) for name in names]
        widths[view.sections.index(view.section)] += theme.units(6)  # its tick
        cells = layout.columns(bar, widths, theme.gap)
    for cell, name, section in zip(cells, names, view.sections, strict=True):
        draw_choice(canvas, cell, name, Reply(page.answer_for(section)), section == view.section)
    note_width = body.w - theme.units(34) - theme.gap - theme.units(8)
    note_height = canvas.text_height(strings.settings_note(view), note_width)
    body, foot = layout.split_bottom(body, max(theme.touch_size, note_height), theme.gap)
    note_box, done = split_hand_side(canvas, foot, theme.units(34), theme.gap)
    _draw_note(canvas, note_box, page)
    canvas.button(done, common_strings.DONE, Reply(page.answer_for(None)), main=True, size=theme.title)
    least = _row_height(canvas, body, view)
    body, settings, _ = draw_list_page(canvas, body, page, view.visible_settings, least)
    height = min(max(theme.units(34), least), (body.h - (len(settings) - 1) * theme.gap) // max(1, len(settings)))
    for setting in settings:
        row, body = layout.split_top(body, height, theme.gap)
        _draw_setting(canvas, row, page, setting)


def _row_height(canvas: Canvas, body: Rect, view: SettingsView) -> int:
    """Return the least height of a setting's row in which every description can be read."""
    theme = canvas.theme
    width = layout.inset(body, theme.units(1.6), 0).w
    width = width if theme.portrait else (width - theme.gap) // 2
    texts = [canvas.text_height(capitalise(N(setting.description)), width) for setting in view.visible_settings]
    text_height = theme.units(5.4) + max(texts, default=0)
    needed = 2 * text_height + theme.gap if theme.portrait else text_height
    return max(theme.units(31 if theme.portrait else 17), needed + 2 * theme.units(0.8))


def _draw_note(canvas: Canvas, box: Rect, page: SettingsPage) -> None:
    """Draw where settings are stored, or why they can't be."""
    theme, view = canvas.theme, page.view
    if view.has_error:
        sign, box = layout.split_left(box, min(box.h, theme.units(6)), theme.gap)
        canvas.icon(sign, "foul", FOUL)
    colour = TEXT if view.has_error else MUTED
    canvas.text(box, strings.settings_note(view), theme.small, colour, align="left", max_lines=5)


def _draw_setting(canvas: Canvas, row: Rect, page: SettingsPage, setting: Setting) -> None:
    """Draw a setting's name and description, and at its right its values: a button each, or a number between two
    buttons."""
    theme = canvas.theme
    canvas.panel(row, PANEL)
    inner = layout.inset(row, theme.units(1.6), theme.units(0.8))
    cut = layout.rows if theme.portrait else layout.columns
    text_box, control = cut(inner, [1, 1], theme.gap)
    name, about = layout.split_top(text_box, theme.units(5.4), 0)
    canvas.text(name, strings.setting_heading(setting), theme.body, align="left")
    canvas.text(
        about,
        capitalise(N(setting.description)),
        theme.small,
        MUTED,
        align="left",
        max_lines=4,
        vertical_align="left",
    )
    current = page.value(setting)
    height = min(control.h, round(theme.touch_size * 1.2))
    if isinstance(setting.allowed, IntRange):
        _draw_number(canvas, layout.centre(control, control.w, height), page, setting, setting.allowed)
        return
    values = setting.allowed.values
    cells = layout.columns(layout.centre(control, control.w, height), [1] * len(values), theme.units(1))
    for cell, value in zip(cells, values, strict=True):
        press = Reply(page.answer_for(page.view.section, setting.key, value))
        is_language = setting.key == "screen.language"
        label = LANGUAGES.get(str(value), "") if is_language else strings.setting_value(setting, value)
        draw_choice(canvas, cell, label, press, value == current)


def _draw_number(canvas: Canvas, box: Rect, page: SettingsPage, setting: Setting, span: IntRange) -> None:
    theme, current = canvas.theme, page.value(setting)
    value = current if isinstance(current, int) else 0
    fewer, number_box, more = layout.columns(box, [3, 4, 3], theme.gap)
    canvas.text(number_box, strings.setting_value(setting, value), theme.title)
    for cell, by, icon, label in ((fewer, -1, "minus", N("less")), (more, 1, "plus", N("more"))):
        number = next_number(span, value, by)
        after, enabled = page.with_number(setting, number), number != value
        canvas.button(cell, label, after, icon=icon, icon_only=True, enabled=enabled, repeats=True)


@paints(LanguageChoice)
def draw_languages(canvas: Canvas, page: LanguageChoice) -> None:
    """Draw every language under its own name, as large as it fits."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, N("Language"))
    sign, body = layout.split_top(body, theme.units(20), theme.gap * 2)
    canvas.icon(sign, "globe", ACCENT)
    place = layout.centre(body, body.w, theme.units(40 if not theme.portrait else 90))
    cut = layout.rows if theme.portrait else layout.columns
    for cell, (code, name) in zip(cut(place, [1] * len(page.names), theme.gap * 2), page.names.items(), strict=True):
        draw_choice(canvas, cell, name, Reply(code), code == page.current, size=theme.title)
