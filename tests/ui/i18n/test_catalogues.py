"""The catalogues: every message of the code in every language, with the same facts in it, and nothing else."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from pygame import freetype

from tools.i18n import messages
from tools.i18n.messages import Message, find_messages, find_untranslated, update_catalogue, write_catalogue
from ui.i18n import error_messages
from ui.i18n.language import CATALOGUE_DIR, LANGUAGES, load_catalogue
from ui.screen.drawing.text import NO_BREAK_SPACE

ROOT = Path(__file__).parents[3]
OTHERS = [code for code in LANGUAGES if code != "en"]
ENDS = (".", "!", "?", ":")
SOURCES = ("vision", "device", "throwlock")
"""The packages that raise the errors translated by ui.i18n.error_messages."""


@pytest.fixture(scope="module")
def found() -> dict[Message, list[str]]:
    return messages.collect_messages()


def keys(catalogue: Catalog) -> set[Message]:
    return {
        (entry.id if isinstance(entry.id, str) else (entry.id[0], entry.id[1]), entry.context)
        for entry in catalogue
        if entry.id
    }


def fields(text: str) -> set[str]:
    """Return the fields of a text as they are written in it."""
    return {f"{name}:{spec}" for _, name, spec, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_has_a_translation_and_every_translation_a_message(
    code: str, found: dict[Message, list[str]]
) -> None:
    catalogue = load_catalogue(code)
    hint = "update the catalogues with: python -m tools.i18n.messages"
    assert set(found) - keys(catalogue) == set(), hint
    assert keys(catalogue) - set(found) == set(), hint
    assert find_untranslated(catalogue) == []
    assert not [entry.id for entry in catalogue if entry.id and entry.fuzzy]


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_its_messages_fields_and_all_plural_forms(code: str) -> None:
    catalogue = load_catalogue(code)
    for entry in catalogue:
        if not entry.id:
            continue
        ids = (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)
        strings = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string)
        assert len(strings) == (1 if len(ids) == 1 else catalogue.num_plurals), entry.id
        for string in strings:
            assert fields(string) == fields(ids[-1]), f"{entry.id!r} is {string!r}"
            assert string == string.strip() and string.endswith(ENDS) == ids[-1].endswith(ENDS), string


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_is_as_the_command_writes_it(code: str, found: dict[Message, list[str]], tmp_path: Path) -> None:
    write_catalogue(update_catalogue(load_catalogue(code), found), tmp_path / "new.po")
    assert (tmp_path / "new.po").read_text("utf-8") == (CATALOGUE_DIR / f"{code}.po").read_text("utf-8")


@pytest.mark.parametrize("code", OTHERS)
def test_the_font_has_every_letter_of_a_catalogue(code: str) -> None:
    freetype.init()
    font = freetype.Font(None)
    strings = [
        entry.string if isinstance(entry.string, str) else "".join(entry.string) for entry in load_catalogue(code)
    ]
    letters = {letter for string in strings for letter in string.replace(NO_BREAK_SPACE, " ") if letter.isprintable()}
    missing = [letter for letter in sorted(letters) if font.get_metrics(letter, size=20)[0] is None]
    assert missing == []
    assert font.get_metrics("\N{NARROW NO-BREAK SPACE}", size=20) == [None], "the check can fail"


def test_messages_are_found_in_source_code() -> None:
    source = (
        'a = t("One {x}", x=1) + language.ngettext("{count} a", "{count} b", n)\nb = N("Left", "a side")\nc = t(name)\n'
    )
    assert list(find_messages(source)) == [("One {x}", None), (("{count} a", "{count} b"), None), ("Left", "a side")]


def test_a_new_message_is_untranslated_at_first() -> None:
    catalogue = update_catalogue(load_catalogue("de"), {("Get ready", None): ["a.py"], ("Quite new", None): ["a.py"]})
    assert find_untranslated(catalogue) == ["Quite new"]
    assert catalogue.get("Get ready").string == "Macht euch bereit"


def texts_in(path: Path) -> set[str]:
    """Return the string literals of a file, each field as ``{}``."""
    texts = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            texts.add("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    return texts


def test_every_translated_error_message_is_raised_somewhere() -> None:
    raised = set().union(*(texts_in(path) for package in SOURCES for path in (ROOT / package).rglob("*.py")))
    beginnings = {"no hand was found", "only {} found for {} seats"}  # of a message put together from parts
    for message in error_messages.ERROR_MESSAGES:
        text = re.sub(r"\{\w+\}", "{}", message).removesuffix(". Until then the image is divided evenly.")
        text = text.replace("a zone of {} pixels", "a zone of {}×{} pixels")
        whole = text in raised
        parts = any(text.startswith(f"{beginning}: ") for beginning in beginnings) and any(
            literal.startswith("{}: ") and text.endswith(literal[4:]) for literal in raised if len(literal) > 40
        )
        assert whole or parts, f"nothing raises {message!r} any more"
