"""Everything on the screen is large enough to be read and touched: on both panels, in every language, as usual and with
large text. The capitals of what everybody reads are 5 mm high, of what one person reads 2.5 mm; targets are 9 mm wide
and high."""

import pygame
import pytest

from rules.events import Scores
from tests.helpers.panels import PANELS, ROUNDED, Panel, draw_on, each_panel, is_too_small
from tests.helpers.samples.common import players
from tests.helpers.samples.reveal import decided_reveal, sample_reveal
from tools.gallery import samples
from ui.i18n.language import LANGUAGES, set_language
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.drawing.text import render_line
from ui.screen.drawing.theme import CAPITAL_EM, LARGE_TEXT_SCALES, MIN_CAPITAL_MM, MIN_TARGET_MM, Theme, set_large_text
from ui.screen.pages.message import GameMessage

SAMPLES = samples()
AS_LARGE_AS_THEY_FIT = {"calculator-full"}
"""The page with the calculator's largest numbers, of up to 17 digits."""

KEY_MM = 6.5
"""The least side of a key on a keyboard across a narrow screen: more than a phone's."""


def sides_mm(target: Target, panel: Panel) -> tuple[float, float]:
    across, down = panel.mm_per_pixel()
    return target.rect.w * across, target.rect.h * down


@each_panel
@pytest.mark.usefixtures("either_text")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_read_and_every_target_touched(language: str, panel: Panel) -> None:
    set_language(language)
    for name, view in SAMPLES.items():
        canvas = draw_on(view, panel)
        assert unreadable_texts(canvas, panel) == set() or name in AS_LARGE_AS_THEY_FIT, name
        assert small_targets(canvas, panel) == set(), name


def unreadable_texts(canvas: Canvas, panel: Panel) -> set[str]:
    return {
        text.text for text in canvas.texts if text.text.strip() and (is_too_small(text, panel) or not text.complete)
    }


def small_targets(canvas: Canvas, panel: Panel) -> set[str]:
    """But for the board when it is drawn whole, where a touch enlarges it, for a timeline, along which a finger
    slides, and for the keys of a keyboard across a narrow screen, the nearest of which counts."""
    return {
        target.label
        for target in canvas.targets
        if not target.slides and target.button_press is None
        if min(sides_mm(target, panel)) < (KEY_MM if target.area else MIN_TARGET_MM)
    }


@each_panel
@pytest.mark.parametrize(
    "name", ["home", "home-set-up", "settings", "question-bet", "countdown-2", "message-2", "result-2"]
)
def test_large_text_is_a_third_larger(name: str, panel: Panel) -> None:
    sizes = []
    for is_large in (False, True):
        set_large_text(is_large)
        sizes.append(draw_on(SAMPLES[name], panel).theme.body)
    set_large_text(False)
    assert sizes[1] == pytest.approx(sizes[0] * 1.3, abs=ROUNDED)


@pytest.mark.slow
@each_panel
@pytest.mark.usefixtures("large_text")
def test_most_pages_have_the_largest_text(panel: Panel) -> None:
    scales = [draw_on(view, panel).theme.text_scale for view in SAMPLES.values()]
    assert scales.count(LARGE_TEXT_SCALES[0]) >= 0.85 * len(scales)


@each_panel
@pytest.mark.usefixtures("large_text")
def test_a_page_without_room_for_large_text_is_as_usual(panel: Panel) -> None:
    large = draw_on(SAMPLES["reveal-dispute-8"], panel).texts
    set_large_text(False)
    assert large == draw_on(SAMPLES["reveal-dispute-8"], panel).texts


@each_panel
def test_a_role_s_least_size_has_capitals_of_its_height(panel: Panel) -> None:
    theme = Theme(panel.size)
    for role, least_mm in MIN_CAPITAL_MM.items():
        size = theme.min_text_size(role)
        drawn = render_line("H", size, (255, 255, 255)).get_bounding_rect().height
        assert drawn == pytest.approx(size * CAPITAL_EM, abs=ROUNDED)
        assert size * CAPITAL_EM * panel.mm_per_pixel()[1] >= least_mm


