"""docs/rulings.md has the rulings of every game, and names options as they are called."""

import re
from pathlib import Path

import pytest

from rules.catalogue import BOX_GAMES
from rules.engine import Rules

PAGE = (Path(__file__).parents[2] / "docs/rulings.md").read_text()
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", PAGE, re.MULTILINE))


@pytest.mark.parametrize("game", BOX_GAMES, ids=lambda game: game.name)
def test_every_game_has_its_rulings_and_their_options_exist(game: Rules) -> None:
    section = SECTIONS[str(game.title)]
    rows = re.findall(r"^\| .+ \| .+ \| .+ \|$", section, re.MULTILINE)
    assert len(rows) > 2, "with the head of the table"
    assert {*re.findall(r"`([a-z_]+)`", section)} <= {option.name for option in game.options}


def test_options_that_settle_what_a_sheet_leaves_open_are_named() -> None:
    assert {*re.findall(r"`([a-z_]+)`", PAGE)} >= {
        "games", "risk", "bets", "tied_bets", "goal", "boxes", "direction", "rounds", "teams", "best_of", "board",
        "stuck", "repetition", "quiet", "lock", "flags",
    }  # fmt: skip
