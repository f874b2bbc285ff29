"""A simulated table: rendered hands over a table cloth, seen from above by a camera like any other."""
