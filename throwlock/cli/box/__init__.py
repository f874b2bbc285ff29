"""``throwlock box``."""
