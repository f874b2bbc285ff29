"""The box's settings as people change them by touch, and the choice of a language: plain data, and the presses on it.
Pure, like ``ui.screen.core.page_stack``."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.engine import AllowedValues, Choices, IntRange, Value


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
class SettingsView:
    """Settings, of which one ``section`` is shown. ``note`` says where they are stored or, if it ``has_error``, why
    they can't be. Answered with a SettingsAnswer."""

    settings: tuple[Setting, ...]
    section: str
    note: str = ""
    has_error: bool = False

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections, in order."""
        return tuple(dict.fromkeys(setting.section for setting in self.settings))

    @property
    def visible_settings(self) -> tuple[Setting, ...]:
        """The settings of the section that is shown."""
        return tuple(setting for setting in self.settings if setting.section == self.section)


@dataclass(frozen=True)
class SettingsAnswer:
    """The answer to a SettingsView: the changed values by key, and the section to show next (``None``: people are
    done)."""

    values: Mapping[str, Value]
    section: str | None


@dataclass(frozen=True)
class LanguageChoice:
    """Choose the language: every one by its code in its own words, and the ``current`` one. Answered with a code."""

    names: Mapping[str, str]
    current: str


@dataclass(frozen=True)
class AdjustSetting:
    """Press: change a number among the settings."""

    key: str
    value: int


@dataclass(frozen=True)
class SettingsPage:
    """Settings and what was changed but is not stored yet. Numbers are stored once people go on to another section or
    leave: a finger that stays on a button runs through many."""

    view: SettingsView
    changed: Mapping[str, Value] = field(default_factory=dict)
    list_page: int = 0

    def value(self, setting: Setting) -> Value:
        """Return the current value of a setting."""
        return self.changed.get(setting.key, setting.value)

    def answer_for(self, section: str | None, key: str = "", value: Value = None) -> SettingsAnswer:
        """Return the answer that leads to ``section``, with the setting ``key`` changed if one is given."""
        return SettingsAnswer(MappingProxyType({**self.changed, **({key: value} if key else {})}), section)


def next_setting(page: SettingsPage, press: object) -> SettingsPage:
    """Return the page after a press. A press without a meaning changes nothing."""
    if isinstance(press, AdjustSetting):
        setting = next((other for other in page.view.visible_settings if other.key == press.key), None)
        if (
            setting is not None
            and isinstance(setting.allowed, IntRange)
            and setting.allowed.start <= press.value <= setting.allowed.stop
        ):
            return replace(page, changed=MappingProxyType({**page.changed, press.key: press.value}))
    return page


def next_number(span: IntRange, value: int, by: int) -> int:
    """Return a number one step down (-1) or up (1): the next multiple of the step, within the span. A value between two
    steps moves onto one."""
    step = span.step
    after = (value // step + by) * step if by > 0 else -(-value // step) * step + by * step
    return max(span.start, min(span.stop, after))


def listed_values(setting: Setting) -> tuple[Value, ...]:
    """Return the values a setting is chosen from; none if it is a number."""
    return setting.allowed.values if isinstance(setting.allowed, Choices) else ()
