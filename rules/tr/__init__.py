"""t|r: a die roll for role-playing games."""
