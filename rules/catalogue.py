"""The catalogue of games, and their descriptions on the command line."""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from rules.battle.match import BATTLE
from rules.board.match import BOARD
from rules.classic import CLASSIC
from rules.engine import Choices, IllegalSetupError, Option, Rules, describe, quote
from rules.future.match import FUTURE
from rules.redeux.match import REDEUX
from rules.tr.match import TR

GAMES: Mapping[str, Rules] = MappingProxyType(
    {rules.name: rules for rules in (CLASSIC, REDEUX, FUTURE, BATTLE, TR, BOARD)}
)
"""Every game by name, in the order in which they are offered."""


def find_game(name: str) -> Rules:
    """Return the game called ``name``. Raises IllegalSetupError, which names the games and the nearest spelling."""
    if name in GAMES:
        return GAMES[name]
    near = get_close_matches(name[:40].lower(), GAMES, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise IllegalSetupError(f"no game is called {quote(name)}: {hint}The games are {', '.join(GAMES)}")


def describe_game(rules: Rules) -> str:
    """Return a game and its options as ``throwlock games`` prints them, one option a line."""
    head = f"{rules.name}: {rules.title}, {rules.player_range} players\n  {rules.description}"
    return "\n".join([head, *(f"  --option {_describe_option(option)}" for option in rules.options)])


def _describe_option(option: Option) -> str:
    """Return an option with its default, description and allowed values."""
    return f"{option.name}={describe(Choices((option.default,)))}  {option.description} ({option.describe_allowed()})"
