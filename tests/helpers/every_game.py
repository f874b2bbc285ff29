"""Each game of the catalogue, for as many as the stand-in table has names for."""

from rules.catalogue import GAMES
from rules.engine import Game, Value
from tests.helpers.table_matches import NAMES

EXTRA_GAMES: dict[str, tuple[str, int, dict[str, Value]]] = {
    "redeux with cards": ("redeux", 2, {"play_with": "cards", "risk": "always", "goal": 40}),
}
"""Games with options that ask other things."""
SHORT_OPTIONS: dict[str, dict[str, Value]] = {"redeux": {"goal": 40}}
"""What makes a long game a short one."""


def all_games() -> dict[str, Game]:
    """Each game for as many as the stand-in table has names for, and more with options."""
    plain = {
        name: rules.set_up(min(max(rules.min_players, 3), rules.max_players, len(NAMES)), SHORT_OPTIONS.get(name, {}))
        for name, rules in GAMES.items()
    }
    options = {
        name: GAMES[game].set_up(seats, chosen)
        for name, (game, seats, chosen) in EXTRA_GAMES.items()
        if {option.name for option in GAMES[game].options} >= set(chosen)
    }
    return plain | options
