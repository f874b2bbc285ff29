"""The awards of the evening."""
