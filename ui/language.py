"""The language people are spoken to in. What is said stands in the code in English; every other language is a catalogue
in ``ui/languages``, and may be changed while a screen is up: what is drawn next is in the new one."""

from collections.abc import Callable
from functools import lru_cache
from gettext import c2py
from pathlib import Path
from types import MappingProxyType

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

LANGUAGES = MappingProxyType({"en": "English", "de": "Deutsch", "fr": "Français"})
"""Every language by its code, each called as its own speakers call it."""
MARKED = "xx"
"""A language for tests: every text that went through ``t`` stands in ``⟦ ⟧``, so that one that did not is seen."""
CATALOGUES = Path(__file__).parent / "languages"

_spoken = ["en"]


def use(code: str) -> None:
    """Speak the language called ``code`` from now on. Raises ValueError for one that the box does not have."""
    if code not in LANGUAGES and code != MARKED:
        raise ValueError(f"there is no language {code!r}: the box speaks {', '.join(LANGUAGES)}")
    _spoken[0] = code


def spoken() -> str:
    """The code of the language that is spoken."""
    return _spoken[0]


def t(message: str, context: str | None = None, /, **facts: object) -> str:
    """``message``, written in English, in the language spoken, with ``facts`` in the place of its ``{names}``. Where
    one English text means two things, ``context`` tells them apart."""
    return _said(message, None, None, context, facts)


def tn(one: str, many: str, count: int, context: str | None = None, /, **facts: object) -> str:
    """As ``t``, for what is said of one and of several; ``{count}`` is among the facts."""
    return _said(one, many, count, context, {"count": count, **facts})


def _said(one: str, many: str | None, count: int | None, context: str | None, facts: dict[str, object]) -> str:
    code = spoken()
    english = one if many is None or count == 1 else many
    found = english if code in ("en", MARKED) else _looked_up(code, one, many, count, context) or english
    said = found.format(**facts) if facts else found
    return f"⟦{said}⟧" if code == MARKED else said


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
