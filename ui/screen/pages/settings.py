"""The box's settings as people change them by touch, and the choice of a language. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Self

from typing_extensions import override

from messages import N, capitalise
from rules.engine import AllowedValues, IntRange, Value
from ui.i18n.language import LANGUAGES, format_number, render, t
from ui.screen.drawing.forms import (
    Centred,
    Column,
    Either,
    Flip,
    Form,
    Grid,
    HandRow,
    Heading,
    ItemList,
    Row,
    lays_out,
)
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Choice, Icon, Space, Text, note
from ui.screen.drawing.theme import FOUL, MUTED, TEXT
from ui.screen.views import CompoundAnswer, InteractiveView, ListPage, Page, Reply
from ui.text import labels


@dataclass(frozen=True)
class Setting:
    """One setting."""

    section: str
    name: str
    description: str
    """English, a message of the catalogue."""
    value: Value
    allowed: AllowedValues
    is_overridden: bool = False
    """Whether the box was started with another value."""

    @property
    def key(self) -> str:
        """Its name with its section's."""
        return f"{self.section}.{self.name}"


@dataclass(frozen=True)
class SettingsView(InteractiveView):
    """Settings. Answered with a SettingsAnswer."""

    is_idle = True

    settings: tuple[Setting, ...]
    section: str
    """The one that is shown."""
    note: str = ""
    """Where they are stored, or why they can't be."""
    has_error: bool = False
    """Whether they can't be stored."""
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
    """The answer to a SettingsView."""

    values: Mapping[str, Value]
    """The changed values, by key."""
    section: str | None
    """The section to show next; None: people are done."""


@dataclass(frozen=True)
class LanguageChoice(Page):
    """Choose the language. Answered with a code."""

    is_idle = True

    names: Mapping[str, str]
    """Every language in its own words, by its code."""
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
    "screen.contrast": N("Contrast"),
    "screen.text": N("Text size"),
    "screen.children": N("Children’s mode"),
    "screen.second": N("Second screen"),
    "screen.dark_after_min": N("Dark after"),
    "sound.on": N("Sound"),
    "sound.count": N("Count"),
    "sound.results": N("Speak results"),
    "sound.volume": N("Volume"),
    "sound.music": N("Music"),
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
    "usual": N("Usual"),
    "high": N("High"),
    "large": N("Large"),
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
    "sound.music": N("off"),
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


@lays_out(SettingsPage)
def lay_out_settings(page: SettingsPage) -> Column:
    """Return the sections in a row, the settings of one of them, and where they are stored."""
    view = page.view
    sections = [
        Choice(
            SECTION_NAMES.get(name, name),
            Reply(page.answer_for(name)),
            name == view.section,
            ("small", "body"),
            hugs=True,
        )
        for name in view.sections
    ]
    words = note(settings_note(view), TEXT if view.has_error else MUTED, lines=5)
    done = Button(labels.DONE, Reply(page.answer_for(None)), main=True)
    return Column(
        Heading(N("Settings"), length=(0, 7.5)),
        Either(Centred(Row(*sections, spread=100), TOUCH, fits=True), Grid(sections, 2, most=TOUCH, fits=True)),
        ItemList(page, view.visible_settings, partial(_setting_card, page), (17, 31), 34),
        HandRow(
            Row(Icon("foul", FOUL, length=6) if view.has_error else None, words),
            Centred(done, TOUCH, fits=True, length=34),
        ),
    )


def _setting_card(page: SettingsPage, setting: Setting) -> CardPanel:
    """Return a setting's name and description, and at its right its values: a button each, or a number between two
    buttons."""
    if isinstance(setting.allowed, IntRange):
        control = _number(page, setting, setting.allowed)
    else:
        names = LANGUAGES if setting.key == "screen.language" else {}
        choices = (
            Choice(
                names.get(str(value)) or setting_value(setting, value),
                Reply(page.answer_for(page.view.section, setting.key, value)),
                value == page.value(setting),
            )
            for value in setting.allowed.values
        )
        control = Row(*choices, gap=1)
    heading = Text(setting_heading(setting), lines=1, align="left", length=5.4)
    words = Column(heading, note(capitalise(N(setting.description)), lines=4), gap=0)
    return CardPanel(Flip(words, Centred(control, 1.2 * TOUCH, fits=True)), across=1.6, down=0.8)


def _number(page: SettingsPage, setting: Setting, span: IntRange) -> Row:
    current = page.value(setting)
    value = current if isinstance(current, int) else 0

    def step(by: int, icon: str, label: str) -> Button:
        number = next_number(span, value, by)
        after, enabled = page.with_number(setting, number), number != value
        return Button(label, after, icon, icon_only=True, enabled=enabled, repeats=True, share=3)

    number = Text(setting_value(setting, value), "title", lines=1, share=4)
    return Row(step(-1, "minus", N("less")), number, step(1, "plus", N("more")))


@lays_out(LanguageChoice)
def lay_out_languages(page: LanguageChoice) -> Form:
    """Return every language under its own name, as large as it fits."""
    choices = (Choice(name, Reply(code), code == page.current, "title") for code, name in page.names.items())
    globe = Icon("globe", length=20)
    return Form(N("Language"), globe, Space(), Flip(*choices, gap=2 * GAP, length=(40, 90)), Space())
