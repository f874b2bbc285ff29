"""Collect the screen's messages from the code into the catalogues ``ui/i18n/languages/*.po``, and compile them::

    python -m tools.i18n.messages

A message without a translation stays empty in its catalogue, and a test fails until it has one."""

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from jinja2 import nodes

from hatch_build import compile_catalogue
from ui.i18n.language import CATALOGUE_DIR, LANGUAGES
from ui.web.pages import ENVIRONMENT

ROOT = Path(__file__).parents[2]
SOURCE_PACKAGES = ("rules", "vision", "device", "ui", "throwlock")
GETTEXT_NAMES = {"t": "gettext", "N": "gettext"} | dict.fromkeys(
    ("ngettext", "ngettext_lazy", "about_players"), "ngettext"
)
"""The functions that take a message, with the function of gettext that takes the same texts."""
EXTRACTION_METHODS = [
    ("**.py", "tools.i18n.messages:extract_calls"),
    ("web/templates/**.html", "tools.i18n.messages:extract_template_calls"),
]


@cache
def collect_messages(root: Path = ROOT) -> Catalog:
    """Return a catalogue of every message in the code and the templates, without translations, in the order found."""
    template = Catalog()
    for package in SOURCE_PACKAGES:
        for file, _, message, _, context in extract_from_dir(root / package, EXTRACTION_METHODS):
            template.add(message, None, [(f"{package}/{file}", 0)], context=context)
    return template


ExtractedCall = tuple[int, str, tuple[str, ...], list[str]]
"""The line, gettext's function, the texts, and comments, as Babel wants them."""


def extract_calls(
    file: IO[bytes], keywords: Mapping[str, object], comment_tags: object, options: Mapping[str, Any]
) -> Iterator[ExtractedCall]:
    """Yield the messages of a Python file that are literals, in its order: Babel's extraction method for our functions,
    whose context comes last."""
    calls = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        constants = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
        yield from _extracted(call.lineno, name, constants)


def extract_template_calls(
    file: IO[bytes], keywords: Mapping[str, object], comment_tags: object, options: Mapping[str, Any]
) -> Iterator[ExtractedCall]:
    """Yield the messages of a Jinja template, as ``extract_calls`` does."""
    for call in ENVIRONMENT.parse(file.read().decode()).find_all(nodes.Call):
        constants = [argument.value for argument in call.args if isinstance(argument, nodes.Const)]
        yield from _extracted(call.lineno, getattr(call.node, "name", ""), constants)


def _extracted(line: int, function: str, constants: Sequence[object]) -> Iterator[ExtractedCall]:
    name = GETTEXT_NAMES.get(function)
    texts = [text for text in constants if isinstance(text, str)]
    count = 2 if name == "ngettext" else 1
    if name is None or len(texts) < count or not texts[0]:
        return  # a message that is a literal elsewhere
    context = texts[count:]
    yield line, name.replace("gettext", "pgettext") if context else name, (*context, *texts[:count]), []


def read_catalogue(code: str) -> Catalog:
    """Return the catalogue of a language. Raises OSError where it is missing."""
    with (CATALOGUE_DIR / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def find_untranslated(catalogue: Catalog) -> list[str]:
    """Return the messages of a catalogue without a translation, or without all plural forms."""
    return [
        str(message.id)
        for message in catalogue
        if message.id and not (all(message.string) if isinstance(message.string, tuple | list) else message.string)
    ]


def write_catalogue(catalogue: Catalog, path: Path) -> None:
    """Write a catalogue without dates: the file changes only if a message does."""
    with path.open("wb") as file:
        file.write(
            'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
            '"Content-Transfer-Encoding: 8bit\\n"\n'
            f'"Language: {catalogue.locale_identifier}\\n"\n"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'.encode()
        )
        write_po(file, catalogue, width=118, omit_header=True, ignore_obsolete=True, include_lineno=False)


def main() -> int:
    """Update and compile every catalogue and print what is left to translate. Return 1 if anything is."""
    template = collect_messages()
    missing_count = 0
    for code in LANGUAGES:
        if code == "en":
            continue
        catalogue = read_catalogue(code)
        catalogue.update(template, no_fuzzy_matching=True)
        write_catalogue(catalogue, CATALOGUE_DIR / f"{code}.po")
        compile_catalogue(CATALOGUE_DIR / f"{code}.po")
        missing = find_untranslated(catalogue)
        missing_count += len(missing)
        print(f"{code}: {len(template)} messages, {len(missing)} to translate")
        for text in missing:
            print(f"  {text}")
    return 1 if missing_count else 0


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m tools.i18n.messages", description=__doc__).parse_args()
    sys.exit(main())
