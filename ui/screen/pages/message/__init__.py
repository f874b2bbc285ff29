"""The page of a game's message."""
