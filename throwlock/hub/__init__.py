"""The hub of a hall: stores what the boxes' journals have committed, and runs the hall's tournaments."""
