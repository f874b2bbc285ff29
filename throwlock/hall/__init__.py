"""Halls of several boxes: what a box and the hub tell each other, and the box's side of it."""
