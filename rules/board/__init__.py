"""The board game: board, moves, positions, notation and perft. Only ``match`` deals with players and prompts."""
