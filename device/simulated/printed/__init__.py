"""Renders printed cards, class cards, boards and pieces for a simulated camera, with perspective, blur, uneven light,
glare, curled cards and hands in the way, and reports the ground truth."""
