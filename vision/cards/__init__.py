"""Printed cards, boards and pieces: markers are detected and read, never guessed."""
