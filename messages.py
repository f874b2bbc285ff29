"""Messages: English texts that can be shown in other languages. Any package may import this module, which knows no
language itself; ``ui.i18n.language`` does.

``N`` and, for plurals, ``ngettext_lazy`` return a ``LazyText``: an English string that the screen translates when it
draws it. They are for constants, and for all that is raised, stored, sent or passed on before it is drawn. The journal,
exports, the web pages and the terminal use a LazyText as the English string it is, whatever the screen's language.

String operations on a LazyText (``+``, an f-string, ``upper``) give plain English: use it as a value of another
message, or use ``join`` and ``capitalise``. ``python -m tools.i18n.messages`` collects all messages into the
catalogues.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from gettext import NullTranslations
from typing import Protocol, Self

from typing_extensions import override

ENGLISH = NullTranslations()


JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""What Python calls unprintable, yet Persian, Hindi and others can't be written without."""
LEFTWARD = ("R", "AL")
"""The directions, as ``unicodedata.bidirectional`` has them, of letters that run leftwards."""
ISOLATES = "\N{LEFT-TO-RIGHT ISOLATE}\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
"""What ``isolate`` puts around a text: one of the first two, and the last."""


def is_printable(text: str) -> bool:
    """Whether a text can be shown on one line. Joiners, of which only the effect is seen, can."""
    return all(letter.isprintable() or letter in JOINERS for letter in text)


def shorten(text: str, length: int = 60) -> str:
    """Return text from outside as an error shows it: on one line, printable, cut to ``length`` characters."""
    line = "".join(letter if is_printable(letter) else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return line if len(line) <= length else line[:length] + "…"


class TextSource(Protocol):
    """What a LazyText is rendered from."""

    def render(self, translations: NullTranslations) -> str:
        """Return the text as ``translations`` has it."""

    def map_strings(self, change: Callable[[str], str]) -> Self:
        """Return a copy with ``change`` applied to every plain string among its values: itself where it has none."""
        return self


class LazyText(str):
    """An English string that can be rendered in every language. Made by ``N``, ``ngettext_lazy``, ``join``,
    ``capitalise`` and ``ui.i18n.language.format_datetime``."""

    source: TextSource

    @classmethod
    def from_source(cls, source: TextSource) -> Self:
        """Return the text that ``source`` renders."""
        text = cls(source.render(ENGLISH))
        text.source = source
        return text

    def render(self, translations: NullTranslations) -> str:
        """Return the text as ``translations`` has it."""
        return self.source.render(translations)

    def map_strings(self, change: Callable[[str], str]) -> "LazyText":
        """Return the text with ``change`` applied to every plain string put into it, such as a name."""
        return LazyText.from_source(self.source.map_strings(change))


@dataclass(frozen=True)
class Message(TextSource):
    """A message of the catalogues and the values of its ``{fields}``."""

    singular: str
    plural: str | None = None
    count: int = 1
    context: str | None = None
    """Distinguishes two meanings of one English text; None where there is one."""
    fields: Mapping[str, object] = field(default_factory=dict)

    @override
    def render(self, translations: NullTranslations) -> str:
        if self.plural is None and self.context is None:
            text = translations.gettext(self.singular) if self.singular else ""  # gettext has its header under ""
        elif self.plural is None:
            text = translations.pgettext(str(self.context), self.singular)
        elif self.context is None:
            text = translations.ngettext(self.singular, self.plural, self.count)
        else:
            text = translations.npgettext(self.context, self.singular, self.plural, self.count)
        if not self.fields:
            return text
        return text.format(**{name: _render_value(value, translations) for name, value in self.fields.items()})

    @override
    def map_strings(self, change: Callable[[str], str]) -> Self:
        return replace(self, fields={name: _map_value(change, value) for name, value in self.fields.items()})


@dataclass(frozen=True)
class _JoinedTexts(TextSource):
    """Texts joined by a separator, with a capital first if ``capitalised``."""

    parts: tuple[object, ...]
    separator: str = ""
    capitalised: bool = False

    @override
    def render(self, translations: NullTranslations) -> str:
        text = self.separator.join(str(_render_value(part, translations)) for part in self.parts)
        return text[:1].upper() + text[1:] if self.capitalised else text

    @override
    def map_strings(self, change: Callable[[str], str]) -> Self:
        return replace(self, parts=tuple(_map_value(change, part) for part in self.parts))


def _render_value(value: object, translations: NullTranslations) -> object:
    if isinstance(value, LazyText):
        return value.render(translations)
    return isolate(value) if isinstance(value, str) else value


def isolate(text: str) -> str:
    """Return ``text`` so that it can stand in a line that runs from left to right: one with letters that run leftwards,
    such as a Hebrew name, is a unit of its own, else a name or figure next to it would change places with it."""
    directions = set(map(unicodedata.bidirectional, text))
    if directions.isdisjoint(LEFTWARD):
        return text
    return ISOLATES[0 if "L" in directions else 1] + text + ISOLATES[2]


def _map_value(change: Callable[[str], str], value: object) -> object:
    if isinstance(value, LazyText):
        return value.map_strings(change)
    return change(value) if isinstance(value, str) else value


def N(message: str, context: str | None = None, /, **fields: object) -> LazyText:  # noqa: N802 - the usual name for marking a message
    """Return the English ``message`` with ``fields`` in its braces, to be translated when it is drawn. ``context``
    distinguishes two meanings of one English text."""
    return LazyText.from_source(Message(message, context=context, fields=fields))


def ngettext_lazy(singular: str, plural: str, count: int, context: str | None = None, /, **fields: object) -> LazyText:
    """As ``N``, with a plural; ``{count}`` is among the fields."""
    return LazyText.from_source(Message(singular, plural, count, context, {"count": count, **fields}))


def join(parts: Iterable[str], separator: str = " ") -> LazyText:
    """Return texts, names and numbers joined by ``separator``, to be translated when they are drawn."""
    return LazyText.from_source(_JoinedTexts(tuple(parts), separator))


def capitalise(text: str) -> LazyText:
    """Return ``text`` with a capital first, in whatever language."""
    return LazyText.from_source(_JoinedTexts((text,), capitalised=True))
