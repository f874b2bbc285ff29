"""Translation of everything people read on the screen. The code is written in English; each other language is a gettext
catalogue in ``ui/i18n/languages``. The language can change while a page is shown: the next frame is in the new one.

Four functions, two for each moment of translation:

- ``t`` and, for plurals, ``ngettext`` translate now and return a plain string. Only for what is drawn at once, such as
  the words of ``ui/screen/pages/*/strings.py``.
- ``N`` and, for plurals, ``ngettext_lazy`` return a ``LazyText``: an English string that the screen translates when it
  draws it (``render``, which the Canvas calls on every text). For constants, and for all that is stored, sent or passed
  on before it is drawn. The journal, exports, the web pages and the terminal use it as the English string it is,
  whatever the screen's language. Only the code that runs the screen calls ``set_language``.

String operations on a LazyText (``+``, an f-string, ``upper``) give plain English: use it as a value of another
message, or use ``join`` and ``capitalise``. ``python -m tools.i18n.messages`` collects all messages into
the catalogues.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from gettext import c2py
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, Self

from babel import dates, numbers
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

LANGUAGES = MappingProxyType({"en": "English", "de": "Deutsch", "fr": "Français"})
"""The languages by code, each named in itself."""
PSEUDO_LANGUAGE = "xx"
"""Pseudo-localization for tests: every translated text is put in ``⟦ ⟧``, so that untranslated text stands out."""
CATALOGUE_DIR = Path(__file__).parent / "languages"
_LOCALES = {"en": "en_GB", PSEUDO_LANGUAGE: "en_GB"}
"""The locales for numbers and dates that differ from the language's code."""

_current = ["en"]


def set_language(code: str) -> None:
    """Set the screen's language. Raises ValueError for an unknown ``code``, OSError where its catalogue is missing."""
    if code not in LANGUAGES and code != PSEUDO_LANGUAGE:
        raise ValueError(f"there is no language {code!r}: the box speaks {', '.join(LANGUAGES)}")
    if code not in ("en", PSEUDO_LANGUAGE):
        load_catalogue(code)  # read here, not by the thread that draws
    _current[0] = code


def current_language() -> str:
    """Return the code of the screen's language."""
    return _current[0]


class _TextSource(Protocol):
    """What a LazyText is rendered from."""

    def render(self, code: str) -> str:
        """Return the text in the language ``code``."""

    def map_strings(self, change: Callable[[str], str]) -> Self:
        """Return a copy with ``change`` applied to every plain string among its values."""


class LazyText(str):
    """An English string that can be rendered in every language. Made by ``N``, ``ngettext_lazy``, ``join``,
    ``capitalise`` and ``format_datetime``."""

    source: _TextSource

    @classmethod
    def from_source(cls, source: _TextSource) -> Self:
        """Return the text that ``source`` renders."""
        text = cls(source.render("en"))
        text.source = source
        return text

    def render(self, code: str) -> str:
        """Return the text in the language ``code``."""
        return self.source.render(code)

    def map_strings(self, change: Callable[[str], str]) -> "LazyText":
        """Return the text with ``change`` applied to every plain string put into it, such as a name."""
        return LazyText.from_source(self.source.map_strings(change))


def _render_fact(code: str, fact: object) -> object:
    return fact.render(code) if isinstance(fact, LazyText) else fact


def _map_fact(change: Callable[[str], str], fact: object) -> object:
    if isinstance(fact, LazyText):
        return fact.map_strings(change)
    return change(fact) if isinstance(fact, str) else fact


@dataclass(frozen=True)
class _Message:
    """A message of the catalogues and the values of its ``{fields}``."""

    singular: str
    plural: str | None
    count: int | None
    context: str | None
    facts: Mapping[str, object]

    def render(self, code: str) -> str:
        english = self.singular if self.plural is None or self.count == 1 else self.plural
        text = english
        if code not in ("en", PSEUDO_LANGUAGE):
            text = _look_up(code, self.singular, self.plural, self.count, self.context) or english
        if self.facts:
            text = text.format(**{name: _render_fact(code, fact) for name, fact in self.facts.items()})
        return f"⟦{text}⟧" if code == PSEUDO_LANGUAGE else text

    def map_strings(self, change: Callable[[str], str]) -> "_Message":
        return replace(self, facts={name: _map_fact(change, fact) for name, fact in self.facts.items()})


