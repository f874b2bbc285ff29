"""Battle."""
