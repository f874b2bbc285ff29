"""Buttons and lights on the pins."""
