"""Every drawn text is translated or data, every page fits in every language, and a shown page changes its language with
the next frame."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from device.camera.frames import Size
from device.system.clock import SimulatedClock
from messages import LazyText, N
from rules.catalogue import GAMES
from tests.helpers.every_game import all_games
from tests.helpers.heard_games import heard
from tests.helpers.page_rules import drawn
from tests.helpers.samples.box_setup import EUROPEAN_CITIES
from tests.helpers.samples.common import players
from tests.helpers.slow_params import slow
from tests.helpers.table_matches import history, match_config, play
from tests.helpers.waiting import wait_until
from throwlock.match_runner import NextStep
from tools.gallery import samples
from ui.i18n.language import LANGUAGES, PSEUDO_LANGUAGE, set_language
from ui.screen.core.png_display import PANEL_SIZES, render_image
from ui.screen.core.window import Window
from ui.screen.drawing.canvas import Canvas
from ui.screen.pages.history import HistoryAnswer
from ui.screen.pages.home import GameMenu, HomeTool, SetUpPage
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.practice import group_digits
from ui.screen.pages.question import Question, new_draft
from ui.screen.views import InteractiveView, ListPage, View
from ui.text import verdicts

ALL_SIZES = tuple(dict.fromkeys((*PANEL_SIZES, (1280, 720))))
UNITS = {"ms", "s", "x"}
TOOLS = (
    HomeTool.CALCULATOR, HomeTool.ZONES, HomeTool.PAST_MATCHES, HomeTool.NETWORK, HomeTool.SETTINGS, HomeTool.PRACTISE,
    HomeTool.LANGUAGE,
)  # fmt: skip
KEYBOARD_PAGES = (
    "seating-letters",
    "seating-accents",
    "box-password",
    "box-cities",
    "new-tournament-name",
    "new-tournament-title",
    "tournament-enter",
)
"""Pages with the letters of a language, or sorted by its names."""
SAMPLE_NAMES = {
    *("Risk rounds", "After a tie", "Same bets", "Ask again", "Number", "Discard a card", "Card", "abc", "ÀÉß"),
    "the zones of seats 1 and 2 overlap: a hand there would count for both",
    *LANGUAGES.values(),
    *EUROPEAN_CITIES,
}
"""Names in the gallery's sample games and questions, and names that are the same in every language."""
CODE_FIELDS = {
    "ChosenGame.game", "Question.prompt", "Prompt.kind", "OptionalPrompt.kind", "SealedPrompt.kind", "ThrowPrompt.kind",
    "SecretPrompt.kind", "MovePrompt.kind", "SealedPrompt.opened_by", "SecretPrompt.opened_by", "TimeLimit.default",
    "GameEvent.kind", "SeatView.verdict",
    "SeatView.reading", "SeatView.throw", "SeatView.throws", "RoundView.kind", "RoundView.answers",
    "DisputedRound.choices", "Notice.choices", "HistoryList.tools", "GameMenu.tools",
    "DisputedRound.review_mark", "Option.name", "Option.default", "Choices.values", "Rules.name", "Rules.title",
    "Rules.description", "Option.description", "Setting.section", "Setting.name", "Setting.description",
    "SettingsView.section", "Setting.value",
}  # fmt: skip
"""The fields of views that hold words of the code, which the painters must translate."""


def data_in(thing: object, where: str = "") -> set[str]:
    """Return the plain strings of a view that are data: names, addresses, sentences of the journal, and a seal as
    shown."""
    found: set[str] = set()
    if where.endswith(".digest"):
        found = set(group_digits(str(thing)))
    elif where.endswith(".opening"):
        found = {str(thing)}
    elif isinstance(thing, bytes):
        found = {thing.decode()}
    elif isinstance(thing, str):
        found = set() if isinstance(thing, LazyText) or where in CODE_FIELDS else set(thing.split("\n"))
    elif is_dataclass(thing):
        for one in fields(thing):
            found |= data_in(getattr(thing, one.name), f"{type(thing).__name__}.{one.name}")
    elif isinstance(thing, Mapping | Sequence):
        for part in thing.values() if isinstance(thing, Mapping) else thing:
            found |= data_in(part, where)
    return found


