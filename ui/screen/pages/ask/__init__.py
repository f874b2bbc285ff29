"""The ask page."""
