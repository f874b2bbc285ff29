"""The reveal and the result while they are animated: all hands open at once and none earlier, the photo finish passes
in the order in which hands were shown, and the animation ends at the still page."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.frames import Pixels, Size
from rules.engine import Result
from rules.events import Scores
from rules.record.judgement import Verdict
from rules.throws import Outcome, Throw
from tests.helpers.page_rules import check, drawn
from tests.helpers.samples.common import COUNT_WORDS, players, players_with_facts
from tests.helpers.samples.reveal import decided_reveal, mixed_reveal, revealed_seat, sample_reveal
from tests.helpers.samples.showdown import sample_showdown
from ui.i18n.language import LANGUAGES, set_language
from ui.screen.core.png_display import render_image
from ui.screen.core.stage import Stage
from ui.screen.drawing import theme
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT
from ui.screen.pages import showdown as showdown_page
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.how_to_play_shots import drawn_hand
from ui.screen.pages.message import GameMessage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import OPENING_S, Reveal, SeatPictures, throw_label
from ui.screen.pages.reveal_picture import PHOTO_FINISH_S
from ui.screen.views import View

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720))
COUNT = Countdown(players(2), "Round 1", COUNT_WORDS, 0)
SWAPPED: dict[Outcome | None, Outcome] = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON}
STILL = replace(decided_reveal(4), seconds_left=None)


def other_hands(view: Reveal) -> Reveal:
    """The same reveal with other images of the hands."""
    return replace(view, pictures=dict.fromkeys(view.pictures, SeatPictures(drawn_hand(Throw.SCISSORS, 7))))


def changed(one: Pixels, other: Pixels) -> bool:
    return bool((one != other).any())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_picture_of_a_hand_is_seen_before_all_open_at_once(size: Size) -> None:
    shut, turned, half, open_ = (replace(STILL, shown_s=share * OPENING_S) for share in (0.0, 0.45, 0.75, 1.0))
    for view in (shut, turned):
        assert not changed(render_image(view, size), render_image(other_hands(view), size))
    for view in (half, open_):
        alone = [replace(view, pictures={**view.pictures, seat: other_hands(view).pictures[seat]}) for seat in (1, 4)]
        seen = [(render_image(view, size) != render_image(one, size)).any(axis=2).any(axis=0).sum() for one in alone]
        assert min(seen) > 0 and max(seen) - min(seen) <= 0.4 * max(seen), "everybody’s is open as far as the others'"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_moved_comes_to_rest_where_the_still_page_is(size: Size) -> None:
    assert not changed(render_image(STILL.at_time(STILL.animation_s), size), render_image(STILL, size))
    ended = MatchResult(players(3), Result((2,), {}), "Ben has won.")
    assert not changed(render_image(ended.at_time(ended.animation_s), size), render_image(ended, size))
    assert changed(render_image(ended.at_time(0.1), size), render_image(ended, size))


def test_reduced_motion_shows_everything_at_once() -> None:
    result, cards = MatchResult(players(3), Result((2,), {}), "Ben has won."), sample_showdown("rs", "rs", 6)
    turning = [replace(cards.at_time(showdown_page.OPENING_S + seconds), seconds_left=None) for seconds in (0.1, 0.4)]
    count = replace(COUNT, beat=3)
    moving = [
        (count, replace(count, phase=0.5)),
        (replace(STILL, shown_s=0.0), STILL),
        (replace(result, shown_s=0.0), result),
        (turning[0], turning[1]),
    ]
    assert all(changed(render_image(early, (800, 480)), render_image(late, (800, 480))) for early, late in moving)
    theme.set_reduced_motion(True)
    try:
        assert not any(
            changed(render_image(early, (800, 480)), render_image(late, (800, 480))) for early, late in moving
        )
    finally:
        theme.set_reduced_motion(False)


def test_marks_come_on_the_photo_finish_when_their_time_has_come() -> None:
    """The line ends at 1.3 windows, where all hands came before it."""
    for seat in STILL.seats:
        share = (seat.after_first_ms or 0.0) / (1.3 * STILL.window_ms)
        elsewhere = replace(seat, seat=8)
        pictures = {**STILL.pictures, 8: STILL.pictures[seat.seat]}
        others = tuple(elsewhere if one is seat else one for one in STILL.seats)
        there = []
        for after in (-0.02, 0.02):
            now = replace(STILL, shown_s=OPENING_S + PHOTO_FINISH_S * (share + after))
            one, other = (
                render_image(view, (800, 480))[380:] for view in (now, replace(now, seats=others, pictures=pictures))
            )
            there.append(changed(one, other))
        assert there == [seat.after_first_ms == 0.0, True], "the first hand is there from the first moment"


@given(st.floats(0, 60))
def test_seconds_left_and_seconds_shown_are_those_there_were(seconds: float) -> None:
    view = replace(decided_reveal(2), seconds_left=20.0).at_time(seconds)
    assert view.seconds_left is not None and view.shown_s is not None
    assert view.seconds_left == pytest.approx(max(0.0, 20.0 - view.shown_s))
    assert seconds <= view.shown_s < seconds + 0.1 + 1e-9


def test_the_arrow_points_from_who_beat_to_who_was_beaten() -> None:
    won = replace(decided_reveal(2), seconds_left=None)
    lost = replace(won, seats=tuple(replace(s, outcome=SWAPPED[s.outcome]) for s in won.seats))
    level = replace(won, seats=tuple(replace(seat, outcome=Outcome.TIED) for seat in won.seats))
    nothing = replace(won, seats=tuple(replace(seat, outcome=None) for seat in won.seats))
    pictures = [render_image(view, (800, 480)) for view in (won, lost, level, nothing)]
    middle = [np.asarray(one)[120:400, 370:430] for one in pictures]
    accent = [(one == ACCENT).all(axis=2) for one in middle]
    right, left = (np.flatnonzero(one.any(axis=0)) for one in accent[:2])
    assert len(right) and len(left)
    heavy = [one[:, :30].sum() - one[:, 30:].sum() for one in accent[:2]]
    assert heavy[0] * heavy[1] < 0, "the other way round"
    assert changed(middle[2], middle[3]) and not accent[2].any()


def test_a_card_changed_before_the_lock_is_shown_in_order_of_time() -> None:
    later = revealed_seat(1, (Throw.ROCK, Throw.PAPER), 31.0, Verdict.CHANGED)
    before = replace(later, record=later.record.model_copy(update={"at_lock": "paper", "after_lock": "paper"}))
    words = {"ROCK", "PAPER", "at the lock", "afterwards"}
    labels = []
    for seat in (later, before):
        texts = drawn(sample_reveal((seat, revealed_seat(2, (), None)), "")).texts
        placed = sorted((text.box.centerx, text.box.y, text.text) for text in texts if text.box.centerx < 400)
        labels.append([text for *_, text in placed if text in words])
    assert labels == [["ROCK", "at the lock", "PAPER", "afterwards"], ["ROCK", "PAPER", "at the lock"]]


def test_a_foul_is_no_win_to_look_at() -> None:
    won = replace(decided_reveal(8), seconds_left=None)
    foul = replace(won, seats=(replace(won.seats[0], is_foul=True, verdict="late"), *won.seats[1:]))
    texts = [text.text for text in drawn(foul).texts]
    assert texts.count("LATE") == 1
    assert changed(render_image(foul, (800, 480)), render_image(won, (800, 480)))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    "view",
    [
        decided_reveal(2),
        decided_reveal(8),
        GameMessage(players_with_facts(3), Scores({}), ("Ann wins.",), seconds_left=2.5),
        MatchResult(players_with_facts(8), Result((2,), {}), "Ben has won.", True, seconds_left=15.0),
        AttractMode(),
    ],
    ids=["reveal of two", "reveal of eight", "told", "ended", "attract"],
)
def test_drawing_only_what_moved_gives_the_very_same_picture(view: View, size: Size) -> None:
    stage, surface = Stage(), pygame.Surface(size, 0, 32)
    for seconds in (0.0, 0.016, 0.2, 0.9, 1.5, 2.1, 2.2, 7.3, 12.0):
        now = view.at_time(seconds)  # all of them move
        stage.draw(surface, now)
        drawn = pygame.surfarray.array3d(surface).swapaxes(0, 1)
        assert not changed(np.asarray(drawn, dtype=np.uint8), render_image(now, size)), seconds


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_time_of_a_late_hand_is_beside_its_verdict_among_eight(size: Size) -> None:
    texts = [text for text in drawn(mixed_reveal(8), size).texts if text.complete]
    (late,) = [text for text in texts if text.text == "LATE"]
    assert any(text.text == "+212 ms" and abs(text.drawn.bottom - late.drawn.bottom) < late.box.h for text in texts)
    (early,) = [text for text in texts if text.text == "EARLY"]
    assert any(text.text == "−380 ms" and abs(text.drawn.bottom - early.drawn.bottom) < early.box.h for text in texts)
    (changed_throw,) = [text for text in texts if text.text == "CHANGED"]
    beside = {text.text for text in texts if abs(text.drawn.bottom - changed_throw.drawn.bottom) < early.box.h}
    assert "+60 ms" in beside


def test_a_late_hand_s_time_is_on_its_card_once() -> None:
    texts = [text for text in drawn(mixed_reveal(2), (720, 1280)).texts if "212 ms" in text.text]
    assert [text.text for text in texts if text.text == "+212 ms"] == ["+212 ms"] * 2, (
        "on the card, on the photo finish"
    )


THREE_LINES = "Ann wins 20 points and keeps her streak; Bartholomew loses 5."
MANY_LINES = (
    "Bartholomew, Friederike and Dolores win 20 points; Ann, Chidi, Emil, Gus and Hanako lose 5 each, and the round is "
    "over."
)


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_long_headline_leaves_the_hands_their_room(count: int, size: Size) -> None:
    for sentence in (THREE_LINES, MANY_LINES):
        view = replace(decided_reveal(count), sentence=sentence, seconds_left=3.5, has_slow_motion=True)
        check(drawn(view, size))


def test_a_headline_of_three_lines_leaves_the_throws_their_words() -> None:
    view = replace(decided_reveal(2), sentence=THREE_LINES, seconds_left=3.5, has_slow_motion=True)
    canvas = drawn(view, (800, 480))
    (headline,) = [text for text in canvas.texts if text.text == THREE_LINES]
    assert headline.box.h == 3 * line_height(headline.size)
    assert {"PAPER", "ROCK"} <= {text.text for text in canvas.texts}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shown", list(permutations((*Throw, None), 2)), ids=str)
def test_the_words_of_two_throws_are_for_everybody_or_icons_say_them(
    shown: tuple[Throw | None, Throw | None], language: str
) -> None:
    set_language(language)
    throws = tuple(throw for throw in shown if throw)
    reveal = decided_reveal(2)
    late = revealed_seat(2, throws, 212.0, Verdict.LATE)
    pictures = {**reveal.pictures, 2: replace(reveal.pictures[2], proof=reveal.pictures[2].at_lock)}
    for size in SIZES:
        canvas = drawn(replace(reveal, seats=(reveal.seats[0], late), pictures=pictures), size)
        words = [text for text in canvas.texts if text.text in map(throw_label, (*Throw, None))]
        assert all(text.size >= canvas.theme.shared and text.complete for text in words)
