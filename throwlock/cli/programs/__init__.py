"""Commands for programs that play, and for the speed of the rules: ``engine``, ``arena``, ``perft``."""
