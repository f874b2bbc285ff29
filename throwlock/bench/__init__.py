"""Measures on a machine what the documents claim, for ``throwlock doctor --bench`` and for tools/bench."""
