"""The box itself, administered by touch."""
