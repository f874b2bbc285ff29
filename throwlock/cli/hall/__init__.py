"""Commands of a hall of several boxes: its hub, and the boxes that are part of it."""
