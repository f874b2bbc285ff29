"""The count page."""
