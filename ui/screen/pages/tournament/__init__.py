"""A tournament: its rounds, a match of it, its standings and its players."""
