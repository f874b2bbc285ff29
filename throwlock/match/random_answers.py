"""Answers drawn at random."""

import random

from rules.engine import (
    Choices,
    Options,
    Value,
)


def draw(options: Options, dice: random.Random) -> Value:
    """One of ``options``, each as likely as any other."""
    if isinstance(options, Choices):
        return options.values[dice.randrange(len(options.values))]
    return dice.randrange(options.start, options.stop + 1, options.step)
