"""Collect the screen's messages from the code into the catalogues ``ui/i18n/languages/*.po``::

    python -m tools.i18n.messages

A message without a translation stays empty in its catalogue, and a test fails until it has one."""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from rules.battle.options import ROUND_OPTION_DESCRIPTIONS
from rules.board.board import RECONSTRUCTION_NOTICE
from rules.catalogue import GAMES
from throwlock.settings.model import describe_settings
from ui.i18n.language import CATALOGUE_DIR, LANGUAGES, load_catalogue

ROOT = Path(__file__).parents[2]
SOURCE_PACKAGES = ("ui", "throwlock")
MESSAGE_FUNCTIONS = {"t": 1, "N": 1, "ngettext": 2, "ngettext_lazy": 2}
"""The functions that take a message, with how many texts: one, or a singular and a plural."""
Message = tuple[str | tuple[str, str], str | None]
"""A message, or its singular and plural, and its context."""


def collect_messages() -> dict[Message, list[str]]:
    """Return every message with the files it is in, in the order found."""
    found: dict[Message, list[str]] = {}
    for message, file in (*_messages_in_rules(), *_messages_in_code()):
        files = found.setdefault(message, [])
        if file not in files:
            files.append(file)
    return found


def _messages_in_rules() -> Iterator[tuple[Message, str]]:
    """Yield the games' titles and descriptions, which ``rules`` doesn't mark as messages."""
    for game in GAMES.values():
        for text in (game.title, game.description, *(option.description for option in game.options)):
            yield (text, None), "rules"
    for text in (*ROUND_OPTION_DESCRIPTIONS.values(), RECONSTRUCTION_NOTICE):
        yield (text, None), "rules"


def _messages_in_code() -> Iterator[tuple[Message, str]]:
    for setting in describe_settings():
        if setting.allowed is not None:  # any other is not on the screen
            yield (setting.about, None), "throwlock/settings/model.py"
    for package in SOURCE_PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            file = str(path.relative_to(ROOT))
            yield from ((message, file) for message in find_messages(path.read_text(encoding="utf-8")))


def find_messages(text: str) -> Iterator[Message]:
    """Yield the messages of a source text, in its order."""
    calls = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and _function_name(node) in MESSAGE_FUNCTIONS
    ]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        count = MESSAGE_FUNCTIONS[_function_name(call)]
        texts = [_literal(argument) for argument in call.args]
        if len(texts) < count or None in texts[:count] or not texts[0]:
            continue  # a message that is a literal elsewhere
        context_at = count if count == 1 else count + 1  # a plural's count stands before its context
        context = texts[context_at] if len(texts) > context_at else None
        yield (str(texts[0]) if count == 1 else (str(texts[0]), str(texts[1]))), context


def _function_name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def update_catalogue(old: Catalog, found: Mapping[Message, Iterable[str]]) -> Catalog:
    """Return a catalogue with exactly the messages ``found``, and their translations from the old one."""
    new = Catalog(locale=old.locale, header_comment="", fuzzy=False)
    for (text, context), files in found.items():
        entry = old.get(text, context)
        empty = "" if isinstance(text, str) else ("",) * new.num_plurals
        translation = entry.string if entry is not None and entry.string else empty
        new.add(text, translation, [(file, 0) for file in files], context=context)
    return new


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
        write_po(file, catalogue, width=118, omit_header=True, include_lineno=False)
    head = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Language: {catalogue.locale_identifier}\\n"\n"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    path.write_text(head + path.read_text(encoding="utf-8"), encoding="utf-8")


def main() -> int:
    """Update every catalogue and print what is left to translate. Return 1 if anything is."""
    found = collect_messages()
    missing_count = 0
    for code in LANGUAGES:
        if code == "en":
            continue
        catalogue = update_catalogue(load_catalogue(code), found)
        write_catalogue(catalogue, CATALOGUE_DIR / f"{code}.po")
        missing = find_untranslated(catalogue)
        missing_count += len(missing)
        print(f"{code}: {len(found)} messages, {len(missing)} to translate")
        for text in missing:
            print(f"  {text}")
    return 1 if missing_count else 0


if __name__ == "__main__":
    sys.exit(main())
