"""The countdown page."""
