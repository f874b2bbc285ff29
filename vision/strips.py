"""When the pictures in a strip were taken. Apart from what makes strips: what only shows them needs no OpenCV."""

STRIP_MS = (-200, -150, -100, -50, 0, 50, 100, 150, 200)
"""The exposures in a strip, ms after the lock."""
