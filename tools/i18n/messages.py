"""The catalogues of what the screen says: ``python -m tools.i18n.messages`` finds every message in the code and brings
``ui/i18n/languages/*.po`` up to date; what has no translation yet stands there empty, and a test fails until it has
one."""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from rules.battle.options import ABOUT
from rules.board.board import NOTICE
from rules.catalogue import GAMES
from throwlock.settings.model import all_described
from ui.i18n.language import CATALOGUES, LANGUAGES, catalogue_of

ROOT = Path(__file__).parents[2]
ROOMS = ("ui", "throwlock")
CALLED = {"t": 1, "N": 1, "tn": 2, "Nn": 2}
"""What a message is given to, and how many texts it takes: one, or one for one and one for many."""
Message = tuple[str | tuple[str, str], str | None]
"""A message, or what is said of one and of many, and its context."""


def messages() -> dict[Message, list[str]]:
    """Every message with the files it is in, file by file in the order in which it is found."""
    found: dict[Message, list[str]] = {}
    for message, file in (*_of_rules(), *_of_code()):
        files = found.setdefault(message, [])
        if file not in files:
            files.append(file)
    return found


def _of_rules() -> Iterator[tuple[Message, str]]:
    """What the games tell about themselves: rules know nothing of languages."""
    for game in GAMES.values():
        for text in (game.title, game.about, *(option.about for option in game.options)):
            yield (text, None), "rules"
    for text in (*ABOUT.values(), NOTICE):
        yield (text, None), "rules"


def _of_code() -> Iterator[tuple[Message, str]]:
    for setting in all_described():
        if setting.allowed is not None:  # any other stands in the file alone
            yield (setting.about, None), "throwlock/settings/model.py"
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            file = str(path.relative_to(ROOT))
            yield from ((message, file) for message in in_source(path.read_text(encoding="utf-8")))


def in_source(text: str) -> Iterator[Message]:
    """The messages of a file, in its order."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and _called(node) in CALLED]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        count = CALLED[_called(call)]
        texts = [_literal(argument) for argument in call.args]
        if len(texts) < count or None in texts[:count] or not texts[0]:
            continue  # nothing to say, or said elsewhere
        after = count if count == 1 else count + 1  # what is counted stands before the context
        context = texts[after] if len(texts) > after else None
        yield (str(texts[0]) if count == 1 else (str(texts[0]), str(texts[1]))), context


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def updated(old: Catalog, found: Mapping[Message, Iterable[str]]) -> Catalog:
    """The catalogue of a language with exactly the messages ``found``, and the translations it has of them."""
    new = Catalog(locale=old.locale, header_comment="", fuzzy=False)
    for (text, context), files in found.items():
        there = old.get(text, context)
        said = there.string if there is not None else None
        new.add(
            text,
            said or ("" if isinstance(text, str) else ("",) * new.num_plurals),
            [(f, 0) for f in files],
            context=context,
        )
    return new


def untranslated(catalogue: Catalog) -> list[str]:
    """The messages of a catalogue that have no translation, or not all plural forms."""
    return [
        str(message.id)
        for message in catalogue
        if message.id and not (all(message.string) if isinstance(message.string, tuple | list) else message.string)
    ]


def written(catalogue: Catalog, path: Path) -> None:
    """Write a catalogue, without dates, so that nothing changes where no message does."""
    with path.open("wb") as file:
        write_po(file, catalogue, width=118, omit_header=True, include_lineno=False)
    head = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Language: {catalogue.locale_identifier}\\n"\n"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    path.write_text(head + path.read_text(encoding="utf-8"), encoding="utf-8")


def main() -> int:
    """Bring every catalogue up to date and tell what is left to be translated."""
    found = messages()
    left = 0
    for code in LANGUAGES:
        if code == "en":
            continue
        catalogue = updated(catalogue_of(code), found)
        written(catalogue, CATALOGUES / f"{code}.po")
        missing = untranslated(catalogue)
        left += len(missing)
        print(f"{code}: {len(found)} messages, {len(missing)} to translate")
        for text in missing:
            print(f"  {text}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
