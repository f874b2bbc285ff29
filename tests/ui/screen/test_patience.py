"""The pages before a match lead home when nobody touches anything for long; a text's lines break where they may."""

from dataclasses import replace

import pytest

from rules.catalogue import GAMES
from tests.helpers.samples.phones import samples
from ui.screen.drawing.text import NO_BREAK_SPACE, fit_text, text_width, wrap_text
from ui.screen.pages.how_to_play import START_ANSWER, WITH_HANDS, FirstTimePage, explain_game
from ui.screen.pages.phones import PhonesPage, PhonesStatus
from ui.screen.pages.seating import KeyboardPage, NamePage, PlanPage, SeatingView
from ui.screen.views import SET_UP_PATIENCE_S, NobodyAnswered, Page, Reply

PLAN = PlanPage(SeatingView("Classic", ("", "")), ("Ann", ""))
BEFORE_A_MATCH = explain_game(GAMES["classic"].set_up(2), WITH_HANDS, Reply(START_ANSWER))
DURING_A_MATCH = explain_game(GAMES["classic"].set_up(2), WITH_HANDS, PLAN)
assert BEFORE_A_MATCH is not None and DURING_A_MATCH is not None
PHONES = samples()["phones-4"]
assert isinstance(PHONES, PhonesPage)
NO_PHONE = replace(PHONES, current=lambda: PhonesStatus(None))
PAGES = (PLAN, NamePage(PLAN, 2), KeyboardPage(PLAN, 2), FirstTimePage(BEFORE_A_MATCH), BEFORE_A_MATCH, NO_PHONE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: type(page).__name__)
def test_a_page_before_a_match_waits_for_a_while(page: Page) -> None:
    assert isinstance(page.pass_time(1.0, SET_UP_PATIENCE_S - 1), type(page))
    after = page.pass_time(1.0, SET_UP_PATIENCE_S)
    assert isinstance(after, Reply) and isinstance(after.value, NobodyAnswered)


def test_an_explanation_during_a_match_stays() -> None:
    assert DURING_A_MATCH is not None
    assert DURING_A_MATCH.pass_time(1.0, 10 * SET_UP_PATIENCE_S) == replace(DURING_A_MATCH, shown_s=1.0)


def test_the_page_for_phones_stays_while_one_is_there() -> None:
    assert isinstance(PHONES, PhonesPage) and any(seat.state == "here" for seat in PHONES.current().seats)
    assert PHONES.pass_time(1.0, 10 * SET_UP_PATIENCE_S) == PHONES


@pytest.mark.parametrize(
    "text",
    ["Pas de bonus ; vœu : les joueurs", "2 × pierre, 3 × ciseaux !", "Seulement – eux", "2–8 players · 7+"],
)
def test_no_line_begins_with_a_mark_or_ends_with_a_times_sign(text: str) -> None:
    for width in range(60, text_width(text, 20), 7):
        lines = wrap_text(text, width, 20)
        assert " ".join(lines).replace(NO_BREAK_SPACE, " ") == text
        assert not any(line[0] in ";:!–×·" or line[-1] == "×" for line in lines), lines


def test_a_name_and_its_number_stay_on_a_line_where_they_fit() -> None:
    text = "Waiting for Player 1 and Player 2"
    for width in range(text_width("Player 1", 20), text_width(text, 20), 7):
        assert sum(line.count(f"Player{NO_BREAK_SPACE}") for line in wrap_text(text, width, 20)) == 2
    assert wrap_text("Player 1", text_width("Player", 20), 20) == ["Player", "1"]


def test_a_hyphenated_name_too_wide_for_a_line_ends_it_at_the_hyphen() -> None:
    assert wrap_text("Maximiliane-Charlott", text_width("Maximiliane-", 20), 20) == ["Maximiliane-", "Charlott"]
    cut = fit_text("Maximiliane-Charlott", text_width("Maximiliane-Ch…", 20), 100, 20, 20, 1)
    assert cut.lines == ("Maximiliane-Ch…",)
