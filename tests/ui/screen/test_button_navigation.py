"""The effect of a seat's buttons: every question of every game can be answered with two buttons, a pass gives the least
binding answer, and on every other page the buttons move a focus that reaches every target."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.catalogue import GAMES
from rules.engine import AllowedValues, Choices, IntRange, Prompt, TimeLimit, Value
from rules.throws import THROW_CHOICES
from tests.helpers.heard_games import heard
from tests.helpers.page_rules import drawn
from tests.helpers.samples.board import move_question
from tests.helpers.samples.common import players
from tests.helpers.samples.home import games
from tests.helpers.samples.zones import samples as zones_samples
from tools.gallery import samples
from ui.screen.drawing.canvas import Target
from ui.screen.input import (
    LATE_PRESS_NS,
    SETTLE_TIME_NS,
    ButtonOutcome,
    Focus,
    back_target,
    focusable,
    handle_button,
    settle_time_ns,
)
from ui.screen.pages.draft_buttons import next_draft, next_value, pass_answer
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.home import GameMenu
from ui.screen.pages.notice import Notice
from ui.screen.pages.question import BoardPage, Draft, EntryPage, Question, count_values, is_same_value, new_draft
from ui.screen.pages.result import MatchResult
from ui.screen.views import Reply, View

SAMPLES = samples()
RAISE, REPEAT, CONFIRM, PASS = (
    ButtonAction.RAISE,
    ButtonAction.RAISE_REPEAT,
    ButtonAction.CONFIRM,
    ButtonAction.CONFIRM_HOLD,
)
VALUES: tuple[Value, ...] = ("a", "b", 1, True, False, "c", 0)
OPTIONS = st.one_of(
    st.builds(
        lambda start, length, step: IntRange(start, start + length, step), *[st.integers(0, 200)] * 2, st.integers(1, 9)
    ),
    st.lists(st.sampled_from(VALUES), min_size=1).map(lambda values: Choices(tuple(values))),
)


def draft_after(draft: Draft, *actions: ButtonAction) -> Draft | Reply:
    for action in actions:
        outcome = next_draft(draft, action)
        if isinstance(outcome, Reply):
            return outcome
        draft = outcome
    return draft


def new_bet_draft(options: AllowedValues, kind: str = "bet", default: int | str | None = None) -> Draft:
    time_limit = None if default is None else TimeLimit(20, default)
    return new_draft(Question(players(1), Prompt(kind, {1: options}, time_limit=time_limit), 1))


@given(OPTIONS)
def test_raise_reaches_every_value_and_starts_again(options: AllowedValues) -> None:
    value: Value = None
    seen: list[Value] = []
    if isinstance(options, IntRange):
        value = options.start
        seen.append(value)
    for _ in range(300):
        value = next_value(options, value)
        if any(is_same_value(value, one) for one in seen):
            break
        seen.append(value)
    assert is_same_value(value, seen[0])
    count = (
        len(count_values(options))
        if isinstance(options, Choices)
        else (options.stop - options.start) // options.step + 1
    )
    assert len(seen) == count
    assert all(options.allows(one) for one in seen)


@given(OPTIONS)
def test_holding_raise_is_no_slower_and_reaches_the_last_value(options: AllowedValues) -> None:
    taps = runs = 0
    value = None
    while runs == 0 or not (isinstance(options, Choices) and value is None):
        value, runs = next_value(options, value, skip=True), runs + 1
        assert options.allows(value)
        if _is_last(options, value) or runs > 300:
            break
    value = None
    while not _is_last(options, value):
        value, taps = next_value(options, value), taps + 1
    assert runs <= max(1, taps)


def _is_last(options: AllowedValues, value: object) -> bool:
    if isinstance(options, IntRange):
        return isinstance(value, int) and value + options.step > options.stop
    return value is not None and is_same_value(value, count_values(options)[-1][0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "options", "value"),
    [
        ("bet", IntRange(0, 95, 5), 0),
        ("bet", IntRange(1, 9), 1),
        ("act", Choices(("fold", "bet")), "fold"),
        ("act", Choices(("raise", "call")), "call"),
        ("risk", Choices(("yes", "no")), "no"),
        ("go on", Choices((True, False)), False),
        ("wish", Choices(("on", "off", "don't care")), "don't care"),
        ("table", Choices(("stay", "leave", "reset", "wish")), "stay"),
        ("table", Choices(("wait", "join")), "wait"),
        ("team", IntRange(1, 2), None),
        ("claim", THROW_CHOICES, None),
        ("place", Choices(("rock", "paper")), None),
        ("throw", THROW_CHOICES, None),
    ],
)
def test_a_pass_gives_the_least_binding_answer(kind: str, options: AllowedValues, value: object) -> None:
    ask = Prompt(kind, {1: options})
    assert pass_answer(ask, 1) is value or pass_answer(ask, 1) == value
    draft = draft_after(new_bet_draft(options, kind), RAISE, PASS)
    if value is None:
        assert draft == EntryPage(
            Question(players(1), ask, 1), options.start if isinstance(options, IntRange) else None
        )
    else:
        assert draft == Reply(value)


@pytest.mark.parametrize("name", GAMES)
def test_two_buttons_answer_every_question(name: str) -> None:
    rng, seen = random.Random(name), set[tuple[str, str]]()
    for seed in range(3):
        asks, _, count = heard(GAMES[name], seed)
        for ask in asks:
            seat = rng.choice(list(ask.seats))
            options = ask.seats[seat]
            if (key := (ask.kind, repr(options))) in seen or (ask.kind == "move" and len(seen) > 6):
                continue
            seen.add(key)
            values = list(options.values) if isinstance(options, Choices) else [options.start, options.stop]
            for value in rng.sample(values, min(len(values), 4)):
                draft = new_draft(Question(players(count), ask, seat))
                assert value in [reply.value for reply in _all_replies(draft)], f"{ask.kind}: {value}"
    assert seen


def _all_replies(draft: Draft) -> Iterator[Reply]:
    """Yield every reply that can be reached: after each raise, and on a board after each piece and its moves."""
    seen: list[Draft] = []
    while draft not in seen:
        seen.append(draft)
        inner = next_draft(draft, CONFIRM)
        if isinstance(inner, Reply):
            yield inner
        elif isinstance(inner, BoardPage) and inner.move is not None:
            first = inner.move
            while True:
                reply = next_draft(inner, CONFIRM)
                assert isinstance(reply, Reply)
                yield reply
                inner = next_draft(inner, RAISE)
                assert isinstance(inner, BoardPage)
                if inner.move == first:
                    break
        onwards = next_draft(draft, RAISE)
        assert not isinstance(onwards, Reply)
        draft = onwards


def test_a_move_by_buttons_is_shown_first() -> None:
    page = new_draft(move_question("R0@-2,0 S0@1,0 F0@0,4 F1@0,-4 S1@2,-2 to-move=0"))
    assert isinstance(page, BoardPage)
    one = draft_after(page, RAISE)
    other = draft_after(page, RAISE, RAISE)
    assert isinstance(one, BoardPage) and isinstance(other, BoardPage)
    assert one.selected is not None and other.selected not in (None, one.selected)
    assert one.move is None
    taken = draft_after(one, CONFIRM)
    assert isinstance(taken, BoardPage)
    assert taken.move == one.selected_moves[0]
    turned = draft_after(taken, RAISE)
    assert isinstance(turned, BoardPage)
    assert turned.move == one.selected_moves[1]
    assert draft_after(turned, PASS) == one
    assert draft_after(one, PASS) == page
    assert draft_after(turned, CONFIRM) == Reply(one.selected_moves[1].notation)
    assert draft_after(page, CONFIRM) == page


def page_and_targets(view: View) -> tuple[View, list[Target]]:
    page = view.first_page() if isinstance(view, GameMenu) else view
    return page, drawn(page).targets


def press_buttons(view: View, *actions: ButtonAction, settled: bool = True) -> object:
    page, targets = page_and_targets(view)
    focus, outcome = Focus(), None
    for action in actions:
        outcome = handle_button(page, targets, focus, ButtonEvent(3, action, 0), settled=settled)  # type: ignore[arg-type]
        focus = outcome.focus
    return outcome.result if outcome else None


def test_raise_starts_at_the_main_button_and_reaches_all() -> None:
    notice = Notice("The camera", "is gone.", ("try again", "leave"))
    assert press_buttons(notice, CONFIRM) == Reply("try again")
    assert press_buttons(notice, RAISE, CONFIRM) == Reply("try again")
    assert press_buttons(notice, RAISE, REPEAT, CONFIRM) == Reply("leave")
    assert press_buttons(notice, RAISE, RAISE, RAISE, CONFIRM) == Reply("try again")


@pytest.mark.parametrize("name", [name for name, view in SAMPLES.items() if not isinstance(view, Question)])
def test_the_focus_reaches_every_target_of_every_page(name: str) -> None:
    page, targets = page_and_targets(SAMPLES[name])
    if isinstance(page, GroupQuestionPage):
        return
    focus, reached = Focus(), []
    for _ in range(len(targets)):
        focus = focus.move(targets)
        reached.append(focus.find_target(targets))
    assert [one for one in focusable(targets) if one not in reached] == []


def test_a_pass_goes_back_and_never_decides() -> None:
    games_page = GameMenu(games()).first_page()
    set_up = handle_button(games_page, page_and_targets(games_page)[1], Focus(), ButtonEvent(1, RAISE, 0))
    assert set_up.result is None
    page = SAMPLES["home-set-up"]
    assert press_buttons(page, PASS) is not None and type(press_buttons(page, PASS)) is type(games_page)
    assert press_buttons(SAMPLES["dispute-hand"], PASS) == SAMPLES["dispute-hand"].evidence  # type: ignore[attr-defined]
    assert press_buttons(SAMPLES["result-2"], PASS) == Reply("home")
    assert press_buttons(SAMPLES["history-matches"], PASS) == Reply("home")
    assert press_buttons(Notice("A match is not over", "Go on?", ("go on", "give it up")), PASS) is None
    assert press_buttons(Notice("The camera", "is gone.", ("try again", "leave")), PASS) is None


def test_before_a_page_settles_no_press_counts() -> None:
    notice = Notice("The camera", "is gone.", ("try again", "leave"))
    page, targets = page_and_targets(notice)
    for action in (CONFIRM, RAISE, PASS):
        outcome = handle_button(page, targets, Focus(), ButtonEvent(1, action, 0), settled=False)  # type: ignore[arg-type]
        assert outcome == ButtonOutcome(Focus(), counted=False)


def test_a_page_that_makes_way_by_itself_takes_late_presses_of_answers_longer() -> None:
    assert settle_time_ns(SAMPLES["home-set-up"]) == SETTLE_TIME_NS
    for name in ("reveal-2", "showdown-compared-3", "result-2"):
        assert settle_time_ns(SAMPLES[name]) == LATE_PRESS_NS


def test_the_focus_stays_near_a_button_that_disappears() -> None:
    _, targets = page_and_targets(SAMPLES["home-set-up"])
    more = next(target for target in targets if target.label == "Risk rounds: No")
    focus = Focus(more.rect.copy())
    others = [target for target in targets if target != more]
    near = focus.find_target(others)
    assert near is not None and not near.main
    assert near.rect.center != more.rect.center
    assert abs(near.rect.centery - more.rect.centery) < more.rect.h


def test_dragged_targets_are_not_focusable() -> None:
    _, targets = page_and_targets(zones_samples()["zones"])
    assert any(target.grip for target in targets)
    assert not any(target.grip for target in focusable(targets))
    leaves = back_target(targets)
    assert leaves is not None


def test_a_button_counts_for_its_own_seat() -> None:
    page = GroupQuestion(players(2), Prompt("bet", {1: IntRange(0, 9), 2: IntRange(0, 9)})).first_page()
    outcome = handle_button(page, [], Focus(), ButtonEvent(2, RAISE, 0), settled=False)
    assert outcome.counted and isinstance(outcome.result, GroupQuestionPage)
    assert not handle_button(page, [], Focus(), ButtonEvent(5, RAISE, 0)).counted


def test_any_seat_can_leave_the_result() -> None:
    ended = SAMPLES["result-2"]
    assert isinstance(ended, MatchResult)
    assert press_buttons(ended, CONFIRM) == Reply("again")
