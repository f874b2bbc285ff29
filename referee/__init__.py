"""The one room that knows the others: runs a match, keeps the journal, speaks on the command line."""
