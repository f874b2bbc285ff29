"""The icons: their files, and how the screen, the sheets and the pages show them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pygame
import pytest

import ui
from ui.icons import icon_path, icon_svg
from ui.screen.drawing.icons import corner_disc, icon, inverse_corner, ring_icon
from ui.web.charts.drawings import BOARD_SYMBOL_NAMES, SYMBOL_NAMES, symbol_sheet

UI_FOLDER = Path(ui.__file__).parent
ICON_NAMES = sorted(path.stem for path in (UI_FOLDER / "icons").glob("*.svg"))
WHITE = (255, 255, 255)


@pytest.mark.parametrize("name", ICON_NAMES)
def test_file_is_one_path_in_the_current_colour(name: str) -> None:
    drawing = ElementTree.fromstring(icon_svg(name))
    assert drawing.attrib == {"viewBox": "0 0 100 100", "width": "128", "height": "128", "fill": "currentColor"}
    (path,) = drawing
    assert path.tag == "{http://www.w3.org/2000/svg}path" and set(path.attrib) == {"d"}
    assert icon_path(name) == f'<path d="{path.attrib["d"]}"/>'


@pytest.mark.parametrize("name", ICON_NAMES)
def test_icon_fills_part_of_its_square_and_is_smooth(name: str) -> None:
    alpha = pygame.surfarray.array_alpha(icon(name, 64, WHITE))
    assert 0.05 < (alpha > 127).mean() < 0.95
    assert ((alpha > 0) & (alpha < 255)).any()


def test_icon_has_the_size_asked_for() -> None:
    assert all(icon("plus", side, WHITE).get_size() == (side, side) for side in range(1, 400))
    assert icon("plus", 0, WHITE).get_size() == (1, 1)


def test_icon_has_its_colour_where_it_is_transparent_too() -> None:
    colour = (88, 214, 164)
    assert {tuple(icon("plus", 40, colour).get_at((x, x)))[:3] for x in range(40)} == {colour}


def test_unknown_icon_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="unicorn"):
        icon("unicorn", 10, WHITE)


def test_corners_are_a_disc_and_its_outside() -> None:
    disc, outside = (
        pygame.surfarray.array_alpha(corner(9, WHITE)).astype(int) for corner in (corner_disc, inverse_corner)
    )
    assert disc[9, 9] == 255 and disc[0, 0] == 0
    assert abs(disc + outside - 255).max() <= 40, "they meet without a seam"


def test_ring_is_inside_its_radius() -> None:
    alpha = pygame.surfarray.array_alpha(ring_icon(20.0, 4.0, WHITE))
    row = alpha[:, alpha.shape[1] // 2] > 127
    middle = len(row) // 2
    assert [middle - 20 <= x < middle - 16 or middle + 16 <= x < middle + 20 for x in range(len(row))] == list(row)


def test_pages_have_the_symbol_of_every_icon_they_use() -> None:
    used = {
        name
        for template in (UI_FOLDER / "web" / "templates").rglob("*.html")
        for call in re.findall(r"drawings\.icon\((.*?)\)", template.read_text(encoding="utf-8"))
        for name in re.findall(r'"(\w+)"', call)
        if name not in ("to review", "phone")  # which the television's own sheet has
    }
    assert used and used <= set(SYMBOL_NAMES)
    for names in (SYMBOL_NAMES, (*SYMBOL_NAMES, *BOARD_SYMBOL_NAMES)):
        sheet = symbol_sheet(board=names is not SYMBOL_NAMES)
        symbols = [symbol.attrib["id"] for symbol in ElementTree.fromstring(sheet)]
        assert set(names) < set(symbols) and len(symbols) == len(set(symbols))
