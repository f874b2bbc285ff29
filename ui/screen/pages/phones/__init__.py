"""The page on which phones join."""
