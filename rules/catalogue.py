"""The games the box knows, by name, and what is told about them to people who choose one."""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from rules.battle.match import BATTLE
from rules.board.match import BOARD
from rules.classic import CLASSIC
from rules.engine import Choices, IllegalSetupError, Option, Rules, described, quoted
from rules.future.match import FUTURE
from rules.redeux.match import REDEUX
from rules.tr.match import TR

GAMES: Mapping[str, Rules] = MappingProxyType(
    {rules.name: rules for rules in (CLASSIC, REDEUX, FUTURE, BATTLE, TR, BOARD)}
)
"""Every game, in the order they are offered."""


def find(name: str) -> Rules:
    """The game called ``name``. Raises IllegalSetupError, which names the games and the nearest in spelling."""
    if name in GAMES:
        return GAMES[name]
    near = get_close_matches(name[:40].lower(), GAMES, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise IllegalSetupError(f"no game is called {quoted(name)}: {hint}The games are {', '.join(GAMES)}")


def sheet(rules: Rules) -> str:
    """A game and its options in a few lines, as ``throwlock games`` prints them."""
    head = f"{rules.name}: {rules.title}, {rules.players} players\n  {rules.about}"
    return "\n".join([head, *(f"  --option {_option(option)}" for option in rules.options)])


def _option(option: Option) -> str:
    """An option with its default, what it is for and what it may be."""
    return f"{option.name}={described(Choices((option.default,)))}  {option.about} ({option.described()})"
