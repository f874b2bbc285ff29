"""Printed cards, class cards, boards and pieces before a simulated camera: perspective, blur, uneven light, glare,
curled cards and hands in the way, with the truth to compare with."""
