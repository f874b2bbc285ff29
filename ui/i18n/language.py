"""The language people are spoken to in. What is said stands in the code in English; every other language is a catalogue
in ``ui/i18n/languages``, and may be changed while a screen is up: what is drawn next is in the new one.

Two ways to say something, for two moments:

- ``t("Get ready")`` is a plain string in the language spoken now. For what is drawn at once: painters, and the words
  of ``ui/screen/words*.py``.
- ``N("{name} was late.", name=name)`` is a Text: a string in English, which the screen says in the language spoken
  when it draws it (``said``, which the Canvas does with everything it is given). For constants of a module and for
  all that is kept, sent or told before it is drawn: a view, a sentence, a notice. The journal, exports, the web pages
  and the terminal take it as the English string it is, in any thread, whatever the screen speaks. Only what runs the
  screen calls ``use``.

What is done to a Text as to any string (``+``, an f-string, ``upper``) gives plain English: put it into another as a
fact, or use ``row`` and ``capital``. ``python -m tools.i18n.messages`` finds every message for the catalogues.
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
"""Every language by its code, each called as its own speakers call it."""
MARKED = "xx"
"""A language for tests: every text that went through ``t`` stands in ``⟦ ⟧``, so that one that did not is seen."""
CATALOGUES = Path(__file__).parent / "languages"
_LOCALES = {"en": "en_GB", MARKED: "en_GB"}
"""How numbers and dates are written where that is not called like the language."""

_spoken = ["en"]


def use(code: str) -> None:
    """Speak the language called ``code`` from now on. Raises ValueError for one that the box does not have, OSError
    where its catalogue is missing."""
    if code not in LANGUAGES and code != MARKED:
        raise ValueError(f"there is no language {code!r}: the box speaks {', '.join(LANGUAGES)}")
    if code not in ("en", MARKED):
        catalogue_of(code)  # read here, not by the thread that draws
    _spoken[0] = code


def spoken() -> str:
    """The code of the language that is spoken."""
    return _spoken[0]


class _Sayable(Protocol):
    """What a Text keeps to say itself in any language."""

    def said(self, code: str) -> str:
        """In the language called ``code``."""

    def mapped(self, change: Callable[[str], str]) -> Self:
        """The same with ``change`` made to every plain string among its facts."""


class Text(str):
    """A string in English that can be said in every language. Made by ``N``, ``Nn``, ``row``, ``capital``, ``day`` and
    ``moment``."""

    sayable: _Sayable

    @classmethod
    def of(cls, sayable: _Sayable) -> Self:
        """The text that says ``sayable``."""
        text = cls(sayable.said("en"))
        text.sayable = sayable
        return text

    def said(self, code: str) -> str:
        """The text in the language called ``code``."""
        return self.sayable.said(code)

    def mapped(self, change: Callable[[str], str]) -> "Text":
        """The text with ``change`` made to every plain string in it that is not its own words, such as a name."""
        return Text.of(self.sayable.mapped(change))


def _in(code: str, fact: object) -> object:
    return fact.said(code) if isinstance(fact, Text) else fact


def _changed(change: Callable[[str], str], fact: object) -> object:
    if isinstance(fact, Text):
        return fact.mapped(change)
    return change(fact) if isinstance(fact, str) else fact


@dataclass(frozen=True)
class _Message:
    """A message of the catalogues with the facts in the place of its ``{names}``."""

    one: str
    many: str | None
    count: int | None
    context: str | None
    facts: Mapping[str, object]

    def said(self, code: str) -> str:
        english = self.one if self.many is None or self.count == 1 else self.many
        found = english
        if code not in ("en", MARKED):
            found = _looked_up(code, self.one, self.many, self.count, self.context) or english
        if self.facts:
            found = found.format(**{name: _in(code, fact) for name, fact in self.facts.items()})
        return f"⟦{found}⟧" if code == MARKED else found

    def mapped(self, change: Callable[[str], str]) -> "_Message":
        return replace(self, facts={name: _changed(change, fact) for name, fact in self.facts.items()})


@dataclass(frozen=True)
class _Row:
    """Texts one after the other, the first with a ``capital`` if wanted."""

    parts: tuple[str, ...]
    between: str = ""
    capital: bool = False

    def said(self, code: str) -> str:
        row = self.between.join(str(_in(code, part)) for part in self.parts)
        return row[:1].upper() + row[1:] if self.capital else row

    def mapped(self, change: Callable[[str], str]) -> "_Row":
        return replace(self, parts=tuple(_as_str(_changed(change, part)) for part in self.parts))


@dataclass(frozen=True)
class _Moment:
    """A time as people write it: its day ("long" or "medium"), and the time of day if wanted."""

    at: datetime
    form: str
    clock: bool

    def said(self, code: str) -> str:
        locale = _LOCALES.get(code, code)
        day = dates.format_date(self.at, self.form, locale=locale) if self.form else ""
        return ", ".join([*([day] if day else []), *([f"{self.at:%H:%M}"] if self.clock else [])])

    def mapped(self, change: Callable[[str], str]) -> "_Moment":
        return self


def _as_str(fact: object) -> str:
    """``fact`` as a string; a Text stays one."""
    return fact if isinstance(fact, str) else str(fact)


def N(message: str, context: str | None = None, /, **facts: object) -> Text:  # noqa: N802 - gettext's own name
    """``message``, written in English, with ``facts`` in the place of its ``{names}``: said in the language spoken when
    it is drawn. Where one English text means two things, ``context`` tells them apart."""
    return Text.of(_Message(message, None, None, context, facts))


def Nn(one: str, many: str, count: int, context: str | None = None, /, **facts: object) -> Text:  # noqa: N802
    """As ``N``, for what is said of one and of several; ``{count}`` is among the facts."""
    return Text.of(_Message(one, many, count, context, {"count": count, **facts}))


def row(parts: Iterable[str], between: str = " ") -> Text:
    """Texts, names and numbers in a row, ``between`` any two."""
    return Text.of(_Row(tuple(parts), between))


def capital(text: str) -> Text:
    """``text`` with a capital in front, in whatever language."""
    return Text.of(_Row((text,), capital=True))


def moment(at: datetime, form: str = "medium", *, clock: bool = True) -> Text:
    """A time in words: its day in full ("long"), with the month cut short ("medium") or left out (""), and the time of
    day if wanted: "21 November 2026, 12:49"."""
    return Text.of(_Moment(at, form, clock))


def t(message: str, context: str | None = None, /, **facts: object) -> str:
    """As ``N``, but said now, in the language spoken now. A Text that is there already is said as it is."""
    if isinstance(message, Text) and not facts:
        return said(message)
    return _Message(message, None, None, context, facts).said(spoken())


def tn(one: str, many: str, count: int, context: str | None = None, /, **facts: object) -> str:
    """As ``Nn``, but said now, in the language spoken now."""
    return _Message(one, many, count, context, {"count": count, **facts}).said(spoken())


def said(text: str) -> str:
    """A Text in the language spoken now; any other string as it is."""
    return text.said(spoken()) if isinstance(text, Text) else text


def number(count: int) -> str:
    """A number that may be long: 94,906,266 in English, 94.906.266 in German."""
    code = spoken()
    written = str(numbers.format_decimal(count, locale=_LOCALES.get(code, code)))
    return written.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")  # the face has no narrow one


def _looked_up(code: str, one: str, many: str | None, count: int | None, context: str | None) -> str | None:
    catalogue = catalogue_of(code)
    entry = catalogue.get(one if many is None else (one, many), context)
    if entry is None or not entry.string:
        return None
    if many is None or count is None:
        return str(entry.string)
    return str(entry.string[_plural(catalogue.plural_expr)(count)])


@lru_cache(maxsize=8)
def _plural(expression: str) -> Callable[[int], int]:
    """Which of a language's plural forms goes with a number."""
    return c2py(expression)


@lru_cache(maxsize=8)
def catalogue_of(code: str) -> Catalog:
    """The catalogue of a language. Raises OSError where its file is missing."""
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)
