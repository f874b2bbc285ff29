"""The games. Pure: no clock, no randomness, no I/O, and no imports from the other packages."""
