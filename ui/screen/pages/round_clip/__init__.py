"""A round as a clip to take home."""
