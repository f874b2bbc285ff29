"""What a seat's strokes mean: every question of every game can be answered with two buttons, a pass binds least, and on
every other page they lead a focus that can reach everything."""

import random
from collections.abc import Iterator

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_screen_games import heard

from device.gpio.buttons import SeatStroke, Stroke
from rules.catalogue import GAMES
from rules.engine import Ask, Choices, Options, Span
from rules.throws import THROWS
from tools.gallery.gallery import games, moving, players, samples, zone_pages
from ui.screen.core.button_navigation import entered, onward, passing
from ui.screen.core.focus import Focus, away, main, stroked, usable
from ui.screen.core.page_stack import first_page, next_page
from ui.screen.drawing.canvas import Target
from ui.screen.drawing.registry import draw
from ui.screen.pages.ask.group_view import GatherPage, gathered
from ui.screen.pages.ask.view import BoardPage, Entry, EntryPage, Reply, entry, listed, same
from ui.screen.pages.dispute.view import Look
from ui.screen.pages.views import Choosing, Ended, Gather, Notice, Question
from ui.screen.pages.zones.view import Grab

SAMPLES = samples()
RAISE, RUN, CONFIRM, PASS = Stroke.RAISE, Stroke.RUN, Stroke.CONFIRM, Stroke.PASS
OPTIONS = st.one_of(
    st.builds(
        lambda start, length, step: Span(start, start + length, step), *[st.integers(0, 200)] * 2, st.integers(1, 9)
    ),
    st.lists(st.sampled_from(["a", "b", 1, True, False, "c", 0]), min_size=1).map(
        lambda values: Choices(tuple(values))
    ),
)


def after(draft: Entry, *strokes: Stroke) -> Entry | Reply:
    for stroke in strokes:
        came = entered(draft, stroke)
        if isinstance(came, Reply):
            return came
        draft = came
    return draft


def asked(options: Options, kind: str = "bet", default: int | str | None = None) -> Entry:
    return entry(Question(players(1), Ask(kind, {1: options}, default=default), 1))


@given(OPTIONS)
def test_raise_comes_to_every_value_and_round_again(options: Options) -> None:
    value, seen = None, []
    if isinstance(options, Span):
        value = options.start
        seen.append(value)
    for _ in range(300):
        value = onward(options, value)
        if any(same(value, one) for one in seen):
            break
        seen.append(value)
    assert same(value, seen[0])
    count = len(listed(options)) if isinstance(options, Choices) else (options.stop - options.start) // options.step + 1
    assert len(seen) == count
    assert all(options.allows(one) for one in seen)


@given(OPTIONS)
def test_holding_raise_is_no_slower_and_comes_to_the_last_value_before_it_begins_anew(options: Options) -> None:
    taps = runs = 0
    value = None
    while runs == 0 or not (isinstance(options, Choices) and value is None):
        value, runs = onward(options, value, run=True), runs + 1
        assert options.allows(value)
        if _last(options, value) or runs > 300:
            break
    value = None
    while not _last(options, value):
        value, taps = onward(options, value), taps + 1
    assert runs <= max(1, taps)


def _last(options: Options, value: object) -> bool:
    if isinstance(options, Span):
        return isinstance(value, int) and value + options.step > options.stop
    return value is not None and same(value, listed(options)[-1][0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "options", "value"),
    [
        ("bet", Span(0, 95, 5), 0),
        ("bet", Span(1, 9), 1),
        ("act", Choices(("fold", "bet")), "fold"),
        ("act", Choices(("raise", "call")), "call"),
        ("risk", Choices(("yes", "no")), "no"),
        ("go on", Choices((True, False)), False),
        ("wish", Choices(("on", "off", "don't care")), "don't care"),
        ("table", Choices(("stay", "leave", "reset", "wish")), "stay"),
        ("table", Choices(("wait", "join")), "wait"),
        ("team", Span(1, 2), None),
        ("claim", THROWS, None),
        ("place", Choices(("rock", "paper")), None),
        ("throw", THROWS, None),
    ],
)
def test_a_pass_is_what_binds_least(kind: str, options: Options, value: object) -> None:
    ask = Ask(kind, {1: options})
    assert passing(ask, 1) is value or passing(ask, 1) == value
    draft = after(asked(options, kind), RAISE, PASS)
    if value is None:
        assert draft == EntryPage(Question(players(1), ask, 1), options.start if isinstance(options, Span) else None)
    else:
        assert draft == Reply(value)


@pytest.mark.parametrize("name", GAMES)
def test_every_answer_to_every_question_of_a_game_can_be_given_with_two_buttons(name: str) -> None:
    chance, seen = random.Random(name), set()
    for seed in range(3):
        asks, _, count = heard(GAMES[name], seed)
        for ask in asks:
            seat = chance.choice(list(ask.seats))
            options = ask.seats[seat]
            if (key := (ask.kind, repr(options))) in seen or (ask.kind == "move" and len(seen) > 6):
                continue
            seen.add(key)
            values = list(options.values) if isinstance(options, Choices) else [options.start, options.stop]
            for value in chance.sample(values, min(len(values), 4)):
                draft = entry(Question(players(count), ask, seat))
                assert value in [reply.value for reply in _replies(draft)], f"{ask.kind}: {value}"
    assert seen


def _replies(draft: Entry) -> Iterator[Reply]:
    """What can be put in: after each raise, and on a board after each piece and its moves."""
    seen: list[Entry] = []
    while draft not in seen:
        seen.append(draft)
        inner = entered(draft, CONFIRM)
        if isinstance(inner, Reply):
            yield inner
        elif isinstance(inner, BoardPage) and inner.move is not None:
            first = inner.move
            while True:
                reply = entered(inner, CONFIRM)
                assert isinstance(reply, Reply)
                yield reply
                inner = entered(inner, RAISE)  # type: ignore[assignment]
                if inner.move == first:  # type: ignore[union-attr]
                    break
        onwards = entered(draft, RAISE)
        assert not isinstance(onwards, Reply)
        draft = onwards


