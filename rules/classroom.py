"""The game of a class, Battle: more players, and only options that are fixed before the match, since students can't be
asked one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from messages import N
from rules.battle.match import BATTLE
from rules.engine import Choices, Game, IntRange, Option, Value
from rules.engine.explanation import ExplanationPage

MIN_CLASS_SIZE = 9
"""Fewest players of a class that is set up on the screen; fewer fit at a table."""
CLASS_ROUNDS = 10
"""The rounds of a class's match unless others are chosen: a lesson has an end."""
FIXED_CLASS_OPTIONS: Mapping[str, Value] = MappingProxyType({"changes": False, "free": 0, "teams": "seats"})
"""The options of Battle that a class can't choose."""


def with_class_options(options: Mapping[str, Value]) -> dict[str, Value]:
    """Return all options of the game for a class that chose ``options`` of ``CLASS_RULES``."""
    return {**{option.name: option.default for option in CLASS_RULES.options}, **options, **FIXED_CLASS_OPTIONS}


def explain_for_class(game: Game) -> Sequence[ExplanationPage]:
    """Return the pages that explain Battle to a class."""
    return BATTLE.how_to_play(BATTLE.set_up(game.setup.seats, with_class_options(game.setup.options)))


def _class_option(option: Option) -> Option:
    if option.name == "rounds":
        return replace(option, allowed=IntRange(1, 1000), default=CLASS_ROUNDS, description=N("number of rounds"))
    if option.allowed.allows("wish"):
        description = option.description.partition("; wish")[0]
        return replace(option, allowed=Choices((False, True)), default=False, description=description)
    return option


CLASS_RULES = replace(
    BATTLE,
    title=N("Class: Battle"),
    min_players=MIN_CLASS_SIZE,
    options=tuple(_class_option(option) for option in BATTLE.options if option.name not in FIXED_CLASS_OPTIONS),
    how_to_play=explain_for_class,
)
"""Only what a class can choose; the match is played by the rules of the same name, ``with_class_options``."""
