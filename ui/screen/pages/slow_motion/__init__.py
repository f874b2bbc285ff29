"""The page of a round in slow motion."""
