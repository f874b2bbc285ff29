"""The standing page."""