@each_panel
def test_a_text_below_its_role_s_height_is_found(panel: Panel) -> None:
    canvas = Canvas(pygame.Surface(panel.size, 0, 32))
    narrow = pygame.Rect(0, 0, canvas.theme.units(20), canvas.theme.units(12))
    canvas.text(narrow, "Everybody reads this", canvas.theme.small, role="shared")
    canvas.text(narrow, "OK", canvas.theme.small, role="shared")
    assert [is_too_small(text, panel) for text in canvas.texts] == [True, False]


def shared_texts(name: str) -> set[str]:
    canvas = draw_on(SAMPLES[name], PANELS[0])
    return {text.text for text in canvas.texts if text.role == "shared"}


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("reveal-2", {"Bartholomew was late: scissors 212 ms after the first hand. The round is replayed."}),
        ("reveal-8", {"Bartholomew was late: scissors 212 ms after the first hand. The round is replayed."}),
        ("reveal-won-2", {"Ann wins 20; Bartholomew loses 5.", "PAPER", "ROCK", "On time"}),
        ("showdown-won-2", {"Ann wins 7 chips from the pot.", "0"}),
        ("showdown-turned-5", {"Showdown", "15"}),
        (
            "showdown-won-8",
            {"Ann, Chidi, Dolores, Gus and Hanako each win 12 chips from the pot. 1 chip stays in it.", "1"},
        ),
        ("how-to-play-redeux-4", {"Risk Rounds: bet your points. You win twice your bet, or lose it."}),
        ("countdown-2", {"SCISSORS", "35", "70"}),
        ("countdown-again-8", {"PAPER", "Bartholomew was late. The round is replayed.", "35", "70", "0"}),
        ("countdown-stakes-2", {"ROCK", "Fist on every word, and show your throw on SHOOT!", "100", "17", "Ann"}),
        ("judging-3", {"Looking at your hands", "35", "70", "0"}),
        ("message-2", {"Ann bet 10, Bartholomew nothing\nPaper beats rock\nAnn wins 20 points", "35", "70"}),
        ("message-facts-2", {"17", "Bet", "Folded", "Out", "5", "4"}),
        ("result-3", {"Bartholomew wins", "70", "35", "0"}),
        ("result-8", {"Bartholomew wins"}),
        ("group-open-3", {"How much do you bet?", "Waiting for Bartholomew and Chidi", "5", "30", "35", "70"}),
        ("question-hand-over", {"Ann", "Ann only – everyone else look away"}),
        ("board", {"North to move"}),
        ("board-takes", {"Rock d5 to g4"}),
        ("board-message", {"It takes a Rock of South's."}),
        ("presence", {"Is anybody there?"}),
        ("pause", {"Paused"}),
    ],
)
def test_what_everybody_must_read_is_shared(name: str, texts: set[str]) -> None:
    assert texts <= shared_texts(name)


@each_panel
def test_everybody_is_named_in_the_count(panel: Panel) -> None:
    texts = {text.text for text in draw_on(SAMPLES["countdown-8"], panel).texts}
    assert {player.name for player in players(8)} <= texts


@each_panel
def test_a_long_sentence_takes_more_lines_and_never_smaller_type(panel: Panel) -> None:
    sentence = "Bartholomew, Friederike and Dolores win 20 points; Ann, Chidi, Emil, Gus and Hanako lose 5 each."
    message = GameMessage(players(8), Scores({}), (sentence,))
    reveal = decided_reveal(8)
    for view in (message, sample_reveal(reveal.seats, sentence)):
        canvas = draw_on(view, panel)
        (text,) = [text for text in canvas.texts if text.text == sentence]
        assert text.complete and text.role == "shared" and not is_too_small(text, panel)
