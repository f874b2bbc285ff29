"""Every game's own questions, as its script asks them: each has a page that fits both panels and on which people can
answer it, a secret one after its hand-over page; and every event can be shown."""

import random

import pytest

from device.camera.frames import Size
from rules.catalogue import GAMES
from rules.classroom import CLASS_RULES
from rules.engine import Value
from tests.helpers.heard_games import heard
from tests.helpers.page_rules import drawn
from tests.helpers.samples.common import players
from ui.i18n.language import LANGUAGES, render, set_language
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.pages import board as board_page
from ui.screen.pages import home as home_page
from ui.screen.pages.home import GameMenu, HomeTool, SetUpPage, ToolsPage
from ui.screen.pages.message import GameMessage
from ui.screen.pages.question import BoardPage, HandOverPage, Question, new_draft
from ui.screen.views import PAUSE, Page, Press, Reply
from ui.text import labels
from ui.text.game_words import value_text

MOVES = 10
"""The number of different questions of a board game that are answered: each takes dozens of images of the board."""


def answer_by_touch(page: Page, size: Size, chance: random.Random) -> Value:
    """Touch at random, buttons rather than the board, until something is answered."""
    for _ in range(200):
        targets = drawn(page, size).targets
        targets = [target for target in targets if target.press != PAUSE]
        buttons = [target for target in targets if target.area is None and target.label != board_page.WHOLE_BOARD]
        chosen = chance.choice(buttons or targets[:40])
        after = page.press(chosen.button_press or chosen.press)
        if isinstance(after, Reply):
            assert after.value is None or isinstance(after.value, str | int)
            return after.value
        page = after
    raise AssertionError(f"no touch answers {page}")


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_every_question_of_a_game_can_be_answered_by_touch(name: str, size: Size) -> None:
    chance, seen = random.Random(name), set[tuple[str, str]]()
    for seed in range(4):
        asked, _, seats = heard(GAMES[name], seed)
        for ask in asked:
            seat = chance.choice(list(ask.seats))
            if (key := (ask.kind, repr(ask.seats[seat]))) in seen or (ask.kind == "move" and len(seen) >= MOVES):
                continue
            seen.add(key)
            view = Question(players(seats), ask, seat, ask.seconds)
            page: Page = view.first_page()
            assert isinstance(page, HandOverPage) == (ask.is_private)
            assert isinstance(new_draft(view), BoardPage) == (ask.kind == "move")
            assert [text.text for text in drawn(page, size).texts if not text.complete] == []
            if isinstance(page, HandOverPage):
                page = new_draft(view)
            assert ask.seats[seat].allows(answer_by_touch(page, size, chance))
    assert seen


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_game_says_can_be_shown(name: str, size: Size) -> None:
    _, said, seats = heard(GAMES[name], 1)
    kinds = {say.kind: say for say in said}
    for say in kinds.values():
        texts = {text.text for text in drawn(GameMessage(players(seats), say, ()), size).texts}
        assert (board_page.RECONSTRUCTION_NOTICE in texts) == ("notice" in say.facts)
    assert ("moved" in kinds) == (name == "board")


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_game_and_every_option_can_be_chosen(size: Size) -> None:
    choosing = GameMenu(tuple(GAMES.values()), (HomeTool.CALCULATOR,)).first_page()
    pages = [target.press for target in drawn(choosing, size).targets]
    picks = {page.game.name: page for page in pages if isinstance(page, SetUpPage)}
    assert list(picks) == list(GAMES) and isinstance(pages[-1], ToolsPage)
    for name, rules in GAMES.items():
        page: Press = picks[name]
        offered, leaf = set(), 0
        while isinstance(page, SetUpPage) and page.list_page == leaf:
            canvas = drawn(page, size)
            offered |= {text.text for text in canvas.texts if text.complete}
            leaf += 1
            after = page.with_list_page(leaf)
            page = after if after in [target.press for target in canvas.targets] else choosing
        assert {home_page.option_name(option, rules.text) for option in rules.options} <= offered
        assert {labels.capitalised_line(option.description) for option in rules.options} <= offered, (
            "an option is explained in full"
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_option_whose_zero_has_a_word_is_described_with_that_word(language: str) -> None:
    set_language(language)
    try:
        for game in (*GAMES.values(), CLASS_RULES):
            for option in game.options:
                shown = home_page.option_value(option, 0, game.text)
                if option.allowed.allows(0) and option.allowed.allows(2) and shown != "0":
                    about = render(home_page.option_about(option))
                    assert f"{shown} (0)".casefold() in about.casefold(), (game.name, option.name)
    finally:
        set_language("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_of_the_class_is_called_as_what_leads_there(language: str) -> None:
    set_language(language)
    try:
        assert render(CLASS_RULES.title).startswith(value_text(HomeTool.CLASS))
    finally:
        set_language("en")
