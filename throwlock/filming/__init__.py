"""Agreed throws, filmed with the players' consent, labelled by them, and compared with what the box reads."""
