"""Buttons and lights on the GPIO pins."""
