"""What a match is written down as, and how it is read again."""
