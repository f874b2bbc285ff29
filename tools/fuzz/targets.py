"""All targets by name."""

from tools.fuzz import cards, engine, import_, notation, recordings

TARGETS = {one.TARGET.name: one.TARGET for one in (import_, engine, notation, cards, recordings)}
