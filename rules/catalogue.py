"""The catalogue of games, and their descriptions on the command line.

The box's own games are in ``BOX_GAMES``. Any installed package can add one: an entry point of the group
``throwlock.games`` that leads to its ``Rules`` (docs/adding-a-game.md).
"""

import logging
from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import entry_points
from types import MappingProxyType

from messages import N
from rules.battle.match import BATTLE
from rules.board.match import BOARD
from rules.classic import CLASSIC
from rules.engine import Choices, IllegalSetupError, Option, Rules, describe, quote
from rules.future.match import FUTURE
from rules.redeux.match import REDEUX
from rules.tr.match import TR

BOX_GAMES = (CLASSIC, REDEUX, FUTURE, BATTLE, TR, BOARD)
ENTRY_POINT_GROUP = "throwlock.games"


def load_games() -> dict[str, Rules]:
    """Return the box's games and the installed ones by name. One that can't be loaded, or that has the name of another,
    is left out with a warning."""
    games = {rules.name: rules for rules in BOX_GAMES}
    for entry_point in sorted(entry_points(group=ENTRY_POINT_GROUP)):
        try:
            rules = entry_point.load()
        except Exception as error:  # whatever somebody else's module raises
            logging.warning("the game %s can't be loaded: %s: %s", entry_point.name, type(error).__name__, error)
            continue
        if not isinstance(rules, Rules):
            logging.warning("the game %s can't be loaded: %s is no Rules", entry_point.name, entry_point.value)
        elif rules.name in games:
            logging.warning("the game %s of %s is left out: there is one already", rules.name, entry_point.value)
        else:
            games[rules.name] = rules
    return games


GAMES: Mapping[str, Rules] = MappingProxyType(load_games())
"""Every game by name, in the order in which they are offered."""


def find_game(name: str) -> Rules:
    """Return the game called ``name``. Raises IllegalSetupError, which names the games and the nearest spelling."""
    if name in GAMES:
        return GAMES[name]
    near = get_close_matches(name[:40].lower(), GAMES, n=1)
    fields = {"name": quote(name), "games": ", ".join(GAMES)}
    if near:
        raise IllegalSetupError(
            N("no game is called {name}: did you mean {near}? The games are {games}", near=near[0], **fields)
        )
    raise IllegalSetupError(N("no game is called {name}: the games are {games}", **fields))


def describe_game(rules: Rules) -> str:
    """Return a game and its options as ``throwlock games`` prints them, one option a line."""
    facts = [f"{rules.name}: {rules.title}", f"{rules.player_range} players"]
    if rules.game_seconds:
        facts.append(f"{rules.game_seconds} s a game")
    if rules.min_age:
        facts.append(f"from age {rules.min_age}")
    head = f"{', '.join(facts)}\n  {rules.description}"
    return "\n".join([head, *(f"  --option {_describe_option(option)}" for option in rules.options)])


def _describe_option(option: Option) -> str:
    """Return an option with its default, description and allowed values."""
    return f"{option.name}={describe(Choices((option.default,)))}  {option.description} ({describe(option.allowed)})"
