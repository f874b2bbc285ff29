"""The seating page."""