def text_outside_markers(text: str) -> str:
    """Return what of a text is not inside ⟦ ⟧."""
    while (less := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = less
    return text


def untranslated_texts(canvas: Canvas, data: set[str]) -> list[str]:
    """Return the drawn texts and target labels that are neither translated nor ``data``."""
    left = []
    known = sorted({*data, PSEUDO_LANGUAGE.upper()}, key=len, reverse=True)
    for text in (*(one.text for one in canvas.texts), *(one.label for one in canvas.targets)):
        rest = text_outside_markers(text)
        for one in known:
            rest = rest.replace(one, "") if one else rest
            rest = rest.replace(one[:1].upper() + one[1:], "") if one else rest
        words = [word for word in re.findall(r"[^\W\d_]+", rest) if word not in UNITS and len(word) > 1]
        if words:
            left.append(text)
    return left


def test_untranslated_texts_are_found() -> None:
    set_language(PSEUDO_LANGUAGE)
    view = Notice("Oh", "Something went wrong.", ("go on",))
    assert set(untranslated_texts(drawn(view), set())) == {"Oh", "Something went wrong."}
    assert untranslated_texts(drawn(view), data_in(view)) == []
    assert text_outside_markers("⟦{1} threw ⟦rock⟧⟧ · Ada ⟦x⟧") == " · Ada "


@pytest.mark.parametrize("choice", [*sorted({*NextStep} - {NextStep.SET_UP}), HistoryAnswer.BACK, "go on", "stop"])
def test_the_choices_after_an_error_are_translated(choice: str) -> None:
    set_language(PSEUDO_LANGUAGE)
    assert untranslated_texts(drawn(Notice(N("The camera"), N("Corrected"), (choice,))), set()) == []


@pytest.mark.slow
def test_every_page_of_the_gallery_is_translated() -> None:
    set_language(PSEUDO_LANGUAGE)
    left = {name: untranslated_texts(drawn(view), data_in(view) | SAMPLE_NAMES) for name, view in samples().items()}
    assert {name: texts for name, texts in left.items() if texts} == {}


@pytest.mark.parametrize("name", all_games())
def test_a_whole_match_is_translated_and_its_journal_is_english(tmp_path: Path, name: str) -> None:
    set_language(PSEUDO_LANGUAGE)
    billing = match_config(all_games()[name], seed=5)
    display = play(tmp_path / "one.journal", billing)
    seen: dict[object, View] = {}
    for view in display.shown:
        key = (type(view), getattr(getattr(view, "event", None), "kind", None), getattr(view, "sentence", None))
        seen.setdefault(key, view)
    assert {GameMessage} <= {type(view) for view in seen.values()}
    data = set(billing.names)
    assert {text for view in seen.values() for text in untranslated_texts(drawn(view), data)} == set()
    assert "⟦" not in repr(history(tmp_path / "one.journal"))


@pytest.mark.parametrize("name", GAMES)
def test_a_games_questions_and_set_up_are_translated(name: str) -> None:
    set_language(PSEUDO_LANGUAGE)
    asked, said, seats = heard(GAMES[name], 1)
    data = {player.name for player in players(8)}
    page = GameMenu((GAMES[name],)).first_page()
    left = set(untranslated_texts(drawn(page), {GAMES[name].title} if name == "tr" else set()))
    for (kind, _), ask in {(ask.kind, str(ask.about.get("phase"))): ask for ask in asked}.items():
        view = Question(players(seats), ask, next(iter(ask.seats)), ask.seconds)
        for shown in (view.first_page(), new_draft(view)):
            left |= {f"{kind} {text}" for text in untranslated_texts(drawn(shown), data)}
    for say in {say.kind: say for say in said}.values():
        lines = verdicts.event_sentences(say, {player.seat: player.name for player in players(8)})
        left |= set(untranslated_texts(drawn(GameMessage(players(seats), say, lines)), data))
    assert left == set()


def size_name(size: Size) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize(
    "size",
    [ALL_SIZES[0], *slow(*((size,) for size in ALL_SIZES[1:]))],
    ids=size_name,
)
@pytest.mark.usefixtures("either_text")
def test_every_page_fits_in_every_language_and_keeps_its_answers(size: Size) -> None:
    too_long: dict[str, set[str]] = {}
    for name, view in samples().items():
        english, *others = (in_language(code, view, size) for code in LANGUAGES)
        for code, other in zip([*LANGUAGES][1:], others, strict=True):
            if longer := truncated_texts(other) - truncated_texts(english):
                too_long.setdefault(name, set()).update(longer)
            if name not in KEYBOARD_PAGES and presses(other) != presses(english):
                assert listed_presses(code, view, size) == listed_presses("en", view, size), name
    assert too_long == {}


@pytest.mark.parametrize("size", ALL_SIZES, ids=size_name)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_set_up_and_asks_in_every_language(name: str, size: Size) -> None:
    rules, names = GAMES[name], {player.seat: player.name for player in players(8)}
    asked, said, seats = heard(rules, 2)
    page = GameMenu((rules,)).first_page()
    assert isinstance(page, SetUpPage)
    pages: list[View] = [
        GameMenu(tuple(GAMES.values()), TOOLS),
        *(replace(page, list_page=leaf) for leaf in range(3)),
    ]
    for ask in {ask.kind: ask for ask in asked}.values():
        view = Question(players(seats), ask, next(iter(ask.seats)), ask.seconds)
        pages += [view.first_page(), new_draft(view)]
    for say in {say.kind: say for say in said}.values():
        pages.append(GameMessage(players(seats), say, verdicts.event_sentences(say, names)))
    for one in pages:
        english, *others = (in_language(code, one, size) for code in LANGUAGES)
        assert set().union(*map(truncated_texts, others)) - truncated_texts(english) == set()


def presses(canvas: Canvas) -> list[object]:
    return [target.press for target in canvas.targets]


def listed_presses(code: str, view: View, size: Size) -> set[str]:
    """Return what the targets of a view's whole list lead to: where texts are longer, fewer fit on each page."""
    page = view.first_page() if isinstance(view, InteractiveView) else view
    assert isinstance(page, ListPage), "only a list may differ"
    listed: set[str] = set()
    following: object = page
    while isinstance(following, ListPage):
        page, shown = following, presses(in_language(code, following, size))
        listed |= {re.sub(r"list_page=\d+", "", repr(press)) for press in shown}
        following = next((press for press in shown if press == page.with_list_page(page.list_page + 1)), None)
    return listed


def in_language(code: str, view: View, size: Size) -> Canvas:
    set_language(code)
    return drawn(view, size)


def truncated_texts(canvas: Canvas) -> set[str]:
    """Return the texts that had to be truncated."""
    return {one.text for one in canvas.texts if not one.complete}


def test_a_shown_page_changes_its_language_with_the_next_frame() -> None:
    view = Notice(N("Corrected"), N("{name}: {to} counts.", name="Ada", to=N("paper")), ("go on",))
    english = drawn(view)
    set_language("de")
    german = drawn(view)
    assert {one.text for one in german.texts} == {"Berichtigt", "Ada: Papier zählt.", "Weiter"}
    assert [target.press for target in german.targets] == [target.press for target in english.targets]
    assert [target.label for target in german.targets] == ["Weiter"]


def test_the_window_redraws_in_another_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    view = Notice(N("Corrected"), N("{name}: {to} counts.", name="Ada", to=N("paper")), ("go on",))

    def person(window: Window) -> None:
        window.show(view)
        wait_for_view(view)
        set_language("de")
        wait_for_view(view)

    Window((800, 480), clock=SimulatedClock()).run(person)


def wait_for_view(view: View) -> None:
    """Wait until the window shows ``view`` in the current language."""
    wanted = render_image(view, (800, 480))

    def is_shown() -> bool:
        screen = pygame.display.get_surface()
        return screen is not None and np.array_equal(pygame.surfarray.array3d(screen).swapaxes(0, 1), wanted)

    wait_until(is_shown, f"{view} in the window")
