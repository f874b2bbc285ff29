"""Clips of rounds to take home: rendering, encoding, and making them in the background."""
