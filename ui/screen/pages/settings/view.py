"""The box's settings as people change them by touch, and the page on which a language is chosen: plain data, and what a
press makes of it. Pure, as ``ui.screen.core.page_stack``."""

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
        """Its name with its part's."""
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
        """The parts there are, in order."""
        return tuple(dict.fromkeys(one.section for one in self.settings))

    @property
    def shown(self) -> tuple[Setting, ...]:
        """The settings of the part that is shown."""
        return tuple(one for one in self.settings if one.section == self.section)


@dataclass(frozen=True)
class SettingsAnswer:
    """The answer to a SettingsView: what was changed, by key, and the section to show next (``None``: people are
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
        """What a setting is now."""
        return self.changed.get(setting.key, setting.value)

    def answer_for(self, section: str | None, key: str = "", value: Value = None) -> SettingsAnswer:
        """The answer that leads to ``part``, with the setting ``key`` changed if one is given."""
        return SettingsAnswer(MappingProxyType({**self.changed, **({key: value} if key else {})}), section)


def next_setting(page: SettingsPage, press: object) -> SettingsPage:
    """The page after a press; one that means nothing leaves it as it is."""
    if isinstance(press, AdjustSetting):
        one = next((one for one in page.view.shown if one.key == press.key), None)
        if (
            one is not None
            and isinstance(one.allowed, IntRange)
            and one.allowed.start <= press.value <= one.allowed.stop
        ):
            return replace(page, changed=MappingProxyType({**page.changed, press.key: press.value}))
    return page


def next_number(span: IntRange, value: int, by: int) -> int:
    """A number a step down (-1) or up (1): onto the next multiple of the step, as far as the span goes. One that the
    file has between two steps comes onto them."""
    step = span.step
    after = (value // step + by) * step if by > 0 else -(-value // step) * step + by * step
    return max(span.start, min(span.stop, after))


def listed_values(setting: Setting) -> tuple[Value, ...]:
    """What a setting is chosen from; nothing where it is a number."""
    return setting.allowed.values if isinstance(setting.allowed, Choices) else ()
