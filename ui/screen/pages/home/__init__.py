"""The home page: the choice of a game, its set-up."""
