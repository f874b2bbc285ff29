"""A game's words: found by its events, prompts and result, before those that all games share."""

import pytest

from messages import N
from rules.catalogue import BOX_GAMES, find_game
from rules.engine import Choices, FactValue, GameText, Play, Prompt, Result, Rules, Script, Setup
from rules.events import Other
from rules.text import MAX_LISTED_NAMES, SHARED_TEXT, fill, game_word, list_names
from ui.screen.pages.question import question_text
from ui.text.game_words import code_word, event_heading, value_text
from ui.text.verdicts import event_sentences, headline

NAMES = {1: "Ada", 2: "Bo", 3: "Cy"}
TEXT = GameText(
    sentences={
        "won": N("{name} is dry after {weather}."),
        "storm": lambda event, names: (names[1], str(event.facts["force"])),
    },
    headings={"won": N("Dry")},
    questions={"coat": lambda prompt: N("Coat for {weather}?", weather=prompt.about["weather"])},
    words={"rain": N("heavy rain"), "coat.rain": N("an oilskin")},
)


def weather(setup: Setup) -> Script:
    yield Other("storm", {"force": 8})
    yield Prompt("coat", {1: Choices(("rain",))}, about={"weather": "rain", "phase": "rain"})
    yield Other("won", {"seat": 1, "weather": "rain"})
    return Result((1,), {1: 1})


WEATHER = Rules("weather", "Weather", 1, 1, 1, "A game.", (), weather, TEXT)


def test_events_prompt_and_result_have_the_words_of_their_game() -> None:
    play = Play(WEATHER.set_up(1))
    (storm,), prompt = play.events, play.prompt
    assert prompt and prompt.text is TEXT and storm.text is TEXT
    assert event_sentences(storm, NAMES) == ("Ada", "8")
    assert question_text(prompt) == "Coat for rain?"
    assert headline(prompt, "Weather") == "Heavy rain"
    (won,) = play.answer({1: "rain"})
    assert event_sentences(won, NAMES) == ("Ada is dry after heavy rain.",) and event_heading(won) == "Dry"
    assert play.result and play.result.text is TEXT
    assert play.result == Result((1,), {1: 1}), "words are no part of what happened"
    assert not any("GameText" in repr(one) for one in (storm, prompt, won, play.result))


def test_another_games_words_do_not_count() -> None:
    won = Other("won", {"seat": 2, "throws": {"2": "rock", "3": None}})
    assert event_sentences(won, NAMES) == ("Bo wins (Bo rock, Cy no throw).",)
    assert event_heading(won) == "Won"
    assert question_text(Prompt("coat", {1: Choices(("rain",))})) == "Coat?"
    assert code_word("rain") == "Rain" and code_word("rain", TEXT) == "Heavy rain"


def test_a_value_may_have_its_own_word() -> None:
    assert value_text("rain", TEXT, "coat") == "An oilskin"
    assert value_text("rain", TEXT, "hat") == "Heavy rain"
    board = find_game("board").text
    assert value_text("throw", board, "start") == "By a throw" and value_text("throw", board) == "Throw"


def test_messages_are_filled_with_the_facts_of_an_event() -> None:
    facts: dict[str, FactValue] = {"seat": 3, "seats": [1, 2], "chips": 1, "throws": {1: "paper"}}
    facts |= {"claim": "rock", "left": 4}
    message = "{name}, {who}, {chips}, {throws}, {claim}, {left}, {more}"
    assert fill(message, facts, NAMES, more=5) == "Cy, Ada and Bo, 1 chip, Ada paper, rock, 4, 5"
    assert fill("{who}", {"pair": [2, 3]}, NAMES) == "Bo and Cy"
    assert fill("{south}, {north}, {loser}", {"south": 2, "north": 1, "loser": 3}, NAMES) == "Bo, Ada, Cy"
    assert fill("{loser}", {"loser": "lizard"}, NAMES) == "lizard", "a game of somebody else's may call a shape so"
    few, many = list(range(1, MAX_LISTED_NAMES + 1)), list(range(MAX_LISTED_NAMES + 1))
    assert fill("{who}", {"seats": few}, NAMES) == list_names(few, NAMES), "this many are named"
    assert fill("{who}", {"seats": many}, NAMES) == f"{len(many)} players"


@pytest.mark.parametrize("rules", BOX_GAMES, ids=lambda rules: rules.name)
def test_every_option_has_a_word(rules: Rules) -> None:
    for option in rules.options:
        assert game_word(option.name, rules.text), option.name
        values = option.allowed.values if isinstance(option.allowed, Choices) else ()
        for value in values:
            if isinstance(value, str) and not value.isdecimal():
                assert game_word(f"{option.name}.{value}", rules.text) or game_word(value, rules.text), value


def test_no_game_repeats_a_shared_word() -> None:
    for rules in BOX_GAMES:
        for own, shared in ((rules.text.words, SHARED_TEXT.words), (rules.text.headings, SHARED_TEXT.headings)):
            assert [name for name in own.keys() & shared.keys() if own[name] == shared[name]] == []
