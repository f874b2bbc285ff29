"""The pause of a match: go on, undo, start again, leave."""
