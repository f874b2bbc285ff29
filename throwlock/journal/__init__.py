"""The journal: every event of every match on the disk."""
