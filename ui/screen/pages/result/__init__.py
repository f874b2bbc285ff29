"""The page of a match's end."""
