"""The end of a match: the hands that decided it, and the podium."""

from collections.abc import Sequence
from dataclasses import replace

import pygame
import pytest

from rules.engine import Result
from tests.helpers.page_rules import drawn
from tests.helpers.panels import Panel, draw_on, each_panel, is_too_small
from tests.helpers.samples.common import NAMES
from tests.helpers.samples.result import samples
from tests.helpers.samples.reveal import decided_reveal
from tests.helpers.samples.slow_motion import sample_slow_motion
from ui.i18n.language import set_language
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.core.registry import draw_still
from ui.screen.pages.common import Player, rank_players
from ui.screen.pages.podium import MAX_NAMES_ON_STEP, podium, podium_is_shown
from ui.screen.pages.result import MatchResult
from ui.screen.pages.seating import MAX_NAME_LENGTH
from ui.screen.pages.slow_motion import SlowMotion

TELEVISION = (1920, 1080)
LONGEST = MAX_NAME_LENGTH


def result_of(*points: int, winners: tuple[int, ...] = (1,)) -> MatchResult:
    people = tuple(Player(seat, NAMES[seat - 1], score) for seat, score in enumerate(points, 1))
    return MatchResult(people, Result(winners, dict(enumerate(points, 1))), "Somebody has won.")


def decided_round(count: int) -> SlowMotion:
    return sample_slow_motion(decided_reveal(count), 0.0).as_part()


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


@pytest.mark.parametrize("name", ["", "W" * LONGEST, ("عبدالرحمن" * 3)[:LONGEST]])
def test_winners_of_two_pairs_each_have_their_own_points(name: str) -> None:
    view = result_of(50, 0, 55, 0, winners=(1, 3))
    if name:
        view = replace(view, players=tuple(replace(player, name=name) for player in view.players))
    for size in PANEL_SIZES:
        canvas = drawn(view, size)
        texts = [text.text for text in canvas.texts]
        assert {f"{view.players[0].name} · 50", f"{view.players[2].name} · 55"} <= set(texts)
        assert "50" not in texts and "0" in texts and all(text.complete for text in canvas.texts)
    level = drawn(result_of(50, 0, 50, 0, winners=(1, 3)))
    assert "50" in [text.text for text in level.texts]


def test_everybody_on_the_podium_is_named_up_to_a_number() -> None:
    for others in (MAX_NAMES_ON_STEP, MAX_NAMES_ON_STEP + 1):
        view = result_of(9, *[5] * others)
        places = rank_players(view.players, view.result.winners)
        assert podium_is_shown(view.players, places) is (others == MAX_NAMES_ON_STEP)


@pytest.mark.parametrize("name", sorted(samples()))
def test_the_television_shows_everybody_and_no_button(name: str) -> None:
    view = replace(samples()[name], proof_code="", shows_code=False)  # type: ignore[type-var]
    assert isinstance(view, MatchResult)
    canvas = draw_still(pygame.Surface(TELEVISION, 0, 32), view, interactive=False)
    texts = [text.text.partition(" · ")[0] for text in canvas.texts]  # a name may have its points
    assert canvas.targets == [] and {player.name for player in view.players} <= set(texts)
    assert all(text.complete for text in canvas.texts)


@pytest.mark.parametrize("points", [(8, 7, 6, 5, 4, 3, 2, 1), (8, 7, 7, 5, 5, 5), (9, *[5] * 6, 1), (9, 9, 9, 3, 2)])
@pytest.mark.parametrize("name", ["W" * LONGEST, "漢" * LONGEST, ("عبدالرحمن" * 3)[:LONGEST]])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_everybody_is_on_or_below_the_podium_with_the_longest_name(
    points: tuple[int, ...], name: str, language: str
) -> None:
    set_language(language)
    for decided in (False, True):
        view = replace(result_of(*points), can_dispute=True, can_undo=True, has_awards=True, seconds_left=9.0)
        view = replace(view, players=tuple(replace(player, name=name) for player in view.players))
        if decided:
            view = replace(view, deciding=decided_round(len(points)))
        for size, interactive in [*((size, True) for size in PANEL_SIZES), (TELEVISION, False)]:
            canvas = draw_still(pygame.Surface(size, 0, 32), view, interactive=interactive)
            placed = [text for text in canvas.texts if text.text == name]
            assert len(placed) == len(points)
            assert all(text.complete and text.box.contains(text.drawn) for text in placed), size


@pytest.mark.parametrize("name", ["result-2", "result-3", "result-battle-4", "result-decided-2", "result-every-button"])
def test_names_of_20_letters_are_whole(name: str) -> None:
    view, names = samples()[name], ("Maximilian-Alexander", "Konstantinopolitaner", "Wilhelmine Grünewald")

    def renamed(players: Sequence[Player]) -> tuple[Player, ...]:
        return tuple(replace(player, name=names[player.seat % 3]) for player in players)

    assert isinstance(view, MatchResult)
    view = replace(view, players=renamed(view.players))
    if view.deciding is not None:
        view = replace(view, deciding=replace(view.deciding, players=renamed(view.deciding.players)))
    for size in PANEL_SIZES:
        named = [text for text in drawn(view, size).texts if text.text.partition(" · ")[0] in names]
        assert len(named) >= len(view.players) and all(text.complete for text in named), size


@each_panel
@pytest.mark.parametrize("winners", range(2, MAX_NAMES_ON_STEP + 1))
def test_winners_on_one_step_have_names_that_can_be_read(winners: int, panel: Panel) -> None:
    view = result_of(*[9] * winners, *[5] * (8 - winners), winners=tuple(range(1, winners + 1)))
    texts = draw_on(replace(view, can_dispute=True), panel).texts
    named = [text for text in texts if text.text in NAMES[:winners]]
    assert len(named) == winners and not any(is_too_small(text, panel) for text in named)


def test_points_are_on_every_step_and_below_it() -> None:
    for size in PANEL_SIZES:
        texts = [text.text for text in drawn(result_of(8, 7, 6, 5, 4, 3, 2, 1), size).texts]
        assert all({f"{place}.", str(9 - place)} <= set(texts) for place in range(1, 9)), size


def test_a_hand_that_decided_the_match_moves() -> None:
    view = samples()["result-decided-2"]
    assert isinstance(view, MatchResult) and view.deciding is not None
    early, late = view.at_time(0.0), view.at_time(view.animation_s)
    assert early.deciding is not None and early.deciding.moment_ms < view.deciding.moment_ms
    assert late.deciding == view.deciding
    size = (800, 480)
    canvas = drawn(view, size)
    assert any("frame" in part.fields for part in canvas.moving_parts)