@dataclass(frozen=True)
class _JoinedTexts:
    """Texts joined by a separator, with a capital first if ``capitalised``."""

    parts: tuple[str, ...]
    separator: str = ""
    capitalised: bool = False

    def render(self, code: str) -> str:
        text = self.separator.join(str(_render_fact(code, part)) for part in self.parts)
        return text[:1].upper() + text[1:] if self.capitalised else text

    def map_strings(self, change: Callable[[str], str]) -> "_JoinedTexts":
        return replace(self, parts=tuple(_as_str(_map_fact(change, part)) for part in self.parts))


@dataclass(frozen=True)
class _DateTimeText:
    """A date ("long", "medium", or "" for none), and the time of day if ``with_time``."""

    time: datetime
    date_format: str
    with_time: bool

    def render(self, code: str) -> str:
        locale = _LOCALES.get(code, code)
        day = dates.format_date(self.time, self.date_format, locale=locale) if self.date_format else ""
        return ", ".join([*([day] if day else []), *([f"{self.time:%H:%M}"] if self.with_time else [])])

    def map_strings(self, change: Callable[[str], str]) -> "_DateTimeText":
        return self


def _as_str(fact: object) -> str:
    """Return ``fact`` as a string; a LazyText stays one."""
    return fact if isinstance(fact, str) else str(fact)


def N(message: str, context: str | None = None, /, **facts: object) -> LazyText:  # noqa: N802 - the usual name for marking a message
    """Return the English ``message`` with ``facts`` in its ``{fields}``, to be translated when it is drawn. ``context``
    distinguishes two meanings of one English text."""
    return LazyText.from_source(_Message(message, None, None, context, facts))


def ngettext_lazy(singular: str, plural: str, count: int, context: str | None = None, /, **facts: object) -> LazyText:
    """As ``N``, with a plural; ``{count}`` is among the facts."""
    return LazyText.from_source(_Message(singular, plural, count, context, {"count": count, **facts}))


def join(parts: Iterable[str], separator: str = " ") -> LazyText:
    """Return texts, names and numbers joined by ``separator``, to be translated when they are drawn."""
    return LazyText.from_source(_JoinedTexts(tuple(parts), separator))


def capitalise(text: str) -> LazyText:
    """Return ``text`` with a capital first, in whatever language."""
    return LazyText.from_source(_JoinedTexts((text,), capitalised=True))


def format_datetime(time: datetime, date_format: str = "medium", *, with_time: bool = True) -> LazyText:
    """Return a time as "21 Nov 2026, 12:49"; ``date_format`` is "long" (month in full), "medium", or "" for no date."""
    return LazyText.from_source(_DateTimeText(time, date_format, with_time))


def t(message: str, context: str | None = None, /, **facts: object) -> str:
    """As ``N``, but translated now into a plain string. A LazyText without ``facts`` is rendered."""
    if isinstance(message, LazyText) and not facts:
        return render(message)
    return _Message(message, None, None, context, facts).render(current_language())


def ngettext(singular: str, plural: str, count: int, context: str | None = None, /, **facts: object) -> str:
    """As ``ngettext_lazy``, but translated now into a plain string."""
    return _Message(singular, plural, count, context, {"count": count, **facts}).render(current_language())


def render(text: str) -> str:
    """Return a LazyText in the screen's language, any other string unchanged."""
    return text.render(current_language()) if isinstance(text, LazyText) else text


def format_number(count: int) -> str:
    """Return a number with separators: 94,906,266 in English, 94.906.266 in German."""
    code = current_language()
    text = str(numbers.format_decimal(count, locale=_LOCALES.get(code, code)))
    return text.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")  # the font has no narrow one


def _look_up(code: str, singular: str, plural: str | None, count: int | None, context: str | None) -> str | None:
    catalogue = load_catalogue(code)
    entry = catalogue.get(singular if plural is None else (singular, plural), context)
    if entry is None or not entry.string:
        return None
    if plural is None or count is None:
        return str(entry.string)
    return str(entry.string[_plural_rule(catalogue.plural_expr)(count)])


@lru_cache(maxsize=8)
def _plural_rule(expression: str) -> Callable[[int], int]:
    """Return the function from a count to the index of its plural form."""
    return c2py(expression)


@lru_cache(maxsize=8)
def load_catalogue(code: str) -> Catalog:
    """Read the catalogue of a language. Raises OSError where its file is missing."""
    with (CATALOGUE_DIR / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)
