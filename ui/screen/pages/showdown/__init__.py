"""The page of a showdown: cards turned over one after the other, and the pot."""
