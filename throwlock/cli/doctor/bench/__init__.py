"""``throwlock doctor --bench``: measure on this machine what the documents claim."""
