"""Simulated players and what they show before a simulated camera."""
