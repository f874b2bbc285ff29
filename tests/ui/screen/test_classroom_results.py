"""The results of a class: sorted, on as many pages as needed, with a legend and a podium."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pygame
import pytest

from device.camera.frames import Size
from rules.engine import Result
from rules.throws import Throw
from tests.helpers.page_rules import drawn
from tests.helpers.samples import classroom as classroom_samples
from tests.helpers.samples.classroom import sample_message, sample_names, sample_result, sample_reveal
from throwlock.tables.classroom_results import round_lines
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.core.registry import draw
from ui.screen.drawing.canvas import Canvas
from ui.screen.pages import classroom as classroom_page
from ui.screen.pages import classroom_grid
from ui.screen.pages.classroom import Attendance, RollCall
from ui.screen.pages.classroom_grid import GridCell
from ui.screen.pages.common import Player
from ui.screen.pages.message import GameMessage
from ui.screen.pages.result import MatchResult
from ui.screen.views import ListPage

SIZES = (*PANEL_SIZES, (1920, 1080))
MIN_TEXT_UNITS = 2.2


def make_people(count: int, named: bool) -> tuple[Player, ...]:
    names = sample_names(30) * 4
    return tuple(Player(seat, names[seat] if named else f"Player {seat}", 0) for seat in range(1, count + 1))


def turned(view: ListPage, size: Size) -> Iterator[ListPage]:
    """Yield the page and those after it, as people turn them."""
    while True:
        yield view
        later = [
            target.press
            for target in drawn(view, size).targets
            if isinstance(target.press, ListPage) and target.press.list_page > view.list_page
        ]
        if not later:
            return
        (view,) = later


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(("count", "named"), [(9, True), (30, True), (63, True), (63, False), (99, False)])
def test_everybody_is_listed_once_the_best_first_and_by_number(
    size: Size, count: int, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, seats = make_people(count, named), list[int]()
    draw_grid = classroom_grid.draw_grid

    def draw_and_note(canvas: Canvas, box: pygame.Rect, cells: Sequence[GridCell], *more: Any) -> None:
        draw_grid(canvas, box, cells, *more)
        seats.extend(cell.seat for cell in cells)
        if named:
            assert {cell.name for cell in cells} <= {text.text for text in canvas.texts}

    for view in (sample_message(people, 60.0), sample_result(people).with_list_page(1)):
        assert isinstance(view, GameMessage | MatchResult)
        pages = list(turned(view, size))
        monkeypatch.setattr(classroom_grid, "draw_grid", draw_and_note)
        seats.clear()
        for page in pages:
            canvas = drawn(page, size)
            assert all(text.complete and text.size >= canvas.theme.units(MIN_TEXT_UNITS) for text in canvas.texts)
        monkeypatch.undo()
        by_seat = {player.seat: player for player in view.players}
        assert sorted(seats) == sorted(by_seat)
        keys = [(-(by_seat[seat].score or 0), seat) for seat in seats]
        winners = len(view.result.winners) if isinstance(view, MatchResult) else 0
        assert keys[winners:] == sorted(keys[winners:])


def test_symbols_are_explained_on_their_page(monkeypatch: pytest.MonkeyPatch) -> None:
    people = make_people(30, named=True)
    message = {text.text for text in drawn(sample_message(people, 60.0), (800, 480)).texts}
    assert {"won", "lost", "points", "beats", str(classroom_page.STREAK)} <= message
    assert "tied" not in message, "nobody tied"
    with monkeypatch.context() as patch:
        patch.setattr(classroom_samples, "sample_throws", lambda count: dict.fromkeys(range(1, count + 1), Throw.ROCK))
        tied = {text.text for text in drawn(sample_message(people, 60.0), (800, 480)).texts}
    assert "tied" in tied and not {"won", "lost"} & tied
    result = {text.text for text in drawn(sample_result(people).with_list_page(1), (800, 480)).texts}
    assert {str(classroom_page.MATCH_WON), "points"} <= result
    reveal = draw(pygame.Surface((800, 480)), sample_reveal(people))
    assert "no throw" in {text.text for text in reveal.texts}


def podium(scores: dict[int, int], winners: tuple[int, ...]) -> list[str]:
    """Return the texts of a podium."""
    players = tuple(Player(seat, f"Name {seat}", score) for seat, score in scores.items())
    view = MatchResult(players, Result(winners, scores, {}), "Somebody has won.")
    return [text.text for text in drawn(view, (800, 480)).texts]


def test_the_three_best_places_are_on_the_podium() -> None:
    shown = podium({seat: 20 - seat for seat in range(1, 10)}, (1,))
    assert shown.index("2 Name 2") < shown.index("1 Name 1") < shown.index("3 Name 3"), "the winner in the middle"
    assert {"19", "18", "17"} <= set(shown) and "4 Name 4" not in shown


def test_equal_scores_share_a_step() -> None:
    scores = dict.fromkeys(range(1, 10), 1) | {4: 9, 7: 9, 2: 5}
    shown = podium(scores, (4, 7))
    assert {"4 Name 4", "7 Name 7", "2 Name 2"} <= set(shown) and {"1.", "3."} <= set(shown) and "2." not in shown
    many = podium(dict.fromkeys(range(1, 10), 1), tuple(range(1, 10)))
    assert [text for text in many if "Name" in text] == [f"{n} Name {n}" for n in range(1, 6)]
    assert "and 4 more" in many


def test_the_podium_leads_to_the_list_and_back() -> None:
    view = sample_result(make_people(30, named=True))
    pages = list(turned(view, (800, 480)))
    assert [page.list_page for page in pages] == list(range(len(pages))) and len(pages) > 1
    back = [target.press for target in drawn(pages[1], (800, 480)).targets if isinstance(target.press, MatchResult)]
    assert replace(view, list_page=0) in back


def test_the_terminal_lists_the_best_first() -> None:
    view = sample_message(make_people(30, named=True))
    assert isinstance(view, GameMessage)
    lines = round_lines(view)[5:]
    scores = [int(line.split()[4]) for line in lines]
    assert len(scores) == 30 and scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("count", [1, 8, 9])
def test_a_class_of_whom_few_throw_again_has_its_own_page(count: int) -> None:
    reveal = sample_reveal(make_people(30, named=True))
    few = drawn(replace(reveal, seats=reveal.seats[-count:], players=reveal.players[-count:]), PANEL_SIZES[0])
    assert f"Throws read: {count} of {count}." in {text.text for text in few.texts}
    assert {"Go on", "Pause"} == {target.label for target in few.targets}


@pytest.mark.parametrize("size", PANEL_SIZES)
def test_a_name_that_does_not_fit_hides_no_other(size: Size) -> None:
    names = ("W" * 40, "Ada Lovelace-Byron of Ockham", *sample_names(30)[2:])
    people = tuple(Player(seat, name, 0) for seat, name in enumerate(names, 1))
    for view in (sample_reveal(people), RollCall("", names, Attendance, Attendance(frozenset()))):
        shown = {text.text for text in drawn(view, size).texts}
        assert {"Ada", *names[2:]} <= shown and names[0] not in shown


def test_one_player_throws_and_several_throw() -> None:
    assert classroom_page.throwing_text(1, 12) == "1 of 12 players throws"
    assert (
        classroom_page.throwing_text(2, 12) == "2 of 12 players throw"
        and classroom_page.throwing_text(12, 12) == "12 players"
    )
