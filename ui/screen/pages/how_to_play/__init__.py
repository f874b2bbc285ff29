"""How a game is played: a few pages with scenes that move, before a match and from its pause."""
