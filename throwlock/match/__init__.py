"""A match: its settings, its answers, its corrections."""
