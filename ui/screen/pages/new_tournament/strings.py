"""The texts of setting a tournament up."""

from messages import N, join, ngettext_lazy

WHICH_FORMAT = N("Which format?")
WHO_PLAYS = N("Who plays?")
NOBODY_KNOWN = N("Nobody has played here yet. Write the players’ names.")
WRITE_NAME = N("Write a name")
NEXT_PLAYER = N("Another player")
SEED_HELP = N("The best first, or shuffled. To move a player, touch them and then the new place.")
MOVE_HELP = N("Touch the place where {name} goes.")
SHUFFLE = N("Shuffle")
BY_RATING = N("By rating")
START = N("Draw")
TITLE = N("Title")
ROUNDS, GROUP_SIZE, QUALIFIERS = N("Rounds"), N("Players of a group"), N("Go on, of each group")


def player_count(count: int) -> str:
    """Return how many play."""
    return ngettext_lazy("{count} player", "{count} players", count)


def seed_label(number: int, name: str) -> str:
    """Return a player with the number of the seed."""
    return join([f"{number}. ", name], "")
