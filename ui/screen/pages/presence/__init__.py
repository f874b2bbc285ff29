"""The question whether anybody is there."""
