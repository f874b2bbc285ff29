"""The dispute page."""
