"""Future RPS."""
