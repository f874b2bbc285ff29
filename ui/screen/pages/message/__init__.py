"""The page of something the game said."""
