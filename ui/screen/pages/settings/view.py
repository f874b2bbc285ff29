"""The box's settings as people change them by touch, and the page on which a language is chosen: plain data, and what a
press makes of it. Pure, as ``ui.screen.core.page_stack``."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.engine import AllowedValues, Choices, IntRange, Value


@dataclass(frozen=True)
class Setting:
    """One setting: the ``part`` it stands in, its name, what it is for (English, a catalogue's message), what it is
    and can be. One that was ``given`` for now when the box was started says so."""

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
    """Settings, of which those of one ``part`` are shown. ``told`` says where they are kept or, if ``wrong``, why they
    can't be. Answered with a Changed."""

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
    """The answer to Settings: what was changed, by key, and the part to show then (``None``: people are done)."""

    values: Mapping[str, Value]
    section: str | None


@dataclass(frozen=True)
class LanguageChoice:
    """Choose the language: every one by its code, as its own speakers call it, and the ``spoken`` one. Answered with a
    code."""

    names: Mapping[str, str]
    current: str


@dataclass(frozen=True)
class AdjustSetting:
    """A press that changes a number among the settings."""

    key: str
    value: int


@dataclass(frozen=True)
class SettingsPage:
    """Settings, and what was changed since and is not kept yet. Numbers are kept once people go on to another part, or
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
