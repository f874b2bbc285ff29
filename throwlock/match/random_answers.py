"""Answers drawn at random."""

import random

from rules.engine import (
    AllowedValues,
    Choices,
    Value,
)


def draw_answer(options: AllowedValues, rng: random.Random) -> Value:
    """Draw one of ``options``, each equally likely."""
    if isinstance(options, Choices):
        return options.values[rng.randrange(len(options.values))]
    return rng.randrange(options.start, options.stop + 1, options.step)
