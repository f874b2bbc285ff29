"""The catalogues: every message of the code in every language, with the same fields in it, and nothing else."""

import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from pygame import Surface, freetype

from rules.board.board import RECONSTRUCTION_NOTICE
from tools.gallery import samples
from tools.i18n import messages
from tools.i18n.messages import find_untranslated, read_catalogue, write_catalogue
from ui.i18n.language import CATALOGUE_DIR, LANGUAGES
from ui.screen.core.registry import draw
from ui.screen.drawing.text import NO_BREAK_SPACE

OTHERS = [code for code in LANGUAGES if code != "en"]
ENDS = (".", "!", "?", ":")
HINT = "update the catalogues with: python -m tools.i18n.messages"
STRAIGHT_APOSTROPHE = re.compile(r"\w'\w|\w'(?=[ {«“])")
Key = tuple[tuple[str, ...], str | None]
"""A message, or its singular and plural, and its context."""


@pytest.fixture(scope="module")
def found() -> Catalog:
    return messages.collect_messages()


def keys(catalogue: Catalog) -> set[Key]:
    return {(texts_of(entry.id), entry.context) for entry in catalogue if entry.id}


def texts_of(entry: object) -> tuple[str, ...]:
    """Return a message or a translation: one text, or one for each plural form."""
    return tuple(entry) if isinstance(entry, tuple | list) else (str(entry or ""),)


def fields(text: str) -> set[str]:
    """Return the fields of a text as they are written in it."""
    return {f"{name}!{conversion}:{spec}" for _, name, spec, conversion in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_has_a_translation_and_every_translation_a_message(code: str, found: Catalog) -> None:
    catalogue = read_catalogue(code)
    assert keys(found) - keys(catalogue) == set(), HINT
    assert keys(catalogue) - keys(found) == set(), HINT
    assert find_untranslated(catalogue) == []
    assert not [entry.id for entry in catalogue if entry.id and entry.fuzzy]


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_its_messages_fields_and_all_plural_forms(code: str) -> None:
    catalogue = read_catalogue(code)
    for entry in catalogue:
        if not entry.id:
            continue
        ids, translated = texts_of(entry.id), texts_of(entry.string)
        assert len(translated) == (1 if len(ids) == 1 else catalogue.num_plurals), entry.id
        for string in translated:
            assert fields(string) == fields(ids[-1]), f"{entry.id!r} is {string!r}"
            assert string == string.strip() and string.endswith(ENDS) == ids[-1].endswith(ENDS), string


@pytest.mark.parametrize("code", LANGUAGES)
def test_apostrophes_are_typographic(code: str, found: Catalog) -> None:
    texts = [entry.id for entry in found] if code == "en" else [entry.string for entry in read_catalogue(code)]
    straight = [text for forms in texts for text in texts_of(forms) if STRAIGHT_APOSTROPHE.search(text)]
    assert [text for text in straight if text != RECONSTRUCTION_NOTICE] == [], (
        "but for one that journals have as a fact"
    )


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_is_as_the_command_writes_it(code: str, found: Catalog, tmp_path: Path) -> None:
    catalogue = read_catalogue(code)
    catalogue.update(found, no_fuzzy_matching=True)
    write_catalogue(catalogue, tmp_path / "new.po")
    assert (tmp_path / "new.po").read_text("utf-8") == (CATALOGUE_DIR / f"{code}.po").read_text("utf-8")


@pytest.mark.parametrize("code", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_source(code: str) -> None:
    with (CATALOGUE_DIR / f"{code}.mo").open("rb") as file:
        compiled = {(texts_of(entry.id), texts_of(entry.string)) for entry in read_mo(file) if entry.id}
    source = {(texts_of(entry.id), texts_of(entry.string)) for entry in read_catalogue(code) if entry.id}
    assert compiled == source, "compile the catalogues with: make catalogues"


@pytest.mark.parametrize("code", OTHERS)
def test_the_font_has_every_letter_of_a_catalogue(code: str) -> None:
    freetype.init()
    font = freetype.Font(None)
    texts = ["".join(texts_of(entry.string)) for entry in read_catalogue(code)]
    letters = {letter for string in texts for letter in string.replace(NO_BREAK_SPACE, " ") if letter.isprintable()}
    missing = [letter for letter in sorted(letters) if font.get_metrics(letter, size=20)[0] is None]
    assert missing == []
    assert font.get_metrics("\N{NARROW NO-BREAK SPACE}", size=20) == [None], "the check can fail"


def test_messages_are_found_in_source_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui/a.py").write_text(
        'a = t("One {x}", x="word") + language.ngettext("{count} a", "{count} b", n)\n'
        'b = N("Left", "a side")\nc = t(name)\nd = N("Left", side=ngettext_lazy("a", "b", n, "c"))\n'
    )
    monkeypatch.setattr(messages, "SOURCE_PACKAGES", ("ui",))
    template = messages.collect_messages(tmp_path)
    assert [(entry.id, entry.context, entry.locations) for entry in template if entry.id] == [
        ("One {x}", None, [("ui/a.py", 0)]),
        (("{count} a", "{count} b"), None, [("ui/a.py", 0)]),
        ("Left", "a side", [("ui/a.py", 0)]),
        ("Left", None, [("ui/a.py", 0)]),
        (("a", "b"), "c", [("ui/a.py", 0)]),
    ]


def test_a_new_message_is_untranslated_at_first() -> None:
    template = Catalog()
    template.add("Get ready")
    template.add("Quite new")
    catalogue = read_catalogue("de")
    catalogue.update(template, no_fuzzy_matching=True)
    assert find_untranslated(catalogue) == ["Quite new"]
    assert catalogue["Get ready"].string == "Macht euch bereit"


DEVELOPER_TEXT = re.compile(
    r"(?<![\w-])--[a-z]|\b(pip|sudo|apt|sha256sum)\b|\bthrowlock [a-z]|\b(THROWLOCK|XDG)_[A-Z]",
)
"""Options, commands and variables: what nobody can enter who has a touchscreen or a page in front of them."""


def test_no_message_names_an_option_or_a_command(found: Catalog) -> None:
    """They belong in an error's ``terminal_hint``."""
    texts = [text for entry in found if entry.id for text in texts_of(entry.id)]
    texts += [text for code in OTHERS for entry in read_catalogue(code) if entry.id for text in texts_of(entry.string)]
    assert [text for text in texts if DEVELOPER_TEXT.search(text)] == []
    assert DEVELOPER_TEXT.search("play with --camera simulated") and DEVELOPER_TEXT.search("run throwlock doctor")


def test_no_page_shows_an_option_or_a_command() -> None:
    for name, view in samples().items():
        canvas = draw(Surface((800, 480), 0, 32), view)
        words = [text.text for text in canvas.texts] + [target.label for target in canvas.targets]
        assert [text for text in words if DEVELOPER_TEXT.search(text)] == [], name


def test_no_review_page_shows_an_option_or_a_command() -> None:
    templates = sorted((CATALOGUE_DIR.parents[1] / "web/templates").glob("*.html"))
    found = {path.name: DEVELOPER_TEXT.findall(path.read_text("utf-8")) for path in templates}
    assert len(found) > 10 and not any(found.values()), found
