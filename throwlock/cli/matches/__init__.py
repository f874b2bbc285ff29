"""Commands that play: a match, practice, a class, a tournament, and throws to be filmed."""
