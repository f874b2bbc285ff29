"""An ask that several seats answer together: by touch, by buttons, both at once; nothing of a private answer is
seen before all are in."""

from collections.abc import Mapping
from types import MappingProxyType

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.gpio.buttons import SeatStroke, Stroke
from rules.engine import Ask, Choices, Options, Span
from rules.throws import THROWS
from tools.gallery.gallery import players
from ui.screen.core.button_navigation import struck
from ui.screen.core.page_stack import Dialogue
from ui.screen.core.png_display import picture
from ui.screen.drawing.registry import draw
from ui.screen.pages.ask.group_view import GatherPage, Visit, gathered, next_gather
from ui.screen.pages.ask.view import EntryPage, HandOverPage, Open, Put, Reply
from ui.screen.pages.views import Gather

SIZES = ((800, 480), (720, 1280), (1280, 720))
STAKES = Span(0, 95, 5)
RAISE, RUN, CONFIRM, PASS = Stroke.RAISE, Stroke.RUN, Stroke.CONFIRM, Stroke.PASS


def ask_for(
    seats: Mapping[int, Options], kind: str = "bet", *, sealed: bool = False, secret: bool = False, count: int = 3
) -> Gather:
    ask = Ask(kind, seats, sealed, 20, 0 if kind == "bet" else None, secret=secret)
    return Gather(players(count), ask, 20.0)


def bets(sealed: bool, seats: int = 3) -> Gather:
    return ask_for(dict.fromkeys(range(1, seats + 1), STAKES), sealed=sealed, count=seats)


def strike(page: GatherPage, *strokes: tuple[int, Stroke]) -> GatherPage:
    """After strokes that all count and none of which is the last."""
    for seat, stroke in strokes:
        after = struck(page, SeatStroke(seat, stroke, 0))
        assert isinstance(after, GatherPage)
        page = after
    return page


def reply(page: GatherPage, seat: int, stroke: Stroke) -> object:
    after = struck(page, SeatStroke(seat, stroke, 0))
    assert isinstance(after, Reply)
    return after.value


def touch(page: GatherPage, *presses: object) -> GatherPage:
    for press in presses:
        after = next_gather(page, press)
        assert isinstance(after, GatherPage)
        page = after
    return page


def test_all_bet_at_the_same_time_with_their_buttons() -> None:
    page = strike(gathered(bets(False)), (1, RAISE), (3, RUN), (2, RAISE), (1, RAISE), (3, RAISE), (1, CONFIRM))
    assert [page.state(seat) for seat in (1, 2, 3)] == ["in", "entering", "entering"]
    page = strike(page, (2, RAISE), (2, CONFIRM))
    assert page.waiting == (3,)
    assert reply(page, 3, CONFIRM) == {1: 10, 2: 10, 3: 30}


def test_buttons_and_touch_work_on_one_draft_where_it_is_open() -> None:
    page = touch(gathered(bets(False)), Visit(2), Put(40))
    page = strike(page, (1, RAISE), (1, CONFIRM), (2, RAISE))
    assert isinstance(page.own, EntryPage)
    assert page.own.value == 45
    assert touch(page, Visit(None)).drafts[2].value == 45  # type: ignore[union-attr]
    page = strike(page, (2, CONFIRM))
    assert page.own is None, "whoever is in has left their page"
    assert page.given == {1: 5, 2: 45}


def test_a_private_page_forgets_what_was_entered_when_it_is_left_and_knows_nothing_of_the_buttons() -> None:
    page = strike(gathered(bets(True)), (2, RAISE), (2, RAISE))
    page = touch(page, Visit(2))
    assert isinstance(page.own, HandOverPage)
    page = touch(page, Open())
    assert isinstance(page.own, EntryPage)
    assert page.own.value == 0
    page = touch(page, Put(60), Visit(None), Visit(2), Open())
    assert isinstance(page.own, EntryPage)
    assert page.own.value == 0
    page = strike(page, (2, RAISE), (2, CONFIRM))
    assert page.given == {2: 15}, "the presses were counted all the while"


def test_what_is_in_stays() -> None:
    page = strike(gathered(bets(True)), (1, RAISE), (1, CONFIRM))
    for stroke in Stroke:
        assert struck(page, SeatStroke(1, stroke, 0)) is None
    assert touch(page, Visit(1)) == page
    assert not any(target.press == Visit(1) for target in draw(pygame.Surface((800, 480), 0, 32), page).targets)


def test_who_is_not_asked_has_no_say() -> None:
    page = gathered(ask_for({1: STAKES, 3: STAKES}))
    assert struck(page, SeatStroke(2, CONFIRM, 0)) is None
    assert struck(page, SeatStroke(9, CONFIRM, 0)) is None
    assert touch(page, Visit(2)) == page


def test_when_time_runs_out_who_is_not_in_answers_nothing() -> None:
    dialogue = Dialogue(bets(True))
    assert isinstance(dialogue.page, GatherPage)
    dialogue.turn(strike(dialogue.page, (2, PASS)))
    dialogue.left(0.0)
    assert dialogue.closed() == Reply({1: None, 2: 0, 3: None})


def test_the_last_touch_answers_for_all() -> None:
    page = touch(gathered(bets(True, 2)), Visit(2), Open())
    page = touch(page, Reply(20))
    assert page.own is None
    after = next_gather(touch(page, Visit(1), Open()), Reply(95))
    assert after == Reply({1: 95, 2: 20})


