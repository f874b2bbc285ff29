"""Marking in a filmed clip when a hand showed its throw, frame by frame."""
