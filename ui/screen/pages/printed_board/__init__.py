"""The page of a printed board that a camera watches."""
