"""Painters of the settings, a part at a time, and of the languages, each called as its own speakers call it."""

from pygame import Rect

from rules.engine import Span, Value
from ui.i18n.language import LANGUAGES
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import hand_side, head, leaves, turner
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.settings import strings as settings_strings
from ui.screen.pages.settings.view import Adjust, Languages, Setting, SettingsPage, listed, moved


def settings(canvas: Canvas, page: SettingsPage) -> None:
    """The parts in a row, the settings of one of them, and where they are kept."""
    theme, view = canvas.theme, page.view
    body = head(canvas, canvas.page, settings_strings.SETTINGS) if theme.portrait else canvas.page
    across = 2 if theme.portrait else len(view.parts)
    down = -(-len(view.parts) // across)
    bar, body = layout.top(body, down * theme.touch + (down - 1) * theme.gap, theme.gap)
    for cell, part in zip(layout.grid(bar, len(view.parts), across, theme.gap), view.parts, strict=True):
        _choice(canvas, cell, settings_strings.PARTS.get(part, part), Reply(page.leading(part)), part == view.part)
    body, foot = layout.bottom(body, theme.touch, theme.gap)
    told, done = hand_side(canvas, foot, theme.units(34), theme.gap)
    _told(canvas, told, page)
    canvas.button(done, settings_strings.DONE, Reply(page.leading(None)), main=True, size=theme.title)
    shown = view.shown
    least = theme.units(27 if theme.portrait else 14.5) + theme.gap  # what one is for must be read
    room = max(1, (body.h + theme.gap) // least)
    if len(shown) > room:
        body, turn = layout.bottom(body, theme.touch, theme.gap)
        room = max(1, (body.h + theme.gap) // least)
        turner(canvas, turn, page.leaf, leaves(len(shown), room))
        shown = shown[page.leaf * room : (page.leaf + 1) * room]
    high = min(theme.units(34), (body.h - (len(shown) - 1) * theme.gap) // max(1, len(shown)))
    for one in shown:
        row, body = layout.top(body, high, theme.gap)
        _setting(canvas, row, page, one)


def _told(canvas: Canvas, box: Rect, page: SettingsPage) -> None:
    """Where settings are kept, or why they can't be."""
    theme, view = canvas.theme, page.view
    if view.wrong:
        sign, box = layout.left(box, min(box.h, theme.units(6)), theme.gap)
        canvas.icon(sign, "foul", FOUL)
    colour = TEXT if view.wrong else MUTED
    canvas.text(box, settings_strings.told(view), theme.small, colour, side="left", lines=3, least=theme.units(2.2))


def _setting(canvas: Canvas, row: Rect, page: SettingsPage, setting: Setting) -> None:
    """What it is and is for; at its right what it can be: a button each, or a number between two buttons."""
    theme = canvas.theme
    canvas.panel(row, PANEL)
    inner = layout.inside(row, theme.units(1.6), theme.units(0.8))
    cut = layout.rows if theme.portrait else layout.columns
    told, control = cut(inner, [1, 1], theme.gap)
    name, about = layout.top(told, theme.units(5.2), 0)
    canvas.text(name, settings_strings.name(setting), theme.body, side="left")
    canvas.text(
        about,
        settings_strings.about(setting),
        theme.small,
        MUTED,
        side="left",
        lines=4,
        least=theme.units(2.6),
        at="left",
    )
    now = page.value(setting)
    high = min(control.h, round(theme.touch * 1.2))
    if isinstance(setting.allowed, Span):
        _number(canvas, layout.middle(control, control.w, high), setting, now if isinstance(now, int) else 0)
        return
    values = listed(setting)
    cells = layout.columns(layout.middle(control, control.w, high), [1] * len(values), theme.units(1))
    for cell, value in zip(cells, values, strict=True):
        press = Reply(page.leading(page.view.part, setting.key, value))
        _choice(canvas, cell, _value(setting, value), press, value == now)


def _value(setting: Setting, value: Value) -> str:
    return LANGUAGES.get(str(value), "") if setting.key == "screen.language" else settings_strings.value(setting, value)


def _number(canvas: Canvas, box: Rect, setting: Setting, now: int) -> None:
    theme = canvas.theme
    if not isinstance(setting.allowed, Span):
        return
    fewer, here, more = layout.columns(box, [3, 4, 3], theme.gap)
    canvas.text(here, settings_strings.value(setting, now), theme.title)
    for cell, by, drawing, label in (
        (fewer, -1, "minus", settings_strings.FEWER),
        (more, 1, "plus", settings_strings.MORE),
    ):
        after = moved(setting.allowed, now, by)
        canvas.button(cell, label, Adjust(setting.key, after), drawing=drawing, bare=True, able=after != now)


def _choice(canvas: Canvas, box: Rect, label: str, press: Reply, chosen: bool, *, large: bool = False) -> None:
    """One of several: the chosen one has an edge and a tick, and stands out by its light."""
    theme = canvas.theme
    edge, width = (ACCENT, theme.units(0.7)) if chosen else (LINE, theme.units(0.3))
    canvas.panel(box, RAISED if chosen else BACKGROUND, edge=edge, width=width)
    canvas.target(box, press, label)
    inner = layout.inside(box, theme.units(1), theme.units(0.6))
    size = theme.title if large else theme.body
    if chosen:
        side, gap = min(inner.h, size), theme.units(0.8)
        took = canvas.width(label, size, inner.w - side - gap, inner.h)
        sign, inner = layout.left(layout.middle(inner, side + gap + took, inner.h), side, gap)
        canvas.icon(sign, "good", ACCENT)
    canvas.text(inner, label, size, TEXT if chosen else MUTED, lines=2, least=theme.units(2.4))


def languages(canvas: Canvas, page: Languages) -> None:
    """Every language by its own name, as large as it goes."""
    theme = canvas.theme
    body = head(canvas, canvas.page, settings_strings.LANGUAGE)
    sign, body = layout.top(body, theme.units(20), theme.gap * 2)
    canvas.icon(sign, "globe", ACCENT)
    place = layout.middle(body, body.w, theme.units(40 if not theme.portrait else 90))
    cut = layout.rows if theme.portrait else layout.columns
    for cell, (code, name) in zip(cut(place, [1] * len(page.named), theme.gap * 2), page.named.items(), strict=True):
        _choice(canvas, cell, name, Reply(code), code == page.spoken, large=True)
