"""The window, what it shows and what touches it."""
