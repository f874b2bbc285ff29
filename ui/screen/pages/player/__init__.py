"""The page of a player: throws, habits, opponents."""
