"""The box's settings as people change them by touch, and the choice of a language. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

from pygame import Rect
from typing_extensions import override

from messages import N, capitalise
from rules.engine import AllowedValues, IntRange, Value
from ui.i18n.language import LANGUAGES, format_number, render, t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_choice, draw_header, draw_list_page, split_hand_side
from ui.screen.views import CompoundAnswer, InteractiveView, ListPage, Page, Reply
from ui.text import labels


@dataclass(frozen=True)
class Setting:
    """One setting: its ``section``, name, description (English, a message of the catalogue), value and allowed values.
    It ``is_overridden`` when the box was started with another value."""

    section: str
    name: str
    description: str
    value: Value
    allowed: AllowedValues
    is_overridden: bool = False

    @property
    def key(self) -> str:
        """Its name with its section's."""
        return f"{self.section}.{self.name}"


@dataclass(frozen=True)
class SettingsView(InteractiveView):
    """Settings, of which one ``section`` is shown. ``note`` says where they are stored or, if it ``has_error``, why
    they can't be. Answered with a SettingsAnswer."""

    is_idle = True

    settings: tuple[Setting, ...]
    section: str
    note: str = ""
    has_error: bool = False
    further_pages: tuple[str, ...] = ()
    """Sections that are pages of their own."""

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections, in order."""
        return (*dict.fromkeys(setting.section for setting in self.settings), *self.further_pages)

    @property
    def visible_settings(self) -> tuple[Setting, ...]:
        """The settings of the section that is shown."""
        return tuple(setting for setting in self.settings if setting.section == self.section)

    @override
    def first_page(self) -> "SettingsPage":
        return SettingsPage(self)


@dataclass(frozen=True)
class SettingsAnswer(CompoundAnswer):
    """The answer to a SettingsView: the changed values by key, and the section to show next (``None``: people are
    done)."""

    values: Mapping[str, Value]
    section: str | None


@dataclass(frozen=True)
class LanguageChoice(Page):
    """Choose the language: every one by its code in its own words, and the ``current`` one. Answered with a code."""

    is_idle = True

    names: Mapping[str, str]
    current: str


@dataclass(frozen=True)
class SettingsPage(ListPage):
    """Settings and what was changed but is not stored yet. Numbers are stored once people go on to another section or
    leave: a finger that stays on a button runs through many."""

    view: SettingsView
    changed: Mapping[str, Value] = field(default_factory=dict)

    def value(self, setting: Setting) -> Value:
        """Return the current value of a setting."""
        return self.changed.get(setting.key, setting.value)

    def answer_for(self, section: str | None, key: str = "", value: Value = None) -> SettingsAnswer:
        """Return the answer that leads to ``section``, with the setting ``key`` changed if one is given."""
        return SettingsAnswer(MappingProxyType({**self.changed, **({key: value} if key else {})}), section)

    def with_number(self, setting: Setting, value: int) -> Self:
        """Return the page with a number changed."""
        return replace(self, changed=MappingProxyType({**self.changed, setting.key: value}))


def next_number(span: IntRange, value: int, by: int) -> int:
    """Return a number one step down (-1) or up (1): the next multiple of the step, within the span. A value between two
    steps moves onto one."""
    step = span.step
    after = (value // step + by) * step if by > 0 else -(-value // step) * step + by * step
    return max(span.start, min(span.stop, after))


SECTION_NAMES = {
    "screen": N("Screen"),
    "sound": N("Sound"),
    "rules": N("House rules"),
    "cards": N("Cards"),
    "clips": N("Clips"),
    "buttons": N("Buttons"),
    "box": N("This box"),
}
"""The sections of the settings."""
SETTING_NAMES = {
    "screen.language": N("Language"),
    "screen.handed": N("Main buttons"),
    "screen.rotation": N("Rotate the screen"),
    "screen.slow_motion": N("Slow motion"),
    "screen.motion": N("Motion"),
    "screen.second": N("Second screen"),
    "screen.dark_after_min": N("Dark after"),
    "sound.on": N("Sound"),
    "sound.count": N("Count"),
    "sound.results": N("Speak results"),
    "sound.volume": N("Volume"),
    "sound.delay_ms": N("Loudspeaker’s delay"),
    "rules.window_ms": N("Window"),
    "rules.on_foul": N("After a foul"),
    "rules.forfeit_after": N("Replays before forfeit"),
    "rules.beat_ms": N("Beat"),
    "cards.throw_with": N("Throw with"),
    "clips.keep_hours": N("Keep frames"),
    "clips.keep_mb": N("Space for frames"),
    "buttons.on": N("Buttons and lights"),
    "buttons.hold_ms": N("Hold time"),
    "buttons.repeat_ms": N("Repeat time"),
}
"""The heading of each setting."""
VALUE_WORDS: dict[Value, str] = {
    "right": N("Right"),
    "left": N("Left"),
    "always": N("Always"),
    "important": N("Close rounds"),
    "never": N("Never"),
    "tones": N("Tones"),
    "voice": N("Voice"),
    "both": N("Both"),
    "full": N("Full"),
    "reduced": N("Reduced"),
    "auto": N("If connected"),
    "off": N("Off"),
    "replay": N("Again"),
    "stand": N("It stands"),
    "forfeit": N("No throw"),
    "hands": N("Hands"),
    "cards": N("Cards"),
}
"""The values that are words, shorter than in the file."""
ZERO_WORDS = {
    "rules.forfeit_after": N("unlimited"),
    "screen.dark_after_min": N("never"),
    "clips.keep_hours": N("never"),
}
"""What 0 means, by setting."""
UNITS = {"_ms": N("{number} ms"), "_min": N("{number} min"), "_hours": N("{number} h"), "_mb": N("{number} MB")}
"""Numbers with their units, by the ending of the setting's name."""
RESTART_SECTION = "buttons"
"""The section whose settings are read only when the box starts."""


