"""A simulated table: rendered hands over a table cloth, seen from above."""
