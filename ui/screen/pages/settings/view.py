"""The box's settings as people change them by touch, and the choice of a language. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

from rules.engine import AllowedValues, IntRange, Value
from ui.screen.pages.answers import CompoundAnswer
from ui.screen.pages.views import InteractiveView, ListPage, Page


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

    def first_page(self) -> "SettingsPage":
        """See InteractiveView."""
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
