"""Simulated hardware: a camera over a rendered table, printed cards, buttons, lights and sound."""
