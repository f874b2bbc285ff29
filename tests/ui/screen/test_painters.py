"""The rules for every page: targets inside it, apart and large enough for a finger; texts inside their boxes, apart and
uncut; a page for any prompt and any event."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.frames import Size
from rules.battle.text import TEXT as BATTLE_TEXT
from rules.engine import (
    AllowedValues,
    CardChoices,
    Choices,
    FactValues,
    IntRange,
    Json,
    Prompt,
    Result,
    SealedPrompt,
    SecretPrompt,
    TimeLimit,
)
from rules.events import Other, Scores
from rules.future.text import TEXT as FUTURE_TEXT
from rules.throws import Throw
from tests.helpers.page_rules import LONG, PANELS, check, drawn
from tests.helpers.samples.board import POSITION, move_question
from tests.helpers.samples.common import players
from tests.helpers.samples.question import CLAIMS
from tests.helpers.samples.reveal import revealed_seat, sample_reveal
from tools.gallery import samples
from ui.i18n.language import set_language, t
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.drawing.icons import icon
from ui.screen.drawing.text import ELLIPSIS, fit_text, line_height, text_width
from ui.screen.drawing.theme import SEAT_MARKS, Theme
from ui.screen.pages import question as question_page
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.group_question import GroupQuestion, LiveAnswers
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.question import BoardPage, EntryPage, Question, new_draft
from ui.screen.pages.result import MatchResult
from ui.screen.views import PAUSE, Page, PausedAt, Reply, View
from ui.text import game_words, labels

VERDICTS = ("on time", "late", "early", "changed", "unclear", "unseen")
SAMPLES = samples()


def test_wrong_spaces_are_named_while_there_is_room() -> None:
    small, large = (
        next(
            text.text for text in drawn(SAMPLES["printed-board-worst"], size).texts if "match the position" in text.text
        )
        for size in PANEL_SIZES
    )
    assert "And 7 more spaces." in small and "And 4 more spaces." in large and large.count(": ") == 4


@pytest.mark.parametrize("size", PANELS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SAMPLES)
def test_every_screen_fits(name: str, size: Size) -> None:
    check(drawn(SAMPLES[name], size))


@pytest.mark.slow
@pytest.mark.usefixtures("large_text")
@pytest.mark.parametrize("name", SAMPLES)
def test_every_screen_fits_with_large_text(name: str) -> None:
    for size in PANELS:
        check(drawn(SAMPLES[name], size))


@pytest.mark.usefixtures("large_text")
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_undo_and_go_on_have_letters_of_one_size(language: str) -> None:
    set_language(language)
    shown = 0
    for name in ("message-undo-2", "board-undo"):
        for size in PANEL_SIZES:
            texts = drawn(SAMPLES[name], size).texts
            sizes = [text.size for text in texts if text.text in (t(labels.UNDO), t(labels.GO_ON))]
            shown += len(sizes) == 2
            assert len(set(sizes)) <= 1, (name, size)
    assert shown


@pytest.mark.parametrize("size", PANELS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_long_names_and_numbers_stay_in_their_places(size: Size) -> None:
    people = tuple(Player(seat, LONG, 94_906_266) for seat in range(1, 9))
    crop = np.zeros((60, 90, 3), np.uint8)
    seats = tuple(
        revealed_seat(player.seat, (throw,) if throw else (), 1234.5, verdict, name=LONG)
        for player, throw, verdict in zip(people, (*Throw, None) * 2, (*VERDICTS, *VERDICTS), strict=False)
    )
    sentence = f"{LONG} was late, and so was {LONG}: the round is thrown again"
    cadence = Countdown(people, sentence, ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX"), 1, 0.5, sentence, 0.6, crop)
    ask = SealedPrompt(
        "bet",
        {8: IntRange(0, 94_906_266)},
        about={"round": 3, "pot": 94_906_266, "of": sentence},
        time_limit=TimeLimit(30),
    )
    entry = EntryPage(Question(people, ask, 8, 12.5), 94_906_266)
    move = replace(move_question(POSITION, seconds_left=3599), players=people)
    board = move.first_page()
    assert isinstance(board, BoardPage)
    facts: dict[str, Json] = {"position": POSITION, "south": 1, "north": 2, "move": "-2,-2>2,-2"}
    views: tuple[View, ...] = (
        move,
        board.select(min(board.position.pieces)),
        GameMessage(people, Other("moved", facts), (sentence,) * 6),
        replace(entry, view=replace(entry.view, prompt=replace(ask, about={"claims": CLAIMS, "of": sentence}))),
        cadence,
        replace(cadence, beat=5),
        Judging(people, crop),
        sample_reveal(seats, sentence, people=people),
        GameMessage(people, Scores({}), (sentence,) * 6),
        MatchResult(people, Result(tuple(range(1, 9)), {}, {"outcome": sentence}), sentence),
        Notice(sentence, sentence * 5, (sentence, "leave")),
        Question(people, ask, 8, 12.5),
        entry,
    )
    for view in views:
        check(drawn(view, size), whole=False)


SIDES = st.integers(40, 1600)


@settings(max_examples=25, deadline=None)
@given(st.tuples(SIDES, SIDES), st.sampled_from(sorted(SAMPLES)))
def test_any_size_of_window_can_be_drawn(size: Size, name: str) -> None:
    canvas = drawn(SAMPLES[name], size)
    assert canvas.surface.get_size() == size
    assert canvas.texts


VALUES = st.one_of(
    st.lists(st.integers(-99, 999), min_size=1, max_size=40, unique=True),
    st.lists(st.text("abcdefghij_", min_size=1, max_size=14), min_size=1, max_size=40, unique=True),
    st.just([True, False]),
).map(lambda values: Choices(tuple(values)))
SPANS = st.builds(lambda start, steps, step: IntRange(start, start + steps * step, step), *[st.integers(1, 60)] * 3)
KINDS = st.text("abcdefghijklmnop_", min_size=1, max_size=20)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(KINDS, st.one_of(VALUES, SPANS), st.booleans(), st.sampled_from(PANEL_SIZES))
def test_any_ask_has_a_screen_on_which_every_answer_can_be_given(
    kind: str, options: AllowedValues, sealed: bool, size: Size
) -> None:
    page: Page = Question(players(2), (SealedPrompt if sealed else Prompt)(kind, {2: options}), 2).first_page()
    check(drawn(page, size), whole=False)
    pages, answers, seen = [page], set(), {repr(page)}
    while pages:
        page = pages.pop()
        for target in drawn(page, size).targets:
            after = page.press(target.press)
            if target.press == PAUSE:
                assert after == Reply(PausedAt(page))
            elif isinstance(after, Reply):
                answers.add(after.value)
            elif repr(after) not in seen:
                seen.add(repr(after))
                pages.append(after)
    values = options.values if isinstance(options, Choices) else range(options.start, options.stop + 1, options.step)
    assert answers == set(values)


SAID = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text("abcdef ", max_size=20),
    lambda facts: st.lists(facts, max_size=3) | st.dictionaries(st.sampled_from(["1", "2", "pot", "why"]), facts),
    max_leaves=6,
)


@settings(max_examples=40, deadline=None)
@given(KINDS, st.dictionaries(KINDS, SAID, max_size=4), st.integers(1, 8), st.sampled_from(PANEL_SIZES))
def test_any_say_has_a_screen(kind: str, facts: dict[str, object], count: int, size: Size) -> None:
    check(drawn(GameMessage(players(count), Other(kind, facts), ()), size), whole=False)  # type: ignore[arg-type]


def test_cards_of_a_kind_are_one_button_that_says_how_many() -> None:
    held = Choices((Throw.ROCK, Throw.PAPER, Throw.ROCK, 1, True))
    canvas = drawn(EntryPage(Question(players(2), SecretPrompt("place", {2: held}), 2)), (800, 480))
    assert [target.label for target in canvas.targets] == ["Pause", "Rock ×2", "Paper", "1", "Yes"]
    assert len({repr(target.press) for target in canvas.targets}) == 5


def test_a_card_is_chosen_with_the_whole_hand_in_sight() -> None:
    held = CardChoices(("rock", "scissors"), {"rock": 3, "paper": 0, "scissors": 1})
    prompt = SecretPrompt("place", {2: held}, text=FUTURE_TEXT)
    canvas = drawn(new_draft(Question(players(2), prompt, 2)), (800, 480))
    assert [target.label for target in canvas.targets] == ["Pause", "Rock ×3", "Scissors ×1"]
    assert {"Paper ×0", "You hold 4 cards.", "70 chips"} <= {text.text for text in canvas.texts}
    last = CardChoices(("paper",), {"rock": 0, "paper": 1, "scissors": 0})
    page = new_draft(Question(players(2), replace(prompt, seats={2: last}), 2))
    assert isinstance(page, EntryPage) and page.value == "paper"
    assert "You hold 1 card." in {text.text for text in drawn(page, (800, 480)).texts}


def test_a_dealt_hand_is_drawn_and_confirmed() -> None:
    dealt = samples()["question-cards-dealt"]
    canvas = drawn(dealt, (800, 480))
    assert {"Rock ×2", "Paper ×3", "Scissors ×1", "35 chips"} <= {text.text for text in canvas.texts}
    assert [target.label for target in canvas.targets] == ["Pause", "Got it"]


def test_claims_are_shown_beside_who_made_them() -> None:
    about: FactValues = {"turn": 2, "pot": 5, "claims": {1: "rock", 2: "paper"}, "chips": {1: 4}}
    asked = Prompt("act", {1: Choices(("raise", "call"))}, about=about, text=FUTURE_TEXT)
    unclaimed = replace(asked, about={**about, "claims": {1: "rock", 2: "scissors"}})
    claims = {seat: fact.value for seat, fact in question_page.public_throws(asked).items()}
    assert claims == {1: "rock", 2: "paper"}
    assert question_page.about_text(asked, 1) == "Turn 2 · Pot 5"

    def on_phone(page: object) -> LiveAnswers:
        return LiveAnswers(phones=frozenset({1}))

    def pages(ask: Prompt) -> tuple[View, ...]:
        return Question(players(3), ask, 1), GroupQuestion(players(3), ask, poll_answers=on_phone)

    for one, other in zip(pages(asked), pages(unclaimed), strict=True):
        pictures = [pygame.surfarray.array3d(drawn(page, (800, 480)).surface) for page in (one, other)]
        assert (pictures[0] != pictures[1]).any()


INVERTED_FACTS = {"option": "inverted", "means": "rock beats paper beats scissors beats rock"}


@pytest.mark.parametrize(
    ("ask", "prompt"),
    [
        (Prompt("place", {1: Choices(("down",))}), "Put your card face down"),
        (SecretPrompt("place", {1: Choices(("rock", "paper"))}), "Which card goes face down?"),
        (Prompt("discard", {1: Choices(("down",))}, text=FUTURE_TEXT), "Discard a card, face down"),
        (SecretPrompt("discard", {1: Choices(("rock",))}, text=FUTURE_TEXT), "Which card do you discard?"),
        (
            Prompt("wish", {1: Choices(("on",))}, about=INVERTED_FACTS, text=BATTLE_TEXT),
            "Rock beats paper beats scissors beats rock?",
        ),
        (Prompt("best_of", {1: IntRange(1, 5)}), "Best of?"),
    ],
)
def test_a_prompt_fits_what_can_be_answered(ask: Prompt, prompt: str) -> None:
    assert question_page.question_text(ask) == prompt


@pytest.mark.parametrize("name", ["3|2-2", "don't care", "RPS-9", "-5"])
def test_a_notation_is_left_as_it_is(name: str) -> None:
    assert game_words.code_word(name)[1:] == name[1:]


@given(
    st.text("abc dé\n", max_size=80),
    st.integers(20, 400),
    st.integers(14, 200),
    st.integers(10, 60),
    st.integers(1, 4),
)
def test_a_text_is_fitted_within_its_box(text: str, wide: int, high: int, size: int, lines: int) -> None:
    fitted = fit_text(text, wide, high, size, 10, lines)
    assert 10 <= fitted.size <= size
    assert len(fitted.lines) <= lines
    assert all(text_width(line, fitted.size) <= wide for line in fitted.lines)
    assert len(fitted.lines) * line_height(fitted.size) <= max(high, line_height(10))
    kept = "".join("".join(fitted.lines).split())
    assert kept == "".join(text.split()) if fitted.complete else any(ELLIPSIS in line for line in fitted.lines)


def test_a_word_wider_than_a_line_is_broken_where_it_fits_on_two() -> None:
    name = "W" * 20
    wide = 11 * text_width("W", 20)
    assert "".join(fit_text(name, wide, 3 * line_height(20), 40, 20, 2).lines) == name
    assert not fit_text(name, wide, line_height(20), 40, 20, 2).complete
    assert fit_text("Ann W", wide, 3 * line_height(20), 40, 20, 2).lines == ("Ann W",)


def test_touch_targets_are_nine_millimetres_on_both_panels() -> None:
    assert Theme((800, 480)).touch_size >= 9 * 480 / 86
    assert Theme((720, 1280)).touch_size >= 9 * 720 / 90


def test_seats_differ_by_shape_as_by_colour() -> None:
    assert len({mark.shape for mark in SEAT_MARKS}) == len({mark.colour for mark in SEAT_MARKS}) == 8
    masks = [pygame.surfarray.array_alpha(icon(mark.shape, 40, mark.colour)) > 127 for mark in SEAT_MARKS]
    for one, other in combinations(masks, 2):
        assert (one != other).mean() > 0.05


def test_a_foul_is_said_and_shown_not_only_coloured() -> None:
    fair, foul = (revealed_seat(1, (Throw.ROCK,), 9.0, word) for word in ("on time", "late"))
    pictures = []
    for seat in (fair, foul):
        canvas = drawn(sample_reveal((seat,), "Rock"), (800, 480))
        assert labels.seat_verdict(seat) in {text.text for text in canvas.texts}
        grey = pygame.surfarray.array3d(pygame.transform.grayscale(canvas.surface))
        pictures.append(grey.astype(int))
    assert (np.abs(pictures[0] - pictures[1]) > 60).mean() > 0.002
