"""Exposure times of a strip; a module of its own, so that code that only shows strips needs no OpenCV."""

STRIP_OFFSETS_MS = (-200, -150, -100, -50, 0, 50, 100, 150, 200)
"""When the images of a strip were exposed, in ms after the lock."""
