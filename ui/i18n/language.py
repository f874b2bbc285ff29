"""The screen's language. The code is written in English; each other language is a gettext catalogue in
``ui/i18n/languages``, compiled when the project is installed. The language can change while a page is shown: the next
frame is in the new one.

``t`` and, for plurals, ``ngettext`` translate now and return a plain string. Only for what is drawn at once, such as
the texts of ``ui/screen/pages``. Everything else is a ``messages.LazyText``, which the Canvas renders when
it draws it. Only the code that runs the screen calls ``set_language``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from babel import Locale, dates, numbers
from typing_extensions import override

from errors import ThrowlockError
from messages import ENGLISH, LazyText, Message, N, TextSource

LANGUAGES = MappingProxyType({"en": "English", "de": "Deutsch", "fr": "Français"})
"""The languages by code, each named in itself."""
PSEUDO_LANGUAGE = "xx"
"""Pseudo-localization for tests: every translated text is put in ``⟦ ⟧``, so that untranslated text stands out."""
CATALOGUE_DIR = Path(__file__).parent / "languages"


@dataclass
class _Speech:
    code: str = "en"


_current = _Speech()
TextT = TypeVar("TextT")
_of_request: ContextVar[str | None] = ContextVar("language", default=None)
"""That of the web page that is being made."""


class CatalogueError(ThrowlockError):
    """A language's catalogue is missing or damaged."""


def set_language(code: str) -> None:
    """Set the screen's language. Raises ValueError for an unknown ``code``, CatalogueError."""
    if code not in LANGUAGES and code != PSEUDO_LANGUAGE:
        raise ValueError(f"there is no language {code!r}: the box speaks {', '.join(LANGUAGES)}")
    load_translations(code)  # read here, not by the thread that draws
    _current.code = code


def current_language() -> str:
    """Return the code of the language: what ``use_language`` has set here, else the screen's."""
    return _of_request.get() or _current.code


def choose_language(wanted: str) -> str:
    """Return the code of the language for an ``Accept-Language`` header (RFC 9110, 12.5.4): the one with the highest
    weight that there is, if there is none the touchscreen's, which is English on a hub."""
    best, best_weight = current_language(), 0.0
    for entry in wanted.split(","):
        tag, _, weight_text = entry.partition(";")
        code = tag.strip().lower().partition("-")[0]
        try:
            weight = float(weight_text.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if code in LANGUAGES and weight > best_weight:
            best, best_weight = code, weight
    return best


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Have everything that this thread or task does meanwhile in another language than the screen's: a web page in that
    of its browser. Raises CatalogueError."""
    load_translations(code)
    token = _of_request.set(code)
    try:
        yield
    finally:
        _of_request.reset(token)


def t(message: str, context: str | None = None, /, **fields: object) -> str:
    """As ``messages.N``, but translated now into a plain string. A LazyText without ``fields`` is rendered."""
    if isinstance(message, LazyText) and not fields:
        return render(message)
    return Message(message, context=context, fields=fields).render(_translations())


def ngettext(singular: str, plural: str, count: int, context: str | None = None, /, **fields: object) -> str:
    """As ``messages.ngettext_lazy``, but translated now into a plain string."""
    return Message(singular, plural, count, context, {"count": count, **fields}).render(_translations())


def render(text: TextT) -> TextT | str:
    """Return a LazyText in the screen's language, anything else unchanged."""
    return text.render(_translations()) if isinstance(text, LazyText) else text


def format_number(count: int) -> str:
    """Return a number with separators: 94,906,266 in English, 94.906.266 in German."""
    text = str(numbers.format_decimal(count, locale=_locale(_translations())))
    return text.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")  # the font has no narrow one


def format_decimal(value: float, digits: int) -> LazyText:
    """Return a number with ``digits`` decimals: 1.58 in English, 1,58 in German."""
    return LazyText.from_source(_DecimalText(value, digits))


def format_date(day: date, form: str = "full") -> str:
    """Return a date: "full" is "Saturday, 21 November 2026", "medium" "21 Nov 2026"."""
    return str(dates.format_date(day, form, locale=_locale(_translations())))


def format_datetime(time: datetime, date_format: str = "medium", *, with_time: bool = True) -> LazyText:
    """Return a time as "21 Nov 2026, 12:49"; ``date_format`` is "long" (month in full), "medium", or "" for no date."""
    return LazyText.from_source(_DateTimeText(time, date_format, with_time))


def city_name(zone: str) -> LazyText:
    """Return the name of a time zone's city, such as Wien for "Europe/Vienna" in German."""
    return LazyText.from_source(_CityText(zone))


@dataclass(frozen=True)
class _DecimalText(TextSource):
    value: float
    digits: int

    @override
    def render(self, translations: NullTranslations) -> str:
        return str(numbers.format_decimal(self.value, f"0.{'0' * self.digits}", locale=_locale(translations)))


@dataclass(frozen=True)
class _CityText(TextSource):
    """The city of a time zone, from the Unicode CLDR; without an entry there, from the zone's name."""

    zone: str

    @override
    def render(self, translations: NullTranslations) -> str:
        cities = Locale.parse(_locale(translations)).time_zones
        _, *places = self.zone.replace("_", " ").split("/")
        name = str(cities.get(self.zone, {}).get("city") or ", ".join(reversed(places)) or self.zone)
        return name.replace("\N{NARROW NO-BREAK SPACE}", " ")


@dataclass(frozen=True)
class _DateTimeText(TextSource):
    """A date, a time of day, or both."""

    time: datetime
    date_format: str
    """Either "long", "medium" or "" (no date)."""
    with_time: bool
    """Whether the time of day follows."""

    @override
    def render(self, translations: NullTranslations) -> str:
        day = dates.format_date(self.time, self.date_format, locale=_locale(translations)) if self.date_format else ""
        return ", ".join([*([day] if day else []), *([f"{self.time:%H:%M}"] if self.with_time else [])])


class _PseudoTranslations(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{super().ngettext(msgid1, msgid2, n)}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧"

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{super().ngettext(msgid1, msgid2, n)}⟧"


def _translations() -> NullTranslations:
    return load_translations(current_language())


def _locale(translations: NullTranslations) -> str:
    return translations.info().get("language", "en_GB")


@lru_cache(maxsize=8)
def load_translations(code: str) -> NullTranslations:
    """Read the compiled catalogue of a language; English and the pseudo-language have none. Raises CatalogueError."""
    if code == "en":
        return ENGLISH
    if code == PSEUDO_LANGUAGE:
        return _PseudoTranslations()
    path = CATALOGUE_DIR / f"{code}.mo"
    try:
        with path.open("rb") as file:
            return GNUTranslations(file)
    except OSError as error:
        raise CatalogueError(
            N("{path} can’t be read ({why}): install Throwlock again", path=path, why=error.strerror or str(error)),
            terminal_hint=" with pip",
        ) from error