def test_one_seat_alone_is_asked_on_its_own_page_at_once() -> None:
    alone = gathered(ask_for({2: THROWS}, "claim"))
    assert isinstance(alone.own, EntryPage)
    assert next_gather(alone, Visit(None)) == alone
    assert reply(strike(alone, (2, RAISE), (2, RAISE)), 2, CONFIRM) == {2: "paper"}
    assert struck(alone, SeatStroke(1, CONFIRM, 0)) is None
    secret = gathered(ask_for({2: THROWS}, "place", secret=True))
    assert isinstance(secret.own, HandOverPage)
    counted = gathered(ask_for({2: STAKES}, sealed=True))
    assert counted.own is None


def test_secret_options_are_seen_on_their_own_page_only_one_seat_at_a_time() -> None:
    page = gathered(ask_for({1: THROWS, 2: Choices(("rock",))}, "place", secret=True))
    page = strike(page, (2, RAISE))
    assert page.own is not None and page.own.view.seat == 2
    assert struck(page, SeatStroke(1, CONFIRM, 0)) is None, "the screen is another's"
    page = strike(page, (2, CONFIRM))
    assert isinstance(page.own, EntryPage)
    page = strike(page, (2, CONFIRM))
    assert page.given == {2: "rock"}
    page = strike(page, (1, CONFIRM), (1, PASS))
    assert page.own is None, "a pass hands the screen back"
    page = strike(page, (1, CONFIRM), (1, CONFIRM), (1, RAISE), (1, RAISE))
    assert reply(page, 1, CONFIRM) == {1: "paper", 2: "rock"}


def test_a_confirm_of_nothing_puts_nothing_in() -> None:
    page = gathered(ask_for(dict.fromkeys((1, 2), THROWS), "throw", sealed=True))
    assert strike(page, (1, CONFIRM)).given == {}
    assert strike(page, (1, RAISE), (1, PASS), (1, CONFIRM)).given == {}
    assert strike(page, (1, RAISE), (1, CONFIRM)).given == {1: "rock"}


STROKES = st.lists(st.tuples(st.sampled_from((1, 2)), st.sampled_from((RAISE, RUN, PASS))), max_size=12)


@settings(max_examples=25)
@given(
    st.sampled_from((("bet", STAKES), ("throw", THROWS), ("place", Choices(("rock", "scissors"))))),
    st.booleans(),
    STROKES,
    st.sampled_from(SIZES),
)
def test_the_picture_of_a_sealed_answer_is_the_same_whatever_it_is(
    asked: tuple[str, Options], one_in: bool, strokes: list[tuple[int, Stroke]], size: tuple[int, int]
) -> None:
    """Two matches with the same seats in look alike, however they came to be so."""
    kind, options = asked
    view = ask_for({1: options, 2: options}, kind, sealed=True, count=2)
    page = gathered(view)
    for seat, stroke in strokes:
        after = struck(page, SeatStroke(seat, stroke, 0))
        if isinstance(after, GatherPage):
            page = after
        if not page.waiting or isinstance(after, Reply):
            return
    if one_in and 1 in page.waiting:
        after = page.put_in(1, 95 if isinstance(options, Span) else "scissors")
        assert isinstance(after, GatherPage)
        page = after
    plain = GatherPage(view, gathered(view).drafts, MappingProxyType(dict.fromkeys(page.given, "anything")))
    assert (picture(page, size) == picture(plain, size)).all()


@given(STROKES)
def test_an_open_answer_is_seen(strokes: list[tuple[int, Stroke]]) -> None:
    page = gathered(bets(False, 2))
    for seat, stroke in strokes:
        after = struck(page, SeatStroke(seat, stroke, 0))
        if isinstance(after, Reply):
            return
        page = after or page
    texts = [text.text for text in draw(pygame.Surface((800, 480), 0, 32), page).texts]
    for seat in (1, 2):
        value = page.given[seat] if seat in page.given else page.drafts[seat].value  # type: ignore[union-attr]
        assert str(value) in texts


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everybodys_page_fits_and_is_large_enough_to_touch(size: tuple[int, int], count: int, sealed: bool) -> None:
    seats = dict.fromkeys(range(1, count + 1), STAKES)
    page = gathered(ask_for(seats, sealed=sealed, count=count))
    for stroke in (RAISE, CONFIRM):
        if len(page.waiting) > 1:
            page = strike(page, (page.waiting[0], stroke))
        canvas = draw(pygame.Surface(size, 0, 32), page)
        assert [text.text for text in canvas.texts if not text.whole] == []
        assert all(min(target.rect.size) >= canvas.theme.touch for target in canvas.targets)
        if page.own is None:
            assert {target.press for target in canvas.targets} == {Visit(seat) for seat in page.waiting}


def test_every_seats_panel_is_as_large_as_the_others_and_they_stand_by_seat() -> None:
    view = ask_for(dict.fromkeys((8, 3, 5, 1), STAKES), count=8)
    targets = draw(pygame.Surface((800, 480), 0, 32), gathered(view)).targets
    assert [target.press for target in targets] == [Visit(1), Visit(3), Visit(5), Visit(8)]
    sizes = {target.rect.size for target in targets}
    assert max(w for w, _ in sizes) - min(w for w, _ in sizes) <= 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_seats_own_page_leads_back(size: tuple[int, int]) -> None:
    for sealed in (False, True):
        for kind, options in (
            ("bet", STAKES),
            ("throw", THROWS),
            ("wish", Choices(tuple(f"wish {n}" for n in range(40)))),
        ):
            page = touch(gathered(ask_for({1: options, 2: options}, kind, sealed=sealed)), Visit(1))
            for shown in (page, touch(page, Open())):
                canvas = draw(pygame.Surface(size, 0, 32), shown)
                assert Visit(None) in [target.press for target in canvas.targets]
                assert [text.text for text in canvas.texts if not text.whole] == []
                assert all(min(target.rect.size) >= canvas.theme.touch for target in canvas.targets)
            assert touch(page, Visit(None)).own is None
