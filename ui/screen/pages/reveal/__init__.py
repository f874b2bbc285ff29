"""The reveal page."""
