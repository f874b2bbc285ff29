"""The board game's engine: the board as data, what each piece may do, positions, their notation, and counting.
It knows no seats and asks nobody; ``rules/board/match.py`` is the game."""