def setting_heading(setting: Setting) -> str:
    """A setting's heading, with a star if the box was started with another value."""
    label = render(SETTING_NAMES.get(setting.key, setting.name))
    return f"{label} *" if setting.is_overridden else label


def settings_note(view: SettingsView) -> str:
    """The note below the settings: the meaning of a star, or where settings are stored and whether changes need a
    restart, or why they can't be stored."""
    if any(setting.is_overridden for setting in view.visible_settings) and not view.has_error:
        return t("* Throwlock was started with another value, which applies until it is closed.")
    if view.section == RESTART_SECTION and not view.has_error:
        return t("Changes take effect after a restart. {kept}", kept=view.note)
    return render(view.note)


def setting_value(setting: Setting, value: Value) -> str:
    """A value of a setting."""
    if isinstance(value, bool):
        return t("On") if value else t("Off")
    if value == 0 and setting.key in ZERO_WORDS:
        return t(ZERO_WORDS[setting.key])
    if setting.key == "screen.rotation":
        return f"{value}°"
    if isinstance(value, int):
        unit = next((unit for ending, unit in UNITS.items() if setting.name.endswith(ending)), "{number}")
        return t(unit, number=format_number(value))
    return VALUE_WORDS.get(value, str(value))


@paints(SettingsPage)
def draw_settings(canvas: Canvas, page: SettingsPage) -> None:
    """Draw the sections in a row, the settings of one of them, and where they are stored."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, N("Settings")) if theme.portrait else canvas.page
    names = [SECTION_NAMES.get(section, section) for section in view.sections]
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
    note_height = canvas.text_height(settings_note(view), note_width)
    body, foot = layout.split_bottom(body, max(theme.touch_size, note_height), theme.gap)
    note_box, done = split_hand_side(canvas, foot, theme.units(34), theme.gap)
    _draw_note(canvas, note_box, page)
    canvas.button(done, labels.DONE, Reply(page.answer_for(None)), main=True, size=theme.title)
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
        icon_box, box = layout.split_left(box, min(box.h, theme.units(6)), theme.gap)
        canvas.icon(icon_box, "foul", FOUL)
    colour = TEXT if view.has_error else MUTED
    canvas.text(box, settings_note(view), theme.small, colour, align="left", max_lines=5)


def _draw_setting(canvas: Canvas, row: Rect, page: SettingsPage, setting: Setting) -> None:
    """Draw a setting's name and description, and at its right its values: a button each, or a number between two
    buttons."""
    theme = canvas.theme
    canvas.panel(row, PANEL)
    inner = layout.inset(row, theme.units(1.6), theme.units(0.8))
    cut = layout.rows if theme.portrait else layout.columns
    text_box, control = cut(inner, [1, 1], theme.gap)
    name, about = layout.split_top(text_box, theme.units(5.4), 0)
    canvas.text(name, setting_heading(setting), theme.body, align="left")
    canvas.text(
        about,
        capitalise(N(setting.description)),
        theme.small,
        MUTED,
        align="left",
        max_lines=4,
        vertical_align="top",
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
        label = LANGUAGES.get(str(value), "") if is_language else setting_value(setting, value)
        draw_choice(canvas, cell, label, press, value == current)


def _draw_number(canvas: Canvas, box: Rect, page: SettingsPage, setting: Setting, span: IntRange) -> None:
    theme, current = canvas.theme, page.value(setting)
    value = current if isinstance(current, int) else 0
    fewer, number_box, more = layout.columns(box, [3, 4, 3], theme.gap)
    canvas.text(number_box, setting_value(setting, value), theme.title)
    for cell, by, icon, label in ((fewer, -1, "minus", N("less")), (more, 1, "plus", N("more"))):
        number = next_number(span, value, by)
        after, enabled = page.with_number(setting, number), number != value
        canvas.button(cell, label, after, icon=icon, icon_only=True, enabled=enabled, repeats=True)


@paints(LanguageChoice)
def draw_languages(canvas: Canvas, page: LanguageChoice) -> None:
    """Draw every language under its own name, as large as it fits."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, N("Language"))
    icon_box, body = layout.split_top(body, theme.units(20), theme.gap * 2)
    canvas.icon(icon_box, "globe", ACCENT)
    rect = layout.centre(body, body.w, theme.units(40 if not theme.portrait else 90))
    cut = layout.rows if theme.portrait else layout.columns
    for cell, (code, name) in zip(cut(rect, [1] * len(page.names), theme.gap * 2), page.names.items(), strict=True):
        draw_choice(canvas, cell, name, Reply(code), code == page.current, size=theme.title)
