"""Future RPS: bluffing with cards and chips."""
