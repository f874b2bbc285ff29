"""The end of a match: the hands that decided it, and the podium."""

from dataclasses import replace

import pygame
import pytest
from page_rules import drawn

from rules.engine import Result
from tests.helpers.samples.common import NAMES, players
from tests.helpers.samples.result import samples
from ui.screen.core.registry import draw_still
from ui.screen.pages.common import Player
from ui.screen.pages.podium import MAX_NAMES_ON_STEP, has_all_names, podium
from ui.screen.pages.result import MatchResult
from ui.screen.pages.result_picture import rank_players

TELEVISION = (1920, 1080)
LONG = "Maximiliane-Theodora von Hohenstein"


def result_of(*points: int, winners: tuple[int, ...] = (1,)) -> MatchResult:
    people = tuple(Player(seat, NAMES[seat - 1], score) for seat, score in enumerate(points, 1))
    return MatchResult(people, Result(winners, dict(enumerate(points, 1))), "Somebody has won.")


def steps(view: MatchResult) -> list[tuple[int, list[int]]]:
    ranked = podium(view.players, rank_players(view.players, view.result.winners))
    return [(place, [player.seat for player in on_step]) for place, on_step in ranked]


@pytest.mark.parametrize(
    ("points", "winners", "expected"),
    [
        ((9, 5, 7, 1), (1,), [(2, [3]), (1, [1]), (3, [2])]),
        ((9, 9, 7), (1, 2), [(1, [1, 2]), (3, [3])]),
        ((9, 5, 5, 5), (1,), [(2, [2, 3, 4]), (1, [1])]),
        ((5, 9), (1,), [(2, [2]), (1, [1])]),
    ],
    ids=["three places", "two winners", "a shared second place", "the winner has fewer points"],
)
def test_steps_of_the_podium(
    points: tuple[int, ...], winners: tuple[int, ...], expected: list[tuple[int, list[int]]]
) -> None:
    assert steps(result_of(*points, winners=winners)) == expected


def test_everybody_on_the_podium_is_named_up_to_a_number() -> None:
    for others in (MAX_NAMES_ON_STEP, MAX_NAMES_ON_STEP + 1):
        view = result_of(9, *[5] * others)
        places = rank_players(view.players, view.result.winners)
        assert has_all_names(view.players, places) is (others == MAX_NAMES_ON_STEP)


@pytest.mark.parametrize("name", sorted(samples()))
def test_the_television_shows_everybody_and_no_button(name: str) -> None:
    view = replace(samples()[name], proof_code="", shows_code=False)  # type: ignore[type-var]
    assert isinstance(view, MatchResult)
    canvas = draw_still(pygame.Surface(TELEVISION, 0, 32), view, interactive=False)
    texts = [text.text for text in canvas.texts]
    assert canvas.targets == [] and {player.name for player in view.players} <= set(texts)
    assert all(text.complete for text in canvas.texts)


@pytest.mark.parametrize("count", range(3, 9))
@pytest.mark.parametrize("ties", [False, True], ids=["all places", "all but one tie"])
def test_long_names_stay_on_the_podium(count: int, ties: bool) -> None:
    people = tuple(replace(player, name=LONG, score=0 if ties else player.seat) for player in players(count))
    view = MatchResult(people, Result((1,), {}), "Somebody has won.")
    canvas = draw_still(pygame.Surface(TELEVISION, 0, 32), view, interactive=False)
    assert all(text.box.contains(text.drawn) for text in canvas.texts)
    assert sum(text.text == LONG for text in canvas.texts) == count


def test_a_hand_that_decided_the_match_moves() -> None:
    view = samples()["result-decided-2"]
    assert isinstance(view, MatchResult) and view.deciding is not None
    early, late = view.at_time(0.0), view.at_time(view.animation_s)
    assert early.deciding is not None and early.deciding.moment_ms < view.deciding.moment_ms
    assert late.deciding == view.deciding
    size = (800, 480)
    canvas = drawn(view, size)
    assert any("frame" in part.fields for part in canvas.moving_parts)