def test_a_move_by_strokes_is_shown_before_it_is_played_and_can_be_let_go() -> None:
    page = entry(moving("R0@-2,0 S0@1,0 F0@0,4 F1@0,-4 S1@2,-2 to-move=0"))
    assert isinstance(page, BoardPage)
    one = after(page, RAISE)
    other = after(page, RAISE, RAISE)
    assert isinstance(one, BoardPage) and isinstance(other, BoardPage)
    assert one.piece is not None and other.piece not in (None, one.piece)
    assert one.move is None
    taken = after(one, CONFIRM)
    assert isinstance(taken, BoardPage)
    assert taken.move == one.from_piece[0]
    turned = after(taken, RAISE)
    assert isinstance(turned, BoardPage)
    assert turned.move == one.from_piece[1]
    assert after(turned, PASS) == one
    assert after(one, PASS) == page
    assert after(turned, CONFIRM) == Reply(one.from_piece[1].notation)
    assert after(page, CONFIRM) == page


def shown(view: object) -> tuple[object, list[Target]]:
    page = first_page(view) if isinstance(view, Choosing) else view
    return page, draw(pygame.Surface((800, 480), 0, 32), page).targets  # type: ignore[arg-type]


def press(view: object, *strokes: Stroke, settled: bool = True) -> object:
    page, targets = shown(view)
    focus, came = Focus(), None
    for stroke in strokes:
        came = stroked(page, targets, focus, SeatStroke(3, stroke, 0), settled=settled)  # type: ignore[arg-type]
        focus = came.focus
    return came.after if came else None


def test_raise_begins_at_the_main_button_and_goes_through_all() -> None:
    notice = Notice("The camera", "is gone.", ("try again", "leave"))
    assert press(notice, CONFIRM) == Reply("try again")
    assert press(notice, RAISE, CONFIRM) == Reply("try again")
    assert press(notice, RAISE, RUN, CONFIRM) == Reply("leave")
    assert press(notice, RAISE, RAISE, RAISE, CONFIRM) == Reply("try again")


@pytest.mark.parametrize("name", [name for name, view in SAMPLES.items() if not isinstance(view, Question)])
def test_the_focus_reaches_every_target_of_every_page(name: str) -> None:
    page, targets = shown(SAMPLES[name])
    if isinstance(page, GatherPage):
        return
    focus, reached = Focus(), []
    for _ in range(len(targets)):
        focus = focus.moved(targets)
        reached.append(focus.target(targets))
    assert [one for one in usable(targets) if one not in reached] == []


def test_a_pass_leads_back_and_never_decides() -> None:
    games_page = first_page(Choosing(games()))
    set_up = stroked(games_page, shown(games_page)[1], Focus(), SeatStroke(1, RAISE, 0))
    assert set_up.after is None
    page = SAMPLES["set-up"]
    assert press(page, PASS) is not None and type(press(page, PASS)) is type(games_page)
    assert press(SAMPLES["dispute-hand"], PASS) == next_page(SAMPLES["dispute-hand"], Look(None))  # type: ignore[arg-type]
    assert press(SAMPLES["ended-2"], PASS) == Reply("home")
    assert press(SAMPLES["past-matches"], PASS) == Reply("home")
    assert press(Notice("A match is not over", "Go on?", ("go on", "give it up")), PASS) is None
    assert press(Notice("The camera", "is gone.", ("try again", "leave")), PASS) is None


def test_nothing_is_pressed_before_a_page_has_settled_but_the_focus_may_move() -> None:
    notice = Notice("The camera", "is gone.", ("try again", "leave"))
    assert press(notice, CONFIRM, settled=False) is None
    page, targets = shown(notice)
    assert stroked(page, targets, Focus(), SeatStroke(1, RAISE, 0), settled=False).focus.target(targets) == main(
        targets
    )  # type: ignore[arg-type]


def test_the_focus_stays_near_where_it_was_when_its_button_is_gone() -> None:
    _, targets = shown(SAMPLES["set-up"])
    more = next(target for target in targets if target.label == "More")
    focus = Focus(more.rect.copy())
    others = [target for target in targets if target != more]
    near = focus.target(others)
    assert near is not None and not near.main
    assert near.rect.center != more.rect.center
    assert abs(near.rect.centery - more.rect.centery) < more.rect.h


def test_what_is_dragged_has_no_focus() -> None:
    _, targets = shown(zone_pages()["zones"])
    assert any(isinstance(target.press, Grab) for target in targets)
    assert not any(isinstance(target.press, Grab) for target in usable(targets))
    leaves = away(targets)
    assert leaves is not None


def test_a_stroke_of_a_gather_counts_for_its_own_seat_whatever_has_settled() -> None:
    page = gathered(Gather(players(2), Ask("bet", {1: Span(0, 9), 2: Span(0, 9)})))
    came = stroked(page, [], Focus(), SeatStroke(2, RAISE, 0), settled=False)
    assert came.counted and isinstance(came.after, GatherPage)
    assert not stroked(page, [], Focus(), SeatStroke(5, RAISE, 0)).counted


def test_the_end_of_a_match_can_be_left_by_any_seat() -> None:
    ended = SAMPLES["ended-2"]
    assert isinstance(ended, Ended)
    assert press(ended, CONFIRM) == Reply("again")
