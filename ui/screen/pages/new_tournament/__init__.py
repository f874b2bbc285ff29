"""Setting a tournament up: its format, its players and their seeds."""
