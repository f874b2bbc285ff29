"""The page of a question to one seat."""
